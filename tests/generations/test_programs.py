"""Programs of roles that store otherwise than the others are refused, and so is a run of them."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping

import numpy as np
import pytest
from generations.memories import Memory
from generations.running import GENERATION, Schedule, lowered
from levels.endings import projected
from sharding.product import Setting, distributed
from xdsl.dialects.builtin import IntAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Operation

from alpha.interpreters.checkpoints import checkpoint
from alpha.interpreters.exchanges import Exchanges
from alpha.interpreters.network.events import Receive, Send, Stored, StoreManifest, StoreShard
from alpha.interpreters.participants.deadlines import Deadline
from alpha.interpreters.participants.running import run_role
from alpha.interpreters.protocol import ProtocolInterpreter
from alpha.interpreters.role import find_roles
from alpha.interpreters.roles import Programs, RolesInterpreter
from alpha.interpreters.words import Words
from alpha.ir.attributes.protocol import StartAttr
from alpha.ir.attributes.region import SelectAttr
from alpha.ir.dialects.protocol_role import FrameOp, PerformOp, RoleOp, SendOp
from alpha.ir.protocol.generations import has_checkpoints
from alpha.ir.protocol.rounds import rounds_are_alike
from alpha.ir.protocol.starts import Start
from alpha.ir.protocol.steps import Frame, Step
from alpha.ir.protocol.view import find_protocol
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Stride
from alpha.passes.protocol.schedules import check_programs
from alpha.tools.learner_file import LearnerFile

OWNERS = 5
Roles = Mapping[int, RoleOp]


def learner() -> LearnerFile:
    return distributed(Setting("momentum", "tree<2>", OWNERS, "even"))


def programs(schedule: Schedule, resumed: bool = False) -> ModuleOp:
    file = learner()
    return projected(file.context, lowered(file.context, file.module, schedule, resumed))


def stores_of(program: RoleOp) -> list[PerformOp]:
    found = [op for op in program.walk() if isinstance(op, PerformOp)]
    return [op for op in found if op.kind.data == "checkpoint"]


def remove(op: Operation) -> None:
    op.detach()
    op.erase()


def frames_with(op: PerformOp, peer: int) -> list[FrameOp]:
    frames = [each for each in op.frames.block.ops if isinstance(each, FrameOp)]
    return [each for each in frames if each.peer.data == peer]


def skip(roles: Roles) -> None:
    """A role doesn't store."""
    remove(stores_of(roles[3])[0])


def skip_unseen(roles: Roles) -> None:
    """A role doesn't store, and nobody expects it to."""
    remove(stores_of(roles[2])[0])
    for frame in frames_with(stores_of(roles[1])[0], 2):
        remove(frame)


def store_alone(roles: Roles) -> None:
    """A role stores what nobody hears of."""
    for role, peer in ((2, 1), (1, 2)):
        for frame in frames_with(stores_of(roles[role])[0], peer):
            remove(frame)


def store_elsewhere(roles: Roles) -> None:
    """A role stores before it does anything else."""
    op = stores_of(roles[4])[1]
    block = op.parent_block()
    assert block is not None and block.first_op is not None
    op.detach()
    block.insert_op_before(op, block.first_op)


def store_twice(roles: Roles) -> None:
    """All roles store a version a second time."""
    for program in roles.values():
        op = stores_of(program)[1]
        block = op.parent_block()
        assert block is not None
        again = op.clone()
        again.site = IntAttr(1000)
        block.insert_op_after(again, op)


def store_in_every_round(roles: Roles) -> None:
    """A role stores where others do once."""
    op = stores_of(roles[2])[0]
    block = op.parent_block()
    assert block is not None
    inner = block.first_op
    assert inner is not None and inner.name == "protocol.repeat"
    op.detach()
    inner.regions[0].block.add_op(op)


def send_before(roles: Roles) -> None:
    """A role says what its manifest is before it hears of those below."""
    op = stores_of(roles[1])[0]
    sends = [each for each in frames_with(op, 0) if isinstance(each, SendOp)]
    first = op.frames.block.first_op
    assert first is not None
    sends[0].detach()
    op.frames.block.insert_op_before(sends[0], first)


def fewer_words(roles: Roles) -> None:
    """A role leaves the last word of the digest away, and is understood."""
    for role, peer in ((2, 1), (1, 2)):
        for frame in frames_with(stores_of(roles[role])[0], peer):
            if not frame.part.data:
                frame.words = IntAttr(4)


def other_members(roles: Roles) -> None:
    """A role stores with others in mind."""
    stores_of(roles[0])[0].members = SelectAttr(Stride(0, 1, OWNERS - 1))


def another_kind(roles: Roles) -> None:
    """A role says of its step that it is another one."""
    stores_of(roles[2])[0].kind = StringAttr("agree")


def begin_elsewhere(roles: Roles) -> None:
    """A role begins with a generation, and the others don't."""
    roles[2].resumed = StartAttr(Start(2, GENERATION))


KINDS: Mapping[Callable[[Roles], None], str] = {
    skip: "protocol-orphan-send",
    skip_unseen: "protocol-step-differs",
    store_alone: "protocol-step-differs",
    store_elsewhere: "protocol-edge-order",
    store_twice: "region-identity",
    store_in_every_round: "protocol-role-unfinished",
    send_before: "protocol-step-frames",
    fewer_words: "protocol-step-frames",
    other_members: "protocol-publish-missing",
    another_kind: "source-structure",
    begin_elsewhere: "protocol-digest-mismatch",
}
"""What can be wrong, and the code that refuses it."""


