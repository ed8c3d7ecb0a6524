"""Index expressions in a normal form, and the search for a point at which one isn't zero.

Invariant: at every point of its box a form has the value of the expression that it was made from.
Why: whether an index is the coordinate itself has to be decided without listing coordinates, and
    `(i * 2) floordiv 2`, `i mod n` and `(i floordiv 4) * 4 + i mod 4` are the coordinate i.
Entry: `Form`, `form_of`, `substitute`, `find_nonzero`.

A form is a constant plus integer multiples of axes and of quotients `floordiv(form, divisor)`;
`x mod c` is written x - c * floordiv(x, c), and `x ceildiv c` is -floordiv(-x, c). A box gives the
least and the greatest value of each axis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd

from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
)

SIZE_MAX = 64
"""Most axes and quotients in one form; composed indices of real learners have a handful."""

BOXES_MAX = 1024
"""Most boxes that a search splits its own into."""

Box = Sequence[tuple[int, int]]
"""The least and the greatest value of each axis."""


def box_of(extents: Iterable[int]) -> Box:
    """The box of a domain: each axis from 0 to its extent, exclusive."""
    return tuple((0, extent - 1) for extent in extents)


class FormTooLarge(Exception):
    """A form would have more than `SIZE_MAX` axes and quotients."""


@dataclass(frozen=True)
class Quotient:
    """`floordiv(dividend, divisor)`; the divisor is at least 2."""

    dividend: Form
    divisor: int

    @cached_property
    def key(self) -> tuple:
        """What quotients are sorted by."""
        return (self.divisor, self.dividend.key)


Atom = int | Quotient
"""An axis, by its position, or a quotient."""


@dataclass(frozen=True)
class Form:
    """A constant plus multiples of atoms, sorted and without zeros."""

    terms: tuple[tuple[Atom, int], ...]
    constant: int

    @cached_property
    def key(self) -> tuple:
        """What forms are sorted by."""
        return (self.constant, tuple((_atom_key(atom), factor) for atom, factor in self.terms))

    @cached_property
    def size(self) -> int:
        """How many axes and quotients the form has, those inside quotients included."""
        return sum(
            1 + (atom.dividend.size if isinstance(atom, Quotient) else 0) for atom, _ in self.terms
        )

    def axes(self) -> set[int]:
        """The axes that occur in the form."""
        used: set[int] = set()
        for atom, _ in self.terms:
            used |= atom.dividend.axes() if isinstance(atom, Quotient) else {atom}
        return used

    def evaluate(self, point: Sequence[int]) -> int:
        """The value of the form at one point, or at all points of a grid of numpy's."""
        total = self.constant
        for atom, factor in self.terms:
            if isinstance(atom, Quotient):
                value = atom.dividend.evaluate(point) // atom.divisor
            else:
                value = point[atom]
            # Not in place: the arrays of a grid grow as they meet.
            total = total + factor * value
        return total

    def interval(self, box: Box) -> tuple[int, int]:
        """An interval that holds the form over the box; exact for one that has no quotients.

        Where x - c * floordiv(x, c) occurs, it is bounded as the remainder that it is.
        """
        plain = least = self._plain_interval(box)
        form, spread = self, (0, 0)
        for atom, factor in self.terms:
            if isinstance(atom, int) or factor % atom.divisor:
                continue
            times = -factor // atom.divisor
            rest = combine([(form, 1), (_single(atom), -factor), (atom.dividend, -times)])
            ends = sorted((0, times * (atom.divisor - 1)))
            wider = (spread[0] + ends[0], spread[1] + ends[1])
            low, high = rest._plain_interval(box)
            found = (low + wider[0], high + wider[1])
            if found[1] - found[0] <= least[1] - least[0]:
                form, spread, least = rest, wider, found
        return max(plain[0], least[0]), min(plain[1], least[1])

    def _plain_interval(self, box: Box) -> tuple[int, int]:
        low = high = self.constant
        for atom, factor in self.terms:
            if isinstance(atom, Quotient):
                ends = tuple(end // atom.divisor for end in atom.dividend.interval(box))
            else:
                ends = box[atom]
            low += factor * ends[factor < 0]
            high += factor * ends[factor > 0]
        return low, high


def _atom_key(atom: Atom) -> tuple:
    return (0, atom) if isinstance(atom, int) else (1, atom.key)


def _single(atom: Atom) -> Form:
    return Form(((atom, 1),), 0)


def constant_form(value: int) -> Form:
    """The form of a constant."""
    return Form((), value)


def axis_form(position: int, box: Box) -> Form:
    """The form of an axis; the constant that it is where the box has but one value of it."""
    low, high = box[position]
    return constant_form(low) if low == high else _single(position)


def combine(parts: Iterable[tuple[Form, int]]) -> Form:
    """The sum of forms times integers.

    Raises:
        FormTooLarge: the sum has more than `SIZE_MAX` axes and quotients.
    """
    factors: dict[Atom, int] = {}
    constant = 0
    for form, times in parts:
        constant += times * form.constant
        for atom, factor in form.terms:
            factors[atom] = factors.get(atom, 0) + times * factor
    terms = ((atom, factor) for atom, factor in factors.items() if factor)
    total = Form(tuple(sorted(terms, key=lambda term: _atom_key(term[0]))), constant)
    if total.size > SIZE_MAX:
        raise FormTooLarge
    return total


def quotient(form: Form, divisor: int, box: Box) -> Form:
    """The form of `floordiv(form, divisor)` over the box, for a divisor of 1 or more."""
    whole = constant_form(0)
    for part, rest in (
        (constant_form(0), form),
        _divided(form, divisor, lambda factor: factor % divisor == 0),
        _divided(form, divisor, lambda factor: True),
    ):
        low, high = rest.interval(box)
        if low // divisor == high // divisor:
            return combine([(part, 1), (constant_form(low // divisor), 1)])
        whole, form = part, rest
    if form.terms[0][1] * 2 > divisor:
        # floordiv(x, c) = -floordiv(c - 1 - x, c), of which one has the smaller first factor.
        mirrored = combine([(form, -1), (constant_form(divisor - 1), 1)])
        return combine([(whole, 1), (quotient(mirrored, divisor, box), -1)])
    common = gcd(divisor, *(factor for _, factor in form.terms))
    if common > 1:
        terms = tuple((atom, factor // common) for atom, factor in form.terms)
        form, divisor = Form(terms, form.constant // common), divisor // common
    match form.terms:
        case ((Quotient(dividend, inner), 1),):
            # floordiv(floordiv(x, b) + k, c) = floordiv(x + k * b, b * c)
            shifted = combine([(dividend, 1), (constant_form(form.constant * inner), 1)])
            return combine([(whole, 1), (quotient(shifted, inner * divisor, box), 1)])
    return combine([(whole, 1), (_single(Quotient(form, divisor)), 1)])


def _divided(form: Form, divisor: int, chosen: Callable[[int], bool]) -> tuple[Form, Form]:
    """`form` as divisor * whole + rest; a chosen term leaves only its remainder in the rest."""
    whole: list[tuple[Atom, int]] = []
    rest: list[tuple[Atom, int]] = []
    for atom, factor in form.terms:
        times, remainder = divmod(factor, divisor) if chosen(factor) else (0, factor)
        if times:
            whole.append((atom, times))
        if remainder:
            rest.append((atom, remainder))
    times, remainder = divmod(form.constant, divisor)
    return Form(tuple(whole), times), Form(tuple(rest), remainder)


def form_of(expression: AffineExpr, box: Box) -> Form:
    """The form of a verified index expression over the box; its divisors are positive constants.

    It doesn't recurse, since a sum of many terms nests as deeply as it has terms.

    Raises:
        FormTooLarge: the form has more than `SIZE_MAX` axes and quotients.
    """
    done: list[Form] = []
    pending: list[tuple[AffineExpr, bool]] = [(expression, False)]
    while pending:
        current, ready = pending.pop()
        match current:
            case AffineConstantExpr():
                done.append(constant_form(current.value))
            case AffineDimExpr():
                done.append(axis_form(current.position, box))
            case AffineBinaryOpExpr() if ready:
                right, left = done.pop(), done.pop()
                done.append(_binary(current.kind, left, right, box))
            case AffineBinaryOpExpr():
                pending += [(current, True), (current.rhs, False), (current.lhs, False)]
            case _:
                raise ValueError(f"an index has no symbols: {current}")
    return done.pop()


def _binary(kind: AffineBinaryOpKind, left: Form, right: Form, box: Box) -> Form:
    if kind == AffineBinaryOpKind.Add:
        return combine([(left, 1), (right, 1)])
    if kind == AffineBinaryOpKind.Mul and not left.terms:
        left, right = right, left
    if right.terms:
        raise ValueError("an index has no products or quotients of axes")
    times = right.constant
    match kind:
        case AffineBinaryOpKind.Mul:
            return combine([(left, times)])
        case AffineBinaryOpKind.FloorDiv:
            return quotient(left, times, box)
        case AffineBinaryOpKind.CeilDiv:
            return combine([(quotient(combine([(left, -1)]), times, box), -1)])
        case _:
            return combine([(left, 1), (quotient(left, times, box), -times)])


def substitute(form: Form, values: Sequence[Form], box: Box) -> Form:
    """The form with a form in the place of each axis, in normal form over the box of the latter.

    Raises:
        FormTooLarge: the result has more than `SIZE_MAX` axes and quotients.
    """
    parts: list[tuple[Form, int]] = [(constant_form(form.constant), 1)]
    for atom, factor in form.terms:
        if isinstance(atom, Quotient):
            dividend = substitute(atom.dividend, values, box)
            parts.append((quotient(dividend, atom.divisor, box), factor))
        else:
            parts.append((values[atom], factor))
    return combine(parts)


@dataclass(frozen=True)
class Nonzero:
    """A point at which a form isn't zero; not `certain` where the search ended without one."""

    point: tuple[int, ...]
    certain: bool


def find_nonzero(form: Form, box: Box) -> Nonzero | None:
    """A point of the box at which the form isn't zero, or None if it is zero everywhere.

    The box is halved until intervals decide; each half is put into normal form anew. A search that
    would take more than `BOXES_MAX` boxes ends with an uncertain answer, never with None.
    """
    boxes = [tuple(box)]
    for _ in range(BOXES_MAX):
        if not boxes:
            return None
        current = boxes.pop()
        axes = [axis_form(position, current) for position in range(len(current))]
        here = substitute(form, axes, current)
        if here == constant_form(0):
            continue
        for point in _probes(current):
            if here.evaluate(point):
                return Nonzero(point, True)
        low, high = here.interval(current)
        if low == high == 0:
            continue
        split = max(here.axes(), key=lambda axis: current[axis][1] - current[axis][0])
        first, last = current[split]
        middle = (first + last) // 2
        for ends in ((middle + 1, last), (first, middle)):
            boxes.append((*current[:split], ends, *current[split + 1 :]))
    return Nonzero(tuple(low for low, _ in box), False) if boxes else None


def _probes(box: Box) -> Iterable[tuple[int, ...]]:
    """The least point of the box, that point with one axis at its greatest, and the greatest.

    A form without quotients that is zero at the first ones is zero everywhere.
    """
    least = tuple(low for low, _ in box)
    yield least
    for axis, (_, high) in enumerate(box):
        yield (*least[:axis], high, *least[axis + 1 :])
    yield tuple(high for _, high in box)
