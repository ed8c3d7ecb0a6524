"""The frame, version 1: the bytes of one message on an edge, and the checks of who receives it.

Invariant: a receiver derives the header that its schedule expects and compares it before the body
    is read, and the payload is exposed only after the digest agrees. Nothing is sized, addressed or
    routed by bytes of a peer.
Why: a peer that was compiled for another learner, contract, membership or protocol, or that is a
    frame ahead or behind, is refused by name before any value of its is used. The digest detects
    corruption; it doesn't authenticate.
Refuses: frame-identity, frame-edge, frame-version, frame-extent, frame-digest.
Entry: `Header`, `encode`, `decode`; `encode_header`, `check_header`, `digest_of` and `check_digest`
    for who sends and receives in pieces; `FIELDS`, from which every offset comes; `run_identity`.

`docs/frame.md` is the specification, with an example that a test compares with this module.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from itertools import accumulate

from alpha.ir import canonical
from alpha.ir.refusals import Refusal

Bytes = bytes | bytearray | memoryview

MAGIC = b"ALFR"
FRAME_VERSION = 1
DIGEST_BYTES = 32
"""SHA-256: the trailer of a frame, and the identity of a run."""

_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True)
class Field:
    """A field of the header: `size` bytes at `offset`; `code` refuses another value in it."""

    name: str
    offset: int
    size: int
    code: str

    @property
    def end(self) -> int:
        """The offset of what follows."""
        return self.offset + self.size

    def text(self, data: Bytes) -> str:
        """What stands in this field of a header, as a message says it."""
        value = bytes(data[self.offset : self.end])
        if self.name in ("magic", "run_identity"):
            return value.hex()
        return str(int.from_bytes(value, "little"))


def _fields(*rows: tuple[str, int, str]) -> tuple[Field, ...]:
    """The fields of these names, sizes and codes, one behind the other."""
    offsets = accumulate((size for _, size, _ in rows), initial=0)
    return tuple(
        Field(name, at, size, code)
        for at, (name, size, code) in zip(offsets, rows, strict=False)  # the last ends the header
    )


FIELDS: tuple[Field, ...] = _fields(
    ("magic", 4, "frame-identity"),
    ("frame_version", 4, "frame-identity"),
    ("run_identity", DIGEST_BYTES, "frame-identity"),
    ("sender", 4, "frame-edge"),
    ("receiver", 4, "frame-edge"),
    ("site", 4, "frame-edge"),
    ("part", 4, "frame-edge"),
    ("version", 8, "frame-version"),
    ("sequence", 8, "frame-version"),
    ("count", 8, "frame-extent"),
    ("extent", 8, "frame-extent"),
)
"""The header, in the order of its bytes, which is also the order of the checks."""

HEADER_BYTES = FIELDS[-1].end


def numbers_of(name: str) -> int:
    """How many numbers, from 0 on, a field can say."""
    return 1 << (8 * next(field.size for field in FIELDS if field.name == name))


ROLES_IN_FRAMES = numbers_of("sender")
"""How many roles a frame can name."""

SITES_IN_FRAMES = numbers_of("site")
"""How many operations a frame can name."""


@dataclass(frozen=True)
class Header:
    """What a schedule knows of a frame; the rest of the header is equal in all frames of a run."""

    sender: int
    receiver: int
    """Roles: the edge and the direction."""

    site: int
    """Which operation of the protocol."""

    part: int
    """Which frame of that operation on this edge: the contract's group for a sum, else 0."""

    version: int
    """The state version that was read."""

    sequence: int
    """How many frames went before on this edge in this direction."""

    count: int
    """Samples behind a sum, else 0."""

    extent: int
    """Bytes of the payload."""

    def __str__(self) -> str:
        """The frame as a message names it."""
        edge = f"from role {self.sender} to role {self.receiver}"
        return f"the frame {edge} at site {self.site} part {self.part}"


def frame_bytes(extent: int) -> int:
    """Bytes of a whole frame with a payload of `extent` bytes."""
    return HEADER_BYTES + extent + DIGEST_BYTES


def is_digest(text: str) -> bool:
    """Whether a text is a digest as frames name it, of 64 hexadecimal digits in lower case."""
    return _DIGEST.fullmatch(text) is not None


