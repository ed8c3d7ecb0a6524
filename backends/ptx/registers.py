"""Registers of PTX: as many as a kernel asks for, so that none is ever allocated.

Source: PTX ISA 7.1, 5.2 (types) and 5.4.2 (parameterized names of variables).

Invariant: a register is declared with a width, and an instruction says how it reads the bits. A
    value keeps the register that it is defined in, whatever reads it.
Why: the assembler of the driver allocates the machine's registers for the very device.
Entry: `VIEWS`, `CONVENTION`, `DECLARED`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from alpha.backends.core.registers import Register, RegisterClass, View
from alpha.backends.core.target import Convention


def _view(name: str, bytes: int) -> View:
    return View(name, RegisterClass(name, 0), bytes, ())


VIEWS: Mapping[str, View] = MappingProxyType(
    {
        view.name: view
        for view in (_view("p", 1), _view("w", 4), _view("x", 8), _view("s", 4), _view("d", 8))
    }
)
"""The views by name: `p` truths, `w` and `x` integers of 32 and 64 bits, `s` f32 and `d` f64."""

DECLARED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "p": (".pred", "%p"),
        "w": (".b32", "%r"),
        "x": (".b64", "%rd"),
        "s": (".f32", "%f"),
        "d": (".f64", "%fd"),
    }
)
"""The type that registers of a view are declared with, and how their names begin."""

CONVENTION = Convention(
    arguments={},
    results={},
    kept={},
    free={},
    kept_view={"x": "x"},
    stack_pointer=Register("x", 0),
    alignment=8,
    bytes_at_entry=0,
)
"""A kernel's parameters lie in memory of their own, 8 bytes each; a kernel calls nothing."""
