"""Places that are come to whenever another is, against all ways to take the arms of choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from itertools import product
from random import Random

import pytest

from alpha.ir.schedules.stands import Arms, is_covered

ARMS = {"a": 2, "b": 3, "c": 2, "d": 2}
"""How many arms each choice has."""

INSIDE = {"b": ("a", 1), "c": ("b", 0)}
"""The arm in which a choice stands; others stand in none."""


def place(random: Random) -> Arms:
    """A place somewhere in the arms, as `arms_around` says it: from the inside out."""
    name = random.choice((None, *ARMS))
    if name is None:
        return {}
    found: dict[Hashable, tuple[int, int]] = {name: (random.randrange(ARMS[name]), ARMS[name])}
    while name in INSIDE:
        name, arm = INSIDE[name]
        found[name] = arm, ARMS[name]
    return found


def is_come_to(arms: Arms, taken: dict[str, int]) -> bool:
    return all(taken[str(name)] == arm for name, (arm, _) in arms.items())


@pytest.mark.parametrize("start", range(0, 800, 200))
def test_covered_is_come_to_in_every_way(start: int) -> None:
    ways = [dict(zip(ARMS, arms, strict=True)) for arms in product(*map(range, ARMS.values()))]
    seen: Counter[bool] = Counter()
    for seed in range(start, start + 200):
        random = Random(seed)
        arms = place(random)
        places = [place(random) for _ in range(random.randrange(7))]
        wanted = all(
            any(is_come_to(each, taken) for each in places)
            for taken in ways
            if is_come_to(arms, taken)
        )
        assert is_covered(arms, places) == wanted, (arms, places)
        seen[wanted] += 1
    assert min(seen[True], seen[False]) > 20


def test_many_choices_are_looked_at_once_each() -> None:
    """In pairs of choices, one in the other: 2 to the power of 60 ways. And in long rows."""
    places: list[Arms] = [{f"b{n}": (0, 2), f"a{n}": (0, 2)} for n in range(60)]
    assert not is_covered({}, places)
    assert is_covered({}, [*places, {"b0": (1, 2), "a0": (0, 2)}, {"a0": (1, 2)}])
    row: list[Arms] = [{n: (0, 2)} for n in range(1000)]
    assert not is_covered({}, row)
    assert is_covered({999: (0, 2)}, row)
