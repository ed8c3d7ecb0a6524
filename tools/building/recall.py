"""A whole build that was made before: of the same text and data, with the same flags and tools.

Invariant: what is taken is byte for byte what would be made, and says what was said then. The data
    files are read and compared, whatever their names and times are.
Why: reading a learner and distributing it takes longer than comparing what it was read from.
Entry: `Recall`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Sequence
from pathlib import Path

from alpha.tools.building.cache import ENTRY_BYTES_MAX, key_of
from alpha.tools.building.folders import EXECUTABLE_MODE
from alpha.tools.building.objects import Objects
from alpha.tools.building.targets import Targets
from alpha.tools.checkpoints.flags import every_of

DECIDING = (
    *("file", "rounds", "unchecked", "exchange", "threshold"),
    *("owners", "topology", "samples", "partition", "map", "checkpoint_every"),
)
"""The arguments beside the targets that decide what is built. The name of the file is in warnings,
and says which folder the data is in."""

RECENT_SECONDS = 2.0
"""A file that was changed so short a time before a build may be changed during it unnoticed."""


class Recall:
    """Finds and keeps builds of one command."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        targets: Targets,
        objects: Objects,
        addresses: object = (),
    ) -> None:
        """`addresses` are those of roles that aren't on the loopback address."""
        flags = [(name, getattr(arguments, name)) for name in DECIDING]
        # Who is given a folder for generations writes one at the end, if nothing else is said.
        flags.append(("every", every_of(arguments)))
        tools = [objects.tools(each.machine) for each in targets.listed]
        listed = [str(each) for each in targets.listed]
        self._decides = ("build", objects.sources, flags, listed, tools, addresses)
        self._cache = objects.cache
        self._begun = time.time()

    def take(self, source: bytes, folder: Path) -> str | None:
        """Put the files of an earlier build of this text into a folder; gives what it said.

        Raises:
            OSError: a file can't be written.
        """
        found = self._cache.get(self._key(source))
        if found is None:
            return None
        line, _, rest = found.partition(b"\n")
        kept = json.loads(line)
        if any(_digest(Path(name)) != digest for name, digest in kept["data"]):
            return None
        for name, size in kept["files"]:
            path = folder / name
            path.write_bytes(rest[:size])
            rest = rest[size:]
            if name in kept["executables"]:
                path.chmod(EXECUTABLE_MODE)
        return kept["said"]

    def keep(
        self,
        source: bytes,
        data_files: Sequence[Path],
        folder: Path,
        executables: Sequence[str],
        said: str,
    ) -> None:
        """Keep the build in a folder, which was made of this text and these files."""
        latest = self._begun - RECENT_SECONDS
        if any(path.stat().st_ctime > latest for path in data_files):
            return
        sizes = [path.stat().st_size for path in folder.iterdir()]
        if sum(sizes) > ENTRY_BYTES_MAX:
            return
        files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
        kept = {
            "data": [(str(path), _digest(path)) for path in data_files],
            "files": [(name, len(data)) for name, data in files.items()],
            "executables": list(executables),
            "said": said,
        }
        parts = (json.dumps(kept).encode(), b"\n", *files.values())
        self._cache.put(self._key(source), b"".join(parts))

    def _key(self, source: bytes) -> str:
        return key_of(*self._decides, source)


def _digest(path: Path) -> str | None:
    """The digest of a file; None if it can't be read, which is told when it is read for itself."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None
