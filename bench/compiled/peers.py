"""The C compilers that are here, and what they make of `kernels.c`.

Entry: `Compiler`, `compilers`, `FLAGS`.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
FLAGS = ("-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno")
"""What the peers are given. Without the last, the check of `sqrt`'s argument keeps loops scalar."""
SECONDS_MAX = 120


@dataclass(frozen=True)
class Compiler:
    """A compiler by its command, with what it says of itself."""

    command: str
    version: str

    def library(self, source: str, into: Path, *more: str) -> ctypes.CDLL:
        """The functions of a file beside this one, compiled."""
        made = into / f"{Path(source).stem}-{Path(self.command).name}{'-'.join(more)}.so"
        flags = [*FLAGS, "-shared", "-fPIC", *more]
        subprocess.run(
            [self.command, *flags, "-o", made, HERE / source, "-lm"],
            check=True,
            timeout=SECONDS_MAX,
        )
        return ctypes.CDLL(str(made))


def compilers() -> list[Compiler]:
    """gcc, and the newest clang, as far as they are here."""
    found: list[Compiler] = []
    for names in (("gcc",), ("clang", *(f"clang-{number}" for number in range(25, 12, -1)))):
        command = next((name for name in names if shutil.which(name)), None)
        if command is not None:
            said = subprocess.run(
                [command, "--version"], capture_output=True, text=True, check=True
            )
            found.append(Compiler(command, said.stdout.splitlines()[0]))
    return found
