"""The folder of a build: whole, or as it was before.

Invariant: the folder gets its name only when everything is in it. One that is there already is
    replaced if it is empty or holds an earlier build and nothing else; nothing that anything else
    has written is ever removed.
Why: who runs a folder while it is built again runs the old one or the new one.
Entry: `check_folder`, `new_folder`.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from alpha.tools.building import description
from alpha.tools.driver.output import InputOutputError, reason_of, writing
from alpha.tools.driver.output_checks import keep_generations

_OWN = re.compile(r"run\.json|run\.mlir|role-[0-9]+(\.data)?")
"""The names of what a build writes."""

EXECUTABLE_MODE = 0o755

# linux/fcntl.h and linux/fs.h.
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


def check_folder(folder: str, file: str) -> None:
    """Say what is known to be in the way of a build of this file into this folder.

    Raises InputOutputError.
    """
    keep_generations(folder)
    target = Path(os.path.realpath(folder))
    try:
        names = sorted(os.listdir(target))
    except FileNotFoundError:
        if not target.parent.is_dir():
            raise InputOutputError(
                f"cannot write {folder}: there is no folder {target.parent}"
            ) from None
        names = []
    except NotADirectoryError:
        raise InputOutputError(f"cannot write {folder}: it isn't a folder") from None
    except (OSError, ValueError) as error:
        raise InputOutputError(f"cannot write {folder}: {reason_of(error)}") from None
    if names and description.NAME not in names:
        found = f"it holds {names[0]} and no {description.NAME} of an earlier build"
        raise InputOutputError(f"cannot write {folder}: {found}")
    if file != "-" and Path(os.path.realpath(file)).parent == target:
        raise InputOutputError(f"cannot write {folder}: it holds {file}, which is an input")
    strange = next((name for name in names if not _OWN.fullmatch(name)), None)
    if strange is not None:
        found = f"it holds {strange}, which no build has written"
        raise InputOutputError(f"cannot write {folder}: {found}")
    if names and not _is_description(target / description.NAME):
        found = f"its {description.NAME} isn't that of a build"
        raise InputOutputError(f"cannot write {folder}: {found}")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        found = f"the folder {target.parent} can't be written to"
        raise InputOutputError(f"cannot write {folder}: {found}")


@contextlib.contextmanager
def new_folder(folder: str, file: str) -> Iterator[Path]:
    """A new folder, which takes the place of this one if nothing is raised within.

    It is made of this file.

    Raises InputOutputError or OutputClosed.
    """
    target = Path(os.path.realpath(folder))
    with writing(folder):
        partial = _beside(target)
    try:
        yield partial
        check_folder(folder, file)
        with writing(folder):
            _replace(partial, target)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def _is_description(path: Path) -> bool:
    """Whether a file is a description, be it one of another version of this project."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and {"format", "roles", "digests"} <= found.keys()


def _beside(target: Path) -> Path:
    """A folder that is made beside another, with a name that nothing has."""
    for number in itertools.count():
        partial = target.parent / f".{target.name[:200]}.{os.getpid()}.{number}.partial"
        with contextlib.suppress(FileExistsError):
            partial.mkdir()
            return partial
    raise AssertionError


def _replace(partial: Path, target: Path) -> None:
    """Give a folder its name; what had it before is removed."""
    if not target.exists() or not any(target.iterdir()):
        partial.rename(target)
        return
    if not _exchange(partial, target):
        # Between the two there is no folder of this name.
        old = _beside(target)
        target.rename(old)
        partial.rename(target)
        partial = old
    shutil.rmtree(partial, ignore_errors=True)


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders change their names, at once; says whether that could be done."""
    import ctypes  # here, since most builds replace nothing

    rename = getattr(ctypes.CDLL(None), "renameat2", None)
    if rename is None:
        return False
    paths = os.fsencode(one), os.fsencode(other)
    return rename(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _RENAME_EXCHANGE) == 0
