"""What a tool writes: to stdout, or to a file that is whole or isn't touched.

Invariant: a file named by `-o` gets its name only when all of the output is in it; a device or a
    pipe is written as it is.
Why: a run that fails must leave the last good output as it was.
Entry: `write_output`, `write_file`, `OutputError`, `OutputClosed`.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys


class OutputError(Exception):
    """The output can't be written: the message says where and why."""


class OutputClosed(Exception):
    """The reader of stdout went away: nothing to say and nobody to say it to."""


def write_output(text: str, file: str = "-") -> None:
    """Write a text as UTF-8 to stdout or to a file.

    Raises OutputError or OutputClosed.
    """
    data = text.encode("utf-8")
    if file == "-":
        _write_stdout(data)
        return
    try:
        write_file(data, file)
    except BrokenPipeError:
        raise OutputClosed from None
    except OSError as error:
        raise OutputError(f"cannot write {file}: {error.strerror}") from None


def _write_stdout(data: bytes) -> None:
    # Python leaves no stream where the descriptor was closed from the start.
    stream = sys.stdout
    if stream is None:
        raise OutputError("cannot write stdout: it is closed")
    try:
        binary = getattr(stream, "buffer", None)
        if binary is None:
            stream.write(data.decode("utf-8"))
        else:
            stream.flush()
            binary.write(data)
        stream.flush()
    except BrokenPipeError:
        _drop_stdout()
        raise OutputClosed from None
    except (OSError, ValueError) as error:
        _drop_stdout()
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise OutputError(f"cannot write stdout: {reason}") from None


def _drop_stdout() -> None:
    """Let what is still in the stream's buffer go nowhere, so that no later flush fails again."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def write_file(data: bytes, file: str) -> None:
    """Write all of a file under a name of its own, then rename; write to a device as it is.

    Raises OSError.
    """
    target = os.path.realpath(file)
    try:
        mode = os.stat(file).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        with open(file, "wb") as stream:
            stream.write(data)
        return
    folder, name = os.path.split(target)
    partial = os.path.join(folder, f".{name[:200]}.{os.getpid()}.partial")
    try:
        with open(partial, "xb") as stream:
            if mode is not None:
                os.fchmod(stream.fileno(), stat.S_IMODE(mode))
            stream.write(data)
        os.replace(partial, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(partial)
        raise
