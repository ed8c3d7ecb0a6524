"""The whole product of protocols, in parallel processes: `make verify-protocols`.

Invariant: the exit status is 0 only if every protocol that can be ends in the bits of the shard
    level, over the simulated network and over sockets, and every other is refused.
Entry: `python -m levels.verify_product [PROCESSES]`, with tests/ on the path.
"""

from __future__ import annotations

import sys
from multiprocessing import Pool

from levels.product import Examination, examine, whole
from sharding.product import CHOICES, Setting

from alpha.tools.progress import progress


def examined(setting: Setting) -> Examination:
    """Every choice of one setting."""
    try:
        return examine(setting, CHOICES)
    except Exception as error:  # it is counted as wrong, and the others go on
        return Examination(wrong=(f"{setting}: {error!r}",))


def main(processes: int) -> int:
    """Run everything; 1 if anything is wrong."""
    # The largest first, so that the processes end together.
    settings = sorted(whole(), key=lambda setting: -setting.owners)
    found = Examination()
    with Pool(processes) as pool:
        done = pool.imap_unordered(examined, settings, chunksize=1)
        for each in progress(done, len(settings), "settings"):
            for text in each.wrong:
                print(text, flush=True)
            found = found.plus(each)
    differ = len(found.wrong)
    print(f"refused: {found.refused} trees without direct connections")
    print(f"sockets: {found.sockets} runs equal")
    print(f"protocols: {found.protocols} runs equal, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 2))
