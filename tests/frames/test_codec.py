"""Frames are encoded as the specification says, and any other frame is refused by its code."""

from __future__ import annotations

import dataclasses
import hashlib
import struct
import tracemalloc

import numpy as np
import pytest
from frames.frames_by_hand import (
    FIELDS,
    GIVEN,
    HEADER_BYTES,
    IDENTITY,
    OTHER_IDENTITY,
    PAYLOAD,
    code_at,
    frame_by_hand,
    head_by_hand,
)

from alpha.ir import frames
from alpha.ir.frames import Header, check_digest, check_header, decode, encode, encode_header
from alpha.ir.refusals import TABLE, Refusal

EXPECTED = Header(**GIVEN)
FRAME = frame_by_hand()
NEXT = frame_by_hand(bytes(24), sequence=6)
DIGESTS = [hashlib.sha256(name.encode()).hexdigest() for name in ("a", "b", "c", "d")]


def refusal_of(frame: bytes, expected: Header = EXPECTED, identity: bytes = IDENTITY) -> Refusal:
    """How a frame is refused; it must be."""
    with pytest.raises(Refusal) as caught:
        decode(frame, expected, identity)
    return caught.value


def test_the_bytes_are_those_of_the_specification() -> None:
    assert encode(EXPECTED, IDENTITY, PAYLOAD) == FRAME
    assert encode_header(EXPECTED, IDENTITY) == FRAME[:HEADER_BYTES]
    assert frames.frame_bytes(len(PAYLOAD)) == len(FRAME)
    rows = [(field.name, field.offset, field.size, field.code) for field in frames.FIELDS]
    assert rows == list(FIELDS)
    assert frames.HEADER_BYTES == HEADER_BYTES


def test_the_largest_numbers_fit() -> None:
    most = dict.fromkeys(("sender", "receiver", "site", "part"), 2**32 - 1)
    most |= dict.fromkeys(("version", "sequence", "count"), 2**64 - 1)
    header = Header(**{**GIVEN, **most})
    frame = encode(header, IDENTITY, PAYLOAD)
    assert frame == frame_by_hand(**most)
    assert decode(frame, header, IDENTITY) == PAYLOAD


@pytest.mark.parametrize("extent", [0, 1, 7, 55, 56, 64, 4097])
def test_a_frame_is_decoded_to_its_payload(extent: int) -> None:
    payload = bytes(number * 7 % 256 for number in range(extent))
    header = dataclasses.replace(EXPECTED, extent=extent)
    for data in (payload, bytearray(payload), memoryview(payload)):
        frame = encode(header, IDENTITY, data)
        assert frame == frame_by_hand(payload, extent=extent)
        for given in (frame, bytearray(frame), memoryview(frame)):
            result = decode(given, header, IDENTITY)
            assert result == payload
            assert type(result) is bytes


def test_words_of_an_array_are_a_payload() -> None:
    words = np.array([1.0, -2.5, 5e-324])
    assert encode(EXPECTED, IDENTITY, words.data) == FRAME


@pytest.mark.parametrize(("name", "offset", "size", "code"), FIELDS)
def test_a_changed_field_is_refused_by_its_name(
    name: str, offset: int, size: int, code: str
) -> None:
    """The digest is right, so the header alone refuses it, without the body."""
    for byte in range(offset, offset + size):
        head = bytearray(head_by_hand())
        head[byte] ^= 0x80
        with pytest.raises(Refusal) as caught:
            check_header(head, EXPECTED, IDENTITY)
        refusal = caught.value
        assert refusal.code == code
        value, changed = head_by_hand()[offset : offset + size], head[offset : offset + size]
        if name in ("magic", "run_identity"):
            want, got = value.hex(), changed.hex()
        else:
            want, got = (str(int.from_bytes(data, "little")) for data in (value, changed))
        frame = "the frame from role 3 to role 1 at site 7 part 2"
        assert refusal.message == f"expected {name} {want} in {frame}, found {got}"


def test_of_several_wrong_fields_the_first_is_named() -> None:
    names = [name for name, _, _, _ in FIELDS[3:]]
    for position, name in enumerate(names):
        changed = {later: GIVEN[later] + 1 for later in names[position:]}
        refusal = refusal_of(frame_by_hand(**changed))
        assert refusal.expected.startswith(f"{name} {GIVEN[name]} in ")
    assert refusal_of(frame_by_hand(PAYLOAD, OTHER_IDENTITY, sender=9)).code == "frame-identity"
    refusal = refusal_of(frame_by_hand(PAYLOAD, OTHER_IDENTITY, frame_version=2))
    assert refusal.expected.startswith("frame_version 1 in ")


@pytest.mark.parametrize("mask", [0x01, 0x80, 0xFF])
def test_every_byte_counts(mask: int) -> None:
    for at in range(len(FRAME)):
        changed = bytearray(FRAME)
        changed[at] ^= mask
        assert refusal_of(bytes(changed)).code == code_at(at), at


def test_a_frame_that_ends_too_soon_is_refused() -> None:
    for size in range(len(FRAME)):
        refusal = refusal_of(FRAME[:size])
        assert refusal.code == "frame-extent", size
        assert refusal.found == str(size)


def test_a_frame_that_the_next_one_cuts_off_is_refused() -> None:
    """The bytes of the next frame are compared where the rest of this one is expected."""
    for size in range(len(FRAME)):
        stream = (FRAME[:size] + NEXT)[: len(FRAME)]
        wrong = next(at for at in range(len(FRAME)) if stream[at] != FRAME[at])
        assert refusal_of(stream).code == code_at(wrong), size


