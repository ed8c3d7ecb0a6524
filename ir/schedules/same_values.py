"""Whether programs make a value in the same way, where all of them are to have the same.

The programs of a protocol's roles come from one text. What all roles advance to, choose by, or give
to an operation that they perform together, is one value of that text; so it is made by the same
operations in all of them, back to what is read and to what is performed at the same sites.

Invariant: after `check_same_values` the roles take the same arms, since what they choose by is made
    alike of copies and of words that were told; and copies of a state that are equal stay so.
Why: no frame shows what a role computes by itself. A role that chooses by another word waits for
    frames that nobody sends, and one that advances to other words ends in another state.
Refuses: protocol-step-differs.
Entry: `check_same_values`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from xdsl.ir import BlockArgument, Operation, OpResult, Region, SSAValue

from alpha.ir.dialects.protocol_bodies import arm_values
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.dialects.protocol_role import PerformOp, RoleOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.dialects.shard_work import ReadOp
from alpha.ir.refusals import Note, Refusal, name_of, place_of
from alpha.ir.schedules.stands import Arms, Stands, arms_around

GIVEN_ALIKE = ("reduce", "gather", "exchange", "agree")
"""Kinds in which everybody gives the value that it has of one."""

Pair: TypeAlias = "tuple[SSAValue, SSAValue]"

Use: TypeAlias = "tuple[Operation, str, Sequence[SSAValue]]"
"""An operation, what its values are for, and the values."""

Twins: TypeAlias = "tuple[int, Use, int, Use]"
"""A use of a role, and that of another role which is to be made alike."""


@dataclass(frozen=True)
class _Facts:
    """What is known of the programs while their values are compared."""

    stands: Stands
    decided: Mapping[int, SSAValue]
    """By site, the word that its authority decides by; others are told it or have it themselves."""

    alike: set[Pair]
    """Pairs that are made alike, or about to be looked at."""


def check_same_values(programs: Mapping[int, RoleOp], stands: Stands) -> None:
    """Refuse the first value of a program that isn't made as in another one.

    Programs advance alike, and at a site all of them perform the same.

    Raises:
        Refusal: `protocol-step-differs`, where the value is used.
    """
    decided = {
        op.site.data: op.arguments[0]
        for program in programs.values()
        for op in program.walk()
        if isinstance(op, PerformOp) and op.kind.data == "decide" and op.arguments
    }
    facts = _Facts(stands, decided, set())
    for other, one, role, use in chain(_at_sites(programs), _advances(programs, stands)):
        if len(one[2]) != len(use[2]):
            continue
        for pair in zip(one[2], use[2], strict=True):
            parted = _parted(pair, facts)
            if parted is not None:
                raise _differs(other, role, use, parted)


def _at_sites(programs: Mapping[int, RoleOp]) -> Iterator[Twins]:
    """What programs use at one site, each beside the first one there."""
    first: dict[object, tuple[int, Use]] = {}
    for role, program in programs.items():
        for key, use in _uses(program):
            other, one = first.setdefault(key, (role, use))
            if one is not use:
                yield other, one, role, use


def _uses(program: RoleOp) -> Iterator[tuple[object, Use]]:
    """What a program uses as others do, and by what it is found in each of them."""
    for op in program.walk():
        match op:
            case PerformOp() if op.kind.data in GIVEN_ALIKE and op.arguments:
                what = f"what it gives to site {op.site.data}"
                yield (op.site.data, "given"), (op, what, op.arguments)
            case ChoiceOp() if op.site is not None:
                what = f"what it chooses by at site {op.site.data}"
                yield (op.site.data, "arms"), (op, what, (op.selector,))
            case UntilOp():
                repeat = op.parent_op()
                assert isinstance(repeat, RepeatOp)
                if repeat.site is not None:
                    what = f"what ends the repeat of site {repeat.site.data}"
                    yield (repeat.site.data, "until"), (op, what, (op.selector,))
            case _:
                pass


def _advances(programs: Mapping[int, RoleOp], stands: Stands) -> Iterator[Twins]:
    """What states advance to, each beside what it does in the first program where it may be now.

    A role that isn't told of a choice advances outside of it; whichever arm others take, what it
    advances to is made as there.

    Raises:
        Refusal: `protocol-step-differs` where other states advance.
    """
    first = next(iter(programs), None)
    if first is None:
        return
    known = [(op, arms_around(op)) for op in stands.advances[first]]
    for role in programs:
        for op in stands.advances[role] if role != first else ():
            arms = arms_around(op)
            for one, others in known:
                if stands[one] != stands[op] or not _may_be_together(arms, others):
                    continue
                left, right = _advanced(one), _advanced(op)
                if left.keys() != right.keys():
                    raise _other_states(first, role, one, op)
                for name, value in right.items():
                    what = f"what @{name} advances to"
                    yield first, (one, what, (left[name],)), role, (op, what, (value,))


def _advanced(op: AdvanceOp) -> dict[str, SSAValue]:
    return dict(zip(op.names(), op.values, strict=True))


def _may_be_together(one: Arms, other: Arms) -> bool:
    """Whether no choice has these in two arms."""
    return all(other.get(choice, arm) == arm for choice, arm in one.items())


def _other_states(first: int, role: int, one: AdvanceOp, op: AdvanceOp) -> Refusal:
    names, others = (", ".join(f"@{name}" for name in sorted(each.names())) for each in (one, op))
    note = Note(f"role {first} advances here", place_of(one))
    wanted = f"role {role} to advance {names}, as role {first}"
    return Refusal("protocol-step-differs", wanted, others, op, (note,))


def _parted(pair: Pair, facts: _Facts) -> Pair | None:
    """Where two values are made differently, or None.

    What a repeat carries is taken for alike, and then looked at: if it never parts, it is.
    """
    pending = [pair]
    while pending:
        one, other = (_maker(value, facts.decided) for value in pending.pop())
        if one is other or (one, other) in facts.alike:
            continue
        facts.alike.add((one, other))
        further = _made_of(one, other, facts.stands)
        if further is None:
            return one, other
        pending += further
    return None


def _maker(value: SSAValue, decided: Mapping[int, SSAValue]) -> SSAValue:
    """The value that local work is given, or gives, as it is; of a word that is told, the word."""
    told: set[int] = set()
    while True:
        owner = value.owner
        if isinstance(value, BlockArgument):
            work = value.block.parent_op()
            if not isinstance(work, LocalOp):
                return value
            value = work.arguments[value.index]
        elif isinstance(value, OpResult) and isinstance(owner, LocalOp):
            value = owner.yielded[value.index]
        elif isinstance(owner, PerformOp) and owner.kind.data == "decide":
            if owner.site.data not in decided or owner.site.data in told:
                return value
            told.add(owner.site.data)
            value = decided[owner.site.data]
        else:
            return value


def _made_of(one: SSAValue, other: SSAValue, stands: Stands) -> list[Pair] | None:
    """What two values are made of, if it is done in the same way."""
    if _is_chosen(one) != _is_chosen(other):
        # A role that needn't know which arm is taken has what all of them give.
        return [*_in_arms(one, other), *((one, arm) for arm, _ in _in_arms(other, one))]
    if isinstance(one, BlockArgument) and isinstance(other, BlockArgument):
        repeats = one.block.parent_op(), other.block.parent_op()
        return _carried(repeats, one.index, other.index)
    if not isinstance(one, OpResult) or not isinstance(other, OpResult):
        return None
    left, right = one.op, other.op
    match left, right:
        case PerformOp(), PerformOp() if left.kind == right.kind:
            same = left.site == right.site and len(left.outcomes) == len(right.outcomes)
            return [] if same and one.index == other.index else None
        case RepeatOp(), RepeatOp():
            return _carried((left, right), one.index, other.index)
        case PerformOp(), _ if left.kind.data == "decide":
            return []  # Who decides isn't among the programs.
        case _, PerformOp() if right.kind.data == "decide":
            return []
        case ChoiceOp(), ChoiceOp() if left.site == right.site:
            return _chosen((left, right), one.index, other.index)
        case ChoiceOp(), ChoiceOp():
            return _in_arms(one, other)
        case ReadOp(), ReadOp():
            return [] if _same_read((left, right), one.index, other.index, stands) else None
        case _:
            return _worked(left, right) if one.index == other.index else None


def _is_chosen(value: SSAValue) -> bool:
    return isinstance(value.owner, ChoiceOp)


def _in_arms(chosen: SSAValue, other: SSAValue) -> list[Pair]:
    """What each arm gives for a result of a choice, beside another value."""
    choice = chosen.owner
    if not isinstance(choice, ChoiceOp) or not isinstance(chosen, OpResult):
        return []
    return [(arm_values(arm)[chosen.index], other) for arm in choice.arms]


def _carried(
    repeats: tuple[Operation | None, Operation | None], one: int, other: int
) -> list[Pair] | None:
    """What a repeat begins with, goes on with and ends by."""
    left, right = repeats
    if not isinstance(left, RepeatOp) or not isinstance(right, RepeatOp):
        return None
    if (left.site, left.bound) != (right.site, right.bound):
        return None
    assert left.end is not None and right.end is not None, "a repeat that carries has an end"
    if left.end.name != right.end.name:
        return None
    pairs = [
        (left.initial[one], right.initial[other]),
        (left.end.values[one], right.end.values[other]),
    ]
    if isinstance(left.end, UntilOp) and isinstance(right.end, UntilOp):
        pairs.append((left.end.selector, right.end.selector))
    return pairs


def _chosen(choices: tuple[ChoiceOp, ChoiceOp], one: int, other: int) -> list[Pair] | None:
    """What decides between the arms, and what each gives."""
    left, right = choices
    if len(left.arms) != len(right.arms):
        return None
    arms = zip(left.arms, right.arms, strict=True)
    given = [(arm_values(a)[one], arm_values(b)[other]) for a, b in arms]
    return [(left.selector, right.selector), *given]


def _same_read(reads: tuple[ReadOp, ReadOp], one: int, other: int, stands: Stands) -> bool:
    """Whether the same is read, at the same version.

    What is read beside it doesn't matter, unless samples are, of which one name has several values.
    """
    left, right = reads
    works = left.parent_op(), right.parent_op()
    if works[0] is None or works[1] is None or stands[works[0]] != stands[works[1]]:
        return False
    if left.result_types[one] != right.result_types[other]:
        return False
    if any(len(read.symbols.data) != len(read.results) for read in reads):
        return one == other and left.symbols == right.symbols
    return left.symbols.data[one] == right.symbols.data[other]


def _worked(left: Operation, right: Operation) -> list[Pair] | None:
    """What two operations of local work are given, if they are the same."""
    inside: dict[SSAValue, SSAValue] = {}
    given: list[Pair] = []
    return given if _same_text(left, right, inside, given) else None


def _same_text(
    left: Operation, right: Operation, inside: dict[SSAValue, SSAValue], given: list[Pair]
) -> bool:
    """Whether two operations are the same on what they are given, to which operands are added.

    `inside` are the values of regions around, with their twins.
    """
    if (left.name, left.properties, left.attributes) != (
        right.name,
        right.properties,
        right.attributes,
    ):
        return False
    if list(left.result_types) != list(right.result_types):
        return False
    if len(left.operands) != len(right.operands) or len(left.regions) != len(right.regions):
        return False
    for one, other in zip(left.operands, right.operands, strict=True):
        if one not in inside:
            given.append((one, other))
        elif inside[one] is not other:
            return False
    regions = zip(left.regions, right.regions, strict=True)
    if not all(_same_blocks(one, other, inside, given) for one, other in regions):
        return False
    inside.update(zip(left.results, right.results, strict=True))
    return True


def _same_blocks(
    left: Region, right: Region, inside: dict[SSAValue, SSAValue], given: list[Pair]
) -> bool:
    blocks = list(left.blocks), list(right.blocks)
    if len(blocks[0]) != len(blocks[1]):
        return False
    for one, other in zip(*blocks, strict=True):
        types = [[argument.type for argument in block.args] for block in (one, other)]
        ops = list(one.ops), list(other.ops)
        if types[0] != types[1] or len(ops[0]) != len(ops[1]):
            return False
        inside.update(zip(one.args, other.args, strict=True))
        if not all(_same_text(*pair, inside, given) for pair in zip(*ops, strict=True)):
            return False
    return True


def _differs(first: int, role: int, use: Use, parted: Pair) -> Refusal:
    op, what, _ = use
    one, other = (_made_by(value) for value in parted)
    notes = tuple(
        Note(f"role {which} makes it here", place_of(maker))
        for which, maker in ((first, _operation(parted[0])), (role, _operation(parted[1])))
        if maker is not None
    )
    wanted = f"role {role} to make {what} as role {first} does, by {one}"
    found = other if other != one else f"another, by {other}"
    return Refusal("protocol-step-differs", wanted, found, op, notes)


def _operation(value: SSAValue) -> Operation | None:
    return value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()


def _made_by(value: SSAValue) -> str:
    op = _operation(value)
    if isinstance(op, PerformOp):
        return f"{op.kind.data} at site {op.site.data}"
    if isinstance(op, ReadOp) and isinstance(value, OpResult):
        return f"{name_of(op)} {', '.join(f'@{name}' for name in op.names())}"
    return "nothing" if op is None else name_of(op)
