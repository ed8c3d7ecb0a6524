"""The roles that faults are tried on: where they stand, and what they were told without a fault.

Entry: `STANDS`, `stand`, `conversation`, `gate`, `performed`, `refused`, `lost`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
from runs.conversations import Conversation, record, roles_of
from runs.played import Performance, Script, Stage, play
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.participants.failures import PeerLost
from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.registry import make_context
from alpha.ir.refusals import Refusal
from alpha.tools.distributing import run_pass

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ALL_MODES = ("optimizer", "parameters", "gradients")


def gate(text: Callable[[str], str] = lambda text: text) -> ModuleOp:
    """The roles of the choice gate, whose text may be changed first."""
    context = make_context()
    source = text((EXAMPLES / "choice_gate.mlir").read_text(encoding="utf-8"))
    module = parse_source(context, source.encode(), "choice_gate.mlir")
    run_pass(context, module, "project_role")
    return module


def _repeating(text: str) -> str:
    """The gate whose other arm is taken, so that its repeat goes on to its bound."""
    assert "1.5 : f64" in text
    return text.replace("1.5 : f64", "3.5 : f64")


@cache
def conversation(name: str) -> Conversation:
    """A run that is recorded once."""
    match name:
        case "pair":
            return record(*roles_of("least_squares_sgd", 5, owners=2, topology="pair"))
        case "star":
            return record(*roles_of("least_squares_adam", 2, owners=3, topology="star"))
        case "chain":
            return record(*roles_of("least_squares_momentum", 2, owners=3, topology="tree<1>"))
        case "direct":
            learner = "least_squares_adam", 2, ALL_MODES, "sharded"
            return record(*roles_of(*learner, owners=3, topology="star"))
        case "gate":
            return record(gate(_repeating), None)
        case _:
            raise KeyError(name)


STANDS: Mapping[str, tuple[str, int, int]] = {
    "the root of a pair": ("pair", 0, 1),
    "the other of a pair": ("pair", 1, 0),
    "the root of a star": ("star", 0, 2),
    "between two, from below": ("chain", 1, 2),
    "between two, from above": ("chain", 1, 0),
    "directly": ("direct", 1, 2),
    "in a repeat": ("gate", 0, 2),
}
"""By name: the conversation, the role, and the peer that a fault comes from."""


@cache
def stand(name: str) -> tuple[Stage, int, int]:
    """A role on its stage, the peer that a fault comes from, and a small frame in the middle."""
    name_of, role, peer = STANDS[name]
    stage = Stage(conversation(name_of), role)
    frames = stage.frames(peer)
    inner = range(1, len(frames) - 1)
    return stage, peer, min(inner, key=lambda at: (len(frames[at]), abs(2 * at - len(frames))))


def performed(stage: Stage, scripts: Mapping[int, Script]) -> Performance:
    """What the role does if these peers say something else than in the conversation."""
    with pytest.MonkeyPatch.context() as patch:
        return play(stage, scripts, patch)


def refused(stage: Stage, peer: int, said: bytes | Script, code: str, frame: int) -> Refusal:
    """See that a role refuses the frame of this number when its peer says this, with the code.

    Nothing of the frame is used: all that the role has done, sent and told is what it does before
    that frame without a fault, and it has published nothing.
    """
    script = stage.script(peer, said) if isinstance(said, bytes) else said
    found = performed(stage, {peer: script})
    error = found.end.error
    assert isinstance(error, Refusal), f"{code} wanted, found {error!r}"
    assert error.code == code, f"{code} wanted, found {error}"
    _stopped(stage, found, peer, frame)
    return error


def lost(stage: Stage, peer: int, script: Script, frame: int) -> PeerLost:
    """The same where the peer is lost instead."""
    found = performed(stage, {peer: script})
    error = found.end.error
    assert isinstance(error, PeerLost), f"{error!r}"
    assert error.role == peer
    _stopped(stage, found, peer, frame)
    return error


def _stopped(stage: Stage, found: Performance, peer: int, frame: int) -> None:
    """See that a role did what it does before a frame of a peer, and nothing else."""
    assert found.happened == stage.until(peer, frame)
    assert not found.published
    told = sum(kind in ("advanced", "observed") for kind, *_ in found.happened)
    assert found.end.records == stage.right.end.records[:told]
    for other in stage.peers:
        right = b"".join(stage.conversation.frames[stage.role, other])
        sent = [header for kind, header, _ in found.happened if kind == "sent"]
        count = sum(header.receiver == other for header in sent)
        size = sum(map(len, stage.conversation.frames[stage.role, other][:count]))
        assert right[:size].startswith(found.sent[other]), "no more than that is sent"
