"""The programs of every learner as code: words and terms, also with vectors, also in binary32."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_level.running import COUNTS, check_terms, check_words, lowered, parsed, programs_of
from code_level.running import vectorized as vectors_of

ROOT = Path(__file__).resolve().parents[2]
LEARNERS = sorted([*(ROOT / "examples").glob("*.mlir"), *(ROOT / "tests/learners").glob("*.mlir")])
BITS = (64, 128, 256, 512)
LARGE = "digits_perceptron"


@pytest.mark.parametrize("path", LEARNERS, ids=lambda path: path.stem)
def test_a_learner_s_programs(path: Path) -> None:
    """In f64 by words, at many numbers of samples and coordinates; in f32; and by terms."""
    text = path.read_text(encoding="utf-8")
    module = parsed(text, str(path))
    if not programs_of(module):
        return
    code = lowered(module)
    number = LEARNERS.index(path)
    bits = BITS[number % len(BITS)]
    vectors = vectors_of(code, bits)
    few = path.stem == LARGE
    check_words(module, [code, vectors], (5,) if few else COUNTS, number)
    if not few:
        check_terms(module, [code, vectors], (3,))
        narrow = parsed(text.replace("f64", "f32"), str(path))
        check_words(narrow, [vectors_of(lowered(narrow, 3), bits)], (7, 0), number)
