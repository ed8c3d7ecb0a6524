"""The assemblers of PTX that there are: those of the PyPI wheels, and the machine's own.

Entry: `ASSEMBLERS`, `assembled`, `Assembled`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import NamedTuple

SECONDS = 120
_WHEELS = ("nvidia/cuda_nvcc/bin/ptxas", "nvidia/cu13/bin/ptxas")


def _found() -> tuple[Path, ...]:
    site = Path(sysconfig.get_path("purelib"))
    wheels = [site / name for name in _WHEELS if (site / name).exists()]
    own = shutil.which("ptxas")
    return (*wheels, *([Path(own)] if own else []))


ASSEMBLERS = _found()
"""Every assembler that was found; the wheels of the extra `cuda` bring one."""


class Assembled(NamedTuple):
    """What an assembler said of a kernel: registers of 32 bits, and bytes spilled."""

    registers: int
    spilled: int


def assembled(assembler: Path, text: str, folder: Path) -> dict[str, Assembled]:
    """What is said of each kernel of a text, by name, when it is assembled for SM86.

    What that makes lies in `kernels.cubin` of the folder.

    Raises AssertionError with what the assembler says if it refuses.
    """
    source = folder / "kernels.ptx"
    source.write_text(text, encoding="ascii")
    command = [str(assembler), "-v", "-arch=sm_86", "kernels.ptx", "-o", "kernels.cubin"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr
    _, *parts = re.split(r"Compiling entry function '(\S+)'", said)
    found: dict[str, Assembled] = {}
    for name, told in zip(parts[::2], parts[1::2], strict=True):
        registers = re.search(r"Used (\d+) registers", told)
        spills = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", told)
        assert registers and spills, told
        found[name] = Assembled(int(registers[1]), int(spills[1]) + int(spills[2]))
    return found
