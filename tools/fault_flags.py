"""The flag that puts faults into a simulated network: one text a fault.

`drop:0-1:2` is a fault of frame 2 from role 0 to role 1, counted from 0; kinds that need more say
it behind: `flip:0-1:2:payload:5`. Faults of roles are `kill:1:9`, behind 9 events of role 1.

Entry: `add_fault_flag`, `Given`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from alpha.tools.number_flags import SIZE_MAX, quoted

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

BYTES_MAX = 1 << 24
SECONDS_MAX = 1e9

_RANGES: Mapping[str, str] = {
    "delay": f"SECONDS more than 0 and below {SECONDS_MAX:.0f}",
    "truncate": f"BYTES from 1 to {BYTES_MAX}",
    "append": f"BYTES from 1 to {BYTES_MAX}",
    "replay": "EARLIER below N",
    "misroute": "C-D other than A-B",
}


class Given(NamedTuple):
    """A fault, and the text that asks for it."""

    text: str
    fault: Fault


def add_fault_flag(parser: argparse.ArgumentParser) -> None:
    """Declare the flag."""
    parser.add_argument(
        "--fault",
        action=_Each,
        type=_fault,
        metavar="KIND:PLACE",
        help="at the level protocol, make this fault, such as drop:0-1:2 (frame 2 from role 0 to "
        f"role 1), flip:0-1:2:payload:5 or kill:1:9; kinds are {', '.join(FORMS)}",
    )


class _Each(argparse.Action):
    """Keeps every fault. The same one twice is refused: it couldn't be told which was made."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        assert isinstance(values, Given)
        before: list[Given] = getattr(namespace, self.dest) or []
        for given in before:
            if given.fault == values.fault:
                wanted = f"each fault once; got {quoted(values.text)} behind {quoted(given.text)}"
                raise argparse.ArgumentError(self, f"expected {wanted}")
        setattr(namespace, self.dest, [*before, values])


def _fault(text: str) -> Given:
    """A fault, for argparse."""
    kind, _, rest = text.partition(":")
    if kind not in FORMS:
        known = ", ".join(FORMS)
        raise argparse.ArgumentTypeError(f"expected a fault of one of {known}, got {quoted(text)}")
    try:
        return Given(text, _makers()[kind](rest.split(":")))
    except (ValueError, KeyError, IndexError, TypeError):
        parts = [f"{kind}:{FORMS[kind]}", f"numbers from 0 to {SIZE_MAX}"]
        if kind == "flip":
            parts.append(f"PART one of {', '.join(_parts())}")
        wanted = ", ".join([*parts, *filter(None, [_RANGES.get(kind)])])
        raise argparse.ArgumentTypeError(f"expected {wanted}; got {quoted(text)}") from None


def _parts() -> Sequence[str]:
    """What a bit can be flipped in."""
    from alpha.interpreters.network.faults import PARTS

    return PARTS


def _makers() -> Mapping[str, Callable[[Sequence[str]], Fault]]:
    from alpha.interpreters.network import faults

    def of_part(words: Sequence[str]) -> Fault:
        part, bit = words[2:]
        if part not in _parts():
            raise ValueError(part)
        return faults.Flip(*_place(words[:2]), part, _number(bit))

    def of_earlier(words: Sequence[str]) -> Fault:
        place, earlier = _place(words[:2]), _number(*words[2:])
        if earlier >= place[2]:
            raise ValueError(words)
        return faults.Replay(*place, earlier)

    def of_other(words: Sequence[str]) -> Fault:
        place, other = _place(words[:2]), _edge(*words[2:])
        if other == place[:2]:
            raise ValueError(words)
        return faults.Misroute(*place, other)

    return {
        "drop": lambda words: faults.Drop(*_place(words)),
        "delay": lambda words: faults.Delay(*_place(words[:2]), _seconds(*words[2:])),
        "duplicate": lambda words: faults.Duplicate(*_place(words)),
        "swap": lambda words: faults.Swap(*_place(words)),
        "flip": of_part,
        "truncate": lambda words: faults.Truncate(*_place(words[:2]), _bytes(*words[2:])),
        "append": lambda words: faults.Append(*_place(words[:2]), _bytes(*words[2:])),
        "replay": of_earlier,
        "foreign": lambda words: faults.Foreign(*_place(words)),
        "misroute": of_other,
        "kill": lambda words: faults.Kill(*map(_number, words)),
        "silence": lambda words: faults.Silence(*map(_number, words)),
        "partition": lambda words: faults.Partition(*_place(words)),
    }


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(SIZE_MAX))):
        raise ValueError(text)
    return int(text)


def _bytes(text: str) -> int:
    value = _number(text)
    if not 0 < value <= BYTES_MAX:
        raise ValueError(text)
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < SECONDS_MAX:
        raise ValueError(text)
    return value


def _edge(text: str) -> tuple[int, int]:
    one, other = map(_number, text.split("-"))
    return one, other


def _place(words: Sequence[str]) -> tuple[int, int, int]:
    edge, frame = words
    return (*_edge(edge), _number(frame))
