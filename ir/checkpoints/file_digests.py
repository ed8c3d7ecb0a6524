"""The length and SHA-256 of a file: how a manifest names it, and how a frame hands it on.

Invariant: two files with one `FileDigest` have the same bytes. As words it is the length, and then
    the 32 bytes of the digest, read as four little-endian integers.
Entry: `FileDigest`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

DIGEST_BYTES = 32

DIGEST_WORDS = 1 + DIGEST_BYTES // 8
"""Words of 64 bits: the length, and four for the digest."""


class FileDigest(NamedTuple):
    """How long a file is, and its SHA-256."""

    bytes: int
    sha256: bytes

    @classmethod
    def of_words(cls, words: np.ndarray) -> FileDigest:
        """What `words` made; ValueError for an array of another shape or type, or no length."""
        if words.shape != (DIGEST_WORDS,) or words.dtype.kind != "i" or words.itemsize != 8:
            raise ValueError(f"a digest of shape {words.shape} and type {words.dtype}")
        size = int(words[0])
        if size < 0:
            raise ValueError(f"a file of {size} bytes")
        return cls(size, words[1:].astype("<i8").tobytes())

    def words(self) -> np.ndarray:
        """Five words of i64."""
        # Here, since whoever only compiles needs no arrays.
        import numpy as np

        data = self.bytes.to_bytes(8, "little", signed=True) + self.sha256
        return np.frombuffer(data, "<i8").astype(np.int64)

    def __str__(self) -> str:
        return f"{self.bytes} bytes of sha256:{self.sha256.hex()}"
