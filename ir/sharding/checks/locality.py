"""Does every owner have the words that its work is computed from?

Decided from the index forms by which a result reads its arguments. Where both lie by rows of one
map and each row of the result reads its own, nothing is enumerated; else the owners of all
coordinates are compared, up to a bound, and above it the question is refused.

Refuses: shard-not-held, select-budget.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from alpha.ir.attributes.shard import OwnedType, ReplicaType, located
from alpha.ir.dialects.shard_work import ContributeOp, ReadOp, UpdateOp
from alpha.ir.index_forms import Form, axis_form, box_of
from alpha.ir.refusals import Refusal, name_of_value
from alpha.ir.separability.dependences import Dependence, index_suffix, update_dependences
from alpha.ir.shapes import shape_of, words_of
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.fragments import owner_of_each
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import Owned
from alpha.ir.sharding.shaped_maps import Rows

READS_MAX = 1 << 24
"""Most words of an argument, and reads of them, that an update is looked at for."""


def check_locality(distribution: Distribution) -> Iterator[Refusal]:
    """Reads find what is placed, and local work reads what its owner has."""
    for kind in (ReadOp, ContributeOp, UpdateOp):
        yield from locality_of(distribution, distribution.ops(kind))


def locality_of(distribution: Distribution, ops: Iterable[Operation]) -> Iterator[Refusal]:
    """The same of these operations, in their order."""
    for op in ops:
        match op:
            case ReadOp():
                yield from _read(distribution, op)
            case ContributeOp():
                for value in op.arguments:
                    if not isinstance(value.type, ReplicaType) and distribution.owners > 1:
                        wanted = f"a replica of {name_of_value(value)} to contribute from"
                        yield Refusal("shard-not-held", wanted, str(value.type), op)
            case UpdateOp():
                yield from _update(distribution, op)
            case _:
                pass


def _read(distribution: Distribution, op: ReadOp) -> Iterator[Refusal]:
    values = iter(op.values)
    for name in op.names():
        samples = distribution.learner.samples.get(name)
        for _ in range(1 if samples is None else len(samples.types.data)):
            value = next(values)
            where = distribution.place_ops.get(name)
            map = where.where.data.map if where and isinstance(where.where.data, Owned) else None
            if map is not None and samples is not None:
                width = prod(shape_of(located(value).value)[1:])
                map = map if width == 1 or width == 0 else Rows(width, map)
            yield from _read_value(op, name, map, value, distribution.owners)


def _read_value(
    op: ReadOp, name: str, map: ShardMap | None, value: SSAValue, owners: int
) -> Iterator[Refusal]:
    found = value.type.map.data if isinstance(value.type, OwnedType) else None
    if found != map and not _in_other_words(found, map, owners, words_of(located(value).value)):
        wanted = f"@{name} " + ("as a replica" if map is None else f"as words owned by {map}")
        seen = "a replica" if found is None else f"words owned by {found}"
        yield Refusal("shard-not-held", wanted, seen, op)


def _in_other_words(one: ShardMap | None, other: ShardMap | None, owners: int, size: int) -> bool:
    """Whether two maps give every owner the same coordinates."""
    if one is None or other is None:
        return False
    try:
        return one.same_pieces(other, owners, size)
    except Refusal:
        return False  # a map with another flaw, which its own check names


def _update(distribution: Distribution, op: UpdateOp) -> Iterator[Refusal]:
    callee = distribution.updates[op.callee.string_value()]
    for result, dependences in zip(op.outputs, update_dependences(callee), strict=True):
        for dependence in dependences:
            value = op.arguments[int(dependence.source.name)]
            if isinstance(value.type, OwnedType):
                refusal = _reach(distribution, op, result, value, dependence)
                if refusal is not None:
                    yield refusal
                    return


def _reach(
    distribution: Distribution,
    op: UpdateOp,
    result: SSAValue,
    value: SSAValue,
    dependence: Dependence,
) -> Refusal | None:
    """What is wrong with a result that reads an owned argument in this way, or None."""
    assert isinstance(value.type, OwnedType)
    owners = distribution.owners
    shape, read_shape = shape_of(located(result).value), shape_of(value.type.value)
    map = value.type.map.data
    if owners == 1:
        return None
    try:
        if not isinstance(result.type, OwnedType):
            return _read_by_all(op, (result, value), dependence, map, owners)
        computed = result.type.map.data
        if _evidently_own(dependence, shape, read_shape, computed, map):
            return None
        return _enumerated(op, (result, value), dependence, (computed, map), owners)
    except Refusal as refusal:
        # A map that doesn't cover its domain is refused by its own check.
        return refusal if refusal.code == "select-budget" else None


def _evidently_own(
    dependence: Dependence,
    shape: tuple[int, ...],
    read_shape: tuple[int, ...],
    computed: ShardMap,
    map: ShardMap,
) -> bool:
    """Whether both lie by rows of one map, and each row of the result reads its own row alone.

    A row is all words behind the first axes, of which there may be any number.
    """
    box = box_of((*shape, *dependence.bound))
    for axes in range(len(shape) + 1):
        if axes and dependence.index[:axes] != tuple(axis_form(a, box) for a in range(axes)):
            return False
        if read_shape[:axes] != shape[:axes]:
            return False
        rows = _map_of_rows(computed, prod(shape[axes:]))
        if rows is not None and rows == _map_of_rows(map, prod(read_shape[axes:])):
            return True
    return False


def _map_of_rows(map: ShardMap, width: int) -> ShardMap | None:
    """The map of the rows of this width, if the map evidently deals whole rows."""
    if width == 1:
        return map
    return map.of_rows if isinstance(map, Rows) and map.width == width else None


def _read_by_all(
    op: UpdateOp,
    values: tuple[SSAValue, SSAValue],
    dependence: Dependence,
    map: ShardMap,
    owners: int,
) -> Refusal:
    """Every owner computes the whole result, so one that hasn't its first word lacks a word."""
    shapes = [shape_of(located(each).value) for each in values]
    point = [0] * (len(shapes[0]) + len(dependence.bound))
    index = [form.evaluate(point) for form in dependence.index]
    flat = int(np.ravel_multi_index(index, shapes[1])) if index else 0
    holder = map.owner(flat, owners, prod(shapes[1]))
    return _not_held(op, values, dependence, point, (int(holder == 0), holder))


