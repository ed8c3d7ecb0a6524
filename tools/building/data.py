"""The file of words that a role maps at its start: its own part of what isn't compiled in.

Invariant: the words are those that `Holdings` gives the role, little-endian and in order, at the
    places that `data_arrays` gives them; everything between is zero.
Entry: `write_data`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from alpha.tools.building.description import DataFile

if TYPE_CHECKING:
    import numpy as np

    from alpha.interpreters.holdings import Holdings
    from alpha.ir.checkpoints.reading import Generation
    from alpha.ir.learner_words import LearnerWords
    from alpha.passes.linux.data_layout import DataArray

DTYPES = {"f64": "<f8", "f32": "<f4"}

CHUNK_WORDS = 1 << 17
"""So many words of a generation are in memory at a time."""


def write_data(
    holdings: Holdings,
    words: LearnerWords,
    role: int,
    path: Path,
    generation: Generation | None = None,
) -> DataFile | None:
    """Write the data of a role, if it has any that comes from files.

    The words of states are those of a generation, if the run goes on from one.

    Raises:
        OSError: it can't be written.
    """
    from alpha.passes.linux.data_layout import WORD_BYTES, data_arrays, data_bytes

    arrays = data_arrays(holdings.distribution, role, generation is not None)
    size = data_bytes(arrays)
    if not size:
        return None
    hasher, done = hashlib.sha256(), 0
    with path.open("xb") as stream:

        def put(data: bytes) -> None:
            hasher.update(data)
            stream.write(data)

        parts = _parts(holdings, words, role, arrays, generation)
        for array, chunks in zip(arrays, parts, strict=True):
            put(bytes(array.offset - done))
            found = 0
            for chunk in chunks:
                found += chunk.size
                put(chunk.astype(DTYPES[array.element], copy=False).tobytes())
            assert found == array.words, f"{array.name} has {found} words"
            done = array.offset + found * WORD_BYTES[array.element]
        put(bytes(size - done))
    return DataFile(path.name, size, hasher.hexdigest())


def _parts(
    holdings: Holdings,
    words: LearnerWords,
    role: int,
    arrays: Sequence[DataArray],
    generation: Generation | None,
) -> Iterator[Iterable[np.ndarray]]:
    """The words of each array that the role has, a part at a time where there may be many."""
    from alpha.ir.shapes import words_of
    from alpha.passes.linux.data_layout import role_rows

    own = holdings.owner(role, words)
    states = holdings.distribution.learner.states
    for array in arrays:
        if array.component is not None:
            yield (own.samples[array.name][array.component],)
        elif array.name in states and generation is not None:
            size = words_of(states[array.name].type)
            rows = role_rows(holdings.distribution, array.name, role, size)
            yield generation.chunks(array.name, rows, CHUNK_WORDS)
        elif array.name in own.words:
            yield (own.words[array.name],)
        else:
            yield (words.constants[array.name],)
