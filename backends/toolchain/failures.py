"""How making code fails, where that isn't a refusal: the host's fault, or this project's.

Why: a tool that hangs says nothing about the text, and a text that a tool refuses nothing about
    the user's input; each of the two must not be taken for a refusal or for the other.
Entry: `ToolFailure`, `TextRejected`, `keep`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

LINES_SHOWN_MAX = 8


class ToolFailure(OSError):
    """The host has failed: a tool couldn't be started, was ended, or went on for too long."""


class TextRejected(Exception):
    """A bug of this project: an assembler or linker finds fault with what it was given.

    `kept` is the folder with what was given, which is left there to be looked at.
    """

    def __init__(self, tool: str, said: str, kept: Path) -> None:
        self.tool = tool
        self.said = said
        self.kept = kept
        lines = [line for line in said.splitlines() if line.strip()]
        shown = lines[:LINES_SHOWN_MAX]
        if len(lines) > len(shown):
            shown.append(f"and {len(lines) - len(shown)} lines more")
        told = "\n  ".join(shown or ["nothing"])
        super().__init__(f"{tool} rejects what is kept in {kept}, and says:\n  {told}")


def keep(files: Mapping[str, bytes]) -> Path:
    """Write files into a new folder of the system's place for temporary ones; returns the folder.

    Raises:
        OSError: they can't be written.
    """
    folder = Path(tempfile.mkdtemp(prefix="alpha-rejected-"))
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder
