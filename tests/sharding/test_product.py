"""Proved by terms and equal by bits to the oracle: cases that cover the product of all factors.

`make verify-product` runs the whole product, by the same functions.
"""

from __future__ import annotations

from itertools import combinations, permutations, product

import pytest
from oracle_comparison.running import first_difference, interpret
from sharding.least_squares import RULES, SIZES, learner_text, sample_count, trajectory
from sharding.product import (
    CHOICES,
    FACTORS,
    MAPS,
    MODES,
    ROUNDS,
    SUBSETS,
    Case,
    Setting,
    bits_difference,
    covering,
    distributed,
    examine,
    is_refused,
    partitioned,
    read,
    whole,
)

from alpha.interpreters.levels import compare_bits
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.distribution import find_distribution
from alpha.tools.distributing import run_pass

STRENGTH = 2
COVER = covering(STRENGTH)


def shown(case: Case) -> str:
    """A case as the name of a test."""
    setting, choice = case
    return " ".join([*map(str, setting), str(choice)])


@pytest.mark.parametrize(("setting", "choice"), COVER, ids=map(shown, COVER))
def test_a_case_is_proved_and_equal(setting: Setting, choice) -> None:
    assert examine(setting, [choice]) == {"replicated": None, str(choice): None}


def test_the_cases_cover_the_product() -> None:
    rows = [{**setting._asdict(), **choice._asdict()} for setting, choice in COVER]
    for names in combinations(FACTORS, STRENGTH):
        met = {tuple(row[name] for name in names) for row in rows}
        for values in product(*(FACTORS[name] for name in names)):
            owners = dict(zip(names, values, strict=True))
            if owners.get("topology") != "pair" or owners.get("owners", 2) == 2:
                assert values in met, (names, values)
    assert not any(is_refused(setting) for setting, _ in COVER)
    assert covering(STRENGTH) == COVER


def test_the_product_is_whole() -> None:
    settings = list(whole())
    assert len({*settings}) == len(settings) == 3 * 4 * 5 * 3 * len(SIZES) * 2
    assert len({*CHOICES}) == len(CHOICES) == len(MAPS) * len(SUBSETS) == 24
    for setting in settings:
        split = setting.split()
        assert len(split) == setting.owners and sum(split) == sample_count(setting.size)
        if setting.samples == "uneven":
            assert setting.owners <= 2 or 0 in split
        if setting.samples == "one":
            assert sum(size > 0 for size in split) == 1


@pytest.mark.parametrize("samples", FACTORS["samples"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("owners", [1, 3, 4, 7])
def test_a_pair_of_other_than_two_is_refused(owners: int, size: str, samples: str) -> None:
    """The odd size declares its owners in the text, the other gets them from the pass."""
    with pytest.raises(Refusal) as refused:
        distributed(Setting("adam", "pair", owners, samples, size))
    assert refused.value.code == "shard-owner-range"
    assert refused.value.found == str(owners)
    distributed(Setting("adam", "pair", 2, samples, size))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("map", MAPS)
def test_the_order_of_the_passes_does_not_matter(rule: str, map: str) -> None:
    file = distributed(Setting(rule, "tree<2>", 3, "uneven"))
    for modes in SUBSETS:
        printed = set()
        for order in permutations(modes):
            module = file.module.clone()
            for mode in order:
                run_pass(file.context, module, f"partition_{mode}", map=map)
            printed.add(str(module))
        assert len(printed) == 1, modes


@pytest.mark.parametrize("mode", MODES)
def test_a_learner_with_owners_is_distributed_first(mode: str) -> None:
    """A partition alone does what `--distribute` and the partition do."""
    alone = read(learner_text("adam", "odd", "f64", "4, star"))
    run_pass(alone.context, alone.module, f"partition_{mode}", map="block")
    both = distributed(Setting("adam", "star", 4, "even"))
    run_pass(both.context, both.module, f"partition_{mode}", map="block")
    assert str(alone.module) == str(both.module)


@pytest.mark.parametrize("element", FACTORS["element"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("rule", RULES)
def test_the_learner_itself_equals_the_oracle(rule: str, size: str, element: str) -> None:
    for topology, samples in product(("star", "tree<2>"), FACTORS["samples"]):
        setting = Setting(rule, topology, 4, samples, size, element)
        file = distributed(setting)
        rounds = trajectory(rule, size, element, setting.order(), ROUNDS)
        wanted = rounds[-1][0], [loss for _, loss in rounds]
        assert first_difference(interpret(file, ROUNDS), wanted) is None


def test_the_comparison_of_the_tool_says_the_same() -> None:
    """`compare_bits`, by which `alpha verify` compares, on some cases and on a wrong one."""
    for setting, choice in COVER[::8]:
        file = distributed(setting)
        levels = {"partitioned": partitioned(file, choice)}
        (found,) = compare_bits(
            levels["partitioned"].learner, file.words, levels, range(1, 4)
        ).values()
        assert all(each.difference is None for each in found)
        state = trajectory(setting.rule, setting.size, setting.element, setting.order(), 3)[-1][0]
        words = {each.field: each.words for each in found}
        loss = words.pop('observed "loss"')
        assert loss is not None and first_difference((words, []), (state, [])) is None


def test_another_order_of_addition_has_other_bits() -> None:
    """The data are such that the orders of the topologies and of the splits differ."""
    orders = {
        setting._replace(rule="adam", size="odd", element="f64").order() for setting in whole()
    }
    states = [trajectory("adam", "odd", "f64", order, ROUNDS)[-1][0] for order in orders]
    # Of 39 contracts 26 add like another: one group alone, groups without samples, small trees.
    assert (len(orders), len({state["w"].tobytes() for state in states})) == (39, 13)
    setting = Setting("sgd", "tree<2>", 7, "uneven")
    distribution = find_distribution(distributed(setting).module)
    assert distribution is not None
    other = trajectory("sgd", "odd", "f64", Setting("sgd", "star", 4, "even").order(), ROUNDS)
    wrong = bits_difference(distributed(setting), distribution, other)
    assert wrong is not None and wrong.startswith("round")
