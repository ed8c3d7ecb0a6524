"""Runs the project's tools in forks of one warm process instead of new interpreters.

Invariant: a command whose first word is the bare name of a tool (`alpha-opt`) runs its `main` in a
    fork of the lit worker; every other command, so also a path that ends in that name
    (`%console/alpha-opt`), is a real process. Both see the same pipes, folder, environment,
    arguments and exit status, and both end after `COMMAND_SECONDS_MAX`.
Why: a new interpreter pays some 0.2 s for imports, a fork a few milliseconds; a suite of short
    commands is thirty times as fast. `preexec_fn` is the public way into the child that Popen has
    made: by then the pipes and the folder are set, so that nothing private of Popen is touched.
Entry: `preload`, `install`.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import multiprocessing
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

Main = Callable[[], object]

# Far above what any test needs: it only turns a hang into a failure.
COMMAND_SECONDS_MAX = 240

# What Python itself exits with if the last flush of stdout fails.
FLUSH_FAILED = 120


def preload(root: Path, tops: Iterable[str]) -> None:
    """Imports every module under the folders `tops` of `root` and xDSL's dialects.

    The tools import most things only when a command names them, so importing the tools alone would
    leave nearly all of the cost to each fork. Raises ImportError if one can't be imported: no test
    could be trusted then.
    """
    for top in tops:
        for file in sorted((root / top).rglob("*.py")):
            parts = file.relative_to(root).with_suffix("").parts
            name = ".".join(part for part in parts if part != "__init__")
            importlib.import_module(f"alpha.{name}")
    registry = importlib.import_module("alpha.ir.frontend.registry")
    for module, _ in registry.FOREIGN_DIALECTS.values():
        importlib.import_module(module)


def exit_status(result: object) -> int:
    """The exit status that `sys.exit(result)` gives."""
    if result is None:
        return 0
    if isinstance(result, int):
        return result & 0xFF
    print(result, file=sys.stderr)
    return 1


def run_child(main: Main, argv: list[str], env: dict[str, str] | None) -> NoReturn:
    """The whole life of a forked tool, from Popen's `preexec_fn` on; never returns.

    Closing every descriptor above 2 also closes the pipe on which the parent waits for a sign that
    the command was started, so both run side by side from there.
    """
    status = 1
    try:
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)  # as at the start of an interpreter
        signal.alarm(COMMAND_SECONDS_MAX)
        if env is not None:
            os.environ.clear()
            os.environ.update(env)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115
        sys.argv = argv
        gc.enable()
        status = run_main(main)
    finally:
        os._exit(status)


def run_main(main: Main) -> int:
    """Calls `main` as a console script does and gives the exit status."""
    try:
        status = exit_status(main())
    except SystemExit as stop:
        status = exit_status(stop.code)
    except BaseException:
        traceback.print_exc()
        status = 1
    try:
        sys.stdout.flush()
    except OSError:
        status = FLUSH_FAILED
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    return status


def install(mains: dict[str, Main]) -> None:
    """From here on, lit's workers run the commands named in `mains` in forks.

    The workers must be forks themselves: only then do they have the loaded modules and this
    class. The start method that does so isn't the default any more in Python 3.14.
    """

    class WarmPopen(subprocess.Popen[Any]):
        """Popen that gives the tools their short way."""

        def __init__(self, args: list[Any], **options: Any) -> None:
            main = mains.get(str(args[0]))
            if main is None:
                start = partial(signal.alarm, COMMAND_SECONDS_MAX)  # an alarm outlives exec
            else:
                argv = [str(word) for word in args]
                start = partial(run_child, main, argv, options.get("env"))
            super().__init__(args, preexec_fn=start, **options)

    multiprocessing.set_start_method("fork", force=True)
    subprocess.Popen = WarmPopen
    gc.collect()
    gc.freeze()
