"""Random functions, allocated, checked and executed; and what becomes of wrong allocations of them.

Entry: `tried`, `tried_on`, `target_of`, `Allocator`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random

from machine.generating import Wanted, random_function
from machine.mutations import mutants
from machine.naive import allocate_naively
from machine.toy import toy
from machine.traces import Fault, Oracle

from alpha.backends.aarch64.target import target as a64
from alpha.backends.core.allocation.allocate import allocate
from alpha.backends.core.checker import AllocationError, check_allocation
from alpha.backends.core.placed import PlacedFunction
from alpha.backends.core.program import Function
from alpha.backends.core.target import Target
from alpha.backends.x86.target import target as x64

Allocator = Callable[[Function, Target, Mapping[str, int]], PlacedFunction]

TARGETS = ("toy", "x64", "toy, naively", "a64", "x64, avx512")
"""Where functions are allocated; by the allocator that the compiler uses, but for the last."""

EXECUTIONS = 6
"""How often each function is executed, with other inputs and branches each time."""


class Wrong(AssertionError):
    """An allocation that is wrong, or that the checker refuses though it is right."""


def tried(
    seed: int, target: Target, registers: int, allocate: Allocator, mutations: int
) -> Counter[str]:
    """One function in so many registers of each class, and so many mutants of each kind.

    Counts `KIND: caught`, `KIND: missed` of those that matter, and `KIND: harmless` of others,
    `KIND: refused` if refused all the same. Raises Wrong where the allocation isn't right.
    """
    random = Random(seed)
    size = Wanted(random.choice((1, 4, 8, 12)), random.choice((4, 8, 16)))
    function = random_function(random, target, registers, size)
    limits = {each.name: registers for each in target.classes}
    placed = allocate(function, target, limits)
    oracle = Oracle(function, target)
    expected = [oracle.trace_of_values(each) for each in range(EXECUTIONS)]
    try:
        check_allocation(function, placed, target, limits)
    except AllocationError as error:
        raise Wrong(f"seed {seed}: {error}") from error
    for number, trace in enumerate(expected):
        if oracle.trace_of_registers(placed, number) != trace:
            raise Wrong(f"seed {seed}: execution {number} differs")
    found: Counter[str] = Counter()
    for block in placed.blocks:
        for step in block.instructions:
            found["instructions" if step.original else "inserted"] += 1
    for kind, mutant in mutants(placed, target, random, mutations):
        caught = _refused(function, mutant, target, limits)
        if _matters(oracle, mutant, expected):
            found[f"{kind}: {'caught' if caught else 'missed'}"] += 1
        else:
            found[f"{kind}: {'refused' if caught else 'harmless'}"] += 1
    return found


def tried_on(seed: int, mutations: int) -> Counter[str]:
    """The function of a seed, on one of `TARGETS` by turns, in 4 to 13 registers."""
    name = TARGETS[seed % len(TARGETS)]
    registers = 4 + seed // len(TARGETS) % 10
    chosen = allocate_naively if name == "toy, naively" else allocate
    found = tried(seed, target_of(name, registers), registers, chosen, mutations)
    return found + Counter({name: 1})


def target_of(name: str, registers: int) -> Target:
    """One of `TARGETS`; the toy has so many registers of each class."""
    match name:
        case "x64":
            return x64(frozenset())
        case "x64, avx512":
            return x64(frozenset({"avx512"}))
        case "a64":
            return a64(frozenset())
    return toy(registers)


def _refused(
    function: Function, placed: PlacedFunction, target: Target, limits: Mapping[str, int]
) -> bool:
    try:
        check_allocation(function, placed, target, limits)
    except AllocationError:
        return True
    return False


def _matters(oracle: Oracle, placed: PlacedFunction, expected: list) -> bool:
    """Whether any execution does something else."""
    try:
        return any(
            oracle.trace_of_registers(placed, number, trace) != trace
            for number, trace in enumerate(expected)
        )
    except Fault:
        return True
