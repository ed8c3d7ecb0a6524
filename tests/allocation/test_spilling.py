"""What spilling decides fits at every point, and slots are shared by what is never live at once."""

from __future__ import annotations

from random import Random

import pytest
from allocation.random_functions import random_function
from allocation.toy import NAMES, TARGET

from alpha.backends.core.allocation.banks import Banks
from alpha.backends.core.allocation.distances import Distances, distances_of
from alpha.backends.core.allocation.flow import Flow, flow_of
from alpha.backends.core.allocation.slots import share_slots
from alpha.backends.core.allocation.spilling import spill
from alpha.backends.core.allocation.stores import Stored, place_stores
from alpha.backends.core.allocation.webs import Webs
from alpha.backends.core.program import Slice, Value

LIMITS = ({}, {"gpr": 3, "vec": 3, "mask": 2}, {"gpr": 4, "vec": 3}, {"gpr": 5})


class Spilled:
    """A random function after spilling."""

    def __init__(self, seed: int) -> None:
        random = Random(seed)
        function = random_function(TARGET, random, NAMES, random.randint(1, 8), 12)
        self.banks = Banks(TARGET, random.choice(LIMITS))
        self.flow: Flow = flow_of(function, TARGET, self.banks)
        self.distances: Distances = distances_of(self.flow.nodes, self.flow.loops)
        spill(self.flow, self.distances, self.banks)
        self.stored: Stored = place_stores(self.flow, self.distances)

    def live_after(self, block: int) -> list[set[Value]]:
        """The values that are live behind each step of a block."""
        live = set(self.distances.exit[block])
        found = []
        for step in reversed(self.flow.nodes[block].steps):
            found.append(set(live))
            live.difference_update(step.defs)
            live.update(step.uses)
        return found[::-1]

    def full(self, values: set[Value], more: int = 0) -> bool:
        """Whether values, and so many others, need more registers than there are."""
        counts = [0] * len(self.banks.count)
        for value in values:
            counts[self.flow.kinds[value]] += 1
        return any(
            have + more > count for have, count in zip(counts, self.banks.count, strict=True)
        )


@pytest.mark.parametrize("seed", range(60))
def test_what_is_in_registers_fits_and_what_is_used_is_there(seed: int) -> None:
    spilled = Spilled(seed)
    for block, node in enumerate(spilled.flow.nodes):
        inside = set(node.entering)
        assert inside <= spilled.distances.entry[block].keys()
        assert not spilled.full(inside)
        for step, live in zip(node.steps, spilled.live_after(block), strict=True):
            assert inside.issuperset(step.drops) and not inside.intersection(step.loads)
            inside.difference_update(step.drops)
            inside.update(step.loads)
            assert inside.issuperset(step.uses), step
            assert inside.issuperset(step.kills) and set(step.kills) <= set(step.uses)
            inside.difference_update(step.kills)
            assert set(step.dead) == set(step.defs) - live
            inside.update(set(step.defs) - set(step.dead))
            assert inside <= live, "what is dead is in a register"
            assert not spilled.full(inside)
        assert inside == node.leaving


@pytest.mark.parametrize("seed", range(60))
def test_each_value_that_is_loaded_is_stored_once_before(seed: int) -> None:
    spilled = Spilled(seed)
    flow, stored = spilled.flow, spilled.stored
    stores: dict[Value, list[int]] = {}
    for block, node in enumerate(flow.nodes):
        for value in [*node.stores, *node.edge_stores]:
            stores.setdefault(value, []).append(block)
        assert node.entering.issuperset(node.stores)
        for step in node.steps:
            assert set(step.stores) <= set(step.defs)
            for value in step.stores:
                stores.setdefault(value, []).append(block)
    assert all(len(blocks) == 1 for blocks in stores.values())
    assert stores.keys() == stored.block.keys()
    assert not stores.keys() & stored.parameters and not stores.keys() & flow.constants.keys()
    for block, node in enumerate(flow.nodes):
        for value in [value for step in node.steps for value in step.loads]:
            if value in stores:
                assert flow.dominance.dominates(stores[value][0], block)
            else:
                assert value in stored.parameters or value in flow.constants


@pytest.mark.parametrize("seed", range(60))
def test_values_that_share_a_slot_are_never_live_at_once(seed: int) -> None:
    spilled = Spilled(seed)
    flow = spilled.flow
    slots = list(flow.function.slots)
    given = len(slots)
    values = spilled.stored.values()
    slot = share_slots(flow, spilled.distances, Webs(flow), values, slots)
    assert slot.keys() == values
    most: dict[int, int] = {}
    for block in range(len(flow.nodes)):
        at_start = set(spilled.distances.entry[block])
        for live in [at_start, *spilled.live_after(block)]:
            places = [slot[value] for value in live if value in slot]
            assert len(set(places)) == len(places)
            for size in (2, 8, 16):
                alike = [place for place in places if slots[place].bytes == size]
                most[size] = max(most.get(size, 0), len(alike))
    for value, place in slot.items():
        bytes = flow.views[value].bytes
        assert place >= given and slots[place] == Slice(bytes, bytes)
    assert len(slots) - given == sum(most.values()), "more slots than are live at once"
