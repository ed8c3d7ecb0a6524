"""In what an assembler makes of kernels nothing is fused that wasn't fused in their text."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from native.programs import ELEMENTS, EXAMPLES, example
from ptx.assembler import ASSEMBLERS
from ptx.disassembler import DISASSEMBLER, operations
from ptx.registers import PAGE, page

from alpha.backends.ptx.equality import emitted_kernels

FUSED = ("FFMA", "DFMA")
BODY = re.compile(r"^\.visible \.entry (\S+?)\(\n(.*?)^\}$", re.MULTILINE | re.DOTALL)
EXPANDED = re.compile(r"\b(?:fma|div|sqrt|rcp)\.rn\.f(?:32|64)\b")
"""What is fused by its meaning, or becomes several operations of which some are fused."""

EXPANDED_ALONE = ("local_correlation",)
"""Its one kernel divides."""

ROUNDED = re.compile(r"\b(add|sub|mul)\.rn\.")


def plain(text: str) -> set[str]:
    """The kernels that have floating-point sums and products, and nothing that is fused."""
    return {
        name
        for name, body in BODY.findall(text)
        if ROUNDED.search(body) and not EXPANDED.search(body)
    }


def fused(found: Counter[str]) -> int:
    """How many operations are fused."""
    return sum(found[name] for name in FUSED)


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_nothing_is_fused_that_is_not_fused_in_the_text(
    name: str, element: str, tmp_path: Path
) -> None:
    assert ASSEMBLERS and DISASSEMBLER.exists(), "no assembler or disassembler: the extra `cuda`"
    text = emitted_kernels(example(name, element)).text
    kernels = plain(text)
    assert bool(kernels) != (name in EXPANDED_ALONE)
    for assembler in ASSEMBLERS:
        found = operations(assembler, text, tmp_path)
        assert kernels <= found.keys()
        for kernel in kernels:
            assert not fused(found[kernel]), (assembler, kernel, found[kernel])
            assert any(found[kernel][each] for each in ("FADD", "FMUL", "DADD", "DMUL"))


def test_what_may_be_fused_is(tmp_path: Path) -> None:
    """Where the text doesn't say how sums and products are rounded, an assembler fuses them."""
    text = emitted_kernels(example("least_squares_sgd", "f64")).text
    loose = ROUNDED.sub(r"\1.", text)
    for assembler in ASSEMBLERS:
        found = operations(assembler, loose, tmp_path)
        assert any(fused(found[kernel]) for kernel in plain(text))


def test_registers_are_those_of_the_page() -> None:
    assert PAGE.read_text() == page()
