"""Real processes of which one isn't a role: it never appears, dies inside of a frame, or is silent.

The others all end with 4, within their bounds, and say whom they have lost.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from runs.conversations import at, record, roles_of
from runs.dying import frames_in_order
from runs.played import Stage
from runs.processes import ALPHA

from alpha.interpreters.participants.reports import END, STATE, Record
from alpha.interpreters.role import find_roles
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.frontend.printer import print_module
from alpha.tools.running.processes import Ended, Launched

STAND_IN = Path(__file__).with_name("stand_in.py")
LONG, SHORT = 30.0, 3.0
"""How long a role waits for a frame, in seconds: of the first nothing should come."""

EDGES = {0: [1], 1: [0, 2], 2: [1]}
"""A chain, so that the last role doesn't know the first."""


@pytest.fixture(scope="module")
def stage() -> Stage:
    """The role in the middle of a run of three."""
    return Stage(record(*roles_of("least_squares_sgd", 3, owners=3, topology="tree<1>")), 1)


def commands(stage: Stage, folder: Path, wait: float) -> dict[int, Sequence[str]]:
    """The other roles, each with a file of its own."""
    found: dict[int, Sequence[str]] = {}
    for role in (0, 2):
        module = stage.conversation.module.clone()
        for op in list(module.body.block.ops):
            if isinstance(op, RoleOp) and op.role.data != role:
                op.detach()
                op.erase()
        assert list(find_roles(module)) == [role]
        path = folder / f"role-{role}.mlir"
        path.write_text(print_module(module), encoding="utf-8")
        found[role] = (*ALPHA, "role", str(path), "--wait", str(wait))
    return found


def run(commands: Mapping[int, Sequence[str]]) -> tuple[list[Ended], list[int]]:
    """How every process ended, and who published something; none is left."""
    published: list[int] = []

    def report(role: int, record: Record) -> None:
        if record.kind in (STATE, END):
            published.append(role)

    before = children()
    with Launched(commands, EDGES, report) as launched:
        ends = launched.run(LONG, SHORT + 1.0)
    assert children() == before
    return ends, published


def children() -> set[int]:
    """The processes that this one has started, and that haven't been waited for."""
    found: set[int] = set()
    for thread in Path("/proc/self/task").iterdir():
        found.update(map(int, (thread / "children").read_text().split()))
    return found


def all_lose(ends: Sequence[Ended], published: Sequence[int], said: Mapping[int, str]) -> None:
    """The roles end with 4, by themselves, each with its line, and publish nothing."""
    for role, text in said.items():
        assert (ends[role].status, ends[role].stopped) == (4, False), ends
        assert re.fullmatch(f"alpha: role {role}: lost role 1: {text}\n", ends[role].said), ends
    assert published == []


def stand_in(stage: Stage, folder: Path, actions: Sequence[object], end: str) -> Sequence[str]:
    """A process that does the part of role 1 so far, and ends so."""
    path = folder / "script.json"
    script = {"role": 1, "peers": stage.peers, "actions": actions, "end": end}
    path.write_text(json.dumps(script), encoding="utf-8")
    return sys.executable, "-S", str(STAND_IN), str(path)


def actions_until(stage: Stage, inside: int | None) -> list[tuple[str, int, object]]:
    """What role 1 does in its first round, and of the first frame of its second some bytes."""
    found: list[tuple[str, int, object]] = []
    for kind, peer, frame in frames_in_order(stage):
        if kind == "sent" and at("version", frame) == 1:
            part = frame[:inside]
            assert len(part) < len(frame)
            return [*found, (kind, peer, part.hex())]
        found.append((kind, peer, frame.hex() if kind == "sent" else len(frame)))
    raise AssertionError("there is a second round")


GONE = "it ended its stream before the frame .*"
INSIDE = r"\[frame-extent\] expected \d+ bytes of the frame .*, found the end after {}"
SILENT = r"\d+ of \d+ bytes came in the 3 s of receiving a frame"


@pytest.mark.parametrize(
    ("inside", "end"), [(0, "kill"), (40, "die"), (100, "kill"), (-10, "die"), (88, "hold")]
)
def test_a_process_that_dies_inside_of_a_frame_or_is_silent(
    inside: int, end: str, stage: Stage, tmp_path: Path
) -> None:
    """Role 0 is in the middle of a header, a payload or a digest; role 2 waits for an answer."""
    actions = actions_until(stage, inside)
    stands = stand_in(stage, tmp_path, actions, end)
    began = time.monotonic()
    wait = SHORT if end == "hold" else LONG
    ends, published = run({**commands(stage, tmp_path, wait), 1: stands})
    assert time.monotonic() - began < 20
    came = len(str(actions[-1][2])) // 2
    upwards = INSIDE.format(came) if inside else GONE
    said = {0: upwards, 2: GONE} if end != "hold" else {0: SILENT, 2: SILENT}
    all_lose(ends, published, said)
    assert (ends[1].status, ends[1].stopped) == {
        "die": (7, False),
        "kill": (-9, False),
        "hold": (-15, True),
    }[end]


@pytest.mark.parametrize("program", ["ends", "sleeps"])
def test_a_program_that_is_another(program: str, stage: Stage, tmp_path: Path) -> None:
    """One that announces nothing: it has ended at once, or does something else."""
    other = ("sleep", "60") if program == "sleeps" else ("true",)
    ends, published = run({**commands(stage, tmp_path, SHORT), 1: other})
    connecting = r"it didn't connect in the 3 s of waiting for a connection"
    coming = "in the 3 s of waiting for ports"
    if program == "ends":
        coming = "the input ended after 0 of 2 bytes of ports"
    all_lose(ends, published, {0: connecting, 2: rf"its port didn't come:? {coming}"})
    assert ends[1].stopped == (program == "sleeps")
