"""One run of a learner at any level, from what it goes on from to what it ends in.

Invariant: words, observations and digests are those that the run itself has told or written to
    files. The levels learner, shard, protocol and native are run by `alpha run` in this process;
    the roles of the level role are threads that do what `alpha role` does.
Entry: `Side`, `Store`, `Outcome`, `difference`, `run`, `refused`, `ended_roles`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from levels.sockets import Role, RoleEnd, connected
from native_runs.folders import Told, command
from safetensors.numpy import load_file

from alpha.interpreters.participants.reports import END, OBSERVATION, STATE, STORED, Record
from alpha.interpreters.role import find_roles
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.digests import state_digest
from alpha.ir.protocol.advances import advances_of, begin_of
from alpha.ir.protocol.generations import has_checkpoints
from alpha.ir.protocol.view import distribution_beside
from alpha.ir.shapes import element_name, shape_of, words_of
from alpha.ir.sharding.fragments import members
from alpha.tools.checkpoints.resuming import Resumed
from alpha.tools.checkpoints.roles import facts_of, states_of, store_of
from alpha.tools.checkpoints.storing import NOWHERE, Storing, storing
from alpha.tools.commands.run import add_arguments
from alpha.tools.driver.boundary import Situation
from alpha.tools.protocol_file import ProtocolFile
from alpha.tools.protocol_levels import role_module

LEVELS = ("learner", "shard", "protocol", "role", "native")
TYPES = {"f64": "<f8", "f32": "<f4"}

Seen = tuple[int, str, float, int]
"""The version that was read, the label, the total and the count of an observation."""


class Side(NamedTuple):
    """Who computes: a level, and among whom and how the words are shared out there."""

    level: str
    owners: int | None = None
    """None where the file says who they are."""
    topology: str | None = None
    modes: tuple[str, ...] = ()
    map: str | None = None
    exchange: str | None = None
    targets: str | None = None

    def flags(self) -> list[str]:
        """Those of `alpha run`."""
        flags = [] if self.level == "native" else [f"--interpret={self.level}"]
        if self.level == "learner":
            return flags
        flags += [] if self.owners is None else [f"--owners={self.owners}"]
        flags += [] if self.topology is None else [f"--topology={self.topology}"]
        flags += [f"--partition={','.join(self.modes)}"] if self.modes else []
        flags += [f"--map={self.map}"] if self.map is not None and self.modes else []
        if self.level != "shard" and self.exchange is not None:
            flags.append(f"--exchange={self.exchange}")
        if self.level == "native" and self.targets is not None:
            flags.append(f"--targets={self.targets}")
        return flags

    def __str__(self) -> str:
        return " ".join(self.flags()) or "native"


class Store(NamedTuple):
    """Where a run stores generations, and every how many rounds; None for the end alone."""

    path: Path
    every: int | None = None

    def flags(self) -> list[str]:
        """Those of `alpha run`."""
        flags = [f"--checkpoint={self.path}"]
        return flags if self.every is None else [*flags, f"--checkpoint-every={self.every}"]


class Outcome(NamedTuple):
    """What a run has come to."""

    version: int
    observed: list[Seen]
    words: dict[str, bytes]
    """Of each state, in row-major order, little-endian."""
    digest: str


def difference(found: Outcome, wanted: Outcome) -> str | None:
    """Where an outcome first differs from another in a bit; None if nowhere."""
    if found.version != wanted.version:
        return f"version {found.version}, not {wanted.version}"
    if found.words.keys() != wanted.words.keys():
        return f"states {sorted(found.words)}, not {sorted(wanted.words)}"
    for name, words in wanted.words.items():
        if found.words[name] != words:
            return f"@{name}: {found.words[name].hex()}, not {words.hex()}"
    if found.observed != wanted.observed:
        return f"observed {found.observed}, not {wanted.observed}"
    if found.digest != wanted.digest:
        return f"{found.digest}, not {wanted.digest}"
    return None


def run(
    file: Path,
    side: Side,
    rounds: int,
    scratch: Path,
    *,
    store: Store | None = None,
    resume: Path | None = None,
    more: Sequence[str] = (),
) -> Outcome:
    """Run a learner to a version; files that only this needs go to the folder `scratch`.

    Raises:
        AssertionError: it didn't end well, or said something that it shouldn't.
    """
    flags = [*side.flags(), f"--rounds={rounds}", *more]
    flags += [] if store is None else store.flags()
    flags += [] if resume is None else [f"--resume={resume}"]
    if side.level == "role":
        return _in_threads([str(file), *flags])
    saved, metrics = scratch / "saved.safetensors", scratch / "metrics.json"
    metrics.unlink(missing_ok=True)
    told = command("run", file, *flags, "--save", saved, "--metrics", metrics)
    assert told.status == 0, told
    assert not any(each in told.said for each in ("error", "passed over", "stored")), told
    digest = told.out.splitlines()[-1]
    assert digest.startswith("state sha256:"), told
    words = {name: array.tobytes() for name, array in load_file(saved).items()}
    version = _header(saved)["__metadata__"]["version"]
    return Outcome(int(version), _rows(metrics), words, digest)


def refused(file: Path, side: Side, rounds: int, *flags: str | Path) -> Told:
    """What a command says that doesn't end well; at every level by a command."""
    told = command("run", file, *side.flags(), f"--rounds={rounds}", *flags)
    assert told.status, told
    assert "internal error" not in told.said, told
    return told


