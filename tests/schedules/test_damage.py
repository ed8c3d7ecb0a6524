"""Whatever is damaged in one role's schedule is refused with the code that names it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from schedules.plain_protocols import schedules_of
from schedules.random_protocols import random_protocol
from schedules.short import codes

from alpha.ir.schedules.checking import check_schedules
from alpha.ir.schedules.events import Action, Branch, Loop, Schedules, Step

Body = list[Step]

LABEL_CHANGES: list[tuple[str, Any]] = [
    ("site", 999),
    ("part", 1),
    ("count", 1),
    ("words", 9),
    ("element", "f32"),
    ("riding", 1),
]


def bodies(steps: Body) -> Iterator[Body]:
    """A schedule and all bodies in it, as lists that may be changed."""
    yield steps
    for step in steps:
        inner = step.arms if isinstance(step, Branch) else ()
        for body in (step.body,) if isinstance(step, Loop) else inner:
            assert isinstance(body, list)
            yield from bodies(body)


def damaged(random: Random, body: Body, at: int) -> str:
    """Change one step of a body; the code that has to follow."""
    step = body[at]
    if isinstance(step, Action):
        label, what = step.label, random.randrange(8)
        if what == 0:
            del body[at]
            return "protocol-orphan-receive" if step.kind == "send" else "protocol-orphan-send"
        if what == 1:
            body.insert(at, replace(step, label=replace(label, part=1)))
            return "protocol-orphan-send" if step.kind == "send" else "protocol-orphan-receive"
        name, value = LABEL_CHANGES[what - 2]
        body[at] = replace(step, label=replace(label, **{name: value}))
        return "protocol-dual-mismatch"
    if isinstance(step, Loop):
        what = random.randrange(4)
        if what == 0:
            body[at] = replace(step, bound=step.bound + 1)
        elif what == 1:
            body[at] = replace(step, until=not step.until)
        elif what == 2:
            body[at] = replace(step, site=999)
        else:
            body[at : at + 1] = step.body
        return "protocol-role-unfinished"
    what = random.randrange(3)
    if what == 0:
        body[at] = replace(step, arms=(*step.arms, []))
    elif what == 1:
        body[at] = replace(step, arms=([], *step.arms))
    else:
        body[at] = Loop(2, False, 999, [step])
    return "protocol-role-unfinished"


def test_damage_is_refused_by_name() -> None:
    random = Random(4)
    found: Counter[str] = Counter()
    for _ in range(1200):
        schedules: dict[int, Body] = schedules_of(random_protocol(random))
        role = random.choice(list(schedules))
        body = random.choice([body for body in bodies(schedules[role]) if body])
        code = damaged(random, body, random.randrange(len(body)))
        refused = codes(schedules)
        assert refused, schedules
        assert set(refused) == {code}, (code, refused, schedules)
        found[code] += 1
    assert len(found) == 4
    assert min(found.values()) > 100


def test_a_frame_to_the_wrong_peer_is_missed_by_one_and_by_the_other() -> None:
    random = Random(5)
    for _ in range(200):
        schedules = schedules_of(random_protocol(random))
        places = [
            (body, at)
            for steps in schedules.values()
            for body in bodies(steps)
            for at, step in enumerate(body)
            if isinstance(step, Action) and step.kind == "send"
        ]
        body, at = random.choice(places)
        step = body[at]
        assert isinstance(step, Action)
        body[at] = replace(step, peer=step.peer + 100)
        schedules[step.peer + 100] = []
        assert sorted(codes(schedules)) == ["protocol-orphan-receive", "protocol-orphan-send"]


def test_a_lost_schedule_is_missed_whatever_it_was() -> None:
    random = Random(6)
    for _ in range(200):
        schedules: Schedules = schedules_of(random_protocol(random))
        lost = random.choice(list(schedules))
        rest = {role: steps for role, steps in schedules.items() if role != lost}
        refusals = list(check_schedules(rest, schedules.keys()))
        assert [refusal.code for refusal in refusals] == ["protocol-role-unfinished"]
        assert str(lost) in refusals[0].expected
