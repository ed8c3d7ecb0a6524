"""Assembly text to an object, and objects to an executable or a shared object.

Invariant: what is made depends on the text and the tools alone: not on folders, on the time, or on
    the environment. Nothing but what is returned is left behind, except what a tool rejects.
Why: every warning counts as a fault of the text, since generated text has no reason to cause any;
    a number that is cut off, or an instruction that isn't predictable, is only warned of.
Entry: `assemble`, `link_executable`, `link_library`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from alpha.backends.toolchain.failures import TextRejected, ToolFailure, keep
from alpha.backends.toolchain.finding import Toolchain
from alpha.backends.toolchain.processes import TOOL_SECONDS_MAX, run

ENTRY = "_start"
"""The symbol at which an executable begins."""


def assemble(text: str, toolchain: Toolchain, seconds: float = TOOL_SECONDS_MAX) -> bytes:
    """The relocatable object of an assembly text.

    Raises:
        TextRejected: the assembler finds fault with the text; it is kept.
        ToolFailure: the assembler can't be started, was ended by a signal, or takes longer.
        OSError: there is no room for temporary files.
    """
    files = {"text.s": text.encode("utf-8")}
    return _make((*toolchain.assembler, "-o"), files, toolchain, seconds)


def link_executable(
    objects: Sequence[bytes],
    toolchain: Toolchain,
    seconds: float = TOOL_SECONDS_MAX,
    *,
    symbols: bool = True,
) -> bytes:
    """A static executable without libc that begins at `ENTRY`, of objects in this order.

    Without `symbols` no names are in it, which take a fifth of a small one. Code and constants
    share a segment: pages of their own would cost as much as a tenth.

    One of them should have at least a byte of data that isn't zero-initialized: an emulator of
    QEMU before 6 ends with SIGSEGV where a writable segment has nothing in the file.

    Raises:
        TextRejected, ToolFailure, OSError: as `assemble`.
    """
    kind = ("-static", "-e", ENTRY, "-z", "noseparate-code", *(() if symbols else ("-s",)))
    return _link(kind, objects, toolchain, seconds)


def link_library(
    objects: Sequence[bytes], toolchain: Toolchain, seconds: float = TOOL_SECONDS_MAX
) -> bytes:
    """A shared object of objects in this order, which may need no other and no text relocation.

    Raises:
        TextRejected, ToolFailure, OSError: as `assemble`.
    """
    return _link(("-shared", "-z", "defs", "-z", "text"), objects, toolchain, seconds)


def _link(
    kind: tuple[str, ...], objects: Sequence[bytes], toolchain: Toolchain, seconds: float
) -> bytes:
    files = {f"{number}.o": data for number, data in enumerate(objects)}
    common = ("--build-id=none", "-z", "noexecstack", "--fatal-warnings", "-o")
    return _make((*toolchain.linker, *kind, *common), files, toolchain, seconds)


def _make(
    command: tuple[str, ...], files: dict[str, bytes], toolchain: Toolchain, seconds: float
) -> bytes:
    """What a tool makes of files, which it is given by their bare names in a folder of their own.

    Their names are the same each time, so none that could be found in what is made differs.
    """
    tool = f"{Path(command[0]).name} of {toolchain.describe()}"
    with tempfile.TemporaryDirectory(prefix="alpha-") as name:
        folder = Path(name)
        for file, data in files.items():
            (folder / file).write_bytes(data)
        made = folder / "made"
        ended = run((*command, made.name, *files), folder, seconds, dict(toolchain.environment))
        if not ended.in_time:
            raise ToolFailure(f"{tool} was ended, since it took more than {seconds:g} s")
        if ended.status < 0:
            raise ToolFailure(f"{tool} ended with {ended.manner}")
        if ended.status or not made.exists():
            raise TextRejected(tool, ended.output, keep(files))
        return made.read_bytes()
