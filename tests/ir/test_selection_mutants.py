"""Each rule of selections, made wrong on purpose, is noticed by the comparison with enumerations.

Why: an oracle that accepts a wrong rule proves nothing about the right one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from plain_sets.agreement import agrees_alone, agrees_in_cover, agrees_in_pair, made
from plain_sets.enumeration import (
    form_of,
    is_ascending,
    listed,
    periodic_form,
    random_form,
    random_numbers,
)

from alpha.ir.refusals import Refusal
from alpha.ir.selections import Join, Repeat, Stride, meeting, nodes, text, windows
from alpha.ir.selections.windows import Piece


def compare() -> None:
    """A few thousand of the comparisons that the other tests make; AssertionError if one fails."""
    random = Random(11)
    before, before_members = agrees_alone(random, ("stride", 0, 1, 1)), {0}
    for _ in range(600):
        form = random_form(random, random.randrange(1, 4), large=random.choice((1, 1, 1, 4)))
        selection, members = agrees_alone(random, form), set(listed(form))
        agrees_in_pair(before, selection, before_members, members)
        before, before_members = selection, members
    for _ in range(300):
        size, owners = random.randrange(20, 200), random.randrange(2, 5)
        rule = [random.randrange(owners) for _ in range(random.randrange(1, 20))]
        parts = [
            [at for at in range(size) if rule[at % len(rule)] == owner] for owner in range(owners)
        ]
        if random.random() < 0.5:
            lost = random.choice(parts)
            lost[:] = lost[: random.randrange(len(lost) + 1)]
        agrees_in_cover([periodic_form(random, members) for members in parts], size)
        agrees_in_cover([form_of(random, members) for members in parts], size)
    for _ in range(1500):
        form = random_numbers(random, random.randrange(1, 4))
        try:
            made(form)
        except Refusal:
            assert not is_ascending(listed(form))
        else:
            assert is_ascending(listed(form))


def bounds_lost(repeat: Repeat, number: object) -> bool:
    assert isinstance(number, int)
    return (number - repeat.min) % repeat.step + repeat.min in repeat.inner


def rank_of_no_more_than(stride: Stride, number: int) -> int:
    return min(max((number - stride.start) // stride.step + 1, 0), stride.count)


def last_part_forgotten(join: Join, low: int, high: int) -> range:
    parts = [at for at, part in enumerate(join.parts) if part.max >= low and part.min <= high]
    return range(parts[0], parts[-1]) if len(parts) > 1 else range(parts[0], parts[0] + 1)


def turns_without_the_last(inner: Any, step: int, low: int, high: int) -> range:
    return range(-((inner.max - low) // step), max((high - inner.min) // step, 1))


def first_turn_of_one_range(
    turns: range, with_turns: range, ratio: int, with_ratio: int, apart: int
) -> int | None:
    turn = turns.start + (-apart * pow(ratio, -1, with_ratio) - turns.start) % with_ratio
    return turn if turn < turns.stop else None


def never_merged_but_last(runs: list, width: int) -> list:
    return runs[:1]


def not_moved(pieces: list[Piece], by: int) -> list[Piece]:
    return pieces


def clipped_to_whole_copies(
    search: object, node: object, weight: int, offset: int, low: int, high: int
) -> Iterator[Piece]:
    yield from ()


MUTANTS: dict[str, tuple[object, str, object]] = {
    "a repeat never ends": (Repeat, "__contains__", bounds_lost),
    "a member is below itself": (Stride, "rank", rank_of_no_more_than),
    "a join forgets its last part": (Join, "parts_between", last_part_forgotten),
    "the last copy doesn't meet": (meeting, "_turns_between", turns_without_the_last),
    "one range has no bounds": (meeting, "_first_turn", first_turn_of_one_range),
    "steps have no common divisor": (meeting, "gcd", lambda one, other: one),
    "only the first cells are looked at": (windows, "_merged", never_merged_but_last),
    "cells aren't moved": (windows, "_moved", not_moved),
    "copies across a bound are lost": (
        windows._Search,
        "_clip_node",
        clipped_to_whole_copies,
    ),
    "a family has unequal pieces": (
        windows,
        "_is_shifted",
        lambda piece, other, by: piece.low == other.low + by and piece.period == other.period,
    ),
    "a period is the larger one": (windows, "lcm", max),
    "a gap follows the first member": (windows, "_first_gap", lambda node: node.min + 1),
    "parts may be in any order": (nodes, "_refuse_parts", lambda parts, late: None),
    "texts lose a digit": (text, "int", lambda digits: int(digits[:1])),
}


def test_the_comparison_holds() -> None:
    """Nothing is noticed where nothing is wrong."""
    compare()


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutants_are_noticed(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With one rule replaced, some comparison fails."""
    where, name, wrong = MUTANTS[mutant]
    monkeypatch.setattr(where, name, wrong, raising=name != "int")
    with pytest.raises((AssertionError, ValueError, IndexError, Refusal)):
        compare()


WEAKER: dict[str, Callable[[int, int], bool]] = {
    "the step may be the span": lambda step, span: step == span,
    "any step will do": lambda step, span: step > 0,
}


@pytest.mark.parametrize("rule", WEAKER)
def test_a_weaker_rule_for_steps_is_noticed(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`step > span` is the rule under which enumerations ascend, and no weaker one is."""
    check: Callable[[Repeat], None] = Repeat.__post_init__

    def weaker(repeat: Repeat) -> None:
        step, span = repeat.step, repeat.inner.span
        if step <= span and WEAKER[rule](step, span):
            object.__setattr__(repeat, "step", span + 1)
        check(repeat)
        object.__setattr__(repeat, "step", step)

    monkeypatch.setattr(Repeat, "__post_init__", weaker)
    with pytest.raises((AssertionError, ValueError, IndexError)):
        compare()
