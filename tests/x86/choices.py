"""The rows that tests go over: those of each set of features that gives a function other registers.

Entry: `all_instances`, `TARGETS`.
"""

from __future__ import annotations

from collections.abc import Iterator

from x86.instances import Instance, instances_of

from alpha.backends.x86.target import target

TARGETS = tuple(target(frozenset(names)) for names in ((), ("avx512",), ("sha",)))
"""The last one has rows of its own and otherwise those of the first."""


def all_instances(count: int, seed: int) -> Iterator[Instance]:
    """So many instances of every row with each set of registers that it may be given."""
    for one in TARGETS:
        for row in one.rows.values():
            if one is not TARGETS[2] or row.feature == "sha":
                yield from instances_of(row, one, count, seed)
