"""Protocols and roles end in the bits of the shard level: cases that cover the whole product.

Each case is run with some of the seeds of the network, which take turns.
`make verify-protocols` runs the whole product, by the same functions.
"""

from __future__ import annotations

from itertools import combinations, product

import pytest
from levels.product import BUFFERS, COVER, FACTORS, SEEDS, examine, some_seeds, whole
from sharding.product import CHOICES, Case, Setting, is_refused


def shown(case: Case) -> str:
    """A case as the name of a test."""
    setting, choice = case
    return " ".join([*map(str, setting), str(choice)])


@pytest.mark.parametrize(("setting", "choice"), COVER, ids=map(shown, COVER))
def test_every_level_ends_in_the_same_bits(setting: Setting, choice) -> None:
    seeds = some_seeds(COVER.index((setting, choice)))
    found = examine(setting, [choice], seeds=seeds)
    assert found.wrong == ()
    ways = 1 if setting.topology.startswith("tree") else 2
    runs = ways * len(seeds) * len(BUFFERS)
    assert found == (runs, ways, 2 - ways, ())


def test_the_cases_cover_the_product() -> None:
    rows = [{**setting._asdict(), **choice._asdict()} for setting, choice in COVER]
    for names in combinations(FACTORS, 2):
        met = {tuple(row[name] for name in names) for row in rows}
        for values in product(*(FACTORS[name] for name in names)):
            owners = dict(zip(names, values, strict=True))
            if owners.get("topology") != "pair" or owners.get("owners", 2) == 2:
                assert values in met, (names, values)
    assert not any(is_refused(setting) for setting, _ in COVER)
    assert (len(SEEDS), BUFFERS) == (10, (0, 1, None))
    assert {seed for at in range(len(COVER)) for seed in some_seeds(at)} == {*SEEDS}


def test_the_product_is_whole() -> None:
    """One to seven owners; all topologies of any number of owners, and a pair of two."""
    settings = list(whole())
    assert len({*settings}) == len(settings) == (4 * 7 + 1) * 3 * 3 * 2 * 2
    assert {setting.owners for setting in settings} == {*range(1, 8)}
    assert all(len(setting.split()) == setting.owners for setting in settings)
    assert len(CHOICES) == 24
