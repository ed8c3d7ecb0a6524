"""Every row of x86-64 on many more states and with many more operands than the tests take.

Entry: `python -m x86.campaign [--instances I] [--states S] [--seed N]`; exit 1 if anything differs.
"""

from __future__ import annotations

import argparse
import sys

from x86.choices import all_instances
from x86.comparison import differences
from x86.execution import Library, executable, has
from x86.instances import Instance, text_of
from x86.machine_code import FAMILIES, disassembled, encodings
from x86.reading import commuted, meant, read

from alpha.backends.x86.rows.table import ALL

INSTANCES_OF_A_LIBRARY = 4000


def compared(instances: list[Instance], states: int, seed: int) -> int:
    """How many instances differ from what they mean; each is shown."""
    executed = [each for each in instances if executable(each)]
    wrong = 0
    for start in range(0, len(executed), INSTANCES_OF_A_LIBRARY):
        part = executed[start : start + INSTANCES_OF_A_LIBRARY]
        library = Library(part)
        for number, instance in enumerate(part):
            found = differences(instance, library, number, states, seed + start + number)
            wrong += bool(found)
            for text in found[:1]:
                print(text, flush=True)
        print(f"{start + len(part)} of {len(executed)} instances, {wrong} differ", flush=True)
    return wrong


def written(instances: list[Instance]) -> int:
    """How many texts the assemblers and the disassembler don't agree on; each is shown."""
    texts = [
        text_of(each, dict.fromkeys(("yes", "no", "to"), f"end{number}"))
        for number, each in enumerate(instances)
    ]
    wrong = 0
    for family in FAMILIES:
        for text, code in zip(texts, encodings(family, texts), strict=True):
            wanted = [commuted(line) for line in meant(text, len(code))]
            found = [commuted(line) for line in read(disassembled(code))]
            if wanted != found:
                wrong += 1
                print(family, wanted, found, flush=True)
    print(f"{len(texts)} texts, {wrong} read otherwise", flush=True)
    return wrong


def main() -> int:
    """Run the campaign that the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--instances", type=int, default=12, help="of each row")
    parser.add_argument("--states", type=int, default=64, help="for each instance")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    unverified = sum(not has(row.feature) for row in ALL)
    print(f"{len(ALL)} rows, {unverified} of them need what this processor lacks", flush=True)
    instances = list(all_instances(given.instances, given.seed))
    wrong = written(instances)
    wrong += compared(instances, given.states, given.seed << 24)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
