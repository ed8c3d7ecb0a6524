"""The whole comparison: all examples with up to 100,000 samples, and many random programs.

PYTHONPATH=tests python -m native.campaign [--programs N] [--first SEED] [--processes P]
    [--examples]

Random programs are compiled, linked and run in batches; of a batch in which anything is wrong each
is compared by itself, and what is wrong is printed with the seed.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable
from multiprocessing import Pool

from functions.collecting import searched_once, settle
from native.batches import of_programs
from native.executions import Compared, compare
from native.programs import ELEMENTS, EXAMPLES, example

COUNTS_EXAMPLES = (1, 3, 7, 8, 64, 1000, 100_000)
STEPS_EXAMPLES_MAX = 10_000_000
LARGEST = "digits_perceptron"
"""The example that takes longest, and so comes first."""

PROGRAMS = 20_000
BATCH = 16
PROGRESS_SECONDS = 60
"""The least time between two lines."""


def of_example(part: tuple[str, str]) -> tuple[int, Compared]:
    """One example in one element type."""
    name, element = part
    module = example(name, element)
    with searched_once():
        found = compare(f"{name} {element}", module, COUNTS_EXAMPLES, STEPS_EXAMPLES_MAX)
    return 1, found


def of_batch(seeds: range) -> tuple[int, Compared]:
    """Some random programs."""
    with searched_once():
        return len(seeds), of_programs(seeds)


def tell(what: str, results: Iterable[tuple[int, Compared]]) -> int:
    """Print what was compared; how many runs were wrong."""
    runs: Counter[str] = Counter()
    count = wrong = 0
    began = told = time.monotonic()
    for some, each in results:
        runs.update(each.runs)
        count += some
        wrong += len(each.wrong)
        for line in each.wrong:
            print(f"WRONG {line}", flush=True)
        if time.monotonic() - told > PROGRESS_SECONDS:
            told = time.monotonic()
            so_far = f"{what}: {count}, {sum(runs.values())} runs, {wrong} wrong"
            print(f"{so_far} ({told - began:.0f} s)", flush=True)
    for kind, times in sorted(runs.items()):
        print(f"  {kind}: {times} runs")
    print(f"{what}: {count}, runs: {sum(runs.values())}, differences: {wrong}", flush=True)
    return wrong


def main() -> None:
    """Run it, and fail if anything differs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=int, default=PROGRAMS)
    parser.add_argument("--first", type=int, default=1_000_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--examples", action="store_true", help="only the examples")
    asked = parser.parse_args()
    with Pool(asked.processes, settle) as pool:
        names = sorted(EXAMPLES, key=lambda name: name != LARGEST)
        parts = [(name, element) for name in names for element in ELEMENTS]
        wrong = tell("examples", pool.imap_unordered(of_example, parts))
        if not asked.examples:
            last = asked.first + asked.programs
            starts = range(asked.first, last, BATCH)
            batches = [range(at, min(at + BATCH, last)) for at in starts]
            wrong += tell("programs", pool.imap_unordered(of_batch, batches))
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
