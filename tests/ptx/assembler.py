"""The assemblers of PTX that there are: those of the PyPI wheels, and the machine's own.

Entry: `ASSEMBLERS`, `assembled`, `Assembled`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SECONDS = 120
_WHEELS = ("nvidia/cuda_nvcc/bin/ptxas", "nvidia/cu13/bin/ptxas")


def _found() -> tuple[Path, ...]:
    site = Path(sysconfig.get_path("purelib"))
    wheels = [site / name for name in _WHEELS if (site / name).exists()]
    own = shutil.which("ptxas")
    return (*wheels, *([Path(own)] if own else []))


ASSEMBLERS = _found()
"""Every assembler that was found; the wheels of the extra `cuda` bring one."""


@dataclass(frozen=True)
class Assembled:
    """What an assembler said of each kernel, in order: registers, and bytes spilled."""

    registers: Sequence[int]
    spilled: Sequence[int]


def assembled(assembler: Path, text: str, folder: Path) -> Assembled:
    """A text assembled for SM86; what it makes lies in `kernels.cubin` of the folder.

    Raises AssertionError with what the assembler says if it refuses.
    """
    source = folder / "kernels.ptx"
    source.write_text(text, encoding="ascii")
    command = [str(assembler), "-v", "-arch=sm_86", "kernels.ptx", "-o", "kernels.cubin"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 0, done.stderr
    said = done.stdout + done.stderr
    registers = [int(number) for number in re.findall(r"Used (\d+) registers", said)]
    stores = re.findall(r"(\d+) bytes spill stores, (\d+) bytes spill loads", said)
    return Assembled(registers, [int(a) + int(b) for a, b in stores])
