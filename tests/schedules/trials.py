"""What becomes of protocols, and of schedules changed on purpose: the checker against what happens.

Invariant: a count whose name begins with `wrong` is a fault of the checker; all else is as it
    should be. `without need` counts what is refused though nothing ever goes wrong.
Entry: `tried_at_random`, `tried_all`, `WRONG`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from random import Random

from schedules.exhaustive import protocols
from schedules.explore import Runs, explored, resolved, resolved_at_random
from schedules.plain_protocols import Protocol, schedules_of
from schedules.random_protocols import exchanged, neighbours, random_protocol
from schedules.running import run_at_random

from alpha.ir.schedules.checking import check_schedules
from alpha.ir.schedules.events import Action, Schedules

WRONG = "wrong"

CAPACITIES = (0, 1, None)

RUNS_MAX = 64
"""Of so many resolutions all are tried, of more as many at random."""


def first_code(schedules: Schedules) -> str | None:
    """The code with which the checker refuses schedules, or None."""
    refusal = next(check_schedules(schedules, set(schedules), None), None)
    return None if refusal is None else refusal.code


def _some_runs(schedules: Schedules, random: Random) -> Iterable[Runs]:
    runs = list(islice(resolved(schedules), RUNS_MAX + 1))
    if len(runs) <= RUNS_MAX:
        return runs
    return (resolved_at_random(schedules, random) for _ in range(RUNS_MAX))


def tried_at_random(seed: int, count: int) -> Counter[str]:
    """Random protocols, each as it is and with two neighbouring steps of one role exchanged."""
    random = Random(seed)
    found: Counter[str] = Counter()
    for _ in range(count):
        protocol = random_protocol(random)
        schedules = schedules_of(protocol)
        code = next((each.code for each in check_schedules(schedules, set(schedules))), None)
        fault = run_at_random(resolved_at_random(schedules, random), random)
        right = code is None and not fault
        found["accepted and run to the end" if right else f"{WRONG}: {protocol}"] += 1
        places = [place for steps in schedules.values() for place in neighbours(steps)]
        if not places:
            continue
        body, at = random.choice(places)
        with exchanged(body, at):
            code = first_code(schedules)
            runs = _some_runs(schedules, random)
            fails = any(run_at_random(each, random) for each in runs)
            kind = _kind(body, at)
        found[_verdict(kind, code, fails, protocol)] += 1
    return found


def tried_all(size: int, part: int = 0, parts: int = 1, swapped: bool = True) -> Counter[str]:
    """All protocols of a size, or every `parts`-th, each as it is and with each exchange."""
    found: Counter[str] = Counter()
    for protocol in islice(protocols(size), part, None, parts):
        schedules = schedules_of(protocol)
        runs = list(resolved(schedules))
        explorations = [explored(each, capacity) for each in runs for capacity in CAPACITIES]
        right = first_code(schedules) is None and not any(each.faults for each in explorations)
        found["accepted and explored" if right else f"{WRONG}: {protocol}"] += 1
        found["resolutions"] += len(runs)
        found["states"] += sum(each.states for each in explorations)
        if not swapped:
            continue
        for role in schedules:
            for body, at in neighbours(schedules[role]):
                with exchanged(body, at):
                    found[_explored_verdict(schedules, _kind(body, at), protocol)] += 1
    return found


def _explored_verdict(schedules: Schedules, kind: str, protocol: Protocol) -> str:
    """With all interleavings; what is accepted, with buffers too."""
    code = first_code(schedules)
    capacities = (0,) if code else CAPACITIES
    fails = any(
        explored(each, capacity).faults for each in resolved(schedules) for capacity in capacities
    )
    return _verdict(kind, code, fails, protocol)


def _kind(body: list, at: int) -> str:
    both = isinstance(body[at], Action) and isinstance(body[at + 1], Action)
    return "actions exchanged" if both else "steps exchanged"


def _verdict(kind: str, code: str | None, fails: bool, protocol: Protocol) -> str:
    if code is None:
        return f"{WRONG}: {kind} in {protocol}" if fails else f"{kind}: accepted, and none sticks"
    return f"{kind}: {code}{'' if fails else ' without need'}"
