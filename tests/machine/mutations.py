"""Wrong allocations: a right one with one change.

Entry: `mutants`, `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

from alpha.backends.core.placed import Placed, PlacedBlock, PlacedFunction
from alpha.backends.core.program import Address, Instruction
from alpha.backends.core.rows import Row
from alpha.backends.core.target import Target

Site = tuple[int, int]
"""A block and the place of an instruction in it."""

Mutation = Callable[[PlacedFunction, Target, Random], PlacedFunction | None]


def mutants(
    placed: PlacedFunction, target: Target, random: Random, count: int
) -> Iterator[tuple[str, PlacedFunction]]:
    """So many wrong allocations of each kind, fewer where there is nothing to change."""
    for kind, mutation in KINDS.items():
        for _ in range(count):
            made = mutation(placed, target, random)
            if made is not None:
                yield kind, made


def _copied(placed: PlacedFunction) -> PlacedFunction:
    blocks = [
        PlacedBlock(block.source, list(block.instructions), list(block.targets))
        for block in placed.blocks
    ]
    return PlacedFunction(
        placed.name, blocks, list(placed.slots), placed.bytes_out, placed.exported
    )


def _sites(placed: PlacedFunction, *kinds: str) -> list[Site]:
    return [
        (number, at)
        for number, block in enumerate(placed.blocks)
        for at, step in enumerate(block.instructions)
        if step.kind in kinds
    ]


INSERTED = ("move", "swap", "store", "load", "again")


def _drop(placed: PlacedFunction, target: Target, random: Random) -> PlacedFunction | None:
    """Leave one inserted step out."""
    sites = _sites(placed, *INSERTED)
    if not sites:
        return None
    made = _copied(placed)
    block, at = random.choice(sites)
    del made.blocks[block].instructions[at]
    return made


def _exchange_steps(
    placed: PlacedFunction, target: Target, random: Random
) -> PlacedFunction | None:
    """Exchange two inserted steps of a block, more often neighbours."""
    sites = _sites(placed, *INSERTED)
    near = [(a, b) for a, b in pairwise(sites) if a[0] == b[0]]
    if not near:
        return None
    (block, one), (_, other) = random.choice(near)
    if random.random() < 0.3:
        one, other = random.sample([at for number, at in sites if number == block], 2)
    made = _copied(placed)
    steps = made.blocks[block].instructions
    steps[one], steps[other] = steps[other], steps[one]
    return made


def _other_register(
    placed: PlacedFunction, target: Target, random: Random
) -> PlacedFunction | None:
    """Another register for one operand."""
    sites = [
        (block, at)
        for block, at in _sites(placed, "original", *INSERTED)
        if placed.blocks[block].instructions[at].registers
    ]
    if not sites:
        return None
    made = _copied(placed)
    block, at = random.choice(sites)
    step = made.blocks[block].instructions[at]
    position = random.randrange(len(step.registers))
    highest = max(*step.registers, 3)
    registers = list(step.registers)
    registers[position] = random.randint(0, highest)
    if registers[position] == step.registers[position]:
        return None
    made.blocks[block].instructions[at] = Placed(step.instruction, tuple(registers), step.kind)
    return made


def _turn_round(placed: PlacedFunction, target: Target, random: Random) -> PlacedFunction | None:
    """Exchange source and target of one step: a load becomes a store."""
    sites = _sites(placed, "move", "load", "store")
    if not sites:
        return None
    made = _copied(placed)
    block, at = random.choice(sites)
    step = made.blocks[block].instructions[at]
    if step.kind == "move":
        turned = Placed(step.instruction, step.registers[::-1], "move")
    else:
        kind = "store" if step.kind == "load" else "load"
        row = _twin(step.instruction.row, target)
        instruction = step.instruction
        defs, uses = list(instruction.uses), list(instruction.defs)
        turned = Placed(Instruction(row, defs, uses, instruction.extras), step.registers, kind)
    made.blocks[block].instructions[at] = turned
    return made


def _twin(row: Row, target: Target) -> Row:
    """The load of a store's view, and the other way round."""
    moves = target.moves
    for view in moves.load:
        if moves.load[view] is row:
            return moves.store[view]
        if moves.store[view] is row:
            return moves.load[view]
    raise ValueError(row.name)


def _other_slot(placed: PlacedFunction, target: Target, random: Random) -> PlacedFunction | None:
    """Another slot of the frame for one spill."""
    sites = _sites(placed, "load", "store")
    if not sites or len(placed.slots) < 2:
        return None
    made = _copied(placed)
    block, at = random.choice(sites)
    step = made.blocks[block].instructions[at]
    address = step.instruction.extras[0]
    assert isinstance(address, Address)
    number = random.randrange(len(placed.slots))
    if number == address.number:
        return None
    extras = (address._replace(number=number),)
    made.blocks[block].instructions[at] = Placed(
        replace(step.instruction, extras=extras), step.registers, step.kind
    )
    return made


def _narrower(placed: PlacedFunction, target: Target, random: Random) -> PlacedFunction | None:
    """A narrower view for one step."""
    sites = _sites(placed, "move", "load", "store")
    random.shuffle(sites)
    for block, at in sites:
        step = placed.blocks[block].instructions[at]
        table = getattr(target.moves, step.kind)
        own = next(view for view, row in table.items() if row is step.instruction.row)
        views = [
            name
            for name in table
            if target.views[name].of == target.views[own].of
            and target.views[name].bytes < target.views[own].bytes
        ]
        if views:
            made = _copied(placed)
            row = table[random.choice(views)]
            made.blocks[block].instructions[at] = Placed(
                replace(step.instruction, row=row), step.registers, step.kind
            )
            return made
    return None


def _other_way(placed: PlacedFunction, target: Target, random: Random) -> PlacedFunction | None:
    """Exchange the ways of one branch."""
    sites = [n for n, block in enumerate(placed.blocks) if len(set(block.targets)) > 1]
    if not sites:
        return None
    made = _copied(placed)
    made.blocks[random.choice(sites)].targets.reverse()
    return made


KINDS: dict[str, Mutation] = {
    "dropped": _drop,
    "exchanged": _exchange_steps,
    "other register": _other_register,
    "turned round": _turn_round,
    "other slot": _other_slot,
    "narrower": _narrower,
    "other way": _other_way,
}
