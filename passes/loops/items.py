"""The work of a program, item by item: maps, folds, scalars and copies over domains of axes.

Invariant: an item's indices are in normal form over its own axes; axes of a separable domain are
    one axis, whose extent the caller gives. A fold in `pairs`, in lanes, or of `max`, has one axis
    to reduce along.
Entry: `Item`, `items_of`, `Extent`, `Dynamic`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.ir import Block, Operation, SSAValue

from alpha.ir.attributes.pointwise import Order
from alpha.ir.dialects.pointwise_domain import DomainOp, FoldOp
from alpha.ir.dialects.pointwise_programs import ProgramOp
from alpha.ir.index_forms import (
    Box,
    Form,
    FormTooLarge,
    axis_form,
    box_of,
    combine,
    constant_form,
    form_of,
    quotient,
    substitute,
)
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import FloatType, element_of, shape_of
from alpha.passes.loops.domains import Domains

DYNAMIC_MAX = 1 << 60
"""A bound of an extent that the caller gives, as of every number of words."""


@dataclass(frozen=True)
class Dynamic:
    """The extent of a separable domain, by the number of the domain: the caller gives it."""

    domain: int


Extent = int | Dynamic
Shape = tuple[Extent, ...]


def extents_box(extents: Iterable[Extent]) -> Box:
    """The values of axes of these extents."""
    return box_of(DYNAMIC_MAX if isinstance(extent, Dynamic) else extent for extent in extents)


@dataclass(eq=False)
class Item:
    """One piece of work: what it reads at each point of its axes, computes, and gives.

    `op` is where it comes from. `block` is the body, on the words that `inputs` have at `forms`;
    an item without one is an operation on scalars, or copies its only input to the result of the
    program at `position`. `order` is None but of folds, which reduce the axes from `over` on; a
    fold of nothing has no inputs.
    """

    op: Operation
    extents: Shape
    over: int
    inputs: tuple[SSAValue, ...]
    forms: tuple[tuple[Form, ...], ...]
    results: tuple[SSAValue, ...]
    block: Block | None = None
    kind: str = "add"
    order: Order | None = None
    position: int | None = None

    @property
    def box(self) -> Box:
        """The values of the item's axes."""
        return extents_box(self.extents)

    @property
    def origin(self) -> str:
        """Where the code of the item comes from."""
        return origin_of(self.op, self.results)

    @property
    def folds(self) -> bool:
        """Whether it reduces axes."""
        return self.order is not None

    @property
    def empty_sum(self) -> bool:
        """Whether it is a fold of nothing."""
        return self.folds and 0 in self.extents[self.over :]

    def own(self, input: int, axis: int) -> bool:
        """Whether the item reads an input at its own coordinate along one of the axes."""
        forms = self.forms[input]
        return axis < len(forms) and forms[axis] == axis_form(axis, self.box)

    def reads(self, value: SSAValue) -> list[int]:
        """The numbers of the inputs that are this value."""
        return [number for number, each in enumerate(self.inputs) if each is value]


def origin_of(op: Operation, results: Sequence[SSAValue] | None = None) -> str:
    """Where code comes from: the program, what the source calls the results, the operation."""
    results = op.results if results is None else results
    hints = [f"%{value.name_hint}" for value in results if value.name_hint]
    program = op
    while not isinstance(program, ProgramOp) and program.parent_op() is not None:
        program = program.parent_op() or program
    prefix = f"{program.sym_name.data}: " if isinstance(program, ProgramOp) else ""
    if op is program:
        return f"{prefix}pointwise.return"
    return f"{prefix}{', '.join(hints)} = {op.name}" if hints else f"{prefix}{op.name}"


def memory_of(program: ProgramOp, value: SSAValue) -> str:
    """Where the memory of a value comes from."""
    name = f"%{value.name_hint}" if value.name_hint else "a value"
    return f"{program.sym_name.data}: memory of {name}"


def items_of(program: ProgramOp, domains: Domains | None) -> list[Item]:
    """The items of a program without its return, in order; what has no words is left out.

    `domains` are those of an update; the axes of a separable one become one axis.

    Raises:
        Refusal: `target-unsupported` for an index that is too involved.
    """
    items: list[Item] = []
    for op in program.body.block.ops:
        if op is program.body.block.last_op:
            break
        if isinstance(op, DomainOp):
            item = _domain_item(op, domains)
            if 0 not in item.extents[: item.over]:
                items.append(item)
        else:
            inputs, results = tuple(op.operands), tuple(op.results)
            items.append(Item(op, (), 0, inputs, ((),) * len(inputs), results))
    return items


