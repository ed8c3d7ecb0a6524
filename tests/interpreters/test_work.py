"""One role's work, run alone: it is that of the role among all, and needs no word of another.

What roles exchange is fed in: either what the shard interpreter exchanged, or what an oracle that
shares no line with the package says that it is.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from oracle import orders
from oracle.learners import EXAMPLES, PATIENTS, WARDS, adam
from oracle.orders import Order
from sharding.roles_alone import (
    ADAM,
    ALL,
    LOCAL,
    MIXED,
    Case,
    Exchange,
    opened,
    poisoned,
    run_alone,
    shown,
    shown_all,
    shown_observations,
    started,
)
from xdsl.ir import SSAValue

from alpha.interpreters.combine import Part, Parts
from alpha.interpreters.locality import LocalityError
from alpha.interpreters.prepared import Prepared, contract_by_uses
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.terms.symbolic import symbolic_words
from alpha.interpreters.words import Words
from alpha.interpreters.work import Environment, Held, RoleWork, Total, held_words
from alpha.ir.attributes.shard import ContributionType, OwnedType, WhereAttr, located
from alpha.ir.contracts import Contract, Left
from alpha.ir.dialects.shard_exchange import CombineOp, ReleaseOp, ReplicateOp, TransferOp
from alpha.ir.dialects.shard_work import AgreeOp, ContributeOp, MeanOp, ReadOp, UpdateOp
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import shape_of
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.maps import Block
from alpha.ir.sharding.places import Everywhere, Owned

ROUNDS = 3

CASES = (
    Case(ADAM),
    Case(ADAM, ALL),
    Case(MIXED),
    Case(LOCAL),
    Case(ADAM, (), "stale-version"),
    Case(ADAM, (), "unweighted-mean"),
)


@pytest.mark.parametrize("carrier", ["words", "terms"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_role_alone_has_what_it_has_among_all(case: Case, carrier: str) -> None:
    together, alone = started(case, carrier == "terms")
    for number in range(1 if carrier == "terms" else ROUNDS):
        wanted = together.step()
        for role, work in enumerate(alone):
            environment: Environment = {}
            seen = run_alone(work, together.exchanged[role], environment)
            assert shown_all(environment) == shown_all(together.environments[role])
            assert shown_all(work.owner.words) == shown_all(together.owners[role].words)
            assert work.version == number + 1
            assert shown_observations(seen) == ([] if role else shown_observations(wanted))


# By an oracle


def adam_rows(w: np.ndarray) -> tuple[list[np.ndarray], list[np.float64]]:
    """What each sample contributes to the gradient and to the loss."""
    x, y = PATIENTS
    residuals = [orders.left([w[k] * x[n, k] for k in range(10)]) - y[n] for n in range(len(y))]
    return [r * x[n] for n, r in enumerate(residuals)], [r * r for r in residuals]


def same_part(part: Part, rows: Sequence[Any], like: Any) -> bool:
    """Whether a part is the sum of these rows, in order, from -0.0 on."""
    wanted = np.asarray(orders.left(rows) if rows else orders.nothing(like))
    return (part.count, part.words.tobytes()) == (len(rows), wanted.tobytes())


def adam_received(
    distribution: Distribution, role: int, w: np.ndarray, gradient: np.ndarray, loss: np.ndarray
) -> dict[SSAValue, Held]:
    """What a role of Adam receives in a round: parameters, sums, and with role 0 the loss."""
    received: dict[SSAValue, Held] = {}
    for op in distribution.ops(ReplicateOp):
        received[op.result] = w.copy()
    for op in distribution.ops(CombineOp):
        if shape_of(located(op.part).value) == ():
            received[op.result] = Total(np.array(loss if role == 0 else np.nan), 442)
        else:
            mine = gradient[role::4] if isinstance(op.deliver.data, Owned) else gradient
            received[op.result] = Total(mine, 442)
    return received


def with_everyone(distribution: Distribution) -> None:
    """Place the samples with every owner, which contributes from its own all the same."""
    distribution.place_ops["data"].properties["where"] = WhereAttr(Everywhere())


@pytest.mark.parametrize("places", ["own samples", "all samples"])
@pytest.mark.parametrize("modes", [(), ALL], ids=["replicated", "partitioned"])
def test_a_role_alone_follows_the_oracle(modes: Sequence[str], places: str) -> None:
    file, distribution = opened(Case(ADAM, modes))
    if places == "all samples":
        with_everyone(distribution)
    prepared = Prepared(distribution, Words())
    alone = [RoleWork(prepared, role, file.words) for role in range(4)]
    (contribute,) = distribution.ops(ContributeOp)
    state = {name: np.zeros(10) for name in "wmv"}
    state |= {"b1_power": np.array(1.0), "b2_power": np.array(1.0)}
    for number in range(ROUNDS):
        rows, losses = adam_rows(state["w"])
        gradient, loss = orders.total(rows, Order(WARDS)), orders.total(losses, Order(WARDS))
        old, state = state, adam(0.01)(np.float64, state, orders.mean(gradient, 442, np.float64))
        for role, work in enumerate(alone):
            received = adam_received(distribution, role, old["w"], gradient, loss)
            environment: Environment = {}
            seen = run_alone(work, received, environment)
            low, high = sum(WARDS[:role]), sum(WARDS[: role + 1])
            for part, each in zip(contribute.parts, (rows, losses), strict=True):
                parts = environment[part]
                assert isinstance(parts, dict) and [*parts] == [role]
                assert same_part(parts[role], each[low:high], each[0])
            for name, words in state.items():
                mine = words[role::4] if modes and words.ndim else words
                assert work.owner.words[name].tobytes() == np.asarray(mine).tobytes(), name
            assert [each.name for each in seen] == ([] if role else ["loss"])
            for each in seen:
                assert (each.total, each.count, each.version) == (loss, 442, number)


def test_the_version_before_is_what_was_published_before() -> None:
    file, distribution = opened(Case(ADAM, (), "stale-version"))
    (read,) = [op for op in distribution.ops(ReadOp) if located(op.values[0]).version.data < 0]
    before = {name: words + 1.0 for name, words in file.words.states.items()}
    work = RoleWork(Prepared(distribution, Words()), 2, file.words, before)
    gradient = np.linspace(-3.0, 4.0, 10)
    wanted = [before["w"], file.words.states["w"]]
    for number in range(ROUNDS):
        assert work.read(read)[0].tobytes() == wanted[number].tobytes()
        run_alone(work, adam_received(distribution, 2, wanted[-1], gradient, gradient[0]), {})
        wanted.append(work.owner.words["w"])
        assert not np.array_equal(wanted[-1], wanted[-2])


def test_a_mean_of_parts_divides_every_part_by_its_own_count() -> None:
    file, distribution = opened(Case(ADAM, (), "unweighted-mean"))
    work = RoleWork(Prepared(distribution, Words()), 0, file.words)
    op = distribution.ops(MeanOp)[0]
    assert isinstance(op.sum.type, ContributionType)
    sums = {0: Part(np.linspace(1.0, 2.0, 10), 3), 4: Part(np.full(10, -0.0), 0)}
    environment: Environment = {op.sum: sums}
    work.run(op, environment)
    found = environment[op.result]
    assert isinstance(found, dict)
    thirds = (np.linspace(1.0, 2.0, 10) / 3.0).tobytes()
    assert (found[0].words.tobytes(), found[0].count) == (thirds, 1)
    assert (found[4].words.tobytes(), found[4].count) == (sums[4].words.tobytes(), 0)


def test_of_a_released_copy_nothing_is_left() -> None:
    file, distribution = opened(Case(ADAM, ALL))
    work = RoleWork(Prepared(distribution, Words()), 0, file.words)
    releases = distribution.ops(ReleaseOp)
    for op in releases:
        environment: Environment = {op.replica: np.ones(10)}
        work.run(op, environment)
        (words,) = held_words(environment, [op.replica])
        assert words.shape == (10,) and np.isnan(words).all()
    assert releases


def test_roles_that_exchange_nothing_need_nothing() -> None:
    file, distribution = opened(Case(LOCAL))
    example = EXAMPLES["local_correlation"]
    wanted, _ = example.run(np.float64, example.data, example.order, 20)
    for role, (low, high) in enumerate([(0, 3), (3, 3), (3, 5)]):
        others = [index for index in range(5) if not low <= index < high]
        words = poisoned(file.words, {"c": others}, others, np.nan)
        work = RoleWork(Prepared(distribution, Words()), role, words)
        for _ in range(20):
            run_alone(work, {}, {})
        assert work.owner.words["c"].tobytes() == wanted["c"][low:high].tobytes()


# Words of others


def rows_of_others(role: int) -> list[int]:
    """The samples of Adam that a role hasn't."""
    low = sum(WARDS[:role])
    return [row for row in range(442) if not low <= row < low + WARDS[role]]


