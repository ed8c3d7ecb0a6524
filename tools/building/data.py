"""The file of words that a role maps at its start: its own part of what the learner has in files.

Invariant: the words are those that `Holdings` gives the role, little-endian and in order, at the
    places that `data_arrays` gives them; everything between is zero.
Entry: `write_data`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from alpha.tools.building.description import DataFile

if TYPE_CHECKING:
    import numpy as np

    from alpha.interpreters.holdings import Holdings
    from alpha.ir.learner_words import LearnerWords
    from alpha.passes.linux.data_layout import DataArray

DTYPES = {"f64": "<f8", "f32": "<f4"}


def write_data(holdings: Holdings, words: LearnerWords, role: int, path: Path) -> DataFile | None:
    """Write the data of a role, if it has any that comes from files.

    Raises:
        OSError: it can't be written.
    """
    from alpha.passes.linux.data_layout import data_arrays, data_bytes

    arrays = data_arrays(holdings.distribution, role)
    size = data_bytes(arrays)
    if not size:
        return None
    hasher, done = hashlib.sha256(), 0
    with path.open("xb") as stream:
        for array, part in zip(arrays, _parts(holdings, words, role, arrays), strict=True):
            data = part.astype(DTYPES[array.element], copy=False).tobytes()
            assert part.size == array.words, f"{array.name} has {part.size} words"
            for piece in (bytes(array.offset - done), data):
                hasher.update(piece)
                stream.write(piece)
            done = array.offset + len(data)
        rest = bytes(size - done)
        hasher.update(rest)
        stream.write(rest)
    return DataFile(path.name, size, hasher.hexdigest())


def _parts(
    holdings: Holdings, words: LearnerWords, role: int, arrays: Sequence[DataArray]
) -> Iterator[np.ndarray]:
    """The words of each array that the role has."""
    own = holdings.owner(role, words)
    for array in arrays:
        if array.component is not None:
            yield own.samples[array.name][array.component]
        elif array.name in own.words:
            yield own.words[array.name]
        else:
            yield words.constants[array.name]
