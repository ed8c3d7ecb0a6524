"""The programs of the examples, in f64 and in f32, as tests of the back ends take them.

Entry: `EXAMPLES`, `example`, `INSTRUCTION_SETS`.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module

FOLDER = Path(__file__).resolve().parents[2] / "examples"
ELEMENTS = ("f64", "f32")

INSTRUCTION_SETS = (("x64", ""), ("x64", "avx512"), ("a64", ""))
"""Dialects with features."""


def _has_programs(path: Path) -> bool:
    """A learner by itself: one that a text distributes has the same programs as another one."""
    text = path.read_text(encoding="utf-8")
    return "region.learner" in text and "shard.learner" not in text


EXAMPLES = tuple(path.stem for path in sorted(FOLDER.glob("*.mlir")) if _has_programs(path))


@cache
def example(name: str, element: str) -> ModuleOp:
    """An example with all its words in this element type; its data aren't read."""
    text = (FOLDER / f"{name}.mlir").read_text(encoding="utf-8")
    module = parse_text(make_context(), re.sub(r"(?<![a-z])f64\b|(?<=x)f64\b", element, text), name)
    verify_module(module)
    return module
