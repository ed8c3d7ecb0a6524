"""Prints compiled programs beside their peers as a table of ratios; below 1 ours is faster.

Started by `make bench`; a part of it by name: PYTHONPATH=bench python -m compiled.run updates
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from compiled import compiling, contributions, hashes, updates
from compiled.ours import host_features
from compiled.peers import FLAGS, Compiler, compilers
from compiled.timing import Timer
from compiled.updates import Row, address_of

PARTS = {"updates": updates.rows, "contributions": contributions.rows, "sha256": hashes.rows}
COMPILE = "compile"
COPY_WORDS = (10_000, 1_000_000, 10_000_000)


def copies(timer: Timer, compiler: Compiler, folder: Path) -> Iterator[str]:
    """The bandwidth of a copy, read and written bytes together."""
    function = address_of(compiler.library("kernels.c", folder, "-DFEATURES=8"), "copy")
    for words in COPY_WORDS:
        arguments = [np.zeros(words), np.ones(words), words]
        times = max(1, 2_000_000 // words)
        taken = statistics.median(timer.nanoseconds(function, arguments, times) for _ in range(15))
        yield f"copy N={words}: {16 * words / taken:.1f} GB/s"


def lines(row: Row) -> str:
    """A row of the table."""
    return (
        f"| {row.what} | {row.peer} | {row.ours:.3f} | {row.theirs:.3f} | {row.ratio:.3f} "
        f"| {row.instructions} |"
    )


def main(parts: list[str]) -> None:
    """Measure the parts and print as they are done."""
    unknown = set(parts) - {*PARTS, COMPILE}
    if unknown:
        raise SystemExit(f"parts are {', '.join((*PARTS, COMPILE))}, not {', '.join(unknown)}")
    found = compilers()
    if not found:
        raise SystemExit("no C compiler to compare with: gcc or clang")
    print(f"features {host_features() or 'x86-64-v3'}; peers with {' '.join(FLAGS)}:")
    for each in found:
        print(f"  {each.command}: {each.version}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        timer = Timer(found[0].library("repeat.c", folder))
        for line in copies(timer, found[0], folder):
            print(line)
        print("\n| what | peer | ours, ns a word | peer | ratio | instructions |")
        print("| --- | --- | --- | --- | --- | --- |")
        for part in (part for part in parts if part in PARTS):
            for row in PARTS[part](timer, found, folder):
                print(lines(row), flush=True)
    if COMPILE in parts:
        print()
        for line in compiling.lines():
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or [*PARTS, COMPILE])
