"""What can go wrong between two roles and with one, each fault once and at a place that is named.

Invariant: a fault changes what is on its way or ends a role; it never reaches into a participant.
    Frames of an edge and direction, and events of a role, are counted from 0.
Why: a fault that names its place can be enumerated, drawn from a seed, and run again.
Entry: `Fault` and its kinds; `draw_fault` for one from a seed, `KINDS`.

A frame is a unit here: one that is cut short or too long is followed by the next whole frame. In a
stream of bytes the receiver would take the missing ones from what follows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from alpha.interpreters.network.channels import Frame
from alpha.interpreters.network.records import Edge, Flow
from alpha.ir.frames import DIGEST_BYTES, FIELDS, HEADER_BYTES

if TYPE_CHECKING:
    from alpha.interpreters.network.relays import Relay


@dataclass(frozen=True)
class FrameFault(ABC):
    """A fault of frame number `frame` from `sender` to `receiver`, made by a relay between them."""

    sender: int
    receiver: int
    frame: int

    @abstractmethod
    def strike(self, frame: Frame, relay: Relay) -> list[Frame] | None:
        """What goes on instead of the frame, or None if the fault can't be made here."""


@dataclass(frozen=True)
class Drop(FrameFault):
    """The frame is taken from its sender and never arrives."""

    def strike(self, frame: Frame, relay: Relay) -> list[Frame]:
        frame.counted = False
        return []


@dataclass(frozen=True)
class Delay(FrameFault):
    """The frame, and with it all behind it, arrives this many virtual seconds later."""

    seconds: float

    def strike(self, frame: Frame, relay: Relay) -> list[Frame]:
        frame.arrival += self.seconds
        return [frame]


@dataclass(frozen=True)
class Duplicate(FrameFault):
    """The frame arrives twice."""

    def strike(self, frame: Frame, relay: Relay) -> list[Frame]:
        return [frame, frame.copy()]


@dataclass(frozen=True)
class Swap(FrameFault):
    """The frame is kept back until the next of its edge has gone by."""

    def strike(self, frame: Frame, relay: Relay) -> list[Frame]:
        frame.counted = False
        relay.kept.append(frame)
        return []


@dataclass(frozen=True)
class Flip(FrameFault):
    """One bit is flipped, in a field of the header, in the payload or in the digest.

    `part` is a name of `ir.frames.FIELDS`, `payload` or `digest`; a payload without bytes can't be
    struck. `bit` is taken modulo the bits that there are.
    """

    part: str
    bit: int

    def strike(self, frame: Frame, relay: Relay) -> list[Frame] | None:
        low, high = _span(self.part, frame.header.extent)
        if low == high:
            return None
        byte, bit = divmod(self.bit % (8 * (high - low)), 8)
        frame.bytes_of(relay.identity)[low + byte] ^= 1 << bit
        return [frame]


def _span(part: str, extent: int) -> tuple[int, int]:
    """Where in a frame the bytes of a part begin and end."""
    end = HEADER_BYTES + extent
    spans = {field.name: (field.offset, field.end) for field in FIELDS}
    spans |= {"payload": (HEADER_BYTES, end), "digest": (end, end + DIGEST_BYTES)}
    return spans[part]


@dataclass(frozen=True)
class Truncate(FrameFault):
    """The last bytes of the frame don't arrive, at most all of them."""

    bytes: int

    def strike(self, frame: Frame, relay: Relay) -> list[Frame]:
        data = frame.bytes_of(relay.identity)
        del data[max(len(data) - self.bytes, 0) :]
        return [frame]


@dataclass(frozen=True)
class Append(FrameFault):
    """Bytes, all zero, follow the frame."""

    bytes: int

    def strike(self, frame: Frame, relay: Relay) -> list[Frame]:
        frame.bytes_of(relay.identity).extend(bytes(self.bytes))
        return [frame]


