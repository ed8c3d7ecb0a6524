"""A generation as one `.safetensors` file with the whole state: the one that `--save` would write.

Invariant: the file has its name only when all words are in it. No whole state is in memory.
Entry: `export`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from alpha.tools.checkpoints.paths import reading
from alpha.tools.checkpoints.storing import CHUNK_WORDS
from alpha.tools.driver.output import write_parts, writing
from alpha.tools.state_files import SavedState, state_file

if TYPE_CHECKING:
    import numpy as np

    from alpha.ir.checkpoints.reading import Generation


def export(generation: Generation, file: str, told: Callable[[int, int], None]) -> None:
    """Write the state of a generation; `told` hears of the words that are written, and of all.

    Raises:
        Refusal: a shard isn't what it was.
        InputOutputError, OutputClosed: a file can't be read or written.
    """
    facts = generation.facts
    done = 0

    def words(name: str) -> Iterator[np.ndarray]:
        nonlocal done
        with reading(generation.path):
            for chunk in generation.chunks(name, None, CHUNK_WORDS):
                yield chunk
                done += chunk.size
                told(done, facts.words)

    saved = [SavedState(state.name, state.element, state.shape) for state in facts.states]
    with writing(file):
        write_parts(state_file(facts.name, generation.version, saved, words), file)
