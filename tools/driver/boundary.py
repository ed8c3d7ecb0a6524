"""The last boundary of a tool: whatever happens inside, a user sees no traceback.

Invariant: every way out of a tool is an exit status with, where it isn't 0, a line on stderr that
    says why: 1 for refused or impossible input and output, 2 for usage, 70 for a bug of this
    project (EX_SOFTWARE of sysexits.h), 130 for an interrupt. A reader that goes away gets silence.
Why: an internal error is about this project, so it asks for a report and says where the input, the
    arguments and the traceback were saved.
Entry: `Situation`, `InternalError`, `run_guarded`, `run_process`, `say`.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from alpha.ir.refusals import Refusal
from alpha.tools.driver.arguments import UsageError
from alpha.tools.driver.output import OutputClosed, OutputError

GARBAGE_OBJECTS = 200_000
"""New objects before the collector looks: about what loading xDSL makes."""

REFUSED, USAGE, INTERNAL, INTERRUPTED = 1, 2, 70, 130


class InternalError(Exception):
    """This project has done something wrong: exit status 70 and a report."""


class Situation:
    """What a tool is doing and on what: what a report of an internal error needs."""

    def __init__(self, tool: str, arguments: Sequence[str]) -> None:
        self.tool = tool
        self.arguments = list(arguments)
        self.stage = "start-up"
        self.input = b""


def run_guarded(tool: str, arguments: Sequence[str], body: Callable[[Situation], int]) -> int:
    """Run the body of a tool and return its exit status, whatever it raises."""
    situation = Situation(tool, arguments)
    try:
        return body(situation)
    except UsageError as error:
        say(f"{tool}: error: {error}\n{tool}: see '{tool} --help'\n")
        return USAGE
    except Refusal as refusal:
        say(f"{tool}: error: [{refusal.code}] {refusal.message}\n")
        return REFUSED
    except OutputClosed:
        return REFUSED
    except OutputError as error:
        say(f"{tool}: error: {error}\n")
        return REFUSED
    except MemoryError:
        say(f"{tool}: error: out of memory in {situation.stage}\n")
        return REFUSED
    except KeyboardInterrupt:
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
    status = main()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
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
        f"input, {len(situation.input)} bytes:",
        "",
    ]
    with os.fdopen(handle, "wb") as stream:
        stream.write("\n".join(lines).encode("utf-8", "backslashreplace"))
        stream.write(situation.input)
    return path
