"""The product of all that a distribution can vary in: which cases there are, and is one right?

Invariant: a case is right only if a round of terms is identical with that of the learner, for every
    word of state and the observed loss, and if 20 rounds have the bits of the oracle in every one.
    The replicated distribution of the same learner is looked at beside the case.
Entry: `Setting`, `Choice`, `whole`, `CHOICES`, `covering`, `covering_rows`, `case_of`, `examine`,
    `is_refused`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any, NamedTuple

from oracle.orders import Order
from oracle_comparison.running import first_difference
from sharding.least_squares import RULES, SIZES, learner_text, sample_count, trajectory

from alpha.interpreters.levels import compare_terms
from alpha.interpreters.shard import ShardInterpreter
from alpha.interpreters.words import Words
from alpha.ir.frontend.located_parser import parse_source
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.learner_words import resolve
from alpha.ir.learners import find_learner
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.distribution import Distribution, find_distribution
from alpha.ir.sharding.verification import verify_shards
from alpha.tools.distributing import run_pass
from alpha.tools.learner_file import LearnerFile

ROUNDS = 20
NODES_MAX = 1_000_000

MODES = ("optimizer", "parameters", "gradients")
SUBSETS = tuple(part for size in range(4) for part in combinations(MODES, size))
TOPOLOGIES = ("star", "pair", "tree<2>", "tree<3>")
OWNERS = (1, 2, 3, 4, 7)
MAPS = ("cyclic", "block", "block_cyclic<2>")
SAMPLES = ("even", "uneven", "one")


class Setting(NamedTuple):
    """One learner with its owners: what says in which order sums are added."""

    rule: str
    topology: str
    owners: int
    samples: str
    size: str = "odd"
    element: str = "f64"

    def split(self) -> tuple[int, ...]:
        """How many samples each owner has."""
        total, owners = sample_count(self.size), self.owners
        if self.samples == "even":
            return tuple(total // owners + (role < total % owners) for role in range(owners))
        if self.samples == "one":
            return tuple(total if role == owners // 2 else 0 for role in range(owners))
        return {
            1: (total,),
            2: (2, total - 2),
            3: (0, total - 2, 2),
            4: (1, 2, total - 3, 0),
            5: (0, 2, 0, total - 3, 1),
            6: (1, 0, total - 3, 0, 2, 0),
            7: (0, 1, 0, 2, total - 4, 0, 1),
        }[owners]

    def order(self) -> Order:
        """The contract that these owners declare, for the oracle."""
        fan = int(self.topology[5:-1]) if self.topology.startswith("tree") else 0
        return Order(self.split(), fan)

    def owners_text(self) -> str:
        """The owners as the learner declares them; an even split needn't be written."""
        split = "" if self.samples == "even" else f", samples = {list(self.split())}"
        return f"{self.owners}, {self.topology}{split}"


class Choice(NamedTuple):
    """How a learner with owners is partitioned."""

    map: str
    modes: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.map} {'+'.join(self.modes) or 'none'}"


Case = tuple[Setting, Choice]

FACTORS: Mapping[str, Sequence[Any]] = {
    "modes": SUBSETS,
    "owners": OWNERS,
    "topology": TOPOLOGIES,
    "rule": RULES,
    "map": MAPS,
    "samples": SAMPLES,
    "size": tuple(SIZES),
    "element": ("f64", "f32"),
}


def is_refused(setting: Setting) -> bool:
    """Whether these owners can't be: a pair is two."""
    return setting.topology == "pair" and setting.owners != 2


CHOICES = [Choice(map, modes) for map, modes in product(MAPS, SUBSETS)]


def whole() -> Iterator[Setting]:
    """Every setting, those that can't be among them; each goes with all of `CHOICES`."""
    names = Setting._fields
    for values in product(*(FACTORS[name] for name in names)):
        yield Setting(**dict(zip(names, values, strict=True)))


Row = dict[str, Any]


def covering(strength: int) -> list[Case]:
    """Cases in which every `strength` values of as many factors are met together, where they can.

    They are always the same.
    """
    return [case_of(row) for row in covering_rows(strength, FACTORS)]


def _can_be(row: Row) -> bool:
    return row.get("topology") != "pair" or row.get("owners", 2) == 2


def covering_rows(
    strength: int,
    factors: Mapping[str, Sequence[Any]],
    can_be: Callable[[Row], bool] = _can_be,
) -> list[Row]:
    """The same for other values of these factors, a row of values a case.

    `can_be` says of some values whether they can be met together. The first combination that isn't
    met yet is taken, and the other factors are given, one after another, the value with which most
    of what isn't met is met.
    """
    missing = {
        combination
        for names in combinations(factors, strength)
        for values in product(*(factors[name] for name in names))
        if can_be(dict(combination := tuple(zip(names, values, strict=True))))
    }
    rows: list[Row] = []
    for first in sorted(missing, key=str):
        if first in missing:
            row = _completed(dict(first), factors, missing, strength, can_be)
            missing -= set(_met(row, factors, strength))
            rows.append(row)
    return rows


