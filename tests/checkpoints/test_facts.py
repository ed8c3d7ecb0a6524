"""What is known of a generation before it is written, and whether a learner may go on from one."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from checkpoints.makings import CONTRACT, SMALL, State, facts_of, state_of, write
from checkpoints.test_format import random_facts

from alpha.ir.checkpoints.facts import Facts, StateFacts
from alpha.ir.checkpoints.manifests import manifest_pieces
from alpha.ir.checkpoints.reading import Generation, check_learner, check_states, newest
from alpha.ir.checkpoints.shards import shard_layout
from alpha.ir.checkpoints.texts import bytes_most
from alpha.ir.digests import learner_digest, learner_parts
from alpha.ir.protocol.identity import RunDigests
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Stride
from alpha.ir.sharding.distribution import find_distribution
from alpha.tools.distributing import run_pass
from alpha.tools.learner_file import LearnerFile

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def adam(rate: str = "0.05") -> tuple[Facts, Mapping[str, str]]:
    """Facts of an example whose optimizer state is shared out, and the parts of its learner."""
    text = (EXAMPLES / "least_squares_adam.mlir").read_text("utf-8")
    file = LearnerFile.read(str(EXAMPLES / "least_squares_adam.mlir"))
    parts = dict(learner_parts(file.learner, file.words))
    assert "@rate : f64 = 0.05" in text
    run_pass(file.context, file.module, "partition_optimizer", map="cyclic")
    distribution = find_distribution(file.module)
    assert distribution is not None
    if rate != "0.05":
        parts["constant rate"] = "4" * 64
    digests = RunDigests(learner_digest(parts), CONTRACT, "1" * 64, "2" * 64)
    return Facts.of(distribution, digests, parts, (3, "5" * 64)), parts


def test_facts_of_a_run() -> None:
    """A parameter is what a contribution reads, and copies are states without a map."""
    facts, parts = adam()
    assert [(state.name, state.kind, state.type) for state in facts.states] == [
        ("w", "parameter", "tensor<4xf64>"),
        ("m", "optimizer", "tensor<4xf64>"),
        ("v", "optimizer", "tensor<4xf64>"),
        ("b1_power", "shared", "f64"),
        ("b2_power", "shared", "f64"),
    ]
    assert (facts.name, facts.owners, facts.topology) == ("least_squares_adam", 4, "star")
    assert facts.contracts == ("groups = [1, 2, 3, 0], combine = left",)
    assert facts.parts == parts
    assert facts.resumed == (3, "5" * 64)
    assert [facts.is_whole(state.name) for state in facts.states] == [
        True,
        False,
        False,
        True,
        True,
    ]
    assert [state.name for state in facts.stored(1)] == ["m", "v"]
    assert facts.coordinates("m", 1) == Stride(1, 4, 1)
    assert facts.coordinates("w", 1) is None
    assert facts.coordinates("w", 0) == Stride(0, 1, 4)


@pytest.mark.parametrize("seed", range(20))
def test_kinds_of_random_learners(seed: int) -> None:
    """As the passes share them out: what they would leave with all owners is as good as shared."""
    facts, distribution = random_facts(seed)
    for state in facts.states:
        kind = "shared"
        if state.name in distribution.parameters():
            kind = "parameter"
        elif state.name in distribution.optimizer_states():
            kind = "optimizer"
        assert state.kind == kind
        if distribution.map_of(state.name) is not None:
            assert kind != "shared"


@pytest.mark.parametrize(
    "map", ["cyclic", "block_cyclic<2>", "[join(stride(0, 1, 5), stride(5, 1, 1))]"]
)
def test_one_role_stores_states_whole(map: str, tmp_path: Path) -> None:
    """A manifest couldn't tell pieces from copies there; so all are in their own shapes."""
    facts = facts_of([("w", "f64", (2, 3), map), ("c", "f32", (2, 3), None)], 1)
    assert [field.shape for field in shard_layout(facts, 0).fields] == [(2, 3), (2, 3)]
    assert facts.coordinates("w", 0) == Stride(0, 1, 6)
    state = state_of(facts)
    found = newest(write(tmp_path, facts, state)).generation
    assert found.read_words("w").tobytes() == state["w"].tobytes()
    assert found.facts.is_whole("w")


