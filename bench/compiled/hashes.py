"""SHA-256's block function beside the one in C, and beside the library that Python has.

Entry: `rows`.
"""

from __future__ import annotations

import ctypes
import hashlib
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from compiled.ours import library_of
from compiled.peers import HERE, Compiler
from compiled.timing import Measurable, Timer
from compiled.updates import Row, address_of, counts, require_equal

SOURCE = HERE.parent.parent / "runtime" / "sha256.mlir"
BLOCKS = 16_384
FLAG_SETS = (("-O2",), ("-O3", "-march=native"))
PAIRS_LIBRARY = 15


def _arguments() -> list[np.ndarray | int]:
    data = np.random.default_rng(3).integers(0, 256, 64 * BLOCKS, dtype=np.uint8)
    return [np.arange(8, dtype=np.uint32), data, BLOCKS]


def rows(timer: Timer, compilers: Sequence[Compiler], folder: Path) -> Iterator[Row]:
    """A megabyte of blocks; times are of a byte."""
    ours = library_of(SOURCE.read_text(encoding="utf-8"))
    function = address_of(ours, "sha256_blocks")
    size = 64 * BLOCKS
    for each in compilers:
        for flags in FLAG_SETS:
            peer = folder / f"sha256-{each.command}{''.join(flags)}.so"
            source = HERE / "sha256.c"
            command = [each.command, *flags, "-shared", "-fPIC", "-o", str(peer), str(source)]
            subprocess.run(command, check=True, timeout=120)
            mine = (function, _arguments())
            same = (address_of(ctypes.CDLL(str(peer)), "sha256_blocks"), _arguments())
            require_equal(timer, mine, same, "sha256")
            found = timer.compare(mine, same)
            per_byte = found.ours / size, found.theirs / size
            name = f"{each.command} {' '.join(flags)}"
            yield Row(
                f"sha256, scalar, {1e3 * size / found.ours:.0f} MB/s",
                name,
                *per_byte,
                found.ratio,
                counts(timer, mine, same),
            )
    yield _beside_library(timer, (function, _arguments()), size)


def _beside_library(timer: Timer, mine: Measurable, size: int) -> Row:
    """Beside hashlib, which has the processor's instructions where there are any."""
    data = np.asarray(mine[1][1]).tobytes()
    pairs: list[tuple[float, float]] = []
    for _ in range(PAIRS_LIBRARY):
        ours = timer.nanoseconds(*mine, 1)
        start = time.thread_time_ns()
        hashlib.sha256(data).digest()
        pairs.append((ours, time.thread_time_ns() - start))
    return Row(
        "sha256, scalar",
        "hashlib",
        statistics.median(a for a, _ in pairs) / size,
        statistics.median(b for _, b in pairs) / size,
        statistics.median(a / b for a, b in pairs),
        "",
    )
