"""The flags of `alpha simulate` that say what devices a fleet has and how fast they are.

Entry: `add_fleet_flags`, `mix_of`, `rates_of`, `speeds_of`.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from alpha.ir.selections import Selection
from alpha.tools.driver.arguments import UsageError
from alpha.tools.number_flags import quoted

if TYPE_CHECKING:
    from alpha.interpreters.fleets.rates import Rates
    from alpha.ir.protocol.fleets import Mix, Named

RATES = {
    "frame-seconds": ("0.00005", "seconds until the first byte of a frame is with its receiver"),
    "bytes-per-second": ("1250000000", "bytes of frames a second, at either end"),
    "sample-seconds": ("0.000001", "seconds of work for a sample that a role sums over"),
    "word-seconds": ("0.000000001", "seconds of work for a word that it adds, divides or updates"),
}
"""Each rate with its default and what it means."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_DECIMAL = re.compile(r"[0-9]{1,18}(\.[0-9]{1,18})?([eE][+-]?[0-9]{1,2})?", re.ASCII)


def _decimal(text: str) -> Fraction:
    """A number of at least 0, exactly as it is written."""
    if not _DECIMAL.fullmatch(text):
        raise argparse.ArgumentTypeError(
            "expected a number such as 0.5 or 5e-5, with at most 18 digits before the point and 18 "
            f"behind it and an exponent from -99 to 99, got {quoted(text)}"
        )
    return Fraction(text)


def _positive(text: str) -> Fraction:
    number = _decimal(text)
    if not number:
        raise argparse.ArgumentTypeError(f"expected a number above 0, got {text!r}")
    return number


def _named(text: str) -> tuple[str, str]:
    """NAME=VALUE; a selection is read later, where its refusal can say the flag."""
    name, equals, value = text.partition("=")
    if not (equals and _NAME.fullmatch(name)):
        raise argparse.ArgumentTypeError(
            f"expected NAME=..., a name of letters, digits, '.', '_' and '-', got {text!r}"
        )
    return name, value


def _speed(text: str) -> tuple[str, Fraction]:
    name, value = _named(text)
    return name, _positive(value)


def add_fleet_flags(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument(
        "--capability",
        action="append",
        type=_named,
        metavar="NAME=ROLES",
        help="what the devices of these roles are, such as sm86=stride(0, 2, 100000); every role "
        "has to have one",
    )
    parser.add_argument(
        "--speed",
        action="append",
        type=_speed,
        metavar="NAME=FACTOR",
        help="how many times as fast the devices of a capability work (default: 1)",
    )
    parser.add_argument(
        "--control",
        metavar="ROLES",
        help="roles that only relay: they get no samples and don't count as contributors",
    )
    parser.add_argument(
        "--device",
        action="append",
        type=_named,
        metavar="NAME=ROLES",
        help="roles that are on one device and count once; each other role is on its own",
    )
    for rate, (default, meaning) in RATES.items():
        parser.add_argument(
            f"--{rate}",
            type=_positive if rate == "bytes-per-second" else _decimal,
            default=_decimal(default),
            metavar="X",
            help=f"{meaning} (default: {default})",
        )


def mix_of(arguments: argparse.Namespace) -> Mix:
    """The devices that the flags say.

    Raises:
        Refusal: a text that isn't a selection.
    """
    from alpha.ir.protocol.fleets import Mix
    from alpha.ir.selections import Empty

    control = Empty() if arguments.control is None else Selection.parse(arguments.control)
    return Mix(_parts(arguments.capability), control, _parts(arguments.device))


def _parts(given: list[tuple[str, str]] | None) -> tuple[Named, ...]:
    from alpha.ir.protocol.fleets import Named

    return tuple(Named(name, Selection.parse(text)) for name, text in given or ())


def rates_of(arguments: argparse.Namespace) -> Rates:
    """The rates that the flags say, or their defaults."""
    from alpha.interpreters.fleets.rates import Rates

    return Rates(*(getattr(arguments, rate.replace("-", "_")) for rate in RATES))


def speeds_of(arguments: argparse.Namespace) -> Mapping[str, Fraction]:
    """The speed of each capability that has one.

    Raises:
        UsageError: a speed of a capability that no flag names, or two speeds of one.
    """
    named = {name for name, _ in arguments.capability or ()}
    speeds: dict[str, Fraction] = {}
    for name, speed in arguments.speed or ():
        if name not in named:
            raise UsageError(f"--speed {name}=... without --capability {name}=...")
        if name in speeds:
            raise UsageError(f"--speed {name}=... twice")
        speeds[name] = speed
    return speeds
