"""A library by the name of NVIDIA's driver, each of whose functions jumps to where a table says.

A function of which the table says nothing gives CUDA_ERROR_NOT_SUPPORTED. The calls have no types
here: a jump leaves arguments as they are. pycuda is linked with it, and runs with it where there is
no driver.

Entry: `build_library`; as a script it builds the library of the headers in a folder.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

NAME = "libcuda.so.1"
TABLE = "stand_in_calls"
NAMES = "names.txt"
NOT_SUPPORTED = 801

_DECLARED = re.compile(r"\bCUDAAPI\s+(cu\w+)\s*\(")
_RENAMED = re.compile(r"^#\s*define\s+cu\w+\s+(?:__CUDA_API_P?TD?S?Z?\w*\()?(cu\w+)", re.MULTILINE)


def build_library(headers: Path, folder: Path) -> None:
    """Build the library, the list of its functions in the table's order, and a link to link with.

    Raises CalledProcessError or OSError without a compiler, ValueError without headers.
    """
    texts = [path.read_text() for path in sorted(headers.rglob("cuda*.h"))]
    names = sorted(
        {name for text in texts for each in (_DECLARED, _RENAMED) for name in each.findall(text)}
    )
    if "cuInit" not in names:
        raise ValueError(f"no headers of CUDA's driver in {headers}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NAMES).write_text("\n".join(names) + "\n")
    library = folder / NAME
    command = ["gcc", "-shared", "-nostdlib", f"-Wl,-soname,{NAME}", "-o", str(library), "-x"]
    text = _assembly(names)
    subprocess.run([*command, "assembler", "-"], input=text, text=True, check=True, timeout=60)
    link = folder / "libcuda.so"
    link.unlink(missing_ok=True)
    link.symlink_to(NAME)


def _assembly(names: Sequence[str]) -> str:
    lines = [".text", f"unknown: mov ${NOT_SUPPORTED}, %eax", "ret"]
    for number, name in enumerate(names):
        lines += [f".globl {name}", f".type {name}, @function"]
        lines += [f"{name}: jmp *calls+{8 * number}(%rip)", f".size {name}, .-{name}"]
    lines += [".data", ".balign 8", f".globl {TABLE}", f".type {TABLE}, @object"]
    lines += [f"{TABLE}:", "calls:", *(".quad unknown" for _ in names), f".size {TABLE}, .-{TABLE}"]
    return "\n".join([*lines, '.section .note.GNU-stack,"",@progbits', ""])


if __name__ == "__main__":
    build_library(Path(sys.argv[1]), Path(sys.argv[2]))
