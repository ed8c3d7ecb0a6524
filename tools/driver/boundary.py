"""The last boundary of a tool: whatever happens inside, a user sees no traceback.

Invariant: every way out of a tool is an exit status of `tools/exits.py` with, where it isn't 0, a
    line on stderr that says why. A reader that goes away gets silence. A tool whose last output is
    lost when stdout is flushed hasn't succeeded.
Why: an internal error is about this project, so it asks for a report and says where the inputs,
    the arguments and the traceback were saved.
Entry: `Situation`, `InternalError`, `run_guarded`, `run_process`, `say`.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from alpha.ir.refusals import Refusal
from alpha.tools.driver.arguments import UsageError
from alpha.tools.driver.counts import counted
from alpha.tools.driver.irdl_files import ignore_irdl_files
from alpha.tools.driver.output import InputOutputError, OutputClosed, flush_stdout, reason_of
from alpha.tools.exits import INTERNAL, INTERRUPTED, REFUSED, USAGE

GARBAGE_OBJECTS = 200_000
"""New objects before the collector looks: about what loading xDSL makes."""


class InternalError(Exception):
    """This project has done something wrong: exit status 70 and a report."""


class Situation:
    """What a tool is doing and on what: what a report of an internal error needs.

    `inputs` are the bytes that were read, by the name that diagnostics give their file;
    `input_output_status` is the exit status where the operating system fails: something can't be
    read or written, or no memory is left.
    """

    def __init__(self, tool: str, arguments: Sequence[str]) -> None:
        self.tool = tool
        self.arguments = list(arguments)
        self.stage = "start-up"
        self.inputs: dict[str, bytes] = {}
        self.input_output_status = REFUSED


def run_guarded(tool: str, arguments: Sequence[str], body: Callable[[Situation], int]) -> int:
    """Run the body of a tool and return its exit status, whatever it raises."""
    situation = Situation(tool, arguments)
    try:
        ignore_irdl_files()
        status = body(situation)
        flush_stdout()
        return status
    except UsageError as error:
        say(f"{tool}: error: {error}\n{tool}: see '{tool} --help'\n")
        return USAGE
    except Refusal as refusal:
        notes = [f"{tool}: note: {note.message}\n" for note in refusal.notes]
        say("".join([f"{tool}: error: [{refusal.code}] {refusal.message}\n", *notes]))
        return REFUSED
    except OutputClosed:
        return situation.input_output_status
    except InputOutputError as error:
        say(f"{tool}: error: {error}\n")
        return situation.input_output_status
    except MemoryError as error:
        what = f"out of memory in {situation.stage}"
        say(f"{tool}: error: {': '.join(filter(None, [what, str(error)]))}\n")
        return situation.input_output_status
    except OSError as error:
        # Of a tool that couldn't be run, say; what a user names is told by `InputOutputError`.
        name = f"{error.filename}: " if error.filename else ""
        say(f"{tool}: error: {name}{reason_of(error)}\n")
        return situation.input_output_status
    except KeyboardInterrupt:
        say(f"{tool}: interrupted\n")
        return INTERRUPTED
    except Exception as error:
        say(_report(situation, error))
        return INTERNAL


def run_process(main: Callable[[], int]) -> NoReturn:
    """Be the process of a tool: call its `main`, flush, and end without the interpreter's farewell.

    Looking for garbage every 700 objects while modules are loaded, and taking xDSL apart at
    the end, cost a fifth of a short run; a long run still looks for garbage now and then.
    """
    gc.set_threshold(GARBAGE_OBJECTS)
    try:
        for stream in (sys.stdout, sys.stderr):
            # Whatever the locale says: what is written is UTF-8, as what is read.
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        status = main()
        # What stdout holds after a failure; a success has flushed it and would have said so.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
    except KeyboardInterrupt:
        # A second interrupt, while the first is being told.
        status = INTERRUPTED
    os._exit(status)


def say(text: str) -> None:
    """Write to stderr; if that is closed, there is nobody to tell."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(text)
        sys.stderr.flush()


def _report(situation: Situation, error: Exception) -> str:
    """Save what is needed to reproduce the error; returns what the user is told."""
    from alpha.ir.frontend.foreign_errors import shorten

    first = f"{situation.tool}: internal error: {type(error).__name__}: {shorten(str(error))}\n"
    where = (
        f"{situation.tool}: in {situation.stage}; this is a bug of this tool, not of the input\n"
    )
    try:
        path = _save(situation, error)
    except OSError as failure:
        return f"{first}{where}{situation.tool}: the report couldn't be saved: {failure.strerror}\n"
    return f"{first}{where}{situation.tool}: input and traceback are saved in {path}\n"


def _save(situation: Situation, error: Exception) -> str:
    import tempfile
    import traceback

    handle, path = tempfile.mkstemp(prefix=f"{situation.tool}-", suffix=".txt")
    lines = [
        f"tool: {situation.tool}",
        f"arguments: {situation.arguments}",
        f"python: {sys.version}",
        f"stage: {situation.stage}",
        "",
        "".join(traceback.format_exception(error)),
    ]
    with os.fdopen(handle, "wb") as stream:
        stream.write("\n".join(lines).encode("utf-8", "backslashreplace"))
        for name, data in situation.inputs.items():
            heading = f"input {name}, {counted(len(data), 'byte')}:\n\n"
            stream.write(heading.encode("utf-8", "backslashreplace"))
            stream.write(data)
    return path
