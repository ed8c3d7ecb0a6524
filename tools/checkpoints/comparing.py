"""Two generations, word by word, by their bits: whoever has which word of each.

Invariant: they are equal if they have one version, one learner and the same bits in every word of
    every state; owners, partitioning and tree don't matter. -0.0 isn't 0.0. No more than some
    words of a state are in memory.
Entry: `compare`, `print_comparison`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from alpha.tools.checkpoints.paths import reading
from alpha.tools.checkpoints.storing import CHUNK_WORDS
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import write_line
from alpha.tools.tables import print_table

if TYPE_CHECKING:
    from alpha.ir.checkpoints.facts import StateFacts
    from alpha.ir.checkpoints.reading import Generation

Array = np.ndarray[Any, Any]

NONE = "-"


class Difference(NamedTuple):
    """How two states differ: in how many words, and the first one, by its number and as it is."""

    words: int
    first: int
    left: Array
    right: Array


def print_comparison(left: Generation, right: Generation, found: Mapping[str, Difference]) -> bool:
    """Print whether two generations are equal, and where they differ; gives whether they are.

    `found` is what `compare` says of them.

    Raises InputOutputError or OutputClosed.
    """
    differing = [*_versions(left, right), *_print_parts(left, right), *_print_types(left, right)]
    print_table("words that differ", _HEADING, _rows(left, found))
    if left.facts.contract != right.facts.contract:
        write_line("\ntwo contracts: sums are rounded in different orders")
    words = sum(each.words for each in found.values())
    if words:
        fields = counted(len(found), "field")
        differing.insert(0, f"{counted(words, 'word')} of {fields}")
    if differing:
        write_line(f"\ndifferent: {', '.join(differing)}")
        return False
    fields = counted(len(left.facts.states), "field")
    write_line(f"equal: {counted(left.facts.words, 'word')} of {fields}")
    return True


def compare(
    left: Generation, right: Generation, told: Callable[[int, int], None]
) -> dict[str, Difference]:
    """How each state differs that both have with one type; those that don't are left out.

    `told` hears of the words that have been compared, and of all.

    Raises:
        Refusal: a shard isn't what it was.
        InputOutputError: one can't be read.
    """
    others = {state.name: state for state in right.facts.states}
    both = [
        state
        for state in left.facts.states
        if state.name in others and others[state.name].type == state.type
    ]
    total, before = sum(state.words for state in both), 0
    found: dict[str, Difference] = {}
    for state in both:
        start = before
        difference = _compare(
            left, right, state, lambda done, start=start: told(start + done, total)
        )
        if difference is not None:
            found[state.name] = difference
        before += state.words
    return found


def _compare(
    left: Generation, right: Generation, state: StateFacts, told: Callable[[int], None]
) -> Difference | None:
    words, first = 0, None
    done = 0
    with reading(left.path):
        chunks = [each.chunks(state.name, None, CHUNK_WORDS) for each in (left, right)]
        for one, other in zip(*chunks, strict=True):
            differing = np.flatnonzero(_bits(one) != _bits(other))
            if first is None and differing.size:
                at = int(differing[0])
                first = done + at, one[at : at + 1], other[at : at + 1]
            words += differing.size
            done += one.size
            told(done)
    return None if first is None else Difference(words, *first)


def _bits(words: Array) -> Array:
    return words.view(f"<u{words.itemsize}")


def _versions(left: Generation, right: Generation) -> list[str]:
    versions = left.version, right.version
    return [] if versions[0] == versions[1] else [f"versions {versions[0]} and {versions[1]}"]


def _print_parts(left: Generation, right: Generation) -> list[str]:
    """Print the parts of the learners that differ, and say how many."""
    sides = left.facts.parts, right.facts.parts
    rows = [
        (part, *(side.get(part, NONE) for side in sides))
        for part in {**sides[0], **sides[1]}
        if sides[0].get(part) != sides[1].get(part)
    ]
    names = [] if left.facts.name == right.facts.name else ["names of learners"]
    print_table("parts of the learners that differ", ("part", "first", "second"), rows)
    return [*names, *([f"{counted(len(rows), 'part')} of the learners"] if rows else [])]


def _print_types(left: Generation, right: Generation) -> list[str]:
    """Print the states that only one has, or of which they have two types, and say how many."""
    sides = [{state.name: state.type for state in each.facts.states} for each in (left, right)]
    rows = [
        (name, *(side.get(name, NONE) for side in sides))
        for name in {**sides[0], **sides[1]}
        if sides[0].get(name) != sides[1].get(name)
    ]
    print_table("fields that one has, or with two types", ("field", "first", "second"), rows)
    return [f"types of {counted(len(rows), 'field')}"] if rows else []


_HEADING = ("field", "words", "differing", "first at", "first", "bits", "second", "bits")


def _rows(left: Generation, found: Mapping[str, Difference]) -> list[Sequence[object]]:
    rows: list[Sequence[object]] = []
    for name, difference in found.items():
        state = left.facts.state(name)
        index = [int(axis) for axis in np.unravel_index(difference.first, state.shape)]
        sides = (cell for side in (difference.left, difference.right) for cell in _word(side))
        rows.append((name, state.words, difference.words, index, *sides))
    return rows


def _word(word: Array) -> tuple[str, str]:
    """A word as a number, with as many digits as tell it from all others, and its bits."""
    (number,), (bits,) = word, _bits(word)
    return str(number), f"0x{int(bits):0{2 * word.itemsize}x}"
