"""A native role of another run is refused at its first frame, and refuses: before it uses a word.

Each is two executables of which one was made for another learner, contract, group, partitioning,
exchange, fan-out or number of rounds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import pytest
from native_faults.casts import CASTS, Bound, Cast, End, Play
from native_faults.relayed import run
from runs.test_other_runs import OTHERS, run_of

TARGETS = ("x86-64", "aarch64")
MIXES: Mapping[str, Cast] = {
    "native": CASTS["x86-64"],
    "aarch64": CASTS["aarch64"],
    "alternating": CASTS["alternating"],
    "every second": CASTS["every second"],
    "every other": CASTS["every other"],
}
IDENTITY = "refused frame-identity: expected run_identity "

FANS: Mapping[str, Callable[[], Play]] = {
    "ours": lambda: Play(*run_of(topology="tree<2>")),
    "theirs": lambda: Play(*run_of(topology="tree<3>")),
}


@cache
def ours() -> Play:
    return Play(*run_of())


@cache
def theirs(name: str) -> Play:
    return Play(*OTHERS[name]())


@cache
def fan(whose: str) -> Play:
    return FANS[whose]()


def mixed(one: Play, other: Play, role: int) -> Play:
    """A run in which this role was made for another one."""
    return Play(one.module, one.words, {role: other})


def wrong(play: Play, cast: Cast, silent: bool = False) -> Sequence[str]:
    """What is wrong with how both ends of a mixed run have ended; both may wait for the other."""
    bounds = dict.fromkeys(play.programs, Bound(wait=0.7 if silent else 20.0))
    found = run(play, cast, bounds=bounds).ends
    wanted = run(play, CASTS["interpreted"], bounds=bounds).ends
    refused = {role for role, end in found.items() if end.status == 3}
    wrong = [] if bool(refused) != silent else [f"{sorted(refused)} refuse"]
    for role, end in found.items():
        lost = re.fullmatch(rf"alpha: role {role}: lost role \d: [^\n]*\n", end.said)
        if end.published or (role not in refused and not (end.status == 4 and lost)):
            wrong.append(f"role {role} ended with {end}")
        if role in refused and not same_refusal(role, end, wanted[role]):
            wrong.append(f"role {role} ended with {end}, not {wanted[role]}")
        if end.told[:2] != ([], 0):
            wrong.append(f"role {role} has told {end.told}")
    return wrong


def same_refusal(role: int, found: End, wanted: End) -> bool:
    """Whether a refusal is the interpreter's, or one where that has lost its peer before."""
    begins = f"alpha: role {role}: {IDENTITY}"
    return found.said.startswith(begins) and (wanted.status == 4 or found.said == wanted.said)


def in_both_places(name: str, first: str, second: str) -> Sequence[str]:
    """What is wrong if a role of each is one of another run."""
    # One begins with its frame for role 0, the other with that for role 1: if each is the other
    # one's, neither hears anything.
    silent = name == "the exchange"
    found = wrong(mixed(ours(), theirs(name), 0), MIXES[first])
    return [*found, *wrong(mixed(ours(), theirs(name), 1), MIXES[second], silent)]


@pytest.mark.parametrize("number", range(len(OTHERS)), ids=list(OTHERS))
def test_a_peer_of_another_run(number: int) -> None:
    """Each in other mixes."""
    mixes = list(MIXES)
    chosen = (mixes[(number + each) % len(mixes)] for each in (0, 2))
    assert in_both_places(list(OTHERS)[number], *chosen) == []


def test_another_fan_out() -> None:
    """Of two roles it makes no edge another, and only the identity says it."""
    for role, cast in ((0, "x86-64"), (1, "alternating")):
        assert wrong(mixed(fan("ours"), fan("theirs"), role), CASTS[cast]) == []


@pytest.mark.parametrize("cast", TARGETS)
def test_the_same_run_made_twice_is_one_run(cast: str) -> None:
    """The twin of all of the above."""
    ends = run(mixed(ours(), Play(*run_of()), 1), CASTS[cast]).ends
    assert all((end.status, end.said) == (0, "") and end.published for end in ends.values())