@pytest.mark.parametrize("name", ["__metadata__", "half \ud800"])
def test_a_name_that_no_shard_can_have(name: str) -> None:
    with pytest.raises(Refusal) as caught:
        facts_of([(name, "f64", (), None)], 1)
    assert caught.value.code == "checkpoint-name"
    facts_of([(name.replace("_", "-").replace("\ud800", "?"), "f64", (), None)], 1)


def changes() -> dict[str, Any]:
    """Another value for each of the facts that the root's manifest says."""
    state = StateFacts("w", "f64", (2, 2), "optimizer")
    return {
        "name": "other",
        "learner": "7" * 64,
        "contract": "7" * 64,
        "run": "7" * 64,
        "contracts": (),
        "owners": 3,
        "topology": "tree<2>",
        "states": (state,),
        "resumed": (3, "5" * 64),
    }


def test_the_digest_of_facts_is_of_all_of_them() -> None:
    """But for the parts, which the learner's digest is of, and maps, which shards say."""
    facts = facts_of(SMALL, 2)
    fields = {field.name for field in dataclasses.fields(Facts)}
    assert fields == {*changes(), "parts", "maps"}
    found = {facts.digest}
    for name, value in changes().items():
        found.add(dataclasses.replace(facts, **{name: value}).digest)
    assert len(found) == 1 + len(changes())
    for kind in ("element", "shape", "kind", "name"):
        value: Any = {"element": "f32", "shape": (4,), "kind": "shared", "name": "x"}[kind]
        states = (dataclasses.replace(facts.states[0], **{kind: value}), facts.states[1])
        found.add(dataclasses.replace(facts, states=states).digest)
    assert len(found) == 5 + len(changes())


def test_headers_and_manifests_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers of the format take no longer header; an explicit map could call for one."""
    facts = facts_of(SMALL, 2)
    size = shard_layout(facts, 1).header_bytes - 8
    most = bytes_most(manifest_pieces(facts, 0, (1,), root=True))
    monkeypatch.setattr("alpha.ir.checkpoints.shards.HEADER_JSON_MAX", size)
    monkeypatch.setattr("alpha.ir.checkpoints.manifests.MANIFEST_BYTES_MAX", most)
    assert shard_layout(facts, 1).header_bytes == size + 8
    manifest_pieces(facts, 0, (1,), root=True)
    monkeypatch.setattr("alpha.ir.checkpoints.shards.HEADER_JSON_MAX", size - 1)
    monkeypatch.setattr("alpha.ir.checkpoints.manifests.MANIFEST_BYTES_MAX", most - 1)
    with pytest.raises(Refusal, match=f"at most {size - 1} bytes in the shard of role 1") as caught:
        shard_layout(facts, 1)
    assert caught.value.code == "target-unsupported"
    with pytest.raises(Refusal, match=f"at most {most - 1} bytes for role 0, found {most}"):
        manifest_pieces(facts, 0, (1,), root=True)


def stored(path: Path) -> Generation:
    """A generation of the example."""
    facts, _ = adam()
    return Generation.open(write(path, facts, state_of(facts)))


def test_the_learner_may_go_on(tmp_path: Path) -> None:
    generation = stored(tmp_path)
    facts, parts = adam()
    check_learner(generation, parts, ())
    check_learner(generation, parts, ("rate", "w", "gradient", "round", "data"))
    check_states(generation, facts.states)


def test_the_first_part_that_differs_is_named(tmp_path: Path) -> None:
    generation = stored(tmp_path)
    _, parts = adam("0.1")
    with pytest.raises(Refusal) as caught:
        check_learner(generation, parts, ())
    assert caught.value.code == "checkpoint-learner"
    assert caught.value.expected == (f"the constant rate of sha256:{'4' * 64} in {generation.path}")
    assert caught.value.found == f"sha256:{generation.facts.parts['constant rate']}"
    assert caught.value.notes == ()
    check_learner(generation, parts, ("rate",))
    check_learner(generation, parts, ["eps", "rate"])
    more = {**parts, "update adam": "6" * 64, "round": "6" * 64}
    with pytest.raises(Refusal) as caught:
        check_learner(generation, more, ("rate",))
    assert caught.value.expected.startswith("the update adam of ")
    (note,) = caught.value.notes
    assert note.message.startswith("also expected the round of ")
    check_learner(generation, more, ("rate", "round", "adam"))


def test_a_part_that_only_one_of_both_has(tmp_path: Path) -> None:
    generation = stored(tmp_path)
    _, parts = adam()
    fewer = {part: digest for part, digest in parts.items() if part != "constant eps"}
    with pytest.raises(Refusal, match="expected no constant eps in .*, found one of sha256:"):
        check_learner(generation, fewer, ())
    check_learner(generation, fewer, ("eps",))
    more = {**parts, "constant decay": "6" * 64}
    with pytest.raises(Refusal, match=f"expected the constant decay of sha256:{'6' * 64} .* none"):
        check_learner(generation, more, ())
    check_learner(generation, more, ("decay",))


@pytest.mark.parametrize("name", ["rates", "constant rates", "", "constant", "@rate"])
def test_a_name_that_no_part_has(name: str, tmp_path: Path) -> None:
    generation = stored(tmp_path)
    with pytest.raises(Refusal) as caught:
        check_learner(generation, adam()[1], ("rate", name))
    assert caught.value.code == "checkpoint-learner"
    assert caught.value.found == f"{name!r}, which no part has"


def test_a_name_that_several_parts_have(tmp_path: Path) -> None:
    """Then it means none of them, and a whole name means one."""
    parts = {"state round": "1" * 64, "state w": "2" * 64, "constant w": "3" * 64}
    parts["round"] = "4" * 64
    facts = facts_of([("round", "f64", (), None), ("w", "f64", (2,), None)], 2, parts=parts)
    generation = Generation.open(write(tmp_path, facts, state_of(facts)))
    wholes = {"round": ("state round", "the round"), "w": ("state w", "constant w")}
    for name, whole in wholes.items():
        with pytest.raises(Refusal) as caught:
            check_learner(generation, parts, (name,))
        assert caught.value.code == "checkpoint-learner"
        assert caught.value.found == f"{name!r}, which several have: {whole[0]!r}, {whole[1]!r}"
    for part in parts:
        other = {**parts, part: "5" * 64}
        name = part if " " in part else f"the {part}"
        check_learner(generation, other, (name,))
        for each in (*wholes["round"], *wholes["w"]):
            if each != name:
                with pytest.raises(Refusal, match=f"the {part} of sha256"):
                    check_learner(generation, other, (each,))


def test_states_whose_words_dont_fit(tmp_path: Path) -> None:
    """A state that may differ in its first words has to have the type of what was stored."""
    generation = stored(tmp_path)
    states = adam()[0].states
    other = dataclasses.replace(states[1], shape=(5,))
    for wrong, said in (
        (
            (states[0], other, *states[2:]),
            r"words of @m : tensor<5xf64> in .*, found tensor<4xf64>",
        ),
        ((*states, dataclasses.replace(other, name="n")), r"words of @n : .*, found none"),
        (states[:4], r"no words of another state in .*, found @b2_power"),
    ):
        with pytest.raises(Refusal, match=said) as caught:
            check_states(generation, wrong)
        assert caught.value.code == "checkpoint-learner"


def test_a_small_state_is_what_it_says() -> None:
    states: list[State] = [("w", "f32", (3, 2), "block"), ("e", "f64", (0, 2), None)]
    facts = facts_of(states, 2)
    assert [(each.words, each.word_bytes, str(each.all)) for each in facts.states] == [
        (6, 4, "stride(0, 1, 6)"),
        (0, 8, "empty"),
    ]
    assert facts.state("e").type == "tensor<0x2xf64>"
    with pytest.raises(KeyError):
        facts.state("x")
