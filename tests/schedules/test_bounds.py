"""What edges carry, in all and at a time, against runs; and how far roles may be apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice, permutations
from random import Random

import pytest
from schedules.explore import (
    Decisions,
    Runs,
    decided_at_random,
    explored,
    resolved,
    resolved_at_random,
    runs_of,
)
from schedules.plain_protocols import Choice, Protocol, Repeat, Transfer, numbered, schedules_of
from schedules.random_protocols import random_protocol
from schedules.rounds import all_reduce, random_loop, ring
from schedules.stops import knowledge, most_in_flight

from alpha.ir.schedules import hearing
from alpha.ir.schedules.bounds import EdgeBound, edge_bounds
from alpha.ir.schedules.events import Label, Loop, Schedules
from alpha.ir.schedules.hearing import heard
from alpha.ir.schedules.matched import Matched
from alpha.ir.topologies import PreorderTree

Edge = tuple[int, int]


def frame(label: Label) -> int:
    return 1


def octets(label: Label) -> int:
    return 8 * label.words


def in_all(runs: Runs, size: Callable[[Label], int]) -> Counter[Edge]:
    """What each edge carries in one run."""
    found: Counter[Edge] = Counter()
    for role, acts in runs.items():
        for sends, peer, label in acts:
            if sends:
                found[role, peer] += size(label)
    return found


def most(found: list[dict[Edge, int]]) -> dict[Edge, int]:
    """The most of each edge."""
    return {edge: max(each.get(edge, 0) for each in found) for each in found for edge in each}


def test_small_protocols_against_all_that_can_happen() -> None:
    random = Random(7)
    exact = total = 0
    while total < 700:
        schedules = schedules_of(random_protocol(random, random.choice((4, 6))))
        runs = list(islice(resolved(schedules), 30))
        if len(runs) == 30 or sum(map(len, runs[0].values())) > 20:
            continue
        bounds = edge_bounds(Matched.of(schedules))
        assert {edge: each.frames for edge, each in bounds.items()} == most(
            [in_all(each, frame) for each in runs]
        )
        assert {edge: each.payload_bytes for edge, each in bounds.items()} == most(
            [in_all(each, octets) for each in runs]
        )
        explorations = [explored(each, None).in_flight for each in runs]
        assert explorations == [most_in_flight(each, frame) for each in runs]
        for edge, number in most(explorations).items():
            assert number <= bounds[edge].frames_in_flight
            exact += number == bounds[edge].frames_in_flight
            total += 1
    assert exact > 0.98 * total


@pytest.fixture(params=[hearing.FEW, 0], ids=["from each role", "from one place"])
def followed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """How far roles are apart is found for few roles, or as for many."""
    monkeypatch.setattr(hearing, "FEW", request.param)


@pytest.mark.usefixtures("followed")
def test_long_loops_against_what_roles_know() -> None:
    random = Random(8)
    exact = total = 0
    for _ in range(150):
        schedules = schedules_of(random_loop(random))
        bounds = edge_bounds(Matched.of(schedules))
        runs = [resolved_at_random(schedules, random) for _ in range(8)]
        for edge, number in most([most_in_flight(each, frame) for each in runs]).items():
            assert number <= bounds[edge].frames_in_flight
            exact += number == bounds[edge].frames_in_flight
            total += 1
        for edge, number in most([most_in_flight(each, octets) for each in runs]).items():
            assert number <= bounds[edge].payload_bytes_in_flight
    assert exact > 0.7 * total


def hears(
    schedules: Schedules, decisions: Decisions, bound: int
) -> Callable[[int, int, int], bool]:
    """Of a single loop: whether a role has heard, so many rounds later, that another one began."""
    knows = knowledge(runs_of(schedules, decisions))
    done = [
        {role: len(run) for role, run in runs_of(cut(schedules, turns), decisions).items()}
        for turns in range(1, bound + 1)
    ]

    def is_heard(role: int, other: int, rounds: int) -> bool:
        return all(
            knows[role][done[turn + rounds][role]][other] > (done[turn - 1][other] if turn else 0)
            for turn in range(bound - rounds)
        )

    return is_heard


def random_loops(
    random: Random, count: int
) -> Iterator[tuple[Schedules, int, int | None, list[int]]]:
    """Loops that stand alone: schedules, bound and, of each party, the K found and its roles."""
    for _ in range(count):
        loop = next(step for step in random_loop(random) if isinstance(step, Repeat))
        schedules = schedules_of((loop,))
        matched = Matched.of(schedules)
        members: dict[int, list[int]] = {}
        for number, scope in enumerate(matched.lines.scopes):
            if isinstance(scope.step, Loop) and scope.step.site == loop.site:
                members.setdefault(matched.party[number], []).append(scope.role)
        found = heard(matched.lines, matched.partner, matched.party)
        for number, roles in members.items():
            yield schedules, loop.bound, found[number], roles


@pytest.mark.usefixtures("followed")
def test_roles_hear_of_each_other_as_soon_as_is_said() -> None:
    random = Random(9)
    said: Counter[int | None] = Counter()
    for schedules, bound, rounds, roles in random_loops(random, 250):
        is_heard = hears(schedules, decided_at_random(schedules, random), bound)
        if rounds is not None:
            assert all(is_heard(role, other, rounds) for role, other in permutations(roles, 2))
        said[rounds] += 1
    assert {None, 0, 1, 2} <= said.keys()


def test_without_choices_and_loops_inside_few_roles_hear_no_sooner_than_is_said() -> None:
    said: Counter[int | None] = Counter()
    for schedules, bound, rounds, roles in random_loops(Random(12), 400):
        text = str(schedules)
        if "Branch" not in text and text.count("Loop(") == len(schedules):
            is_heard = hears(schedules, {}, bound)
            pairs = list(permutations(roles, 2))
            fewest = (
                number
                for number in range(bound)
                if all(is_heard(role, other, number) for role, other in pairs)
            )
            assert next(fewest, None) == rounds
            said[rounds] += 1
    assert {None, 0, 1, 2} <= said.keys()


def cut(schedules: Schedules, bound: int) -> Schedules:
    """Schedules of a single loop, which is run less often."""
    return {
        role: [replace(step, bound=bound) for step in steps if isinstance(step, Loop)]
        for role, steps in schedules.items()
    }


def rounds_apart(protocol: Protocol) -> int | None:
    """K of the only loop of a protocol."""
    matched = Matched.of(schedules_of(protocol))
    (rounds,) = heard(matched.lines, matched.partner, matched.party).values()
    return rounds


@pytest.mark.parametrize("tree", [PreorderTree(7, 2), PreorderTree(9, 8), PreorderTree(6, 1)])
def test_up_and_down_a_tree_all_hear_of_all_in_one_round(tree: PreorderTree) -> None:
    protocol = all_reduce(200_000, tree)
    assert rounds_apart(protocol) == 0
    bounds = edge_bounds(Matched.of(schedules_of(protocol)))
    assert set(bounds.values()) == {EdgeBound(200_000, 1_600_000, 1, 8)}


def test_along_a_ring_rounds_pass_until_all_have_heard() -> None:
    for roles in (5, 12):
        assert rounds_apart(ring(9, roles)) == 1
        bounds = edge_bounds(Matched.of(schedules_of(ring(9, roles))))
        assert {bound.frames_in_flight for bound in bounds.values()} == {3}


def test_what_comes_back_first_is_of_the_round_before() -> None:
    for roles, rounds in ((2, 0), (3, 1), (9, 1)):
        down = tuple(Transfer(0, role) for role in range(1, roles))
        up = tuple(Transfer(role, 0) for role in range(1, roles))
        assert rounds_apart(numbered((Repeat(9, False, (*down, *up)),))) == rounds
        assert rounds_apart(numbered((Repeat(9, False, (*up, *down)),))) == 0


def test_who_never_hears_may_be_all_rounds_ahead() -> None:
    chain = numbered((Repeat(1000, False, (Transfer(0, 1, 3), Transfer(1, 2))),))
    assert rounds_apart(chain) is None
    bounds = edge_bounds(Matched.of(schedules_of(chain)))
    assert bounds[0, 1] == EdgeBound(1000, 24_000, 1000, 24_000)
    assert bounds[1, 2] == EdgeBound(1000, 8_000, 1000, 8_000)


def answered(*arms: Protocol) -> int:
    """How many frames role 0 may be ahead of role 1, which answers as a choice says."""
    protocol = numbered((Repeat(100, False, (Transfer(0, 1), Choice(arms))),))
    return edge_bounds(Matched.of(schedules_of(protocol)))[0, 1].frames_in_flight


@pytest.mark.usefixtures("followed")
def test_an_answer_counts_only_if_every_arm_has_one() -> None:
    direct = (Transfer(1, 0),)
    over_2 = (Transfer(1, 2), Transfer(2, 0))
    assert answered(direct, direct) == 1
    assert answered(over_2, over_2) == 3
    assert answered(direct, ()) == 100
    assert answered(over_2, (Transfer(1, 2),)) == 100


def test_what_was_sent_behind_the_last_answer_stays_while_none_comes() -> None:
    answer_and_more = (Transfer(1, 0), *(Transfer(0, 1) for _ in range(3)))
    loop = Repeat(10, False, (Choice((answer_and_more, (Transfer(0, 1),))),))
    bounds = edge_bounds(Matched.of(schedules_of(numbered((loop,)))))
    assert bounds[0, 1].frames_in_flight == 3 + 9
    bounds = edge_bounds(Matched.of(schedules_of(numbered((loop, Transfer(0, 1))))))
    assert bounds[0, 1].frames_in_flight == 3 + 9 + 1


def test_frames_and_bytes_take_the_larger_arm() -> None:
    choice = Choice(((Transfer(0, 1, 1), Transfer(0, 1, 1)), (Transfer(0, 1, 5),)))
    bounds = edge_bounds(Matched.of(schedules_of(numbered((Repeat(7, False, (choice,)),)))))
    assert bounds == {(0, 1): EdgeBound(14, 280, 14, 280)}


def test_bounds_are_exact_however_large_they_are() -> None:
    bound = 2**63 - 1
    protocol = numbered((Repeat(bound, False, (Repeat(bound, False, (Transfer(0, 1),)),)),))
    bounds = edge_bounds(Matched.of(schedules_of(protocol)))
    assert bounds[0, 1].payload_bytes == 8 * bound**2


def test_a_word_has_the_bytes_of_its_type() -> None:
    sizes = {"f32": 4, "f64": 8, "i64": 8, "i1": 1}
    for element, size in sizes.items():
        assert Label(0, 0, 0, 3, element).payload_bytes == 3 * size
