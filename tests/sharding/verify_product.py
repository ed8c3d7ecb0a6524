"""The whole product, in parallel processes: `make verify-product`.

Invariant: the last line is `product: N proved and equal, 0 differ`, and the exit status is 0, only
    if every case that can be is right and every other is refused with `shard-owner-range`.
Entry: `python -m sharding.verify_product [PROCESSES]`, with tests/ on the path.
"""

from __future__ import annotations

import sys
from multiprocessing import Pool
from typing import NamedTuple

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


def _run(task: Setting | tuple[int, int]) -> tuple[bool, Count]:
    if isinstance(task, Setting):
        return True, examined(task)
    return False, grouped(task)


def main(processes: int) -> int:
    """Run everything; 1 if anything is wrong."""
    # The largest first, so that the processes end together.
    settings: list[Setting] = sorted(whole(), key=lambda setting: -setting.owners)
    groups = [(contract, owners) for contract in range(len(CONTRACTS)) for owners in OWNERS]
    tasks: list[Setting | tuple[int, int]] = [*settings, *groups]
    right, refused, wrong, digests = 0, 0, 0, 0
    with Pool(processes) as pool:
        done = pool.imap_unordered(_run, tasks, chunksize=1)
        for in_product, count in progress(done, len(tasks), "settings"):
            for text in count.wrong:
                print(text, flush=True)
            wrong += len(count.wrong)
            refused += count.refused
            right += count.right if in_product else 0
            digests += 0 if in_product else count.right
    print(f"fixed groups: {digests} distributions with the digest of their contract")
    print(f"refused: {refused} pairs of other than two owners")
    print(f"product: {right} proved and equal, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 2))
