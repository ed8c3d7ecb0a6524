"""Programs that stand in for tools: they say what the real ones say of themselves, and then err.

Entry: `write_program`, `gnu_folder`.
"""

from __future__ import annotations

from pathlib import Path

SAYINGS = {
    "as": "GNU assembler (GNU Binutils) 2.40\n"
    "This assembler was configured for a target of `{gnu}-linux-gnu'.",
    "ld": "GNU ld (GNU Binutils) 2.40\n  Supported emulations:\n   {emulation}\n   elf_i386",
}


def write_program(path: Path, body: str) -> Path:
    """An executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def gnu_folder(
    folder: Path,
    body: str = "exit 1",
    gnu: str = "x86_64",
    emulation: str = "elf_x86_64",
    prefix: str = "",
) -> Path:
    """A folder with an `as` and an `ld` that introduce themselves as GNU's, and else do `body`."""
    for tool, saying in SAYINGS.items():
        said = saying.format(gnu=gnu, emulation=emulation)
        asked = f"case $1 in --version|-V) cat <<'END'\n{said}\nEND\nexit 0;; esac"
        write_program(folder / f"{prefix}{tool}", f"{asked}\n{body}")
    return folder
