"""What is looked at before a command writes a file: its name, its folder, what it would replace.

Invariant: a command writes none of its inputs and no file twice, whatever names they go by, and
    nothing into a generation or under the name of one.
Why: what can't be written is to be known before a long run and before anything is printed; an input
    that is written over is gone.
Entry: `check_target`, `keep_generations`, `keep_inputs`, `STDIN`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from alpha.ir.checkpoints.places import generation_around, names_generation
from alpha.tools.driver.output import InputOutputError, reason_of

STDIN = 0
"""A descriptor has a file as a path has: stdin may be a file that the shell has opened."""


def check_target(file: str, *, grows: bool = False, read: str | None = None) -> None:
    """Say what is known to be in the way of writing a file: whole, or line by line if it `grows`.

    `read` is the path of a generation that the command reads, whatever its name, or of a folder of
    them.

    Raises InputOutputError.
    """
    if file == "-":
        raise InputOutputError("cannot write -: expected the name of a file; one of this is ./-")
    keep_generations(file, read)
    # Where a link points to nothing yet, the file is made there.
    target = Path(os.path.realpath(file))
    try:
        mode = os.stat(file).st_mode
    except FileNotFoundError:
        mode = None
    except OSError as error:
        raise InputOutputError(f"cannot write {file}: {reason_of(error)}") from None
    if mode is not None and stat.S_ISDIR(mode):
        raise InputOutputError(f"cannot write {file}: it is a folder")
    if not target.parent.is_dir():
        named = Path(file).parent
        missing = target.parent if named.is_dir() else named
        raise InputOutputError(f"cannot write {file}: there is no folder {missing}")
    # A file that is written whole is renamed to its name; a device isn't.
    itself = mode is not None and (grows or not stat.S_ISREG(mode))
    if not os.access(file if itself else target.parent, os.W_OK if itself else os.W_OK | os.X_OK):
        what = "it" if itself else f"the folder {target.parent}"
        raise InputOutputError(f"cannot write {file}: {what} can't be written to")


def keep_generations(output: str, read: str | None = None) -> None:
    """Refuse to write into a generation, or what would be taken for one; `read` may be one.

    Raises InputOutputError.
    """
    if generation_around(output, read) is not None:
        found = "it is in a generation, which is never changed"
        raise InputOutputError(f"cannot write {output}: {found}")
    if names_generation(output):
        raise InputOutputError(f"cannot write {output}: that is the name of a generation")


def keep_inputs(outputs: Sequence[str], inputs: Iterable[str | Path | int]) -> None:
    """Refuse to write what a command reads, or to write one file twice.

    Inputs are paths, or `STDIN`; what several outputs may share is a device.

    Raises InputOutputError.
    """
    known = list(inputs)
    for at, output in enumerate(outputs):
        if any(_same_file(output, each) for each in known):
            raise InputOutputError(f"cannot write {output}: it is an input of this run")
        if any(_same_file(output, each) for each in outputs[:at]):
            raise InputOutputError(f"cannot write {output}: it is named twice")


def _same_file(output: str, other: str | Path | int) -> bool:
    """Whether two paths are one file, also where there is none yet; a device may be shared."""
    try:
        found, against = os.stat(output), os.stat(other)
    except OSError:
        # At least one of them isn't there yet.
        if isinstance(other, int):
            return False
        return os.path.realpath(output) == os.path.realpath(other)
    return stat.S_ISREG(found.st_mode) and os.path.samestat(found, against)
