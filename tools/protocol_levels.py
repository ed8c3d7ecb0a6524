"""What the flags of a command make of a file at the levels of the protocol and of the roles.

Invariant: a protocol or roles in the file are taken as they are; else the flags run the passes of
    the same names, on a copy of the module that was read.
Refuses: what the passes refuse; target-unsupported for flags that a file as it is doesn't need.
Entry: `protocol_module`, `role_module`, `rounds_written`, `check_rounds`.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from alpha.interpreters.role import find_roles
from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.frames import ROLES_IN_FRAMES
from alpha.ir.protocol.advances import begin_of, exact_advances_of
from alpha.ir.protocol.identity import check_digest
from alpha.ir.protocol.view import Protocol, find_protocol
from alpha.ir.refusals import Place, Refusal
from alpha.tools.checkpoints.flags import every_of
from alpha.tools.checkpoints.paths import check_start
from alpha.tools.distributing import Levels, run_pass
from alpha.tools.distribution_flags import FLAGS
from alpha.tools.learner_file import LearnerFile

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from alpha.tools.checkpoints.resuming import Resumed
    from alpha.tools.protocol_file import ProtocolFile

ROLES_MAX = {"protocol": 4096, "role": 256}
"""Most roles of a run: generators in one process, or processes on one machine."""

EXECUTABLES_MAX = 4096
"""Most roles of a build: an executable each."""


def protocol_module(
    source: ProtocolFile, arguments: argparse.Namespace, resumed: Resumed | None = None
) -> ModuleOp:
    """A module with the protocol of a file: its own, or that of its distributed learner.

    A learner's begins at the version of what is `resumed`, if that is given. One that is there
    already may begin with another generation: who runs it calls `check_start`, a model needs none.

    Raises:
        Refusal: what the passes refuse, or flags that would change a protocol as it is.
    """
    programs = find_roles(source.module)
    if programs:
        first = next(iter(programs.values()))
        wanted = "a learner or a protocol.global, and no programs of roles: they are run by "
        wanted += "--interpret=role, and compared by alpha verify"
        raise Refusal("target-unsupported", wanted, f"that of role {first.role.data}", first)
    found = find_protocol(source.module)
    if found is not None:
        _refuse_flags(arguments, source.module)
        _check_roles(found.group.size, arguments)
        if getattr(arguments, "interpret", None) is not None or _builds(arguments):
            _check_numbers(found)
        run_pass(source.context, source.module, "check_protocol")
        return source.module
    if source.learner is None or source.words is None:
        wanted = "a learner, a protocol.global or the program of every role in the file"
        raise Refusal("region-learner-count", wanted, "none", Place(source.file, 1, 1))
    given = LearnerFile(
        source.file, source.context, source.module, source.learner, source.words, source.folder
    )
    levels = Levels.of(given, arguments)
    module = list(levels.modules.values())[-1]
    _check_roles(next(iter(levels.distributions().values())).owners, arguments)
    options: dict[str, object] = {"rounds": 1 if arguments.rounds is None else arguments.rounds}
    for flag in ("exchange", "threshold"):
        if getattr(arguments, flag) is not None:
            options[flag] = getattr(arguments, flag)
    if every_of(arguments) is not None:
        options["checkpoint"] = every_of(arguments)
    if resumed is not None:
        options |= {"begin": resumed.version, "generation": resumed.digest}
    run_pass(source.context, module, "lower_shard_to_protocol", **options)
    return module


def _builds(arguments: argparse.Namespace) -> bool:
    """Whether executables are made, which run as roles do."""
    return getattr(arguments, "command", None) == "build"


def _check_roles(roles: int, arguments: argparse.Namespace) -> None:
    """Refuse more roles than one process or one machine is to run."""
    level = getattr(arguments, "interpret", None)
    most = EXECUTABLES_MAX if _builds(arguments) else ROLES_MAX.get(level or "", roles)
    if roles > most:
        what = "alpha build" if _builds(arguments) else f"--interpret={level}"
        wanted = f"at most {most} roles with {what}"
        raise Refusal("target-unsupported", wanted, f"{roles}; alpha simulate models more")


def _check_numbers(protocol: Protocol) -> None:
    """Refuse to run roles whose numbers no frame can say; a model of them sends none."""
    last = protocol.group.members.max
    if last >= ROLES_IN_FRAMES:
        wanted = f"roles from 0 to {ROLES_IN_FRAMES - 1}, as a frame says them"
        raise Refusal("protocol-role-range", wanted, f"role {last}", protocol.op)


def role_module(
    source: ProtocolFile, arguments: argparse.Namespace, resumed: Resumed | None = None
) -> ModuleOp:
    """A module with the program of every role: those of the file, or the protocol's projections.

    They begin at the version of what is `resumed`, if that is given.

    Raises:
        Refusal: as `protocol_module`.
    """
    roles = find_roles(source.module)
    if not roles:
        if arguments.unchecked:
            wanted = "programs of roles in the file with --unchecked"
            raise Refusal("target-unsupported", wanted, "none")
        module = protocol_module(source, arguments, resumed)
        protocol = find_protocol(module)
        assert protocol is not None
        check_start(protocol.op, resumed)
        run_pass(source.context, module, "project_role")
        run_pass(source.context, module, "check_schedules")
        return module
    _refuse_flags(arguments, source.module)
    members = next(iter(roles.values())).group.data.members
    missing = next((role for role in members if role not in roles), None)
    if missing is not None:
        wanted = f"the program of each of the {members.size} roles"
        raise Refusal(
            "protocol-role-unfinished", wanted, f"none of role {missing}", Place(source.file, 1, 1)
        )
    for program in roles.values():
        check_digest(program)
        check_start(program, resumed)
    if not arguments.unchecked:
        run_pass(source.context, source.module, "check_schedules")
    return source.module


def rounds_written(module: ModuleOp) -> int | None:
    """The version at which the protocol or the roles of a file end, where no run can end elsewhere.

    As many are the rounds from the learner's words on: those of a generation are the ones before.
    """
    parts = [op for op in module.body.block.ops if isinstance(op, GlobalOp | RoleOp)]
    found = {(begin_of(op), exact_advances_of(op)) for op in parts}
    begin, rounds = found.pop() if len(found) == 1 else (0, None)
    return None if rounds is None else begin + rounds


def check_rounds(arguments: argparse.Namespace, written: int | None) -> None:
    """See that no other number of rounds is asked for than a protocol in the file makes.

    Raises:
        Refusal: target-unsupported.
    """
    given = getattr(arguments, "rounds", None)
    if None not in (given, written) and given != written:
        wanted = f"--rounds {written}, which is how many the protocol in the file makes"
        raise Refusal("target-unsupported", wanted, f"--rounds {given}")


def _refuse_flags(arguments: argparse.Namespace, module: ModuleOp) -> None:
    written = rounds_written(module)
    check_rounds(arguments, written)
    unknown = ("rounds",) if written is None else ()
    for flag in (*FLAGS, *unknown, "exchange", "threshold", "checkpoint_every"):
        if getattr(arguments, flag, None) is not None:
            found = f"--{flag.replace('_', '-')} with a protocol as it is"
            raise Refusal("target-unsupported", "no flags that make another protocol", found)
