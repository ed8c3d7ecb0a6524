"""How many registers the kernels of the examples take, and what they spill, as a page of the docs.

Of one assembler, the wheel's: others give other numbers. As a script it writes the page.

Entry: `page`, `PAGE`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from native.programs import ELEMENTS, EXAMPLES, example
from ptx.assembler import ASSEMBLERS, assembled
from ptx.disassembler import KERNEL

from alpha.backends.ptx.equality import emitted_kernels

PAGE = Path(__file__).resolve().parents[2] / "docs/kernels.md"

_HEAD = """\
# Registers of kernels

What `ptxas` {version} makes of the kernels of the examples for `sm_86`: the 32-bit registers of a
thread, and the bytes that it spills. `make docs` writes this page, and a test compares it.

| example | kernel | f64: registers | spilled | f32: registers | spilled |
| --- | --- | --- | --- | --- | --- |
"""


def page() -> str:
    """The page as it should be."""
    head = _HEAD.format(version=version("nvidia-cuda-nvcc-cu12"))
    return head + "".join(row for name in EXAMPLES for row in _rows(name))


def _rows(name: str) -> Iterator[str]:
    found: dict[str, list[int]] = {}
    for element in ELEMENTS:
        text = emitted_kernels(example(name, element)).text
        with tempfile.TemporaryDirectory() as folder:
            made = assembled(ASSEMBLERS[0], text, Path(folder))
        for kernel in KERNEL.findall(text):
            found.setdefault(kernel, []).extend(made[kernel])
    for kernel, numbers in found.items():
        yield f"| {name} | `{kernel}` | {' | '.join(map(str, numbers))} |\n"


if __name__ == "__main__":
    PAGE.write_text(page())
