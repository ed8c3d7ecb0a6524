"""The model checker that the checker is compared with finds what can be found by hand."""

from __future__ import annotations

import pytest
from schedules.explore import explored, resolved
from schedules.short import choice, loop, receive, send

from alpha.ir.schedules.events import Loop, Schedules

BOTH_SEND_FIRST = {0: [send(1, 1), receive(1, 2)], 1: [send(0, 2), receive(0, 1)]}
TWO_AND_TWO = {
    0: [send(1, 1), send(1, 2), receive(1, 3), receive(1, 4)],
    1: [send(0, 3), send(0, 4), receive(0, 1), receive(0, 2)],
}


@pytest.mark.parametrize(
    ("schedules", "capacity", "faults"),
    [
        (BOTH_SEND_FIRST, 0, {"stuck"}),
        (BOTH_SEND_FIRST, 1, set()),
        (TWO_AND_TWO, 1, {"stuck", "orphaned"}),
        (TWO_AND_TWO, None, set()),
        ({0: [send(1, 1)], 1: []}, 0, {"unfinished"}),
        ({0: [send(1, 1)], 1: []}, 1, {"orphaned"}),
        ({0: [receive(1, 1)], 1: []}, None, {"unfinished"}),
        ({0: [send(1, 1)], 1: [receive(0, 2)]}, 0, {"mismatched", "stuck"}),
        ({0: [send(1, 1)], 1: [receive(0, 2)]}, None, {"mismatched", "orphaned", "unfinished"}),
        ({0: [send(5, 1)]}, 0, {"unfinished"}),
    ],
)
def test_faults_have_their_names(
    schedules: Schedules, capacity: int | None, faults: set[str]
) -> None:
    (runs,) = resolved(schedules)
    assert explored(runs, capacity).faults == faults


def test_a_sender_may_be_ahead() -> None:
    schedules = {0: [loop(3, 9, send(1, 1))], 1: [loop(3, 9, receive(0, 1))]}
    (runs,) = resolved(schedules)
    found = explored(runs, None)
    assert found.in_flight == {(0, 1): 3}
    assert found.states == 10
    assert explored(runs, 1).in_flight == {(0, 1): 1}
    assert explored(runs, 0).states == 4


def test_every_way_to_decide_is_tried_and_all_roles_go_the_same_way() -> None:
    body = choice(8, [send(1, 1)], [send(1, 2), send(1, 3)]), choice(8, [receive(0, 1)], [])
    schedules = {0: [Loop(3, True, 9, [body[0]])], 1: [Loop(3, True, 9, [body[1]])]}
    runs = list(resolved(schedules))
    assert len(runs) == 2 + 4 + 8  # after one round, after two, after three
    assert sorted({len(each[0]) for each in runs}) == [1, 2, 3, 4, 5, 6]
    for each in runs:
        sites = [label.site for _, _, label in each[0]]
        assert len(each[1]) == sites.count(1)
