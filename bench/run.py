"""`make bench`: measures the tools beside named peers in one run, and prints a table of ratios.

What compiled programs take stands in `compiled`, which the same command runs first.

Invariant: a figure and its peer are measured in turn, and what is printed is the median of the
    ratios of the pairs, so that a machine whose speed drifts changes neither.
Entry: `main`.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
FLOOR = (sys.executable, "-c", "import xdsl.dialects.builtin, xdsl.parser")
REPEATS = 15
ROUNDS = 2000
SAMPLES, FEATURES = 442, 10


@dataclass(frozen=True)
class Row:
    """A figure in seconds, its peer's, and the ratio: medians over the pairs."""

    what: str
    peer: str
    seconds: float
    peer_seconds: float
    ratio: float


def process_seconds(command: Sequence[str]) -> float:
    """How long a process runs, from its start to its end."""
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def compare(
    what: str, mine: Callable[[], float], peer: str, theirs: Callable[[], float], repeats: int
) -> Row:
    """Measure both in turn, after one run of each that isn't counted."""
    for warm_up in (mine, theirs):
        warm_up()
    pairs = [(mine(), theirs()) for _ in range(repeats)]
    return Row(
        what,
        peer,
        statistics.median(a for a, _ in pairs),
        statistics.median(b for _, b in pairs),
        statistics.median(a / b for a, b in pairs),
    )


def start_up() -> list[Row]:
    """What one run of `alpha-opt` costs, beside importing xDSL's core."""
    floor = "python -c 'import xdsl.dialects.builtin, xdsl.parser'"
    rows: list[Row] = []
    for example in ("partitioned_regression", "least_squares_adam"):
        command = (str(BIN / "alpha-opt"), f"examples/{example}.mlir")
        rows.append(
            compare(
                f"alpha-opt examples/{example}.mlir",
                lambda command=command: process_seconds(command),
                floor,
                lambda: process_seconds(FLOOR),
                REPEATS,
            )
        )
    return rows


def numpy_adam_seconds() -> float:
    """2,000 rounds of Adam in plain numpy, whose sums have whatever order is fastest."""
    import numpy as np

    x = np.load(ROOT / "examples/data/diabetes_x.npy")
    y = np.load(ROOT / "examples/data/diabetes_y.npy")
    start = time.perf_counter()
    w, m, v = np.zeros(FEATURES), np.zeros(FEATURES), np.zeros(FEATURES)
    power1 = power2 = 1.0
    for _ in range(ROUNDS):
        g = x.T @ (x @ w - y) / SAMPLES
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * (g * g)
        power1, power2 = power1 * 0.9, power2 * 0.999
        w = w - 0.01 * (m / (1 - power1)) / (np.sqrt(v / (1 - power2)) + 1e-8)
    return time.perf_counter() - start


def interpreter_adam_seconds() -> float:
    """The same rounds by the interpreter, every sum in its declared order."""
    from alpha.interpreters.learner import LearnerInterpreter
    from alpha.interpreters.words import Words
    from alpha.tools.learner_file import LearnerFile

    source = LearnerFile.read(str(ROOT / "examples/diabetes_adam.mlir"))
    start = time.perf_counter()
    interpreter = LearnerInterpreter(source.learner, source.words, Words())
    for _ in range(ROUNDS):
        interpreter.step()
    return time.perf_counter() - start


def print_rows(rows: Sequence[Row]) -> None:
    """Print the table."""
    heading = ("figure", "ms", "peer", "ms", "ratio")
    lines = [heading] + [
        (
            row.what,
            f"{row.seconds * 1e3:.0f}",
            row.peer,
            f"{row.peer_seconds * 1e3:.0f}",
            f"{row.ratio:.2f}",
        )
        for row in rows
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heading))]
    for line in lines:
        print(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        )


def main() -> None:
    """Measure everything and print it."""
    rows = start_up()
    rows.append(
        compare(
            f"{ROUNDS} rounds of diabetes_adam by the interpreter",
            interpreter_adam_seconds,
            "numpy, sums in any order",
            numpy_adam_seconds,
            3,
        )
    )
    print_rows(rows)
    start = time.perf_counter()
    subprocess.run((sys.executable, "lit_tests/run.py"), cwd=ROOT, check=True)
    print(f"the lit suite: {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
