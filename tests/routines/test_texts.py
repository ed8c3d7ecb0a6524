"""Texts that are put together piece by piece: their bytes, and the room that they have."""

from __future__ import annotations

import struct

import pytest
from routines.library import MACHINES
from routines.starting import line, started
from routines.storer import Script, storer

both = pytest.mark.parametrize("machine", MACHINES)

NUMBERS = (0, 1, 9, 10, 99, 100, 12_345_678_901, (1 << 63) - 1, (1 << 64) - 1)
BYTES = bytes(range(256))

Piece = bytes | int | tuple[str, bytes | int]


def put(script: Script, piece: Piece) -> bytes:
    """Put a piece at the end of a script's text; gives what it adds, of spaces none."""
    if isinstance(piece, bytes):
        script.tell("put", script.fill(piece, 3), len(piece))
        return piece
    if isinstance(piece, int):
        script.tell("number", piece)
        return b"%d" % piece
    kind, content = piece
    if kind == "hex":
        assert isinstance(content, bytes)
        script.tell("hex", script.fill(content, 1), len(content))
        return content.hex().encode()
    assert isinstance(content, int)
    script.tell("spaces", content)
    return b""


def text(script: Script, room: int, *pieces: Piece) -> tuple[int, bytes]:
    """Put pieces together in so much room, between bytes that aren't theirs.

    Gives where those begin, and the text that there should be.
    """
    around = script.fill(b"<" * (room + 2))
    script.tell("text", around + 1, room)
    content = b""
    for piece in pieces:
        content += put(script, piece)
        if isinstance(piece, tuple) and piece[0] == "spaces":
            assert isinstance(piece[1], int)
            content = content.ljust(piece[1])
    return around, content


@both
def test_texts_have_the_bytes_of_their_pieces(machine: str) -> None:
    pieces: list[Piece] = [b"", b"{", *NUMBERS, ("hex", BYTES), b"\0\xff", ("hex", b"")]
    pieces += [("spaces", 0), ("spaces", 900), ("spaces", 900), ("spaces", 899), b"}"]
    pieces += [("spaces", 902), 7, ("spaces", 902)]
    script = Script(None)
    around, content = text(script, 1000, *pieces)
    assert len(content) == 903
    script.tell("size").tell("give", around, 1002)
    # Another one begins anew, elsewhere.
    second, other = text(script, 3, b"abc")
    script.tell("size").tell("give", second, 5).tell("give", around, 1002)
    whole = b"<" + content + b"<" * (1001 - len(content))
    expected = struct.pack("<Q", len(content)) + whole
    expected += struct.pack("<Q", 3) + b"<" + other + b"<" + whole
    assert started(machine, storer(machine), stdin=script.data) == (0, expected, b"")


@both
def test_a_text_that_needs_more_room_is_not_written(machine: str) -> None:
    """A byte more is room enough; a number's digits and a byte's are put one after another."""
    cases: dict[int, tuple[Piece, ...]] = {
        0: (),
        1: (b"a",),
        6: (b"abc", b"", b"def"),
        20: ((1 << 64) - 1,),
        10: (12_345, 67_890),
        64: (("hex", BYTES[:32]),),
        50: (b"a", ("spaces", 50)),
        7: (("spaces", 7),),
    }
    for room, pieces in cases.items():
        fitting = Script(None)
        around, content = text(fitting, room, *pieces)
        assert len(content) == room
        fitting.tell("size").tell("give", around, room + 2)
        expected = struct.pack("<Q", room) + b"<" + content + b"<"
        assert started(machine, storer(machine), stdin=fitting.data) == (0, expected, b"")
        # Where there is a byte too many, or a byte less of room.
        longer = Script(None)
        text(longer, room, *pieces, b"x")
        said = line(f"failed: a text has more than {room} bytes")
        assert started(machine, storer(machine), stdin=longer.data) == (5, b"", said)
        if room:
            crowded = Script(None)
            text(crowded, room - 1, *pieces)
            said = line(f"failed: a text has more than {room - 1} bytes")
            assert started(machine, storer(machine), stdin=crowded.data) == (5, b"", said)
    vast = Script(None)
    text(vast, 10)
    vast.tell("spaces", -1)
    said = line("failed: a text has more than 10 bytes")
    assert started(machine, storer(machine), stdin=vast.data) == (5, b"", said)
