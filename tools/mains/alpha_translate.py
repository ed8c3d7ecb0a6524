"""`alpha-translate`: reads IR of any level and writes what a target runs.

Invariant: exit statuses and diagnostics are those of `alpha-opt`.
Refuses: target-unsupported, and what guard, parser, verifiers, passes and pictures refuse.
Entry: `main`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from alpha.tools.driver.arguments import Command, Flag, UsageError, parse_command
from alpha.tools.driver.boundary import Situation, run_guarded
from alpha.tools.driver.output import write_output
from alpha.tools.exits import DONE, STATUSES

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

TOOL = "alpha-translate"
USAGE = "--emit-TARGET [--role=N] [--features=F,...] [--show-source] [FILE] [-o OUT]"
ABOUT = "Reads IR of any level from FILE or stdin and writes it for a target."
DOT = "--emit-dot"
PTX = "--emit-ptx"
MACHINES = {"--emit-x86": "x64", "--emit-aarch64": "a64"}
"""The targets that are instruction sets, with their dialects."""
ROLE_DIGITS_MAX = 18
TARGETS = (
    Flag("emit-x86", "x86-64 assembly"),
    Flag("emit-aarch64", "AArch64 assembly"),
    Flag("emit-ptx", "PTX for an NVIDIA GPU"),
    Flag("emit-dot", "the topology and the schedule of a protocol, for Graphviz"),
)
FLAGS = (
    *TARGETS,
    Flag("role", "the program of one role, 0 to n-1; of a graph, its schedule", "N"),
    Flag("features", "what the processor has beyond the target's baseline", "F,..."),
    Flag("show-source", "say in comments what operation of the source instructions come from"),
    Flag("o", "write to a file, only when everything succeeded", "OUT"),
    Flag("split-input-file", "treat the pieces between '// -----' lines on their own"),
    Flag("verify-diagnostics", "compare diagnostics with the expected-error comments"),
    Flag("version", "print the version"),
    Flag("help", "print this text"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool on these arguments, by default the process's, and return its exit status."""
    arguments = sys.argv[1:] if argv is None else argv
    return run_guarded(TOOL, arguments, lambda situation: _run(arguments, situation))


def _run(arguments: Sequence[str], situation: Situation) -> int:
    command = parse_command(arguments, FLAGS)
    if command.has("help", "version"):
        from alpha.tools.driver.help import help_text, version_text

        page = version_text(TOOL)
        if command.has("help"):
            page = help_text(TOOL, USAGE, ABOUT, FLAGS, STATUSES)
        write_output(page)
        return DONE
    target = _target(command)
    from alpha.tools.driver.session import Session

    if target == DOT:
        from alpha.passes.check_protocol import CheckProtocolPass
        from alpha.tools.pictures.drawings import ToProtocol

        # A protocol that is there is drawn if it can be projected; one that is made can be.
        passes = [CheckProtocolPass(), ToProtocol()]
        role = int(command.flags["role"]) if command.has("role") else None
        return Session(command, passes, lambda op: _dot(op, role), situation).run()
    if target in MACHINES:
        return _assemble(command, MACHINES[target], situation)
    return _kernels(command, situation)


def _kernels(command: Command, situation: Situation) -> int:
    """Write the kernels of the programs.

    Raises UsageError for a role, and for a feature, of which there is none.
    """
    from alpha.tools.assembly import features_given
    from alpha.tools.driver.session import Session
    from alpha.tools.kernels import ToKernels, kernel_text

    if command.has("role"):
        others = "--emit-x86, --emit-aarch64 and --emit-dot"
        raise UsageError(f"{PTX} writes the kernels of all programs; --role is for {others}")
    features_given("ptx", command.flags.get("features", ""))
    return Session(
        command, [ToKernels()], lambda op: kernel_text(op, command.has("show-source")), situation
    ).run()


def _assemble(command: Command, dialect: str, situation: Situation) -> int:
    """Write assembly text: the passes that are left, then the printer."""
    from alpha.tools.assembly import ToAssembly, assembly_text, features_given
    from alpha.tools.driver.session import Session

    features = features_given(dialect, command.flags.get("features", ""))
    if command.has("role"):
        from alpha.tools.whole_program import ToRole, role_text, with_fast_digests

        role = int(command.flags["role"])
        whole = [
            ToRole(dialect, features, role),
            ToAssembly(dialect, with_fast_digests(dialect, features)),
        ]
        shown = command.has("show-source")
        return Session(
            command,
            whole,
            lambda op: role_text(assembly_text(op, dialect, shown), dialect, role),
            situation,
        ).run()
    return Session(
        command,
        [ToAssembly(dialect, features)],
        lambda op: assembly_text(op, dialect, command.has("show-source")),
        situation,
    ).run()


def _dot(module: ModuleOp, role: int | None) -> str:
    from alpha.tools.pictures.dot import dot_text
    from alpha.tools.pictures.drawings import Drawing

    return dot_text(Drawing.of(module), role)


def _target(command: Command) -> str:
    """The one target of a command; a role, if given, must be a number.

    Raises UsageError.
    """
    asked = [target.spelling for target in TARGETS if command.has(target.name)]
    if len(asked) != 1:
        found = " and ".join(asked) or "none"
        choice = ", ".join(target.spelling for target in TARGETS)
        raise UsageError(f"expected one target of {choice}; got {found}")
    role = command.flags.get("role", "0")
    if not (role.isascii() and role.isdigit() and len(role) <= ROLE_DIGITS_MAX):
        most = 10**ROLE_DIGITS_MAX - 1
        raise UsageError(f"--role expects a number from 0 to {most}, got {role!r}")
    return asked[0]
