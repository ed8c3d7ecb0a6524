"""Writes local work: what the role computes between two exchanges, operation by operation.

Invariant: it reads the arguments that it is given and the role's own words, and nothing else. New
    words of a state are looked at before any of them is kept.
Refuses: target-unsupported.
Entry: `LocalWriter`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import prod

from xdsl.ir import Operation, SSAValue

from alpha.ir.attributes.shard import located
from alpha.ir.contracts import Contract
from alpha.ir.dialects.arith_vectors import CmpfOp, SelectOp
from alpha.ir.dialects.pointwise import MaxOp, MinOp
from alpha.ir.dialects.pointwise_domain import DomainOp
from alpha.ir.dialects.protocol_bodies import YieldOp
from alpha.ir.dialects.protocol_work import LocalOp, WordsOp
from alpha.ir.dialects.shard_exchange import AdvanceOp, PartitionOp, ReleaseOp
from alpha.ir.dialects.shard_work import ContributeOp, MeanOp, ObserveOp, ReadOp, UpdateOp
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import element_name, shape_of, words_of
from alpha.ir.sharding.groups import groups_by_owner
from alpha.passes.linux.advancing import write_advance
from alpha.passes.linux.context import RoleContext, element_text
from alpha.passes.linux.data_layout import role_rows
from alpha.passes.linux.emitting import Emitter
from alpha.passes.linux.homes import Homes
from alpha.passes.linux.memory import Held, Part, Parts, Place, Total, words_of_held
from alpha.passes.linux.programs import Programs
from alpha.passes.linux.selecting import cut, run_of
from alpha.passes.linux.updating import write_domain, write_update

Values = dict[SSAValue, "Held | SSAValue"]


class LocalWriter:
    """Writes pieces of local work of one role."""

    def __init__(
        self,
        context: RoleContext,
        programs: Programs,
        homes: Homes,
        sources: dict[str, list[Place]],
        contract_of: Callable[[ContributeOp], Contract],
        labels: Sequence[str],
    ) -> None:
        """`sources` has the places of constants and of the components of samples."""
        self._context = context
        self._programs = programs
        self._homes = homes
        self._sources = sources
        self._contract_of = contract_of
        self._labels = list(labels)

    @property
    def _emitter(self) -> Emitter:
        return self._context.emitter

    def write(self, op: LocalOp) -> None:
        """Write a piece of local work, and bind what it yields.

        Raises:
            Refusal: `target-unsupported` for words of the version before, or samples of a role
                that don't follow one another.
        """
        context = self._context
        given = [context.values[value] for value in op.arguments]
        values: Values = dict(zip(op.body.block.args, given, strict=True))
        for part in op.body.block.ops:
            if isinstance(part, YieldOp):
                yielded = [self._place_of(values, value) for value in part.values]
                context.values.update(zip(op.outcomes, yielded, strict=True))
            else:
                self._write(part, values)

    def _write(self, op: Operation, values: Values) -> None:
        match op:
            case ReadOp():
                self._read(op, values)
            case ContributeOp():
                self._contribute(op, values)
            case MeanOp():
                self._mean(op, values)
            case PartitionOp():
                self._partition(op, values)
            case ReleaseOp():
                return
            case UpdateOp():
                program, function = self._programs.update(op.callee.string_value())
                places = [self._words(values, value) for value in op.arguments]
                results = write_update(self._context, op, program, function, places)
                values.update(zip(op.outputs, results, strict=True))
            case ObserveOp():
                self._observe(op, values)
            case AdvanceOp():
                words = [self._words(values, value) for value in op.values]
                write_advance(self._context, op, words)
            case WordsOp():
                values[op.words] = values[op.copy]
            case DomainOp():
                program, function = self._programs.domain(op)
                places = [self._words(values, value) for value in op.operands]
                results = write_domain(self._context, op, program, function, places)
                values.update(zip(op.results, results, strict=True))
            case _:
                self._scalar(op, values)

    # Values

    def _words(self, values: Values, value: SSAValue) -> Place:
        """The words of a value, in memory."""
        held = self._place_of(values, value)
        return words_of_held(held)

    def _place_of(self, values: Values, value: SSAValue) -> Held:
        """What the role has of a value; a scalar that was computed is put into memory."""
        held = values[value]
        if not isinstance(held, SSAValue):
            return held
        place = self._context.arena.place(1, element_text(value.type))
        self._emitter.store(held, place)
        values[value] = place
        return place

    def _number(self, values: Values, value: SSAValue) -> SSAValue:
        """A scalar, as the operations of arithmetic take it."""
        held = values[value]
        if isinstance(held, SSAValue):
            return held
        return self._emitter.load(words_of_held(held))

    # Operations of the shard level

    def _read(self, op: ReadOp, values: Values) -> None:
        results = iter(op.values)
        for name in op.names():
            places = self._sources.get(name)
            if places is None:
                value = next(results)
                if located(value).version.data < 0:
                    wanted = "words of the version that a role has"
                    raise Refusal("target-unsupported", wanted, "those of the one before", op)
                home = place = self._context.states[name]
                if self._homes.read_is_kept(value):
                    place = self._context.arena.place(home.words, home.element)
                    self._context.copy(home, place)
                values[value] = place
                continue
            for place in places:
                values[next(results)] = place

    def _contribute(self, op: ContributeOp, values: Values) -> None:
        context, emitter = self._context, self._emitter
        distribution = context.distribution
        assert distribution is not None
        program, function = self._programs.contribution(op.callee.string_value())
        contract = self._contract_of(op)
        owners = distribution.owners
        groups = groups_by_owner(op.map.data, contract, owners, partial=True)[context.role]
        sizes = [contract.groups[group] for group in groups]
        first = self._first_row(op, sum(sizes))
        samples = self._sources[op.samples.string_value()]
        parameters = [self._words(values, value) for value in op.arguments]
        types = function.function_type.inputs.data
        results: list[Parts] = [{} for _ in op.parts]
        rows = [prod(shape_of(type)) for type in program.sample_types()]
        starts = accumulate(sizes, initial=first)
        for group, count, start in zip(groups, sizes, starts, strict=False):
            places = list(parameters)
            for component, width in zip(samples, rows, strict=True):
                places.append(component.part(start * width, count * width))
            for parts, value in zip(results, op.parts, strict=True):
                of = located(value).value
                place = context.arena.place(words_of(of), element_name(of))
                parts[group] = Part(place, count)
                places.append(place)
            operands = [
                emitter.typed(emitter.pointer(place), type)
                for place, type in zip(places, types, strict=False)
            ]
            emitter.call(function.sym_name.data, [*operands, emitter.number(count)])
        values.update(zip(op.parts, results, strict=True))

    def _first_row(self, op: ContributeOp, count: int) -> int:
        """Where among the role's samples those begin that it sums over.

        Raises:
            Refusal: `target-unsupported` if others stand between them.
        """
        context = self._context
        distribution, name = context.distribution, op.samples.string_value()
        assert distribution is not None
        if not count:
            return 0
        size = distribution.domain(name)
        held = role_rows(distribution, name, context.role, size)
        mine = op.map.data.piece(context.role, distribution.owners, size)
        first, last = held.rank(mine.min), held.rank(mine.max)
        if last - first + 1 != count or mine.size != count:
            wanted = "samples that follow one another among those that the role has"
            raise Refusal("target-unsupported", wanted, f"{mine} of {held}", op)
        return first

    def _mean(self, op: MeanOp, values: Values) -> None:
        held = values[op.sum]
        if not isinstance(held, Total):
            wanted = "a mean of a total over all samples"
            raise Refusal("target-unsupported", wanted, "one of the parts of a sum", op)
        total = held.place
        place = total
        if not self._homes.dies_at(op.sum, op):
            place = self._context.result(op.result, total.words, total.element)
        emitter = self._emitter
        operands = (
            emitter.pointer(total),
            emitter.word(float(held.count), total.element),
            emitter.pointer(place),
            emitter.number(total.words),
        )
        emitter.call(f"alpha_divide_{total.element}", operands)
        values[op.result] = place

    def _partition(self, op: PartitionOp, values: Values) -> None:
        context = self._context
        copy = self._words(values, op.replica)
        mine = context.coordinates(op.map.data, context.role, copy.words)
        run = run_of(mine)
        if run is not None:
            values[op.result] = copy.part(*run)
            return
        place = context.arena.place(mine.size, copy.element)
        cut(context.emitter, copy, mine, place)
        values[op.result] = place

    def _observe(self, op: ObserveOp, values: Values) -> None:
        context, emitter = self._context, self._emitter
        if context.role != 0:
            return
        held = values[op.total]
        distribution = context.distribution
        assert distribution is not None
        count = distribution.domain(op.samples.string_value())
        if isinstance(held, Total):
            count = held.count
        place = self._words(values, op.total)
        operands = (
            emitter.number(self._labels.index(op.label.data)),
            emitter.load(context.version),
            emitter.number(count),
            emitter.pointer(place),
            emitter.number(place.bytes),
        )
        emitter.call("alpha_report_observation", operands)

    # Arithmetic

    def _scalar(self, op: Operation, values: Values) -> None:
        """An operation on numbers; the smaller and the larger are a comparison and a choice."""
        operands = [self._number(values, value) for value in op.operands]
        emitter = self._emitter
        if isinstance(op, MinOp | MaxOp):
            predicate = "olt" if isinstance(op, MinOp) else "ogt"
            first = emitter.add(CmpfOp(operands[0], operands[1], predicate))
            values[op.results[0]] = emitter.add(SelectOp(first, *operands))
            return
        copy = op.clone(dict(zip(op.operands, operands, strict=True)))
        values[op.results[0]] = emitter.add(copy)
