"""What a tool writes: to stdout, to a file that is whole or isn't touched, or line by line.

Invariant: a file named by `-o` or `--save` gets its name only when all of the output is in it; a
    device or a pipe is written as it is. A file that grows by lines holds whole lines alone.
    What can't be written is said, also if it is only the last buffer of stdout.
Why: a run that fails must leave the last good output as it was, and a run whose output was lost
    must not look like one that succeeded.
Entry: `write_output`, `write_line`, `flush_stdout`, `write_file`, `write_parts`, `LineFile`,
    `writing`, `InputOutputError`, `OutputClosed`.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO


class InputOutputError(Exception):
    """Something can't be read or written: the message says what and why."""


class OutputClosed(Exception):
    """The reader of an output went away: nothing to say and nobody to say it to."""


def reason_of(error: OSError | ValueError) -> str:
    """Why the operating system or Python refused to read or write, without the name of the file."""
    text = error.strerror if isinstance(error, OSError) else None
    return text or str(error)


@contextlib.contextmanager
def writing(name: str) -> Iterator[None]:
    """Say which output couldn't be written if its writing fails within.

    Raises InputOutputError or OutputClosed in place of OSError and ValueError.
    """
    try:
        yield
    except BrokenPipeError:
        raise OutputClosed from None
    except (OSError, ValueError) as error:
        raise InputOutputError(f"cannot write {name}: {reason_of(error)}") from None


def write_output(text: str, file: str = "-") -> None:
    """Write a text as UTF-8 to stdout or to a file.

    Raises InputOutputError or OutputClosed.
    """
    data = text.encode("utf-8")
    if file != "-":
        with writing(file):
            write_file(data, file)
        return
    with _stdout() as stream:
        binary = getattr(stream, "buffer", None)
        if binary is None:
            stream.write(text)
        else:
            stream.flush()
            binary.write(data)
        stream.flush()


def write_line(line: str = "") -> None:
    """Write a line to stdout; it may be kept in the stream's buffer until `flush_stdout`.

    Raises InputOutputError or OutputClosed.
    """
    with _stdout() as stream:
        stream.write(f"{line}\n")


def flush_stdout() -> None:
    """Write what the buffer of stdout still holds.

    Raises InputOutputError or OutputClosed.
    """
    if sys.stdout is not None:
        with _stdout() as stream:
            stream.flush()


@contextlib.contextmanager
def _stdout() -> Iterator[TextIO]:
    """stdout for writing; after a failure, what is left in its buffer goes nowhere."""
    # Python leaves no stream where the descriptor was closed from the start.
    if sys.stdout is None:
        raise InputOutputError("cannot write stdout: it is closed")
    try:
        with writing("stdout"):
            yield sys.stdout
    except (InputOutputError, OutputClosed):
        _drop_stdout()
        raise


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
    write_parts((data,), file)


def write_parts(parts: Iterable[bytes | memoryview], file: str) -> None:
    """The same of a file that comes in parts; if one can't be made, an old file stays as it was.

    Raises OSError, and what making a part raises.
    """
    target = os.path.realpath(file)
    try:
        mode = os.stat(file).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        with open(file, "wb") as stream:
            stream.writelines(parts)
        return
    folder, name = os.path.split(target)
    partial = os.path.join(folder, f".{name[:200]}.{os.getpid()}.partial")
    try:
        with open(partial, "xb") as stream:
            if mode is not None:
                os.fchmod(stream.fileno(), stat.S_IMODE(mode))
            stream.writelines(parts)
        os.replace(partial, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(partial)
        raise


class LineFile:
    """A file that is begun anew and grows by whole lines, so that it can be read meanwhile.

    Raises InputOutputError or OutputClosed where it can't be opened, written or closed.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._size = 0
        with writing(file):
            self._stream = open(file, "wb", buffering=0)  # noqa: SIM115

    def write(self, line: str) -> None:
        """Add a line, without its line end; one that doesn't fit as a whole is taken away again."""
        rest = memoryview(f"{line}\n".encode())
        length = len(rest)
        try:
            with writing(self._file):
                while rest:
                    rest = rest[self._stream.write(rest) :]
        except BaseException:
            # A device or a pipe can't be shortened.
            with contextlib.suppress(OSError, ValueError):
                self._stream.truncate(self._size)
            raise
        self._size += length

    def __enter__(self) -> LineFile:
        return self

    def __exit__(self, *failure: object) -> None:
        with writing(self._file):
            self._stream.close()
