"""Cases of optimizer state: one step a contribution, one owner a coordinate, every word compared.

The steps are computed here by plain Python floats, operation by operation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from cases.optimizers import adam, sparse_adam
from cases.running import (
    EVERY_MODES,
    MODES,
    edited,
    everywhere,
    hexes,
    learner_run,
    levels,
    passed,
    printed,
    proved,
    read,
    refusal,
    shard_run,
    spread,
    written,
)
from cases.texts import contract, fields, replaced
from resuming.plain_learner import going_on, versions_of
from resuming.runs import Side, Store, difference, refused, run
from safetensors.numpy import load_file

from alpha.interpreters.shard import ShardInterpreter
from alpha.interpreters.words import Words
from alpha.ir.digests import state_digest
from alpha.ir.refusals import Refusal

GRADIENTS = [1.0, -2.0, 0.5, 3.0, 1.0, -4.0, 2.0, 4.0, 5.0]
"""Three samples of three words, whose means are 2, 1 and 0.5."""
MEANS = [2.0, 1.0, 0.5]

State = dict[str, list[float]]


def adam_by_hand(gradients: Sequence[Sequence[float]]) -> State:
    """The state after one step for each of these gradients, as examples/ and the paper say it."""
    width = len(gradients[0])
    w, m, v = [0.0] * width, [0.0] * width, [0.0] * width
    power1 = power2 = 1.0
    for gradient in gradients:
        power1, power2 = power1 * 0.9, power2 * 0.999
        for i, g in enumerate(gradient):
            m[i] = 0.9 * m[i] + (1.0 - 0.9) * g
            v[i] = 0.999 * v[i] + (1.0 - 0.999) * (g * g)
            root = math.sqrt(v[i] / (1.0 - power2))
            w[i] = w[i] - 1.0 * (m[i] / (1.0 - power1) / (root + 1e-8))
    return {"w": w, "m": m, "v": v, "b1_power": [power1], "b2_power": [power2]}


@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_O01_the_first_contribution_is_step_one(rounds: int) -> None:
    """Megatron-LM #5974 and torchtitan PR #4382: a step on zero gradients makes the state, so the
    first real one is step two. Here the first contribution is step one, with every owner.
    """
    wanted = adam_by_hand([MEANS] * rounds)
    everywhere(adam(GRADIENTS, 3), [(1, 2), (0, 1, 0, 2)], wanted, rounds)


def test_O01_a_step_that_materialises_state_is_no_proof() -> None:
    """A round with a step on a zero gradient before the real one is not proved; it is step two.

    It differs from the right one by the factor that the report gives.
    """
    text = printed(adam([1.0, 1.0], 1, owners="2, pair"))
    constants = "%rate, %b1, %b2, %eps)"
    types = ", ".join(
        [*["!shard.replica<tensor<1xf64>, +1>"] * 3, *["!shard.replica<f64, +1>"] * 2]
    )
    real = "%w1, %m1, %v1, %q1, %q2 = shard.update @adam(%w, %m, %v, %p1, %p2, %g, "
    first = f"%w0, %m0, %v0, %q3, %q4 = shard.update @adam(%w, %m, %v, %p1, %p2, %m, {constants}"
    second = real.replace("(%w, %m, %v, %p1, %p2, ", "(%w0, %m0, %v0, %q3, %q4, ")
    case, distribution = written(edited(text, (real, f"{first} : {types}\n{second}")))
    late = shard_run(case, distribution)[0]
    assert not proved(case, distribution)
    assert {name: hexes(late[name]) for name in late} == {
        name: hexes(words) for name, words in adam_by_hand([[0.0], [1.0]]).items()
    }
    right = learner_run(case)[0]["w"]
    assert hexes(right / late["w"]) == hexes([1.3438388915430235])


def test_O01_a_round_without_samples_is_no_step() -> None:
    """No contribution, no step: without a sample the round is refused and no power advances."""
    text = adam([], 3)
    assert refusal(lambda: read(text)).code == "shard-count-zero"
    read(adam([1.0, 2.0, 3.0], 3))


def test_O03_a_coordinate_counts_its_own_steps() -> None:
    """DeepSpeed PR #8471: what was passed over in round two was corrected as if by three steps.

    With a power for each coordinate, one has 1 - 0.9^3 and the others 1 - 0.9^2, on any owner.
    """
    text = sparse_adam(GRADIENTS, [1.0, 0.0, 0.0])
    often, seldom, moment = 1.0, 1.0, [0.0, 0.0, 0.0]
    for turn in (0, 1, 0):
        often, seldom = often * 0.9, seldom if turn else seldom * 0.9
        for i, g in enumerate(MEANS):
            if i == 0 or not turn:
                moment[i] = 0.9 * moment[i] + (1.0 - 0.9) * g
    below = [1.0 - often, 1.0 - seldom, 1.0 - seldom]
    assert hexes(below[:2]) == hexes([1.0 - 0.9 * 0.9 * 0.9, 1.0 - 0.9 * 0.9])
    wanted = {"m": moment, "corrected": [m / b for m, b in zip(moment, below, strict=True)]}
    everywhere(text, [(3, 0), (1, 0, 2)], wanted, rounds=3)
    wrong = moment[1] / below[0]
    assert hexes(wrong) != hexes(wanted["corrected"][1])


def test_O03_a_shared_power_is_of_shared_words_alone() -> None:
    """A power that is declared shared, and advances by some coordinate's gradient, is refused."""
    case = read(sparse_adam(GRADIENTS, [1.0, 0.0, 0.0], shared=True))
    for mode in MODES:
        caught = refusal(lambda mode=mode: passed(case, [mode], owners=2))
        assert caught.code == "pointwise-not-separable"
        assert caught.notes[0].message.startswith("[pointwise-shared-overclaim] expected new words")
    everywhere(adam(GRADIENTS, 3), [(2, 1)], adam_by_hand([MEANS] * 2), rounds=2)


@pytest.mark.parametrize(
    ("stored", "accepted"),
    [
        (np.float64(0.5), True),
        (np.int64(2), False),
        (np.float32(0.5), False),
        (np.array([0.5]), False),
        (np.array([[0.5]]), False),
    ],
)
def test_O05_a_step_of_another_type_is_refused(
    stored: np.ndarray, accepted: bool, tmp_path: Path
) -> None:
    """fairscale #1083, composer #2231: the step was saved as an integer and loaded as a tensor.

    A file has exactly the declared type and shape; a scalar is no array of one word.
    """
    np.save(tmp_path / "power.npy", stored)
    inline = "@b1_power : f64 = 1.0 {shared}"
    text = replaced(adam(GRADIENTS, 3), (inline, '@b1_power : f64 from "power.npy" {shared}'))
    if accepted:
        assert hexes(read(text, tmp_path).words.states["b1_power"]) == hexes(0.5)
    else:
        caught = refusal(lambda: read(text, tmp_path))
        assert caught.code == "region-data-extent"


TWO = [("a", 3, "f64"), ("b", 2, "f64")]
SAMPLES = {"a": GRADIENTS, "b": [0.25, -8.0, 1.0, 2.0, 4.0, 3.0]}
FROZEN = (", @b = %w1_b, @b_mean = %m1_b", "")


def test_O12_a_frozen_field_keeps_its_words() -> None:
    """DeepSpeed PR #2653, pytorch #192202, Lightning PR #21902: a frozen parameter lost its state.

    What a round doesn't advance stays in the state, in its digest, and with its owners.
    """
    text = replaced(fields(TWO, SAMPLES), FROZEN)
    wanted = {"a_mean": MEANS, "b": [0.5, 0.5], "b_mean": [7.0, 7.0]}
    everywhere(text, [(1, 2), (0, 3, 0)], wanted, rounds=2)
    case = read(text)
    types = {name: op.type for name, op in case.learner.states.items()}
    state = dict(learner_run(case, 2)[0])
    before = state_digest(types, state)
    state["b_mean"] = np.array([7.0, np.nextafter(7.0, 8.0)])
    assert state_digest(types, state) != before


def test_O12_unfrozen_it_goes_on_from_its_words() -> None:
    """A learner that advances the field goes on from the words that it had while frozen."""
    frozen = read(replaced(fields(TWO, SAMPLES), FROZEN))
    state = learner_run(frozen, 3)[0]
    free = read(fields(TWO, SAMPLES))
    then = learner_run(free, 1, state)[0]
    assert hexes(then["b_mean"]) == hexes([5.25 / 3, -3.0 / 3])
    assert (hexes(then["b"]), hexes(then["a_mean"])) == (hexes([0.5, 0.5]), hexes(MEANS))


@pytest.mark.parametrize("level", ["shard", "protocol"])
def test_O12_what_is_stored_while_frozen_goes_on_unfrozen(level: str, tmp_path: Path) -> None:
    """A generation has the frozen field as every other; a learner that advances it goes on there.

    That the round is another one has to be allowed.
    """
    frozen, free = tmp_path / "frozen.mlir", tmp_path / "free.mlir"
    order = ("over @data", f"over @data {contract([1, 2])}")
    frozen.write_text(replaced(fields(TWO, SAMPLES), FROZEN, order), encoding="utf-8")
    free.write_text(replaced(fields(TWO, SAMPLES), order), encoding="utf-8")
    side, store = Side(level, 2, "pair", MODES, "cyclic"), Store(tmp_path / "generations")
    run(frozen, side, 3, tmp_path, store=store)
    tensors = load_file(store.path / "gen-3" / "shard-0.safetensors")
    assert tensors["b_mean"].tolist() == [7.0, 7.0]
    told = refused(free, side, 4, f"--resume={store.path}")
    assert "[checkpoint-learner] expected the round of" in told.said
    more = ("--allow=round",)
    found = run(free, Side(level, 3), 4, tmp_path, resume=store.path, more=more)
    state = versions_of(frozen, 3).at(3)
    assert difference(found, going_on(free, state, 3, 4).outcome(3, 4)) is None
    assert found.words["b_mean"] == np.array([5.25 / 3, -3.0 / 3]).tobytes()


def test_O13_state_belongs_to_a_name_and_not_to_a_position() -> None:
    """Megatron-LM #2777 to #7336: with two types in a group, re-sorted, state went to another.

    Fields of two types in any order of the text give each name the same words and one digest.
    """
    parts = [("a", 3, "f64"), ("b", 2, "f32"), ("c", 3, "f32")]
    samples = {**SAMPLES, "c": [-word for word in GRADIENTS]}
    wanted = {"a_mean": MEANS, "b_mean": [1.75, -1.0], "c_mean": [-2.0, -1.0, -0.5]}
    digests: set[str] = set()
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        case = read(fields([parts[each] for each in order], samples))
        types = {name: op.type for name, op in case.learner.states.items()}
        runs = [learner_run(case)[0]]
        runs += [shard_run(case, each)[0] for _, each in levels(case, [(2, 0, 1)], ["star"])]
        for state in runs:
            for name, words in wanted.items():
                dtype = np.float64 if name == "a_mean" else np.float32
                assert hexes(state[name]) == hexes(np.asarray(words, dtype))
            digests.add(state_digest(types, state))
    assert len(digests) == 1


def test_O13_an_identity_is_that_of_its_own_field() -> None:
    """The identity of another field or type on a state is refused; its own is accepted."""
    text = fields([("a", 3, "f64"), ("b", 3, "f32")], {"a": GRADIENTS, "b": GRADIENTS})
    own = 'identity = #region.identity<schema = "s", field = "a", '
    own += "domain = stride(0, 1, 3), representation = f64, version = 0>"
    state = f"region.state @a : tensor<3xf64> = dense<{[0.5] * 3}>".replace("0.5", f"{0.5:.17e}")
    read(replaced(text, (state, f"{state} {{{own}}}")))
    for wrong in (
        ('field = "a"', 'field = "b"'),
        ("= f64", "= f32"),
        ("version = 0", "version = 1"),
    ):
        other = replaced(own, wrong)
        caught = refusal(lambda other=other: read(replaced(text, (state, f"{state} {{{other}}}"))))
        assert caught.code == "region-identity"


def test_O14_every_word_of_state_is_compared() -> None:
    """DeepSpeed PR #5105: moments came back shifted by padding, and a test compared only groups.

    A change of any word of any field by its last bit, or of a sign of zero, is another digest.
    """
    case = read(adam(GRADIENTS, 3))
    types = {name: op.type for name, op in case.learner.states.items()}
    state = {name: np.asarray(words) for name, words in learner_run(case, 2)[0].items()}
    digests = {state_digest(types, state)}
    for name, words in state.items():
        for flat in range(words.size):
            changed = words.copy()
            changed.reshape(-1)[flat] = np.nextafter(words.reshape(-1)[flat], np.inf)
            digests.add(state_digest(types, {**state, name: changed}))
    assert len(digests) == 1 + 3 + 3 + 3 + 1 + 1
    zeros = {**state, "m": np.array([0.0, 0.0, 0.0])}
    signed = {**state, "m": np.array([0.0, -0.0, 0.0])}
    assert state_digest(types, zeros) != state_digest(types, signed)


