"""The file of words that a role maps at its start: its own part of what isn't compiled in.

Invariant: the words are the role's coordinates and rows, ascending, little-endian, at the places
    that `data_arrays` gives them; everything between is zero. Memory is bounded by `CHUNK_WORDS`,
    whatever the sizes are.
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

    from alpha.ir.checkpoints.reading import Generation
    from alpha.ir.learner_words import LearnerWords
    from alpha.ir.selections import Selection
    from alpha.ir.sharding.distribution import Distribution
    from alpha.passes.linux.data_layout import DataArray

DTYPES = {"f64": "<f8", "f32": "<f4"}

CHUNK_WORDS = 1 << 17
"""So many words of an array are in memory at a time."""


def write_data(
    distribution: Distribution,
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

    arrays = data_arrays(distribution, role, generation is not None)
    size = data_bytes(arrays)
    if not size:
        return None
    hasher, done = hashlib.sha256(), 0
    with path.open("xb") as stream:

        def put(data: bytes) -> None:
            hasher.update(data)
            stream.write(data)

        parts = _parts(distribution, words, role, arrays, generation)
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
    distribution: Distribution,
    words: LearnerWords,
    role: int,
    arrays: Sequence[DataArray],
    generation: Generation | None,
) -> Iterator[Iterable[np.ndarray]]:
    """The words of each array that the role has, a part at a time."""
    from alpha.ir.selections import Empty, Stride
    from alpha.ir.shapes import words_of
    from alpha.passes.linux.data_layout import role_rows

    states = distribution.learner.states
    for array in arrays:
        if array.component is not None:
            source = words.samples[array.name][array.component]
            yield _rows(source, role_rows(distribution, array.name, role, len(source)))
        elif array.name in states:
            rows = role_rows(distribution, array.name, role, words_of(states[array.name].type))
            if generation is None:
                yield _words(words.states[array.name], rows)
            else:
                yield generation.chunks(array.name, rows, CHUNK_WORDS)
        else:
            source = words.constants[array.name]
            yield _words(source, Stride(0, 1, source.size) if source.size else Empty())


def _rows(source: np.ndarray, rows: Selection) -> Iterator[np.ndarray]:
    """These rows of an array, a window of them at a time."""
    width = max(1, source[:1].size)
    for members in _windows(rows, max(1, CHUNK_WORDS // width)):
        yield source[members]


def _words(source: np.ndarray, places: Selection) -> Iterator[np.ndarray]:
    """The words at these places of an array in row-major order, wherever they lie in memory."""
    import numpy as np

    for members in _windows(places, CHUNK_WORDS):
        yield source[np.unravel_index(members, source.shape)] if source.ndim else source.reshape(1)


def _windows(selection: Selection, count: int) -> Iterator[np.ndarray]:
    from alpha.ir.checkpoints.coordinates import coordinates_of

    coordinates = coordinates_of(selection)
    for low in range(0, selection.size, count):
        yield coordinates.members(low, min(low + count, selection.size))
