"""The canonical encoding: a decoder reads every encoding back, so no two values share one."""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alpha.ir.canonical import digest, encode

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(2**300), 2**300)
    | st.floats(allow_nan=True)
    | st.text(st.characters(codec=None), max_size=20)
    | st.binary(max_size=300)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=5).map(tuple)
        | st.dictionaries(st.text(st.characters(codec=None), max_size=5), inner, max_size=5)
    ),
    max_leaves=20,
)


def decode(data: bytes) -> object:
    """The value of an encoding, which is all of `data`."""
    assert data[:1] == b"\x01"
    value, at = decode_at(data, 1)
    assert at == len(data)
    return value


def decode_at(data: bytes, at: int) -> tuple[object, int]:
    """The value that begins at a position, and where it ends."""
    tag, at = data[at : at + 1], at + 1
    if tag == b"N":
        return None, at
    if tag == b"B":
        return {0: False, 1: True}[data[at]], at + 1
    if tag == b"F":
        return struct.unpack(">d", data[at : at + 8])[0], at + 8
    size, at = size_at(data, at)
    if tag == b"T":
        items = []
        for _ in range(size):
            item, at = decode_at(data, at)
            items.append(item)
        return tuple(items), at
    if tag == b"D":
        entries: dict[object, object] = {}
        for _ in range(size):
            key, at = decode_at(data, at)
            entries[key], at = decode_at(data, at)
        return entries, at
    body, at = data[at : at + size], at + size
    assert len(body) == size
    readers: dict[bytes, Callable[[bytes], object]] = {
        b"I": lambda body: int.from_bytes(body, "big", signed=True),
        b"S": lambda body: body.decode("utf-8", "surrogatepass"),
        b"Y": bytes,
    }
    return readers[tag](body), at


def size_at(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned LEB128 number, and where it ends."""
    size = shift = 0
    while True:
        byte = data[at]
        size, shift, at = size | (byte & 0x7F) << shift, shift + 7, at + 1
        if byte < 0x80:
            return size, at


def identity(value: object) -> object:
    """Something that is equal for exactly the same values: with types, and floats as bits."""
    if isinstance(value, float):
        return ("float", struct.pack(">d", value))
    if isinstance(value, (tuple, list)):
        return ("sequence", tuple(identity(item) for item in value))
    if isinstance(value, dict):
        return ("dict", frozenset((key, identity(item)) for key, item in value.items()))
    return (type(value).__name__, value)


@settings(max_examples=250, deadline=None)
@given(VALUES)
def test_a_decoder_reads_every_value_back(value: object) -> None:
    """So the encoding is injective; the digest is that of the encoding."""
    data = encode(value)
    assert identity(decode(data)) == identity(value)
    assert digest(value) == hashlib.sha256(data).hexdigest()


@settings(max_examples=250, deadline=None)
@given(VALUES, VALUES)
def test_no_encoding_begins_another(one: object, other: object) -> None:
    """Two values are the same, or neither encoding is a prefix of the other."""
    first, second = encode(one), encode(other)
    if identity(one) == identity(other):
        assert first == second
    else:
        assert not first.startswith(second) and not second.startswith(first)


ALIKE = (
    None, False, True, 0, 1, -1, 127, 128, 255, 256, -128, -129, 0.0, -0.0, 1.0, math.nan,
    math.inf, "", "0", "1", "\0", b"", b"0", b"\0", (), ((),), (0,), (0, 0), ((0,), 0), ((0, 0),),
    {}, {"": 0}, ({},), {"a": 1, "b": 2}, {"a": 2, "b": 1}, ("a", 1, "b", 2), {"ab": 1},
)  # fmt: skip


def test_values_that_look_alike_differ() -> None:
    """One encoding each, although Python calls some of them equal."""
    assert len({encode(value) for value in ALIKE}) == len(ALIKE)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "01 4e"),
        (True, "01 42 01"),
        (0, "01 49 01 00"),
        (-1, "01 49 01 ff"),
        (128, "01 49 02 00 80"),
        (-128, "01 49 01 80"),
        (2**63, "01 49 09 00 80 00 00 00 00 00 00 00"),
        (-0.0, "01 46 80 00 00 00 00 00 00 00"),
        ("é", "01 53 02 c3 a9"),
        ("\ud800", "01 53 03 ed a0 80"),
        (b"\x00\xff", "01 59 02 00 ff"),
        (("a", ()), "01 54 02 53 01 61 54 00"),
        ({"b": 1, "a": None}, "01 44 02 53 01 61 4e 53 01 62 49 01 01"),
        ({"\U00010000": 0, "\uffff": 1}, "01 44 02 53 03 ef bf bf 49 01 01 53 04 f0 90 80 80"
         " 49 01 00"),
    ],
)  # fmt: skip
def test_the_format_is_frozen(value: object, expected: str) -> None:
    """Version 1, byte for byte: digests of it are in files and frames."""
    assert encode(value) == bytes.fromhex(expected)


def test_sizes_are_leb128() -> None:
    """Seven bits a byte, the lowest first."""
    assert encode(bytes(300))[:4] == b"\x01Y\xac\x02"
    assert encode((None,) * 128)[:5] == b"\x01T\x80\x01N"


def test_what_is_the_same_value() -> None:
    """Lists and tuples; all kinds of bytes; dicts in any order of their keys."""
    assert encode([1, [2]]) == encode((1, (2,)))
    assert encode(bytearray(b"ab")) == encode(memoryview(b"ab")) == encode(b"ab")
    assert encode({"a": 1, "b": 2}) == encode({"b": 2, "a": 1})
    payload = struct.unpack(">d", bytes.fromhex("7ff8000000000001"))[0]
    assert encode(payload) != encode(math.nan)


@pytest.mark.parametrize("value", [{1}, object(), 1j, ({"a": [set()]},), {1: 2}, {b"a": 2}])
def test_other_types_have_no_encoding(value: object) -> None:
    """A value of another type is the caller's mistake, however deep it is."""
    with pytest.raises(TypeError):
        encode(value)
    with pytest.raises(TypeError):
        digest(value)


def test_deep_and_long_values() -> None:
    """No recursion, and bytes are hashed where they lie."""
    value: object = ()
    for _ in range(100_000):
        value = (value,)
    assert encode(value) == b"\x01" + b"T\x01" * 100_000 + b"T\x00"
    long = bytearray(1 << 24)
    view = memoryview(long)
    assert digest(("words", view)) == hashlib.sha256(encode(("words", bytes(long)))).hexdigest()
