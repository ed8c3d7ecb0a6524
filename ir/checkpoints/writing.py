"""Writes generations: each role its shard and its manifest, and the root the name of all of it.

Invariant: a generation has its name only when all files of it are on disk: shards before the
    manifests that name them, manifests before those of their parents, and the root's last. One that
    has its name is never replaced. What fails isn't tried again.
Why: a sync that failed may have dropped what it should have written, and the next one would
    succeed. Whoever can't write ends, its peers lose it, and nothing is published.
Refuses: checkpoint-exists.
Entry: `GenerationWriter`, `write_generation`, `failure_text`.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from alpha.ir.checkpoints.chunks import DTYPES
from alpha.ir.checkpoints.facts import Facts
from alpha.ir.checkpoints.file_digests import FileDigest
from alpha.ir.checkpoints.manifests import manifest_pieces
from alpha.ir.checkpoints.names import generation_name, manifest_name, partial_name, shard_name
from alpha.ir.checkpoints.shards import ShardField, header_bytes, shard_layout
from alpha.ir.checkpoints.texts import render
from alpha.ir.refusals import Refusal
from alpha.ir.topologies import PreorderTree

Array = np.ndarray[Any, Any]
Words: TypeAlias = "Array | Iterable[Array]"
"""Words of a state, in one array or in several that follow one another."""

WRITE_BYTES_MAX = 0x7FFFF000
"""The most that the system writes at once."""

CHUNK_BYTES = 1 << 20
"""So much is hashed and written while it is in the processor's cache."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW
_OLD_FILE = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


class NotReadBack(OSError):
    """A child's manifest can't be read."""


class OtherManifest(OSError):
    """A child's manifest isn't what the child said that it wrote."""


def failure_text(error: OSError) -> str:
    """Why a role couldn't write its part of a generation, as its line says it."""
    if isinstance(error, OtherManifest):
        return str(error.strerror)
    verb = "read" if isinstance(error, NotReadBack) else "write"
    return f"cannot {verb} {error.filename}: {error.strerror}"


class GenerationWriter:
    """What one role writes of each generation: `write_shard`, and then `write_manifest`.

    An OSError has the name of the file that it is about; the folder that is half written stays.
    """

    def __init__(
        self, path: str | Path, facts: Facts, role: int, children: Sequence[int], root: bool
    ) -> None:
        """Generations go into the folder `path`, which is there.

        Raises:
            Refusal: `target-unsupported` for a header or a manifest that would be too long.
        """
        self._path = Path(path)
        self._facts = facts
        self._role = role
        self._children = tuple(children)
        self._root = root
        self._layout = shard_layout(facts, role)
        self._manifest = manifest_pieces(facts, role, self._children, root)
        self._folder: Path | None = None
        self._descriptor: int | None = None

    def write_shard(self, version: int, words: Mapping[str, Words]) -> Array:
        """Write the role's words at a version; five words of i64 say what was written.

        Args:
            version: that of the words.
            words: by state, all that the role stores of it, in ascending order of coordinates and
                in any shape, as an array or as some that follow one another. Others are left out.

        Raises:
            OSError: it can't be written.
            ValueError: words of another number or type.
        """
        return self.write_asked(version, words.__getitem__)

    def write_asked(self, version: int, words: Callable[[str], Words]) -> Array:
        """The same of words that are asked for, state by state, when it is their turn."""
        self.close()
        self._folder = self._path / partial_name(version, self._facts.run)
        with _about(self._folder):
            with contextlib.suppress(FileExistsError):
                os.mkdir(self._folder, 0o777)
            self._descriptor = os.open(self._folder, _FOLDER)
        parts = _parts(header_bytes(self._layout, version), self._layout.fields, words)
        return self._write(shard_name(self._role), parts).words()

    def write_manifest(self, version: int, shard: Array, children: Mapping[int, Array]) -> Array:
        """Write the manifest, and publish the generation where it is the root's.

        Args:
            version: that of the shard.
            shard: what `write_shard` gave.
            children: by role, what each child said of its manifest, in five words.

        Returns: five words that say what was written.

        Raises:
            Refusal: `checkpoint-exists`.
            OSError: it can't be written, or a child's can't be read or is another one.
        """
        files: dict[int | None, FileDigest] = {None: FileDigest.of_words(shard)}
        for child in self._children:
            files[child] = FileDigest.of_words(children[child])
            self._read_back(child, files[child])
        text = render(self._manifest, version, files)
        digest = self._write(manifest_name(self._role, self._root), (memoryview(text),))
        assert self._folder is not None and self._descriptor is not None
        with _about(self._folder):
            os.fsync(self._descriptor)
        if self._root:
            self._publish(version, self._folder)
        self.close()
        return digest.words()

    def close(self) -> None:
        """Give the folder's descriptor back, if there is one."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            _close_quietly(descriptor)

    def _write(self, name: str, parts: Iterable[memoryview]) -> FileDigest:
        """Write a file of the folder that is open, until it is on disk."""
        assert self._folder is not None
        hasher, size = hashlib.sha256(), 0
        about = self._folder / name
        with _about(about):
            descriptor = os.open(name, _NEW_FILE, 0o666, dir_fd=self._descriptor)
        try:
            for part in parts:
                hasher.update(part)
                size += len(part)
                with _about(about):
                    _write_all(descriptor, part)
            with _about(about):
                os.fsync(descriptor)
        except BaseException:
            _close_quietly(descriptor)
            raise
        with _about(about):
            _close(descriptor)
        return FileDigest(size, hasher.digest())

    def _read_back(self, child: int, said: FileDigest) -> None:
        """See that a child's manifest is here, and is the one that the child wrote."""
        assert self._folder is not None
        name = manifest_name(child, root=False)
        hasher, size = hashlib.sha256(), 0
        try:
            descriptor = os.open(name, _OLD_FILE, dir_fd=self._descriptor)
            try:
                # One byte more than there should be tells a file that is longer.
                while size <= said.bytes:
                    part = os.read(descriptor, min(CHUNK_BYTES, said.bytes + 1 - size))
                    if not part:
                        break
                    hasher.update(part)
                    size += len(part)
            finally:
                _close(descriptor)
        except OSError as error:
            path = str(self._folder / name)
            raise NotReadBack(error.errno, error.strerror, path) from None
        if FileDigest(size, hasher.digest()) != said:
            path = str(self._folder / name)
            why = f"{path} isn't what role {child} wrote: all roles have to see one folder"
            raise OtherManifest(errno.EIO, why, path)

    def _publish(self, version: int, folder: Path) -> None:
        """Give a generation its name, once, and keep that on disk."""
        name = self._path / generation_name(version)
        with _about(self._path):
            parent = os.open(self._path, _FOLDER)
        try:
            with _about(name):
                try:
                    os.rename(folder.name, name.name, src_dir_fd=parent, dst_dir_fd=parent)
                except OSError as error:
                    if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                        raise
                    wanted = f"no generation of version {version} in {self._path}"
                    raise Refusal("checkpoint-exists", wanted, f"{name}") from None
            with _about(self._path):
                os.fsync(parent)
        finally:
            _close_quietly(parent)


