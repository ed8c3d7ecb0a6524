"""How long roles wait once one has stopped, against what happens at every place to stop."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from schedules.explore import resolved, resolved_at_random
from schedules.plain_protocols import Repeat, Transfer, numbered, schedules_of
from schedules.random_protocols import random_protocol
from schedules.rounds import all_reduce, random_loop
from schedules.stops import longest_after_a_stop

from alpha.ir.schedules.events import Action, Label
from alpha.ir.schedules.longest import longest_wait
from alpha.ir.schedules.matched import Matched
from alpha.ir.topologies import PreorderTree


def one(label: Label) -> int:
    return 1


def words(label: Label) -> int:
    return label.words


def by_words(receive: Action) -> int:
    return receive.label.words


def test_small_protocols_at_every_place() -> None:
    random = Random(10)
    exact = total = 0
    for _ in range(120):
        schedules = schedules_of(random_protocol(random, random.choice((3, 6))))
        matched = Matched.of(schedules)
        runs = list(islice(resolved(schedules), 12))
        for role in schedules:
            waits = longest_wait(matched, role)
            weighted = longest_wait(matched, role, by_words)
            found = 0
            for run in runs:
                for after in range(len(run[role]) + 1):
                    found = max(found, longest_after_a_stop(run, role, after, one))
                    assert longest_after_a_stop(run, role, after, words) <= weighted
            assert found <= waits
            exact += found == waits
            total += 1
    assert exact > 0.25 * total


def test_long_loops_at_some_places() -> None:
    random = Random(11)
    for _ in range(120):
        schedules = schedules_of(random_loop(random))
        matched = Matched.of(schedules)
        for run in (resolved_at_random(schedules, random) for _ in range(2)):
            for role in schedules:
                waits = longest_wait(matched, role)
                for after in {random.randrange(len(run[role]) + 1) for _ in range(4)}:
                    assert longest_after_a_stop(run, role, after, one) <= waits


@pytest.mark.parametrize(
    ("tree", "path"),
    [(PreorderTree(2, 1), 2), (PreorderTree(9, 8), 16), (PreorderTree(7, 2), 8)],
)
def test_a_round_of_a_tree_counts_three_times(tree: PreorderTree, path: int) -> None:
    """Once for who is behind, once for the round itself, and once for who is ahead."""
    for bound, times in ((1, 1), (2, 2), (3, 3), (200_000, 3)):
        matched = Matched.of(schedules_of(all_reduce(bound, tree)))
        assert {longest_wait(matched, role) for role in range(tree.count)} == {times * path}


def test_who_does_not_take_part_in_a_loop_stops_nobody_in_it() -> None:
    loop = Repeat(50, False, (Transfer(0, 1), Transfer(1, 0)))
    matched = Matched.of(schedules_of(numbered((Transfer(2, 0), loop, Transfer(1, 2)))))
    assert longest_wait(matched, 0) == 1 + 3 * 2 + 1
    assert longest_wait(matched, 2) == 1 + 50 * 2 + 1


def test_bounds_add_up_along_one_path_only() -> None:
    protocol = numbered((Transfer(0, 1, 5), Transfer(2, 3, 7), Transfer(3, 1, 1)))
    matched = Matched.of(schedules_of(protocol))
    assert longest_wait(matched, 0, by_words) == 8
    assert longest_wait(matched, 0) == 2
