"""The flags by which a command distributes and partitions a learner.

Entry: `add_distribution_flags`, `add_partition_flags`, `refuse_distribution_flags`, `MODES`.
"""

from __future__ import annotations

import argparse

from alpha.ir.refusals import Refusal
from alpha.tools.number_flags import SIZE_MAX, ranged

MODES = ("optimizer", "parameters", "gradients")
FLAGS = ("owners", "topology", "samples", "partition", "map")

_sample_count = ranged(0, SIZE_MAX, "numbers such as 1,2,3,0, each")


def _counts(text: str) -> tuple[int, ...]:
    return tuple(map(_sample_count, text.split(",")))


def _modes(text: str) -> tuple[str, ...]:
    wanted = () if text == "none" else tuple(text.split(","))
    for mode in wanted:
        if mode not in MODES:
            known = ", ".join(MODES)
            raise argparse.ArgumentTypeError(f"expected some of {known}, or none, got {mode!r}")
    return tuple(mode for mode in MODES if mode in wanted)


def add_distribution_flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument(
        "--owners",
        type=ranged(0, SIZE_MAX),
        metavar="N",
        help="among how many owners (default: as declared)",
    )
    parser.add_argument(
        "--topology",
        metavar="T",
        help="pair, star or tree<F> (default: as declared, else star)",
    )
    parser.add_argument(
        "--samples",
        type=_counts,
        metavar="A,B,...",
        help="how many samples each owner has (default: as declared, else even)",
    )
    add_partition_flags(parser)


def add_partition_flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags that say which states are shared out, and how."""
    parser.add_argument(
        "--partition",
        type=_modes,
        metavar="MODES",
        help="some of optimizer,parameters,gradients, or none",
    )
    parser.add_argument(
        "--map",
        metavar="MAP",
        help="cyclic, block, block_cyclic<B>, rows<W, MAP>, or sizes or pieces of all owners in "
        "brackets (default: cyclic)",
    )


def refuse_distribution_flags(arguments: argparse.Namespace, level: str) -> None:
    """Refuse these flags at a level that has no owners.

    Raises:
        Refusal: target-unsupported.
    """
    for flag in FLAGS:
        if getattr(arguments, flag) is not None:
            wanted = f"no --{flag} with {level}, which has no owners"
            raise Refusal("target-unsupported", wanted, f"--{flag}")
