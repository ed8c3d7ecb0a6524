"""Stages: what one kernel computes, and the order of the kernels of a program.

A stage of points has a thread for each point of its axes, the samples first where they count; its
items share them. A stage in lanes has as many threads for a point as a fold has lanes. A stage of
sums has a thread for each word of a contribution, and goes through the samples in their order.

Invariant: what an item reads was written by an earlier stage, or in the same one by the same thread
    at the same point. So no two threads of a launch need to agree on anything but lanes.
Refuses: target-unsupported.
Entry: `Stage`, `stages_of`, `sums_of`, `summed_items`, `staged_items`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from alpha.ir.refusals import Refusal
from alpha.passes.kernels.values import Values
from alpha.passes.loops.items import Item, Shape, static_shape
from alpha.passes.loops.schedule import lane_width
from alpha.passes.loops.signature import SAMPLES

if TYPE_CHECKING:
    from alpha.passes.kernels.homes import Home

THREADS_MAX = 1024
"""The most threads that a block has."""

PAIRS_MAX = 32
"""Words whose sum in pairs one thread computes; of more, each level of pairs is a stage."""


@dataclass(eq=False)
class Stage:
    """`form` is points, lanes, pairs or sums; `summed` are the values that sums are of.

    A level of pairs takes `length` words of `source`, or of its item, to `target`, or is the last.
    """

    form: str
    extents: Shape
    items: list[Item] = field(default_factory=list)
    summed: tuple[SSAValue, ...] = ()
    sampled: bool = False
    source: Home | None = None
    target: Home | None = None
    length: int = 0

    @property
    def lanes(self) -> int:
        """The threads of a point."""
        return lane_width(self.items[0]) if self.form == "lanes" else 1


def form_of(item: Item) -> str:
    """The form of the stage that an item needs."""
    if not item.folds or item.empty_sum:
        return "points"
    if (lanes := lane_width(item)) > 1:
        if lanes > THREADS_MAX:
            wanted = f"a fold in at most {THREADS_MAX} lanes, as many as a block has threads"
            raise Refusal("target-unsupported", wanted, str(lanes), item.op)
        return "lanes"
    assert item.order is not None
    if item.order.kind == "pairs" and _length(item) > PAIRS_MAX:
        return "pairs"
    return "points"


def _length(item: Item) -> int:
    length = item.extents[-1]
    assert isinstance(length, int)
    return length


def sums_of(returned: Iterable[SSAValue]) -> list[Stage]:
    """The stages that sum up results of one shape each."""
    by_shape: dict[Shape, list[SSAValue]] = {}
    for value in returned:
        held = by_shape.setdefault(static_shape(value), [])
        if value not in held:
            held.append(value)
    return [Stage("sums", shape, summed=tuple(held)) for shape, held in by_shape.items()]


def summed_items(items: Sequence[Item], returned: Sequence[SSAValue], values: Values) -> list[Item]:
    """What stages have to compute before the sums of a contribution; says which are direct.

    The addends of a map, or of an operation on scalars, are computed where they are added, unless
    they are needed in memory all the same.
    """
    direct = {
        value
        for value in returned
        if value in values.sampled and value in values.giver and not values.giver[value].folds
    }
    while True:
        wanted = {value for value in returned if value not in direct}
        for value in direct:
            wanted.update(values.reads(values.giver[value]))
        found = staged_items(items, wanted, values)
        there = {value for item in found for value in item.results}
        if not direct & there:
            values.direct = frozenset(direct)
            return found
        direct -= there


def staged_items(items: Sequence[Item], wanted: set[SSAValue], values: Values) -> list[Item]:
    """The items that have to be computed by stages so that these values are in memory, in order."""
    needed = set(wanted)
    found: list[Item] = []
    for item in reversed(items):
        copies = item.position is not None
        if copies or any(v in needed and v not in values.inline for v in item.results):
            found.append(item)
            needed.update(values.reads(item))
    return found[::-1]


def stages_of(items: Iterable[Item], values: Values) -> list[Stage]:
    """Items as stages: each in a stage of its points that it can share, else in a new one."""
    stages: list[Stage] = []
    at: dict[SSAValue, int] = {}
    for item in items:
        sampled = values.is_sampled(item)
        over = item.extents[: item.over]
        extents: Shape = (SAMPLES, *over) if sampled else over
        form = form_of(item)
        number = _place(item, form, extents, stages, at, values)
        if number is None:
            number = len(stages)
            stages.append(Stage(form, extents, sampled=sampled))
        stages[number].items.append(item)
        at.update(dict.fromkeys(item.results, number))
    return stages


def _place(
    item: Item,
    form: str,
    extents: Shape,
    stages: Sequence[Stage],
    at: dict[SSAValue, int],
    values: Values,
) -> int | None:
    """The stage that an item can share: of its points, behind all that it reads elsewhere."""
    if form != "points":
        return None
    givers = [at[value] for value in values.reads(item) if value in at]
    # What is only moved is moved last, since its result may lie where others still read.
    first = len(stages) - 1 if item.position is not None else 0
    for number in range(max([*givers, first, 0]), len(stages)):
        stage = stages[number]
        if (
            stage.form != "points"
            or stage.extents != extents
            or stage.sampled != values.is_sampled(item)
        ):
            continue
        inside = [n for n, value in enumerate(item.inputs) if at.get(value) == number]
        if all(_at_own_point(item, n) for n in inside):
            return number
    return None


def _at_own_point(item: Item, number: int) -> bool:
    """Whether an item reads an input at its own point, before it reduces anything."""
    forms = item.forms[number]
    return len(forms) == item.over and all(item.own(number, axis) for axis in range(item.over))