@dataclass(frozen=True)
class Replay(FrameFault):
    """An earlier frame of the same edge and direction, number `earlier`, arrives before this."""

    earlier: int

    def strike(self, frame: Frame, relay: Relay) -> list[Frame] | None:
        old = relay.earlier.get(self.earlier)
        return None if old is None or self.earlier >= self.frame else [old.copy(), frame]


@dataclass(frozen=True)
class Misroute(FrameFault):
    """In place of this frame arrives the latest one of another edge or direction, `other`."""

    other: Edge

    def strike(self, frame: Frame, relay: Relay) -> list[Frame] | None:
        last = relay.latest(self.other)
        if last is None:
            return None
        last.counted = frame.counted
        return [last]


@dataclass(frozen=True)
class Foreign(FrameFault):
    """In place of this frame arrives the same one of another run, whole and with its digest."""

    def strike(self, frame: Frame, relay: Relay) -> list[Frame]:
        other = bytes(byte ^ 0xFF for byte in relay.identity)
        frame.data = None
        frame.bytes_of(other)
        return [frame]


@dataclass(frozen=True)
class Kill:
    """The role does `after` events and dies at the next; its edges close, as its host sees to."""

    role: int
    after: int


@dataclass(frozen=True)
class Silence:
    """The role does `after` events; nothing that it sends or closes later is seen by anyone."""

    role: int
    after: int


@dataclass(frozen=True)
class Partition:
    """After `after` frames on the edge, both directions together, nothing passes on it."""

    one: int
    other: int
    after: int


Fault: TypeAlias = FrameFault | Kill | Silence | Partition

PARTS = (*(field.name for field in FIELDS), "payload", "digest")
"""What a bit can be flipped in."""

_Place = tuple[int, int, int]

_FRAME_FAULTS: Mapping[str, Callable[[Random, _Place, float], Fault]] = {
    "drop": lambda random, place, seconds: Drop(*place),
    "delay": lambda random, place, seconds: Delay(*place, seconds * random.random()),
    "duplicate": lambda random, place, seconds: Duplicate(*place),
    "swap": lambda random, place, seconds: Swap(*place),
    "flip": lambda random, place, seconds: Flip(
        *place, random.choice(PARTS), random.randrange(1 << 16)
    ),
    "truncate": lambda random, place, seconds: Truncate(*place, _length(random)),
    "append": lambda random, place, seconds: Append(*place, _length(random)),
    "replay": lambda random, place, seconds: Replay(*place, random.randrange(max(place[2], 1))),
    "foreign": lambda random, place, seconds: Foreign(*place),
}

KINDS = (*_FRAME_FAULTS, "misroute", "kill", "silence", "partition")


def _length(random: Random) -> int:
    return random.randrange(1, HEADER_BYTES + DIGEST_BYTES)


def draw_fault(
    random: Random,
    traffic: Mapping[Edge, Flow],
    events: Mapping[int, int],
    seconds: float,
    kind: str | None = None,
) -> Fault:
    """A fault of one of `KINDS`, or of this one; a delay is shorter than `seconds`.

    `traffic` and `events` are those of a run without faults, with at least one frame. Where the
    place that is drawn allows no such fault, it isn't made, as `faults_made` of the run says.
    """
    kind = random.choice(KINDS) if kind is None else kind
    sender, receiver = edge = random.choice([edge for edge, flow in traffic.items() if flow.frames])
    frame = random.randrange(traffic[edge].frames)
    place = (sender, receiver, frame)
    role = random.choice([number for number, count in events.items() if count])
    match kind:
        case "misroute":
            others = [other for other in traffic if other != edge]
            return Misroute(*place, random.choice(others or [(receiver, sender)]))
        case "kill":
            return Kill(role, random.randrange(events[role]))
        case "silence":
            return Silence(role, random.randrange(events[role]))
        case "partition":
            return Partition(sender, receiver, frame)
        case _:
            return _FRAME_FAULTS[kind](random, place, seconds)