def run_identity(learner: str, contract: str, membership: str, protocol: str) -> bytes:
    """The 32 bytes that every frame of a run carries, from four digests in hexadecimal.

    The learner's covers programs, state, constants and samples; the contract's the order of every
    sum; the membership's the group of roles; the protocol's partitioning, exchange and rounds.

    Raises:
        ValueError: one isn't 64 hexadecimal digits in lower case.
    """
    parts = (learner, contract, membership, protocol)
    for part in parts:
        if not is_digest(part):
            raise ValueError(f"a digest is 64 hexadecimal digits in lower case, not {part[:80]!r}")
    return bytes.fromhex(canonical.digest(("run", *parts)))


def encode_header(header: Header, identity: bytes) -> bytes:
    """The first `HEADER_BYTES` bytes of a frame.

    Raises:
        Refusal: `frame-version` if the state version or the sequence number is 2^64 or more.
        ValueError: another field doesn't fit, or the identity isn't 32 bytes: a bug of the caller.
    """
    if len(identity) != DIGEST_BYTES:
        raise ValueError(f"a run identity of {len(identity)} bytes, not {DIGEST_BYTES}")
    numbers = {**vars(header), "frame_version": FRAME_VERSION}
    texts = {"magic": MAGIC, "run_identity": bytes(identity)}
    return b"".join(
        texts[field.name] if field.name in texts else _number(field, numbers[field.name])
        for field in FIELDS
    )


def _number(field: Field, value: int) -> bytes:
    bits = 8 * field.size
    if 0 <= value < 1 << bits:
        return value.to_bytes(field.size, "little")
    if field.code == "frame-version" and value > 0:
        raise Refusal("frame-version", f"a {field.name} below 2^{bits} in a frame", str(value))
    raise ValueError(f"{field.name} {value} of a frame isn't from 0 to 2^{bits} - 1")


def encode(header: Header, identity: bytes, payload: Bytes) -> bytes:
    """A whole frame.

    Raises:
        Refusal, ValueError: as `encode_header`; ValueError also for a payload of another extent.
    """
    head = encode_header(header, identity)
    check_payload(header, payload)
    return b"".join((head, payload, digest_of(head, payload)))


def check_payload(header: Header, payload: Bytes) -> None:
    """See that a payload that is to be sent has the extent of its header.

    Raises:
        ValueError: it has another one: a bug of the caller.
    """
    size = memoryview(payload).nbytes
    if size != header.extent:
        raise ValueError(f"a payload of {size} bytes in {header}, whose extent is {header.extent}")


def decode(frame: Bytes, expected: Header, identity: bytes) -> bytes:
    """The payload of a whole frame, if it is the expected one.

    Raises:
        Refusal: the first check that fails, in the order of `docs/frame.md`.
    """
    view = memoryview(frame).cast("B")
    head = view[:HEADER_BYTES]
    check_header(head, expected, identity)
    end, size = HEADER_BYTES + expected.extent, frame_bytes(expected.extent)
    if len(view) < size:
        raise Refusal("frame-extent", f"{size} bytes of {expected}", f"{len(view)}")
    check_digest(head, view[HEADER_BYTES:end], view[end:size], expected)
    if len(view) > size:
        raise Refusal("frame-extent", f"{size} bytes of {expected}", f"{len(view)}")
    return bytes(view[HEADER_BYTES:end])


def check_header(data: Bytes, expected: Header, identity: bytes) -> None:
    """See that these bytes are the header that the receiver's schedule expects.

    Raises:
        Refusal: `frame-extent` if they aren't `HEADER_BYTES` bytes; else the code of the first
            field that differs, with both values.
    """
    wanted = encode_header(expected, identity)
    if data == wanted:
        return
    if len(data) != HEADER_BYTES:
        whole = f"{HEADER_BYTES} bytes of a header in {expected}"
        raise Refusal("frame-extent", whole, f"{len(data)}")
    for field in FIELDS:
        want, got = field.text(wanted), field.text(data)
        if want != got:
            raise Refusal(field.code, f"{field.name} {want} in {expected}", got)


def digest_of(head: Bytes, payload: Bytes) -> bytes:
    """The trailer of a frame: SHA-256 of its header and payload."""
    hasher = hashlib.sha256(head)
    hasher.update(payload)
    return hasher.digest()


def check_digest(head: Bytes, payload: Bytes, digest: Bytes, expected: Header) -> None:
    """See that the trailer of a frame is the digest of what came before it.

    Raises:
        Refusal: `frame-digest` if it isn't.
    """
    wanted = digest_of(head, payload)
    if digest != wanted:
        raise Refusal("frame-digest", f"{wanted.hex()} behind {expected}", bytes(digest).hex())
