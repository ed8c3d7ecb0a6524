"""Memory of a device and of its blocks, in regions that are looked after byte by byte.

Invariant: an access lies in one region that is alive, is aligned to its size, reads what has been
    written and races with no other; else BadAccess is raised, and what memory holds is void.
Entry: `Region`, `Space`, `Accesses`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from alpha.backends.ptx.interpreter.faults import BadAccess
from alpha.backends.ptx.interpreter.races import GRANULE, Races

Lanes = np.ndarray
Places = slice | Lanes

_UNITS = {4: np.dtype(np.uint32), 8: np.dtype(np.uint64)}
_WHOLE = {size: kind.type(int.from_bytes(b"\1" * size, "little")) for size, kind in _UNITS.items()}
_LINE = 16
"""Regions are held from a multiple of the largest access."""


class Accesses(NamedTuple):
    """Accesses made at once, one by each thread: `numbers` as `races.access` makes them.

    `copies` says for each in which copy of a region it is, where each block has its own.
    """

    addresses: Lanes
    numbers: Lanes
    copies: Lanes | None


class Region:
    """Bytes from `start` on, once for each of `copies` blocks."""

    def __init__(self, start: int, bytes: int, race: str, copies: int = 1) -> None:
        self.start = start
        self.end = start + bytes
        self._origin = start & -_LINE
        self._stride = (self.end - self._origin + _LINE - 1) & -_LINE
        self._data = np.zeros(self._stride * copies, np.uint8)
        self._known = np.zeros(self._stride * copies, np.uint8)
        self._race = race
        self._races: Races | None = None

    @property
    def races(self) -> Races:
        """Who accessed what in this launch."""
        if self._races is None:
            self._races = Races(len(self._data) // GRANULE, self._race)
        return self._races

    def forget_accesses(self) -> None:
        """A launch begins: what was before is in order with all that comes."""
        self._races = None

    def host_write(self, address: int, data: np.ndarray) -> None:
        """Bytes from outside."""
        at = address - self._origin
        self._data[at : at + len(data)] = data
        self._known[at : at + len(data)] = 1

    def host_read(self, address: int, bytes: int) -> np.ndarray:
        """A copy of bytes, for outside. Raises BadAccess if one of them was never written."""
        at = address - self._origin
        unknown = np.flatnonzero(self._known[at : at + bytes] == 0)
        if len(unknown):
            detail = f"nothing was written at {address + int(unknown[0]):#x}"
            raise BadAccess("uninitialized-memory", 0, detail)
        return self._data[at : at + bytes].copy()

    def load(self, accesses: Accesses, kind: np.dtype, count: int) -> list[Lanes]:
        """`count` words of a kind at each address, an array for each of them."""
        offsets = self._offsets(accesses)
        known, whole = self._known.view(_UNITS[kind.itemsize]), _WHOLE[kind.itemsize]
        values = []
        for place in _places(offsets, kind.itemsize, count):
            held = known[place] == whole
            if not held.all():
                at = int(np.argmin(held))
                detail = f"nothing was written at {int(accesses.addresses[at]):#x}"
                raise BadAccess("uninitialized-memory", at, detail)
        for place in _places(offsets, GRANULE, count * kind.itemsize // GRANULE):
            self.races.read(place, accesses.numbers)
        for place in _places(offsets, kind.itemsize, count):
            values.append(np.array(self._data.view(kind)[place]))
        return values

    def store(self, accesses: Accesses, values: Sequence[Lanes]) -> None:
        """Words at each address, from an array for each of them."""
        offsets, kind = self._offsets(accesses), values[0].dtype
        for place in _places(offsets, GRANULE, len(values) * kind.itemsize // GRANULE):
            self.races.write(place, accesses.numbers)
        known, whole = self._known.view(_UNITS[kind.itemsize]), _WHOLE[kind.itemsize]
        data = self._data.view(kind)
        for place, value in zip(_places(offsets, kind.itemsize, len(values)), values, strict=True):
            data[place] = value
            known[place] = whole

    def _offsets(self, accesses: Accesses) -> Lanes:
        offsets = (accesses.addresses - np.uint64(self._origin)).astype(np.int64)
        if accesses.copies is not None:
            offsets += accesses.copies * self._stride
        return offsets


def _places(offsets: Lanes, unit: int, count: int) -> list[Places]:
    """Where `count` units at each offset are; slices where all lie one behind the other."""
    size = unit * count
    first, number = int(offsets[0]), len(offsets)
    if int(offsets[-1]) - first == (number - 1) * size and (np.diff(offsets) == size).all():
        first //= unit
        end = first + (number - 1) * count + 1
        return [slice(first + each, end + each, count) for each in range(count)]
    words = offsets // unit
    return [words + each if each else words for each in range(count)]


class Space:
    """Regions by their addresses, which never overlap and are never used again."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._regions: list[Region] = []
        self._freed: list[tuple[int, int]] = []

    def __iter__(self) -> Iterator[Region]:
        return iter(self._regions)

    def add(self, region: Region) -> None:
        """A region begins to live."""
        at = bisect_right(self._starts, region.start)
        self._starts.insert(at, region.start)
        self._regions.insert(at, region)

    def remove(self, start: int) -> None:
        """A region ends. Raises BadAccess if none starts there."""
        at = bisect_right(self._starts, start) - 1
        if at < 0 or self._starts[at] != start:
            raise self._outside(start, 0)
        region = self._regions.pop(at)
        del self._starts[at]
        self._freed.append((region.start, region.end))

    def region(self, address: int, bytes: int) -> Region:
        """The region in which so many bytes lie. Raises BadAccess."""
        at = bisect_right(self._starts, address) - 1
        if at < 0 or address + bytes > self._regions[at].end:
            raise self._outside(address, 0)
        return self._regions[at]

    def load(self, accesses: Accesses, kind: np.dtype, count: int) -> list[Lanes]:
        """`count` words of a kind at each address. Raises BadAccess."""
        size = kind.itemsize * count
        self._aligned(accesses.addresses, size)
        whole = self._whole(accesses.addresses, size)
        if whole is not None:
            return whole.load(accesses, kind, count)
        values = [np.zeros(len(accesses.addresses), kind) for _ in range(count)]
        for region, chosen in self._parts(accesses.addresses, size):
            part = _renumbered(region.load, chosen, _chosen(accesses, chosen), kind, count)
            for value, words in zip(values, part, strict=True):
                value[chosen] = words
        return values

    def store(self, accesses: Accesses, values: Sequence[Lanes]) -> None:
        """Words at each address. Raises BadAccess."""
        size = values[0].dtype.itemsize * len(values)
        self._aligned(accesses.addresses, size)
        whole = self._whole(accesses.addresses, size)
        if whole is not None:
            whole.store(accesses, values)
            return
        for region, chosen in self._parts(accesses.addresses, size):
            held = [value[chosen] for value in values]
            _renumbered(region.store, chosen, _chosen(accesses, chosen), held)

    @staticmethod
    def _aligned(addresses: Lanes, size: int) -> None:
        low = addresses & np.uint64(size - 1)
        if low.any():
            at = int(np.argmax(low != 0))
            detail = f"{int(addresses[at]):#x} is no multiple of {size}"
            raise BadAccess("misaligned", at, detail)

    def _whole(self, addresses: Lanes, size: int) -> Region | None:
        """The region of all accesses, if there is one."""
        low, high = int(addresses.min()), int(addresses.max())
        at = bisect_right(self._starts, low) - 1
        if at >= 0 and high + size <= self._regions[at].end:
            return self._regions[at]
        return None

    def _parts(self, addresses: Lanes, size: int) -> list[tuple[Region, Lanes]]:
        """Each region with the accesses that are in it; all are in one, or BadAccess is raised."""
        starts = np.array(self._starts, np.uint64)
        ends = np.array([region.end for region in self._regions], np.uint64)
        at = np.searchsorted(starts, addresses, "right") - 1
        inside = at >= 0
        if inside.any():
            room = ends[np.maximum(at, 0)]
            inside &= (addresses < room) & (room - addresses >= np.uint64(size))
        if not inside.all():
            first = int(np.argmin(inside))
            raise self._outside(int(addresses[first]), first)
        return [(self._regions[each], np.flatnonzero(at == each)) for each in np.unique(at)]

    def _outside(self, address: int, at: int) -> BadAccess:
        if any(start <= address < end for start, end in self._freed):
            return BadAccess("use-after-free", at, f"{address:#x} was freed")
        return BadAccess("out-of-bounds", at, f"{address:#x} is in no memory, or not all of it is")


def _chosen(accesses: Accesses, chosen: Lanes) -> Accesses:
    copies = accesses.copies
    return Accesses(
        accesses.addresses[chosen],
        accesses.numbers[chosen],
        None if copies is None else copies[chosen],
    )


def _renumbered(act: Callable[..., Any], chosen: Lanes, *operands: Any) -> Any:
    """Do it, and say of a bad access which one of all it was."""
    try:
        return act(*operands)
    except BadAccess as bad:
        raise BadAccess(bad.kind, int(chosen[bad.at]), bad.detail) from None
