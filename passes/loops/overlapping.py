"""Writes a loop so that the end of each iteration is worked on beside the beginning of the next.

Before: a loop whose iteration computes early words, and late ones that add to what it carries.
After: the early words of the first iteration; a loop that has in each iteration the late words of
    the one before and the early ones of its own, in turns; and the late words of the last.

Invariant: every operation has the operands that it had, and what is carried goes through the
    iterations in their order. Nothing is loaded that the loop wouldn't have loaded.
Why: a processor finds work beside a sum that waits for its last addition only if it stands near.
Entry: `close_overlapped`, `second_index`, `nothing`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, memref, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue

from alpha.ir.code_values import INDEX
from alpha.ir.dialects.arith_vectors import CmpiOp, SelectOp
from alpha.ir.shapes import is_float
from alpha.passes.loops.lanes import named
from alpha.passes.loops.writer import ORIGIN, LoopWriter, Writer


@dataclass(frozen=True)
class _Stages:
    """The operations of an iteration: early ones, late ones, and what goes from one to the other.

    A truth that late operations read is computed in both stages rather than handed over.
    """

    early: tuple[Operation, ...]
    late: tuple[Operation, ...]
    crossing: tuple[SSAValue, ...]

    @classmethod
    def of(cls, loop: LoopWriter, ops: Sequence[Operation]) -> _Stages:
        """Late is what reads what is carried, or a vector of a word that the loop computes."""
        inside = {loop.index, *(op.results[0] for op in ops)}
        reads_late: set[SSAValue] = set(loop.carried)
        late: set[Operation] = set()
        for op in ops:
            spread = isinstance(op, vector.BroadcastOp) and op.source in inside
            if spread or any(operand in reads_late for operand in op.operands):
                late.add(op)
                reads_late.update(op.results)
        wanted = {operand for op in late for operand in op.operands}
        both = set(late)
        for op in reversed(ops):
            if op not in late and op.results[0] in wanted and _is_truth(op.results[0].type):
                both.add(op)
                wanted.update(op.operands)
        given = {operand for op in both for operand in op.operands if operand in inside}
        own = {op.results[0] for op in both}
        values = (loop.index, *(op.results[0] for op in ops))
        return cls(
            tuple(op for op in ops if op not in late),
            tuple(op for op in ops if op in both),
            tuple(value for value in values if value in given and value not in own),
        )


def close_overlapped(
    writer: Writer, loop: LoopWriter, handed: Sequence[SSAValue], memories: Iterable[SSAValue]
) -> tuple[SSAValue, ...]:
    """End the innermost loop, which begins at 0, has no loops inside and stores nothing.

    Loads of `memories` stay in the loop. Gives what the values that it carries became.
    """
    origin = writer.origin
    ops = writer.set_aside(loop)
    assert all(len(op.results) == 1 and not op.regions for op in ops), "only values are computed"
    stages = _Stages.of(loop, ops)
    _, last, step = loop.bounds
    zero = writer.index_constant(0)
    second = second_index(writer, last, step)
    memories = tuple(memories)

    def opened(first: SSAValue, end: SSAValue, initial: Sequence[SSAValue]) -> LoopWriter:
        made = writer.open(first, end, step, initial)
        for memory in memories:
            writer.settle(memory)
        return made

    def closed(made: LoopWriter, values: Sequence[SSAValue]) -> tuple[SSAValue, ...]:
        writer.origin = origin
        results = writer.close(made, values)
        for memory in memories:
            writer.settle(memory)
        return results

    start = opened(zero, second, [nothing(writer, value.type) for value in stages.crossing])
    early: dict[SSAValue, SSAValue] = {loop.index: start.index}
    _write(writer, stages.early, early)
    crossed = closed(start, _mapped(stages.crossing, early))

    count = len(loop.carried)
    main = opened(second, last, (*loop.initial, *crossed))
    early = {loop.index: main.index}
    read_late: tuple[SSAValue, ...] = (*loop.carried, *stages.crossing)
    late: dict[SSAValue, SSAValue] = dict(zip(read_late, main.carried, strict=True))
    _write_in_turns(writer, stages, early, late)
    after = closed(main, (*_mapped(handed, late), *_mapped(stages.crossing, early)))

    rest = opened(zero, second, after[:count])
    late = dict(zip(read_late, (*rest.carried, *after[count:]), strict=True))
    _write(writer, stages.late, late)
    totals = closed(rest, _mapped(handed, late))
    loop.block.erase(safe_erase=False)
    return totals


def second_index(writer: Writer, last: SSAValue, step: SSAValue) -> SSAValue:
    """Where the second iteration of a loop from 0 begins; 0 if it has no first."""
    zero = writer.index_constant(0)
    properties = {"predicate": IntegerAttr(CmpiOp.PREDICATES.index("slt"), 64)}
    some = writer.pure(CmpiOp, (zero, last), i1, properties)
    return writer.pure(SelectOp, (some, step, zero), INDEX)


def _write_in_turns(
    writer: Writer,
    stages: _Stages,
    early: dict[SSAValue, SSAValue],
    late: dict[SSAValue, SSAValue],
) -> None:
    """Late operations stand as late as they may: before what they read is computed again."""
    last_use = {operand: number for number, op in enumerate(stages.late) for operand in op.operands}
    written = 0
    for op in stages.early:
        if op.results[0] in stages.crossing:
            until = last_use[op.results[0]] + 1
            _write(writer, stages.late[written:until], late)
            written = max(written, until)
        _write(writer, (op,), early)
    _write(writer, stages.late[written:], late)


def _write(writer: Writer, ops: Iterable[Operation], values: dict[SSAValue, SSAValue]) -> None:
    """Write operations on other operands; what isn't in `values` stands for itself."""
    for op in ops:
        assert not isinstance(op, memref.StoreOp | vector.StoreOp | vector.MaskedStoreOp)
        origin = op.attributes.get(ORIGIN)
        writer.origin = origin.data if isinstance(origin, StringAttr) else ""
        result = op.results[0]
        made = writer.pure(op.__class__, _mapped(op.operands, values), result.type, op.properties)
        values[result] = named(made, result)


def _mapped(
    wanted: Iterable[SSAValue], values: Mapping[SSAValue, SSAValue]
) -> tuple[SSAValue, ...]:
    return tuple(values.get(value, value) for value in wanted)


def _is_truth(type: Attribute) -> bool:
    word = type.element_type if isinstance(type, VectorType) else type
    return isinstance(word, IntegerType) and word.width.data == 1


def nothing(writer: Writer, type: Attribute) -> SSAValue:
    """A value of a type, for what is read only if it was computed."""
    word = type.element_type if isinstance(type, VectorType) else type
    if isinstance(type, VectorType):
        numbers = [0.0 if is_float(word) else 0]
        value: Attribute = DenseIntOrFPElementsAttr.from_list(type, numbers)  # pyright: ignore
    elif is_float(word):
        value = FloatAttr(0.0, word)  # pyright: ignore[reportArgumentType, reportCallIssue]
    else:
        assert isinstance(word, IndexType | IntegerType)
        value = IntegerAttr(0, word)
    return writer.pure(arith.ConstantOp, (), type, {"value": value})