def copy_item(program: ProgramOp, value: SSAValue, shape: Shape, position: int) -> Item:
    """An item that gives all words of a value as the result at a position."""
    box = extents_box(shape)
    index = tuple(axis_form(axis, box) for axis in range(len(shape)))
    return Item(program, shape, len(shape), (value,), (index,), (), position=position)


def element_of_value(value: SSAValue) -> FloatType:
    """The element type of a value of a program."""
    return element_of(value.type)


def _domain_item(op: DomainOp, domains: Domains | None) -> Item:
    over, extents = op.axes_over(), op.extents()
    box = box_of(extents)
    empty = 0 in extents
    try:
        forms = [] if empty else [tuple(form_of(e, box) for e in map) for map in op.maps()]
    except FormTooLarge:
        wanted = "indices of few axes and quotients, once they are in normal form"
        raise Refusal("target-unsupported", wanted, "one of too many", op) from None
    order = op.order.data if isinstance(op, FoldOp) else None
    kind = op.kind.data if isinstance(op, FoldOp) else "add"
    item = Item(
        op,
        extents,
        over,
        () if empty else tuple(op.inputs),
        tuple(forms),
        tuple(op.results),
        op.body.block,
        kind,
        order,
    )
    if domains is not None and op in domains.of:
        item = _with_one_axis(item, domains)
    if empty or order is None:
        return item
    if order.kind == "lanes" and order.lanes == 1:
        item.order = Order("left")
    if item.order != Order("left") or kind == "max":
        item = _along_one_axis(item)
    return item


def _with_one_axis(item: Item, domains: Domains) -> Item:
    """The item with the leading axes of its separable domain made one."""
    domain = domains.of[item.op]
    axes = domains.axes(domain)
    extents: Shape = (Dynamic(domain), *item.extents[axes:])
    box = extents_box(extents)
    places = [constant_form(0)] * axes
    places += [axis_form(axis - axes + 1, box) for axis in range(axes, len(item.extents))]
    forms: list[tuple[Form, ...]] = []
    for value, index in zip(item.inputs, item.forms, strict=True):
        lies = value in domains.of
        rest = tuple(substitute(form, places, box) for form in index[axes * lies :])
        forms.append((axis_form(0, box), *rest) if lies else rest)
    over = item.over - axes + 1
    return _replaced(item, extents, over, forms)


def _along_one_axis(item: Item) -> Item:
    """The item with the axes that it reduces made one, the last of them fastest."""
    along = item.extents[item.over :]
    if len(along) == 1:
        return item
    lengths = [extent for extent in along if isinstance(extent, int)]
    extents = (*item.extents[: item.over], prod(lengths))
    box = extents_box(extents)
    flat = axis_form(item.over, box)
    places = [axis_form(axis, box) for axis in range(item.over)]
    for number, length in enumerate(lengths):
        inner = prod(lengths[number + 1 :])
        place = quotient(flat, inner, box)
        outer = quotient(place, length, box)
        places.append(combine([(place, 1), (outer, -length)]))
    try:
        forms = [tuple(substitute(form, places, box) for form in index) for index in item.forms]
    except FormTooLarge:
        wanted = "indices of few axes and quotients along one axis"
        raise Refusal("target-unsupported", wanted, "one of too many", item.op) from None
    return _replaced(item, extents, item.over, forms)


def _replaced(item: Item, extents: Shape, over: int, forms: Sequence[tuple[Form, ...]]) -> Item:
    return Item(
        item.op,
        extents,
        over,
        item.inputs,
        tuple(forms),
        item.results,
        item.block,
        item.kind,
        item.order,
    )


def value_shapes(
    arguments: Mapping[SSAValue, Shape], items: Iterable[Item]
) -> dict[SSAValue, Shape]:
    """The shape of every value, where separable axes are one."""
    shapes = dict(arguments)
    for item in items:
        for value in item.results:
            shapes[value] = item.extents[: item.over]
    return shapes


def static_shape(value: SSAValue) -> Shape:
    """The shape of a value as its type says it."""
    return tuple(shape_of(value.type))
