"""What puts things in order behind a launcher that was killed: its roles and its files.

Invariant: it does nothing while the launcher lives, and nothing once it is dismissed. Whatever way
    the launcher ends, the pipe from it ends then: the roles that it has named are killed, also
    those that are stopped, and its folder is removed.
Why: a process of its own needs no code between fork and exec, which threads make dangerous and a
    large launcher slow. It is in a session of its own, so that what ends a whole group spares it.
Entry: `Caretaker`, `cared_folder`.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

# A shell reads a pipe byte by byte, so it is told of each role once. An end without the word that
# dismisses it is the launcher's.
_SCRIPT = """
left=
while read -r line; do
  case $line in
    dismissed) exit ;;
    none) left= ;;
    *) left="$left $line" ;;
  esac
done
[ -z "$left" ] || kill -KILL $left 2>/dev/null
[ -z "$1" ] || rm -rf -- "$1"
"""

GRACE_SECONDS = 5.0
"""How long it may take to end after it was dismissed."""


class Caretaker:
    """The process; as a context it is dismissed at the end."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` is removed with all that is in it if the launcher is killed.

        Raises:
            OSError: the process can't be started.
        """
        self._process = subprocess.Popen(
            ("/bin/sh", "-c", _SCRIPT, "alpha-run-caretaker", str(folder or "")),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )

    def __enter__(self) -> Caretaker:
        return self

    def __exit__(self, *error: object) -> None:
        self.dismiss()

    def watch(self, process: int) -> None:
        """Name one more process that is to be killed if nobody else does."""
        self._tell(f"{process}")

    def forget(self) -> None:
        """Forget the processes, which have been waited for: their numbers may be others' now."""
        self._tell("none")

    def dismiss(self) -> None:
        """End it, once; the processes and the folder are the launcher's to put in order."""
        if self._process.returncode is not None:
            return
        self._tell("dismissed")
        with contextlib.suppress(OSError):
            self._stream.close()
        try:
            self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _tell(self, line: str) -> None:
        if self._process.returncode is not None:
            return
        # Somebody may have killed it: then nobody puts things in order behind a killed launcher.
        with contextlib.suppress(OSError):
            self._stream.write(f"{line}\n".encode())

    @property
    def _stream(self) -> IO[bytes]:
        assert self._process.stdin is not None
        return self._process.stdin


@contextlib.contextmanager
def cared_folder() -> Iterator[tuple[Path, Caretaker]]:
    """A new folder that is gone behind the context, or when this process is, and who sees to that.

    Raises:
        OSError: it can't be made, or the caretaker can't be started.
    """
    folder = Path(tempfile.mkdtemp(prefix="alpha-run-"))
    # Inside, so that the caretaker is there until nothing is left for it to do.
    with _removed(folder), Caretaker(folder) as caretaker, _removed(folder):
        yield folder, caretaker


@contextlib.contextmanager
def _removed(folder: Path) -> Iterator[None]:
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)
