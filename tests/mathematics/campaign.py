"""The long measurements of exp, log, tanh and sigmoid: `make verify-mathematics`.

Invariant: the last line is `mathematics: 0 wrong`, and the exit status is 0, only if every f64
    result is within its bound and every result of the 2^32 f32 words is correctly rounded.
Entry: `python -m mathematics.campaign [--count N] [--words N] [--processes N] [--near]`, with
    tests/ on the path. The f32 words need a C compiler, `cc`, and a processor with a fused
    multiply-add.
"""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from mathematics.emitted_c import COMPILER_FLAGS, function_text
from mathematics.points import f64_points
from mathematics.reference import error_units, f32_bits, rounded_f32
from mathematics.test_accuracy_f64 import bound

from alpha.interpreters.words import Words
from alpha.ir.mathematics.lists import FUNCTIONS, operation_list
from alpha.tools.progress import progress

CHUNK = 10_000
"""f64 words a task."""

RANGE = 1 << 25
"""f32 words a task."""

SECONDS_MAX = 3600
REFERENCES = {
    "math.exp": "exp",
    "math.log": "log",
    "math.tanh": "tanh",
    "pointwise.sigmoid": "sigmoid",
}
HEADERS = ("math.h", "stdint.h", "stdio.h", "stdlib.h", "string.h")


def measured(task: tuple[str, int, int]) -> tuple[str, int, float, float, int]:
    """The function, words, largest error of normal results, its word, and results out of bounds."""
    operation, count, seed = task
    words = f64_points(operation, count, seed)
    results = Words().apply(operation, words).tolist()
    largest, at, wrong = 0.0, 0.0, 0
    for word, result in zip(words.tolist(), results, strict=True):
        error = error_units(operation, word, result)
        wrong += error > bound(operation, result)
        if error > largest:
            largest, at = error, word
    return operation, len(words), largest, at, wrong


def compiled(operation: str, folder: Path) -> Path:
    """The program that compares the f32 list with a reference."""
    source = folder / f"{operation}.c"
    parts = [f"#include <{header}>" for header in HEADERS]
    parts += [f"#define REFERENCE {REFERENCES[operation]}"]
    parts += [function_text(operation_list(operation, "f32"), "ours")]
    parts += [Path(__file__).with_name("every_f32_word.c").read_text(encoding="utf-8")]
    source.write_text("\n".join(parts), encoding="utf-8")
    program = source.with_suffix("")
    command = ["cc", *COMPILER_FLAGS, str(source), "-o", str(program), "-lm"]
    subprocess.run(command, check=True, timeout=SECONDS_MAX)
    return program


def compared(
    programs: dict[str, Path], task: tuple[str, int, int]
) -> tuple[str, list[str], list[str]]:
    """The function, the words that mpmath decided, and those whose results are wrong."""
    operation, start, end = task
    command = [str(programs[operation]), str(start), str(end)]
    output = subprocess.run(command, check=True, timeout=SECONDS_MAX, capture_output=True).stdout
    *lines, last = output.decode().splitlines()
    assert last == "done"
    wrong: list[str] = []
    near: list[str] = []
    for line in lines:
        what, bits, *result = line.split()
        if what == "near":
            near.append(bits)
            word = float(np.array(int(bits, 16), np.uint32).view(np.float32))
            if f32_bits(rounded_f32(operation, word)) == int(result[0], 16):
                continue
        wrong.append(bits)
    return operation, near, wrong


def _f64(count: int, processes: int) -> int:
    tasks = [
        (operation, min(CHUNK, count - start), 1000 + start // CHUNK)
        for operation in FUNCTIONS
        for start in range(0, count, CHUNK)
    ]
    found: dict[str, tuple[int, float, float, int]] = dict.fromkeys(FUNCTIONS, (0, 0.0, 0.0, 0))
    with Pool(processes) as pool:
        done = pool.imap_unordered(measured, tasks)
        for operation, words, largest, at, wrong in progress(done, len(tasks), "tasks"):
            before = found[operation]
            most, where = max(before[1:3], (largest, at))
            found[operation] = before[0] + words, most, where, before[3] + wrong
    for operation, (words, largest, at, wrong) in found.items():
        where = f"at most {largest:.3f} units off, at {at.hex()}"
        print(f"{operation} f64: {words} words, {where}, {wrong} out of bounds")
    return sum(wrong for *_, wrong in found.values())


def _f32(count: int, processes: int, show: bool) -> int:
    tasks = [
        (operation, start, min(start + RANGE, count))
        for operation in FUNCTIONS
        for start in range(0, count, RANGE)
    ]
    near: dict[str, list[str]] = {operation: [] for operation in FUNCTIONS}
    wrong: dict[str, list[str]] = {operation: [] for operation in FUNCTIONS}
    with TemporaryDirectory() as folder, Pool(processes) as pool:
        programs = {operation: compiled(operation, Path(folder)) for operation in FUNCTIONS}
        done = pool.imap_unordered(partial(compared, programs), tasks)
        for operation, decided, words in progress(done, len(tasks), "tasks"):
            near[operation] += decided
            wrong[operation] += words
    for operation in FUNCTIONS:
        found = f"{len(near[operation])} decided by mpmath, {len(wrong[operation])} wrong"
        print(f"{operation} f32: {count} words, {found}", *sorted(wrong[operation])[:20])
        if show:
            print("near:", *sorted(near[operation]))
    return sum(map(len, wrong.values()))


def main(arguments: list[str]) -> int:
    """Measure everything; 1 if anything is wrong."""
    parser = ArgumentParser(prog="mathematics.campaign", description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000, help="f64 words a function")
    parser.add_argument("--words", type=int, default=1 << 32, help="f32 words a function")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--near", action="store_true", help="print what mpmath decided")
    given = parser.parse_args(arguments)
    wrong = _f64(given.count, given.processes)
    wrong += _f32(given.words, given.processes, given.near)
    print(f"mathematics: {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
