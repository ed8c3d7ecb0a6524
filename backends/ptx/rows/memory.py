"""Rows that load and store: a kernel's parameters, global memory, and what a block shares.

Source: PTX ISA 7.1, 5.1 (state spaces) and 9.7.8 (`ld`, `st`).

Invariant: a word lies at a multiple of its bytes; so do two or four that are accessed at once, at a
    multiple of all their bytes. Whoever writes a kernel sees to it, since no assembler does.
Why: addresses are those of a state space, never generic, so that each access says where it goes.
Entry: `ROWS`, `SPACES`, `WIDE`, `TYPES`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from alpha.backends.core.carriers import MachineCarrier
from alpha.backends.core.rows import Row
from alpha.backends.ptx.meanings import Lanes
from alpha.backends.ptx.rows.integers import ptx

TYPES: Mapping[str, tuple[str, int]] = MappingProxyType(
    {"w": ("b32", 4), "x": ("b64", 8), "s": ("f32", 4), "d": ("f64", 8)}
)
"""The type that a view is loaded and stored with, and its bytes."""

SPACES = ("global", "shared")
WIDE: Mapping[str, tuple[int, ...]] = MappingProxyType({"s": (2, 4), "d": (2,)})
"""How many words are accessed at once: up to 16 bytes."""


def _same(c: MachineCarrier, *words: Lanes) -> Lanes | tuple[Lanes, ...]:
    return words[0] if len(words) == 1 else words


def _several(c: MachineCarrier, words: tuple[Lanes, ...]) -> tuple[Lanes, ...]:
    return words


def _rows() -> Iterator[Row]:
    for view, (type, bytes) in TYPES.items():
        yield ptx(
            f"load_param_{view}",
            f"d:{view} = m:mem{bytes}",
            f"ld.param.{type} {{d}}, {{m}};",
            _same,
        )
    for space in SPACES:
        for view, (type, bytes) in TYPES.items():
            yield ptx(
                f"load_{space}_{view}",
                f"d:{view} = m:mem{bytes}",
                f"ld.{space}.{type} {{d}}, {{m}};",
                _same,
            )
            yield ptx(
                f"store_{space}_{view}",
                f"m:mem{bytes} = s:{view}",
                f"st.{space}.{type} {{m}}, {{s}};",
                _same,
            )
    for view, counts in WIDE.items():
        type, bytes = TYPES[view]
        for count in counts:
            yield from _wide(view, type, bytes, count)
    yield ptx("address", "d:x = m:mem0", "mov.u64 {d}, {m:name};", _same)


def _wide(view: str, type: str, bytes: int, count: int) -> Iterator[Row]:
    names = [f"w{number}" for number in range(count)]
    braced = "{{" + ", ".join(f"{{{name}}}" for name in names) + "}}"
    slots = ", ".join(f"{name}:{view}" for name in names)
    yield ptx(
        f"load_global_{view}{count}",
        f"{slots} = m:mem{bytes * count}",
        f"ld.global.v{count}.{type} {braced}, {{m}};",
        _several,
    )
    yield ptx(
        f"store_global_{view}{count}",
        f"m:mem{bytes * count} = {slots}",
        f"st.global.v{count}.{type} {{m}}, {braced};",
        _same,
    )


ROWS = tuple(_rows())
"""Memory. Of several words, a load gets and a store gives a tuple."""