@pytest.mark.parametrize("rounds", [1, 5])
def test_O14_another_number_of_owners_changes_no_word(rounds: int) -> None:
    """With fixed groups every field of Adam is the same on 1 to 7 owners, word by word."""
    inexact = [0.1 * word for word in GRADIENTS]
    text = adam(inexact, 3, order=contract([1, 0, 2]))
    total = [-0.0 + inexact[at] + (-0.0 + inexact[at + 3] + inexact[at + 6]) for at in range(3)]
    mean = [word / 3 for word in total]
    splits = [(3,), (1, 2), (1, 0, 2, 0), (0, 0, 1, 0, 0, 0, 2)]
    everywhere(text, splits, adam_by_hand([mean] * rounds), rounds)


@pytest.mark.parametrize("owners", [1, 2, 5, 7])
def test_O14_loaded_on_other_owners_every_word_is_the_same(owners: int, tmp_path: Path) -> None:
    """Moments of 3 words, stored by 3 owners and by 4: none is shifted where others load them."""
    file = tmp_path / "adam.mlir"
    text = adam([0.1 * word for word in GRADIENTS], 3, order=contract([1, 0, 2]))
    file.write_text(text, encoding="utf-8")
    whole = versions_of(file, 6)
    for before in (3, 4):
        store = Store(tmp_path / f"{before}")
        run(file, Side("shard", before, "star", MODES, "block"), 3, tmp_path, store=store)
        for modes in EVERY_MODES[::3]:
            reader = Side("shard", owners, "tree<2>", modes, "cyclic")
            found = run(file, reader, 6, tmp_path, resume=store.path)
            assert difference(found, whole.outcome(3, 6)) is None


def test_O16_what_all_owners_compute_is_compared_before_it_is_published() -> None:
    """Megatron-LM #1446, AReaL #313, gpt-neox PR #1257: replicas of a layer norm drifted apart.

    In every partitioning, a round that publishes such words without `shard.agree` is refused.
    """
    text = adam(GRADIENTS, 3, owners="3, star, samples = [1, 0, 2]")
    for modes in EVERY_MODES:
        accepted = printed(text, modes)
        written(accepted)
        before, _, rest = accepted.partition("shard.agree ")
        caught = refusal(before + rest.split("\n", 1)[1])
        assert caught.code == "shard-agree-missing"
        field = "@b1_power" if modes else "@w"
        wanted = f"expected shard.agree on the new words of {field}, which every owner computes"
        assert caught.message == f"{wanted}, found none"


@pytest.mark.parametrize("modes", EVERY_MODES)
@pytest.mark.parametrize("owner", [1, 2])
def test_O16_a_drifted_power_publishes_nothing(modes: Sequence[str], owner: int) -> None:
    """A power that one owner has otherwise by its last bit is found before the version advances."""
    case = read(adam(GRADIENTS, 3, owners="3, star, samples = [1, 0, 2]"))
    running = ShardInterpreter(spread(case, modes), case.words, Words())
    running.step()
    kept = running.owners[owner].words["b2_power"].copy()
    running.owners[owner].words["b2_power"] = np.nextafter(kept, np.float64(1.0))
    before = [{name: hexes(words) for name, words in each.words.items()} for each in running.owners]
    with pytest.raises(Refusal) as caught:
        running.step()
    assert caught.value.code == "data-parallel-replicas-diverge"
    assert f"of owner {owner} is another than that of owner 0" in caught.value.found
    assert running.version == 1
    after = [{name: hexes(words) for name, words in each.words.items()} for each in running.owners]
    assert after == before
    running.owners[owner].words["b2_power"] = kept
    running.step()
    wanted = adam_by_hand([MEANS] * 2)
    assert {name: hexes(words) for name, words in running.state.items()} == {
        name: hexes(words) for name, words in wanted.items()
    }
