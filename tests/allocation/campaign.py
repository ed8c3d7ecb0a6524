"""Many random functions, allocated and run: `python -m allocation.campaign 20000`.

Entry: `main`; exit 1 with the seed of the first function that goes wrong.
"""

from __future__ import annotations

import sys
import traceback
from concurrent.futures import ProcessPoolExecutor

from allocation.trials import real_trial, toy_trial

from alpha.backends.aarch64.target import target as aarch64
from alpha.backends.x86.target import target as x86

TARGETS = (x86(), x86(frozenset({"avx512"})), aarch64())
SHAPES = ((1, 40), (4, 10), (9, 6), (25, 4))


def one(seed: int) -> str:
    """The trial of a seed; what went wrong, else nothing."""
    blocks, length = SHAPES[seed % len(SHAPES)]
    try:
        toy_trial(seed, blocks, length)
        if seed % 4 == 0:
            real_trial(TARGETS[seed // 4 % len(TARGETS)], seed, blocks, 2 * length)
    except Exception:
        return f"seed {seed}\n{traceback.format_exc()}"
    return ""


def main(count: int) -> int:
    """Run so many trials on all processors."""
    with ProcessPoolExecutor() as pool:
        for said in pool.map(one, range(count), chunksize=50):
            if said:
                print(said)
                pool.shutdown(cancel_futures=True)
                return 1
    print(f"{count} random functions are the same before and after allocation")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000))
