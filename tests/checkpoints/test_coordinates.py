"""Members and ranks of random selections, many at a time, against lists of them."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from counted_calls import calls_of
from plain_sets.enumeration import listed, random_form

from alpha.ir.checkpoints.coordinates import coordinates_of
from alpha.ir.checkpoints.meetings import meeting
from alpha.ir.selections import Empty, Join, Repeat, Selection, Stride


def made(form: tuple[object, ...]) -> Selection:
    """A form as a selection."""
    match form:
        case ("stride", *numbers):
            return Stride(*numbers)  # type: ignore[arg-type]
        case ("repeat", count, step, inner):
            return Repeat(count, step, made(inner))  # type: ignore[arg-type]
        case ("join", *parts):
            return Join(tuple(made(part) for part in parts))  # type: ignore[arg-type]
        case _:
            return Empty()


@pytest.mark.parametrize("seed", range(120))
def test_members_and_ranks(seed: int) -> None:
    random = Random(seed)
    form = random_form(random, random.randrange(1, 5))
    members = listed(form)
    coordinates = coordinates_of(made(form))
    for _ in range(12):
        low, high = sorted(random.randrange(len(members) + 1) for _ in range(2))
        assert coordinates.members(low, high).tolist() == members[low:high]
    numbers = list(range(-3, members[-1] + 4))
    random.shuffle(numbers)
    ranks = coordinates.ranks(np.array(numbers, np.int64)).tolist()
    places = {member: at for at, member in enumerate(members)}
    assert ranks == [places.get(number, -1) for number in numbers]
    assert coordinates.ranks(np.empty(0, np.int64)).tolist() == []


def test_no_member_at_all() -> None:
    coordinates = coordinates_of(Empty())
    assert coordinates.members(0, 0).tolist() == []
    assert coordinates.ranks(np.array([0, 5])).tolist() == [-1, -1]


def test_the_last_numbers_of_63_bits() -> None:
    top = (1 << 63) - 1
    for selection in (
        Stride(top, 1, 1),
        Stride(1, 1 << 62, 2),
        Repeat(2, 1 << 62, Stride(7, 3, 9)),
    ):
        coordinates = coordinates_of(selection)
        members = list(selection)
        assert coordinates.members(0, selection.size).tolist() == members
        assert coordinates.ranks(np.array(members)).tolist() == list(range(selection.size))


@pytest.mark.parametrize("seed", range(200))
def test_common_members(seed: int) -> None:
    """Of two strides, which are decided by arithmetic, and of any other two."""
    random = Random(seed)
    depth = random.choice((1, 1, 3))
    forms = [random_form(random, depth, low=random.randrange(9), large=3) for _ in range(2)]
    one, other = (listed(form) for form in forms)
    mine, others = (coordinates_of(made(form)) for form in forms)
    for _ in range(8):
        low, high = sorted(random.sample(range(len(one) + 1), 2))
        found = meeting(mine, low, high, others)
        common = [member for member in one[low:high] if member in other]
        assert found.ranks.tolist() == [one.index(member) for member in common]
        assert found.other_ranks.tolist() == [other.index(member) for member in common]


@pytest.mark.parametrize(
    "selection",
    [
        Repeat(40_000, 5, Stride(1, 2, 2)),
        Join(tuple(Stride(7 * at, 1 + at % 3, 1 + at % 2) for at in range(40_000))),
        Repeat(200, 20_000, Join(tuple(Stride(7 * at, 2, 2) for at in range(200)))),
    ],
)
def test_no_step_a_copy_or_a_part(selection: Selection) -> None:
    """Once it is prepared, Python takes a few steps for all members together."""
    coordinates = coordinates_of(selection)
    size = selection.size
    members = list(selection)

    def ask() -> None:
        assert coordinates.members(1, size - 1).tolist() == members[1:-1]
        assert coordinates.ranks(np.array(members)).tolist() == list(range(size))

    assert calls_of(ask) < 200


def test_strides_of_10_to_the_17_members_meet_at_once() -> None:
    """Nothing as long as either of them is made."""
    one = coordinates_of(Stride(3, 10, 10**17))
    other = coordinates_of(Stride(1, 9, 10**17))
    found = meeting(one, 10**16, 10**16 + 27, other)
    members = [3 + 10 * int(rank) for rank in found.ranks]
    assert members == [1 + 9 * int(rank) for rank in found.other_ranks]
    low = 3 + 10**17
    assert members == [at for at in range(low, low + 270) if at % 10 == 3 and at % 9 == 1]


def test_strides_that_hardly_meet() -> None:
    """10^10 members each, none of which is looked at but those that both have."""
    steps = 10**8 + 7, 10**8 + 9
    one, other = (Stride(at, step, 10**10) for at, step in zip((3, 1), steps, strict=True))
    found = meeting(coordinates_of(one), 5, one.size, coordinates_of(other))
    members = [one.nth(int(rank)) for rank in found.ranks]
    assert members == [other.nth(int(rank)) for rank in found.other_ranks]
    assert len(members) in (99, 100)
    apart = steps[0] * steps[1]
    assert members == list(range(members[0], one.nth(5) + 100 * apart, apart))[: len(members)]
    assert members[0] < one.nth(5) + apart


def test_the_selection_with_fewer_members_is_looked_through() -> None:
    """Whichever of both it is: the other one has 10^12."""
    few = Join((Stride(5, 7, 3), Repeat(2, 10**12, Stride(49, 1, 2))))
    many = Repeat(2 * 10**10, 100, Stride(0, 1, 50))
    common = [member for member in few if member % 100 < 50]
    assert common == [5, 12, 19, 49, 10**12 + 49]
    one, other = coordinates_of(few), coordinates_of(many)
    found = meeting(one, 0, few.size, other)
    assert [few.nth(int(rank)) for rank in found.ranks] == common
    assert [many.nth(int(rank)) for rank in found.other_ranks] == common
    found = meeting(other, 0, many.size, one)
    assert [many.nth(int(rank)) for rank in found.ranks] == common
