"""SHA-256's block function, compiled for each target, beside the one of Python's library."""

from __future__ import annotations

import hashlib
import struct

import numpy as np
import pytest
from routines.library import INITIAL, MACHINES, texts

from alpha.backends.toolchain.calling import Caller
from alpha.backends.toolchain.calls import Buffer, Call

BLOCKS_OVER_32_BITS = (1 << 23) + 1
"""So many blocks have more than 2^32 bits."""


def padded(message: bytes) -> bytes:
    """The message up to whole blocks, with its length at the end (FIPS 180-4, 5.1.1)."""
    zeros = (55 - len(message)) % 64
    return message + b"\x80" + bytes(zeros) + struct.pack(">Q", 8 * len(message))


def call(data: bytes, offset: int) -> Call:
    """The hash of whole blocks, which lie behind a multiple of 64 bytes."""
    held = np.frombuffer(data, np.int8).copy()
    state = INITIAL.view(np.int32).copy()
    return Call("sha256_blocks", [Buffer(state), Buffer(held, offset=offset), len(data) // 64])


@pytest.mark.parametrize("target", MACHINES)
def test_every_length_up_to_four_blocks(target: str) -> None:
    source = np.random.default_rng(256)
    messages = [source.bytes(length) for length in range(258)]
    with Caller(texts(target, "sha256"), target) as caller:
        results = caller.call([call(padded(message), len(message) % 64) for message in messages])
    for message, result in zip(messages, results, strict=True):
        digest = result.buffers[0].view(np.uint32).astype(">u4").tobytes()
        assert digest == hashlib.sha256(message).digest(), len(message)


@pytest.mark.parametrize("target", MACHINES)
def test_no_block_changes_nothing(target: str) -> None:
    with Caller(texts(target, "sha256"), target) as caller:
        (result,) = caller.call([call(b"", 0)])
    assert result.buffers[0].view(np.uint32).tobytes() == INITIAL.tobytes()


def test_more_than_32_bits_of_length() -> None:
    data = np.zeros(64 * BLOCKS_OVER_32_BITS, np.uint8)
    length = data.size - 9
    data[length] = 0x80
    data[-8:] = np.frombuffer(struct.pack(">Q", 8 * length), np.uint8)
    state = INITIAL.copy()
    with Caller(texts("x86-64", "sha256"), "x86-64", by="this process") as caller:
        function = caller.library().function("sha256_blocks", ["pointer", "pointer", "i64"], None)
        function(state.ctypes.data, data.ctypes.data, BLOCKS_OVER_32_BITS)
    digest = hashlib.sha256(data[:length].data).digest()
    assert state.astype(">u4").tobytes() == digest
