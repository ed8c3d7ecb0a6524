"""What a model says, as one JSON document for a program.

Invariant: a time is the nearest binary64 number of seconds, or a whole number where it is one; all
    else is exact.
Entry: `print_document`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from alpha.tools.driver.output import write_line
from alpha.tools.simulating.flags import RATES
from alpha.tools.simulating.text import notice

if TYPE_CHECKING:
    from alpha.interpreters.fleets.rates import Rates
    from alpha.interpreters.fleets.reports import Fleet, FleetClass, Range

FORMAT = 1
"""Goes up when a name of the document changes its meaning or goes away."""


def print_document(fleet: Fleet, rates: Rates, speeds: Mapping[str, Fraction]) -> None:
    """Print the document."""
    edge = fleet.busiest_edge
    document: dict[str, Any] = {
        "notice": notice(fleet),
        "format": FORMAT,
        "protocol": fleet.title,
        "roles": fleet.roles,
        "rounds": fleet.rounds,
        "versions": fleet.versions,
        "depth": fleet.depth,
        "fan_out": fleet.fan_out,
        "rates": {
            name: _number(getattr(rates, name))
            for name in (rate.replace("-", "_") for rate in RATES)
        },
        "speeds": {name: _number(speed) for name, speed in speeds.items()},
        "size_classes": [
            {"size": each.size, "roles": each.nodes, "children": each.children.pairs}
            for each in fleet.size_classes
        ],
        "classes": list(map(_class, fleet.classes)),
        "round": {"frames": fleet.round_frames, "bytes": fleet.round_bytes},
        "run": {"frames": fleet.frames, "bytes": fleet.bytes},
        "seconds": {
            "first_round": _number(fleet.seconds.first_round),
            "later_rounds": _number(fleet.seconds.later_rounds),
            "run": _number(fleet.seconds.all),
            "longest_wait": _number(fleet.longest_wait),
        },
        "busiest_role": dict(zip(("role", "bytes"), fleet.busiest_role, strict=True)),
        "busiest_edge": None if edge is None else {"roles": edge[:2], "bytes": edge[2]},
        "contributing": {
            "devices": fleet.contributors.devices,
            "roles": fleet.contributors.roles,
        },
        "followed": {
            "programs": fleet.programs,
            "kinds": fleet.kinds,
            "roles_looked_at": fleet.visits,
        },
    }
    write_line(json.dumps(document, indent=2))


def _number(number: Fraction | None) -> int | float | None:
    if number is None:
        return None
    return int(number) if number.denominator == 1 else float(number)


def _class(each: FleetClass) -> dict[str, Any]:
    return {
        "size": each.size,
        "roles": each.roles,
        "first": each.first,
        "members": None if each.members is None else str(each.members),
        "capability": each.capability,
        "control": each.control,
        "costs": _ranges(each.costs),
        "memory_bytes": _ranges(each.memory),
        "longest_wait_seconds": _number(each.longest_wait),
    }


def _ranges(ranges: Mapping[str, Range]) -> dict[str, tuple[int, int]]:
    """The least and the most of each number."""
    return {name.replace(" ", "_"): (range.least, range.most) for name, range in ranges.items()}
