"""Compares what selections answer with what an enumeration of their members says.

Entry: `made`, `agrees_alone`, `agrees_in_pair`, `agrees_in_cover`; each raises AssertionError where
    they differ, and so finds a mutant of the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from plain_sets.enumeration import Form, listed

from alpha.ir.selections import Empty, Join, Repeat, Selection, Stride
from alpha.ir.selections.relations import (
    CoverFlaw,
    check_cover,
    first_common,
    first_difference,
    first_outside,
)


def made(form: Form) -> Selection:
    """The selection that a form is; refuses what the constructors refuse."""
    match form:
        case ("stride", start, step, count):
            return Stride(start, step, count)
        case ("repeat", count, step, inner):
            return Repeat(count, step, made(inner))
        case ("join", *parts):
            return Join(tuple(made(part) for part in parts))
        case _:
            return Empty()


def nodes_of(form: Form) -> int:
    """The number of words in a form's text."""
    return 1 + sum(nodes_of(part) for part in form[1:] if isinstance(part, tuple))


def agrees_alone(random: Random, form: Form) -> Selection:
    """Everything that is asked of one selection that has members; gives the selection."""
    selection, members = made(form), listed(form)
    assert selection.size == len(members)
    assert list(selection) == members
    assert (selection.min, selection.max) == (members[0], members[-1])
    assert selection.span == members[-1] - members[0]
    assert selection.is_interval == (len(members) == selection.span + 1)
    assert selection.nodes == nodes_of(form)
    for probe in (random.randrange(-2, members[-1] + 4), random.choice(members)):
        below = sum(member < probe for member in members)
        assert selection.rank(probe) == below
        assert (probe in selection) == (probe in members)
        if probe in selection:
            assert selection.index(probe) == below
            assert selection.nth(below) == probe
    again = Selection.parse(str(selection))
    assert again == selection
    assert again.digest() == selection.digest()
    return selection


def agrees_in_pair(one: Selection, other: Selection, its: set[int], others: set[int]) -> None:
    """Everything that is asked of two selections, with their members."""
    assert first_common(one, other) == min(its & others, default=None)
    assert first_difference(one, other) == min(its ^ others, default=None)
    assert first_outside(one, other) == min(its - others, default=None)


def agrees_in_cover(forms: Sequence[Form], size: int) -> CoverFlaw | None:
    """Whether the forms, with members below `size`, cover it exactly once; gives the flaw."""
    holders: list[list[int]] = [[] for _ in range(size)]
    for number, form in enumerate(forms):
        for member in listed(form):
            holders[member].append(number)
    wrong = next((at for at in range(size) if len(holders[at]) != 1), None)
    expected = None if wrong is None else CoverFlaw(wrong, tuple(holders[wrong][:2]))
    flaw = check_cover([made(form) for form in forms], size)
    assert flaw == expected
    return flaw
