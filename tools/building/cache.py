"""What was made before, by a digest of everything that it was made of.

Invariant: what `get` gives is what `put` was given under this key, whatever happened to the file in
    between: an entry carries its key and the digest of its bytes. No failure of the cache is one of
    its user: what can't be read isn't there, and what can't be written isn't kept.
Why: compiling the runtime takes longer than all else that a build does, and gives the same objects
    each time.
Entry: `Cache` (`Cache.of`), `key_of`, `VARIABLE`.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from alpha.ir.canonical import digest

VARIABLE = "ALPHA_CACHE"
"""The environment variable that names the folder."""

SIZE_BYTES_MAX = 256 << 20
"""What all entries may take together; those that were used last stay."""

ENTRY_BYTES_MAX = SIZE_BYTES_MAX // 8

_MAGIC = b"alpha cache 1\n"
_DIGEST_BYTES = 32


def key_of(*parts: object) -> str:
    """The key of what these decide, in hexadecimal: texts, numbers, bytes, and tuples of them."""
    return digest(("cache", parts))


class Cache:
    """Bytes by key in a folder; without one, nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._written = False

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ) -> Cache:
        """The cache of a user: in $ALPHA_CACHE, else $XDG_CACHE_HOME/alpha, else ~/.cache/alpha."""
        return cls(_folder(environment))

    def get(self, key: str) -> bytes | None:
        """What is kept under a key, or None."""
        if self._folder is None:
            return None
        path = self._path(self._folder, key)
        try:
            data = path.read_bytes()
            os.utime(path)  # so that it was used last
        except (OSError, ValueError):
            return None
        body = memoryview(data)[len(_MAGIC) + 2 * _DIGEST_BYTES :]
        if data[: len(data) - len(body)] != _head(key, body):
            with contextlib.suppress(OSError):
                path.unlink()
            return None
        return bytes(body)

    def put(self, key: str, data: bytes) -> None:
        """Keep something, unless it is very large."""
        if self._folder is None or len(data) > ENTRY_BYTES_MAX:
            return
        path = self._path(self._folder, key)
        partial = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with partial.open("xb") as stream:
                stream.write(_head(key, memoryview(data)) + data)
            partial.replace(path)
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                partial.unlink()
            return
        self._written = True

    def trim(self, bytes_max: int = SIZE_BYTES_MAX) -> None:
        """Remove what was used least recently, until all entries have no more bytes than these.

        Does nothing where nothing was written.
        """
        if self._folder is None or not self._written:
            return
        self._written = False
        with contextlib.suppress(OSError):
            found = sorted(_entries(self._folder), reverse=True)
            total = 0
            for _, size, path in found:
                total += size
                if total > bytes_max:
                    with contextlib.suppress(OSError):
                        os.unlink(path)

    @staticmethod
    def _path(folder: Path, key: str) -> Path:
        return folder / key[:2] / key[2:]


def _head(key: str, body: memoryview) -> bytes:
    """What stands before the bytes of an entry."""
    return _MAGIC + bytes.fromhex(key) + hashlib.sha256(body).digest()


def _entries(folder: Path) -> Iterator[tuple[int, int, str]]:
    """When each entry was used, its size and its path; also what a process left that was ended."""
    with os.scandir(folder) as shelves:
        names = [shelf.path for shelf in shelves if len(shelf.name) == 2 and shelf.is_dir()]
    for name in names:
        with contextlib.suppress(OSError), os.scandir(name) as files:
            for file in files:
                with contextlib.suppress(OSError):
                    seen = file.stat(follow_symlinks=False)
                    yield seen.st_mtime_ns, seen.st_size, file.path


def _folder(environment: Mapping[str, str]) -> Path | None:
    """Where entries are kept, or None if the environment names no place for them."""
    given = environment.get(VARIABLE)
    if given:
        return Path(given)
    # A path that isn't absolute counts as none: XDG Base Directory Specification, 0.8.
    base = environment.get("XDG_CACHE_HOME", "")
    if os.path.isabs(base):
        return Path(base) / "alpha"
    home = environment.get("HOME", "")
    return Path(home) / ".cache" / "alpha" if os.path.isabs(home) else None
