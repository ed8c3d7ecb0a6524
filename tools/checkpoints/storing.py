"""A run that writes generations, as its launcher sees it: the folder, what is told, what is kept.

Invariant: the launcher writes no words. It makes the folder before anybody starts, keeps other runs
    out of it, and removes old generations while the run goes on, if it is asked to.
Refuses: checkpoint-exists, checkpoint-path.
Entry: `storing`, `check_new`, `Storing`.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from alpha.tools.checkpoints.folder import Keeper, check_history, writing_to
from alpha.tools.checkpoints.paths import check_path, reading
from alpha.tools.driver.boundary import say

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from alpha.tools.checkpoints.histories import History

CHUNK_WORDS = 1 << 17
"""So many words of a generation are in memory at a time."""


@dataclass(frozen=True)
class Storing:
    """What a run does with its generations."""

    path: Path | None
    """Where they are written; None where none are."""
    keeper: Keeper | None = None

    def state_digest(self, types: Mapping[str, Attribute], version: int) -> str:
        """The digest of the logical state in a generation, of which nothing whole is read at once.

        Raises:
            Refusal: the generation isn't whole.
            InputOutputError: it can't be read.
        """
        # Here, since a run that writes no generations starts faster without.
        from alpha.ir.checkpoints.names import generation_name
        from alpha.ir.checkpoints.reading import Generation
        from alpha.ir.digests import streamed_digest

        assert self.path is not None
        folder = self.path / generation_name(version)
        with reading(folder):
            generation = Generation.open(folder)
            return streamed_digest(types, lambda name: generation.chunks(name, None, CHUNK_WORDS))

    def flags(self) -> Sequence[str]:
        """What a role is told."""
        return () if self.path is None else ("--checkpoint", str(self.path))

    def published(self, version: int) -> None:
        """The generation of a version is there."""
        if self.keeper is not None:
            self.keeper.published(version)


NOWHERE = Storing(None)
"""What a run does that writes no generations."""


def check_new(arguments: argparse.Namespace) -> None:
    """See that a new run may store where it is to, before anything is built for it.

    It is looked at again when the folder is this process's.

    Raises:
        Refusal: checkpoint-exists.
        InputOutputError: the folder can't be read.
    """
    if arguments.checkpoint is not None and arguments.resume is None:
        check_history(Path(arguments.checkpoint), None)


@contextlib.contextmanager
def storing(
    arguments: argparse.Namespace, stores: bool, history: History | None, end: int
) -> Iterator[Storing]:
    """What a run does that may store, and goes on with a history, None for a new one.

    A run that is over when it begins, since its start is the version at its `end`, stores nothing
    and may be given a folder all the same: whoever begins a job again needn't know how far it came.

    Raises:
        Refusal: checkpoint-path, checkpoint-exists.
        InputOutputError: the folder can't be made or written to.
    """
    start = None if history is None else history.version
    if arguments.checkpoint is not None and start == end and not stores:
        say(f"alpha: remark: nothing is stored: the run is over at version {end}\n")
        yield NOWHERE
        return
    check_path(arguments, stores)
    if arguments.checkpoint is None:
        yield NOWHERE
        return
    path = Path(arguments.checkpoint).absolute()
    with contextlib.ExitStack() as stack:
        stack.enter_context(writing_to(path, history))
        keeper = None
        if arguments.keep is not None:
            keeper = stack.enter_context(Keeper(path, arguments.keep))
        yield Storing(path, keeper)