@pytest.mark.parametrize("more", [b"\0", b"A", FRAME, NEXT])
def test_bytes_behind_a_frame_are_refused(more: bytes) -> None:
    refusal = refusal_of(FRAME + more)
    assert refusal.code == "frame-extent"
    assert refusal.found == str(len(FRAME) + len(more))


def test_a_header_of_another_size_is_refused() -> None:
    for head in (b"", FRAME[:87], FRAME[:89]):
        with pytest.raises(Refusal) as caught:
            check_header(head, EXPECTED, IDENTITY)
        assert caught.value.code == "frame-extent"


def test_the_digest_covers_header_and_payload() -> None:
    head, digest = FRAME[:88], FRAME[-32:]
    check_digest(head, PAYLOAD, digest, EXPECTED)
    for other_head, payload, other_digest in (
        (FRAME[1:89], PAYLOAD, digest),
        (head, PAYLOAD[::-1], digest),
        (head, PAYLOAD, digest[:31]),
        (head, PAYLOAD, digest + b"\0"),
    ):
        with pytest.raises(Refusal) as caught:
            check_digest(other_head, payload, other_digest, EXPECTED)
        assert caught.value.code == "frame-digest"


@pytest.mark.parametrize(
    ("name", "code"), [("sequence", "frame-version"), ("version", "frame-version")]
)
def test_a_number_that_would_overflow_is_refused_before_it_is_sent(name: str, code: str) -> None:
    encode_header(dataclasses.replace(EXPECTED, **{name: 2**64 - 1}), IDENTITY)
    with pytest.raises(Refusal) as caught:
        encode_header(dataclasses.replace(EXPECTED, **{name: 2**64}), IDENTITY)
    assert caught.value.code == code
    assert caught.value.message == (
        f"expected a {name} below 2^64 in a frame, found 18446744073709551616"
    )


@pytest.mark.parametrize("name", GIVEN)
def test_other_numbers_that_do_not_fit_are_a_bug(name: str) -> None:
    wrong = [-1]
    if name in ("count", "extent"):
        wrong += [2**64]
    elif name not in ("version", "sequence"):
        wrong += [2**32, 2**64]
    for value in wrong:
        with pytest.raises(ValueError, match=name):
            encode_header(dataclasses.replace(EXPECTED, **{name: value}), IDENTITY)


def test_a_payload_or_identity_of_another_size_is_a_bug() -> None:
    for payload in (PAYLOAD + b"\0", PAYLOAD[:-1], b""):
        with pytest.raises(ValueError, match="extent is 24"):
            encode(EXPECTED, IDENTITY, payload)
    for identity in (b"", IDENTITY[:31], IDENTITY + b"\0"):
        with pytest.raises(ValueError, match="run identity"):
            encode_header(EXPECTED, identity)


def test_a_huge_extent_of_a_peer_costs_nothing() -> None:
    """Memory is for what the receiver expects, whatever the frame says of itself."""
    frame = frame_by_hand(extent=2**63)
    tracemalloc.start()
    try:
        assert refusal_of(frame).code == "frame-extent"
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("replayed", [0, 4, 6, 2**64 - 1])
def test_a_frame_out_of_turn_is_refused(replayed: int) -> None:
    refusal = refusal_of(frame_by_hand(sequence=replayed))
    assert refusal.code == "frame-version"
    assert refusal.expected.startswith("sequence 5 in ")
    assert refusal.found == str(replayed)


def test_the_identity_of_a_run_is_the_digest_of_its_four_parts() -> None:
    """The canonical encoding of a tuple of five texts, written out."""
    text = b"\x01T\x05" + b"S\x03run"
    for digest in DIGESTS:
        text += b"S\x40" + digest.encode()
    assert frames.run_identity(*DIGESTS) == hashlib.sha256(text).digest()


def test_each_part_of_a_run_is_bound() -> None:
    """A frame from a run that differs in one part, or has two of them swapped, is refused."""
    identity = frames.run_identity(*DIGESTS)
    frame = frame_by_hand(PAYLOAD, identity)
    assert decode(frame, EXPECTED, identity) == PAYLOAD
    others = [[*DIGESTS[:at], "0" * 64, *DIGESTS[at + 1 :]] for at in range(4)]
    others += [[DIGESTS[1], DIGESTS[0], *DIGESTS[2:]]]
    for parts in others:
        refusal = refusal_of(frame, EXPECTED, frames.run_identity(*parts))
        assert refusal.code == "frame-identity"
        assert refusal.found == identity.hex()


@pytest.mark.parametrize("wrong", ["", "A" * 64, "0" * 63, "0" * 65, "0" * 64 + "\n", "٠" * 64])
def test_a_part_of_a_run_is_a_digest(wrong: str) -> None:
    for at in range(4):
        parts = [*DIGESTS[:at], wrong, *DIGESTS[at + 1 :]]
        with pytest.raises(ValueError, match="64 hexadecimal digits"):
            frames.run_identity(*parts)


def test_the_codes_are_in_the_table() -> None:
    codes = {code for _, _, _, code in FIELDS} | {"frame-digest"}
    assert codes == {code for code in TABLE if code.startswith("frame-")}


def test_the_header_is_aligned() -> None:
    """Each number stands at a multiple of its size, so that a machine loads it at once."""
    assert struct.calcsize("=4sI32sIIIIQQQQ") == struct.calcsize("@4sI32sIIIIQQQQ") == HEADER_BYTES
    assert all(offset % min(size, 8) == 0 for _, offset, size, _ in FIELDS)
