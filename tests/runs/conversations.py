"""What roles say to one another in a run without faults: the bytes of every edge, frame by frame.

Invariant: bytes are taken from the connections, and cut into frames by the offsets of
    `docs/frame.md`, not by the code of the participants.
Entry: `Conversation`, `record`, `roles_of`, `at`, `sealed`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from frames.frames_by_hand import DIGEST_BYTES, FIELDS, HEADER_BYTES
from levels.sockets import RoleEnd, run_roles
from participants.relay import Fault, Order, Relay, Stream
from xdsl.dialects.builtin import ModuleOp

from alpha.ir.learner_words import LearnerWords
from alpha.tools.distributing import run_pass
from alpha.tools.learner_file import LearnerFile

HEAD, DIGEST = HEADER_BYTES, DIGEST_BYTES
EXTENT_AT = 80
"""The page of the frame: bytes of a header and of a digest, and where a payload's size stands."""

Direction = tuple[int, int]
"""Who sends, and who receives."""


@dataclass(frozen=True)
class Conversation:
    """A run without faults: its module and words, all frames, and how each role ended."""

    module: ModuleOp
    words: LearnerWords | None
    frames: Mapping[Direction, Sequence[bytes]]
    ends: Mapping[int, RoleEnd]

    def peers(self, role: int) -> list[int]:
        """The peers of a role, ascending."""
        return sorted(peer for peer, other in self.frames if other == role)


def roles_of(
    name: str | Path,
    rounds: int,
    partition: Sequence[str] = (),
    exchange: str = "gather",
    **owners: object,
) -> tuple[ModuleOp, LearnerWords]:
    """The programs of all roles of a distributed example or file, and its learner's words."""
    folder = Path(__file__).resolve().parents[2] / "examples"
    file = LearnerFile.read(str(folder / f"{name}.mlir") if isinstance(name, str) else str(name))
    run_pass(file.context, file.module, "distribute", **owners)
    for mode in partition:
        run_pass(file.context, file.module, f"partition_{mode}")
    run_pass(file.context, file.module, "lower_shard_to_protocol", rounds=rounds, exchange=exchange)
    run_pass(file.context, file.module, "project_role")
    return file.module, file.words


def record(module: ModuleOp, words: LearnerWords | None) -> Conversation:
    """Run all roles of a module, with a relay on every edge that writes down what passes."""
    streams: dict[Direction, bytearray] = {}
    with ExitStack() as relays:

        def between(edge: tuple[int, int], port: int) -> int:
            lower, higher = edge
            forth = _writing(streams.setdefault((higher, lower), bytearray()))
            back = _writing(streams.setdefault((lower, higher), bytearray()))
            relay = Relay(("127.0.0.1", port), forth=(forth,), back=(back,))
            return relays.enter_context(relay).port

        ends = run_roles(module, words, between=between)
    failed = {role: end.error for role, end in ends.items() if end.error is not None}
    assert not failed, failed
    frames = {direction: list(cut(bytes(data))) for direction, data in streams.items()}
    return Conversation(module, words, frames, ends)


def _writing(data: bytearray) -> Fault:
    """No fault: it only keeps what passes."""

    def fault(stream: Stream) -> Stream:
        for piece in stream:
            if not isinstance(piece, Order):
                data.extend(piece)
            yield piece

    return fault


def cut(data: bytes) -> Iterator[bytes]:
    """The frames of a stream."""
    while data:
        size = HEAD + int.from_bytes(data[EXTENT_AT:HEAD], "little") + DIGEST
        assert len(data) >= size, "a stream ends behind a frame"
        yield data[:size]
        data = data[size:]


def at(name: str, frame: bytes) -> int:
    """The number in a field of a frame."""
    ((offset, size),) = ((offset, size) for field, offset, size, _ in FIELDS if field == name)
    return int.from_bytes(frame[offset : offset + size], "little")


def sealed(frame: bytes) -> bytes:
    """A frame that was changed, with the digest that belongs to it."""
    body = frame[:-DIGEST]
    return body + hashlib.sha256(body).digest()


def code_at(offset: int) -> str:
    """The code of a frame whose first byte that isn't expected is at this offset."""
    for _, start, size, code in FIELDS:
        if start <= offset < start + size:
            return code
    return "frame-digest"
