"""`alpha`: runs, builds, verifies and inspects learners; one subcommand a file under `commands/`.

Invariant: whatever happens, a user sees one clear report and an exit status of `ALL_STATUSES`.
Entry: `main`.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import re
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn, Protocol, cast

from alpha.ir.refusals import Refusal
from alpha.tools.driver.arguments import hint
from alpha.tools.driver.boundary import Situation, run_guarded, say
from alpha.tools.driver.help import statuses_text, version_text
from alpha.tools.driver.output import InputOutputError, OutputClosed, flush_stdout, write_output
from alpha.tools.exits import (
    ALL_STATUSES,
    INPUT_OUTPUT,
    REFUSED,
    ROUND_REFUSED,
    USAGE,
    RoundRefused,
)

TOOL = "alpha"
COMMANDS = ("run", "build", "launch", "verify", "inspect", "checkpoint", "simulate", "role")


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


def _command(name: str) -> Command:
    return cast(Command, importlib.import_module(f"alpha.tools.commands.{name}"))


class _Parser(argparse.ArgumentParser):
    """argparse's parser with a help that goes the way of any output; argparse hides a failure."""

    def print_help(self, file: object = None) -> None:
        """Print the page on stdout.

        Raises InputOutputError or OutputClosed.
        """
        write_output(self.format_help())

    def error(self, message: str) -> NoReturn:
        """Say what can't be understood, and end."""
        say(f"{self.format_usage()}{self.prog}: error: {message}\n")
        raise SystemExit(USAGE)

    def flags(self) -> list[str]:
        """The long flags of the tool or the command, without their dashes."""
        return re.findall(r"--([\w-]+)", self.format_usage())


class _VersionAction(argparse.Action):
    """`--version`: unlike argparse's own, it looks for the version only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *given: object, **named: object) -> None:
        """Print the version and end."""
        write_output(version_text(TOOL))
        parser.exit()


def _parsers(names: Sequence[str] = COMMANDS) -> tuple[_Parser, dict[str, _Parser]]:
    """The parser of the tool and those of these commands; others aren't imported."""
    more = "alpha COMMAND --help lists the flags of a command.\n"
    parser = _Parser(
        prog=TOOL,
        description="Run, build, verify and inspect learners.",
        epilog=f"{more}\n{statuses_text(ALL_STATUSES)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", nargs=0, action=_VersionAction, help="print the version")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    parts: dict[str, _Parser] = {}
    for name in names:
        command = _command(name)
        parts[name] = commands.add_parser(
            name,
            help=command.SUMMARY,
            description=command.SUMMARY,
            epilog=statuses_text(command.STATUSES),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_arguments(parts[name])
    return parser, parts


def _parse(given: Sequence[str]) -> argparse.Namespace:
    """Read the command line; raises SystemExit where argparse has printed what there is to say."""
    name = given[0] if given else "-"
    parser, parts = _parsers((name,) if name in COMMANDS else COMMANDS)
    if not name.startswith("-") and name not in COMMANDS:
        near = hint(name, COMMANDS, "")
        choice = ", ".join(map(repr, COMMANDS))
        parser.error(f"argument COMMAND: invalid choice: {name!r} (choose from {choice}){near}")
    arguments, unknown = parser.parse_known_args(given)
    if unknown:
        flags = (word.partition("=")[0] for word in unknown if word.startswith("--"))
        # A command that has actions says which parser has read the flags of this one.
        reader: _Parser = getattr(arguments, "parser", parts[arguments.command])
        near = hint(next(flags, "").removeprefix("--"), reader.flags())
        parser.error(f"unrecognized arguments: {' '.join(unknown)}{near}")
    return arguments


def _run(given: Sequence[str], situation: Situation) -> int:
    try:
        arguments = _parse(given)
    except SystemExit as end:
        # The page or the usage line is printed.
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
    """Print the refusal, behind what stdout has got so far; at its line, if it has a place."""
    from alpha.tools.driver.diagnostics import of_refusal, render

    with contextlib.suppress(InputOutputError, OutputClosed):
        # The refusal says more than that its output was lost as well.
        flush_stdout()
    if refusal.place is None:
        say(f"{TOOL}: error: [{refusal.code}] {refusal.message}\n")
        return
    file = refusal.place.file
    say(render(of_refusal(refusal, file), file, situation.inputs.get(file, b"")))
