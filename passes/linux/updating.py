"""Writes the call of an update's function: the addresses of what it reads and of what it makes.

Invariant: a domain in which every coordinate is computed by itself is called with the role's own
    coordinates; of another the function gets whole values, of which the words that the role hasn't
    are never read by what it keeps.
Entry: `write_update`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from alpha.ir.attributes.shard import LocatedType, OwnedType, located
from alpha.ir.dialects.pointwise_domain import DomainOp
from alpha.ir.dialects.pointwise_programs import UpdateOp as ProgramUpdateOp
from alpha.ir.dialects.shard_work import UpdateOp
from alpha.ir.selections import Selection
from alpha.ir.shapes import element_name, words_of
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.shaped_maps import Rows
from alpha.passes.linux.context import RoleContext
from alpha.passes.linux.memory import Place
from alpha.passes.linux.selecting import cut, put
from alpha.passes.loops.domains import Domains


class _Call:
    """What is worked on: of each domain the role's coordinates by a map, or all of them."""

    def __init__(
        self, context: RoleContext, program: ProgramUpdateOp, values: Sequence[SSAValue]
    ) -> None:
        last = program.body.block.last_op
        assert last is not None
        self._context = context
        self._domains = domains = Domains(program)
        inputs = list(program.body.block.args)
        self.inputs = len(inputs)
        self.located = [located(value) for value in values]
        self.numbers = [domains.of.get(value) for value in (*inputs, *last.operands)]
        count = len(domains.shapes)
        self.maps = [self._map(number) for number in range(count)]
        self.extents = [self._extent(number) for number in range(count)]

    def _size(self, number: int) -> int:
        return prod(self._domains.shapes[number])

    def _extent(self, number: int) -> int:
        map, size = self.maps[number], self._size(number)
        if map is None:
            return size
        return self._context.coordinates(map, self._context.role, size).size

    def _map(self, number: int) -> ShardMap | None:
        """The map of all that is owned in a domain, if it is one and each result is owned."""
        if number not in self._domains.separable:
            return None
        size, own = self._size(number), self._context.owners
        here = [at for at, each in enumerate(self.numbers) if each == number]
        owned = [of for of in (self.located[at] for at in here) if isinstance(of, OwnedType)]
        maps = [of.map.data for of in owned if words_of(of.value) == size]
        if not maps:
            return None
        for at in here:
            of = self.located[at]
            if not isinstance(of, OwnedType):
                if at >= self.inputs:
                    return None
                continue
            words = words_of(of.value)
            if not of.map.data.same_pieces(_widened(maps[0], words // size), own, words):
                return None
        return maps[0]

    def used(self, at: int) -> ShardMap | None:
        """By which map the words of an operand are those of a fragment, None if all are there."""
        number = self.numbers[at]
        map = None if number is None else self.maps[number]
        if map is None or number is None:
            return None
        return _widened(map, words_of(self.located[at].value) // self._size(number))

    def mine(self, map: ShardMap, of: LocatedType) -> Selection:
        """The role's coordinates of a value."""
        return self._context.coordinates(map, self._context.role, words_of(of.value))


def _widened(map: ShardMap, width: int) -> ShardMap:
    """A map of coordinates, of which each has a row of so many words."""
    return map if width == 1 else Rows(width, map)


def write_update(
    context: RoleContext,
    op: UpdateOp,
    program: ProgramUpdateOp,
    function: FuncOp,
    arguments: Sequence[Place],
) -> list[Place]:
    """Write the call; gives where the results lie, as the role keeps them."""
    emitter = context.emitter
    call = _Call(context, program, (*op.arguments, *op.outputs))
    types = function.function_type.inputs.data
    operands = [
        emitter.typed(emitter.pointer(_given(context, call, at, place)), types[at])
        for at, place in enumerate(arguments)
    ]
    results: list[Place] = []
    to_cut: list[tuple[Place, Selection, Place]] = []
    for at, value in enumerate(op.outputs, call.inputs):
        of = call.located[at]
        element = element_name(of.value)
        final = made = context.result(value, context.words_held(of), element)
        if isinstance(of, OwnedType) and call.used(at) is None:
            made = context.arena.place(words_of(of.value), element)
            to_cut.append((made, call.mine(of.map.data, of), final))
        operands.append(emitter.typed(emitter.pointer(made), types[at]))
        results.append(final)
    operands += [emitter.number(extent) for extent in call.extents]
    emitter.call(function.sym_name.data, operands)
    for made, mine, final in to_cut:
        cut(emitter, made, mine, final)
    return results


def _given(context: RoleContext, call: _Call, at: int, place: Place) -> Place:
    """An operand as the function reads it: the role's words alone, or in the whole value."""
    of, used = call.located[at], call.used(at)
    if isinstance(of, OwnedType):
        if used is not None:
            return place
        whole = context.arena.place(words_of(of.value), place.element)
        put(context.emitter, place, call.mine(of.map.data, of), whole)
        return whole
    if used is None:
        return place
    mine = call.mine(used, of)
    fragment = context.arena.place(mine.size, place.element)
    cut(context.emitter, place, mine, fragment)
    return fragment


def write_domain(
    context: RoleContext,
    op: DomainOp,
    program: ProgramUpdateOp,
    function: FuncOp,
    arguments: Sequence[Place],
) -> list[Place]:
    """Write the call of a map or fold of local work, which has all words; gives its results."""
    emitter = context.emitter
    results = [
        context.arena.place(words_of(value.type), element_name(value.type)) for value in op.results
    ]
    types = function.function_type.inputs.data
    operands = [
        emitter.typed(emitter.pointer(place), type)
        for place, type in zip((*arguments, *results), types, strict=False)
    ]
    operands += [emitter.number(prod(shape)) for shape in Domains(program).shapes]
    emitter.call(function.sym_name.data, operands)
    return results
