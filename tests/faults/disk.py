"""A disk that loses its power: what it has then of what was done to it.

Invariant: a state of the disk keeps all that was synchronized. Of all else it has any part: each
    name in a folder is one that it had since then; each write of a file is there, isn't there, is
    there up to a sector or but for one, or is zeros; and a file has the length of what was written
    or of what is there. What is done to different files and folders isn't kept in any order.
Why: file systems promise no more, and most keep more than that.
Entry: `Disk`, `Tree`.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from faults.recording import (
    Create,
    MakeFolder,
    Nothing,
    Operation,
    Remove,
    Rename,
    Said,
    Sync,
    Write,
)

SECTOR = 512
WRITES_MAX = 6
"""Of so many writes to a file every subset is kept; of more, all but one or one."""

STATES_MAX = 2048
"""So many states are all looked at; of more, every choice alone and each two of the main ones."""

MAIN = 4
"""The first choices of a file: what was on disk, all, zeros, and half of it."""

Tree = tuple[tuple[str, "Tree | bytes"], ...]
"""What a folder has, by name."""


Done = tuple[int, int, "bytes | None"]
"""Which operation, at which place of a file, wrote which bytes; without bytes it was cut off."""


@dataclass
class File:
    """What is on disk, and what was done since then."""

    durable: bytes = b""
    pending: list[Done] = field(default_factory=list)

    def synchronize(self, begun: int) -> None:
        """All that was done before this operation is on disk."""
        kept = [each for each in self.pending if each[0] < begun]
        self.durable = _applied(self.durable, kept)
        self.pending = self.pending[len(kept) :]

    def choices(self) -> list[bytes]:
        """What it may have; the main choices first."""
        before, pending = self.durable, self.pending
        whole, size = _applied(before, pending), self._size()
        half = size // 2 // SECTOR * SECTOR
        changed: list[Sequence[Done]] = [[], pending]
        changed += [_spoilt(pending, low, size, zeros=True) for low in (0, half)]
        for low in range(0, size, SECTOR):
            for high in (low + SECTOR, size):
                changed += [_spoilt(pending, low, high, zeros) for zeros in (True, False)]
        for _, offset, data in pending:
            changed.append(_spoilt(pending, offset, offset + len(data or b""), zeros=True))
        changed += _subsets(pending)
        found = [_applied(before, each) for each in changed]
        assert found[1] == whole
        return list(dict.fromkeys(found))

    def _size(self) -> int:
        """Behind which byte nothing was written."""
        return max((offset + len(data or b"") for _, offset, data in self.pending), default=0)


def _spoilt(pending: Sequence[Done], low: int, high: int, zeros: bool) -> list[Done]:
    """What was done, of whose bytes those from `low` up to `high` are zeros, or weren't written."""
    found: list[Done] = []
    for at, offset, data in pending:
        if data is None:
            found.append((at, offset, None))
            continue
        first, last = (min(max(0, place - offset), len(data)) for place in (low, high))
        parts = [(offset, data[:first]), (offset + last, data[last:])]
        if zeros:
            parts.insert(1, (offset + first, bytes(last - first)))
        found += [(at, place, part) for place, part in parts if part]
    return found


def _subsets(pending: Sequence[Done]) -> Iterator[Sequence[Done]]:
    """Which of several operations are kept, in their order."""
    if len(pending) <= WRITES_MAX:
        for count in range(len(pending) + 1):
            yield from itertools.combinations(pending, count)
        return
    for at in range(len(pending)):
        yield pending[at : at + 1]
        yield [*pending[:at], *pending[at + 1 :]]


def _applied(before: bytes, done: Sequence[Done]) -> bytes:
    """What a file has of which all of this is done."""
    data = bytearray(before)
    for _, offset, given in done:
        if given is None:
            del data[offset:]
            continue
        data.extend(bytes(max(0, offset - len(data))))
        data[offset : offset + len(given)] = given
    return bytes(data)


@dataclass
class Folder:
    """The nodes on disk by name, and which a name had since then: after which operation."""

    durable: dict[str, int] = field(default_factory=dict)
    pending: dict[str, list[tuple[int, int | None]]] = field(default_factory=dict)

    def now(self, name: str) -> int | None:
        """The node that has this name."""
        return self.pending[name][-1][1] if name in self.pending else self.durable.get(name)

    def put(self, at: int, name: str, node: int | None) -> None:
        """Let a node have a name from an operation on, or none."""
        self.pending.setdefault(name, []).append((at, node))

    def synchronize(self, begun: int) -> None:
        """The names are on disk as they were before this operation."""
        for name, history in list(self.pending.items()):
            kept = [node for at, node in history if at < begun]
            if kept:
                self.durable.pop(name, None)
                if kept[-1] is not None:
                    self.durable[name] = kept[-1]
            self.pending[name] = history[len(kept) :]
            if not self.pending[name]:
                del self.pending[name]

    def choices(self, name: str) -> list[int | None]:
        """The nodes that a name may have: that on disk, the newest one, and those between."""
        found = [self.durable.get(name), self.now(name)]
        return list(dict.fromkeys([*found, *(node for _, node in self.pending[name])]))


