"""Random functions give the same bits in every execution; `functions.campaign` runs many more."""

from __future__ import annotations

import os
import subprocess
import sys

from functions.batches import compare
from functions.campaign import WAYS, batches
from functions.random_functions import random_function

FUNCTIONS = 16
WIDE = 4
"""Functions in CI, and those whose vectors have 256 and 512 bits."""


def test_random_functions_agree() -> None:
    found = compare(range(FUNCTIONS))
    assert not found.wrong, found.wrong
    assert found.functions == FUNCTIONS and found.calls >= 2 * FUNCTIONS


def test_functions_with_wide_vectors_agree() -> None:
    for bits in (256, 512):
        if WAYS[bits].targets:
            found = compare(range(WIDE), WAYS[bits])
            assert not found.wrong, found.wrong


def test_a_seed_says_all_of_a_function() -> None:
    one, other = random_function(7), random_function(7)
    assert one.text == other.text
    assert [str(each) for each in one.calls] == [str(each) for each in other.calls]
    assert one.text != random_function(8).text


def test_a_seed_says_it_in_every_process() -> None:
    """Whatever the order in which Python keeps sets of texts there."""
    program = "from functions.random_functions import random_function as made\n"
    program += "print(*(made(seed).text for seed in range(30)))"
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1


def test_a_campaign_has_every_seed_once() -> None:
    parts = list(batches(5, 70, 9))
    plain = [seed for bits, part in parts for seed in part if bits == 128]
    assert plain == list(range(5, 75))
    seeds = [seed for _, part in parts for seed in part]
    assert len(seeds) == len(set(seeds))
    wide = {bits: sum(len(part) for of, part in parts if of == bits) for bits in (256, 512)}
    assert wide == {256: 4, 512: 5 if WAYS[512].targets else 0}