def _completed(
    row: Row,
    factors: Mapping[str, Sequence[Any]],
    missing: set[tuple],
    strength: int,
    can_be: Callable[[Row], bool],
) -> Row:
    for name, values in factors.items():
        if name not in row:
            tried = [{**row, name: value} for value in values]
            row = max(
                filter(can_be, tried),
                key=lambda each: sum(
                    part in missing for part in _met(each, factors, strength, name)
                ),
            )
    return row


def _met(
    row: Row, factors: Mapping[str, Sequence[Any]], strength: int, with_name: str | None = None
) -> Iterator[tuple]:
    """The combinations of a row, or those with one of its factors."""
    names = [name for name in factors if name in row]
    for chosen in combinations(names, strength):
        if with_name is None or with_name in chosen:
            yield tuple((name, row[name]) for name in chosen)


def case_of(row: Row) -> Case:
    """The case of a row that has a value of every factor."""
    setting = Setting(**{name: row[name] for name in Setting._fields})
    return setting, Choice(row["map"], row["modes"])


def read(text: str) -> LearnerFile:
    """A learner with inline words, read as the tools do."""
    context = make_context()
    module = parse_source(context, text.encode(), "learner.mlir")
    verify_module(module)
    learner = find_learner(module, "learner.mlir")
    return LearnerFile("learner.mlir", context, module, learner, resolve(learner, Path()))


def distributed(setting: Setting) -> LearnerFile:
    """The learner with its replicated distribution, in one module.

    Owners are declared by the learner of the odd size, and by the options of the pass else.
    """
    declares = setting.size == "odd"
    owners = setting.owners_text() if declares else None
    file = read(learner_text(setting.rule, setting.size, setting.element, owners))
    split = None if setting.samples == "even" else setting.split()
    options = {"owners": setting.owners, "topology": setting.topology, "samples": split}
    run_pass(file.context, file.module, "distribute", **({} if declares else options))
    return file


def partitioned(file: LearnerFile, choice: Choice) -> Distribution:
    """The distribution with these modes, in a module of its own; verified."""
    module = file.module.clone()
    for mode in choice.modes:
        run_pass(file.context, module, f"partition_{mode}", map=choice.map)
    distribution = find_distribution(module)
    assert distribution is not None
    verify_shards(distribution)
    return distribution


def examine(setting: Setting, choices: Sequence[Choice]) -> dict[str, str | None]:
    """For each choice, and for `replicated`, what is wrong; None if it is proved and equal.

    Raises:
        Refusal: what passes and `verify_shards` refuse.
    """
    file = distributed(setting)
    levels = {"replicated": partitioned(file, Choice("cyclic", ()))}
    levels |= {str(choice): partitioned(file, choice) for choice in choices}
    wrong = dict.fromkeys(levels) | terms_differences(file, levels)
    rounds = trajectory(setting.rule, setting.size, setting.element, setting.order(), ROUNDS)
    for level, distribution in levels.items():
        wrong[level] = wrong[level] or bits_difference(file, distribution, rounds)
    return wrong


def terms_differences(
    file: LearnerFile, levels: Mapping[str, Distribution]
) -> dict[str, str | None]:
    """For each level what isn't proved of it."""
    learner = levels["replicated"].learner
    found = compare_terms(learner, file.words, levels, NODES_MAX)
    if found is None:
        return dict.fromkeys(levels, f"not proved: more than {NODES_MAX} terms")
    fields = sorted([*learner.states, 'observed "loss"'])
    wrong: dict[str, str | None] = {}
    for level in levels:
        differences = [each.difference for each in found[level] if each.difference is not None]
        wrong[level] = differences[0] if differences else None
        if sorted(each.field for each in found[level]) != fields:
            wrong[level] = f"not all of {fields} were compared"
    return wrong


def bits_difference(
    file: LearnerFile, distribution: Distribution, rounds: Sequence[tuple[dict, object]]
) -> str | None:
    """Where a run first has other bits than the oracle."""
    interpreter = ShardInterpreter(distribution, file.words, Words())
    for number, (state, loss) in enumerate(rounds, 1):
        try:
            seen = [observation.total for observation in interpreter.step()]
        except Refusal as refusal:
            return f"round {number}: {refusal.code}"
        difference = first_difference((interpreter.state, seen), (state, [loss]))
        if difference is not None:
            return f"round {number}: {difference}"
    return None
