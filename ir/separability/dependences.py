"""What the new words of a round are computed from: which words of which fields, and by what.

Invariant: if a new word can change when one word of a field does, one of its dependences has that
    word. The converse needn't hold: 0.0 * x depends on x, and an index that is too involved stands
    for all words along its axis.
Why: separability, and which words an owner needs, are questions about these dependences.
Refuses: target-unsupported (a program that is still to be converted).
Entry: `dependences_of`, `update_dependences`, `Dependence`, `Source`.

A dependence is a field and, for each of its axes, an index form over the coordinate that is being
computed and over bound axes, which take all their values: a fold binds the axes that it reduces.
So it costs what the programs have operations, not what the fields have coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineExpr

from alpha.ir.dialects.pointwise_domain import DomainOp
from alpha.ir.dialects.pointwise_programs import UpdateOp
from alpha.ir.dialects.pointwise_round import ApplyOp, MeanOp
from alpha.ir.dialects.region import ReadOp
from alpha.ir.index_forms import (
    Form,
    FormTooLarge,
    axis_form,
    box_of,
    constant_form,
    form_of,
    substitute,
)
from alpha.ir.learners import Learner
from alpha.ir.shapes import shape_of
from alpha.ir.unconverted import require_converted

PATHS_MAX = 8
"""Most dependences of one value on one field; beyond, the indices that differ become bound axes."""


@dataclass(frozen=True)
class Source:
    """What a word may be computed from: a field of coordinates, or words that all may read."""

    name: str
    kind: str
    shape: tuple[int, ...]

    @property
    def free(self) -> bool:
        """Whether every coordinate may read all of it."""
        return self.kind in ("shared state", "constant")

    def lies_with(self, shape: tuple[int, ...]) -> bool:
        """Whether each coordinate of a field of this shape has words of its own here."""
        if self.kind == "samples":
            return shape != () and self.shape[: len(shape)] == shape
        return self.shape == shape

    def word(self, index: Sequence[int]) -> str:
        """The word at an index, for messages."""
        sigil = "%" if self.kind == "mean" else "@"
        return f"{self.kind} {sigil}{self.name}{index_suffix(index)}"


@dataclass(frozen=True)
class Dependence:
    """One way in which a value's words depend on a source: on which words, and by which operation.

    `index` has a form for each axis of the source, over the value's own axes and then the bound
    ones, whose extents are `bound`. `op` took the index away from the coordinate, or came last.
    """

    source: Source
    index: tuple[Form, ...]
    bound: tuple[int, ...]
    op: Operation


Dependences = tuple[Dependence, ...]


def index_suffix(index: Sequence[int]) -> str:
    """An index in brackets, or nothing for a scalar's."""
    return f"[{', '.join(str(i) for i in index)}]" if index else ""


def dependences_of(learner: Learner) -> dict[str, Dependences]:
    """For each state that the round advances, all that its new words are computed from."""
    values = _round_dependences(learner)
    advance = learner.advance()
    return {
        symbol.string_value(): values[value]
        for symbol, value in zip(advance.symbols.data, advance.values, strict=True)
    }


def update_dependences(update: UpdateOp) -> list[Dependences]:
    """What each result of an update depends on; the sources are its arguments, named by number."""
    arguments = [
        _whole(Source(str(number), "argument", shape_of(argument.type)), update)
        for number, argument in enumerate(update.body.block.args)
    ]
    return _program(update, arguments)


def _round_dependences(learner: Learner) -> dict[SSAValue, Dependences]:
    """What every value of the round depends on."""
    values: dict[SSAValue, Dependences] = {}
    means = 0
    for op in learner.round.body.block.ops:
        match op:
            case ReadOp():
                for value, source in zip(op.values, _read_sources(learner, op), strict=True):
                    values[value] = _whole(source, op)
            case MeanOp():
                name = op.result.name_hint or f"mean{means}"
                means += 1
                values[op.result] = _whole(Source(name, "mean", shape_of(op.result.type)), op)
            case ApplyOp():
                update = learner.updates[op.callee.string_value()]
                arguments = [values[argument] for argument in op.arguments]
                for value, result in zip(op.outputs, _program(update, arguments), strict=True):
                    values[value] = result
    return values


def _read_sources(learner: Learner, op: ReadOp) -> Iterator[Source]:
    for symbol in op.symbols.data:
        name = symbol.string_value()
        if name in learner.states:
            state = learner.states[name]
            kind = "shared state" if state.shared is not None else "state"
            yield Source(name, kind, shape_of(state.type))
        elif name in learner.constants:
            yield Source(name, "constant", shape_of(learner.constants[name].type))
        else:
            types = learner.samples[name].whole_types()
            for number, type in enumerate(types):
                component = f"#{number}" if len(types) > 1 else ""
                yield Source(name + component, "samples", shape_of(type))


def _whole(source: Source, op: Operation) -> Dependences:
    """The dependence of a value that is the source itself."""
    if 0 in source.shape:
        return ()
    box = box_of(source.shape)
    index = tuple(axis_form(axis, box) for axis in range(len(box)))
    return (Dependence(source, index, (), op),)


