"""The whole comparison: all examples with up to 100,000 samples, and many random programs.

PYTHONPATH=tests python -m native.campaign [--programs N] [--first SEED] [--processes P]
    [--examples]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from multiprocessing import Pool

from code_level.random_programs import random_program
from code_level.running import parsed
from native.executions import Compared, compare
from native.programs import ELEMENTS, EXAMPLES, example

COUNTS_EXAMPLES = (1, 3, 7, 8, 64, 1000, 100_000)
COUNTS_PROGRAMS = (0, 1, 2, 3, 5, 8, 9, 17)
STEPS_EXAMPLES_MAX = 3_000_000
STEPS_PROGRAMS_MAX = 3_000
PROGRAMS = 20_000
FUNCTIONS_EVERY = 4
"""Every so many random programs may use exp, log, tanh and sigmoid."""

PROGRESS_EVERY = 500


def of_example(part: tuple[str, str]) -> Compared:
    """One example in one element type."""
    name, element = part
    return compare(f"{name} {element}", example(name, element), COUNTS_EXAMPLES, STEPS_EXAMPLES_MAX)


def of_program(seed: int) -> Compared:
    """One random program."""
    text = random_program(seed, functions=seed % FUNCTIONS_EVERY == 0)
    found = compare(f"program {seed}", parsed(text), COUNTS_PROGRAMS, STEPS_PROGRAMS_MAX, seed)
    found.runs = {" ".join(what.split()[2:]): count for what, count in found.runs.items()}
    return found


def tell(what: str, results: Iterable[Compared]) -> int:
    """Print what was compared; how many runs were wrong."""
    runs: Counter[str] = Counter()
    wrong = 0
    for number, each in enumerate(results, 1):
        runs.update(each.runs)
        wrong += len(each.wrong)
        for line in each.wrong:
            print(f"WRONG {line}", flush=True)
        if number % PROGRESS_EVERY == 0:
            print(f"{number} {what}, {sum(runs.values())} runs, {wrong} wrong", flush=True)
    for kind, count in sorted(runs.items()):
        print(f"  {kind}: {count} runs")
    print(f"{what}: {sum(runs.values())} runs, {wrong} wrong", flush=True)
    return wrong


def main() -> None:
    """Run it, and fail if anything differs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=int, default=PROGRAMS)
    parser.add_argument("--first", type=int, default=1_000_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--examples", action="store_true", help="only the examples")
    asked = parser.parse_args()
    with Pool(asked.processes) as pool:
        parts = [(name, element) for name in EXAMPLES for element in ELEMENTS]
        wrong = tell("examples", pool.imap_unordered(of_example, parts))
        if not asked.examples:
            seeds = range(asked.first, asked.first + asked.programs)
            wrong += tell("programs", pool.imap_unordered(of_program, seeds, chunksize=8))
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
