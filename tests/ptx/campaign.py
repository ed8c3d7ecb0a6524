"""Kernels of the examples with up to 100,000 samples, and of many random programs.

PYTHONPATH=tests python -m ptx.campaign [--programs N] [--first SEED] [--processes P]

What is wrong is printed with the seed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from multiprocessing import Pool

from code_level.running import parsed
from native.batches import text_of
from native.programs import ELEMENTS, EXAMPLES, example
from ptx.kernels import Found, compare_kernels

COUNTS_EXAMPLES = (0, 1, 3, 31, 32, 33, 1000, 100_000)
COUNTS = (0, 1, 3, 8, 17)
PROGRAMS = 5_000
PROGRESS_EVERY = 250
WORDS_MAX = 10_000_000
"""Words of inputs above which an example isn't run with so many samples."""


def of_program(seed: int) -> Found:
    """A random program."""
    return compare_kernels(parsed(text_of(seed)), COUNTS, seed)


def of_example(part: tuple[str, str]) -> Found:
    """An example in an element type."""
    return compare_kernels(example(*part), COUNTS_EXAMPLES, words_max=WORDS_MAX)


def tell(what: str, results: Iterable[Found]) -> int:
    """Print what was compared; how many runs were wrong."""
    count = runs = wrong = 0
    began = time.monotonic()
    for found in results:
        count, runs, wrong = count + 1, runs + found.runs, wrong + len(found.wrong)
        for line in found.wrong:
            print(f"WRONG {line}", flush=True)
        if count % PROGRESS_EVERY == 0:
            seconds = time.monotonic() - began
            print(f"{what}: {count}, {runs} runs, {wrong} wrong ({seconds:.0f} s)", flush=True)
    print(f"{what}: {count}, runs: {runs}, differences: {wrong}", flush=True)
    return wrong


def main() -> None:
    """Run it, and fail if anything differs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=int, default=PROGRAMS)
    parser.add_argument("--first", type=int, default=3_000_000)
    parser.add_argument("--processes", type=int, default=2)
    asked = parser.parse_args()
    with Pool(asked.processes) as pool:
        parts = [(name, element) for name in EXAMPLES for element in ELEMENTS]
        wrong = tell("examples", pool.imap_unordered(of_example, parts))
        seeds = range(asked.first, asked.first + asked.programs)
        wrong += tell("programs", pool.imap_unordered(of_program, seeds, 8))
    raise SystemExit(wrong != 0)


if __name__ == "__main__":
    main()
