"""Which values may be made where a state lies, and which words of a state have to be kept.

Invariant: a value is made at a state's home only if nobody reads the words that are there any more;
    a copy is kept of words that somebody reads after the state has been advanced.
Why: most rules give each new word at the place of the old one, so a round moves no words that it
    needn't.
Entry: `Homes`.

A program is looked at as the list of its operations in the order of the text. An operation in a
repeat is done again after those behind it, but then all values that are made in the repeat are new.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from xdsl.ir import Block, Operation, OpResult, SSAValue, Use

from alpha.ir.attributes.shard import located
from alpha.ir.dialects.pointwise_programs import UpdateOp as ProgramUpdateOp
from alpha.ir.dialects.protocol_bodies import YieldOp, arm_values
from alpha.ir.dialects.protocol_choices import ChoiceOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_role import PerformOp, RoleOp
from alpha.ir.dialects.protocol_work import LocalOp, PublishOp, WordsOp
from alpha.ir.dialects.shard_exchange import AdvanceOp, PartitionOp
from alpha.ir.dialects.shard_work import ReadOp, UpdateOp
from alpha.ir.sharding.distribution import Distribution
from alpha.passes.loops.domains import Domains

ALIKE_KINDS = ("transfer", "replicate", "decide", "reduce")
"""What may hand on words where they lie, if it is given any."""

MAKING_KINDS = ("transfer", "replicate", "gather", "scatter", "exchange")
"""What makes its words where it is told to."""


class Homes:
    """What a role's program allows."""

    def __init__(self, program: RoleOp, distribution: Distribution | None) -> None:
        self._program = program
        self._distribution = distribution
        self._at = {op: number for number, op in enumerate(program.walk())}

    @cached_property
    def made_at_home(self) -> dict[SSAValue, str]:
        """The values that are made at the home of a state, which they become."""
        found: dict[SSAValue, str] = {}
        ends: dict[str, list[AdvanceOp]] = {}
        for op in self._ops(AdvanceOp):
            for name in op.names():
                ends.setdefault(name, []).append(op)
        for name, advances in ends.items():
            for advance in advances:
                value = _origin(advance.values[advance.names().index(name)])
                if self._may_be_made(value, name, advance):
                    found[value] = name
        return found

    def read_is_kept(self, value: SSAValue) -> bool:
        """Whether words of a state that are read are read again after it was advanced."""
        read = value.owner
        assert isinstance(read, ReadOp)
        name = read.names()[read.values.index(value)]
        advances = [op for op in self._ops(AdvanceOp) if name in op.names()]
        return any(
            self._comes_after(read, advance, use.operation)
            for advance in advances
            for use in self._reads(value)
            if use.operation is not advance
        )

    def dies_at(self, value: SSAValue, op: Operation) -> bool:
        """Whether an operation is the last that reads a value's words."""
        root = _origin(value, through_sums=True)
        owner = root.owner
        if isinstance(owner, ReadOp) or not self._same_turn(owner, op):
            return False
        here = self._at[op]
        uses = list(self._reads(root))
        last = all(self._at[use.operation] <= here for use in uses)
        return last and sum(use.operation is op for use in uses) == 1

    # What is asked of a state

    def _may_be_made(self, value: SSAValue, name: str, advance: AdvanceOp) -> bool:
        maker = value.owner
        if not isinstance(value, OpResult) or not isinstance(maker, Operation):
            return False
        if not self._same_turn(maker, advance) or self._is_given_out(maker, advance):
            return False
        allowed: int | None = None
        if isinstance(maker, UpdateOp):
            allowed = self._in_place(maker, value, name)
        elif not (isinstance(maker, PerformOp) and maker.kind.data in MAKING_KINDS):
            return False
        return all(
            self._is_over(read, maker, advance, allowed)
            for read in self._state_reads(name)
            if self._at[read.owner] < self._at[advance]  # pyright: ignore[reportArgumentType]
        )

    def _state_reads(self, name: str) -> Iterator[SSAValue]:
        """The values that are read of a state."""
        for op in self._ops(ReadOp):
            if self._distribution is None or name in self._distribution.learner.samples:
                continue
            values = iter(op.values)
            for each in op.names():
                samples = self._distribution.learner.samples.get(each)
                held = [next(values) for _ in (samples.sources.data if samples else (0,))]
                if each == name:
                    yield from held

    def _is_over(
        self, value: SSAValue, maker: Operation, advance: AdvanceOp, allowed: int | None
    ) -> bool:
        """Whether nobody reads the words of the state once the new ones are being made."""
        if self.read_is_kept(value):
            return self._at[value.owner] < self._at[maker]  # pyright: ignore[reportArgumentType]
        for use in self._reads(value):
            op = use.operation
            if op is advance:
                continue
            if op is maker and use.index == allowed:
                continue
            if self._at[op] >= self._at[maker]:
                return False
            around = set(_repeats(op)) & set(_repeats(maker))
            if not around <= set(_repeats(value.owner)):  # pyright: ignore[reportArgumentType]
                return False
        return True

    def _is_given_out(self, maker: Operation, advance: Operation) -> bool:
        """Whether the words of all states leave the role between two operations."""
        first, last = self._at[maker], self._at[advance]
        return any(
            first < at < last
            and (
                isinstance(op, PublishOp)
                or (isinstance(op, PerformOp) and op.kind.data == "checkpoint")
            )
            for op, at in self._at.items()
        )

    def _in_place(self, op: UpdateOp, value: SSAValue, name: str) -> int | None:
        """The operand of the same coordinates and words, which a result may replace."""
        assert self._distribution is not None
        program: ProgramUpdateOp = self._distribution.updates[op.callee.string_value()]
        domains = Domains(program)
        last = program.body.block.last_op
        assert last is not None
        number = domains.of.get(last.operands[op.outputs.index(value)])
        if number is None or number not in domains.separable:
            return None
        of = located(value)
        fitting = [
            at
            for at, (argument, inner) in enumerate(
                zip(op.arguments, program.body.block.args, strict=True)
            )
            if domains.of.get(inner) == number
            and type(located(argument)) is type(of)
            and located(argument).value == of.value
            and self._is_read_of(argument, name)
        ]
        return fitting[0] if len(fitting) == 1 else None

    def _is_read_of(self, value: SSAValue, name: str) -> bool:
        return _origin(value) in set(self._state_reads(name))

    # The order of things

    def _ops(self, kind: type) -> list:
        return [op for op in self._at if isinstance(op, kind)]

    def _comes_after(self, read: Operation, advance: Operation, use: Operation) -> bool:
        if self._at[read] < self._at[advance] < self._at[use]:
            return True
        around = set(_repeats(advance)) & set(_repeats(use))
        return bool(around - set(_repeats(read)))

    def _same_turn(self, one: Operation | Block, other: Operation) -> bool:
        """Whether two operations are done equally often, in the same repeats and arms."""
        if isinstance(one, Block):
            return False
        return _surroundings(one) == _surroundings(other)

    def _reads(self, value: SSAValue) -> Iterator[Use]:
        """Where the words of a value are read, under whatever name; none is listed twice."""
        pending, seen = [value], {value}
        while pending:
            for use in pending.pop().uses:
                onward = list(_names(use))
                if not onward or isinstance(use.operation, PartitionOp | PerformOp):
                    yield use
                for name in onward:
                    if name not in seen:
                        seen.add(name)
                        pending.append(name)


