"""Asks the library: `group SELECTION UNIVERSE` or `disjoint SELECTION SELECTION`."""

from __future__ import annotations

import sys

from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection, as_group
from alpha.ir.selections.relations import first_common


def main(question: str, first: str, second: str) -> int:
    """Print the answer and return 0, or print the refusal and return 1."""
    try:
        if question == "group":
            print(f"a group of {as_group(Selection.parse(first), int(second)).size}")
        else:
            member = first_common(Selection.parse(first), Selection.parse(second))
            print("disjoint" if member is None else f"common member {member}")
    except Refusal as refusal:
        print(f"[{refusal.code}] {refusal.message}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
