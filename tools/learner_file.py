"""Reading a file that holds one learner, with its data.

Refuses: what the front end, the verifier and the data files refuse, and region-learner-count.
Entry: `LearnerFile.read`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.learner_words import LearnerWords, resolve
from alpha.ir.learners import Learner, find_learner


@dataclass(frozen=True)
class LearnerFile:
    """A learner, its words, and the file that it was read from."""

    file: str
    learner: Learner
    words: LearnerWords

    @classmethod
    def read(cls, path: str) -> LearnerFile:
        """Read a learner from a path, or from standard input for `-`.

        Data files are relative to the file's folder, from standard input to the working directory.

        Raises:
            Refusal: the text or the data isn't a learner's.
            OSError: a file can't be opened or read.
        """
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        file = "<stdin>" if path == "-" else path
        folder = Path() if path == "-" else Path(path).parent
        module = parse_source(make_context(), data, file)
        verify_module(module)
        learner = find_learner(module, file)
        return cls(file, learner, resolve(learner, folder))