def _names(use: Use) -> Sequence[SSAValue]:
    """The values that have the words of what is used where they lie."""
    op = use.operation
    match op:
        case LocalOp():
            return [op.body.block.args[use.index]]
        case YieldOp():
            around = op.parent_op()
            return [around.results[use.index]] if isinstance(around, LocalOp | ScopeOp) else []
        case PartitionOp() | WordsOp():
            return list(op.results)
        case PerformOp() if op.kind.data in ALIKE_KINDS and use.index == 0:
            return list(op.outcomes[:1])
        case _:
            return []


def _origin(value: SSAValue, through_sums: bool = False) -> SSAValue:
    """The value that was made, of which this is another name."""
    while True:
        owner = value.owner
        if isinstance(owner, Block):
            around = owner.parent_op()
            if not isinstance(around, LocalOp):
                return value
            value = around.arguments[value.index]  # pyright: ignore[reportAttributeAccessIssue]
            continue
        number = list[SSAValue](owner.results).index(value)
        match owner:
            case LocalOp():
                value = owner.yielded[number]
            case ScopeOp():
                value = arm_values(owner.body)[number]
            case WordsOp():
                value = owner.copy
            case PerformOp() if (
                number == 0
                and owner.arguments
                and (
                    owner.kind.data in ("transfer", "replicate", "decide")
                    or (through_sums and owner.kind.data == "reduce")
                )
            ):
                value = owner.arguments[0]
            case _:
                return value


def _around(op: Operation) -> Iterator[Operation]:
    above = op.parent_op()
    while above is not None and not isinstance(above, RoleOp):
        yield above
        above = above.parent_op()


def _repeats(op: Operation) -> list[Operation]:
    return [above for above in _around(op) if isinstance(above, RepeatOp)]


def _surroundings(op: Operation) -> list[object]:
    """The repeats and arms that an operation stands in, the innermost first."""
    found: list[object] = []
    inner: Operation = op
    for above in _around(op):
        if isinstance(above, RepeatOp):
            found.append(above)
        elif isinstance(above, ChoiceOp):
            found.append(inner.parent_region() if inner.parent is not None else above)
        inner = above
    return found
