"""The flags that say which processors executables are for.

Entry: `add_target_flags`, `words`.
"""

from __future__ import annotations

import argparse

from alpha.tools.number_flags import quoted


def words(text: str) -> tuple[str, ...]:
    """Words divided by commas, for argparse."""
    found = tuple(text.split(","))
    if not all(found):
        raise argparse.ArgumentTypeError(f"expected words divided by commas, got {quoted(text)}")
    return found


def add_target_flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument(
        "--targets",
        type=words,
        metavar="T,...",
        help="the machines of the roles, in their order, repeated: x86-64, aarch64; of a run also "
        "sm86, with --device (default: this machine)",
    )
    parser.add_argument(
        "--features",
        type=words,
        metavar="F,...",
        help="what the processors have beyond their baseline, for the targets that know it: avx512 "
        "of x86-64",
    )
