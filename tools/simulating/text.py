"""What a model says, as tables and lines for a person.

Entry: `print_fleet`, `NOTICE`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from alpha.interpreters.fleets.reports import MEMORY
from alpha.tools.driver.counts import counted
from alpha.tools.driver.output import write_line
from alpha.tools.simulating.flags import RATES
from alpha.tools.tables import print_table

if TYPE_CHECKING:
    from alpha.interpreters.fleets.rates import Rates
    from alpha.interpreters.fleets.reports import Fleet, FleetClass

CLASSES_SHOWN_MAX = 24

DIGITS = 6
"""Of a time, without zeros at its end."""

NOTICE = (
    "a model, not a run: nothing was executed on {roles} of {title}, or on any device of theirs"
)
"""What stands above everything that a model says."""

WITHOUT_WORK = "have neither samples nor words of their own, or only control"


def print_fleet(fleet: Fleet, rates: Rates, speeds: Mapping[str, Fraction]) -> None:
    """Print the classes of a fleet, what a round costs, and when it is done."""
    write_line(notice(fleet))
    write_line(_heading(fleet))
    print_table("model of time", ("rate", "meaning"), _rates(rates, speeds))
    print_table("size classes", ("subtree", "roles", "children"), _sizes(fleet))
    _print_classes(fleet.classes)
    _print_totals(fleet)


def notice(fleet: Fleet) -> str:
    """The line that says that nothing was run."""
    return NOTICE.format(roles=counted(fleet.roles, "role"), title=fleet.title)


def seconds(time: Fraction) -> str:
    """A time in seconds, to six digits."""
    return f"{float(time):.{DIGITS}g} s"


def _heading(fleet: Fleet) -> str:
    way = f"a tree of fan-out {fleet.fan_out} and depth {fleet.depth}"
    if not fleet.size_classes:
        way = f"up to {counted(fleet.fan_out, 'edge')} a role"
    classes = counted(len(fleet.size_classes), "size class").replace("classs", "classes")
    sizes = f", {classes}" if fleet.size_classes else ""
    rounds = counted(fleet.rounds, "round")
    if fleet.versions not in (0, fleet.rounds):
        rounds += f" and {counted(fleet.versions, 'version')} in all"
    parts = (counted(fleet.roles, "role"), f"{way}{sizes}", rounds)
    return f"protocol {fleet.title}: {', '.join(parts)}"


def _rates(rates: Rates, speeds: Mapping[str, Fraction]) -> list[Sequence[object]]:
    rows: list[Sequence[object]] = [
        (_number(getattr(rates, rate.replace("-", "_"))), meaning)
        for rate, (_, meaning) in RATES.items()
    ]
    rows += [
        (_number(speed), f"times as fast, the work of {name}") for name, speed in speeds.items()
    ]
    return rows


def _number(number: Fraction) -> str:
    return f"{float(number):.12g}"


def _sizes(fleet: Fleet) -> list[Sequence[object]]:
    rows: list[Sequence[object]] = []
    for each in fleet.size_classes:
        children = ", ".join(f"{count} of {size}" for count, size in each.children.pairs)
        rows.append((each.size, each.nodes, children or "none"))
    return rows


def _print_classes(classes: Sequence[FleetClass]) -> None:
    shown = list(enumerate(classes, 1))
    omitted = len(shown) > CLASSES_SHOWN_MAX
    if omitted:
        shown = [*shown[: CLASSES_SHOWN_MAX - 1], shown[-1]]

    def table(title: str, heading: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        rows = list(rows)
        if omitted:
            rows.insert(-1, ("...",) * len(heading))
        print_table(title, heading, rows)

    heading = ("class", "subtree", "roles", "first", "capability", "edges", "samples", "own words")
    rows = [
        (
            number,
            "-" if each.size is None else each.size,
            each.roles,
            each.first,
            f"{each.capability or '-'}{', control' if each.control else ''}",
            *(each.costs[name] for name in ("edges", "samples", "words")),
        )
        for number, each in shown
    ]
    table("classes of roles", heading, rows)
    names = ("frames sent", "frames received", "bytes sent", "bytes received")
    rows = [
        (number, *(each.costs[name] for name in names), seconds(each.longest_wait))
        for number, each in shown
    ]
    table("a round of each role", ("class", *names, "longest wait"), rows)
    rows = [(number, *(each.memory[name] for name in MEMORY)) for number, each in shown]
    table("bytes that each role holds", ("class", *MEMORY), rows)


def _print_totals(fleet: Fleet) -> None:
    round = f"{counted(fleet.round_frames, 'frame')}, {counted(fleet.round_bytes, 'byte')}"
    run = f"{counted(fleet.frames, 'frame')}, {counted(fleet.bytes, 'byte')}"
    write_line(f"\na round: {round}")
    write_line(f"the run: {run}, {_ending(fleet)}")
    times = [
        f"{what} {seconds(time)}"
        for what, time in (
            ("the first round", fleet.seconds.first_round),
            ("each later round", fleet.seconds.later_rounds),
            ("the run", fleet.seconds.all),
        )
        if time is not None
    ]
    write_line(f"time by the model: {', '.join(times)}")
    write_line(f"longest wait of a role for one frame: {seconds(fleet.longest_wait)}")
    role, size = fleet.busiest_role
    edge = ""
    if fleet.busiest_edge is not None:
        low, high, most = fleet.busiest_edge
        edge = f"; busiest edge: {low} to {high}, {counted(most, 'byte')}"
    write_line(f"busiest role a round: {role}, {counted(size, 'byte')}{edge}")
    working = fleet.contributors
    write_line(
        f"distinct contributing devices: {working.devices}, with {counted(working.roles, 'role')}"
    )
    idle = fleet.roles - working.roles
    if idle:
        write_line(f"not contributing: {counted(idle, 'role')}, which {WITHOUT_WORK}")


def _ending(fleet: Fleet) -> str:
    rounds = counted(fleet.rounds, "round")
    if fleet.seconds.all is None:
        return f"{rounds} that differ, so that their time isn't known"
    return rounds