@contextlib.contextmanager
def _about(path: Path) -> Iterator[None]:
    """Say which file an OSError is about."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise


def _close(descriptor: int) -> None:
    """Close a file; where that was interrupted, the descriptor is free and the bytes are safe."""
    with contextlib.suppress(InterruptedError):
        os.close(descriptor)


def _close_quietly(descriptor: int) -> None:
    """Close a folder, of which nothing is lost, or a file that is given up."""
    try:
        os.close(descriptor)
    except OSError:
        return


def _write_all(descriptor: int, part: memoryview) -> None:
    while part:
        part = part[os.write(descriptor, part[:WRITE_BYTES_MAX]) :]


def _parts(
    header: bytes, fields: Sequence[ShardField], words: Callable[[str], Words]
) -> Iterator[memoryview]:
    """All bytes of a shard, a part at a time."""
    yield memoryview(header)
    for field in fields:
        given = words(field.name)
        arrays = (given,) if isinstance(given, np.ndarray) else given
        found = 0
        for array in arrays:
            found += array.size
            if found > field.words or array.dtype.newbyteorder("<") != DTYPES[field.element]:
                raise ValueError(f"{found} words of {array.dtype} for {field.name} in a shard")
            yield from _bytes_of(array, DTYPES[field.element])
        if found < field.words:
            raise ValueError(f"{found} words for {field.words} of {field.name} in a shard")


def _bytes_of(array: Array, dtype: np.dtype[Any]) -> Iterator[memoryview]:
    """The words of an array in row-major order; no copy of more than a part is made."""
    count = CHUNK_BYTES // dtype.itemsize
    flat = array.reshape(-1) if array.flags.c_contiguous else array.flat
    for low in range(0, array.size, count):
        part = np.ascontiguousarray(flat[low : low + count], dtype)
        yield part.view(np.uint8).data


def write_generation(
    path: str | Path,
    facts: Facts,
    version: int,
    words: Callable[[int, str], Words],
    tree: PreorderTree,
) -> FileDigest:
    """Write a whole generation with one process; gives the digest of the root's manifest.

    Args:
        path: the folder of generations, which is there.
        facts: what there is to be written.
        version: that of the words.
        words: gives what a role stores of a state, asked for each once; as for `write_shard`.
        tree: along which manifests name one another, of as many nodes as there are owners.

    Raises:
        Refusal: `checkpoint-exists`, `target-unsupported`.
        OSError: it can't be written.
    """
    said: dict[int, Array] = {}
    # Children have higher numbers, so downwards each has written before its parent does.
    for role in range(facts.owners - 1, -1, -1):
        children = tree.children(role)
        writer = GenerationWriter(path, facts, role, children, root=role == 0)
        try:
            shard = writer.write_asked(version, partial(words, role))
            of_children = {child: said.pop(child) for child in children}
            said[role] = writer.write_manifest(version, shard, of_children)
        finally:
            writer.close()
    return FileDigest.of_words(said[0])