@pytest.mark.parametrize("carrier", ["words", "terms"])
@pytest.mark.parametrize("role", range(4))
def test_a_role_alone_touches_no_word_of_another(role: int, carrier: str) -> None:
    together, _ = started(Case(ADAM, ALL), carrier == "terms")
    file, distribution = opened(Case(ADAM, ALL))
    words, poison = file.words, np.array(np.nan)
    if isinstance(together.carrier, Terms):
        words = symbolic_words(file.learner, file.words, together.carrier)
        poison = together.carrier.symbol_array("poison", (), "f64")
    others = {name: [index for index in range(10) if index % 4 != role] for name in "wmv"}
    given = poisoned(words, others, rows_of_others(role), poison)
    work = RoleWork(Prepared(distribution, together.carrier), role, given)
    # The values of the two readings are those of different modules, in the same order.
    together.step()
    received: dict[SSAValue, Held] = {}
    exchanges = [op for op in distribution.round.body.block.ops if isinstance(op, Exchange)]
    for op, held in zip(exchanges, together.exchanged[role].values(), strict=True):
        received[op.result] = held
    environment: Environment = {}
    run_alone(work, received, environment)
    wanted = together.environments[role]
    assert [*map(shown, environment.values())] == [*map(shown, wanted.values())]
    assert shown_all(work.owner.words) == shown_all(together.owners[role].words)


