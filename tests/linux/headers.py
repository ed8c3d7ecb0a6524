"""Numbers of system calls and values of constants, asked of the C headers of each target.

Started by hand, it writes the tables of `ir/linux` anew: PYTHONPATH=tests python -m linux.headers.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import ziglang

ZIG = Path(ziglang.__file__).parent / "zig"
TARGETS = {"x86-64": "x86_64-linux-musl", "aarch64": "aarch64-linux-musl"}
SECONDS_MAX = 120
HEADERS = (
    *("errno", "fcntl", "limits", "netinet/in", "netinet/tcp", "poll", "signal", "stdio"),
    *("sys/auxv", "sys/mman", "sys/random", "sys/socket", "sys/stat", "sys/syscall"),
    *("time", "unistd"),
)

_VALUE = re.compile(r"^value_(\w+):\s*\n\s*\.(quad|xword|zero)\s+(-?\w+)", re.MULTILINE)


def asked(expressions: Sequence[str], target: str) -> dict[str, int]:
    """What each constant of C is on a target; names that its headers don't have are left out."""
    lines = ["#define _GNU_SOURCE", *(f"#include <{header}.h>" for header in HEADERS)]
    for name in expressions:
        lines += [f"#ifdef {name}", f"long value_{name} = (long){name};", "#endif"]
    with tempfile.TemporaryDirectory() as folder:
        source, text = Path(folder, "values.c"), Path(folder, "values.s")
        source.write_text("\n".join(lines) + "\n")
        subprocess.run(
            [ZIG, "cc", "-target", TARGETS[target], "-S", "-O0", "-o", text, source],
            check=True,
            capture_output=True,
            timeout=SECONDS_MAX,
            env={"ZIG_GLOBAL_CACHE_DIR": folder, "HOME": folder},
        )
        found = _VALUE.findall(text.read_text())
    return {name: 0 if kind == "zero" else int(value, 0) for name, kind, value in found}


def main() -> None:
    """Print both tables as they stand in `ir/linux`."""
    from alpha.ir.linux.calls import CALLS
    from alpha.ir.linux.constants import CONSTANTS

    calls = [asked([f"SYS_{name}" for name in CALLS], target) for target in TARGETS]
    for name, (_, count) in CALLS.items():
        numbers = tuple(each[f"SYS_{name}"] for each in calls)
        print(f'    "{name}": ({numbers}, {count}),')
    values = [asked(list(CONSTANTS), target) for target in TARGETS]
    for name in CONSTANTS:
        found = [each[name] for each in values]
        print(f'    "{name}": {found[0] if found[0] == found[1] else tuple(found)},')


if __name__ == "__main__":
    main()
