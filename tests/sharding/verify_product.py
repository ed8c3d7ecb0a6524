"""The whole product, in parallel processes: `make verify-product`.

Invariant: the last line is `product: N proved and equal, 0 differ`, and the exit status is 0, only
    if every case that can be is right and every other is refused with `shard-owner-range`.
Entry: `python -m sharding.verify_product [PROCESSES]`, with tests/ on the path.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import product
from multiprocessing import Pool
from typing import NamedTuple

from sharding import test_contracts_of_groups, test_costs
from sharding.fixed_groups import CONTRACTS, OWNERS, digests_of
from sharding.product import CHOICES, Setting, distributed, examine, is_refused, whole

from alpha.ir.refusals import Refusal
from alpha.tools.progress import progress


class Count(NamedTuple):
    """What became of the cases of a task."""

    right: int
    refused: int
    wrong: list[str]


def examined(setting: Setting) -> Count:
    """Every choice of one setting."""
    if is_refused(setting):
        try:
            distributed(setting)
        except Refusal as refusal:
            if refusal.code == "shard-owner-range":
                return Count(0, len(CHOICES), [])
        return Count(0, 0, [f"{setting}: not refused with shard-owner-range"] * len(CHOICES))
    try:
        found = examine(setting, CHOICES)
    except Exception as error:  # it is counted as wrong, and the others go on
        return Count(0, 0, [f"{setting}: {error!r}"] * len(CHOICES))
    wrong = [f"{setting} {choice}: {found[str(choice)]}" for choice in CHOICES]
    wrong = [text for text, choice in zip(wrong, CHOICES, strict=True) if found[str(choice)]]
    return Count(len(CHOICES) - len(wrong), 0, wrong)


def grouped(task: tuple[int, int]) -> Count:
    """Every topology, mode and map of one contract of eight groups and one number of owners."""
    contract, owners = task
    found = digests_of(CONTRACTS[contract], owners)
    wanted = found["learner"]
    wrong = [
        f"{CONTRACTS[contract]}, {owners} owners: {case} has another digest"
        for case, digest in found.items()
        if digest != wanted
    ]
    return Count(len(found) - 1 - len(wrong), 0, wrong)


def costs_of_adam(values: tuple) -> Count:
    """What owners keep, of one row of the factors of `test_costs`."""
    row = dict(zip(test_costs.FACTORS, values, strict=True))
    return _passed(partial(test_costs.test_adam_keeps_the_words_of_the_design, row), f"costs {row}")


def zeros(values: tuple) -> Count:
    """Signs of zero, of one row of the factors of `test_contracts_of_groups`."""
    check = test_contracts_of_groups.test_minus_zeros_stay_minus_zero
    return _passed(partial(check, *values), f"zeros {values}")


def _passed(check: Callable[[], None], name: str) -> Count:
    try:
        check()
    except Exception as error:  # it is counted as wrong, and the others go on
        return Count(0, 0, [f"{name}: {error!r}"])
    return Count(1, 0, [])


Task = tuple[str, Callable[..., Count], object]
"""What it is a task of, and what is done with what."""


def _run(task: Task) -> tuple[str, Count]:
    kind, work, of = task
    return kind, work(of)


def _tasks() -> list[Task]:
    # The largest first, so that the processes end together.
    settings: list[Setting] = sorted(whole(), key=lambda setting: -setting.owners)
    groups = [(contract, owners) for contract in range(len(CONTRACTS)) for owners in OWNERS]
    return [
        *(("product", examined, each) for each in settings),
        *(("groups", grouped, each) for each in groups),
        *(("costs", costs_of_adam, each) for each in product(*test_costs.FACTORS.values())),
        *(("zeros", zeros, each) for each in product(*test_contracts_of_groups.FACTORS.values())),
    ]


def main(processes: int) -> int:
    """Run everything; 1 if anything is wrong."""
    tasks, right = _tasks(), Counter[str]()
    refused = wrong = 0
    with Pool(processes) as pool:
        done = pool.imap_unordered(_run, tasks, chunksize=1)
        for kind, count in progress(done, len(tasks), "settings"):
            for text in count.wrong:
                print(text, flush=True)
            wrong += len(count.wrong)
            refused += count.refused
            right[kind] += count.right
    print(f"fixed groups: {right['groups']} distributions with the digest of their contract")
    print(f"costs of Adam: {right['costs']} distributions as the design says")
    print(f"signs of zero: {right['zeros']} contracts with all distributions")
    print(f"refused: {refused} pairs of other than two owners")
    print(f"product: {right['product']} proved and equal, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 2))
