"""Texts in pieces: what they render to, how long they can be, and that they say JSON."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from alpha.ir.checkpoints.file_digests import FileDigest
from alpha.ir.checkpoints.json_pieces import Quoted, json_pieces
from alpha.ir.checkpoints.texts import (
    DigestText,
    Piece,
    SizeText,
    Spaces,
    Text,
    VersionText,
    bytes_most,
    merged,
    render,
)

SHARD = FileDigest(640, bytes(range(32)))
CHILD = FileDigest(9, bytes(range(255, 223, -1)))
FILES = {None: SHARD, 3: CHILD}

PIECES = st.one_of(
    st.binary(max_size=9).map(Text),
    st.just(VersionText()),
    st.integers(0, 200).map(Spaces),
    st.sampled_from([SizeText(None), SizeText(3), DigestText(None), DigestText(3)]),
)

VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=20,
)


def test_each_piece_says_what_it_is() -> None:
    pieces: list[Piece] = [Text(b"v"), VersionText(), Spaces(5), Text(b"|"), SizeText(None)]
    pieces += [Spaces(3), Text(b","), SizeText(3), DigestText(3), DigestText(None)]
    wanted = b"v12  |640,9" + CHILD.sha256.hex().encode() + SHARD.sha256.hex().encode()
    assert render(pieces, 12, FILES) == wanted
    assert render([VersionText()], (1 << 64) - 1, {}) == b"18446744073709551615"


@given(st.lists(PIECES), st.integers(0, (1 << 64) - 1))
def test_merged_pieces_are_the_same_text(pieces: list[Piece], version: int) -> None:
    short = merged(pieces)
    text = render(pieces, version, FILES)
    assert render(short, version, FILES) == text
    assert len(text) <= bytes_most(pieces)
    constant = [isinstance(piece, Text) for piece in short]
    assert not any(one and other for one, other in pairwise(constant))
    assert all(piece.data for piece in short if isinstance(piece, Text))


def test_the_most_bytes_are_reached() -> None:
    big = FileDigest((1 << 63) - 1, bytes(32))
    pieces: list[Piece] = [VersionText(), Text(b"ab"), DigestText(0), Spaces(100), Spaces(7)]
    assert len(render(pieces, (1 << 64) - 1, {0: big})) == bytes_most(pieces) == 100
    pieces.append(SizeText(0))
    assert bytes_most(pieces) - len(render(pieces, (1 << 64) - 1, {0: big})) == 1


@given(VALUES, st.sampled_from([None, 1]))
def test_json_in_pieces_is_json(value: Any, indent: int | None) -> None:
    pieces = json_pieces(value, indent)
    assert len(pieces) == 1
    separators = (",", ":") if indent is None else None
    wanted = json.dumps(value, ensure_ascii=False, indent=indent, separators=separators)
    assert render(pieces, 0, {}).decode("utf-8") == wanted


def test_pieces_stand_where_their_values_would() -> None:
    value = {"a": VersionText(), "b": [Quoted(VersionText()), Quoted(DigestText(3)), SizeText(3)]}
    pieces = json_pieces(value, 1)
    assert [type(piece) for piece in pieces[1::2]] == [VersionText] * 2 + [DigestText, SizeText]
    found = json.loads(render(pieces, 7, FILES))
    assert found == {"a": 7, "b": ["7", CHILD.sha256.hex(), 9]}
