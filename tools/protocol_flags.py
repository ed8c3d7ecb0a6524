"""The flags that say how a protocol is made of a learner, and over which network it is simulated.

Entry: `add_protocol_flags`, `add_network_flags`, `add_role_flags`.
"""

from __future__ import annotations

import argparse

from alpha.tools.number_flags import NUMBER_MAX, ranged

EXCHANGES = ("gather", "sharded", "auto")
UNBOUNDED = "unbounded"

_number = ranged(0, NUMBER_MAX)
_frames = ranged(0, NUMBER_MAX, "unbounded, or a number")


def _buffer(text: str) -> int | str:
    return text if text == UNBOUNDED else _frames(text)


def add_protocol_flags(
    parser: argparse.ArgumentParser, where: str = "at the levels protocol and role: "
) -> None:
    """Declare the flags that say how a protocol is made; `where` says where they mean something."""
    parser.add_argument(
        "--exchange",
        choices=EXCHANGES,
        help=f"{where}sums and pieces go along the topology (gather), "
        "directly between every two of at most 64 roles of a pair or star (sharded), or by size "
        "(auto, the default)",
    )
    parser.add_argument(
        "--threshold",
        type=_number,
        metavar="BYTES",
        help="with --exchange=auto, values of more bytes go directly (default: 65536)",
    )


def add_role_flags(parser: argparse.ArgumentParser, where: str = "at the level role: run ") -> None:
    """Declare the flags of the roles; `where` begins their help."""
    parser.add_argument(
        "--unchecked",
        action="store_true",
        help=f"{where}programs of roles that the file has even if they don't fit "
        "together, to see what refuses them then",
    )


def add_network_flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags of the simulated network."""
    parser.add_argument(
        "--seed", type=_number, metavar="S", help="at the level protocol: of latencies and order"
    )
    parser.add_argument(
        "--buffer",
        type=_buffer,
        metavar="N",
        help="at the level protocol: frames of an edge that may be on their way while their sender "
        "goes on, or unbounded (the default)",
    )
