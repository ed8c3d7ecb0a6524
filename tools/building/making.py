"""A build: from a learner or a protocol and some flags to the files of a folder.

Invariant: the files depend on the input and its data, the flags, the tools and this project's own
    sources: not on folders, on the time, or on what is kept from earlier builds.
Refuses: what the passes refuse; target-unsupported, deployment-role, deployment-address.
Entry: `build`.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from alpha.ir.protocol.generations import has_checkpoints
from alpha.tools.building.cache import Cache
from alpha.tools.building.data import write_data
from alpha.tools.building.description import (
    NAME,
    DataFile,
    RoleDescription,
    RunDescription,
    Tool,
)
from alpha.tools.building.folders import EXECUTABLE_MODE
from alpha.tools.building.jobs import Jobs
from alpha.tools.building.objects import Objects
from alpha.tools.building.recall import Recall
from alpha.tools.building.roles import Executable, RoleMaker, RoleProgram
from alpha.tools.building.sources import runtime_texts, sources_digest
from alpha.tools.building.targets import Targets
from alpha.tools.building.units import Unit, runtime_units
from alpha.tools.deployment.deployment_file import Deployment
from alpha.tools.deployment.placement import LOOPBACK, Placement
from alpha.tools.driver.output import writing
from alpha.tools.driver.source import read_source, source_name
from alpha.tools.progress import bar

if TYPE_CHECKING:
    from alpha.backends.toolchain.finding import Toolchain
    from alpha.ir.dialects.protocol_role import RoleOp
    from alpha.tools.building.inputs import Input
    from alpha.tools.driver.boundary import Situation

MODULE = "run.mlir"
"""The file with the programs of all roles that were compiled."""

LONGEST = "sha256.mlir"
"""The module of the runtime whose short text becomes the most code."""

BATCH_ROLES = 32
"""So many roles are in memory as code at a time."""


def build(
    arguments: argparse.Namespace,
    targets: Targets,
    cache: Cache,
    folder: Path,
    situation: Situation,
    named: str | None = None,
    deployment: Deployment | None = None,
) -> RunDescription:
    """Build what the arguments say into a new folder, and say on stderr what the passes remarked.

    Messages call the folder as it is `named`, if it is. Without a `deployment`, all roles look for
    one another on the loopback address.

    Raises:
        Refusal: what the front end and the passes refuse; target-unsupported if there are no tools
            for a target; as `Placement.of`.
        InputOutputError, OutputClosed: a file can't be read, or the folder can't be written to.
        TextRejected, ToolFailure: as `assemble`.
    """
    named = str(folder) if named is None else named
    stdin = arguments.file == "-"
    text = None if stdin else read_source(arguments.file)
    objects = Objects(_toolchains(targets), sources_digest(), cache)
    deployment = Deployment.of(None) if deployment is None else deployment
    # Which generation is the newest whole one, only who has read it knows.
    recalls = getattr(arguments, "resume", None) is None
    recall = Recall(arguments, targets, objects, deployment.addresses())
    if text is not None and recalls:
        with writing(named):
            said = recall.take(text, folder)
        if said is not None:
            from alpha.tools.driver.boundary import say

            description = RunDescription.read(folder)
            Placement.of(deployment, {role.role: role.edges for role in description.roles})
            say(said)
            return description
    texts = runtime_texts()
    with _runtime(objects, texts, targets) as runtime:
        from alpha.tools.building.inputs import Input

        given = Input.read(arguments, situation)
        placement = Placement.of(deployment, given.edges())
        work = _Work(given, targets, placement, RoleMaker(objects, texts), folder, named)
        description = work.run(runtime)
    if text is not None and recalls and situation.inputs.get(source_name(arguments.file)) == text:
        executables = [role.executable for role in description.roles]
        with writing(named):
            recall.keep(text, given.source.data_files(), folder, executables, given.said)
    cache.trim()
    return description


def _toolchains(targets: Targets) -> dict[str, Toolchain]:
    """The tools for each machine.

    Raises:
        Refusal: target-unsupported, there are none for one of them.
    """
    from alpha.backends.toolchain.finding import find_toolchain
    from alpha.backends.toolchain.machines import machine_of

    return {name: find_toolchain(machine_of(name)) for name in targets.machines()}


class _Making:
    """Objects that other processes have begun to make."""

    def __init__(self, objects: Objects, units: Sequence[Unit]) -> None:
        self._objects = objects
        self._missing = objects.missing(units)
        self._jobs = Jobs([partial(objects.make, unit) for unit in self._missing])

    def __enter__(self) -> _Making:
        self._jobs.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._jobs.close()

    def finish(self) -> None:
        """See that all objects are there; does nothing the second time."""
        missing, self._missing = self._missing, []
        for unit, made in zip(missing, self._jobs.results() if missing else (), strict=True):
            self._objects.hold(unit, made)


def _runtime(objects: Objects, texts: Mapping[str, str], targets: Targets) -> _Making:
    """The objects of the runtime for all machines; those that take longest are begun first."""
    units = [unit for name in targets.machines() for unit in runtime_units(texts, name)]
    return _Making(objects, sorted(units, key=lambda unit: (unit.name != LONGEST, -len(unit.text))))


@contextlib.contextmanager
def _without_garbage() -> Iterator[None]:
    """Nothing looks for garbage within: there is little, and looking for it takes a tenth."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


