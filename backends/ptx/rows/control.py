"""Rows that say which thread it is, make threads wait and hand words on, and end blocks.

Source: PTX ISA 7.1, 9.7.8.6 (`shfl.sync`), 9.7.10 (control flow), 9.7.12 (`bar`), 10 (special
registers).

Entry: `ROWS`, `SPECIAL`, `SHUFFLES`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from alpha.backends.core.meanings import unmodelled
from alpha.backends.core.rows import Meaning, Row
from alpha.backends.ptx.rows.integers import ptx

SPECIAL: Mapping[str, str] = MappingProxyType(
    {
        "thread": "%tid.x",
        "threads": "%ntid.x",
        "block": "%ctaid.x",
        "blocks": "%nctaid.x",
        "lane": "%laneid",
    }
)
"""The special registers that kernels read, by the names of their rows."""

SHUFFLES = ("down", "bfly")
"""How a lane names the one whose word it gets: by its distance, or by the bits that differ."""


def _special(name: str) -> Meaning:
    return lambda c: c.special(name)


def _shuffled(mode: str) -> Meaning:
    def meaning(c: Any, a: Any, distance: int, last: int) -> Any:
        return c.shuffled(mode, a, distance, last)

    return meaning


def _rows() -> Iterator[Row]:
    for name, spelled in SPECIAL.items():
        yield ptx(name, "d:w =", f"mov.u32 {{d}}, {spelled};", _special(spelled))
    for mode in SHUFFLES:
        yield ptx(
            f"shuffle_{mode}",
            "d:w = a:w, i:immU5, c:immU13",
            f"shfl.sync.{mode}.b32 {{d}}, {{a}}, {{i}}, {{c}}, -1;",
            _shuffled(mode),
        )
    yield ptx("barrier", "=", "bar.sync 0;", unmodelled("threads wait for one another"))
    yield ptx("jump", "= to:label", "bra {to};", lambda c: 0, role="jump")
    yield ptx(
        "branch",
        "= t:p, to:label, other:label",
        "@{t} bra {to};",
        lambda c, t: t,
        role="branch",
    )
    yield ptx(
        "branch_not",
        "= t:p, to:label, other:label",
        "@!{t} bra {to};",
        lambda c, t: ~t,
        role="branch",
    )
    yield ptx("return", "=", "ret;", lambda c: None, role="return")


ROWS = tuple(_rows())
"""Threads and control. All threads of a warp take part in a shuffle."""
