"""Every fault that two ends of an edge can have, each with an accepted twin one edit away.

Entry: `TWINS`, `WRITTEN_OTHERWISE`, `circle`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from schedules.short import choice, loop, receive, send

from alpha.ir.schedules.events import Action, Loop, Step

Case = Mapping[int, Sequence[Step]]


def with_label(action: Action, **changes: object) -> Action:
    return replace(action, label=replace(action.label, **changes))


def circle(*roles: int) -> Case:
    """Each role receives from the one before it and sends to the one behind it; role 0 begins."""
    size = len(roles)
    lines: dict[int, list[Step]] = {
        role: [receive((role - 1) % size, (role - 1) % size), send((role + 1) % size, role)]
        for role in roles
    }
    return {**lines, 0: lines[0][::-1]}


TWINS: dict[str, tuple[str, Case, Case]] = {
    "orphan send": (
        "protocol-orphan-send",
        {0: [send(1, 1), send(1, 2)], 1: [receive(0, 1)]},
        {0: [send(1, 1), send(1, 2)], 1: [receive(0, 1), receive(0, 2)]},
    ),
    "orphan send of several": (
        "protocol-orphan-send",
        {0: [send(1, 1), send(1, 2), send(1, 3)], 1: [receive(0, 1), receive(0, 3)]},
        {0: [send(1, 1), send(1, 3)], 1: [receive(0, 1), receive(0, 3)]},
    ),
    "orphan receive in an arm": (
        "protocol-orphan-receive",
        {0: [choice(9, [send(1, 1)], [])], 1: [choice(9, [receive(0, 1)], [receive(0, 2)])]},
        {0: [choice(9, [send(1, 1)], [])], 1: [choice(9, [receive(0, 1)], [])]},
    ),
    "other words": (
        "protocol-dual-mismatch",
        {0: [send(1, 1, 4)], 1: [receive(0, 1, 3)]},
        {0: [send(1, 1, 4)], 1: [receive(0, 1, 4)]},
    ),
    "another part": (
        "protocol-dual-mismatch",
        {0: [with_label(send(1, 1), part=1)], 1: [receive(0, 1)]},
        {0: [with_label(send(1, 1), part=1)], 1: [with_label(receive(0, 1), part=1)]},
    ),
    "another count": (
        "protocol-dual-mismatch",
        {0: [with_label(send(1, 1), count=6)], 1: [with_label(receive(0, 1), count=5)]},
        {0: [with_label(send(1, 1), count=6)], 1: [with_label(receive(0, 1), count=6)]},
    ),
    "another type": (
        "protocol-dual-mismatch",
        {0: [send(1, 1)], 1: [with_label(receive(0, 1), element="f32")]},
        {0: [send(1, 1)], 1: [receive(0, 1)]},
    ),
    "another order": (
        "protocol-edge-order",
        {0: [send(1, 1), send(1, 2)], 1: [receive(0, 2), receive(0, 1)]},
        {0: [send(1, 1), send(1, 2)], 1: [receive(0, 1), receive(0, 2)]},
    ),
    "behind a loop instead of before it": (
        "protocol-edge-order",
        {0: [send(1, 1), loop(2, 2, send(1, 3))], 1: [loop(2, 2, receive(0, 3)), receive(0, 1)]},
        {0: [send(1, 1), loop(2, 2, send(1, 3))], 1: [receive(0, 1), loop(2, 2, receive(0, 3))]},
    ),
    "both receive first": (
        "protocol-wait-cycle",
        {0: [receive(1, 2), send(1, 1)], 1: [receive(0, 1), send(0, 2)]},
        {0: [receive(1, 2), send(1, 1)], 1: [send(0, 2), receive(0, 1)]},
    ),
    "both send first": (
        "protocol-wait-cycle",
        {0: [send(1, 1), receive(1, 2)], 1: [send(0, 2), receive(0, 1)]},
        {0: [send(1, 1), receive(1, 2)], 1: [receive(0, 1), send(0, 2)]},
    ),
    "a circle of four": (
        "protocol-wait-cycle",
        {**circle(0, 1, 2, 3), 0: circle(0, 1, 2, 3)[0][::-1]},
        circle(0, 1, 2, 3),
    ),
    # Its first copy alone has no cycle: role 1 goes on to its second round, role 2 is before the
    # first, and role 3 needs both in each.
    "a role between two parts of a loop": (
        "protocol-wait-cycle",
        {
            1: [loop(2, 9, receive(3, 1)), send(2, 5)],
            2: [receive(1, 5), loop(2, 9, receive(3, 2))],
            3: [loop(2, 9, send(1, 1), send(2, 2))],
        },
        {
            1: [loop(2, 9, receive(3, 1)), send(2, 5)],
            2: [loop(2, 9, receive(3, 2)), receive(1, 5)],
            3: [loop(2, 9, send(1, 1), send(2, 2))],
        },
    ),
    "another bound": (
        "protocol-role-unfinished",
        {0: [loop(3, 9, send(1, 1))], 1: [loop(2, 9, receive(0, 1))]},
        {0: [loop(3, 9, send(1, 1))], 1: [loop(3, 9, receive(0, 1))]},
    ),
    "left at another time": (
        "protocol-role-unfinished",
        {0: [Loop(3, True, 9, [send(1, 1)])], 1: [loop(3, 9, receive(0, 1))]},
        {0: [Loop(3, True, 9, [send(1, 1)])], 1: [Loop(3, True, 9, [receive(0, 1)])]},
    ),
    "another number of arms": (
        "protocol-role-unfinished",
        {0: [choice(9, [send(1, 1)], [])], 1: [choice(9, [receive(0, 1)], [], [])]},
        {0: [choice(9, [send(1, 1)], [])], 1: [choice(9, [receive(0, 1)], [])]},
    ),
    "another arm": (
        "protocol-role-unfinished",
        {0: [choice(9, [send(1, 1)], [])], 1: [choice(9, [], [receive(0, 1)])]},
        {0: [choice(9, [], [send(1, 1)])], 1: [choice(9, [], [receive(0, 1)])]},
    ),
    "one round outside the loop": (
        "protocol-role-unfinished",
        {0: [loop(3, 9, send(1, 1))], 1: [receive(0, 1), loop(2, 9, receive(0, 1))]},
        {0: [send(1, 1), loop(2, 9, send(1, 1))], 1: [receive(0, 1), loop(2, 9, receive(0, 1))]},
    ),
    "another loop around": (
        "protocol-role-unfinished",
        {0: [loop(2, 8, loop(2, 9, send(1, 1)))], 1: [loop(2, 9, loop(2, 8, receive(0, 1)))]},
        {0: [loop(2, 8, loop(2, 9, send(1, 1)))], 1: [loop(2, 8, loop(2, 9, receive(0, 1)))]},
    ),
    "two loops of one site instead of one": (
        "protocol-role-unfinished",
        {
            0: [loop(2, 9, send(1, 1)), loop(2, 9, send(1, 2))],
            1: [loop(2, 9, receive(0, 1), receive(0, 2))],
        },
        {
            0: [loop(2, 9, send(1, 1)), loop(2, 9, send(1, 2))],
            1: [loop(2, 9, receive(0, 1)), loop(2, 9, receive(0, 2))],
        },
    ),
    "two choices of one site instead of one": (
        "protocol-role-unfinished",
        {
            0: [loop(2, 8, choice(9, [send(1, 1)], []), choice(9, [send(1, 2)], []))],
            1: [loop(2, 8, choice(9, [receive(0, 1), receive(0, 2)], []))],
        },
        {
            0: [loop(2, 8, choice(9, [send(1, 1)], []), choice(9, [send(1, 2)], []))],
            1: [loop(2, 8, choice(9, [receive(0, 1)], []), choice(9, [receive(0, 2)], []))],
        },
    ),
    "a loop in which only one sends": (
        "protocol-buffer-unbounded",
        {0: [loop(200_000, 9, send(1, 1))], 1: [loop(200_000, 9, receive(0, 1))]},
        {
            0: [loop(200_000, 9, send(1, 1), receive(1, 2))],
            1: [loop(200_000, 9, receive(0, 1), send(0, 2))],
        },
    ),
}

# Refused though their runs are those of the twins: schedules are compared as they are written.
WRITTEN_OTHERWISE = {
    "another number of arms",
    "one round outside the loop",
    "another loop around",
    "two choices of one site instead of one",
    "a loop in which only one sends",
}
