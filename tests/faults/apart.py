"""A function that is called in a process of its own, which may have small disks and limits.

Source: unshare(2), mount(2), user_namespaces(7). Nobody else sees what is mounted there, and it is
gone with the process.

Entry: `apart`, `Disk`.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import resource
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

Result = TypeVar("Result")

NEW_USERS, NEW_MOUNTS = 0x10000000, 0x00020000
RECURSIVE, PRIVATE, REMOUNT = 16384, 1 << 18, 32
PAGE = 4096


def _call(name: str, *given: Any) -> None:
    """Call a function of the C library that says 0 when all is well."""
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*given):
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


@dataclass(frozen=True)
class Disk:
    """A disk of so many pages, which has room for so many files and folders, itself among them."""

    path: Path
    pages: int = 1 << 12
    files: int = 1 << 12

    def mount(self, again: bool = False) -> None:
        """Lay it over a folder; or, if it is there, give it this size."""
        options = f"size={self.pages * PAGE},nr_inodes={self.files}".encode()
        given = (b"none", os.fsencode(self.path), b"tmpfs", ctypes.c_ulong(REMOUNT * again))
        _call("mount", *given, options)


def apart(
    work: Callable[[], Result], disk: Disk | None = None, file_bytes: int | None = None
) -> Result:
    """What `work` gives in a process of its own, which is forked.

    With a disk, that is mounted there; with `file_bytes`, no file may have more.

    Raises:
        RuntimeError: it raised something, or ended without a word.
    """
    heard, said = os.pipe()
    process = os.fork()
    if not process:
        os.close(heard)
        try:
            found: tuple[bool, Any] = True, _within(work, disk, file_bytes)
        except BaseException as error:
            found = False, repr(error)
        with open(said, "wb") as stream:
            stream.write(pickle.dumps(found))
        os._exit(0)
    os.close(said)
    with open(heard, "rb") as stream:
        data = stream.read()
    os.waitpid(process, 0)
    if not data:
        raise RuntimeError("it ended without a word")
    well, given = pickle.loads(data)
    if not well:
        raise RuntimeError(given)
    return given


def _within(work: Callable[[], Result], disk: Disk | None, file_bytes: int | None) -> Result:
    if disk is not None:
        user, group = os.geteuid(), os.getegid()
        _call("unshare", NEW_MOUNTS | (NEW_USERS if user else 0))
        if user:
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"0 {user} 1")
            Path("/proc/self/gid_map").write_text(f"0 {group} 1")
        _call("mount", b"none", b"/", None, ctypes.c_ulong(RECURSIVE | PRIVATE), None)
        disk.mount()
    if file_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    return work()
