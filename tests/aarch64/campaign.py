"""Many more instances and states of every row than the tests have. Prints what differs.

Run as `python -m aarch64.campaign [--rounds N] [--seed S]`; a round has 16 instances of every row,
with 20 states each, and goes through both assemblers and the disassembler too.
"""

from __future__ import annotations

import argparse
import sys

from aarch64.assembled import FAMILIES, assembled_by
from aarch64.comparing import differences
from aarch64.instances import text_of
from aarch64.reading import line_meant, line_read
from aarch64.test_meanings import executed, executed_instances
from aarch64.test_texts import LABELS

INSTANCES = 16
STATES = 20


def main() -> int:
    """Run the rounds; 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="aarch64.campaign")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    failed = 0
    records = 0
    for number in range(options.rounds):
        seed = options.seed + number
        instances = executed_instances(INSTANCES, seed=seed)
        texts = [text_of(instance, LABELS) for instance in instances]
        gnu, other = (assembled_by(family, texts) for family in FAMILIES)
        for text, one, two in zip(texts, gnu, other, strict=True):
            read = [line_read(line) for line in one]
            if one != two or read != [line_meant(line) for line in text.splitlines()]:
                failed += 1
                print(f"seed {seed}: {text!r}: {one}, {two}, read as {read}")
        compared = executed(instances, STATES, seed=seed)
        records += len(compared[1])
        for each in differences(*compared):
            failed += 1
            shown = text_of(each.instance, LABELS)
            print(f"seed {seed}: {each.instance.row.name}: {shown!r}: {each.where}:", end=" ")
            print(f"{each.expected} expected, {each.found} found")
    print(f"{records} executed states of instances, {failed} differences")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