Item = tuple[int, str | None]
"""What may differ: a file, or a name in a folder."""


class Disk:
    """A disk below a folder, whose own names are safe."""

    def __init__(self, root: str, tree: Tree = ()) -> None:
        """With a tree, that is on disk already."""
        self._root = root
        self._nodes: list[File | Folder] = []
        self._done = 0
        self._load(tree)

    def _load(self, tree: Tree) -> int:
        folder = Folder()
        self._nodes.append(folder)
        number = len(self._nodes) - 1
        for name, what in tree:
            if isinstance(what, bytes):
                self._nodes.append(File(what))
                folder.durable[name] = len(self._nodes) - 1
            else:
                folder.durable[name] = self._load(what)
        return number

    def do(self, operation: Operation) -> None:
        """Do one operation."""
        at = self._done
        self._done += 1
        match operation:
            case MakeFolder(path):
                self._make(at, path, Folder())
            case Create(path, anew):
                node = self._find(path)
                if node is None:
                    self._make(at, path, File())
                elif anew:
                    self._file(path).pending.append((at, 0, None))
            case Write(path, offset, data):
                self._file(path).pending.append((at, offset, data))
            case Sync(path, _, begun):
                node = self._find(path)
                assert node is not None, path
                self._nodes[node].synchronize(begun)
            case Rename(path, to):
                node = self._find(path)
                assert node is not None, path
                self._put(at, path, None)
                self._put(at, to, node)
            case Remove(path):
                self._put(at, path, None)
            case Said() | Nothing():
                return

    def states(self) -> Iterator[Tree]:
        """What it may have after its power was lost."""
        items: dict[Item, Sequence[bytes | int | None]] = {}
        for number, node in enumerate(self._nodes):
            if isinstance(node, File):
                items[number, None] = node.choices()
            else:
                items |= {(number, name): node.choices(name) for name in node.pending}
        items = {item: choices for item, choices in items.items() if len(choices) > 1}
        for chosen in _choices(items):
            yield self._tree(0, chosen)

    def _tree(self, number: int, chosen: Mapping[Item, bytes | int | None]) -> Tree:
        folder = self._nodes[number]
        assert isinstance(folder, Folder)
        found: list[tuple[str, Tree | bytes]] = []
        for name in sorted({*folder.durable, *folder.pending}):
            node = chosen.get((number, name), folder.now(name))
            assert not isinstance(node, bytes)
            if node is None:
                continue
            what = self._nodes[node]
            if isinstance(what, Folder):
                found.append((name, self._tree(node, chosen)))
            else:
                data = chosen.get((node, None), what.durable)
                assert isinstance(data, bytes)
                found.append((name, data))
        return tuple(found)

    def _make(self, at: int, path: str, node: File | Folder) -> None:
        self._nodes.append(node)
        self._put(at, path, len(self._nodes) - 1)

    def _put(self, at: int, path: str, node: int | None) -> None:
        above, name = os.path.split(path)
        number = self._find(above)
        assert number is not None, path
        folder = self._nodes[number]
        assert isinstance(folder, Folder)
        folder.put(at, name, node)

    def _find(self, path: str) -> int | None:
        number: int | None = 0
        for name in path.removeprefix(self._root).strip("/").split("/"):
            if not name or number is None:
                continue
            folder = self._nodes[number]
            assert isinstance(folder, Folder), path
            number = folder.now(name)
        return number

    def _file(self, path: str) -> File:
        number = self._find(path)
        assert number is not None, path
        node = self._nodes[number]
        assert isinstance(node, File), path
        return node


def _choices(
    items: Mapping[Item, Sequence[bytes | int | None]],
) -> Iterator[dict[Item, bytes | int | None]]:
    """Which choices are looked at together: all, or each alone and each two of the main ones.

    Beside those that are chosen, all else is as it was on disk, or as it was done.
    """
    if prod(map(len, items.values())) <= STATES_MAX:
        for values in itertools.product(*items.values()):
            yield dict(zip(items, values, strict=True))
        return
    for side in (0, 1):
        base = {item: choices[side] for item, choices in items.items()}
        for item, choices in items.items():
            for value in choices:
                yield {**base, item: value}
        for one, other in itertools.combinations(items, 2):
            pairs = itertools.product(items[one][:MAIN], items[other][:MAIN])
            yield from ({**base, one: first, other: second} for first, second in pairs)
