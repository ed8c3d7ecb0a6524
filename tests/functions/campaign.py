"""Many random functions in every execution, compared by their bits.

PYTHONPATH=tests python -m functions.campaign [COUNT] [SEED] [--processes P] [--wide COUNT]

Each function is run by the interpreter, by what its rows mean, and by the processor, on x86-64 with
and without AVX-512, and on AArch64 under QEMU; `--wide` ones have vectors of 256 and 512 bits and
run on x86-64 alone. What differs is printed by its seed, made as small as it goes; exit 1 then.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator
from multiprocessing import Pool

from functions.batches import Compared, Way, compare, what_differs
from functions.collecting import searched_once, settle
from functions.executions import module_of
from functions.random_functions import random_function
from functions.shrinking import shrunk, text_of
from selection.compiled import AVX512, TARGETS, X86
from xdsl.dialects.builtin import ModuleOp

COUNT = 20_000
WIDE = 2_000
BATCH = 16
WAYS = {
    128: Way(),
    256: Way(256, [each for each in TARGETS if each in (X86, AVX512)]),
    512: Way(512, [each for each in TARGETS if each == AVX512]),
}
"""Where functions run by the bits of their vectors."""

PROGRESS_EVERY = 20
"""Batches between two lines."""

SHRUNK_MAX = 3
"""How many functions that differ are made small: that takes minutes."""


def of_batch(batch: tuple[int, range]) -> tuple[int, Compared]:
    """Functions with vectors of so many bits, of these seeds."""
    bits, seeds = batch
    with searched_once():
        return bits, compare(seeds, WAYS[bits])


def batches(first: int, count: int, wide: int) -> Iterator[tuple[int, range]]:
    """The batches of a campaign, each seed once."""
    for bits, number in ((128, count), (256, wide // 2), (512, wide - wide // 2)):
        if WAYS[bits].targets:
            for at in range(first, first + number, BATCH):
                yield bits, range(at, min(at + BATCH, first + number))
        first += number


def small(seed: int, bits: int) -> str:
    """The text of a function that differs, as small as it goes."""
    made = random_function(seed, bits)
    kind = _kind(what_differs([made], WAYS[bits]))

    def holds(module: ModuleOp) -> bool:
        text = text_of(module)
        return _kind(what_differs([made.with_text(text)], WAYS[bits])) == kind

    return text_of(shrunk(module_of([made.text]), holds))


def _kind(lines: list[str]) -> str:
    """What went wrong: nothing, a difference, or the name of an error."""
    if not lines:
        return ""
    return "difference" if lines[0].startswith("@") else lines[0].partition(":")[0]


def tell(results: Iterable[tuple[int, Compared]]) -> int:
    """Print what was compared; how many functions differ."""
    total, began = Compared(), time.monotonic()
    for number, (bits, each) in enumerate(results, 1):
        shown = len(total.wrong)
        total.add(each)
        for at, (seed, lines) in enumerate(each.wrong.items(), shown):
            print(f"DIFFERENT: seed {seed}, vectors of {bits} bits", *lines[:6], sep="\n  ")
            print(small(seed, bits) if at < SHRUNK_MAX else "", flush=True)
        if number % PROGRESS_EVERY == 0:
            print(f"{total} ({time.monotonic() - began:.0f} s)", flush=True)
    print(total, flush=True)
    return len(total.wrong)


def main() -> None:
    """Run it, and fail if anything differs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("count", type=int, nargs="?", default=COUNT)
    parser.add_argument("seed", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--wide", type=int, default=WIDE, help="functions with wide vectors")
    asked = parser.parse_args()
    parts = batches(asked.seed, asked.count, asked.wide)
    with Pool(asked.processes, settle) as pool:
        wrong = tell(pool.imap_unordered(of_batch, parts))
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
