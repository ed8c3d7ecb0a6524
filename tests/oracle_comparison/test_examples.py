"""Every example after 1, 5 and 200 rounds, in f64 and f32, has the bits of the oracle."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracle.learners import EXAMPLES
from oracle_comparison.running import (
    DTYPES,
    EXAMPLES_FOLDER,
    example_file,
    first_difference,
    interpreter,
)

from alpha.interpreters import sums
from alpha.tools.learner_file import LearnerFile

ROUNDS = (1, 5, 200)


def test_every_example_has_an_oracle() -> None:
    # Those with a distribution that is written by hand have it in tests/sharding; a protocol
    # without a learner has none.
    texts = {path.stem: path.read_text() for path in EXAMPLES_FOLDER.glob("*.mlir")}
    learners = {name for name, text in texts.items() if "region.learner" in text}
    by_hand = {name for name, text in texts.items() if "shard.learner" in text}
    assert learners - by_hand == set(EXAMPLES)


def test_the_oracle_stands_alone_and_is_short() -> None:
    sources = [
        path.read_text(encoding="utf-8")
        for path in (Path(__file__).resolve().parents[1] / "oracle").rglob("*.py")
    ]
    assert sum(len(source.splitlines()) for source in sources) < 300
    for source in sources:
        assert "alpha" not in source
        assert not any(f"np.{name}" in source for name in ("sum", "dot", "add", "einsum", "matmul"))
        assert " @ " not in source


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_equals_its_oracle(name: str, element: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    running = interpreter(example_file(name, element, tmp_path))
    seen = []
    for rounds in ROUNDS:
        while running.version < rounds:
            observations = running.step()
            assert all(o.name == "loss" for o in observations)
            assert all(o.version == running.version - 1 for o in observations)
            assert all(o.count == sum(example.order.groups) for o in observations)
            seen.extend(observation.total for observation in observations)
        wanted = example.run(DTYPES[element], example.data, example.order, rounds)
        assert np.isfinite(wanted[1]).all()
        assert first_difference((running.state, seen), wanted) is None, f"after {rounds} rounds"
    assert not seen or seen[-1] < seen[0] / 2, "the learner learns"


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_size_of_a_chunk_changes_no_bit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    example = EXAMPLES[name]
    wanted = example.run(np.float64, example.data, example.order, 2)
    file = LearnerFile.read(str(EXAMPLES_FOLDER / f"{name}.mlir"))
    for words_max in (1, 7, 2_500, 1 << 20):
        monkeypatch.setattr(sums, "CHUNK_WORDS", words_max)
        running, seen = interpreter(file), []
        for _ in range(2):
            seen.extend(observation.total for observation in running.step())
        assert first_difference((running.state, seen), wanted) is None, f"chunks of {words_max}"
