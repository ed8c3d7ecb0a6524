"""A native role refuses a frame that isn't the expected one as an interpreted one does.

`python -m native_faults.campaign` tries all faults on all ways in all casts, by these functions.
"""

from __future__ import annotations

import pytest
from native_faults.casts import CASTS, play_of
from native_faults.covering import PLAYS, some
from native_faults.examining import examined
from native_faults.faults import FAMILIES
from native_faults.relayed import run

STEPS = {"x86-64": 9, "aarch64": 23, "alternating": 37, "every second": 29, "every other": 31}
"""Of how many faults one is tried."""


CODES = ("identity", "edge", "version", "extent", "digest")


def differing(name: str, cast: str, step: int) -> list[str]:
    """The faults that don't end as they should, with why."""
    found: list[str] = []
    for trial in some(name, cast, step):
        wrong = examined(name, trial.way, trial.case, cast)
        found += [f"{trial.way} {trial.case.name}: {each}" for each in wrong]
    return found


@pytest.mark.parametrize("cast", STEPS)
@pytest.mark.parametrize("name", PLAYS)
def test_faults_of_frames(name: str, cast: str) -> None:
    assert differing(name, cast, STEPS[cast]) == []


def test_every_kind_of_fault_is_met() -> None:
    """On every way; the casts beside the first one try all kinds together."""
    met = {cast: [one for name in PLAYS for one in some(name, cast, STEPS[cast])] for cast in STEPS}
    (first, *others) = met.values()
    for trials in (first, [trial for each in others for trial in each]):
        assert {trial.case.family for trial in trials} == {*FAMILIES}
        codes = {trial.case.code for trial in trials}
        assert codes == {f"frame-{of}" for of in CODES} | {"lost"}
    for trials in met.values():
        for name in PLAYS:
            ways = {trial.way for trial in trials if trial.name == name}
            assert ways == {*play_of(name).conversation.frames}


@pytest.mark.parametrize("cast", CASTS)
@pytest.mark.parametrize("name", PLAYS)
def test_without_a_fault_all_ends_as_interpreted(name: str, cast: str) -> None:
    """Also the bytes of every edge are the same."""
    recorded = play_of(name)
    passed = run(recorded.play, CASTS[cast])
    for role, end in passed.ends.items():
        assert (end.status, end.said) == (0, "")
        assert end.told == recorded.right[role].told
    sent = {way: b"".join(frames) for way, frames in recorded.conversation.frames.items()}
    assert passed.sent == sent
