"""Slices of selections, against slices of the lists of their members."""

from __future__ import annotations

from random import Random

from plain_sets.agreement import made
from plain_sets.enumeration import listed, periodic_form, random_form

from alpha.ir.protocol.slices import sliced
from alpha.ir.selections import Repeat, Selection, Stride


def test_slices_of_random_selections() -> None:
    random = Random(1)
    for _ in range(2000):
        form = random_form(random, random.randrange(1, 5))
        if random.random() < 0.2:
            form = periodic_form(random, listed(form))
        members, roles = made(form), listed(form)
        low, high = (random.randrange(-2, len(roles) + 3) for _ in range(2))
        found = sliced(members, low, high)
        assert list(found) == roles[max(low, 0) : max(high, 0)], (form, low, high)


def test_a_whole_selection_stays_as_it_is() -> None:
    random = Random(2)
    for _ in range(300):
        members = made(random_form(random, 4))
        assert sliced(members, 0, members.size) == members


def test_slices_cost_a_few_nodes_a_level() -> None:
    """Whatever is between them, a slice has two ends."""
    selection: Selection = Stride(0, 2, 1000)
    for level in range(1, 13):
        selection = Repeat(10, 2000 * 10 ** (level - 1), selection)
    size = selection.size
    for low, high in ((1, size - 1), (123_456_789_012, size - 7_654_321), (size // 3, size // 2)):
        found = sliced(selection, low, high)
        assert found.size == high - low
        assert (found.min, found.max) == (selection.nth(low), selection.nth(high - 1))
        assert found.nodes <= 2 * sum(range(1, 15))
        for at in (low, low + 1, (low + high) // 2, high - 1):
            assert found.nth(at - low) == selection.nth(at)
