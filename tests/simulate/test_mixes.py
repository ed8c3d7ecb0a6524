"""Mixes of devices are decided from their selections, as by a look at every role."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from alpha.ir.protocol.fleets import (
    Mix,
    Named,
    busy_roles,
    even_split,
    intervals,
    without,
)
from alpha.ir.protocol.groups import Group
from alpha.ir.refusals import Refusal
from alpha.ir.runs import Runs
from alpha.ir.selections import Empty, Join, Repeat, Selection, Stride

ROLES = 60


def selection_at_random(random: Random) -> Selection:
    """A selection of some of 60 roles."""
    start = random.randrange(ROLES)
    step = random.randrange(1, 9)
    count = random.randrange(1, (ROLES - start - 1) // step + 2)
    plain = Stride(start, step, count)
    if plain.max + 1 >= ROLES or random.random() < 0.5:
        return plain
    copies = (ROLES - start) // (plain.span + 1)
    if copies > 1 and random.random() < 0.5:
        return Repeat(copies, plain.span + 1, plain)
    return Join((plain, Stride(plain.max + 1, 1, ROLES - plain.max - 1)))


def parts_at_random(random: Random, names: str) -> tuple[Named, ...]:
    count = random.randrange(3)
    return tuple(Named(random.choice(names), selection_at_random(random)) for _ in range(count))


def shares_at_random(random: Random) -> tuple[Named, ...]:
    """Capabilities that are right, or have one role too few or too many now and then."""
    roles = {name: [r for r in range(ROLES) if (r * 7 + r // 9) % 3 == name] for name in range(3)}
    if random.random() < 0.5:
        name, role = random.randrange(3), random.randrange(ROLES)
        roles[name] = sorted({*roles[name], role} if role % 2 else {*roles[name]} - {role})
    return tuple(
        Named(f"c{name}", Join(tuple(Stride(role, 1, 1) for role in members)))
        for name, members in roles.items()
    )


def test_the_first_wrong_role() -> None:
    random = Random(5)
    group = Group(ROLES, 0, b"", Join((Stride(1, 1, 20), Stride(30, 2, 15))))
    codes: Counter[str] = Counter()
    for _ in range(400):
        members = list(group.members)
        mix = Mix(shares_at_random(random), Empty(), parts_at_random(random, "xyz"))
        wanted = first_wrong(mix, members)
        codes[wanted[0]] += 1
        if not wanted[0]:
            mix.check(group)
            continue
        with pytest.raises(Refusal, match=f"for role {wanted[1]}$") as refused:
            mix.check(group)
        assert refused.value.code == wanted[0]
    assert min(codes.values()) > 20
    assert len(codes) == 4


def first_wrong(mix: Mix, members: list[int]) -> tuple[str, int]:
    for role in members:
        count = sum(role in part.roles for part in mix.capabilities)
        if count != 1:
            kind = "duplicate" if count else "missing"
            return f"fleet-capability-{kind}", role
    for role in members:
        if sum(role in part.roles for part in mix.devices) > 1:
            return "fleet-device-duplicate", role
    return "", 0


def test_contributors_by_a_look_at_every_role() -> None:
    random = Random(6)
    refused = 0
    for _ in range(400):
        counts = [random.choice((0, 0, 1, 2)) * (role % 11 < 6) for role in range(ROLES)]
        others = [int(role in (7, 8, 40)) for role in range(ROLES)]
        mix = Mix(control=control_at_random(random), devices=disjoint_parts(random))
        busy = busy_roles([Runs.of(counts), Runs.of(others)])
        working = [role for role in range(ROLES) if counts[role] or others[role]]
        relaying = [role for role in working if role in mix.control]
        if relaying:
            refused += 1
            with pytest.raises(Refusal, match=f"some with role {relaying[0]}$") as found:
                mix.contributors(busy)
            assert found.value.code == "fleet-control-work"
            continue
        devices = {
            next((part.name for part in mix.devices if role in part.roles), role)
            for role in working
        }
        result = mix.contributors(busy)
        assert (result.roles, result.devices) == (len(working), len(devices))
    assert 50 < refused < 350


def control_at_random(random: Random) -> Selection:
    return Empty() if random.random() < 0.5 else Stride(random.randrange(ROLES), 1, 1)


def disjoint_parts(random: Random) -> tuple[Named, ...]:
    """Devices with roles apart; two parts may have one name."""
    cut = random.randrange(1, ROLES - 1)
    parts = [Stride(0, 2, (cut + 1) // 2), Stride(cut, 3, (ROLES - cut + 2) // 3)]
    return tuple(Named(random.choice("ab"), part) for part in parts)


def test_intervals_and_what_is_left() -> None:
    random = Random(7)
    for _ in range(300):
        one, other = selection_at_random(random), selection_at_random(random)
        found = intervals(one, "roles")
        assert [role for low, high in found for role in range(low, high)] == list(one)
        assert all(end < start for (_, end), (start, _) in pairwise(found))
        left = without(found, intervals(other, "roles"))
        wanted = [role for role in one if role not in other]
        assert [role for low, high in left for role in range(low, high)] == wanted


def test_too_many_intervals() -> None:
    with pytest.raises(Refusal, match="relays in at most 65536 runs") as refused:
        intervals(Stride(0, 2, 100_000), "relays")
    assert refused.value.code == "select-budget"


def test_an_even_split() -> None:
    random = Random(8)
    for _ in range(300):
        working = intervals(selection_at_random(random), "roles")
        total = random.randrange(200)
        split = list(even_split(total, working, ROLES))
        roles = [role for low, high in working for role in range(low, high)]
        given = [split[role] for role in roles]
        assert sum(split) == sum(given) == total
        assert len(split) == ROLES
        assert given == sorted(given, reverse=True)
        assert given[0] - given[-1] <= 1


@pytest.mark.parametrize(
    ("mix", "code"),
    [
        (Mix((Named("a", Stride(0, 1, ROLES + 1)),)), "select-universe"),
        (Mix(control=Stride(ROLES, 1, 1)), "select-universe"),
        (Mix(devices=(Named("a", Empty()),)), "select-empty"),
    ],
)
def test_selections_that_are_not_of_roles(mix: Mix, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        mix.check(Group.whole(ROLES))
    assert refused.value.code == code


def test_two_hundred_thousand_roles() -> None:
    """Interleaved capabilities are one sweep over their expressions."""
    group = Group.whole(200_000)
    even, odd = Stride(0, 2, 100_000), Stride(1, 2, 100_000)
    Mix((Named("a", even), Named("b", odd))).check(group)
    with pytest.raises(Refusal, match="none for role 199999"):
        Mix((Named("a", even), Named("b", Stride(1, 2, 99_999)))).check(group)
    more = Join((Stride(1, 2, 50_000), Stride(100_000, 1, 100_000)))
    with pytest.raises(Refusal, match="a and b for role 100000"):
        Mix((Named("a", even), Named("b", more))).check(group)
