"""Whatever fails while a generation is stored, it is published whole or not at all."""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from generations.memories import Memory, RoleStore
from generations.running import Schedule, lowered
from levels.endings import projected
from levels.sockets import run_roles
from sharding.product import Setting, distributed

from alpha.interpreters.learner import LearnerInterpreter
from alpha.interpreters.network.faults import Fault, Kill, Silence
from alpha.interpreters.network.outcomes import Finished, Killed, Lost, Refused
from alpha.interpreters.network.simulated import SimulatedNetwork
from alpha.interpreters.network.stores import Store
from alpha.interpreters.participants.failures import PeerLost
from alpha.interpreters.participants.reports import STATE, STORED
from alpha.interpreters.protocol import DEADLINE_SECONDS, walks_of
from alpha.interpreters.words import Words
from alpha.interpreters.work import RoleWork
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.protocol.view import Protocol, find_protocol
from alpha.ir.refusals import Refusal
from alpha.tools.learner_file import LearnerFile

SCHEDULE = Schedule(2, 1)
TOPOLOGIES = {"star": 3, "tree<1>": 3, "tree<2>": 5}


def learner_of(topology: str) -> tuple[LearnerFile, Protocol]:
    file = distributed(Setting("sgd", topology, TOPOLOGIES[topology], "even"))
    protocol = find_protocol(lowered(file.context, file.module, SCHEDULE, False))
    assert protocol is not None
    return file, protocol


def run(
    file: LearnerFile,
    protocol: Protocol,
    stores: Mapping[int, Store],
    *faults: Fault,
    seed: int = 0,
) -> SimulatedNetwork:
    """Run all roles until each has ended."""
    walks = walks_of(protocol, file.words, Words())
    participants = {role: walk.participant() for role, walk in walks.items()}
    given = {"seed": seed, "buffer": seed % 3 or None, "deadline": DEADLINE_SECONDS}
    net = SimulatedNetwork(participants, faults=faults, stores=stores, trace=True, **given)
    net.run()
    return net


def check(file: LearnerFile, protocol: Protocol, memory: Memory, net: SimulatedNetwork) -> None:
    """What is published is whole, and nobody has gone on before it was."""
    running = LearnerInterpreter(file.learner, file.words, Words())
    assert memory.published == [1, 2][: len(memory.published)]
    assert net.stored == memory.published[: len(net.stored)]
    distribution = protocol.distribution
    assert distribution is not None
    for version in memory.published:
        running.step()
        for role in protocol.group.members:
            assert (version, role) in memory.manifests
        whole = memory.whole(distribution, version)
        for name, array in running.state.items():
            assert whole[name].tobytes() == array.tobytes()
    assert net.trace is not None
    written, advanced = 0, dict.fromkeys(protocol.group.members, 0)
    for step in net.trace:
        written += step.role == 0 and step.happening == "stores"
        if step.happening == "advanced":
            advanced[step.role] += 1
            # A shard and a manifest of role 0 for each version before.
            assert written >= 2 * (advanced[step.role] - 1)


def test_nothing_fails() -> None:
    for topology in TOPOLOGIES:
        file, protocol = learner_of(topology)
        memory = Memory()
        net = run(file, protocol, memory.stores(protocol.group.members))
        check(file, protocol, memory, net)
        assert memory.published == net.stored == [1, 2]
        assert net.trace is not None
        happenings = [step.happening for step in net.trace if step.role == 0]
        assert happenings.count("stores") == 4 and happenings.count("stored") == 2
        later = [step.happening for step in net.trace if step.role == 1]
        assert later.count("stores") == 4 and "stored" not in later


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("kind", [Kill, Silence])
def test_a_role_that_dies(kind: type[Kill | Silence], topology: str) -> None:
    """At every event of every role."""
    file, protocol = learner_of(topology)
    quiet = run(file, protocol, Memory().stores(protocol.group.members))
    ends: set[int] = set()
    for role, events in quiet.events.items():
        for after in range(events):
            memory = Memory()
            stores = memory.stores(protocol.group.members)
            net = run(file, protocol, stores, kind(role, after), seed=after)
            check(file, protocol, memory, net)
            kinds = Killed | Lost | Finished
            assert all(isinstance(each, kinds) for each in net.outcomes.values())
            assert net.deadlock is None or kind is Silence
            ends.add(len(memory.published))
    assert ends == {0, 1, 2}


class Failing(RoleStore):
    """A store that fails at one version, at its shard or at its manifest."""

    def __init__(self, memory: Memory, role: int, error: Exception, part: str) -> None:
        super().__init__(memory, role)
        self._error = error
        self._part = part

    def write_shard(self, version: int, words: Mapping[str, np.ndarray]) -> np.ndarray:
        if (version, self._part) == (2, "shard"):
            raise self._error
        return super().write_shard(version, words)

    def write_manifest(
        self, version: int, shard: np.ndarray, children: Mapping[int, np.ndarray]
    ) -> np.ndarray:
        if (version, self._part) == (2, "manifest"):
            raise self._error
        return super().write_manifest(version, shard, children)


@pytest.mark.parametrize("part", ["shard", "manifest"])
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_a_store_that_refuses(topology: str, part: str) -> None:
    file, protocol = learner_of(topology)
    for role in protocol.group.members:
        memory = Memory()
        refusal = Refusal("checkpoint-exists", "no generation of version 2", "one")
        stores = {
            **memory.stores(protocol.group.members),
            role: Failing(memory, role, refusal, part),
        }
        net = run(file, protocol, stores, seed=role)
        check(file, protocol, memory, net)
        assert memory.published == net.stored == [1]
        failure = net.first_failure
        assert failure is not None and failure[0] == role
        assert isinstance(failure[1], Refused) and failure[1].refusal is refusal
        assert not net.published


@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_copies_that_differ_are_not_stored(topology: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What all roles compute is compared before it is stored, not in the round behind."""
    file, protocol = learner_of(topology)
    last, publish = protocol.group.members.max, RoleWork.publish

    def published(self: RoleWork, op: AdvanceOp, values: Sequence[np.ndarray]) -> None:
        publish(self, op, values)
        if (self.role, self.version) == (last, 2):
            self.owner.words["w"] = self.owner.words["w"] + 1.0

    monkeypatch.setattr(RoleWork, "publish", published)
    memory = Memory()
    net = run(file, protocol, memory.stores(protocol.group.members))
    assert memory.published == net.stored == [1]
    assert not any(version == 2 for version, _ in memory.shards)
    failure = net.first_failure
    assert failure is not None and isinstance(failure[1], Refused)
    assert failure[1].code == "data-parallel-replicas-diverge"


@pytest.mark.parametrize("part", ["shard", "manifest"])
@pytest.mark.parametrize("failing", range(3))
def test_a_role_that_cannot_write(failing: int, part: str) -> None:
    """It ends with what its host said; its peers lose it, and nobody publishes."""
    file, protocol = learner_of("tree<1>")
    roles = projected(file.context, lowered(file.context, file.module, SCHEDULE, False))
    memory, error = Memory(), OSError(errno.ENOSPC, "No space left on device")
    stores: dict[int, Store] = {**memory.stores(protocol.group.members)}
    stores[failing] = Failing(memory, failing, error, part)
    ends = run_roles(roles, file.words, stores=stores)
    assert memory.published == [1]
    for role, end in ends.items():
        if role == failing:
            assert end.error is error
        else:
            assert isinstance(end.error, PeerLost)
        assert not [record for record in end.records if record.kind == STATE]
    assert [record.version for record in ends[0].records if record.kind == STORED] == [1]
