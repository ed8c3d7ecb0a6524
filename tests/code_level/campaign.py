"""Many random programs as code: `python -m code_level.campaign COUNT [FIRST] [PROCESSES]`.

Each is compared by words with the interpreter of programs, before and behind vectors of every
width, for the registers of every target, with functions expanded, in place, and by terms. Prints
the first differences; exit 1 if there are any.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor

from code_level.random_programs import random_program
from code_level.random_rows import random_rows
from code_level.running import (
    TARGETS,
    check_terms,
    check_words,
    expanded,
    lowered,
    parsed,
    vectorized,
    with_room,
)

BITS = (64, 128, 256, 512)

PROGRESS_EVERY = 1000
"""Programs between two lines."""


def difference(seed: int) -> str | None:
    """What went wrong with a program, or None."""
    bits, unroll = BITS[seed % 4], (1, 2, 4)[seed % 3]
    make = random_rows if seed % 4 == 3 else random_program
    module = parsed(make(seed, functions=seed % 8 == 0))
    try:
        code = lowered(module)
        roomy = with_room(module, *TARGETS[seed // 4 % len(TARGETS)])
        plain = [code, lowered(module, 1 + seed % 7), vectorized(code, bits, unroll)]
        plain += [roomy, vectorized(roomy, bits, unroll)]
        forms = [*plain, vectorized(expanded(code), bits, unroll)]
        check_words(module, forms, (0, 1, 3, 9 + seed % 9), seed)
        check_terms(module, plain, (3,))
    except Exception as error:  # every failure is a finding, whatever its class
        return f"program {seed}: {type(error).__name__}: {error}"
    return None


def main(arguments: list[str]) -> int:
    """Run the campaign."""
    count, first, processes = (*map(int, arguments), *(1000, 0, 2)[len(arguments) :])
    failed = 0
    with ProcessPoolExecutor(processes) as pool:
        results = pool.map(difference, range(first, first + count), chunksize=8)
        for done, found in enumerate(results, 1):
            if found is not None:
                failed += 1
                print(found, flush=True)
            if done % PROGRESS_EVERY == 0 and done < count:
                print(f"{done} programs, {failed} with differences so far", flush=True)
    print(f"{count} programs, {failed} with differences")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
