"""Separability of a round: may each coordinate be updated by an owner that has no other?

Invariant: `explain` returns no violation only if each coordinate's new words depend on that
    coordinate's words, on its mean and on its samples, on shared words and on constants; and a
    shared word's on shared words and constants alone.
Why: this is what lets optimizer state, parameters and gradients be partitioned with equal bits.
Refuses: pointwise-not-separable, pointwise-shared-overclaim.
Entry: `explain`, `require_separable`.

Two fields have common coordinates if they have one shape. Samples lie with the coordinates that
their leading axes index, so with none of a scalar. What can't be proved is refused: an update that
adds 0.0 * norm depends on the norm.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation

from alpha.ir.index_forms import (
    Box,
    Form,
    FormTooLarge,
    Nonzero,
    axis_form,
    box_of,
    combine,
    find_nonzero,
)
from alpha.ir.learners import Learner
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.separability.dependences import Dependence, Source, dependences_of, index_suffix
from alpha.ir.shapes import shape_of


@dataclass(frozen=True)
class Violation:
    """Why an update isn't separable: the state, a coordinate, the word it reads, and where.

    `read` is None where the index couldn't be shown to be the coordinate's own, nor another.
    """

    code: str
    state: str
    coordinate: tuple[int, ...]
    source: Source
    read: tuple[int, ...] | None
    op: Operation

    def expected(self) -> str:
        """What a separable update would do."""
        word = f"@{self.state}{index_suffix(self.coordinate)}"
        if self.code == "pointwise-shared-overclaim":
            return f"new words of shared {word} from shared words and constants alone"
        own = f"coordinate {index_suffix(self.coordinate)}" if self.coordinate else "that scalar"
        return f"new words of {word} from words of {own}, shared words and constants"

    def found(self) -> str:
        """What this one does, with the operation that does it."""
        hints = [f"%{value.name_hint}" for value in self.op.results if value.name_hint]
        through = f"through {self.op.name}" + (f" ({', '.join(hints)})" if hints else "")
        if self.read is None:
            return f"an undecided index into {self.source.word(())} {through}"
        return f"{self.source.word(self.read)} {through}"

    def refusal(self) -> Refusal:
        """The violation as a refusal at the operation that breaks the rule."""
        return Refusal(self.code, self.expected(), self.found(), self.op)


def explain(learner: Learner) -> list[Violation]:
    """All violations of separability in the learner's round; empty if it is separable.

    One violation per state and source; each has the operation and one coordinate as a witness.
    """
    violations: list[Violation] = []
    for name, dependences in dependences_of(learner).items():
        seen: set[Source] = set()
        for dependence in sorted(dependences, key=_order):
            if dependence.source in seen:
                continue
            violation = _violation(learner, name, dependence)
            if violation is not None:
                seen.add(dependence.source)
                violations.append(violation)
    return violations


def require_separable(learner: Learner) -> None:
    """Refuse a learner whose update isn't separable.

    Raises:
        Refusal: `pointwise-not-separable` or `pointwise-shared-overclaim`, at the operation, with
            one note for each further violation.
    """
    violations = explain(learner)
    if violations:
        first = violations[0].refusal()
        notes = tuple(
            Note(f"[{v.code}] expected {v.expected()}, found {v.found()}", place_of(v.op))
            for v in violations[1:]
        )
        raise Refusal(first.code, first.expected, first.found, violations[0].op, notes)


def _order(dependence: Dependence) -> tuple[str, str, tuple]:
    place = place_of(dependence.op)
    where = f"{place.line:09}:{place.column:09}" if place else ""
    return where, dependence.source.name, tuple(form.key for form in dependence.index)


def _violation(learner: Learner, name: str, dependence: Dependence) -> Violation | None:
    """The violation that this dependence of the new words of `name` is, if it is one."""
    source, op = dependence.source, dependence.op
    if source.free:
        return None
    state = learner.states[name]
    shape = shape_of(state.type)
    box = box_of((*shape, *dependence.bound))
    point: tuple[int, ...] = tuple(0 for _ in box)
    certain = True
    shared = state.shared is not None
    if not shared and source.lies_with(shape):
        for axis, form in enumerate(dependence.index[: len(shape)]):
            found = _difference(form, axis, box)
            if found is not None:
                point, certain = found.point, found.certain
                break
        else:
            return None
    code = "pointwise-shared-overclaim" if shared else "pointwise-not-separable"
    read = tuple(form.evaluate(point) for form in dependence.index) if certain else None
    return Violation(code, name, point[: len(shape)], source, read, op)


def _difference(form: Form, axis: int, box: Box) -> Nonzero | None:
    """A point at which the form isn't the axis, or None if there is none."""
    try:
        return find_nonzero(combine([(form, 1), (axis_form(axis, box), -1)]), box)
    except FormTooLarge:
        return Nonzero(tuple(low for low, _ in box), False)
