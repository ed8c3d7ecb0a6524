"""The checker of register allocation: whether a placed function does what the function does.

It runs behind every allocation and shares no code with the allocator. What it asks for is said
here; the files of `checking/` follow it, part by part.

**Locations.** The registers of every class, and the slots of the frame behind those that the
function has itself (the spill slots). What an address of the program reaches is no location.

**Names.** Every value of the function is a name, except that all values that are made by the same
row of role `constant` with the same extras are one name. As a number, a value is the bytes of its
view, with zeros above. D(v) is the number of bytes of the view of v.

**State.** A state maps a location to the names that it is known to hold, each with the number of
its low bytes that are known to be right; ALL if the zeros above are too. Two names at one location
are two values that are equal there.

**Meet.** At a join, a location holds the names that it holds on every way there, with the least of
the numbers of bytes. The state at a block is the greatest fixpoint: a worklist starts from nothing
known to be reached and only ever takes names away.

**Start.** At the entry, the register in which a parameter v arrives holds v with D(v) bytes.

**Steps.** Each changes the state as follows; what isn't named stays.
 S1. An original instruction: clobbered registers hold nothing, and behind a call a kept register
     has as many known bytes as `kept_view` says at most; then the register of each def v holds v
     and nothing else: with ALL bytes if it is written by the view of a slot, and that zeroes; with
     the bytes of that view if it doesn't; with D(v) bytes if it is a further result of a call.
 S2. `move` by a view of B bytes: the register written holds what the other holds. Of n known bytes
     of v, it knows n if n < B; else ALL if D(v) <= B and the view zeroes; else B.
 S3. `swap`: the same in both directions at once.
 S4. `store` of B bytes: the slot holds what the register holds, of n known bytes at most B.
 S5. `load` of B bytes: as S2, from the slot.
 S6. `again`: clobbered registers hold nothing; then the register holds the name of that constant
     and nothing else, with as many bytes as by S1.
A view zeroes if what is above it becomes zero: all do but those of scalars in vector registers, no
wider than a general register, for which targets differ.
No location holds v when an instruction defines v: at the first visit nothing has made v yet, and
later visits only take names away. So nothing has to be forgotten there.

**Edges.** On the way into a block with parameters p from arguments a, behind all moves of the way,
every location that holds a name a_i gets the name p_i with as many bytes, all at once; whatever
held p_i before holds it no longer. Other names stay where they are.

**Shape.** Required of the whole:
 W1. Name, export and bytes of outgoing arguments are the function's, and its slots come first.
 W2. The first block is the function's block 0, and no block is placed twice. (That every block is
     placed which can be reached follows with W4.)
 W3. A block has the instructions of its source, all of them, each once and in order, with their
     rows and extras; between them are steps that only move values, made of rows of `Target.moves`
     or of constants of the function; behind the last instruction there is nothing.
 W4. A way of the last instruction leads, in the order of its edges, to the block of that edge,
     through any number of inserted blocks of moves, each with one jump at its end.
 W5. An edge has an argument for each parameter, of its class and no wider than it.
 W6. A value is defined once, by a view no wider than its own.

**Instruction.** Required at each original instruction:
 I1. It has one register for each def and each use, of the class of its value and its slot.
 I2. The register of a use holds its value, with as many bytes known as the slot's view has, D(v)
     for a further argument of a call. Two uses that the row says commute may have been exchanged.
 I3. A tied def is in the register of its use.
 I4. What a row or a call fixes is in that register.
 I5. Anything else is in a register that may be allocated.
 I6. Defs are in registers that differ from one another.
 I7. An early def is in no register of a use, but that to which it is tied.
 I8. A def that isn't fixed is in no register that the instruction clobbers.
 I9. An address in the frame is within the slot of the function that it names, or within the
     outgoing arguments, where the registers that are added to it don't decide that.

**Moves.** Required at each inserted step:
 M1. Its registers may be allocated, or are fixed somewhere in the function; never the stack
     pointer.
 M2. A swap's defs are in the registers of its uses, and these differ.
 M3. A spill slot is one behind the function's own, is reached by its number alone, and is as wide
     as what is stored or loaded.
 M4. What is made again is a constant of the function.

Registers that a function has to leave as they were are looked at when there is a frame.

Invariant: a placed function that passes computes what the function computes, if rows mean what they
    say.
Entry: `check_allocation`.
"""

from __future__ import annotations

from collections.abc import Mapping

from alpha.backends.core.checking.constraints import Constraints
from alpha.backends.core.checking.errors import AllocationError, Place
from alpha.backends.core.checking.flow import check_flow
from alpha.backends.core.checking.moves import Moving
from alpha.backends.core.checking.operands import Operands
from alpha.backends.core.checking.shape import Shape, matched
from alpha.backends.core.checking.steps import Step
from alpha.backends.core.checking.values import Values
from alpha.backends.core.placed import PlacedFunction
from alpha.backends.core.program import Function
from alpha.backends.core.target import Target

__all__ = ["AllocationError", "check_allocation"]


def check_allocation(
    function: Function,
    placed: PlacedFunction,
    target: Target,
    limits: Mapping[str, int] | None = None,
) -> None:
    """Check that `placed` computes what `function` does, by the requirements above.

    `limits` says of a class how many registers may be allocated: the first ones of the order of
    the convention. Raises AllocationError.
    """
    values, operands = Values(function), Operands(function, target)
    shape = matched(function, placed, target)
    at, convention = operands.locations.register, target.convention
    pointer = {at(*convention.stack_pointer)}
    allowed = {
        at(of, number)
        for of, numbers in convention.free.items()
        for number in numbers[: (limits or {}).get(of, len(numbers))]
    }
    fixed = {at(*register) for register in function.arrivals}
    for block in function.blocks:
        for instruction in block.instructions:
            fixed |= operands.fixed(instruction)
    constraints = Constraints(function, values, operands, allowed - pointer, convention)
    movable, own = (allowed | fixed) - pointer, len(function.slots)
    moving = Moving(target.moves, values, operands, movable, placed.slots, own)
    steps = _steps(placed, shape, constraints, moving)
    check_flow(function, placed, shape, steps, values, operands.locations)


def _steps(
    placed: PlacedFunction, shape: Shape, constraints: Constraints, moving: Moving
) -> list[list[Step]]:
    """The steps of each block; the jump that ends an inserted block is none."""
    found: list[list[Step]] = []
    for number, (block, origins) in enumerate(zip(placed.blocks, shape.origins, strict=True)):
        steps: list[Step] = []
        for at, (got, want) in enumerate(zip(block.instructions, origins, strict=True)):
            place = Place(placed.name, number, at, got.instruction.row.name)
            if want is not None:
                steps.append(constraints.step(want, got, place))
            elif block.source is not None or at < len(block.instructions) - 1:
                steps.append(moving.step(got, place))
        found.append(steps)
    return found
