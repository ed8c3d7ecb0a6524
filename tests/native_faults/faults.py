"""Every fault of the frames of one direction of an edge, and what the receiver makes of each.

Invariant: the code comes from the offset of the first byte that isn't the expected one, by the
    table of `docs/frame.md`; the line comes from the interpreter, which is tested by itself.
Entry: `Case`, `cases`, `FAMILIES`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from frames.frames_by_hand import FIELDS
from participants import relay
from participants.relay import Fault, Order, Stream
from runs.conversations import DIGEST, HEAD, Conversation, Direction, at, code_at, sealed

LOST = "lost"
FAMILIES = ("field", "head", "flip", "cut", "ended", "reset", "order", "strange", "behind")


@dataclass(frozen=True)
class Case:
    """One fault."""

    name: str
    fault: Fault
    code: str
    """That of the refusal, or `LOST`."""
    frame: int
    """Before which frame of the direction the receiver stops."""
    exact: bool = True
    """Whether the line is the same whatever the timing."""
    late: bool = False
    """Whether others may have all that they need before the receiver stops."""

    @property
    def family(self) -> str:
        """What kind of a fault it is."""
        return self.name.split()[0]


def instead(offset: int, size: int, data: bytes) -> Fault:
    """Pass on `data` in the place of `size` bytes from an offset, when the last of them came."""

    def fault(stream: Stream) -> Stream:
        seen, left = 0, data
        for piece in stream:
            if isinstance(piece, Order):
                yield piece
                continue
            before = max(0, min(len(piece), offset - seen))
            behind = max(0, min(len(piece), offset + size - seen))
            yield piece[:before]
            seen += len(piece)
            if offset + size <= seen:
                yield left
                left = b""
            yield piece[behind:]

    return lambda stream: (piece for piece in fault(stream) if piece)


def until(offset: int, data: bytes) -> Fault:
    """Pass on the bytes before an offset, then `data`, then nothing; the stream doesn't end."""

    def fault(stream: Stream) -> Stream:
        seen = 0
        for piece in stream:
            if isinstance(piece, Order):
                yield piece
                continue
            left = offset - seen
            seen += len(piece)
            if left >= 0:
                yield piece[:left]
                if seen >= offset and (left or not offset):
                    yield data

    return lambda stream: (piece for piece in fault(stream) if piece)


def code_of(found: bytes, wanted: bytes) -> str | None:
    """The code of the first byte of a frame that isn't the expected one; None if there is none."""
    pairs = enumerate(zip(found, wanted, strict=False))
    return next((code_at(at) for at, pair in pairs if pair[0] != pair[1]), None)


def middle(frames: list[bytes]) -> int:
    """A small frame in the middle, if there is a middle."""
    inner = range(1, len(frames) - 1) or range(len(frames))
    return min(inner, key=lambda at: (len(frames[at]), abs(2 * at - len(frames))))


def cases(conversation: Conversation, way: Direction) -> Iterator[Case]:
    """All faults of a direction, around a small frame in its middle and at its end."""
    frames = list(conversation.frames[way])
    if frames:
        number = middle(frames)
        place = sum(map(len, frames[:number]))
        yield from _changes(frames[number], number, place)
        yield from _cuts(frames, number, place)
        yield from _orders(frames, number, place)
        yield from _strangers(conversation, way, number, place)
    for more in (b"\0", *frames[-1:]):
        name = f"behind the last frame {len(more)} bytes"
        yield Case(name, relay.append(more), "frame-extent", len(frames), late=True)


def _changes(right: bytes, number: int, place: int) -> Iterator[Case]:
    """Another field, in a frame whose digest agrees; and single bytes."""
    for field, offset, size, code in FIELDS:
        changed = bytearray(right)
        value = at(field, right) ^ 1
        changed[offset : offset + size] = value.to_bytes(size, "little")
        fault = instead(place, len(right), sealed(bytes(changed)))
        yield Case(f"field {field}", fault, code, number)
        # What is behind a wrong header isn't waited for.
        yield Case(f"head {field}", until(place, bytes(changed[:HEAD])), code, number)
    last = len(right) - 1
    for offset in dict.fromkeys((0, 4, 8, 39, 40, 63, 87, HEAD, last - DIGEST, last - 31, last)):
        for mask in (0x01, 0x80):
            fault = relay.flip(place + offset, mask)
            yield Case(f"flip {offset} {mask}", fault, code_at(offset), number)


def _cuts(frames: list[bytes], number: int, place: int) -> Iterator[Case]:
    """Too short at each class of lengths: the next frame follows, or nothing does."""
    right, behind = frames[number], b"".join((*frames[number + 1 :], *frames))
    last = len(right) - DIGEST
    sizes = dict.fromkeys((0, 1, 8, 40, HEAD - 1, HEAD, HEAD + 1, last - 1, last, len(right) - 1))
    for size in sizes:
        # At once, though the sender may wait for an answer before it sends the next one.
        fault = instead(place, len(right), right[:size] + behind)
        if (code := code_of(right[:size] + behind, right)) is not None:
            yield Case(f"cut {size}", fault, code, number)
        yield Case(f"ended {size}", relay.half_close(place + size), LOST, number)
        yield Case(f"reset {size}", relay.reset(place + size), LOST, number, exact=False)


def _orders(frames: list[bytes], number: int, place: int) -> Iterator[Case]:
    """Replayed, doubled and swapped frames."""
    right, after = frames[number], b"".join(frames[number + 1 : number + 2])
    for earlier in range(number):
        other = frames[earlier]
        code = code_of(other, right)
        assert code is not None
        fault = instead(place, len(right), other)
        yield Case(f"order replayed {earlier}", fault, code, number)
    doubled = relay.repeat(place, len(right))
    late = number + 2 >= len(frames)
    code = code_of(right, after) or "frame-extent"
    yield Case("order doubled", doubled, code, number + 1, late=late)
    if (code := code_of(after, right)) is not None:
        yield Case("order swapped", instead(place, len(right), after + right), code, number)


def _strangers(
    conversation: Conversation, way: Direction, number: int, place: int
) -> Iterator[Case]:
    """Frames of another run, of the other direction and of other edges; and too many bytes."""
    right = conversation.frames[way][number]
    identity = bytes(byte ^ 0xFF for byte in right[8:40])
    other = sealed(right[:8] + identity + right[40:])
    yield Case("strange run", instead(place, len(right), other), "frame-identity", number)
    for theirs, frames in conversation.frames.items():
        if theirs != way and frames:
            found = frames[min(number, len(frames) - 1)]
            code = code_of(found, right)
            assert code is not None
            name = f"strange edge {theirs[0]} {theirs[1]}"
            yield Case(name, instead(place, len(right), found), code, number)
    for more in (b"\0", b"A", bytes(31)):
        code = code_of(more + right, right)
        assert code is not None
        yield Case(f"strange bytes {len(more)} {more[0]}", instead(place, 0, more), code, number)
