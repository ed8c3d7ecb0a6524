"""The shard-level interpreter where something is wrong: it refuses, and publishes nothing.

An owner that would read a word of another is an internal error; replicas that diverge and words
that aren't finite refuse the round with every owner.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from sharding.least_squares import dense, learner_text
from sharding.level_agreement import pieces_agree
from sharding.product import MAPS, SUBSETS, Choice, Setting, distributed, partitioned, read

from alpha.interpreters.learner import LearnerInterpreter
from alpha.interpreters.levels import compare_bits, compare_terms
from alpha.interpreters.locality import LocalityError
from alpha.interpreters.programs import Program, Value
from alpha.interpreters.shard import ShardInterpreter
from alpha.interpreters.words import Words
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.distribution import Distribution, find_distribution
from alpha.ir.sharding.verification import verify_shards
from alpha.passes.sharding import owned
from alpha.tools.distributing import run_pass
from alpha.tools.learner_file import LearnerFile

ALL = SUBSETS[-1]
NODES_MAX = 1_000_000
TOPOLOGIES = ("star", "tree<1>", "tree<2>", "tree<3>")


def started(
    topology: str = "star", owners: int = 3, choice: Choice | None = None
) -> tuple[LearnerFile, ShardInterpreter]:
    """Adam at version 0; the choice is replicated unless there is one."""
    file = distributed(Setting("adam", topology, owners, "even"))
    distribution = partitioned(file, choice or Choice("cyclic", ()))
    return file, ShardInterpreter(distribution, file.words, Words())


def held(running: ShardInterpreter) -> list[dict[str, bytes]]:
    """Every word of every owner."""
    return [
        {name: words.tobytes() for name, words in owner.words.items()} for owner in running.owners
    ]


def refused(running: ShardInterpreter) -> Refusal:
    """How a round is refused; nothing of it is published with any owner."""
    before, version = held(running), running.version
    with pytest.raises(Refusal) as caught:
        running.step()
    assert held(running) == before and running.version == version
    return caught.value


# Replicas that diverge


def nudge(words: np.ndarray, word: int) -> np.ndarray:
    """A copy with one word moved by its last bit."""
    other = words.copy()
    other.reshape(-1)[word] = np.nextafter(words.reshape(-1)[word], np.inf)
    return other


@pytest.mark.parametrize("topology", TOPOLOGIES)
@pytest.mark.parametrize("field", ["w", "m", "v", "b1_power", "b2_power"])
def test_a_copy_that_is_another_publishes_nothing(field: str, topology: str) -> None:
    file, running = started(topology)
    running.step()
    for role in range(3):
        right = running.owners[role].words[field]
        for word in {0, right.size - 1}:
            running.owners[role].words[field] = nudge(right, word)
            assert refused(running).code == "data-parallel-replicas-diverge"
        running.owners[role].words[field] = right
    # When the copies are equal again, the run goes on as if nothing had been.
    learner = LearnerInterpreter(running.distribution.learner, file.words, Words())
    learner.step()
    for _ in range(3):
        learner.step()
        running.step()
        pieces_agree(running, learner.state)


@pytest.mark.parametrize("modes", SUBSETS[1:], ids="+".join)
def test_shared_words_are_compared_in_every_mode(modes: tuple[str, ...]) -> None:
    """What all owners compute alike stays replicated, and is all that there is to agree on."""
    _, running = started("tree<2>", 4, Choice("block", modes))
    running.step()
    for role in range(4):
        right = running.owners[role].words["b2_power"]
        running.owners[role].words["b2_power"] = nudge(right, 0)
        found = refused(running)
        assert found.code == "data-parallel-replicas-diverge"
        assert f"owner {role or 1}" in found.found
        running.owners[role].words["b2_power"] = right
    running.step()


def test_an_owner_that_computes_otherwise_publishes_nothing(monkeypatch) -> None:
    _, running = started(owners=4)
    running.step()
    right = Program.run
    calls: list[int] = []

    def run(self: Program, arguments: list[Value]) -> list[Value]:
        results = right(self, arguments)
        calls.append(len(results))
        if calls.count(5) == 3:  # @adam has five results, and this is the third owner's
            results[2] = Value(nudge(results[2].words, 1), False)
        return results

    with monkeypatch.context() as patch:
        patch.setattr(Program, "run", run)
        found = refused(running)
    assert found.code == "data-parallel-replicas-diverge"
    assert "word 1 of %v1 of owner 2" in found.found
    running.step()


# Words that aren't finite


def overflowing(size: float) -> str:
    """Adam, whose third sample is so large in coordinate 3 that a square overflows there."""
    text = learner_text("adam", "own", "f64")
    changed, count = re.subn(r"\[-2\.0, 0\.4, 0\.9, -0\.7\]", f"[-2.0, 0.4, 0.9, {size:e}]", text)
    assert count == 1
    return changed


@pytest.mark.parametrize(("size", "rounds"), [(1e200, 0), (1e150, 1)])
@pytest.mark.parametrize("map", MAPS)
@pytest.mark.parametrize("modes", SUBSETS, ids=lambda modes: "+".join(modes) or "none")
def test_a_word_that_is_not_finite_publishes_nothing(
    modes: tuple[str, ...], map: str, size: float, rounds: int
) -> None:
    file = read(overflowing(size))
    run_pass(file.context, file.module, "distribute", owners=3, topology="tree<2>")
    distribution = partitioned(file, Choice(map, modes))
    running = ShardInterpreter(distribution, file.words, Words())
    learner = LearnerInterpreter(distribution.learner, file.words, Words())
    with np.errstate(all="ignore"):
        for _ in range(rounds):
            learner.step()
            running.step()
        found = refused(running)
        with pytest.raises(Refusal) as wanted:
            learner.step()
        assert found.code == wanted.value.code == "numeric-nonfinite"
        assert found.found == wanted.value.found
        assert running.version == learner.version == rounds
        pieces_agree(running, learner.state)
        (same,) = compare_bits(
            distribution.learner, file.words, {"shard": distribution}, range(1, 5)
        ).values()
    assert all(each.difference is None for each in same)


# An owner that would read a word of another


class Wrong(NamedTuple):
    """A change of the text of Adam with all modes, and the code that refuses the result."""

    change: Callable[[str], str]
    code: str
    found: str
    modes: tuple[str, ...] = ALL


def _replaced(before: str, after: str) -> Callable[[str], str]:
    return lambda text: re.sub(before, after, text)


def _in_lines(lines: str, before: str, after: str) -> Callable[[str], str]:
    """A change within what `lines` matches."""
    return lambda text: re.sub(lines, lambda found: found[0].replace(before, after), text)


OWNED = "!shard.owned<tensor<4xf64>, cyclic, "
SECOND = rf"(shard\.read @w, @m, @v : {re.escape(OWNED)}\+0>, ){re.escape(OWNED)}"
RESULTS = r"(?<=%b2, %eps\) : ).*"

WRONG = {
    "a state read by another map": Wrong(
        _replaced(SECOND, r"\1!shard.owned<tensor<4xf64>, block, "),
        "shard-not-held",
        "hold @m cyclic, and would read it block",
    ),
    "a state placed by another map": Wrong(
        _replaced(r"(shard\.place @v by) cyclic", r"\1 block"),
        "shard-replica-write",
        "hold @v block, and would read it cyclic",
    ),
    "owned words read as a copy": Wrong(
        _replaced(SECOND, r"\1!shard.replica<tensor<4xf64>, "),
        "shard-not-held",
        "hold @m cyclic, and would read it replicated",
    ),
    "a copy read as owned words": Wrong(
        _replaced(r"(shard\.place @m) by cyclic", r"\1 replicated"),
        "shard-coverage-missing",
        "hold @m replicated, and would read it cyclic",
    ),
    "coordinates of another owner updated": Wrong(
        _in_lines(RESULTS, "cyclic", "block"),
        "shard-replica-write",
        "owner 0 lacks a word for coordinate 1 of result 0",
    ),
    "every owner computes all words of owned ones": Wrong(
        _in_lines(RESULTS, OWNED, "!shard.replica<tensor<4xf64>, "),
        "shard-replica-write",
        "owner 0 lacks a word for coordinate 1 of result 0",
    ),
    "sums of another owner's coordinates": Wrong(
        _in_lines(r"%sum = .*|%g = .*", "cyclic", "block"),
        "shard-not-held",
        "owner 0 lacks a word for coordinate 2 of result 0",
    ),
    "means partitioned by another map": Wrong(
        _in_lines(r"shard\.partition %g .*", "cyclic", "block"),
        "shard-not-held",
        "owner 0 lacks a word for coordinate 2 of result 0",
        ("optimizer", "parameters"),
    ),
    "a contribution from owned parameters": Wrong(
        _replaced(r"@gradient\(%w\)( over @data by)", r"@gradient(%w_own)\1"),
        "shard-not-held",
        "lack words of others for argument 0 of @gradient",
    ),
    "samples of another owner": Wrong(
        _replaced(r"(over @data by) \[3, 3\]", r"\1 [4, 2]"),
        "shard-not-held",
        "owner 0 would read samples of @data that it doesn't have",
    ),
}


def changed(wrong: Wrong) -> tuple[LearnerFile, Distribution]:
    """A wrong distribution among two owners, which the structure allows; not verified."""
    text = learner_text("adam", "own", "f64", "2, star")
    # Groups of two samples, so that an owner might have one more.
    groups = "contract #region.contract<groups = [2, 0, 1, 1, 2], combine = left>"
    file = read(text.replace("(%w) over @data", f"(%w) over @data {groups}"))
    options = {"owners": 2, "topology": "star", "samples": (3, 3)}
    run_pass(file.context, file.module, "distribute", **options)
    before = str(partitioned(file, Choice("cyclic", wrong.modes)).op.parent_op())
    after = wrong.change(before)
    assert after != before
    file = read(after)
    distribution = find_distribution(file.module)
    assert distribution is not None
    return file, distribution


@pytest.mark.parametrize("name", WRONG)
def test_a_read_of_another_owners_word_is_an_internal_error(name: str) -> None:
    wrong = WRONG[name]
    file, distribution = changed(wrong)
    with pytest.raises(Refusal) as caught:
        verify_shards(distribution)
    assert caught.value.code == wrong.code
    running = ShardInterpreter(distribution, file.words, Words())
    before = held(running)
    with pytest.raises(LocalityError, match=re.escape(wrong.found)):
        running.step()
    assert held(running) == before and running.version == 0
    with pytest.raises(LocalityError, match=re.escape(wrong.found)):
        compare_terms(distribution.learner, file.words, {"wrong": distribution}, NODES_MAX)


def test_a_word_that_nobody_owns_is_noticed() -> None:
    missing = "[stride(0, 1, 1), stride(2, 1, 2)]"
    file, distribution = changed(Wrong(_replaced("cyclic", missing), "", ""))
    with pytest.raises(Refusal) as caught:
        verify_shards(distribution)
    assert caught.value.code == "shard-coverage-missing"
    assert "none for coordinate 1" in caught.value.found
    found = compare_terms(distribution.learner, file.words, {"wrong": distribution}, NODES_MAX)
    assert found is not None
    assert {each.field for each in found["wrong"] if each.difference} >= {"w", "m", "v"}
    running = ShardInterpreter(distribution, file.words, Words())
    assert refused(running).code == "numeric-nonfinite"


REVERSED = f"""
region.learner @reversed {{
  region.state @w : tensor<4xf64> = {dense([1.0, 2.0, 3.0, 4.0])}
  pointwise.update @turn(%w : tensor<4xf64>) -> (tensor<4xf64>) {{
    %w1 = pointwise.map over [i : 4] (%a = %w[3 - i]) {{
      pointwise.yield %a
    }} : tensor<4xf64>
    pointwise.return %w1
  }}
  region.round {{
    %w = region.read @w : tensor<4xf64>
    %turned = pointwise.apply @turn(%w) : tensor<4xf64>
    %w1 = pointwise.apply @turn(%turned) : tensor<4xf64>
    region.advance @w = %w1
  }}
}}
"""


@pytest.mark.parametrize("map", MAPS)
def test_words_that_come_back_in_two_updates_are_not_local(map: str) -> None:
    """The round as a whole reads only own coordinates, each of its updates those of others."""
    file = read(REVERSED)
    run_pass(file.context, file.module, "distribute", owners=2, topology="star")
    run_pass(file.context, file.module, "partition_optimizer", map=map)
    distribution = find_distribution(file.module)
    assert distribution is not None
    with pytest.raises(Refusal) as caught:
        verify_shards(distribution)
    assert caught.value.code == "shard-not-held"
    with pytest.raises(LocalityError):
        ShardInterpreter(distribution, file.words, Words()).step()


@pytest.mark.parametrize("name", ["neighbour", "matrix_step", "lars"])
def test_without_the_check_of_separability_owners_lack_words(name: str, monkeypatch) -> None:
    from sharding.test_random_distributions import ROOT

    file = LearnerFile.read(str(ROOT / f"tests/learners/{name}.mlir"))
    run_pass(file.context, file.module, "distribute", owners=2, topology="star")
    with pytest.raises(Refusal, match="coordinate"):
        run_pass(file.context, file.module.clone(), "partition_gradients", map="block")
    monkeypatch.setattr(owned, "require_separable", lambda learner: None)
    run_pass(file.context, file.module, "partition_gradients", map="block")
    distribution = find_distribution(file.module)
    assert distribution is not None
    with pytest.raises(Refusal) as caught:
        verify_shards(distribution)
    assert caught.value.code == "shard-not-held"
    with pytest.raises(LocalityError):
        ShardInterpreter(distribution, file.words, Words()).step()
