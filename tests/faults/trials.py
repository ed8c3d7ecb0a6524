"""A run of which one role is watched, and what there is afterwards.

Invariant: whatever happened to a run, what is found at its path is nothing or a generation of the
    run in which nothing failed, bit by bit; no other one has a name; a run that goes on from it
    ends as that run did; and no process is left.
Entry: `Stand`, `Trial`, `stand`, `found_at`, `check_resumed`, `odd_lines`, `environment`.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import re
import shlex
import shutil
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from faults.plays import ARM, INTERPRETED, X86, Prepared, prepared
from faults.tracing import Call, calls_of, front
from native_runs.folders import HERE, MARK, Told, command, marked

from alpha.backends.toolchain.emulation import find_runner
from alpha.backends.toolchain.machines import machine_of
from alpha.ir.checkpoints.names import version_of, version_of_partial
from alpha.ir.checkpoints.reading import newest
from alpha.ir.refusals import Refusal
from alpha.tools.building.description import RoleDescription, RunDescription

FRONT = "ALPHA_TEST_FRONT"
"""The environment variable with what stands before the command of the role that is watched."""

BOUNDS = ("--wait", "60", "--deadline", "150")
LEFT_SECONDS = 20.0
"""How long what watches a role may take to end behind it."""


@contextmanager
def environment(**variables: str) -> Iterator[None]:
    """Variables that processes have which are started meanwhile."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@dataclass(frozen=True)
class Trial:
    """How a run has ended."""

    told: Told
    path: Path
    calls: list[Call]
    """Those of the role that was watched."""
    wrong: list[str]


@dataclass(frozen=True)
class Stand:
    """A play of whose roles one is watched, and performed as `cast` says."""

    play: Prepared
    folder: Path
    role: int
    cast: str

    def run(
        self, path: Path, *inject: str, instead: str | None = None, bounds: tuple[str, ...] = BOUNDS
    ) -> Trial:
        """Run it to its end, with what strace does to the role, or with another front of it."""
        mark = f"{os.getpid()}-{time.monotonic_ns()}"
        log = path.with_name(f"{path.name}.log")
        before = front(log, *inject) if instead is None else instead
        with environment(**{MARK: mark, FRONT: before}):
            told = command("run", self.folder, "--checkpoint", path, *bounds)
        wrong = [f"process {each} is left" for each in left(mark)]
        return Trial(told, path, calls_of(log) if log.exists() else [], wrong)


def left(mark: str) -> list[int]:
    """Processes that don't end by themselves."""
    until = time.monotonic() + LEFT_SECONDS
    while (found := marked(mark)) and time.monotonic() < until:
        time.sleep(0.005)
    return found


@cache
def stand(name: str, role: int, cast: str) -> Stand:
    """One role of a play watched; the others are native for x86-64."""
    play = prepared(name)
    held = TemporaryDirectory(prefix="alpha-tests-")
    atexit.register(held.cleanup)
    folder = Path(held.name) / "run"
    folder.mkdir()
    given = play.built()
    described = RunDescription.read(given)
    roles: list[RoleDescription] = []
    for each in described.roles:
        for name in (each.executable, *([] if each.data is None else [each.data.file])):
            shutil.copy(given / name, folder / name)
        if each.role == role:
            file = folder / each.executable
            file.unlink()
            command = shlex.join(_watched(play, role, cast))
            file.write_text(f'#!/bin/sh\nexec ${FRONT} {command} "$@"\n')
            file.chmod(0o755)
            data = file.read_bytes()
            digest = hashlib.sha256(data).hexdigest()
            each = replace(each, sha256=digest, bytes=len(data), target=HERE.name)
        roles.append(each)
    text = replace(described, roles=tuple(roles)).text()
    (folder / "run.json").write_text(text, encoding="utf-8")
    return Stand(play, folder, role, cast)


def _watched(play: Prepared, role: int, cast: str) -> tuple[str, ...]:
    """The command that performs the role."""
    if cast == INTERPRETED:
        main = (sys.executable, "-P", "-m", "alpha.tools.alpha", "role")
        return (*main, str(play.built() / "run.mlir"), "--role", str(role))
    assert cast in (X86, ARM)
    return (*find_runner(machine_of(cast)).command, str(play.built(cast) / f"role-{role}"))


def found_at(
    path: Path, play: Prepared, digests: Mapping[int, str] | None = None
) -> tuple[int | None, list[str]]:
    """The version that is found at a path, and what is wrong with what is there.

    Where a run has another identity than that of the roles, its generations have other digests.
    """
    wrong: list[str] = []
    try:
        found = newest(path)
    except Refusal as refusal:
        there = os.listdir(path) if path.is_dir() else []
        passed = [name for name in there if version_of(name) is not None]
        if refusal.code != "checkpoint-missing" or passed:
            wrong.append(f"refused {refusal}, with {passed}")
        return None, wrong
    generation, version = found.generation, found.generation.version
    wrong += [
        f"{name} has a name, but {why}"
        for name, why in found.passed_over
        if version_of_partial(name) is None
    ]
    if generation.digest != (digests or play.digests).get(version):
        wrong.append(f"another generation of version {version}")
    return version, wrong


def check_resumed(path: Path, play: Prepared, version: int | None) -> list[str]:
    """What is wrong with a run that goes on from what was found at a path."""
    last = version == max(play.digests)
    there = () if last else ("--checkpoint", path)
    done = command("run", play.built(X86, version or 0), *there)
    if (done.status, done.out.splitlines()[-1:]) != (0, [play.end]):
        return [f"from version {version}: {done}"]
    wrong = [f"{name} is left" for name in os.listdir(path) if version_of(name) is None]
    reached = newest(path)
    if reached.generation.version != max(play.digests) or reached.passed_over:
        wrong.append(f"from version {version}: {reached}")
    return wrong if not last else []


_LINES = re.compile(
    r"(alpha: role \d+: (lost role \d+: |failed: [A-Za-z/]|was ended by SIG"
    r"|overdue: |didn't end by itself, and was ended)|alpha: remark: ).*"
)


def odd_lines(told: Told) -> list[str]:
    """Lines on stderr that nobody expects."""
    return [line for line in told.said.splitlines() if _LINES.fullmatch(line) is None]


def waited(told: Told) -> list[str]:
    """Lines of roles that waited for another as long as they may, though it had ended."""
    return re.findall(r"^.* in the \S+ s of .*$", told.said, re.MULTILINE)


def is_quiet(told: Told) -> bool:
    """Whether a command has ended well, and has only said who runs what."""
    return told.status == 0 and all(
        line.startswith("alpha: remark: ") for line in told.said.splitlines()
    )
