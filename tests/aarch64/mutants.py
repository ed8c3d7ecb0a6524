"""Rows that are wrong: each with the meaning of another one that has the same operands.

Entry: `wrong_meanings`, `EQUIVALENT`, `is_told_apart`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from aarch64.comparing import differences
from aarch64.instances import Instance

from alpha.backends.core.rows import Row

EQUIVALENT = (
    {"mov", "address"},
    {"load_s", "literal_s"},
    {"load_d", "literal_d"},
    {"load_q", "literal_q"},
    {"load_64", "literal_x"},
    {"uzp1_2d", "zip1_2d"},
    {"uzp1_2d", "trn1_2d"},
    {"zip1_2d", "trn1_2d"},
    {"uzp2_2d", "zip2_2d"},
    {"uzp2_2d", "trn2_2d"},
    {"zip2_2d", "trn2_2d"},
)
"""Rows whose meanings are the same, though they take other addresses or are of another role; and of
two lanes, three permutations are one."""


def _shape(row: Row) -> tuple[object, ...]:
    """Kinds and order of the operands, as far as a meaning depends on them."""
    return (
        tuple(slot.kind for slot in row.writes),
        tuple(slot.kind for slot in row.reads),
        row.role in ("branch", "call"),
    )


def wrong_meanings(rows: Sequence[Row], each: int) -> Iterator[tuple[Row, Row]]:
    """Up to so many pairs for each row: it, and it with the meaning of one of its like."""
    alike: dict[tuple[object, ...], list[Row]] = defaultdict(list)
    for row in rows:
        if not row.name.startswith("svc"):  # it has no meaning
            alike[_shape(row)].append(row)
    for group in alike.values():
        for at, row in enumerate(group):
            others = [*group[at + 1 :], *group[:at]][:each]
            for other in others:
                if {row.name, other.name} not in EQUIVALENT:
                    yield (
                        row,
                        replace(row, name=f"{row.name} as {other.name}", meaning=other.meaning),
                    )


def is_told_apart(
    mutant: Row, instances: Sequence[Instance], before: np.ndarray, after: np.ndarray
) -> bool:
    """Whether some record shows that an instruction doesn't mean what the mutant says."""
    wrong = [replace(instance, row=mutant) for instance in instances]
    return next(differences(wrong, before, after), None) is not None
