"""The long trial of register allocation and its checker: `make verify-allocation`.

Random functions are allocated in 4 to 13 registers of each class, checked, and executed before and
after. Then one thing of each allocation is changed, and the checker must refuse it wherever an
execution differs.

Invariant: the last line is `allocation: N functions are right, M of K wrong ones missed`, and the
    exit status is 0, only if every allocation passes and does what its function does, and of the
    wrong ones that differ, at most one in 1,000 of each kind is missed.
Entry: `python -m machine.campaign [--count N] [--mutations N] [--processes N]`, with tests/ on the
    path.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from functools import partial
from multiprocessing import Pool

from machine.mutations import KINDS
from machine.trials import TARGETS, Wrong, tried_on

from alpha.tools.progress import progress

CHUNK = 25
"""Functions a task."""

MISSED_MAX = 0.001
"""Of the wrong allocations of one kind."""


def _run(first: int, count: int, mutations: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for seed in range(first, first + count):
        try:
            found += tried_on(seed, mutations)
        except Wrong as wrong:
            print(wrong, file=sys.stderr)
            found["wrong allocations"] += 1
    return found


def _tasks(count: int, mutations: int) -> list[partial[Counter[str]]]:
    firsts = range(0, count, CHUNK)
    return [partial(_run, first, min(CHUNK, count - first), mutations) for first in firsts]


def _called(task: partial[Counter[str]]) -> Counter[str]:
    return task()


def main(arguments: list[str]) -> int:
    """Run everything; 1 if anything is wrong or too much is missed."""
    parser = ArgumentParser(prog="machine.campaign", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000, help="functions")
    parser.add_argument("--mutations", type=int, default=1, help="of each kind and function")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args(arguments)
    found: Counter[str] = Counter()
    tasks = _tasks(given.count, given.mutations)
    with Pool(given.processes) as pool:
        done = pool.imap_unordered(_called, tasks, chunksize=1)
        for counts in progress(done, len(tasks), "tasks"):
            found += counts
    for name in (*TARGETS, "instructions", "inserted", "wrong allocations"):
        print(f"{name}: {found[name]}")
    too_many = False
    for kind in KINDS:
        caught, missed = found[f"{kind}: caught"], found[f"{kind}: missed"]
        harmless = found[f"{kind}: harmless"] + found[f"{kind}: refused"]
        print(f"{kind}: {caught} caught, {missed} missed, {harmless} that no execution tells")
        too_many |= missed > MISSED_MAX * (caught + missed)
    missed = sum(found[f"{kind}: missed"] for kind in KINDS)
    wrong = missed + sum(found[f"{kind}: caught"] for kind in KINDS)
    right = sum(found[name] for name in TARGETS) - found["wrong allocations"]
    print(f"allocation: {right} functions are right, {missed} of {wrong} wrong ones missed")
    return 1 if too_many or found["wrong allocations"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
