"""The power is lost at every moment: what is found on every disk that there may be then.

The campaign tries more kinds of runs, and more moments of them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from faults.plays import VERSIONS
from faults.power import lost, mutants, recorded
from faults.recording import Create, Operation, Rename, Sync, Write

KINDS = ("x86-64", "one process", "gone on")


@pytest.mark.parametrize(("kind", "step"), [("x86-64", 9), ("one process", 1)])
def test_what_is_found_when_the_power_was_lost(kind: str, step: int) -> None:
    """Nothing or a generation, whole; and that which was published, from then on."""
    run = recorded(kind)
    losses = lost(run, step)
    assert losses.wrong == []
    assert min(losses.found["old"], losses.found["new"]) > 3
    assert losses.disks > 50


@pytest.mark.parametrize("kind", KINDS)
def test_every_sync_that_matters_is_missed(kind: str) -> None:
    """A writer without one of them publishes what may be lost, unless another does the same."""
    run = recorded(kind)
    found = list(mutants(run))
    assert len(found) == sum(isinstance(each, Sync) for each in run.operations)
    spared = Counter[str]()
    for mutant in found:
        assert mutant.caught != bool(mutant.why), mutant
        spared[mutant.why] += 1
        # Files are synchronized once each, and so is the folder with the names of generations.
        if not mutant.caught and mutant.why != "nothing was done in it":
            assert "/.gen-" in mutant.sync.path and "/" not in mutant.sync.path.split("/.gen-")[1]
    generations = len(VERSIONS) - (run.first > 0)
    assert spared["another role does the same before anything is said"] == 2 * generations


def test_a_name_that_is_given_too_early_is_noticed() -> None:
    """A part of a generation has it then."""
    run = recorded("one process")
    at = next(at for at, each in enumerate(run.operations) if isinstance(each, Rename))
    named = run.operations[at]
    assert isinstance(named, Rename)
    first = next(
        at
        for at, each in enumerate(run.operations)
        if isinstance(each, Sync) and each.path.startswith(named.path)
    )
    moved = [_renamed(each, named) for each in run.operations[first:at]]
    operations = [*run.operations[:first], named, *moved, *run.operations[at + 1 :]]
    assert lost(replace(run, operations=operations)).wrong != []


def _renamed(each: Operation, named: Rename) -> Operation:
    """An operation that is done behind a rename, which was begun before it."""
    if not isinstance(each, Sync | Write | Create):
        return each
    each = replace(each, path=named.to + each.path.removeprefix(named.path))
    return replace(each, begun=each.begun + 1) if isinstance(each, Sync) else each
