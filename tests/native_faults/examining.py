"""What a fault on an edge must lead to: looks at the ends of all roles and says what is wrong.

Invariant: whoever receives the fault refuses it, or loses its peer, with the interpreter's line;
    it has sent, observed and advanced as without a fault before that frame, and publishes nothing;
    everybody else loses a peer, with status 4, and publishes nothing.
Entry: `examined`.
"""

from __future__ import annotations

import re
from functools import cache

from native_faults.casts import CASTS, End, Recorded, play_of
from native_faults.faults import LOST, Case, cases
from native_faults.relayed import Passed, run
from runs.conversations import Direction

from alpha.interpreters.participants.reports import OBSERVATION

SENDING = re.compile(r"it ended its stream, while \d+ bytes were sent\n")
"""What is said of a peer that has ended its stream where something is sent to it first."""


@cache
def cases_of(name: str, way: Direction) -> dict[str, Case]:
    """The faults of a direction, by name."""
    return {case.name: case for case in cases(play_of(name).conversation, way)}


@cache
def said_by_the_interpreter(name: str, way: Direction, case: str) -> tuple[int, str]:
    """The status and the line of the receiver of a fault, if all roles are interpreted."""
    fault = cases_of(name, way)[case].fault
    end = run(play_of(name).play, CASTS["interpreted"], {way: (fault,)}).ends[way[1]]
    return end.status, end.said


def examined(name: str, way: Direction, case: Case, cast: str) -> list[str]:
    """What is wrong with how a run with this fault has ended."""
    recorded = play_of(name)
    passed = run(recorded.play, CASTS[cast], {way: (case.fault,)})
    victim = way[1]
    wrong = _at_the_receiver(name, way, case, passed.ends[victim])
    wrong += _done(recorded, way, case, passed)
    for role, end in passed.ends.items():
        if role == victim:
            continue
        lost = end.status == 4 and end.said.startswith(f"alpha: role {role}: lost role ")
        # Who needs nothing more ends well, as all do in a gate; a launcher publishes nothing then.
        whole = (case.late or name == "gate") and (end.status, end.said) == (0, "")
        if not (lost or whole) or end.published != whole or end.said.count("\n") > 1:
            wrong.append(f"role {role} ended with {end}")
    return wrong


def _at_the_receiver(name: str, way: Direction, case: Case, end: End) -> list[str]:
    sender, victim = way
    status, said = said_by_the_interpreter(name, way, case.name)
    begins = f"alpha: role {victim}: refused {case.code}: expected "
    if case.code == LOST:
        # A reset is seen at both ends, and whoever sees it first ends his other edges.
        begins = f"alpha: role {victim}: lost role " + (f"{sender}: " if case.exact else "")
    wanted = 4 if case.code == LOST else 3
    wrong: list[str] = []
    if (end.status, status) != (wanted, wanted) or not end.said.startswith(begins):
        wrong.append(f"role {victim} ended with {end.status}: {end.said}, not {wanted}: {begins}")
    if end.said != said and case.exact:
        told = end.said.removeprefix(begins), said.removeprefix(begins)
        if case.code != LOST or not any(SENDING.fullmatch(each) for each in told):
            wrong.append(f"role {victim} said {end.said}, the interpreter {said}")
    if end.published:
        wrong.append(f"role {victim} has published")
    return wrong


def _done(recorded: Recorded, way: Direction, case: Case, passed: Passed) -> list[str]:
    """Whether the receiver did what it does before the frame without a fault, and no more."""
    sender, victim = way
    stage = recorded.stage(victim)
    happened = stage.until(sender, case.frame)
    wrong: list[str] = []
    told = sum(kind in ("advanced", "observed") for kind, *_ in happened)
    right = stage.right.end.records[:told]
    end = passed.ends[victim]
    observed, advanced, _ = end.told
    versions = [record.version for record in right if record.kind != OBSERVATION]
    seen = [record for record in right if record.kind == OBSERVATION]
    early = case.code == LOST
    if observed != seen[: len(observed)] or (len(observed) != len(seen) and not early):
        wrong.append(f"role {victim} observed {observed}, not {seen}")
    if advanced > max(versions, default=0) or (advanced < max(versions, default=0) and not early):
        wrong.append(f"role {victim} advanced to {advanced}, not {versions}")
    for peer in stage.peers:
        all_of_it = b"".join(recorded.conversation.frames[victim, peer])
        count = sum(kind == "sent" and header.receiver == peer for kind, header, _ in happened)
        size = sum(map(len, recorded.conversation.frames[victim, peer][:count]))
        if not all_of_it[:size].startswith(passed.sent[victim, peer]):
            wrong.append(f"role {victim} has sent more to role {peer}")
    return wrong
