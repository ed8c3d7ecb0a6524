"""`alpha-opt`: reads IR of any level, runs the passes that the command names, prints the result.

Invariant: the verifier runs behind the parser and behind every pass; the exit statuses are
    `STATUSES`.
Why: only what a command needs is imported, in the functions that need it, because most runs are so
    short that imports are what they cost.
Entry: `main`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from alpha.tools.driver.arguments import Command, Flag, parse_command
from alpha.tools.driver.boundary import Situation, run_guarded
from alpha.tools.driver.output import write_output
from alpha.tools.exits import DONE, STATUSES

TOOL = "alpha-opt"
USAGE = '[--PASS[="k=v ..."]]... [-p PIPELINE] [FILE] [-o OUT]'
ABOUT = """Reads IR of any level from FILE or stdin, verifies it, runs passes, writes the result.
A pass takes options as --pass="a=1 b=2", or in a pipeline as -p 'pass{a=1 b=2},other'."""
FLAGS = (
    Flag("p", "run a pipeline: a,b{k=v} or builtin.module(a,b{k=v})", "PIPELINE"),
    Flag("o", "write to a file, also the input, only when everything succeeded", "OUT"),
    Flag("split-input-file", "treat the pieces between '// -----' lines on their own"),
    Flag("verify-diagnostics", "compare diagnostics with the expected-error comments"),
    Flag("print-ir-after-all", "print what each pass changes, as a diff on stderr"),
    Flag("print-op-generic", "print operations in the generic form"),
    Flag("mlir-print-op-generic", "the same"),
    Flag("allow-unregistered-dialect", "accept operations of dialects that aren't known"),
    Flag("explain", "say what a refusal's code means", "CODE"),
    Flag("version", "print the version"),
    Flag("help", "print this text"),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool on these arguments, by default the process's, and return its exit status."""
    arguments = sys.argv[1:] if argv is None else argv
    return run_guarded(TOOL, arguments, lambda situation: _run(arguments, situation))


def _run(arguments: Sequence[str], situation: Situation) -> int:
    command = parse_command(arguments, FLAGS)
    if command.has("help", "version", "explain"):
        write_output(_page(command))
        return DONE
    from alpha.ir.frontend.printer import print_module
    from alpha.tools.driver.session import Session, asks_generic

    passes = []
    if command.passes:
        from alpha.tools.driver.pipeline import make_passes

        passes = make_passes(command.passes, [flag.name for flag in FLAGS])
    generic = asks_generic(command)
    session = Session(
        command, passes, lambda op: print_module(op, generic), situation, in_place=True
    )
    return session.run()


def _page(command: Command) -> str:
    if command.has("explain"):
        from alpha.tools.driver.explain import explain

        return explain(command.flags["explain"])
    from alpha.tools.driver.help import help_text, version_text

    if command.has("version"):
        return version_text(TOOL)
    return help_text(TOOL, USAGE, ABOUT, FLAGS, STATUSES, with_passes=True)