def _header(path: Path) -> dict[str, dict[str, str]]:
    data = path.read_bytes()
    return json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])


def _rows(metrics: Path) -> list[Seen]:
    """What was observed, of a file in which every round has a line, in their order."""
    found: list[Seen] = []
    lines = [json.loads(line) for line in metrics.read_text(encoding="utf-8").splitlines()]
    versions = [line["version"] for line in lines]
    assert versions == [*range(versions[0], versions[0] + len(versions))] if versions else True
    for line in lines:
        for label, of in line["observations"].items():
            found.append((line["version"], label, of["total"], of["count"]))
    return found


class _Programs(NamedTuple):
    """What flags make of a learner: the programs of its roles, and how a run of them stores."""

    arguments: argparse.Namespace
    source: ProtocolFile
    resumed: Resumed | None
    roles: dict[int, RoleOp]

    @classmethod
    def of(cls, given: Sequence[str]) -> _Programs:
        """As `alpha run --interpret=role` has them."""
        parser = argparse.ArgumentParser()
        add_arguments(parser)
        arguments = parser.parse_args(given)
        source = ProtocolFile.read(arguments.file, Situation("alpha", []))
        resumed = Resumed.of(arguments, source.learner, source.words)
        module = role_module(source, arguments, resumed)
        return cls(arguments, source, resumed, dict(sorted(find_roles(module).items())))

    def storing(self) -> AbstractContextManager[Storing]:
        """What a run of them does that is given the flags."""
        first = self.roles[0]
        history = None if self.resumed is None else self.resumed.history
        end = begin_of(first) + advances_of(first)
        return storing(self.arguments, has_checkpoints(first), history, end)

    def started(self, role: int, store: Storing) -> Role:
        """A role at work."""
        return _role(self.roles[role], self.source, store, self.arguments.resume)


def _in_threads(given: Sequence[str]) -> Outcome:
    """The level role, with roles that are threads."""
    programs = _Programs.of(given)
    with programs.storing() as store:
        ends = connected([programs.started(role, store) for role in programs.roles])
    for role, ended in ends.items():
        assert ended.error is None, f"role {role}: {ended.error!r}"
    return _outcome(programs.roles[0], {role: ended.records for role, ended in ends.items()})


def ended_roles(file: Path, flags: Mapping[int, Sequence[str]]) -> dict[int, RoleEnd]:
    """How roles end of which each has flags of its own, none of which store anything."""
    programs = {role: _Programs.of([str(file), *given]) for role, given in flags.items()}
    return connected([each.started(role, NOWHERE) for role, each in programs.items()])


def _role(op: RoleOp, source: ProtocolFile, store: Storing, resume: str | None) -> Role:
    distribution = distribution_beside(op)
    assert distribution is not None and source.words is not None
    writer = states = None
    if store.path is not None:
        writer = store_of(str(store.path), facts_of(distribution, op, source.words), op)
    if op.resumed is not None:
        assert resume is not None
        states = states_of(resume, distribution, op)
    return Role(op, source.words, store=writer, states=states)


def _outcome(program: RoleOp, told: Mapping[int, Sequence[Record]]) -> Outcome:
    """What roles have told, put together."""
    distribution = distribution_beside(program)
    assert distribution is not None
    learner, labels = distribution.learner, distribution.learner.labels()
    (version,) = {record.version for of in told.values() for record in of if record.kind == END}
    observed: list[Seen] = []
    for record in told[0]:
        assert record.kind != STORED or record.version <= version
        if record.kind == OBSERVATION:
            (total,) = np.frombuffer(record.words, f"<f{len(record.words)}")
            seen = (record.version, labels[record.index], float(total), record.count)
            observed.append(seen)
    words: dict[str, np.ndarray] = {}
    for index, (name, op) in enumerate(learner.states.items()):
        size, map = words_of(op.type), distribution.map_of(name)
        whole = np.empty(size, TYPES[element_name(op.type)])
        for role, records in told.items():
            own = [each.words for each in records if (each.kind, each.index) == (STATE, index)]
            # Who has a copy doesn't tell it, but for role 0.
            assert len(own) == (map is not None or role == 0), f"@{name} of role {role}"
            if own and map is None:
                whole[:] = np.frombuffer(own[0], whole.dtype)
            elif own and map is not None:
                at = members(map.piece(role, distribution.owners, size))
                whole[at] = np.frombuffer(own[0], whole.dtype)
        words[name] = whole.reshape(shape_of(op.type))
    types = {name: op.type for name, op in learner.states.items()}
    digest = f"state sha256:{state_digest(types, words)}"
    return Outcome(
        version, observed, {name: each.tobytes() for name, each in words.items()}, digest
    )