def _program(update: UpdateOp, arguments: Sequence[Dependences]) -> list[Dependences]:
    """What each result of the update depends on, given what its arguments depend on."""
    require_converted(update)
    values: dict[SSAValue, Dependences] = {}
    values.update(zip(update.body.block.args, arguments, strict=True))
    last = update.body.block.last_op
    assert last is not None
    for op in update.body.block.ops:
        if op is last:
            continue
        if isinstance(op, DomainOp):
            values.update(_domain_results(op, values))
        else:
            read = [dependence for operand in op.operands for dependence in values[operand]]
            passed = [_blamed(dependence, (), dependence, (), op) for dependence in read]
            values.update((value, _joined(passed, ())) for value in op.results)
    return [values[value] for value in last.operands]


def _domain_results(
    op: DomainOp, values: dict[SSAValue, Dependences]
) -> Iterator[tuple[SSAValue, Dependences]]:
    """What the results of a map or fold depend on."""
    if 0 in op.extents():
        yield from ((value, ()) for value in op.results)
        return
    maps = op.maps()
    read = [
        [_composed(op, dependence, operand, map) for dependence in values[operand]]
        for operand, map in zip(op.inputs, maps, strict=True)
    ]
    shape = op.extents()[: op.axes_over()]
    for value, yielded in zip(op.results, op.yielded().values, strict=True):
        used = sorted(_used_arguments(op, yielded))
        yield value, _joined([each for number in used for each in read[number]], shape)


def _composed(
    op: DomainOp, dependence: Dependence, operand: SSAValue, map: Sequence[AffineExpr]
) -> Dependence:
    """A dependence of an operand, read through its index map, as one of the operation's results.

    The axes of the result come first, then those that are reduced, then those bound before.
    """
    over, extents = op.axes_over(), op.extents()
    box = box_of((*extents, *dependence.bound))
    outer = range(len(extents), len(box))
    index: list[Form | None] = []
    for form in dependence.index:
        try:
            axes = [form_of(part, box) for part in map]
            axes += [axis_form(axis, box) for axis in outer]
            index.append(substitute(form, axes, box))
        except FormTooLarge:
            index.append(None)
    bound = (*extents[over:], *dependence.bound)
    result = _closed(dependence.source, index, extents[:over], bound, op)
    return _blamed(dependence, shape_of(operand.type), result, extents[:over], op)


def _closed(
    source: Source,
    index: Sequence[Form | None],
    shape: tuple[int, ...],
    bound: tuple[int, ...],
    op: Operation,
) -> Dependence:
    """A dependence without the bound axes that no index uses; None reads all of the source's axis,
    by a bound axis of its own.
    """
    forms = list(index)
    extents = [*shape, *bound]
    for axis, form in enumerate(forms):
        if form is None:
            extents.append(source.shape[axis])
            forms[axis] = axis_form(len(extents) - 1, box_of(extents))
    closed = [form for form in forms if form is not None]
    used = sorted({axis for form in closed for axis in form.axes() if axis >= len(shape)})
    kept = [*range(len(shape)), *used]
    box = box_of(extents[axis] for axis in kept)
    place = {axis: axis_form(number, box) for number, axis in enumerate(kept)}
    values = [place.get(axis, constant_form(0)) for axis in range(len(extents))]
    final = tuple(substitute(form, values, box) for form in closed)
    return Dependence(source, final, tuple(extents[axis] for axis in used), op)


def _blamed(
    before: Dependence,
    before_shape: tuple[int, ...],
    after: Dependence,
    after_shape: tuple[int, ...],
    op: Operation,
) -> Dependence:
    """The dependence after `op`, which is to blame for it unless it was away and still is."""
    away = not _at_home(before, before_shape) and not _at_home(after, after_shape)
    return replace(after, op=before.op if away else op)


def _at_home(dependence: Dependence, shape: tuple[int, ...]) -> bool:
    """Whether each word of a value of `shape` evidently reads words of its own coordinate."""
    if not dependence.source.lies_with(shape):
        return False
    box = box_of((*shape, *dependence.bound))
    own = tuple(axis_form(axis, box) for axis in range(len(shape)))
    return dependence.index[: len(shape)] == own


def _joined(dependences: Iterable[Dependence], shape: tuple[int, ...]) -> Dependences:
    """Each way once; those on a source of which there are too many become one that covers them."""
    ways: dict[Source, dict[tuple, Dependence]] = {}
    for each in dependences:
        ways.setdefault(each.source, {}).setdefault((each.index, each.bound), each)
    result: list[Dependence] = []
    for group in ways.values():
        different = list(group.values())
        few = len(different) <= PATHS_MAX
        result += different if few else [_cover(different, shape)]
    return tuple(result)


def _cover(dependences: Sequence[Dependence], shape: tuple[int, ...]) -> Dependence:
    """One dependence of a value of `shape` on all words that these depend on, and perhaps more."""
    source = dependences[0].source
    index: list[Form | None] = []
    for forms in zip(*(each.index for each in dependences), strict=True):
        alike = len(set(forms)) == 1 and max(forms[0].axes(), default=-1) < len(shape)
        index.append(forms[0] if alike else None)
    blamed = next((each for each in dependences if not _at_home(each, shape)), dependences[0])
    return _closed(source, index, shape, (), blamed.op)


def _used_arguments(op: DomainOp, value: SSAValue) -> set[int]:
    """The positions of the operands that the yielded value is computed from."""
    positions: dict[SSAValue, int] = {}
    positions.update((argument, number) for number, argument in enumerate(op.body.block.args))
    used: set[int] = set()
    seen: set[SSAValue] = set()
    pending = [value]
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        if current in positions:
            used.add(positions[current])
        elif isinstance(current.owner, Operation):
            pending.extend(current.owner.operands)
    return used
