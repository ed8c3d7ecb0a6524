"""`alpha`: runs and inspects learners; one subcommand a file under `commands/`.

Invariant: whatever happens, a user sees one clear report and an exit status: 0 done, 1 refused or
    invalid input, 2 usage, 70 internal error, 130 interrupted; of `alpha run` also 3 a round was
    refused, 5 input or output.
Entry: `main`, `script`.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn, Protocol, cast

from alpha.ir.refusals import Refusal
from alpha.tools.driver.boundary import REFUSED, Situation, run_guarded, run_process, say
from alpha.tools.driver.planned import COMMANDS as PLANNED
from alpha.tools.driver.planned import refuse_planned
from alpha.tools.exits import INPUT_OUTPUT, ROUND_REFUSED, RoundRefused

if TYPE_CHECKING:
    from alpha.tools.driver.diagnostics import Diagnostic

TOOL = "alpha"
COMMANDS = ("run", "inspect")


class Command(Protocol):
    """What a file of `commands/` has."""

    SUMMARY: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the flags."""
        ...

    def run(self, arguments: argparse.Namespace) -> int:
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


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=TOOL,
        description="Run and inspect learners.",
        epilog="alpha COMMAND --help lists the flags of a command.",
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in COMMANDS:
        command = _command(name)
        summary = command.SUMMARY
        part = commands.add_parser(name, help=summary, description=summary, allow_abbrev=False)
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
    situation.stage = f"alpha {arguments.command}"
    try:
        return _command(arguments.command).run(arguments)
    except Refusal as refusal:
        if refusal.place is None:
            raise
        _report(refusal)
        return REFUSED
    except RoundRefused as stop:
        _report(stop.refusal)
        return ROUND_REFUSED
    except BrokenPipeError:
        return REFUSED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        say(f"{TOOL}: error: {where}{error.strerror or error}\n")
        return INPUT_OUTPUT if arguments.command == "run" else REFUSED


def _report(refusal: Refusal) -> None:
    """Print the refusal with its line of the source, if that can be read again."""
    from alpha.tools.driver.diagnostics import of_refusal, render

    assert refusal.place is not None
    file = refusal.place.file
    diagnostics: list[Diagnostic] = of_refusal(refusal, file)
    try:
        with open(file, "rb") as stream:
            source = stream.read()
    except OSError:
        source = b""
    sys.stdout.flush()
    say(render(diagnostics, file, source))
