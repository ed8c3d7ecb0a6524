"""A frame that isn't the expected one is refused by name before anything of it is used.

The role runs over a real connection, and its peers are played by the test: they say what they said
in a recorded run, but for one fault.
"""

from __future__ import annotations

import pytest
from frames.frames_by_hand import FIELDS
from runs.conversations import DIGEST, HEAD, at, code_at, sealed
from runs.played import Close, Stage
from runs.stands import STANDS, lost, performed, refused, stand

SWEPT = ("the root of a pair", "the other of a pair")
"""Where every byte of a frame is tried."""


def said(stage: Stage, peer: int, frame: int, instead: bytes) -> bytes:
    """All that a peer says, with something else in the place of one frame."""
    frames = stage.frames(peer)
    return b"".join((*frames[:frame], instead, *frames[frame + 1 :]))


def first_difference(one: bytes, other: bytes) -> int:
    """The offset of the first byte in which two frames differ."""
    return next(at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1])


@pytest.mark.parametrize("name", STANDS)
def test_the_conversation_is_whole(name: str) -> None:
    """Without a fault the role says and tells the same when its peers are played."""
    stage, _, _ = stand(name)
    found = performed(stage, {})
    assert found.end.error is None and found.published
    assert found.happened == stage.right.happened
    assert found.end.records == stage.conversation.ends[stage.role].records
    for peer in stage.peers:
        assert found.sent[peer] == b"".join(stage.conversation.frames[stage.role, peer])


@pytest.mark.parametrize("name", STANDS)
def test_headers_say_what_the_page_says(name: str) -> None:
    """Direction, number, size and the version that was read, in every frame that the role sends."""
    stage, near, _ = stand(name)
    identity = stage.frames(near)[0][8:40]
    version = 0
    numbers = dict.fromkeys(stage.peers, 0)
    sites: list[int] = []
    for kind, what, words in stage.right.happened:
        if kind == "advanced":
            version = what
        if kind != "sent":
            continue
        peer = what.receiver
        frame = stage.conversation.frames[stage.role, peer][numbers[peer]]
        assert frame[:8] == b"ALFR\x01\0\0\0" and frame[8:40] == identity
        assert (at("sender", frame), at("receiver", frame)) == (stage.role, peer)
        assert (at("version", frame), at("sequence", frame)) == (version, numbers[peer])
        assert at("extent", frame) == len(words) == len(frame) - HEAD - DIGEST
        assert frame == sealed(frame[:HEAD] + words + frame[-DIGEST:])
        numbers[peer] += 1
        sites.append(at("site", frame))
    assert sites[0] == min(sites) < max(sites)


@pytest.mark.parametrize("name", STANDS)
def test_a_header_is_compared_before_the_rest_comes(name: str) -> None:
    """Who sends a wrong one and nothing more isn't waited for."""
    stage, peer, frame = stand(name)
    for field, offset, _, code in FIELDS:
        head = bytearray(stage.frames(peer)[frame][:HEAD])
        head[offset] ^= 1
        script = stage.ending(peer, frame, bytes(head), Close.HOLD)
        refusal = refused(stage, peer, script, code, frame)
        assert refusal.expected.startswith(f"{field} ")


@pytest.mark.parametrize("name", STANDS)
def test_every_field_of_the_header(name: str) -> None:
    """Another value of one field, in a frame whose digest is right."""
    stage, peer, frame = stand(name)
    right = stage.frames(peer)[frame]
    for field, offset, size, code in FIELDS:
        value = at(field, right)
        last = (1 << 8 * size) - 1
        for other in {value ^ 1, value + 1 & last, value - 1 & last, value ^ last} - {value}:
            changed = bytearray(right)
            changed[offset : offset + size] = other.to_bytes(size, "little")
            data = said(stage, peer, frame, sealed(bytes(changed)))
            refusal = refused(stage, peer, data, code, frame)
            assert refusal.expected.startswith(f"{field} "), (field, refusal)


@pytest.mark.parametrize("mask", [0x01, 0x80, 0xFF])
@pytest.mark.parametrize("name", SWEPT)
def test_every_byte_is_flipped(name: str, mask: int) -> None:
    stage, peer, frame = stand(name)
    right = stage.frames(peer)[frame]
    assert len(right) <= HEAD + 40 + DIGEST, "a small frame"
    for offset in range(len(right)):
        changed = bytearray(right)
        changed[offset] ^= mask
        data = said(stage, peer, frame, bytes(changed))
        refused(stage, peer, data, code_at(offset), frame)


