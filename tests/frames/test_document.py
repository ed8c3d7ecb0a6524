"""docs/frame.md says what the codec does: its table, its numbers, its codes and its example."""

from __future__ import annotations

import hashlib
import re
import struct
from pathlib import Path

from alpha.ir import canonical, frames
from alpha.ir.frames import Header, decode, encode, run_identity

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "frame.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\d+) \| (\d+) \| `(\w+)` \| .* \| `([a-z-]+)` \|$", re.MULTILINE)
DUMP = re.compile(r"^ *(\d+)  ((?:[0-9a-f]{2} )+) *(\w+)$", re.MULTILINE)

DIGESTS = [
    hashlib.sha256(text.encode()).hexdigest()
    for text in ("learner", "contract", "membership", "protocol")
]
HEADER = Header(sender=1, receiver=0, site=4, part=1, version=2, sequence=3, count=5, extent=16)
"""What the text above the example says."""

PAYLOAD = struct.pack("<2d", 1.0, -2.0)


def example() -> list[tuple[int, bytes, str]]:
    """The lines of the example: offset, bytes, field."""
    found = DUMP.findall(PAGE)
    return [(int(at), bytes.fromhex(data), name) for at, data, name in found]


def test_the_table_is_the_layout_of_the_codec() -> None:
    rows = [(name, int(at), int(size), code) for at, size, name, code in ROW.findall(PAGE)]
    assert rows == [(field.name, field.offset, field.size, field.code) for field in frames.FIELDS]
    assert f"| {frames.HEADER_BYTES} | extent | `payload` |" in PAGE
    assert f"| {frames.HEADER_BYTES} + extent | {frames.DIGEST_BYTES} | `digest` |" in PAGE


def test_the_numbers_in_the_text() -> None:
    assert f"`{frames.MAGIC.hex(' ')}`, {frames.MAGIC.decode()} in ASCII" in PAGE
    assert f"| `frame_version` | {frames.FRAME_VERSION} |" in PAGE
    assert f"A frame has {frames.frame_bytes(0)} bytes more than its payload" in PAGE
    text = bytes.fromhex("01 54 05 53 03 72 75 6e")
    text += b"".join(bytes.fromhex("53 40") + digest.encode() for digest in DIGESTS)
    assert text == canonical.encode(("run", *DIGESTS))
    assert f"{len(text)} bytes" in PAGE


def test_the_example_is_what_the_codec_makes() -> None:
    lines = example()
    frame = b"".join(data for _, data, _ in lines)
    assert encode(HEADER, run_identity(*DIGESTS), PAYLOAD) == frame
    assert decode(frame, HEADER, run_identity(*DIGESTS)) == PAYLOAD


def test_the_example_names_its_fields() -> None:
    names = [field.name for field in frames.FIELDS] + ["payload", "digest"]
    starts = {field.name: field.offset for field in frames.FIELDS}
    starts |= {"payload": frames.HEADER_BYTES, "digest": frames.HEADER_BYTES + 16}
    lines = example()
    at = 0
    for offset, data, name in lines:
        assert offset == at
        at += len(data)
        owners = [owner for owner in names if starts[owner] <= offset]
        assert name == owners[-1]
    assert list(dict.fromkeys(name for _, _, name in lines)) == names