@pytest.mark.parametrize(("places", "size"), [("own samples", 133), ("all samples", 442)])
def test_a_role_alone_keeps_no_array_of_others(places: str, size: int) -> None:
    file, distribution = opened(Case(ADAM, ALL))
    if places == "all samples":
        with_everyone(distribution)
    given = poisoned(file.words, {}, [], np.nan)
    work = RoleWork(Prepared(distribution, Words()), 1, given)
    arrays = [*given.states.values(), *given.samples["data"]]
    kept = [np.array(each) for each in work.owner.samples["data"]]
    assert [each.shape for each in kept] == [(size, 10), (size,)]
    for number in range(len(arrays)):
        arrays[number].fill(np.nan)
    assert [shown(each) for each in work.owner.samples["data"]] == [*map(shown, kept)]
    assert all(np.isfinite(each).all() for each in work.owner.words.values())
    left = [weakref.ref(array) for array in arrays]
    del arrays, given
    gc.collect()
    assert [each() for each in left] == [None] * len(left)


# What a role refuses


@pytest.mark.parametrize("case", [Case(ADAM, ALL), Case(MIXED)], ids=str)
def test_a_word_that_is_not_finite_is_named_as_among_all(case: Case, monkeypatch) -> None:
    """Role 1 makes an infinity of its last word: role 0 may go on, since it hasn't this word."""
    together, alone = started(case, False)
    together.step()
    for role, work in enumerate(alone):
        run_alone(work, together.exchanged[role], {})
    right = RoleWork.update

    def update(self: RoleWork, op: UpdateOp, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
        results = right(self, op, arguments)
        of = located(op.outputs[0])
        if self.role == 1 and isinstance(of, OwnedType) and of.version.data == 1:
            results[0][-1] = np.inf
        return results

    monkeypatch.setattr(RoleWork, "update", update)
    with pytest.raises(Refusal) as wanted:
        together.step()
    before = shown_all(alone[1].owner.words)
    with pytest.raises(Refusal) as found:
        run_alone(alone[1], together.exchanged[1], {})
    assert found.value.code == wanted.value.code == "numeric-nonfinite"
    assert found.value.lines() == wanted.value.lines()
    # Of ten words dealt to four, role 1 has words 1, 5 and 9; of six rows of five, the last three.
    assert ("[9]" if case.example == ADAM else "[5, 4]") in found.value.found
    assert shown_all(alone[1].owner.words) == before and alone[1].version == 1
    run_alone(alone[0], together.exchanged[0], {})
    assert alone[0].version == 2


def test_words_of_other_coordinates_are_not_kept() -> None:
    """Of ten words dealt to four and cut into blocks, role 2 has 2 and 6, and 6 and 7."""
    file, distribution = opened(Case(ADAM, ALL))
    work = RoleWork(Prepared(distribution, Words()), 2, file.words)
    op = distribution.advance()
    new = [np.full_like(work.owner.words[name], 2.0) for name in op.names()]
    distribution.place_ops["m"].properties["where"] = WhereAttr(Owned(Block()))
    before = shown_all(work.owner.words)
    with pytest.raises(LocalityError, match="owner 2 would keep words of @m that aren't its own"):
        work.advance(op, new)
    assert shown_all(work.owner.words) == before and work.version == 0


def test_what_roles_exchange_is_no_work_of_one() -> None:
    file, distribution = opened(Case(MIXED))
    work = RoleWork(Prepared(distribution, Words()), 0, file.words)
    kinds = (CombineOp, ReplicateOp, TransferOp, AgreeOp)
    refused = [op for kind in kinds for op in distribution.ops(kind)]
    assert {op.name for op in refused} == {kind.name for kind in kinds}
    for op in refused:
        with pytest.raises(ValueError, match=op.name):
            work.run(op, {})


# Contracts


def test_a_contract_is_that_of_the_combine() -> None:
    declared = Contract(WARDS, Left())
    for case in (Case(ADAM), Case(ADAM, ALL), Case(ADAM, (), "unweighted-mean")):
        _, distribution = opened(case)
        (op,) = distribution.ops(ContributeOp)
        assert contract_by_uses(distribution, op) == declared
        alone = op.clone()
        assert contract_by_uses(distribution, alone) == Contract.single(442)
        mean = MeanOp(alone.parts[0])
        assert contract_by_uses(distribution, alone) == Contract.single(442)
        assert CombineOp.sum(mean.result, declared, Everywhere()).contract is not None
        assert contract_by_uses(distribution, alone) == declared


def groups(sizes: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Of each group its number, its first sample, and the first one behind it."""
    at = 0
    for number, size in enumerate(sizes):
        yield number, at, at + size
        at += size


def test_a_contract_may_be_given() -> None:
    """The uses of a contribution may stand elsewhere: the contract is what the caller says."""
    file, distribution = opened(Case(ADAM))
    (read, *_), (op,) = distribution.ops(ReadOp), distribution.ops(ContributeOp)
    sizes = (200, 65, 100, 0, 33, 20, 24)
    prepared = Prepared(distribution, Words(), lambda asked: Contract(sizes, Left()))
    w = np.linspace(-1.0, 1.0, 10)
    rows, losses = adam_rows(w)
    seen: set[int] = set()
    for role in range(4):
        work = RoleWork(prepared, role, file.words)
        assert work.read(read)[0].tobytes() == bytes(80)
        found: list[Parts] = work.contribute(op, [w])
        low, high = sum(WARDS[:role]), sum(WARDS[: role + 1])
        wanted = {
            number: (first, end)
            for number, first, end in groups(sizes)
            if low <= first < end <= high or (number == 3 and role == 1)
        }
        assert [*found[0]] == [*found[1]] == [*wanted]
        for group, (first, end) in wanted.items():
            assert same_part(found[0][group], rows[first:end], rows[0])
            assert same_part(found[1][group], losses[first:end], losses[0])
        seen |= {*found[0]}
    assert seen == set(range(7))
