"""Opening a file that has to be a regular one: nobody waits for the other end of a pipe.

Entry: `open_regular`.
"""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path


def open_regular(path: str | Path) -> BufferedReader:
    """A file that is open for reading, through links if need be.

    Raises:
        OSError: it can't be opened, or is no regular file.
    """
    # Without waiting: whoever opens a pipe otherwise waits until somebody writes to it.
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "Not a regular file", str(path))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise
