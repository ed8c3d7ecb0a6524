"""Reading a file that holds one learner, with its data.

Refuses: what the front end, the verifier and the data files refuse, and region-learner-count.
Entry: `LearnerFile.read`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp

from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.registry import AlphaContext, make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.learner_words import LearnerWords, resolve
from alpha.ir.learners import Learner, find_learner
from alpha.tools.data_files import data_files_in
from alpha.tools.driver.output import InputOutputError, reason_of
from alpha.tools.driver.source import folder_of, read_source, source_name

if TYPE_CHECKING:
    from alpha.tools.driver.boundary import Situation


@dataclass(frozen=True)
class LearnerFile:
    """A learner, its words, and the file that it was read from."""

    file: str
    context: AlphaContext
    module: ModuleOp
    learner: Learner
    words: LearnerWords
    folder: Path = Path()
    """What the paths of data files are relative to."""

    def data_files(self) -> list[Path]:
        """The files that the words were read from."""
        return data_files_in(self.module, self.folder)

    @classmethod
    def read(cls, path: str, situation: Situation | None = None) -> LearnerFile:
        """Read a learner from a path, or from standard input for `-`.

        Data files are relative to the file's folder, from standard input to the working directory.
        A tool gives its situation, in which the text is kept for reports.

        Raises:
            Refusal: the text or the data isn't a learner's.
            InputOutputError: a file can't be opened or read.
        """
        file, context, module = read_module(path, situation)
        learner = find_learner(module, file)
        folder = folder_of(path)
        return cls(file, context, module, learner, words_of_files(learner, folder), folder)


def read_module(
    path: str, situation: Situation | None = None
) -> tuple[str, AlphaContext, ModuleOp]:
    """The name of a file, and the verified module in it, with its context.

    Raises:
        Refusal: the text isn't right.
        InputOutputError: the file can't be opened or read.
    """
    data, file = read_source(path), source_name(path)
    if situation is not None:
        situation.inputs[file] = data
    context = make_context()
    module = parse_source(context, data, file)
    verify_module(module)
    return file, context, module


def words_of_files(learner: Learner, folder: Path) -> LearnerWords:
    """A learner's words; those in files are relative to a folder.

    Raises:
        Refusal: the data isn't the learner's.
        InputOutputError: a file can't be opened or read.
    """
    try:
        return resolve(learner, folder)
    except OSError as error:
        name = error.filename or "a data file"
        raise InputOutputError(f"cannot read {name}: {reason_of(error)}") from None
