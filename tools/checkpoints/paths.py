"""Whether the paths that a run is given are those that its protocol needs.

Invariant: who writes generations is given a folder for them, and who goes on from one is given that
    one; nobody else is given any.
Refuses: checkpoint-path, checkpoint-digest.
Entry: `check_start`, `check_path`, `reading`.
"""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from alpha.ir.refusals import Refusal
from alpha.tools.driver.output import InputOutputError, reason_of

if TYPE_CHECKING:
    from alpha.ir.dialects.protocol import GlobalOp
    from alpha.ir.dialects.protocol_role import RoleOp
    from alpha.tools.checkpoints.resuming import Resumed


def check_start(op: GlobalOp | RoleOp, resumed: Resumed | None) -> None:
    """See that a protocol as it is, or a role's program, begins with what is resumed.

    Raises:
        Refusal: checkpoint-path, checkpoint-digest.
    """
    if op.resumed is None:
        if resumed is not None:
            wanted = "no --resume with a protocol as it is, which begins at version 0"
            raise Refusal("checkpoint-path", wanted, "--resume", op)
        return
    start = op.resumed.data
    wanted = f"--resume with the generation of version {start.version} and sha256:{start.sha256}"
    if resumed is None:
        raise Refusal("checkpoint-path", wanted, "none", op)
    if (resumed.version, resumed.digest) != (start.version, start.sha256):
        found = f"version {resumed.version} and sha256:{resumed.digest}"
        raise Refusal("checkpoint-digest", wanted, found, op)


@contextlib.contextmanager
def reading(path: str | Path) -> Iterator[None]:
    """Say that something at a path can't be read where the system refuses it within.

    Raises InputOutputError in place of OSError.
    """
    try:
        yield
    except OSError as error:
        name = error.filename or path
        raise InputOutputError(f"cannot read {name}: {reason_of(error)}") from None


def check_path(arguments: argparse.Namespace, stores: bool) -> None:
    """See that a run is given a folder for its generations if it writes any.

    Raises:
        Refusal: checkpoint-path.
    """
    given = arguments.checkpoint
    if stores and given is None:
        wanted = "--checkpoint PATH for the generations that are written"
        raise Refusal("checkpoint-path", wanted, "none")
    if given is not None and not stores:
        wanted = "no --checkpoint with what was made to write no generations"
        raise Refusal("checkpoint-path", wanted, f"--checkpoint {given}")
