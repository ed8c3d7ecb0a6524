"""Each fault that schedules can have, with an accepted twin, and what the refusal says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from counted_calls import calls_of
from schedules.explore import explored, resolved
from schedules.short import choice, codes, loop, receive, send
from schedules.twins import TWINS, WRITTEN_OTHERWISE, Case, circle

from alpha.ir.refusals import TABLE, Place
from alpha.ir.schedules.checking import Limit, check_schedules
from alpha.ir.schedules.events import Action, Branch, Loop, Step


@pytest.mark.parametrize("name", TWINS)
def test_a_fault_is_refused_and_its_twin_is_not(name: str) -> None:
    code, refused, accepted = TWINS[name]
    assert code in TABLE
    assert code in codes(refused)
    assert codes(accepted) == []


@pytest.mark.parametrize("name", sorted(TWINS.keys() - WRITTEN_OTHERWISE))
def test_what_is_refused_does_go_wrong(name: str) -> None:
    _, refused, accepted = TWINS[name]
    assert any(explored(runs, 0).faults for runs in resolved(refused))
    assert not any(explored(runs, 0).faults for runs in resolved(accepted))


def test_a_role_without_a_schedule_is_named_alone() -> None:
    refusals = list(check_schedules({0: [send(1, 1)], 2: []}, {0, 1, 2}))
    assert [refusal.code for refusal in refusals] == ["protocol-role-unfinished"]
    assert refusals[0].expected == "a schedule of role 1"


def test_a_peer_outside_the_group_takes_nothing() -> None:
    (refusal,) = check_schedules({0: [send(1, 1)]}, {0})
    assert refusal.code == "protocol-orphan-send"
    assert refusal.found == "no schedule of that role"


def test_every_edge_is_looked_at() -> None:
    schedules = {0: [send(1, 1), receive(1, 2)], 1: [receive(0, 7), send(0, 8)], 2: [receive(0, 3)]}
    assert codes(schedules) == [
        "protocol-dual-mismatch",
        "protocol-orphan-receive",
        "protocol-dual-mismatch",
    ]


def at(action: Action, line: int) -> Action:
    return replace(action, place=Place("roles.mlir", line, 3))


def test_a_cycle_is_printed_role_by_role_with_its_places() -> None:
    schedules = {
        0: [send(2, 9), at(receive(1, 2), 4), send(1, 1)],
        1: [at(receive(0, 1), 7), send(0, 2)],
        2: [receive(0, 9)],
    }
    (refusal,) = check_schedules(schedules, {0, 1, 2})
    assert refusal.lines() == [
        "roles.mlir:4:3: error: [protocol-wait-cycle] expected an order in which roles never wait "
        "for each other in a circle, found role 0: receive from 1, site 2 words 1 : f64; "
        "role 1: receive from 0, site 1 words 1 : f64; role 0",
        "roles.mlir:4:3: note: role 0 waits for role 1: receive from 1, site 2 words 1 : f64",
        "roles.mlir:7:3: note: role 1 waits for role 0: receive from 0, site 1 words 1 : f64",
    ]


def test_a_long_cycle_is_cut() -> None:
    (refusal,) = check_schedules({**circle(*range(40)), 0: circle(*range(40))[0][::-1]}, range(40))
    assert "24 more" in refusal.found
    assert len(refusal.notes) == 16


def test_a_difference_shows_both_ends() -> None:
    (refusal,) = check_schedules({0: [at(send(1, 1, 4), 4)], 1: [at(receive(0, 1), 9)]}, {0, 1})
    assert refusal.lines() == [
        "roles.mlir:9:3: error: [protocol-dual-mismatch] expected site 1 words 4 : f64 as frame 0 "
        "from role 0 to role 1, found site 1 words 1 : f64",
        "roles.mlir:9:3: note: role 1 is to receive from 0, site 1 words 1 : f64",
        "roles.mlir:4:3: note: role 0 is to send to 1, site 1 words 4 : f64",
    ]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "another bound",
            "expected role 1 in the loop of site 9 with 3 rounds, as role 0, at site 1 words 1 : "
            "f64, found the loop of site 9 with 2 rounds",
        ),
        (
            "left at another time",
            "expected role 1 in the loop of site 9 with at most 3 rounds, as role 0, at site 1 "
            "words 1 : f64, found the loop of site 9 with 3 rounds",
        ),
        (
            "another arm",
            "expected role 1 in arm 0 of the 2 of the choice of site 9, as role 0, at site 1 words "
            "1 : f64, found arm 1 of the 2 of the choice of site 9",
        ),
        (
            "two loops of one site instead of one",
            "expected role 1 in the loop of site 9 with 2 rounds, number 2 of this site, as role "
            "0, at site 2 words 1 : f64, found the loop of site 9 with 2 rounds",
        ),
        (
            "one round outside the loop",
            "expected role 1 in the loop of site 9 with 3 rounds, as role 0, at site 1 words 1 : "
            "f64, found no further loop or arm",
        ),
        (
            "orphan receive in an arm",
            "expected a send of site 2 words 1 : f64 in arm 1 of the 2 of the choice of site 9 by "
            "role 0, found none",
        ),
        (
            "another order",
            "expected site 1 words 1 : f64 next at role 1, which role 0 sends as number 0, counted "
            "from 0, found site 2 words 1 : f64, which is sent too but at another time",
        ),
        (
            "another part",
            "expected site 1 part 1 words 1 : f64 as frame 0 from role 0 to role 1, found site 1 "
            "words 1 : f64",
        ),
        (
            "a role between two parts of a loop",
            "expected an order in which roles never wait for each other in a circle, found role 1: "
            "begin the loop of site 9 with 2 rounds; role 2: receive from 1, site 5 words 1 : f64; "
            "role 1",
        ),
    ],
)
def test_what_a_refusal_says(name: str, message: str) -> None:
    _, refused, _ = TWINS[name]
    assert next(check_schedules(refused, set(refused))).message == message


def test_roles_that_share_nothing_in_a_loop_may_have_it_otherwise() -> None:
    schedules = {
        0: [loop(3, 9, send(1, 1)), send(2, 3)],
        1: [loop(3, 9, receive(0, 1))],
        2: [loop(7, 9, send(3, 2)), receive(0, 3)],
        3: [choice(8, [], []), loop(7, 9, receive(2, 2))],
    }
    assert codes(schedules) == []


def test_two_pairs_in_one_loop_are_not_held_to_each_other() -> None:
    schedules = {
        0: [loop(2, 9, send(1, 1)), send(2, 3)],
        1: [loop(2, 9, receive(0, 1))],
        2: [receive(0, 3), loop(2, 9, send(3, 2))],
        3: [loop(2, 9, receive(2, 2))],
    }
    assert codes(schedules) == []
    assert not any(explored(runs, 0).faults for runs in resolved(schedules))


def test_the_order_of_arms_is_no_order() -> None:
    schedules = {
        0: [choice(9, [send(1, 1)], [send(2, 2)])],
        1: [send(2, 3), choice(9, [receive(0, 1)], [])],
        2: [choice(9, [], [receive(0, 2)]), receive(1, 3)],
    }
    assert codes(schedules) == []
    assert not any(explored(runs, 0).faults for runs in resolved(schedules))


def nested(depth: int, bound: int, *body: Step) -> list[Step]:
    steps: list[Step] = list(body)
    for level in range(depth):
        steps = [Loop(bound, False, 10 + level, steps)]
        if level % 3 == 0:
            steps = [Branch(10 + depth + level, (steps, []))]
    return steps


def test_deep_nesting_is_no_trouble() -> None:
    deep = {
        0: nested(10_000, 2, send(1, 1), receive(1, 2)),
        1: nested(10_000, 2, receive(0, 1), send(0, 2)),
    }
    assert codes(deep, None) == []
    assert codes({**deep, 1: nested(10_000, 2, send(0, 2), receive(0, 1))}, None) == [
        "protocol-wait-cycle"
    ]


def test_what_is_in_flight_is_found_in_nested_loops() -> None:
    deep = {
        0: nested(200, 2, send(1, 1), receive(1, 2)),
        1: nested(200, 2, receive(0, 1), send(0, 2)),
    }
    assert codes(deep) == []
    assert codes({0: nested(11, 2, send(1, 1)), 1: nested(11, 2, receive(0, 1))}) == [
        "protocol-buffer-unbounded"
    ]


def star(roles: int) -> Case:
    """A round in which role 0 receives from every other role and then answers each."""
    others = range(1, roles)
    first = [*(receive(role, 1) for role in others), *(send(role, 2) for role in others)]
    return {
        0: [loop(100, 9, *first)],
        **{role: [loop(100, 9, send(0, 1), receive(0, 2))] for role in others},
    }


def all_arms(roles: int) -> Case:
    """A choice of as many arms as there are other roles, in each of which another one receives."""
    others = range(1, roles)
    return {
        0: [choice(9, *([send(role, role)] for role in others))],
        **{
            role: [choice(9, *([receive(0, role)] if arm == role else [] for arm in others))]
            for role in others
        },
    }


@pytest.mark.parametrize(("case", "growth"), [(star, 4), (all_arms, 16)])
def test_the_work_grows_as_the_steps_do(case: Callable[[int], Case], growth: int) -> None:
    few, many = case(40), case(160)
    assert calls_of(lambda: codes(many)) < 1.05 * growth * calls_of(lambda: codes(few))


def test_a_limit_says_how_much_may_be_in_flight() -> None:
    steps = {
        0: [send(1, site, 10) for site in range(6)],
        1: [receive(0, site, 10) for site in range(6)],
    }
    assert codes(steps, Limit(frames=6, payload_bytes=480)) == []
    assert codes(steps, Limit(frames=5)) == ["protocol-buffer-unbounded"]
    assert codes(steps, Limit(frames=None, payload_bytes=479)) == ["protocol-buffer-unbounded"]
    assert codes(steps, Limit(frames=None)) == []
    assert codes(steps, None) == []


def test_a_loop_that_counts_in_full_is_named() -> None:
    forward = {0: [loop(5000, 9, send(1, 1))], 1: [loop(5000, 9, receive(0, 1))]}
    (refusal,) = check_schedules(forward, {0, 1})
    assert refusal.expected == "at most 1024 frames in flight from role 0 to role 1"
    assert refusal.found == "up to 5000 if sends don't wait"
    (note,) = refusal.notes
    assert note.message.startswith("the loop of site 9 with 5000 rounds counts with all rounds")


def test_steps_that_cannot_be_are_errors_of_the_caller() -> None:
    with pytest.raises(ValueError, match="0 rounds"):
        loop(0, 9)
    with pytest.raises(ValueError, match="without arms"):
        choice(9)
