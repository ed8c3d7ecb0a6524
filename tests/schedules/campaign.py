"""The long comparisons of the checker of schedules with what happens: `make verify-schedules`.

Invariant: the last line is `schedules: N protocols accepted, 0 wrong`, and the exit status is 0,
    only if every protocol is accepted and never sticks, and whatever sticks is refused.
Entry: `python -m schedules.campaign [--count N] [--size N] [--swapped N] [--processes N]`, with
    tests/ on the path.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable
from functools import partial
from multiprocessing import Pool

from schedules.trials import WRONG, tried_all, tried_at_random

from alpha.tools.progress import progress

CHUNK = 500
"""Random protocols a task."""

PARTS = 64
"""Tasks that a large size is cut into."""

Task = Callable[[], Counter[str]]


def _run(task: tuple[str, Task]) -> tuple[str, Counter[str]]:
    return task[0], task[1]()


def _tasks(count: int, size: int, swapped: int) -> list[tuple[str, Task]]:
    tasks: list[tuple[str, Task]] = [
        ("random", partial(tried_at_random, seed, min(CHUNK, count - seed * CHUNK)))
        for seed in range(-(-count // CHUNK))
    ]
    for each in range(1, size + 1):
        parts = PARTS if each > 3 else 1
        tasks += [
            (f"size {each}", partial(tried_all, each, part, parts, each <= swapped))
            for part in range(parts)
        ]
    return tasks


def main(arguments: list[str]) -> int:
    """Run everything; 1 if anything is wrong."""
    parser = ArgumentParser(prog="schedules.campaign", description=__doc__)
    parser.add_argument("--count", type=int, default=100_000, help="random protocols")
    parser.add_argument("--size", type=int, default=5, help="of all protocols, the largest")
    parser.add_argument("--swapped", type=int, default=5, help="the largest of exchanged ones")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args(arguments)
    tasks = _tasks(given.count, given.size, given.swapped)
    found: dict[str, Counter[str]] = {}
    with Pool(given.processes) as pool:
        done = pool.imap_unordered(_run, tasks, chunksize=1)
        for what, counts in progress(done, len(tasks), "tasks"):
            found.setdefault(what, Counter()).update(counts)
    accepted = wrong = 0
    for what in sorted(found):
        for name, number in sorted(found[what].items()):
            print(f"{what}: {number} {name}")
            accepted += number if name.startswith("accepted") else 0
            wrong += number if name.startswith(WRONG) else 0
    print(f"schedules: {accepted} protocols accepted, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
