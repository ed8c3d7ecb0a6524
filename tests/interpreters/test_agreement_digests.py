"""What a role says of its copies: the digest of two halves, in which every byte counts."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from alpha.interpreters.agreements import Agreement


def said(copies: list[np.ndarray]) -> bytes:
    return Agreement(copies).words().tobytes()


@pytest.mark.parametrize("sizes", [(), (0,), (1, 1), (15,), (16,), (9, 0, 7, 1), (100, 3, 29)])
def test_every_byte_of_both_halves_counts(sizes: tuple[int, ...]) -> None:
    source = np.random.default_rng(17)
    copies = [source.standard_normal(size) for size in sizes]
    data = b"".join(copy.tobytes() for copy in copies)
    half = len(data) // 128 * 64
    halves = b"".join(hashlib.sha256(each).digest() for each in (data[:half], data[half:]))
    told = bytes(8) + hashlib.sha256(halves).digest()
    assert said(copies) == told
    for copy in copies:
        for at in range(copy.nbytes):
            copy.view(np.uint8)[at] ^= 1
            assert said(copies) != told
            copy.view(np.uint8)[at] ^= 1
