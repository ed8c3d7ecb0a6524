"""Compares fragments of arrays with what indexing word by word says, bit by bit.

Entry: `random_array`, `bits_of`, `agrees_in_round_trip`, which raises AssertionError where they
    differ, and so finds a mutant of the rules.
"""

from __future__ import annotations

from random import Random

import numpy as np
from sharding.map_agreement import made_map
from sharding.plain_maps import pieces_of_items, random_cover

from alpha.ir.sharding import fragments

# Quiet and signalling NaNs with payloads, both zeros, infinities, the least and the largest word.
WORDS_OF_64_BITS = (
    0x7FF8000000000001,
    0x7FF0000000000001,
    0xFFF4DEADBEEF0001,
    0x0000000000000000,
    0x8000000000000000,
    0x7FF0000000000000,
    0xFFF0000000000000,
    0x0000000000000001,
    0x7FEFFFFFFFFFFFFF,
)
WORDS_OF_32_BITS = (
    0x7FC00001,
    0x7F800001,
    0xFFA5BEEF,
    0x00000000,
    0x80000000,
    0x7F800000,
    0x00000001,
    0x7F7FFFFF,
)


def random_array(random: Random, size: int, dtype: str) -> np.ndarray:
    """Words of any bits, the difficult ones among them."""
    bits = 32 if dtype == "float32" else 64
    chosen = WORDS_OF_32_BITS if bits == 32 else WORDS_OF_64_BITS
    words = [
        random.choice(chosen) if random.random() < 0.5 else random.getrandbits(bits)
        for _ in range(size)
    ]
    return np.array(words, f"u{bits // 8}").view(dtype)


def bits_of(array: np.ndarray) -> list[bytes]:
    """The bytes of each word."""
    width = array.dtype.itemsize
    data = array.tobytes()
    return [data[at : at + width] for at in range(0, len(data), width)]


def agrees_in_round_trip(random: Random, dtype: str) -> None:
    """Cut an array among owners, word by word as the lists say, and put it together again."""
    items, size = random_cover(random)
    shard_map, pieces = made_map(items), pieces_of_items(items)
    owners = len(pieces)
    across = random.choice([width for width in range(1, size + 1) if size % width == 0])
    array = random_array(random, size, dtype).reshape(size // across, across)
    words = bits_of(array)
    cuts = []
    for role, has in enumerate(pieces):
        cut = fragments.fragment(array, shard_map.piece(role, owners, size))
        assert cut.dtype == array.dtype and cut.ndim == 1
        assert bits_of(cut) == [words[at] for at in has]
        cuts.append(cut)
    whole = fragments.assemble(shard_map, owners, array.shape, cuts)
    assert whole.dtype == array.dtype and whole.shape == array.shape
    assert bits_of(whole) == words
