"""Wrong ways of storing and of going on are found by the cases, each by a bit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
import resuming.runs as runs_module
from resuming.product import Case, examine
from resuming.runs import Outcome, Side, difference

import alpha.tools.checkpoints.levels as levels_module
from alpha.tools.checkpoints.resuming import Resumed

States = dict[str, np.ndarray]

WRITER = Side("shard", 3, "star", ("optimizer",), "cyclic")
READER = Side("shard", 2, "pair", ("parameters",), "block")
CASE = Case(WRITER, READER, "adam", "f64", 3)


def test_the_case_is_right_without_a_mutant() -> None:
    for level in ("shard", "role"):
        assert examine(CASE._replace(reader=READER._replace(level=level))) is None


def begin_anew(name: str) -> Callable[[States], None]:
    """One state has the word that the learner begins with."""

    def change(states: States) -> None:
        states[name] = np.ones_like(states[name])

    return change


def shift(states: States) -> None:
    """The words of a moment are where padding would have put them."""
    states["m"] = np.roll(states["m"], 1)


def swap(states: States) -> None:
    """Two states of one shape are taken for one another; of none a root is taken here."""
    states["w"], states["m"] = states["m"], states["w"]


def last_bit(states: States) -> None:
    """One word is the next one."""
    states["w"] = states["w"].copy()
    states["w"][8] = np.nextafter(states["w"][8], np.inf)


def narrow(states: States) -> None:
    """Words went through binary32."""
    states["v"] = states["v"].astype(np.float32).astype(np.float64)


CHANGES = {
    "power": begin_anew("b1_power"),
    "other power": begin_anew("b2_power"),
    "shifted": shift,
    "swapped": swap,
    "last bit": last_bit,
    "narrowed": narrow,
}


@pytest.mark.parametrize("name", CHANGES)
def test_states_that_are_read_wrong(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the levels that read whole states, and by those of which each role reads its own."""
    read, read_by_role = Resumed.states, runs_module.states_of

    def changed(resumed: Resumed) -> States:
        states = read(resumed)
        CHANGES[name](states)
        return states

    def changed_of_role(*given: object) -> Mapping[str, np.ndarray]:
        states = dict(read_by_role(*given))  # pyright: ignore
        CHANGES[name](states)
        return states

    monkeypatch.setattr(Resumed, "states", changed)
    monkeypatch.setattr(runs_module, "states_of", changed_of_role)
    for level in ("shard", "protocol", "role", "learner"):
        found = examine(CASE._replace(reader=READER._replace(level=level)))
        assert found is not None and "behind the stop" in found, level


def test_words_of_another_version_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """The generation of a version has the words of the one before."""
    written = levels_module.write_generation
    kept: dict[tuple[int, str], np.ndarray] = {}

    def write(
        path: Path,
        facts: object,
        version: int,
        words: Callable[[int, str], np.ndarray],
        *of: object,
    ) -> object:
        if version > CASE.stop:
            return written(path, facts, version, words, *of)  # pyright: ignore
        now = {(role, name): words(role, name).copy() for role in range(3) for name in ("w", "m")}
        old = dict(kept) or now
        kept.update(now)

        def stale(role: int, name: str) -> np.ndarray:
            return old.get((role, name), words(role, name))

        return written(path, facts, version, stale, *of)  # pyright: ignore

    monkeypatch.setattr(levels_module, "write_generation", write)
    found = examine(CASE)
    assert found is not None and "behind the stop" in found


def test_a_version_that_is_another_is_noticed() -> None:
    """As is a word, a digest, an observation more, and one of another round."""
    seen = [(3, "loss", 1.5, 7), (4, "loss", 1.25, 7)]
    wanted = Outcome(5, seen, {"w": b"12345678"}, "state sha256:1")
    assert difference(wanted, wanted) is None
    for other in (
        wanted._replace(version=4),
        wanted._replace(observed=seen[1:]),
        wanted._replace(observed=[(2, *seen[0][1:]), seen[1]]),
        wanted._replace(words={"w": b"12345679"}),
        wanted._replace(words={}),
        wanted._replace(digest="state sha256:2"),
    ):
        assert difference(other, wanted) is not None
