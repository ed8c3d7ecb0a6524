"""Files of a generation, opened to be read: regular files, and no more of them than there is.

Invariant: no link in the place of a file is followed, and nothing that isn't a regular file is read
    or waited for. How many bytes are asked for never exceeds the length that the file has.
Refuses: checkpoint-shard-missing, checkpoint-digest.
Entry: `RegularFile` (`RegularFile.open`).
"""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from alpha.ir.refusals import Place, Refusal

_FLAGS = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
"""Without waiting, since whoever opens a pipe would wait for its other end."""

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISLNK, "a symbolic link"),
)


@dataclass(frozen=True)
class RegularFile:
    """A file that is open for reading; as a context it is closed at the end."""

    path: Path
    descriptor: int
    size: int

    @classmethod
    def open(
        cls, path: Path, named_by: str, missing: str = "checkpoint-shard-missing"
    ) -> RegularFile:
        """Open a file that is there because of `named_by`, which a refusal names.

        Raises:
            Refusal: `missing`: there is no such file, or another kind of thing.
            OSError: it can't be opened.
        """
        wanted = f"the regular file {path.name}, which {named_by} names"
        place = Place(str(path), 1, 1)
        try:
            descriptor = os.open(path, _FLAGS)
        except OSError as error:
            if error.errno not in (errno.ENOENT, errno.ELOOP, errno.ENXIO):
                raise
            raise Refusal(missing, wanted, _kind_at(path), place) from None
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise Refusal(missing, wanted, _kind(status.st_mode), place)
        except BaseException:
            os.close(descriptor)
            raise
        return cls(path, descriptor, status.st_size)

    def __enter__(self) -> RegularFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the descriptor back."""
        os.close(self.descriptor)

    def read(self, offset: int, count: int) -> bytes:
        """So many bytes from an offset on, both inside of what the file has.

        Raises:
            Refusal: `checkpoint-digest` for a file that has become shorter.
            OSError: it can't be read.
        """
        data = bytearray(count)
        self.read_into(memoryview(data), offset)
        return bytes(data)

    def read_into(self, buffer: memoryview, offset: int) -> None:
        """Fill a buffer of bytes with what stands from an offset on.

        Raises: as `read`.
        """
        assert offset + len(buffer) <= self.size
        done = 0
        while done < len(buffer):
            try:
                count = os.preadv(self.descriptor, [buffer[done:]], offset + done)
            except OSError as error:
                error.filename = str(self.path)
                raise
            if not count:
                wanted = f"the {self.size} bytes that {self.path.name} had when it was opened"
                place = Place(str(self.path), 1, 1)
                raise Refusal("checkpoint-digest", wanted, f"{offset + done} bytes", place)
            done += count


def _kind_at(path: Path) -> str:
    """What there is in place of a file that can't be opened."""
    try:
        return _kind(os.lstat(path).st_mode)
    except OSError:
        return "no such file"


def _kind(mode: int) -> str:
    return next((what for fits, what in _KINDS if fits(mode)), "no regular file")
