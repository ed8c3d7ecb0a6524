"""A process that does one batch of calls by way of ctypes, so that a crash is the end of it alone.

Invariant: it writes to the image alone, and reads nothing of this project that takes time to load.
Entry: `main`; the arguments are a shared object and a file of calls, the image is standard input.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import sys
from pathlib import Path

from alpha.backends.toolchain.libraries import Library, perform

MODULE = "alpha.backends.toolchain.library_worker"


def main(library: str, calls: str) -> None:
    """Do the batch of a file of calls.

    Raises:
        OSError: the image can't be mapped, or a page of it can't be fenced.
    """
    with open(calls, encoding="utf-8") as file:
        batch = json.load(file)
    memory = mmap.mmap(0, os.fstat(0).st_size)
    base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    system = ctypes.CDLL(None, use_errno=True)
    for fence in batch["fences"]:
        start = ctypes.c_void_p(base + fence)
        if system.mprotect(start, ctypes.c_size_t(mmap.PAGESIZE), 0):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
    perform(Library(Path(library)), memory, batch["calls"])


if __name__ == "__main__":
    main(*sys.argv[1:])
