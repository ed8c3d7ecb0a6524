"""The flags that bound how long participants wait.

Entry: `add_waiting_flags`, `wait_of`, `deadline_of`, `seconds_text`.
"""

from __future__ import annotations

import argparse
import math

WAIT_SECONDS = 60.0
SESSION_SECONDS = 7 * 24 * 3600.0
SECONDS_MAX = 366 * 24 * 3600.0


def _seconds(text: str) -> float:
    """A bound in seconds, for argparse."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= SECONDS_MAX:
        raise argparse.ArgumentTypeError(
            f"expected seconds, more than 0 and at most {SECONDS_MAX:.0f}, got {text!r}"
        )
    return value


def add_waiting_flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument(
        "--wait",
        type=_seconds,
        metavar="S",
        help="how long a role that is a process waits for one frame, in seconds (default: "
        f"{WAIT_SECONDS:g})",
    )
    parser.add_argument(
        "--deadline",
        type=_seconds,
        metavar="S",
        help="how long a whole run may take, in seconds (default: a week)",
    )


def wait_of(arguments: argparse.Namespace) -> float:
    """The seconds that a role waits for one frame."""
    return WAIT_SECONDS if arguments.wait is None else arguments.wait


def deadline_of(arguments: argparse.Namespace) -> float:
    """The seconds that a whole run may take."""
    return SESSION_SECONDS if arguments.deadline is None else arguments.deadline


def seconds_text(value: float) -> str:
    """Seconds as an executable reads them, in digits, down to a nanosecond."""
    return f"{max(value, 1e-9):.9f}".rstrip("0").rstrip(".")
