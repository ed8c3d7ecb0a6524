"""Every rule is exact for all special words and many random ones; near misses of each are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from alpha.interpreters.carriers import OPERATIONS
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.terms.rules import RULES, Application, Pattern, Rule
from alpha.interpreters.terms.store import TermStore
from alpha.interpreters.words import Words

SpecialWords = Callable[[str], NDArray]
MixedWords = Callable[[np.random.Generator, str, tuple[int, ...]], NDArray]
SameWords = Callable[[NDArray, NDArray], bool]

WORDS = Words()
ELEMENTS = ("f64", "f32")


def op(operation: str, *operands: Pattern) -> Application:
    return Application(operation, operands)


NEAR_MISSES: dict[str, Rule] = {
    "x + y = y + x": Rule("x - y = y - x", op("arith.subf", "x", "y"), op("arith.subf", "y", "x")),
    "x * y = y * x": Rule("x / y = y / x", op("arith.divf", "x", "y"), op("arith.divf", "y", "x")),
    "fma(x,y,z) = fma(y,x,z)": Rule(
        "fma(x,y,z) = fma(x,z,y)", op("math.fma", "x", "y", "z"), op("math.fma", "x", "z", "y")
    ),
    "x + (-0.0) = x": Rule("x + (+0.0) = x", op("arith.addf", "x", 0.0), "x"),
    "(-0.0) + x = x": Rule("(+0.0) + x = x", op("arith.addf", 0.0, "x"), "x"),
    "x - (+0.0) = x": Rule("x - (-0.0) = x", op("arith.subf", "x", -0.0), "x"),
    "x * 1.0 = x": Rule("x * 0.0 = 0.0", op("arith.mulf", "x", 0.0), 0.0),
    "1.0 * x = x": Rule("-1.0 * x = x", op("arith.mulf", -1.0, "x"), "x"),
    "x / 1.0 = x": Rule("x / x = 1.0", op("arith.divf", "x", "x"), 1.0),
    "-(-x) = x": Rule("0.0 - x = -x", op("arith.subf", 0.0, "x"), op("arith.negf", "x")),
    "min(x,x) = x": Rule(
        "min(x,y) = min(y,x)", op("pointwise.min", "x", "y"), op("pointwise.min", "y", "x")
    ),
    "max(x,x) = x": Rule(
        "max(x,y) = max(y,x)", op("pointwise.max", "x", "y"), op("pointwise.max", "y", "x")
    ),
    "select(c,x,x) = x": Rule("select(c,x,y) = x", op("arith.select", "c", "x", "y"), "x"),
    "select(x<y,x,y) = min(x,y)": Rule(
        "select(x<=y,x,y) = min(x,y)",
        op("arith.select", op("arith.cmpf.ole", "x", "y"), "x", "y"),
        op("pointwise.min", "x", "y"),
    ),
    "select(x>y,x,y) = max(x,y)": Rule(
        "select(y<x,y,x) = max(x,y)",
        op("arith.select", op("arith.cmpf.olt", "y", "x"), "y", "x"),
        op("pointwise.max", "x", "y"),
    ),
}

OTHER_MISTAKES = (
    Rule("x - x = 0.0", op("arith.subf", "x", "x"), 0.0),
    Rule("x < x = x <= x", op("arith.cmpf.olt", "x", "x"), op("arith.cmpf.ult", "x", "x")),
    Rule(
        "(x + y) + z = x + (y + z)",
        op("arith.addf", op("arith.addf", "x", "y"), "z"),
        op("arith.addf", "x", op("arith.addf", "y", "z")),
    ),
    Rule(
        "x * y + z = fma(x,y,z)",
        op("arith.addf", op("arith.mulf", "x", "y"), "z"),
        op("math.fma", "x", "y", "z"),
    ),
    Rule("sqrt(x * x) = abs(x)", op("math.sqrt", op("arith.mulf", "x", "x")), op("math.absf", "x")),
    Rule("x / 3.0 = x * (1/3)", op("arith.divf", "x", 3.0), op("arith.mulf", "x", 1 / 3)),
)


def _variables(pattern: Pattern, floating: bool = True) -> dict[str, bool]:
    """The variables of a pattern, and whether each stands for a float."""
    if isinstance(pattern, str):
        return {pattern: floating}
    found: dict[str, bool] = {}
    if isinstance(pattern, Application):
        kinds = OPERATIONS[pattern.operation].operands
        for part, kind in zip(pattern.operands, kinds, strict=True):
            found |= _variables(part, kind == "f")
    return found


def _put(pattern: Pattern, environment: Mapping[str, NDArray], element: str) -> NDArray:
    if isinstance(pattern, str):
        return environment[pattern]
    if not isinstance(pattern, Application):
        return WORDS.constant(pattern, element)
    operands = (_put(part, environment, element) for part in pattern.operands)
    return WORDS.apply(pattern.operation, *operands)


def _environments(
    rule: Rule, element: str, special_words: SpecialWords, mixed_words: MixedWords
) -> Iterator[dict[str, NDArray]]:
    """All special words for every variable, and 20,000 other choices."""
    variables = _variables(rule.left)
    special = special_words(element)
    axes = [special if floats else np.array([False, True]) for floats in variables.values()]
    yield dict(zip(variables, np.meshgrid(*axes), strict=True))
    random = np.random.default_rng(26)
    truths = random.random(20_000) < 0.5
    yield {
        name: mixed_words(random, element, (20_000,)) if floats else truths
        for name, floats in variables.items()
    }


def _holds(
    rule: Rule,
    element: str,
    special_words: SpecialWords,
    mixed_words: MixedWords,
    same_words: SameWords,
) -> bool:
    for environment in _environments(rule, element, special_words, mixed_words):
        left = _put(rule.left, environment, element)
        right = np.broadcast_to(_put(rule.right, environment, element), left.shape)
        if not same_words(left, right):
            return False
    return True


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_is_exact(
    rule: Rule,
    element: str,
    special_words: SpecialWords,
    mixed_words: MixedWords,
    same_words: SameWords,
) -> None:
    assert _holds(rule, element, special_words, mixed_words, same_words)


def test_every_rule_has_a_near_miss() -> None:
    assert list(NEAR_MISSES) == [rule.name for rule in RULES]


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize(
    "rule", (*NEAR_MISSES.values(), *OTHER_MISTAKES), ids=lambda rule: rule.name
)
def test_a_near_miss_is_found_wrong(
    rule: Rule,
    element: str,
    special_words: SpecialWords,
    mixed_words: MixedWords,
    same_words: SameWords,
) -> None:
    assert not _holds(rule, element, special_words, mixed_words, same_words)


def _terms_of(pattern: Pattern, terms: Terms, symbols: Mapping[str, NDArray]) -> NDArray:
    if isinstance(pattern, str):
        return symbols[pattern]
    if not isinstance(pattern, Application):
        return terms.constant(pattern, "f64")
    operands = (_terms_of(part, terms, symbols) for part in pattern.operands)
    return terms.apply(pattern.operation, *operands)


def _symbols(terms: Terms, rule: Rule) -> dict[str, NDArray]:
    variables = _variables(rule.left).items()
    zero = terms.constant(0.0, "f64")
    return {
        name: terms.symbol_array(name, (), "f64")
        if floats
        else terms.compare("olt", terms.symbol_array("t", (), "f64"), zero)
        for name, floats in variables
    }


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_store_applies_a_rule_and_not_its_near_miss(rule: Rule) -> None:
    for tried, same in ((rule, True), (NEAR_MISSES[rule.name], False)):
        terms = Terms()
        symbols = _symbols(terms, tried)
        left, right = (_terms_of(side, terms, symbols) for side in (tried.left, tried.right))
        assert (left == right) == same, tried.name


@pytest.mark.parametrize("replaced", NEAR_MISSES)
def test_a_store_with_a_wrong_rule_evaluates_to_other_words(
    replaced: str, same_words: SameWords
) -> None:
    """The property that ties terms to words fails for it, so it would be noticed there too."""
    words = np.array([0.0, -0.0, 0.1, -3.0, np.inf, np.nan])
    grid = np.meshgrid(*[words] * 3, [-1.0, 1.0])
    environment = dict(zip("xyzt", grid, strict=True))
    zero = WORDS.constant(0.0, "f64")
    with_truth = environment | {"c": WORDS.compare("olt", environment["t"], zero)}
    rule = NEAR_MISSES[replaced]
    wrong_rules = [rule, *(other for other in RULES if other.name != replaced)]
    outcomes = []
    for rules in (RULES, wrong_rules):
        terms = Terms(TermStore(rules=rules))
        ids = {name: terms.symbol_array(name, x.shape, "f64") for name, x in environment.items()}
        ids["c"] = terms.compare("olt", ids["t"], terms.constant(0.0, "f64"))
        agrees = True
        for side in (rule.left, rule.right):
            expected = np.broadcast_to(_put(side, with_truth, "f64"), grid[0].shape)
            found = np.broadcast_to(_terms_of(side, terms, ids), grid[0].shape)
            agrees &= same_words(terms.evaluate(found, environment), expected)
        outcomes.append(agrees)
    assert outcomes == [True, False]
