"""Exact roots and quotients of many more words than the tests compare.

Started by hand, with the millions of words of each kind:
PYTHONPATH=tests python -m exact.campaign 100
"""

from __future__ import annotations

import sys

import numpy as np
from exact.machine import QUOTIENTS, ROOTS, Machine, compiled, different, is_wide
from exact.points import HIGH, LOW, any_doubles, near_midpoints, quotients_near_midpoints, squares

MILLION = 1_000_000
ROUNDS_OFFSETS = 20_000
"""So many congruences are solved in a round, each of them for a root."""

DIVISORS = 1000


def roots(machine: Machine, number: int) -> tuple[int, int]:
    """Roots that were compared in a round, and those that were wrong."""
    rng = np.random.default_rng(number)
    first = number * ROUNDS_OFFSETS
    hard, rounded = near_midpoints(range(first, first + ROUNDS_OFFSETS, 2))
    wrong = len(different(machine(hard), rounded))
    x = np.concatenate([squares(rng, MILLION // 10), any_doubles(rng, MILLION // 4)])
    with np.errstate(invalid="ignore"):
        wrong += len(different(machine(x), np.sqrt(x)))
    return len(hard) + len(x), wrong


def quotients(machine: Machine, number: int) -> tuple[int, int]:
    """Quotients that were compared in a round, and those that were wrong."""
    rng = np.random.default_rng(number)
    divisors = (rng.integers(LOW // 2, HIGH // 2, DIVISORS) * 2 + 1).tolist()
    x, c, rounded = quotients_near_midpoints(divisors, range(-15, 16, 2))
    wrong = len(different(machine(x, c), rounded))
    x, c = any_doubles(rng, MILLION // 2), any_doubles(rng, MILLION // 2)
    rng.shuffle(x)
    with np.errstate(all="ignore"):
        wrong += len(different(machine(x, c), x / c))
    return len(rounded) + len(x), wrong


def main(rounds: int) -> None:
    """Compare so many rounds of about a million words of each kind."""
    if not is_wide():
        raise SystemExit("this processor computes roots and quotients by its instructions alone")
    for what, source, step in (("roots", ROOTS, roots), ("quotients", QUOTIENTS, quotients)):
        machine = Machine(compiled(source))
        found = [step(machine, number) for number in range(rounds)]
        compared, wrong = (sum(column) for column in zip(*found, strict=True))
        print(f"{compared} {what}, {wrong} wrong", flush=True)
        if wrong:
            raise SystemExit(1)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
