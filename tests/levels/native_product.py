"""What native participants can vary in beside a protocol: targets, and who is interpreted.

Invariant: a case is right only if the processes end in the bits of the shard level.
Entry: `COVER`, `covering`, `examine`, `NativeCase`. `python -m levels.native_product` runs cases in
    which every three values of three factors are met, and all that stores in place.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from multiprocessing import Pool
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from levels import test_native_generations
from levels.endings import at_shard_level, difference, lowered, projected
from levels.natively import MACHINES, natively
from levels.product import EXCHANGES, FACTORS
from sharding.product import Choice, Setting, case_of, covering_rows, distributed

from alpha.ir.sharding.distribution import find_distribution
from alpha.tools.distributing import run_pass
from alpha.tools.progress import progress

ROUNDS = 3
MIXES: Mapping[str, Sequence[str]] = {
    "x86-64": MACHINES[:1],
    "aarch64": MACHINES[1:],
    "alternating": MACHINES,
    "interpreted": MACHINES[::-1],
}
"""The targets of roles in turn; of the last every third role is interpreted."""

NATIVE_FACTORS: Mapping[str, Sequence[Any]] = {
    **FACTORS,
    "mix": tuple(MIXES),
    "exchange": EXCHANGES,
}


class NativeCase(NamedTuple):
    """One distribution, and by whom its roles are run."""

    setting: Setting
    choice: Choice
    mix: str
    exchange: str

    def __str__(self) -> str:
        return " ".join(map(str, (*self.setting, self.choice, self.mix, self.exchange)))


def covering(strength: int) -> Sequence[NativeCase]:
    """Cases in which every so many values of as many factors are met together."""
    rows = covering_rows(strength, NATIVE_FACTORS)
    return [NativeCase(*case_of(row), row["mix"], row["exchange"]) for row in rows]


COVER = covering(2)


def interpreted_roles(case: NativeCase) -> Collection[int]:
    """The roles that are run by the interpreter."""
    return range(1, case.setting.owners, 3) if case.mix == "interpreted" else ()


def examine(case: NativeCase) -> str | None:
    """Run a case natively; what is wrong, or None."""
    file = distributed(case.setting)
    for mode in case.choice.modes:
        run_pass(file.context, file.module, f"partition_{mode}", map=case.choice.map)
    distribution = find_distribution(file.module)
    assert distribution is not None
    protocol = lowered(file.context, file.module, case.exchange, ROUNDS)
    if protocol is None:
        # A tree has no direct connections.
        return None if case.setting.topology.startswith("tree") else "refused"
    wanted = at_shard_level(distribution, file.words, ROUNDS)
    module = projected(file.context, protocol)
    found = natively(module, file.words, MIXES[case.mix], interpreted_roles(case))
    return difference(found, wanted)


def _examined(case: NativeCase | tuple[str, str]) -> str | None:
    try:
        if isinstance(case, NativeCase):
            return examine(case)
        check = test_native_generations.test_what_is_stored_is_of_its_version
        with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            check(*case, Path(folder), patch)
        return None
    except Exception as error:  # it is counted as wrong, and the others go on
        return repr(error)


def main(processes: int) -> int:
    """Run all cases; 1 if anything is wrong."""
    cases, wrong = [*covering(3), *test_native_generations.WHOLE], 0
    with Pool(processes) as pool:
        done = zip(cases, pool.imap(_examined, cases, chunksize=1), strict=True)
        for case, found in progress(done, len(cases), "cases"):
            if found is not None:
                wrong += 1
                print(f"{case}: {found}", flush=True)
    print(f"native participants: {len(cases)} cases, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 2))
