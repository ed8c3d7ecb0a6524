"""The relay that stands in a channel where a fault is to happen, and makes it.

Invariant: what no fault names goes through as it came. Faults that undo one another aren't made.
Entry: `Relay`, `Relays`.
"""

from __future__ import annotations

from collections.abc import Iterable

from alpha.interpreters.network.channels import Frame
from alpha.interpreters.network.faults import (
    Fault,
    FrameFault,
    Misroute,
    Partition,
    Replay,
)
from alpha.interpreters.network.records import Edge


class Cut:
    """A partition of an edge, shared by the relays of its two directions."""

    def __init__(self, fault: Partition) -> None:
        self.fault = fault
        self._come = 0

    @property
    def done(self) -> bool:
        """Whether nothing passes any more."""
        return self._come >= self.fault.after

    def passes(self) -> bool:
        """Whether the next frame passes, which counts it, also if another partition stops it."""
        before = self.done
        self._come += 1
        return not before


class Relay:
    """The faults of one edge and direction, and what they need to remember."""

    def __init__(self, relays: Relays, faults: Iterable[FrameFault], cuts: Iterable[Cut]) -> None:
        self.identity = relays.identity
        self.number = 0
        """How many frames have come."""
        self.earlier: dict[int, Frame] = {}
        """Copies of the frames, by number, that are to be replayed, as their sender gave them."""
        self.kept: list[Frame] = []
        """What is let go behind the next frame."""
        self._relays = relays
        self._cuts = tuple(cuts)
        self._last: Frame | None = None
        self._replayed: set[int] = set()
        self._faults: dict[int, list[FrameFault]] = {}
        for fault in faults:
            self._faults.setdefault(fault.frame, []).append(fault)
            if isinstance(fault, Replay):
                self._replayed.add(fault.earlier)

    @property
    def severed(self) -> bool:
        """Whether not even the closing of the edge passes."""
        return any(cut.done for cut in self._cuts)

    def carry(self, frame: Frame) -> list[Frame]:
        """What goes on when this frame comes, in order."""
        number, self.number = self.number, self.number + 1
        self._last = frame.copy()
        if number in self._replayed:
            self.earlier[number] = frame.copy()
        late, self.kept = self.kept, []
        stops = [cut.fault for cut in self._cuts if not cut.passes()]
        if stops:
            self._relays.made(*stops)
            return []
        frames, made = [frame], list[FrameFault]()
        for fault in self._faults.get(number, ()):
            struck = fault.strike(frames[0], self) if frames else None
            if struck is not None:
                frames = struck + frames[1:]
                made.append(fault)
        if made and not self._is_as_it_came(frames):
            self._relays.made(*made)
        frames += late
        for each in frames:
            each.arrival = max(each.arrival, frame.arrival)
        return frames

    def latest(self, edge: Edge) -> Frame | None:
        """A copy of the last frame of another edge and direction, or None if it had none."""
        relay = self._relays.of(edge)
        return relay._last.copy() if relay and relay._last else None

    def _is_as_it_came(self, frames: list[Frame]) -> bool:
        """Whether faults left the last frame alone, or each undid what another had done."""
        came = self._last
        assert came is not None, "a frame has come"
        if len(frames) != 1 or frames[0].header != came.header:
            return False
        (left,) = frames
        same = left.data is None or left.data == came.copy().bytes_of(self.identity)
        return same and (left.arrival, left.counted) == (came.arrival, True)


class Relays:
    """All relays of a run, by edge and direction, and the faults that they made."""

    def __init__(self, faults: Iterable[Fault], identity: bytes) -> None:
        self.identity = identity
        self.faults_made: list[Fault] = []
        by_edge: dict[Edge, list[FrameFault]] = {}
        cuts: dict[Edge, list[Cut]] = {}
        for fault in faults:
            if isinstance(fault, Partition):
                cut = Cut(fault)
                for edge in ((fault.one, fault.other), (fault.other, fault.one)):
                    cuts.setdefault(edge, []).append(cut)
            elif isinstance(fault, FrameFault):
                by_edge.setdefault((fault.sender, fault.receiver), []).append(fault)
            if isinstance(fault, Misroute):
                by_edge.setdefault(fault.other, [])
        self._relays = {
            edge: Relay(self, by_edge.get(edge, ()), cuts.get(edge, ()))
            for edge in (*by_edge, *cuts)
        }

    def of(self, edge: Edge) -> Relay | None:
        """The relay of an edge and direction, if one stands there."""
        return self._relays.get(edge)

    def made(self, *faults: Fault) -> None:
        """Note that faults were made."""
        for fault in faults:
            if fault not in self.faults_made:
                self.faults_made.append(fault)
