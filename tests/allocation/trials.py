"""Allocates random functions and runs them before and after; what the tests and campaigns repeat.

Entry: `toy_trial`, `real_trial`.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from allocation.random_functions import plain_names, random_function
from allocation.runs import Machine, run_function
from allocation.toy import NAMES, TARGET

from alpha.backends.core.allocation.allocate import allocate
from alpha.backends.core.program import Function
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Row
from alpha.backends.core.target import Target

STEPS = 100
LIMITS: tuple[Mapping[str, int], ...] = (
    {},
    {"gpr": 3, "vec": 3, "mask": 2},
    {"gpr": 4, "vec": 3},
    {"gpr": 4, "vec": 3, "mask": 2},
    {"gpr": 5},
)


def toy_trial(seed: int, blocks: int, length: int) -> None:
    """One function of the toy's instructions, with few registers."""
    random = Random(seed)
    names = NAMES if random.random() < 0.5 else random.sample(NAMES, 8)
    function = random_function(TARGET, random, names, random.randint(1, blocks), length)
    trial(random, function, TARGET, random.choice(LIMITS))


def real_trial(target: Target, seed: int, blocks: int, length: int) -> None:
    """One function of a real target's rows, of all of them or of few kinds."""
    random = Random(seed)
    few = {"gpr": random.randint(5, 13), "vec": random.randint(5, 13)}
    limits = random.choice(({}, few))
    # A pointer that is called can't be in a clobbered register: that takes more than the limits.
    names = [
        name
        for name in plain_names(target)
        if name not in ("call_reg", "blr") and _fits(target.rows[name], limits)
    ]
    if random.random() < 0.8:
        names = random.sample(names, 15)
    function = random_function(target, random, names, random.randint(1, blocks), length)
    trial(random, function, target, limits)


def _fits(row: Row, limits: Mapping[str, int]) -> bool:
    """Whether so many registers are enough for the vectors that a row reads and writes at once."""
    slots = [*row.reads, *(each for each in row.defs if each.early)]
    vectors = [each for each in slots if isinstance(each.kind, View) and each.kind.of.name == "vec"]
    return len(vectors) <= limits.get("vec", len(vectors))


def trial(random: Random, function: Function, target: Target, limits: Mapping[str, int]) -> None:
    """Asserts that a function reads and writes the same words before and after allocation."""
    placed = allocate(function, target, limits)
    arguments = [random.getrandbits(60) for _ in function.arrivals]
    expected = run_function(function, arguments, STEPS)
    found = Machine(function, placed, target, limits).run(arguments, STEPS)
    for at, (one, other) in enumerate(zip(expected, found, strict=True)):
        assert one == other, f"instruction {at} of the run"
