"""The tools as processes of their own, in a session of their own, so that none is overlooked.

Entry: `alpha`, `Session`, `role_files`, `LONG_RUN`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from alpha.tools.mains import alpha_opt

ALPHA = (sys.executable, "-m", "alpha.tools.alpha")
OPT = (sys.executable, "-m", "alpha.tools.alpha_opt")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LONG_RUN = (
    *ALPHA,
    "run",
    str(EXAMPLES / "least_squares_adam.mlir"),
    *("--interpret=role", "--owners=3", "--rounds=100000000"),
)
"""Three roles that would run for hours."""

SECONDS = 60.0
"""No command takes so long, also on a machine that does much else."""


@dataclass(frozen=True)
class Done:
    """How a command ended, what it said, and how long it took."""

    status: int
    out: str
    said: str
    seconds: float

    @property
    def digest(self) -> str:
        """The last line on stdout, which says the digest of the state."""
        last = self.out.splitlines()[-1]
        assert last.startswith("state sha256:"), self
        return last


def _heed_signals() -> None:
    """Whoever runs the tests in the background ignores signals, and what it starts would too."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Session:
    """A command in a session of its own; as a context it leaves no process behind."""

    def __init__(self, *command: str, environment: Mapping[str, str] | None = None) -> None:
        self._began = time.monotonic()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=_heed_signals,
            env=None if environment is None else {**os.environ, **environment},
        )

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for pid in (self.process.pid, *self.members()):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()

    def members(self) -> list[int]:
        """The processes of the session that haven't ended, apart from the command itself."""
        found: list[int] = []
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) != self.process.pid:
                try:
                    text = Path(f"/proc/{name}/stat").read_text()
                except (FileNotFoundError, ProcessLookupError):
                    continue
                state, _, _, session, *_ = text.rpartition(")")[2].split()
                if int(session) == self.process.pid and state != "Z":
                    found.append(int(name))
        return found

    def role(self, role: int) -> int:
        """The process of a role, once it has been started."""
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            for pid in self.members():
                with suppress(FileNotFoundError, ProcessLookupError):
                    if f"role-{role}.mlir" in Path(f"/proc/{pid}/cmdline").read_text():
                        return pid
            time.sleep(0.01)
        raise AssertionError(f"role {role} wasn't started")

    def wait_for_version(self, version: int) -> None:
        """Read the table until this version stands in it."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.split()[0] == str(version):
                return
        raise AssertionError(f"ended before version {version}: {self.end()}")

    def end(self) -> Done:
        """Wait for the end of the command; none of its processes may be left then."""
        out, said = self.process.communicate(timeout=SECONDS)
        seconds = time.monotonic() - self._began
        assert self.members() == []
        return Done(self.process.returncode, out, said, seconds)


def alpha(*arguments: str | Path, environment: Mapping[str, str] | None = None) -> Done:
    """Run `alpha` to its end."""
    with Session(*ALPHA, *map(str, arguments), environment=environment) as session:
        return session.end()


def role_files(folder: Path, file: Path, *passes: str, roles: int) -> list[Path]:
    """A file for each role of a protocol with its program, as a deployment would have it."""
    found: list[Path] = []
    for role in range(roles):
        path = folder / f"role-{role}.mlir"
        arguments = [str(file), *passes, f"--project-role=role={role}", "-o", str(path)]
        assert alpha_opt.main(arguments) == 0
        found.append(path)
    return found
