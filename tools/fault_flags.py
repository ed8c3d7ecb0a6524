"""The flag that puts faults into a simulated network: one text a fault.

`drop:0-1:2` is a fault of frame 2 from role 0 to role 1, counted from 0; kinds that need more say
it behind: `flip:0-1:2:payload:5`. Faults of roles are `kill:1:9`, behind 9 events of role 1.

Entry: `add_fault_flag`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alpha.interpreters.network.faults import Fault

FORMS: Mapping[str, str] = {
    "drop": "A-B:N",
    "delay": "A-B:N:SECONDS",
    "duplicate": "A-B:N",
    "swap": "A-B:N",
    "flip": "A-B:N:PART:BIT",
    "truncate": "A-B:N:BYTES",
    "append": "A-B:N:BYTES",
    "replay": "A-B:N:EARLIER",
    "foreign": "A-B:N",
    "misroute": "A-B:N:C-D",
    "kill": "ROLE:EVENTS",
    "silence": "ROLE:EVENTS",
    "partition": "A-B:N",
}
"""What stands behind each kind."""


def add_fault_flag(parser: argparse.ArgumentParser) -> None:
    """Declare the flag."""
    parser.add_argument(
        "--fault",
        action="append",
        type=_fault,
        metavar="KIND:PLACE",
        help="at the level protocol, make this fault, such as drop:0-1:2 (frame 2 from role 0 to "
        f"role 1), flip:0-1:2:payload:5 or kill:1:9; kinds are {', '.join(FORMS)}",
    )


def _fault(text: str) -> Fault:
    """A fault, for argparse."""
    kind, _, rest = text.partition(":")
    if kind not in FORMS:
        known = ", ".join(FORMS)
        raise argparse.ArgumentTypeError(f"expected a fault of one of {known}, got {text!r}")
    try:
        return _makers()[kind](rest.split(":"))
    except (ValueError, KeyError, IndexError, TypeError):
        wanted = f"{kind}:{FORMS[kind]}"
        raise argparse.ArgumentTypeError(f"expected {wanted}, got {text!r}") from None


def _makers() -> Mapping[str, Callable[[Sequence[str]], Fault]]:
    from alpha.interpreters.network import faults

    def of_part(words: Sequence[str]) -> Fault:
        part, bit = words[2:]
        if part not in faults.PARTS:
            raise ValueError(part)
        return faults.Flip(*_place(words[:2]), part, _number(bit))

    return {
        "drop": lambda words: faults.Drop(*_place(words)),
        "delay": lambda words: faults.Delay(*_place(words[:2]), _seconds(*words[2:])),
        "duplicate": lambda words: faults.Duplicate(*_place(words)),
        "swap": lambda words: faults.Swap(*_place(words)),
        "flip": of_part,
        "truncate": lambda words: faults.Truncate(*_place(words[:2]), _number(*words[2:])),
        "append": lambda words: faults.Append(*_place(words[:2]), _number(*words[2:])),
        "replay": lambda words: faults.Replay(*_place(words[:2]), _number(*words[2:])),
        "foreign": lambda words: faults.Foreign(*_place(words)),
        "misroute": lambda words: faults.Misroute(*_place(words[:2]), _edge(*words[2:])),
        "kill": lambda words: faults.Kill(*map(_number, words)),
        "silence": lambda words: faults.Silence(*map(_number, words)),
        "partition": lambda words: faults.Partition(*_place(words)),
    }


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise ValueError(text)
    return int(text)


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 <= value < 1e9:
        raise ValueError(text)
    return value


def _edge(text: str) -> tuple[int, int]:
    one, other = map(_number, text.split("-"))
    return one, other


def _place(words: Sequence[str]) -> tuple[int, int, int]:
    edge, frame = words
    return (*_edge(edge), _number(frame))