def _enumerated(
    op: UpdateOp,
    values: tuple[SSAValue, SSAValue],
    dependence: Dependence,
    maps: tuple[ShardMap, ShardMap],
    owners: int,
) -> Refusal | None:
    """Compare the owner of every coordinate with those of the words that it reads.

    Along axes of the result that no index uses the words that are read are the same.

    Raises:
        Refusal: of a map that doesn't cover its domain; before it is listed.
    """
    shape, read_shape = (shape_of(located(each).value) for each in values)
    used = {axis for form in dependence.index for axis in form.axes()}
    lines = tuple(extent if axis in used else 1 for axis, extent in enumerate(shape))
    extents = (*lines, *dependence.bound)
    most = max(prod(extents), prod(shape), prod(read_shape))
    if most > READS_MAX:
        wanted = f"at most {READS_MAX} words and reads of {name_of_value(values[1])} to look at"
        return Refusal("select-budget", wanted, str(most), op)
    for map, of in zip(maps, (shape, read_shape), strict=True):
        map.check(owners, prod(of))
    has = owner_of_each(maps[1], owners, prod(read_shape)).reshape(read_shape)
    grid = np.ogrid[tuple(slice(extent) for extent in extents)]
    holders = np.broadcast_to(
        has[tuple(_evaluate(form, grid) for form in dependence.index)], extents
    )
    worker = owner_of_each(maps[0], owners, prod(shape)).reshape(shape)
    bound = tuple(range(len(shape), len(extents)))
    wrong = (holders.min(axis=bound) != worker) | (holders.max(axis=bound) != worker)
    if not wrong.any():
        return None
    at = np.unravel_index(np.argmax(wrong), shape)
    line = tuple(i if axis in used else 0 for axis, i in enumerate(at))
    theirs = holders[line]
    rest = np.unravel_index(np.argmax(theirs != worker[at]), theirs.shape)
    point = [int(i) for i in (*at, *rest)]
    return _not_held(op, values, dependence, point, (int(worker[at]), int(theirs[rest])))


def _not_held(
    op: UpdateOp,
    values: tuple[SSAValue, SSAValue],
    dependence: Dependence,
    point: Sequence[int],
    roles: tuple[int, int],
) -> Refusal:
    """The refusal of what the first of two roles would read at a point, and the other has."""
    result, value = values
    word = (
        f"{name_of_value(value)}{index_suffix([form.evaluate(point) for form in dependence.index])}"
    )
    axes = len(shape_of(located(result).value))
    wanted = f"owner {roles[0]} with {word} for {name_of_value(result)}{index_suffix(point[:axes])}"
    return Refusal("shard-not-held", wanted, f"owner {roles[1]} has it", op)


def _evaluate(form: Form, grid: Sequence[Any]) -> np.ndarray:
    """The form, whose values are indices, at every point of a grid.

    Where a value on the way might leave 64 bits, Python's integers are used.
    """
    if _magnitude(form, [int(axis.size) for axis in grid]) >= 1 << 62:
        grid = [axis.astype(object) for axis in grid]
    return np.asarray(form.evaluate(grid)).astype(np.intp)


def _magnitude(form: Form, extents: Sequence[int]) -> int:
    """A bound of every value on the way to the form's."""
    total = abs(form.constant)
    for atom, factor in form.terms:
        inner = extents[atom] if isinstance(atom, int) else _magnitude(atom.dividend, extents)
        total += abs(factor) * inner
    return total
