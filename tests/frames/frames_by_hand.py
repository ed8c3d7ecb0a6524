"""Frames made without the project's codec, from the layout as docs/frame.md gives it."""

from __future__ import annotations

import hashlib
import struct

IDENTITY = bytes(range(1, 33))
OTHER_IDENTITY = bytes(range(2, 34))

FIELDS = (
    ("magic", 0, 4, "frame-identity"),
    ("frame_version", 4, 4, "frame-identity"),
    ("run_identity", 8, 32, "frame-identity"),
    ("sender", 40, 4, "frame-edge"),
    ("receiver", 44, 4, "frame-edge"),
    ("site", 48, 4, "frame-edge"),
    ("part", 52, 4, "frame-edge"),
    ("version", 56, 8, "frame-version"),
    ("sequence", 64, 8, "frame-version"),
    ("count", 72, 8, "frame-extent"),
    ("extent", 80, 8, "frame-extent"),
)
"""Name, offset, size and code."""

HEADER_BYTES, DIGEST_BYTES = 88, 32

GIVEN = {
    "sender": 3,
    "receiver": 1,
    "site": 7,
    "part": 2,
    "version": 41,
    "sequence": 5,
    "count": 19,
    "extent": 24,
}
PAYLOAD = struct.pack("<3d", 1.0, -2.5, 5e-324)


def head_by_hand(identity: bytes = IDENTITY, /, **changed: int) -> bytes:
    """The header of `GIVEN` with some fields changed."""
    values = {**GIVEN, **changed}
    words = (values.pop("frame_version", 1), identity, *values.values())
    return b"ALFR" + struct.pack("<I32sIIIIQQQQ", *words)


def frame_by_hand(payload: bytes = PAYLOAD, identity: bytes = IDENTITY, /, **changed: int) -> bytes:
    """A whole frame; its digest is right, whatever its header says."""
    body = head_by_hand(identity, **changed) + payload
    return body + hashlib.sha256(body).digest()


def code_at(offset: int) -> str:
    """The code that refuses a frame whose first wrong byte is this one."""
    for _, at, size, code in FIELDS:
        if at <= offset < at + size:
            return code
    return "frame-digest"
