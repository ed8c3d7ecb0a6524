"""One run of a tool over one input: read, guard, split, parse, verify, transform, put out.

Invariant: each piece of a split input is treated on its own, and a refused piece doesn't keep the
    others from being treated; a file named by `-o` is written only if none was refused. It is no
    file with data of a learner; it may be the input where the output is of the same kind.
Refuses: what guard, parser, verifiers and passes refuse.
Entry: `Session`, `asks_generic`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.printer import print_module
from alpha.ir.frontend.recursion import recursion_room
from alpha.ir.frontend.registry import AlphaContext, make_context
from alpha.ir.frontend.source_guard import decode_source, guard_text
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.refusals import Refusal
from alpha.tools.driver.arguments import Command
from alpha.tools.driver.boundary import Situation, say
from alpha.tools.driver.output import write_output
from alpha.tools.driver.output_checks import STDIN, keep_generations, keep_inputs
from alpha.tools.driver.source import (
    SEPARATOR,
    Piece,
    folder_of,
    read_source,
    source_name,
    split_pieces,
)
from alpha.tools.exits import DONE, REFUSED

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.passes import ModulePass


def asks_generic(command: Command) -> bool:
    """Whether a command asks for the generic form."""
    return command.has("print-op-generic", "mlir-print-op-generic")


class Session:
    """A command on its input."""

    def __init__(
        self,
        command: Command,
        passes: Sequence[ModulePass],
        finish: Callable[[ModuleOp], str],
        situation: Situation,
        *,
        in_place: bool = False,
    ) -> None:
        """`finish` makes the output of the module behind the last pass; it may refuse.

        With `in_place` the output may replace the input.
        """
        self._command = command
        self._passes = passes
        self._finish = finish
        self._situation = situation
        self._file = source_name(command.file)
        self._data = b""
        self._failed = False
        self._in_place = in_place

    def run(self) -> int:
        """Treat the whole input and return the exit status.

        Raises InputOutputError or OutputClosed.
        """
        output = self._command.flags.get("o", "-")
        if output != "-":
            keep_generations(output)
        if not self._in_place:
            self._keep(STDIN if self._command.file == "-" else self._command.file)
        self._data = self._situation.inputs[self._file] = read_source(self._command.file)
        outputs = [text for piece in self._pieces() if (text := self._treat(piece)) is not None]
        if not self._failed or not self._command.has("o"):
            write_output(f"{SEPARATOR}\n".join(outputs), self._command.flags.get("o", "-"))
        return REFUSED if self._failed else DONE

    def _keep(self, *inputs: str | Path | int) -> None:
        """See that `-o` names none of these.

        Raises InputOutputError.
        """
        output = self._command.flags.get("o", "-")
        if output != "-":
            keep_inputs([output], inputs)

    def _pieces(self) -> list[Piece]:
        """The pieces of the input; none if it isn't text."""
        self._situation.stage = "the source guard"
        try:
            text = decode_source(self._data, self._file)
        except Refusal as refusal:
            whole = Piece(self._data.decode("utf-8", "replace"), 1)
            self._report(whole, make_context(), refusal)
            return []
        return split_pieces(text) if self._command.has("split-input-file") else [Piece(text, 1)]

    def _treat(self, piece: Piece) -> str | None:
        """Take one piece through the pipeline; returns its output, or None if it is refused."""
        ctx = make_context(self._command.has("allow-unregistered-dialect"))
        output = refusal = None
        try:
            with recursion_room():
                output = self._transform(ctx, piece)
        except Refusal as refused:
            refusal = refused
        if refusal is not None or ctx.remarks or self._command.has("verify-diagnostics"):
            self._report(piece, ctx, refusal)
        return output

    def _transform(self, ctx: AlphaContext, piece: Piece) -> str:
        situation = self._situation
        situation.stage = "the source guard"
        guard_text(piece.text, self._file, piece.first_line)
        situation.stage = "the parser"
        module = parse_text(ctx, piece.text, self._file, piece.first_line)
        situation.stage = "the verifier behind the parser"
        verify_module(module)
        if self._command.has("o"):
            from alpha.tools.data_files import data_files_in

            self._keep(*data_files_in(module, folder_of(self._command.file)))
        if self._passes:
            self._run_passes(ctx, module)
        situation.stage = "the output"
        return self._finish(module)

    def _run_passes(self, ctx: AlphaContext, module: ModuleOp) -> None:
        from alpha.tools.driver.ir_diff import IrDiff
        from alpha.tools.driver.pipeline import run_passes

        if self._command.has("print-ir-after-all"):
            generic = asks_generic(self._command)
            diff = IrDiff(lambda: print_module(module, generic), say)
            run_passes(ctx, module, self._passes, self._situation, diff.after)
        else:
            run_passes(ctx, module, self._passes, self._situation, lambda name: None)

    def _report(self, piece: Piece, ctx: AlphaContext, refusal: Refusal | None) -> None:
        """Say what was remarked and refused; with `--verify-diagnostics`, what wasn't expected."""
        from alpha.tools.driver.diagnostics import of_refusal, of_remark, render

        file, first = self._file, piece.first_line
        diagnostics = [each for remark in ctx.remarks for each in of_remark(remark, file, first)]
        if refusal is not None:
            diagnostics += of_refusal(refusal, file, first)
        if self._command.has("verify-diagnostics"):
            from alpha.tools.driver.expectations import unmet

            diagnostics = unmet(diagnostics, piece.text, file, first)
        self._failed |= any(each.severity == "error" for each in diagnostics)
        say(render(diagnostics, file, self._data))