class _Work:
    """The roles of a build."""

    def __init__(
        self,
        given: Input,
        targets: Targets,
        placement: Placement,
        maker: RoleMaker,
        folder: Path,
        named: str,
    ) -> None:
        from alpha.ir.frontend.printer import print_module

        self._given = given
        self._targets = targets
        self._placement = placement
        self._maker = maker
        self._folder = folder
        self._named = named
        self._others = given.others()
        self._others_text = print_module(self._others)
        files = bool(given.source.data_files()) or given.resumed is not None
        self._distribution = given.distribution if files else None
        self._identity = given.digests.identity.hex()

    def run(self, runtime: _Making) -> RunDescription:
        """Make and write everything."""
        described: list[RoleDescription] = []
        roles = list(self._given.roles)
        objects = self._maker.objects
        with bar(len(roles), "roles") as advance, _without_garbage():
            for first in range(0, len(roles), BATCH_ROLES):
                batch = roles[first : first + BATCH_ROLES]
                with writing(self._named):
                    data = {role: self._data(role) for role in batch}
                programs = list(self._programs(batch, first, data))
                for program, made in self._made(programs, runtime):
                    described.append(self._write(program, made, data[program.role]))
                    advance()
                if len(roles) > BATCH_ROLES:
                    gc.collect()
        tools = {name: Tool(*objects.tools(name)) for name in sorted(self._targets.machines())}
        description = self._given.described(described, tools)
        with writing(self._named):
            (self._folder / MODULE).write_text(self._given.text(), encoding="utf-8")
            (self._folder / NAME).write_text(description.text(), encoding="utf-8")
        return description

    def _made(
        self, programs: Sequence[RoleProgram], runtime: _Making
    ) -> Iterator[tuple[RoleProgram, Executable]]:
        """The executables of some roles."""
        maker = self._maker
        made = {each.role: maker.made(each) for each in programs}
        missing = [each for each in programs if made[each.role] is None]
        parts = {each.role: maker.parts(each) for each in missing}
        if missing:
            runtime.finish()
        units = [unit for each in parts.values() for unit in each.units]
        with _Making(maker.objects, units) as making:
            making.finish()
        for program in programs:
            found = made[program.role]
            yield program, found or maker.link(program, parts[program.role])

    def _programs(
        self, roles: Sequence[int], first: int, data: Mapping[int, DataFile | None]
    ) -> Iterator[RoleProgram]:
        """The programs of some roles, of which the first one has this place among all roles."""
        from xdsl.dialects.builtin import ModuleOp

        from alpha.ir.frontend.printer import print_module

        for rank, role in enumerate(roles, first):
            op, file = self._given.roles[role], data[role]
            yield RoleProgram(
                op,
                self._others,
                self._others_text + print_module(ModuleOp([op.clone()])),
                self._identity,
                "" if file is None else file.sha256,
                self._targets.at(rank),
                self._addresses(op),
                self._parts(op),
            )

    def _addresses(self, op: RoleOp) -> tuple[str, ...]:
        """The addresses that a role's code has: its own and its peers'."""
        near = {op.role.data, *(edge.data for edge in op.edges.data)}
        if all(self._placement.address(role) == LOOPBACK for role in near):
            return ()
        members = op.group.data.members
        address = self._placement.address
        return tuple(address(role) if role in near else LOOPBACK for role in members)

    def _parts(self, op: RoleOp) -> tuple[str, ...]:
        """The digests of the learner's parts, where the role writes a part of generations."""
        if not has_checkpoints(op):
            return ()
        return tuple(f"{name}={digest}" for name, digest in self._given.parts.items())

    def _data(self, role: int) -> DataFile | None:
        if self._distribution is None:
            return None
        words = self._given.source.words
        assert words is not None
        resumed = self._given.resumed
        generation = None if resumed is None else resumed.generation
        path = self._folder / f"role-{role}.data"
        return write_data(self._distribution, words, role, path, generation)

    def _write(
        self, program: RoleProgram, made: Executable, data: DataFile | None
    ) -> RoleDescription:
        """Write an executable; gives the description of its role."""
        path = self._folder / f"role-{program.role}"
        with writing(self._named):
            path.write_bytes(made.data)
            path.chmod(EXECUTABLE_MODE)
        return RoleDescription(
            role=program.role,
            target=program.target.machine,
            features=program.target.features,
            executable=path.name,
            sha256=hashlib.sha256(made.data).hexdigest(),
            bytes=len(made.data),
            data=data,
            edges=tuple(edge.data for edge in program.op.edges.data),
            memory_bytes=made.memory_bytes,
            address=self._placement.address(program.role),
            pieces=self._given.pieces(program.role),
        )
