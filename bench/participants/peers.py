"""The peers: programs that train or add otherwise, each started as its own kind is.

Invariant: a peer measures its rounds itself and prints the seconds of one; a peer that isn't
    installed says how it is.
Entry: `Peers`, `Missing`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from participants.learners import OWNERS, ROWS
from participants.ours import free_ports

HERE = Path(__file__).resolve().parent
SECONDS_MAX = 300
FLAGS = ("-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno")
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
MPIRUN = ("mpirun", "--oversubscribe", "--bind-to", "none", "--mca", "btl", "tcp,self")


class Missing(Exception):
    """A peer that isn't there; its text says what would install it."""


@dataclass(frozen=True)
class Star:
    """What `star.c` tells: seconds of a round, and the first words of its state."""

    seconds: float
    words: np.ndarray


class Peers:
    """The peers that this machine has, with a folder for what is compiled."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._missing: dict[str, str] = {}

    def star(
        self, what: str, roles: int, rounds: int, words: int, sealed: bool, files: Sequence[Path]
    ) -> Star:
        """A star in C with blocking sockets, which adds in the order of the roles."""
        program = self._compiled("star.c", "gcc", *FLAGS)
        given = [str(free_ports(1)), str(rounds), what, str(words), str(ROWS), str(int(sealed))]
        commands = [[program, str(role), str(roles), *given, *files] for role in range(roles)]
        seconds, told = _together(commands).split()
        held = [int(told[at : at + 16], 16) for at in range(0, len(told), 16)]
        return Star(float(seconds), np.array(held, np.uint64).view(np.float64))

    def mpi_training(self, x: Path, y: Path, rounds: int) -> float:
        """mpi4py with numpy over TCP."""
        self._require("mpirun", "mpi4py")
        script = str(HERE / "training_mpi.py")
        command = [*MPIRUN, "-n", str(OWNERS), sys.executable, script, str(x), str(y), str(rounds)]
        return float(_output(command, AS_ROOT))

    def mpi_combine(self, roles: int, words: int, rounds: int) -> float:
        """OpenMPI in C over TCP."""
        self._require("mpirun", "mpicc")
        program = self._compiled("combine_mpi.c", "mpicc", "-O3")
        return float(
            _output([*MPIRUN, "-n", str(roles), program, str(words), str(rounds)], AS_ROOT)
        )

    def torch_training(self, x: Path, y: Path, rounds: int) -> float:
        """torch's DistributedDataParallel over gloo."""
        self._require("torch")
        return self._torch("training_torch.py", OWNERS, str(x), str(y), str(rounds))

    def torch_combine(self, roles: int, words: int, rounds: int) -> float:
        """torch's all_reduce over gloo."""
        self._require("torch")
        return self._torch("combine_torch.py", roles, str(words), str(rounds))

    def probe(self) -> int:
        """Nanoseconds of a flag's round trip between two processors."""
        return round(float(_output([self._compiled("probe.c", "gcc", "-O2", "-pthread")], {})))

    def _torch(self, script: str, roles: int, *given: str) -> float:
        with tempfile.TemporaryDirectory() as name:
            meeting = str(Path(name) / "meeting")
            start = (sys.executable, str(HERE / script))
            commands = [[*start, str(role), str(roles), meeting, *given] for role in range(roles)]
            return float(_together(commands))

    def _compiled(self, source: str, compiler: str, *flags: str) -> str:
        self._require(compiler)
        program = self._folder / Path(source).stem
        if not program.exists():
            command = [compiler, *flags, "-o", str(program), str(HERE / source), "-lm"]
            subprocess.run(command, check=True, timeout=SECONDS_MAX)
        return str(program)

    def _require(self, *names: str) -> None:
        """See that commands and modules are there; a module is looked for once."""
        for name in names:
            if name not in self._missing:
                self._missing[name] = _missing(name)
            if self._missing[name]:
                raise Missing(f"{name} isn't here: {self._missing[name]}")


INSTALLS: Mapping[str, str] = {
    "gcc": "apt install gcc",
    "mpirun": "apt install openmpi-bin",
    "mpicc": "apt install libopenmpi-dev",
    "mpi4py": "pip install '.[bench]'",
    "torch": "pip install '.[bench]'",
}


def _missing(name: str) -> str:
    """What installs a command or module that isn't here; nothing if it is."""
    if INSTALLS[name].startswith("apt"):
        return "" if shutil.which(name) else INSTALLS[name]
    command = [sys.executable, "-c", f"import {name}"]
    found = subprocess.run(command, capture_output=True, check=False, timeout=SECONDS_MAX)
    return "" if found.returncode == 0 else INSTALLS[name]


def _output(command: Sequence[str], more: Mapping[str, str]) -> str:
    done = subprocess.run(
        command,
        env={**os.environ, **more},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        timeout=SECONDS_MAX,
    )
    return done.stdout


def _together(commands: Sequence[Sequence[str | Path]]) -> str:
    """What the first of some processes prints that run at once and all end well."""
    processes = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for command in commands
    ]
    try:
        told = [process.communicate(timeout=SECONDS_MAX)[0] for process in processes]
    finally:
        for process in processes:
            process.kill()
    ends = [process.returncode for process in processes]
    if any(ends):
        raise SystemExit(f"{commands[0]} and its peers ended with {ends}")
    return told[0]
