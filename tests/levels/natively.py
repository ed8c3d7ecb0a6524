"""Roles as executables: built of a module with the program of every role, and run as processes.

Invariant: a process has pipes in the place of stdin and stdout, as a role in a thread has; so any
    of them may be run together.
Entry: `Executables`, `NativeRole`, `natively`.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from levels.endings import Ending, ending_of
from levels.sockets import Role, RoleEnd, announced_ports, connected, records_of, tell_ports
from xdsl.dialects.builtin import ModuleOp

from alpha.backends.toolchain.emulation import find_runner
from alpha.backends.toolchain.finding import find_toolchain
from alpha.backends.toolchain.machines import machine_of
from alpha.interpreters.role import find_roles
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.frontend.printer import print_module
from alpha.ir.learner_words import LearnerWords
from alpha.ir.protocol.identity import identity_of
from alpha.ir.protocol.view import distribution_beside
from alpha.tools.building.cache import Cache
from alpha.tools.building.data import write_data
from alpha.tools.building.objects import Objects
from alpha.tools.building.roles import RoleMaker, RoleProgram
from alpha.tools.building.sources import runtime_texts, sources_digest
from alpha.tools.building.targets import BuildTarget

MACHINES = ("x86-64", "aarch64")
CACHE = Path(__file__).resolve().parents[2] / "build" / "tests" / "cache"
SECONDS_MAX = 60
BOUNDS = ("--wait", "20", "--deadline", str(SECONDS_MAX))


@cache
def maker() -> RoleMaker:
    """What makes executables; what it has made is kept between runs of the tests."""
    chains = {name: find_toolchain(machine_of(name)) for name in MACHINES}
    return RoleMaker(Objects(chains, sources_digest(), Cache(CACHE)), runtime_texts())


class Executables:
    """The executables of the roles of a module, in a folder; `targets` is repeated over them."""

    def __init__(
        self,
        module: ModuleOp,
        words: LearnerWords | None,
        folder: Path,
        targets: Sequence[str] = MACHINES[:1],
        without: Collection[int] = (),
    ) -> None:
        """Build those of all roles but `without`."""
        self.programs = dict(sorted(find_roles(module).items()))
        self.module, self.words, self.folder = module, words, folder
        self.machines = {
            role: targets[number % len(targets)] for number, role in enumerate(self.programs)
        }
        first = next(iter(self.programs.values()))
        self._distribution = distribution_beside(first)
        learner = None if self._distribution is None else self._distribution.learner
        self.identity = identity_of(first, learner, words)
        for role, op in self.programs.items():
            if role not in without:
                self._build(role, op)

    def _build(self, role: int, op: RoleOp) -> None:
        digest = ""
        if self._distribution is not None:
            assert self.words is not None
            path = self.folder / f"role-{role}.data"
            data = write_data(self._distribution, self.words, role, path)
            digest = "" if data is None else data.sha256
        parts = (each for each in self.module.body.block.ops if not isinstance(each, RoleOp))
        others = ModuleOp([each.clone() for each in parts])
        text = print_module(others) + print_module(ModuleOp([op.clone()]))
        target = BuildTarget(self.machines[role])
        program = RoleProgram(op, others, text, self.identity.hex(), digest, target)
        made = maker().made(program) or maker().link(program, maker().parts(program))
        path = self.path(role)
        path.write_bytes(made.data)
        path.chmod(0o700)

    def path(self, role: int) -> Path:
        """The executable of a role."""
        return self.folder / f"role-{role}"

    def command(self, role: int, *arguments: str) -> Sequence[str]:
        """The command that runs a role."""
        runner = find_runner(machine_of(self.machines[role])).command
        return (*runner, str(self.path(role)), *(arguments or BOUNDS))


class NativeRole:
    """A role at work in a process of its own."""

    def __init__(self, role: int, peers: Sequence[int], command: Sequence[str]) -> None:
        self.role, self.peers = role, list(peers)
        self.end = RoleEnd()
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)

    def announced(self) -> dict[int, int]:
        """The port for each higher peer; fewer if the role has ended."""
        assert self.process.stdout is not None
        return announced_ports(self.role, self.peers, self.process.stdout.fileno())

    def tell(self, ports: Mapping[int, int]) -> None:
        """Tell the role the ports on which its lower peers listen for it, up to a missing one."""
        assert self.process.stdin is not None
        tell_ports(self.role, self.peers, ports, os.dup(self.process.stdin.fileno()))
        self.process.stdin.close()

    def collect(self) -> RoleEnd:
        """Wait for the end of the role; what it says on stderr is its error."""
        assert self.process.stdout is not None and self.process.stderr is not None
        try:
            with self.process.stdout as heard:
                self.end.records += records_of(heard)
            said = self.process.stderr.read().decode()
            status = self.process.wait(SECONDS_MAX)
        except BaseException:
            self.process.kill()
            raise
        finally:
            self.process.stderr.close()
            self.process.wait()
        if status or said:
            self.end.error = AssertionError(f"status {status}: {said}")
        return self.end


def natively(
    module: ModuleOp,
    words: LearnerWords,
    targets: Sequence[str] = MACHINES[:1],
    interpreted: Collection[int] = (),
) -> Ending:
    """The ending of the roles of a module, each a process; `interpreted` are threads instead.

    Raises:
        AssertionError: a role didn't finish, or its records aren't what they should be.
    """
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        built = Executables(module, words, Path(folder), targets, interpreted)
        roles: list[Role | NativeRole] = []
        for role, op in built.programs.items():
            if role in interpreted:
                roles.append(Role(op, words))
            else:
                peers = [edge.data for edge in op.edges.data]
                roles.append(NativeRole(role, peers, built.command(role)))
        return ending_of(module, connected(roles), every_progress=False)