@pytest.mark.parametrize("change", KINDS, ids=lambda change: change.__name__)
def test_wrong_programs_are_refused(change: Callable[[Roles], None]) -> None:
    module = programs(Schedule(5, 2))
    roles = find_roles(module)
    check_programs(roles)
    change(roles)
    with pytest.raises(Refusal) as refused:
        check_programs(roles)
    assert refused.value.code == KINDS[change], refused.value.message


def test_a_run_is_given_what_it_asks_for() -> None:
    file = learner()
    words = file.words
    quiet = programs(Schedule(2, None))
    loud = programs(Schedule(2, 1))
    later = programs(Schedule(2, None, 1), resumed=True)
    store = Memory().stores([0])[0]
    states = words.states
    for module, where, begun in (
        (quiet, store, None),
        (loud, None, None),
        (later, None, None),
        (quiet, None, states),
        (later, store, states),
        (loud, store, states),
    ):
        program = find_roles(module)[0]
        assert has_checkpoints(program) == (module is loud)
        inward, outward = io.BytesIO(), io.BytesIO()
        deadline = Deadline.after(10.0)
        with pytest.raises(Refusal) as refused:
            run_role(program, words, inward, outward, deadline, store=where, states=begun)
        assert refused.value.code == "checkpoint-path"
        assert outward.getvalue() == b"", "nothing is announced"
    for module, begun in ((quiet, states), (later, None)):
        of = Programs.of(module)
        assert of is not None
        with pytest.raises(Refusal) as refused:
            RolesInterpreter(of, words, Words(), states=begun)
        assert refused.value.code == "checkpoint-path"
    for schedule, begun in ((Schedule(2, 1), states), (Schedule(2, 1, 1), None)):
        module = lowered(file.context, file.module, schedule, resumed=begun is None)
        protocol = find_protocol(module)
        assert protocol is not None
        with pytest.raises(Refusal) as refused:
            ProtocolInterpreter(protocol, words, Words(), states=begun)
        assert refused.value.code == "checkpoint-path"


def test_states_are_of_the_types_of_the_learner() -> None:
    file = learner()
    module = lowered(file.context, file.module, Schedule(2, 1, 1), resumed=True)
    protocol = find_protocol(module)
    assert protocol is not None
    states = {name: array.astype(np.float32) for name, array in file.words.states.items()}
    with pytest.raises(AssertionError):
        ProtocolInterpreter(protocol, file.words, Words(), states=states)


def test_events_come_in_the_order_of_the_design() -> None:
    """Shard, manifests below, manifest, the role above, and its verdict on to those below."""
    frames = (
        Frame(False, 2, 5, i64),
        Frame(False, 3, 5, i64),
        Frame(True, 0, 5, i64),
        Frame(False, 0, 1, i64, 1),
        Frame(True, 2, 1, i64, 1),
        Frame(True, 3, 1, i64, 1),
    )
    step = Step("checkpoint", 7, frames)
    words = {"w": np.array([1.0, 2.0])}
    said = {part: np.arange(5) + 10 * part for part in (0, 2, 3, 1)}
    for verdict in (0, 1):
        walk = checkpoint(Exchanges(1, 4, Words()), step, 0, 12, words)
        event = walk.send(None)
        assert isinstance(event, StoreShard) and (event.version, event.words) == (12, words)
        for child in (2, 3):
            event = walk.send(said[0] if child == 2 else said[2])
            assert isinstance(event, Receive)
            assert (event.header.sender, event.header.part, event.header.version) == (child, 0, 12)
            assert (event.header.site, event.header.extent) == (7, 40)
        event = walk.send(said[3])
        assert isinstance(event, StoreManifest) and event.version == 12
        assert event.shard is said[0]
        assert {role: array.tolist() for role, array in event.children.items()} == {
            2: said[2].tolist(),
            3: said[3].tolist(),
        }
        event = walk.send(said[1])
        assert isinstance(event, Send) and event.header.receiver == 0
        assert event.payload.tolist() == said[1].tolist()
        event = walk.send(None)
        assert isinstance(event, Receive)
        assert (event.header.sender, event.header.part, event.header.extent) == (0, 1, 8)
        if verdict:
            with pytest.raises(Refusal) as refused:
                walk.send(np.array([1]))
            assert refused.value.code == "protocol-choice-noncanonical"
            continue
        event = walk.send(np.array([0]))
        for child in (2, 3):
            assert isinstance(event, Send) and event.header.receiver == child
            assert (event.header.part, event.payload.tolist()) == (1, [0])
            event = walk.send(None)
        assert event == Stored(12)
        with pytest.raises(StopIteration):
            walk.send(None)


def test_rounds_between_generations_are_alike() -> None:
    """One round shows what all do, as long as each copy of it is the same text."""
    file = learner()
    for schedule, resumed in ((Schedule(11, 3, 7), True), (Schedule(7, 3), False)):
        module = lowered(file.context, file.module, schedule, resumed)
        protocol = find_protocol(module)
        assert protocol is not None and rounds_are_alike(protocol.op)
        roles = find_roles(projected(file.context, module))
        assert all(map(rounds_are_alike, roles.values()))
        for op in (protocol.op, roles[1]):
            updates = [part for part in op.walk() if part.name == "shard.update"]
            assert len(updates) > 1
            advances = [part for part in op.walk() if part.name == "shard.advance"]
            advances[-1].attributes["note"] = StringAttr("another text")
            assert not rounds_are_alike(op)
