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
from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.registry import AlphaContext, make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.learner_words import LearnerWords, resolve
from alpha.ir.learners import Learner, find_learner
from alpha.tools.driver.output import InputOutputError, reason_of
from alpha.tools.driver.source import read_source, source_name
from alpha.tools.learner_file import data_files_of

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
        return [] if self.learner is None else data_files_of(self.learner, self.folder)

    @classmethod
    def read(cls, path: str, situation: Situation, folder: str | None = None) -> ProtocolFile:
        """Read a module from a path, or from standard input for `-`.

        Data files are relative to `folder`; without it, to the file's own, from standard input to
        the working directory.

        Raises:
            Refusal: the text or the data isn't right.
            InputOutputError: a file can't be opened or read.
        """
        data, file = read_source(path), source_name(path)
        situation.inputs[file] = data
        context = make_context()
        module = parse_source(context, data, file)
        verify_module(module)
        own = Path() if path == "-" else Path(path).parent
        base = own if folder is None else Path(folder)
        if not any(isinstance(op, LearnerOp) for op in module.body.block.ops):
            return cls(file, context, module, None, None, base)
        learner = find_learner(module, file)
        try:
            return cls(file, context, module, learner, resolve(learner, base), base)
        except OSError as error:
            name = error.filename or "a data file"
            raise InputOutputError(f"cannot read {name}: {reason_of(error)}") from None
