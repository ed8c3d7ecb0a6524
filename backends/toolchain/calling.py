"""Calls functions of an assembly text, for tests and benchmarks, on this host or under an emulator.

Invariant: what a function does is seen in its results or is a `CallFailed`; with `by="executable"`
    that includes registers that it must preserve and memory that isn't its own.
Why: an emulator takes 8 ms to start, so calls are done in batches; and the same executable runs on
    every machine, so every target is tested in the same way.
Entry: `Caller`.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from alpha.backends.toolchain import driver_aarch64, driver_x86_64
from alpha.backends.toolchain.assembling import assemble, link_executable, link_library
from alpha.backends.toolchain.calls import Call, CallFailed, Result
from alpha.backends.toolchain.emulation import Runner, find_runner
from alpha.backends.toolchain.failures import ToolFailure
from alpha.backends.toolchain.finding import Toolchain, find_toolchain
from alpha.backends.toolchain.images import Image
from alpha.backends.toolchain.libraries import Library, perform
from alpha.backends.toolchain.library_worker import MODULE
from alpha.backends.toolchain.machines import machine_of
from alpha.backends.toolchain.processes import Ended, quiet_environment, run
from alpha.ir.refusals import Refusal

By = Literal["executable", "library", "this process"]

BATCH_SECONDS_MAX = 60.0

DRIVERS = MappingProxyType({"x86-64": driver_x86_64, "aarch64": driver_aarch64})

GLOBAL = re.compile(r"^\s*\.glob[a]?l\s+(.+?)\s*(?:[#;]|//|$)", re.MULTILINE)


class Caller:
    """Assembly text whose global functions can be called; a context that leaves nothing behind.

    Several texts become an object each, and may call one another's global functions. `target` is
    the name of a machine, and `by` says where the functions run:

    - "executable": in an executable of the text and a driver, which an emulator runs if need be,
      and which checks what the functions preserve;
    - "library": in another process of this host, called by way of ctypes;
    - "this process": the same here, where a function that crashes or doesn't end takes all along.

    Raises:
        Refusal: target-unsupported, there are no tools for the target, or it can't be run so.
        TextRejected, ToolFailure, OSError: as `assemble`.
    """

    def __init__(
        self,
        text: str | Sequence[str],
        target: str,
        by: By = "executable",
        toolchain: Toolchain | None = None,
        runner: Runner | None = None,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self.machine = machine_of(target)
        self.by: By = by
        self._environment = environment
        self.runner = runner or find_runner(self.machine, environment)
        if by != "executable" and self.runner.command:
            host = "this host to be of the target, where functions run in a process of it"
            raise Refusal("target-unsupported", host, self.machine.name)
        self.toolchain = toolchain or find_toolchain(self.machine, environment)
        texts = (text,) if isinstance(text, str) else tuple(text)
        lines = (line for each in texts for line in GLOBAL.findall(each))
        names = [name.strip(' \t"') for line in lines for name in line.split(",")]
        self._functions = {name: index for index, name in enumerate(dict.fromkeys(names))}
        self._folder = tempfile.TemporaryDirectory(prefix="alpha-calls-")
        try:
            self._built = self._build(texts)
            self._loaded = Library(self._built) if by == "this process" else None
        except BaseException:
            self._folder.cleanup()
            raise

    def __enter__(self) -> Caller:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove what was built; does nothing the second time."""
        self._folder.cleanup()

    def library(self) -> Library:
        """The functions by way of ctypes and without ceremony, where they are in this process."""
        assert self._loaded is not None, "its functions aren't in this process"
        return self._loaded

    def call(self, calls: Sequence[Call], seconds: float = BATCH_SECONDS_MAX) -> list[Result]:
        """Do the calls in order, in one process; their results in the same order.

        Raises:
            CallFailed: a call crashed, didn't return, or did what it may not; or the batch took
                more than `seconds`, which is the fault of the call that was going on.
            KeyError: the text has no global symbol of a call's name.
            TypeError, OverflowError, ValueError: a call can't be made of its arguments.
            ToolFailure, OSError: the host failed.
        """
        for call in calls:
            if call.name not in self._functions:
                raise KeyError(f"the text has no global symbol {call.name}")
        if not calls:
            return []
        with Image(calls, self._functions, self.machine) as image:
            ended = self._perform(image, seconds)
            results = image.results()
            problems = image.problems(DRIVERS[self.machine.name].VIOLATED)
            problems += self._end(image, ended, len(calls), seconds)
            if problems:
                problems.sort(key=lambda problem: problem[0])
                raise CallFailed(calls, problems, results[: problems[0][0]])
            return results

    def _build(self, texts: Sequence[str]) -> Path:
        """The file that has the functions in it."""
        chain = self.toolchain
        objects = [assemble(text, chain) for text in texts]
        if self.by == "executable":
            driver = DRIVERS[self.machine.name]
            objects.append(assemble(driver.TEXT + driver.table(list(self._functions)), chain))
            made = link_executable(objects, chain)
        else:
            made = link_library(objects, chain)
        built = Path(self._folder.name) / "functions"
        built.write_bytes(made)
        built.chmod(0o700)
        return built

    def _perform(self, image: Image, seconds: float) -> Ended:
        if self._loaded is not None:
            if image.fences:
                raise ValueError("a fenced buffer would fence this process")
            perform(self._loaded, image.memory, image.plain())
            return Ended(0, "")
        folder = Path(self._folder.name)
        command = (*self.runner.command, str(self._built))
        environment = quiet_environment(self._environment)
        if self.by == "library":
            batch = folder / "calls.json"
            plain = {"calls": image.plain(), "fences": image.fences}
            batch.write_text(json.dumps(plain), encoding="utf-8")
            command = (sys.executable, "-m", MODULE, str(self._built), str(batch))
            environment = {**self._environment, "PYTHONPATH": os.pathsep.join(sys.path)}
        return run(command, folder, seconds, environment, stdin=image.descriptor)

    def _end(self, image: Image, ended: Ended, count: int, seconds: float) -> list[tuple[int, str]]:
        """What the end of the process says of the call that was going on."""
        if ended.in_time and ended.status == 0 and image.finished == count:
            return []
        if image.finished >= image.started or not image.started:
            if not ended.in_time:
                raise ToolFailure(f"no call was going on, and {seconds:g} s have passed")
            raise RuntimeError(
                f"the calls weren't done, {ended.manner} of {self.runner.describe()}: "
                f"{ended.output.strip()}"
            )
        going_on = image.started - 1
        if not ended.in_time:
            return [(going_on, f"it didn't return within {seconds:g} s")]
        return [(going_on, f"it ended the process with {ended.manner}")]
