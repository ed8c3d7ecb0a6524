"""Reading a file that may hold a protocol or a role's program, with the learner's data if any.

Refuses: what the front end, the verifier and the data files refuse.
Entry: `ProtocolFile.read`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from alpha.ir.dialects.region import LearnerOp
from alpha.ir.frontend.registry import AlphaContext
from alpha.ir.learner_words import LearnerWords
from alpha.ir.learners import Learner, find_learner
from alpha.tools.data_files import data_files_in
from alpha.tools.driver.source import folder_of
from alpha.tools.learner_file import read_module, words_of_files

if TYPE_CHECKING:
    from alpha.tools.driver.boundary import Situation


@dataclass(frozen=True)
class ProtocolFile:
    """A module, and its learner with its words where it has one."""

    file: str
    context: AlphaContext
    module: ModuleOp
    learner: Learner | None
    words: LearnerWords | None
    folder: Path

    def data_files(self) -> list[Path]:
        """The files that the words were read from."""
        return data_files_in(self.module, self.folder)

    @classmethod
    def read(cls, path: str, situation: Situation, folder: str | None = None) -> ProtocolFile:
        """Read a module from a path, or from standard input for `-`.

        Data files are relative to `folder`; without it, to the file's own, from standard input to
        the working directory.

        Raises:
            Refusal: the text or the data isn't right.
            InputOutputError: a file can't be opened or read.
        """
        file, context, module = read_module(path, situation)
        own = folder_of(path)
        base = own if folder is None else Path(folder)
        if not any(isinstance(op, LearnerOp) for op in module.body.block.ops):
            return cls(file, context, module, None, None, base)
        learner = find_learner(module, file)
        return cls(file, context, module, learner, words_of_files(learner, base), base)
