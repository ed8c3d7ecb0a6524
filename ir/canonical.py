"""A canonical byte encoding of plain values, and its SHA-256.

Invariant: two values have one encoding only if they are the same value; no encoding is the
    beginning of another. A list is the tuple of its items, a bytearray or memoryview its bytes;
    everything else differs: 1, 1.0, True, "1" and b"1" have five encodings. A float is its bits, so
    that 0.0 and -0.0, and two NaNs of different payload, differ.
Why: digests name learners, contracts and memberships in frames and checkpoints for years, so they
    mustn't depend on how any version of any library prints something.
Entry: `encode`, `digest`.

The format, version 1, is one byte 0x01 and a value. A value is a tag byte and:

    N                           None
    B  byte 0 or 1              False, True
    I  size, bytes              an integer: two's complement, big-endian, as few bytes as it needs
    F  8 bytes                  a float: its IEEE 754 binary64 bits, big-endian
    S  size, bytes              a str in UTF-8; a lone surrogate has three bytes of its own
    Y  size, bytes              bytes
    T  count, values            a tuple or list
    D  count, (str, value)s     a dict: its keys in ascending order of their UTF-8 bytes

Sizes and counts are unsigned LEB128 of as few bytes as they need. A container says how many values
it holds, not how many bytes: so a digest is taken on the way, and nothing is copied to be measured.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

VERSION = b"\x01"


def encode(value: object) -> bytes:
    """The canonical encoding of None, bool, int, float, str, bytes, and tuples and dicts of them.

    Raises:
        TypeError: something in `value` is of another type, or a key isn't a str.
    """
    return b"".join(_chunks(value))


def digest(value: object) -> str:
    """SHA-256 of `encode(value)`, in hexadecimal; long bytes are hashed in place.

    Raises:
        TypeError: as `encode`.
    """
    import hashlib  # here, since it loads a library that most runs of most tools don't need

    hasher = hashlib.sha256()
    for chunk in _chunks(value):
        hasher.update(chunk)
    return hasher.hexdigest()


def _chunks(value: object) -> Iterator[bytes | memoryview]:
    """The encoding in pieces. Not recursive: a value may be nested as deeply as memory allows."""
    yield VERSION
    open_containers: list[Iterator[object]] = [iter((value,))]
    while open_containers:
        for item in open_containers[-1]:
            if isinstance(item, (tuple, list)):
                yield b"T" + _leb128(len(item))
                open_containers.append(iter(item))
                break
            if isinstance(item, dict):
                yield b"D" + _leb128(len(item))
                open_containers.append(_entries(item))
                break
            if isinstance(item, (bytes, bytearray, memoryview)):
                view = memoryview(item).cast("B")
                yield b"Y" + _leb128(len(view))
                yield view
            else:
                yield _scalar(item)
        else:
            open_containers.pop()


def _scalar(value: object) -> bytes:
    """The encoding of a value that holds no others; `bool` comes first since it is an `int`."""
    if value is None:
        return b"N"
    if isinstance(value, bool):
        return b"B\x01" if value else b"B\x00"
    if isinstance(value, int):
        size = (value if value >= 0 else ~value).bit_length() // 8 + 1
        return b"I" + _leb128(size) + value.to_bytes(size, "big", signed=True)
    if isinstance(value, float):
        return b"F" + struct.pack(">d", value)
    if isinstance(value, str):
        data = value.encode("utf-8", "surrogatepass")
        return b"S" + _leb128(len(data)) + data
    raise TypeError(f"a {type(value).__name__} has no canonical encoding")


def _entries(value: dict[object, object]) -> Iterator[object]:
    """Keys and values in turn, in ascending order of the keys' UTF-8 bytes."""
    keys: list[str] = []
    for key in value:
        if not isinstance(key, str):
            raise TypeError(f"a key is a str, not a {type(key).__name__}")
        keys.append(key)
    for key in sorted(keys, key=lambda key: key.encode("utf-8", "surrogatepass")):
        yield key
        yield value[key]


def _leb128(number: int) -> bytes:
    """Seven bits a byte, the lowest first; the last byte is the only one below 0x80."""
    if number < 0x80:
        return bytes((number,))
    groups = bytearray()
    while number >= 0x80:
        groups.append(number & 0x7F | 0x80)
        number >>= 7
    groups.append(number)
    return bytes(groups)
