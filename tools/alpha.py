"""`alpha`: runs, verifies and inspects learners; one subcommand a file under `commands/`.

Invariant: whatever happens, a user sees one clear report and an exit status of `ALL_STATUSES`.
Entry: `main`, `script`.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn, Protocol, cast

from alpha.ir.refusals import Refusal
from alpha.tools.driver.boundary import Situation, run_guarded, run_process, say
from alpha.tools.driver.help import planned_text, statuses_text, version_text
from alpha.tools.driver.output import InputOutputError, OutputClosed, flush_stdout, write_output
from alpha.tools.driver.planned import COMMANDS as PLANNED
from alpha.tools.driver.planned import refuse_planned
from alpha.tools.exits import (
    ALL_STATUSES,
    INPUT_OUTPUT,
    REFUSED,
    ROUND_REFUSED,
    RoundRefused,
)

TOOL = "alpha"
COMMANDS = ("run", "verify", "inspect")


class Command(Protocol):
    """What a file of `commands/` has."""

    SUMMARY: str
    STATUSES: Mapping[int, str]

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the flags."""
        ...

    def run(self, arguments: argparse.Namespace, situation: Situation) -> int:
        """Run the command and return its exit status."""
        ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool on these arguments, by default the process's, and return its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return run_guarded(TOOL, arguments, lambda situation: _run(arguments, situation))


def script() -> NoReturn:
    """The tool as a process of its own."""
    run_process(main)


def _command(name: str) -> Command:
    return cast(Command, importlib.import_module(f"alpha.tools.commands.{name}"))


class _VersionAction(argparse.Action):
    """`--version`: unlike argparse's own, it looks for the version only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *given: object, **named: object) -> None:
        """Print the version and end."""
        write_output(version_text(TOOL))
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    more = (
        f"alpha COMMAND --help lists the flags of a command.\n\n{planned_text('commands', PLANNED)}"
    )
    parser = argparse.ArgumentParser(
        prog=TOOL,
        description="Run, verify and inspect learners.",
        epilog=f"{more}\n{statuses_text(ALL_STATUSES)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", nargs=0, action=_VersionAction, help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        command = _command(name)
        part = commands.add_parser(
            name,
            help=command.SUMMARY,
            description=command.SUMMARY,
            epilog=statuses_text(command.STATUSES),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_arguments(part)
    return parser


def _run(given: Sequence[str], situation: Situation) -> int:
    if given and given[0] in PLANNED:
        refuse_planned("command", f"alpha {given[0]}")
    try:
        arguments = _parser().parse_args(given)
    except SystemExit as end:
        # argparse has printed its help or its usage line.
        return end.code if isinstance(end.code, int) else REFUSED
    command = _command(arguments.command)
    situation.stage = f"alpha {arguments.command}"
    if INPUT_OUTPUT in command.STATUSES:
        situation.input_output_status = INPUT_OUTPUT
    try:
        return command.run(arguments, situation)
    except Refusal as refusal:
        if refusal.place is None:
            raise
        _report(refusal, situation)
        return REFUSED
    except RoundRefused as stop:
        _report(stop.refusal, situation)
        return ROUND_REFUSED


def _report(refusal: Refusal, situation: Situation) -> None:
    """Print the refusal with its line of the source, behind what stdout has got so far."""
    from alpha.tools.driver.diagnostics import of_refusal, render

    assert refusal.place is not None
    file = refusal.place.file
    with contextlib.suppress(InputOutputError, OutputClosed):
        # The refusal says more than that its output was lost as well.
        flush_stdout()
    say(render(of_refusal(refusal, file), file, situation.inputs.get(file, b"")))
