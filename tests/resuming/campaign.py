"""All that tests of resuming take samples of: `make verify-resuming`, with counts of what was run.

Entry: `python -m resuming.campaign`; with `--every 50` each fiftieth case alone.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from itertools import product as every_row
from multiprocessing import Pool
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from levels.natively import CACHE
from resuming import examples, product, test_owners
from resuming.examples import ExampleCase
from resuming.product import Case
from sharding.product import Row

from alpha.tools.building.cache import VARIABLE
from alpha.tools.progress import progress


class GroupCase(NamedTuple):
    """A run that goes on with other groups."""

    values: tuple

    @property
    def row(self) -> Row:
        """By the names of the factors."""
        return dict(zip(test_owners.FACTORS, self.values, strict=True))


def groups() -> list[GroupCase]:
    """All that `test_owners` takes a covering set of."""
    return [GroupCase(values) for values in every_row(*test_owners.FACTORS.values())]


AnyCase = Case | ExampleCase | GroupCase

KINDS = {
    "every three values of the nine words": product.whole,
    "every number of owners from every other": product.owners_of_owners,
    "every example, stop and partitioning": examples.every_case,
    "other groups at every level": groups,
}


def examined(case: AnyCase) -> str | None:
    """Run a case; what is wrong, or None."""
    try:
        if isinstance(case, ExampleCase):
            return examples.examine(case)
        if isinstance(case, GroupCase):
            with TemporaryDirectory(prefix="alpha-tests-") as folder:
                check = test_owners.test_other_groups_are_another_contract_from_that_round_on
                check(case.row, Path(folder))
            return None
        return product.examine(case)
    except Exception as error:  # it is counted as wrong, and the others go on
        return repr(error)


def levels_of(case: AnyCase) -> str:
    """From which level to which a case goes."""
    if isinstance(case, GroupCase):
        return f"{case.row['level']} to {case.row['level']}"
    if isinstance(case, ExampleCase):
        return f"{case.writer} to {case.reader}"
    return f"{case.writer.level} to {case.reader.level}"


def main() -> int:
    """Run all cases; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, help="run each so many-th case alone")
    arguments = parser.parse_args()
    os.environ.setdefault(VARIABLE, str(CACHE))
    levels: Counter[str] = Counter()
    total = wrong = 0
    with Pool(arguments.processes) as pool:
        for kind, of in KINDS.items():
            cases = list(of())[:: arguments.every]
            done = zip(cases, pool.imap(examined, cases, chunksize=1), strict=True)
            before = wrong
            for case, found in progress(done, len(cases), "cases"):
                levels[levels_of(case)] += 1
                if found is not None:
                    wrong += 1
                    print(f"{case}: {found}", flush=True)
            total += len(cases)
            print(f"{kind}: {len(cases)} cases, {wrong - before} differ", flush=True)
    for name in sorted(levels):
        print(f"{name}: {levels[name]}")
    print(f"resumed runs: {total} cases, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
