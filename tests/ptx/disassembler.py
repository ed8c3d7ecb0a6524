"""The instructions that an assembler of PTX makes of kernels, by NVIDIA's disassembler.

Entry: `DISASSEMBLER`, `operations`, `KERNEL`.
"""

from __future__ import annotations

import re
import subprocess
import sysconfig
from collections import Counter
from pathlib import Path

from ptx.assembler import SECONDS, assembled

DISASSEMBLER = Path(sysconfig.get_path("purelib")) / "nvidia/cu13/bin/nvdisasm"
"""The one that the extra `cuda` brings."""

KERNEL = re.compile(r"^\.visible \.entry (\S+?)\(", re.MULTILINE)
"""The names of the kernels of a text."""

_SECTION = re.compile(r"^\.text\.(\S+):$", re.MULTILINE)
_INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+ )?([A-Z][A-Z0-9]*)", re.MULTILINE)


def operations(assembler: Path, text: str, folder: Path) -> dict[str, Counter[str]]:
    """Of each kernel of a text, how often it has each operation once it is assembled."""
    assembled(assembler, text, folder)
    command = [str(DISASSEMBLER), "-c", "kernels.cubin"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    _, *parts = _SECTION.split(done.stdout)
    names, bodies = parts[::2], parts[1::2]
    return {
        name: Counter(_INSTRUCTION.findall(body)) for name, body in zip(names, bodies, strict=True)
    }
