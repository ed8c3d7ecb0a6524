"""A peer that was made for another learner, contract, membership or protocol says nothing useful.

Each of them is a whole run of its own, recorded, and played to a role of this one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from runs.conversations import Conversation, record, roles_of
from runs.played import Stage
from runs.stands import EXAMPLES, refused
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.role import find_roles
from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.printer import print_module
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.learner_words import LearnerWords, resolve
from alpha.ir.learners import find_learner
from alpha.tools.distributing import run_pass

TEXT = (EXAMPLES / "least_squares_sgd.mlir").read_text(encoding="utf-8")
OWNERS = " attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>}"
Run = tuple[ModuleOp, LearnerWords]


def run_of(
    learner: Callable[[str], str] = lambda text: text,
    roles: Callable[[str], str] = lambda text: text,
    rounds: int = 2,
    exchange: str = "gather",
    modes: tuple[str, ...] = (),
    **owners: object,
) -> Run:
    """The roles of two owners of a learner whose text, or whose roles' text, is changed."""
    assert OWNERS in TEXT
    context = make_context()
    module = parse_source(context, learner(TEXT.replace(OWNERS, "")).encode(), "learner.mlir")
    run_pass(context, module, "distribute", **{"owners": 2, "topology": "star", **owners})
    for mode in modes:
        run_pass(context, module, f"partition_{mode}")
    run_pass(context, module, "lower_shard_to_protocol", rounds=rounds, exchange=exchange)
    run_pass(context, module, "project_role")
    module = parse_source(context, roles(print_module(module)).encode(), "roles.mlir")
    verify_module(module)
    return module, resolve(find_learner(module, "roles.mlir"), Path())


def changing(old: str, new: str) -> Callable[[str], str]:
    """A text in which something that is there stands otherwise."""

    def change(text: str) -> str:
        assert old in text, old
        return text.replace(old, new)

    return change


OTHERS: dict[str, Callable[[], Run]] = {
    "a sample": lambda: run_of(changing("[1.0, -0.5, 0.25, 2.0]", "[1.0, -0.5, 0.25, 2.5]")),
    "a label": lambda: run_of(changing("1.2, -0.7", "1.2, -0.6")),
    "the rate": lambda: run_of(changing("@rate : f64 = 0.1", "@rate : f64 = 0.2")),
    "the initial state": lambda: run_of(changing("dense<0.0>", "dense<1.0>")),
    "a program": lambda: run_of(changing("arith.subf %p, %y", "arith.subf %y, %p")),
    "the epoch": lambda: run_of(roles=changing("epoch = 0", "epoch = 1")),
    "the identity": lambda: run_of(roles=changing('id = "', 'id = "00')),
    "the contract": lambda: run_of(samples=(2, 4)),
    "the rounds": lambda: run_of(rounds=3),
    "the exchange": lambda: run_of(exchange="sharded"),
    "the partitioning": lambda: run_of(modes=("parameters",)),
    "the topology": lambda: run_of(topology="tree<2>"),
}
LEARNERS = ("a sample", "a label", "the rate", "the initial state", "a program")
MEMBERSHIPS = ("the epoch", "the identity")


@pytest.fixture(scope="module")
def stages() -> list[Stage]:
    ours = record(*run_of())
    return [Stage(ours, 0), Stage(ours, 1)]


@pytest.mark.parametrize("name", OTHERS)
def test_a_peer_of_another_run_is_refused(name: str, stages: list[Stage]) -> None:
    """At its first frame, by both roles, before a word of it is used."""
    theirs: Conversation = record(*OTHERS[name]())
    for stage, peer in zip(stages, (1, 0), strict=True):
        frames = theirs.frames[peer, stage.role]
        refusal = refused(stage, peer, b"".join(frames), "frame-identity", 0)
        assert refusal.expected.startswith("run_identity ")
        # From the middle on: also who is right at first isn't mixed up with another.
        right = stage.frames(peer)
        for number in range(1, min(len(right), len(frames))):
            data = b"".join((*right[:number], *frames[number:]))
            refused(stage, peer, data, "frame-identity", number)


@pytest.mark.parametrize("name", OTHERS)
def test_only_what_is_named_is_another(name: str) -> None:
    """Another learner has the same protocol and group: its own digest makes the identity."""
    (ours, _), (theirs, _) = run_of(), OTHERS[name]()
    one, other = (find_roles(module)[0] for module in (ours, theirs))
    assert (one.protocol == other.protocol) == (name in (*LEARNERS, *MEMBERSHIPS))
    assert (one.group == other.group) == (name not in MEMBERSHIPS)


def test_the_same_run_made_twice_is_one_run(stages: list[Stage]) -> None:
    """The twin of all of the above; what a learner declares of other owners is no part of it."""
    again = record(*run_of())
    assert again.frames == stages[0].conversation.frames
    declaring = record(*roles_of("least_squares_sgd", 2, owners=2, topology="star"))
    assert declaring.frames == again.frames