@pytest.mark.parametrize("name", SWEPT)
def test_every_truncation_with_the_next_frame_behind_it(name: str) -> None:
    """What follows is taken for what is missing, and fails the check of the first wrong byte."""
    stage, peer, frame = stand(name)
    frames = stage.frames(peer)
    right, behind = frames[frame], b"".join(frames[frame + 1 :])
    for size in range(len(right)):
        cut = right[:size] + behind
        assert len(cut) >= len(right)
        code = code_at(first_difference(cut, right))
        refused(stage, peer, said(stage, peer, frame, right[:size]), code, frame)


@pytest.mark.parametrize("close", [Close.GONE, Close.RESET])
@pytest.mark.parametrize("name", SWEPT)
def test_every_truncation_at_which_the_peer_dies(name: str, close: Close) -> None:
    """No refusal of a frame: the peer is lost, and the message says that it was inside of one."""
    stage, peer, frame = stand(name)
    right = stage.frames(peer)[frame]
    for size in range(len(right)):
        error = lost(stage, peer, stage.ending(peer, frame, right[:size], close), frame)
        if close is Close.GONE:
            assert error.detail.startswith("[frame-extent] ") == (size > 0), error.detail


@pytest.mark.parametrize("name", STANDS)
def test_bytes_too_many(name: str) -> None:
    """Behind the last frame, and between two."""
    stage, peer, frame = stand(name)
    frames = stage.frames(peer)
    right = b"".join(frames)
    for more in (b"\0", b"A", bytes(31), frames[-1], frames[0] + frames[1]):
        refused(stage, peer, right + more, "frame-extent", len(frames))
        moved = more + b"".join(frames[frame:])
        code = code_at(first_difference(moved, frames[frame]))
        refused(stage, peer, b"".join(frames[:frame]) + moved, code, frame)


@pytest.mark.parametrize("name", STANDS)
def test_frames_out_of_turn(name: str) -> None:
    """Each frame of the conversation is replayed, skipped and doubled once."""
    stage, peer, _ = stand(name)
    frames = stage.frames(peer)
    codes: set[str] = set()
    for number, frame in enumerate(frames):
        for instead in {0, number - 2, number - 1, number + 1} & {*range(len(frames))} - {number}:
            code = code_at(first_difference(frames[instead], frame))
            refused(stage, peer, said(stage, peer, number, frames[instead]), code, number)
            codes.add(code)
        doubled = said(stage, peer, number, frame * 2)
        if number + 1 == len(frames):
            refused(stage, peer, doubled, "frame-extent", number + 1)
            continue
        code = code_at(first_difference(frame, frames[number + 1]))
        refused(stage, peer, doubled, code, number + 1)
        refused(stage, peer, said(stage, peer, number, b""), code, number)
    assert "frame-edge" in codes


def test_a_frame_that_differs_in_its_number_alone() -> None:
    """One of the round before, of a repeat in which no version advances."""
    stage, peer, frame = stand("in a repeat")
    frames = stage.frames(peer)
    data = said(stage, peer, frame, frames[frame - 2])
    refusal = refused(stage, peer, data, "frame-version", frame)
    assert refusal.expected.startswith(f"sequence {frame} ")
    assert refusal.found == str(frame - 2)


@pytest.mark.parametrize("name", STANDS)
def test_the_last_frame_is_missing(name: str) -> None:
    stage, peer, _ = stand(name)
    last = len(stage.frames(peer)) - 1
    lost(stage, peer, stage.ending(peer, last, b"", Close.END), last)


def test_frames_of_another_edge() -> None:
    """Two peers change places; and what a role said itself comes back to it."""
    stage, _, _ = stand("the root of a star")
    one, other = (b"".join(stage.frames(peer)) for peer in (1, 2))
    for peer, data in ((1, other), (2, one)):
        assert refused(stage, peer, data, "frame-edge", 0).expected.startswith("sender ")
    for name in STANDS:
        stage, peer, frame = stand(name)
        for own in stage.conversation.frames[stage.role, peer]:
            refusal = refused(stage, peer, said(stage, peer, frame, own), "frame-edge", frame)
            assert refusal.expected.startswith("sender ")
