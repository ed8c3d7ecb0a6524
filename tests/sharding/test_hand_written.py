"""Rounds that are written by hand: the examples are proved, and what is wrong near them isn't."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from oracle.learners import EXAMPLES, perceptron
from oracle.orders import Order, left
from oracle_comparison.running import DTYPES, example_text, first_difference, learner_file

from alpha.interpreters.levels import compare_bits, compare_terms
from alpha.interpreters.shard import ShardInterpreter
from alpha.interpreters.words import Words
from alpha.ir.digests import learner_digest, learner_parts
from alpha.ir.refusals import Refusal
from alpha.ir.sharding.costs import costs_of
from alpha.ir.sharding.distribution import find_distribution
from alpha.ir.sharding.verification import verify_shards
from alpha.tools.distributing import run_pass
from alpha.tools.learner_file import LearnerFile

TENSOR, PIPELINE, MIXED = "perceptron_tensor_parallel", "perceptron_pipeline", "perceptron_mixed"
LOCAL = "local_correlation_distributed"
GROUPS = {TENSOR: (8,), PIPELINE: (4, 4), MIXED: (5, 3)}
NODES_MAX = 1_000_000

PROVED = "proved"
"""What `judged` says where nothing is refused and nothing differs."""


def judged(text: str, folder: Path) -> str:
    """The refusal of a distribution, the first field that differs, or `PROVED`."""
    try:
        file = learner_file(text, folder)
        distribution = find_distribution(file.module)
        assert distribution is not None
        verify_shards(distribution)
    except Refusal as refusal:
        return f"[{refusal.code}] {refusal.expected}, found {refusal.found}"
    levels = {"written": distribution}
    terms = compare_terms(file.learner, file.words, levels, NODES_MAX)
    bits = compare_bits(file.learner, file.words, levels, range(1, 6))
    assert terms is not None
    by_terms = [each.field for each in terms["written"] if each.difference]
    by_bits = [each.field for each in bits["written"] if each.difference]
    assert by_terms or not by_bits, "what is proved is equal by bits"
    return f"differs: {', '.join(by_terms)}" if by_terms else PROVED


def changed(text: str, edits: Sequence[tuple[str, str]]) -> str:
    """The text with every occurrence of each first part changed; each occurs."""
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("name", [*GROUPS, LOCAL])
def test_an_example_is_proved_and_equals_its_oracle(
    name: str, element: str, tmp_path: Path
) -> None:
    text = example_text(name, element)
    assert judged(text, tmp_path) == PROVED
    file = learner_file(text, tmp_path)
    distribution = find_distribution(file.module)
    assert distribution is not None
    running, seen = ShardInterpreter(distribution, file.words, Words()), []
    for _ in range(50):
        seen.extend(observation.total for observation in running.step())
    if name == LOCAL:
        example = EXAMPLES["local_correlation"]
        wanted = example.run(DTYPES[element], example.data, example.order, 50)
    else:
        data = [*file.words.samples["data"], file.words.states["w1"], file.words.states["w2"]]
        wanted = perceptron(0.3, left)(DTYPES[element], data, Order(GROUPS[name]), 50)
        assert seen[-1] < seen[0] / 4, "the learner learns"
    assert first_difference((running.state, seen), wanted) is None


def test_a_distribution_is_no_part_of_its_learner() -> None:
    """Three distributions with programs of their own, and learners of one digest."""
    files = {name: example_file(name) for name in (*GROUPS, LOCAL, "local_correlation")}
    digests = {
        name: learner_digest(learner_parts(file.learner, file.words))
        for name, file in files.items()
    }
    assert digests[TENSOR] == digests[PIPELINE] == digests[MIXED]
    assert digests[LOCAL] == digests["local_correlation"]


def example_file(name: str) -> LearnerFile:
    folder = Path(__file__).resolve().parents[2] / "examples"
    return LearnerFile.read(str(folder / f"{name}.mlir"))


def test_local_correlation_exchanges_nothing() -> None:
    distribution = find_distribution(example_file(LOCAL).module)
    assert distribution is not None
    costs = costs_of(distribution)
    assert [(cost.sent, cost.received) for cost in costs] == [(0, 0)] * 3
    assert [cost.words_kept for cost in costs] == [3, 0, 2]


@pytest.mark.parametrize("sizes", ["[5, 0, 0]", "[1, 1, 3]", "[0, 0, 5]", "cyclic", "block"])
def test_local_correlation_lies_by_any_map(sizes: str, tmp_path: Path) -> None:
    text = changed(example_text(LOCAL, "f64"), [("[3, 0, 2]", sizes)])
    assert judged(text, tmp_path) == PROVED


@pytest.mark.parametrize("split", [(2, 2, 2), (6, 0, 0), (0, 5, 1), (1, 0, 5)])
def test_hidden_units_may_be_split_anyhow(split: tuple[int, int, int], tmp_path: Path) -> None:
    starts = np.cumsum([0, *split])
    columns = [
        f"repeat(3, 6, stride({start}, 1, {count}))" if count else "empty"
        for start, count in zip(starts, split, strict=False)
    ]
    edits = [
        ("[3, 2, 1]", str(list(split))),
        ("repeat(3, 6, stride(0, 1, 3)), repeat(3, 6, stride(3, 1, 2)), stride(5, 6, 3)",
         ", ".join(columns)),
    ]  # fmt: skip
    assert judged(changed(example_text(TENSOR, "f64"), edits), tmp_path) == PROVED


class Wrong(NamedTuple):
    """An example with a fault: what is changed, and what is said of it."""

    name: str
    example: str
    edits: Sequence[tuple[str, str]]
    verdict: str


ERRORS = "    %e = shard.update @errors(%w2_rows, %b2, %h_all, %y) : !output_values\n"
STEP_HIDDEN = (
    "    %new_w1, %new_b1 = shard.update @step_hidden(%w1, %b1, %w2, %e_all, %s, %x, %rate)\n"
    "      : !unit_weights1, !unit_biases1\n"
)
STEP_OUTPUTS = (
    "    %new_w2 = shard.update @step_output_weights(%w2, %e_all, %h, %rate) : !columns1\n"
)
ADVANCE = "    shard.advance @w1 = %new_w1, @b1 = %new_b1, @w2 = %new_w2, @b2 = %new_b2\n"

WRONG = [
    Wrong("reads a hidden unit of another owner", TENSOR,
        [("(%w2_rows, %b2, %h_all, %y)", "(%w2_rows, %b2, %h, %y)")],
        "[shard-not-held] owner 0 with %h[3, 0] for %e[0, 0], found owner 1 has it"),
    Wrong("released before it is read", TENSOR,
        [(ERRORS + "    shard.release %h_all\n", "    shard.release %h_all\n" + ERRORS)],
        "[data-parallel-replica-released] %h_all read before its release, found shard.update"),
    Wrong("never released", TENSOR, [("    shard.release %e_all\n", "")],
        "[data-parallel-replica-retained] %e_all released before the version advances, found held"),
    Wrong("a copy for the round that nobody has to release", TENSOR,
        [("shard.replicate %h :", "shard.combine select %h deliver all :"),
         ("    shard.release %h_all\n", "")],
        "[shard-version-mixed] %h of version +1, since words of +0 are copied by shard.replicate"),
    Wrong("rows go to another owner than the output's", TENSOR,
        [("rows<6, #outputs>", "rows<6, [2, 0, 1]>")],
        "[shard-not-held] owner 1 with %w2_rows[1, 0] for %e[1, 0], found owner 0 has it"),
    Wrong("another map than the type says", TENSOR,
        [("transfer %w2 to rows<6, #outputs>", "transfer %w2 to rows<6, [3, 0, 0]>")],
        "[pointwise-type] !shard.owned<tensor<3x6xf64>, rows<6, [3, 0, 0]>, +0>, found "),
    Wrong("columns are written where rows are placed", TENSOR,
        [("@w2 by #columns", "@w2 by rows<6, #outputs>")],
        "[shard-replica-write] coordinate 3 of @w2 written by owner 0, found owner 1"),
    Wrong("an owner has the columns of another's units", TENSOR,
        [("stride(0, 1, 3)), repeat(3, 6, stride(3, 1, 2))",
          "stride(0, 1, 2)), repeat(3, 6, stride(2, 1, 3))")],
        "[shard-not-held] owner 0 with %w2[0, 2] for %new_w1[2, 0], found owner 1 has it"),
    Wrong("a column too few", TENSOR, [("stride(5, 6, 3)", "stride(5, 6, 2)")],
        "[shard-coverage-missing] an owner for each of 18 coordinates of @w2, found none for "
        "coordinate 17"),
    Wrong("a column twice", TENSOR, [("stride(3, 1, 2)", "stride(2, 1, 3)")],
        "[shard-coverage-duplicate] "),
    Wrong("a replica becomes the state", TENSOR,
        [(ADVANCE, "    %copy = shard.replicate %new_b2 : !shard.replica<tensor<3xf64>, +1>\n"
          + ADVANCE.replace("%new_b2", "%copy"))],
        "[shard-replica-write] new words of @b2 from an update or a combine, found "),
    Wrong("words of this version are published", TENSOR, [(": !columns1", ": !columns")],
        "[shard-version-mixed] %new_w2 of version +1, found +0"),
    Wrong("error signals go through new weights", TENSOR,
        [(STEP_HIDDEN + STEP_OUTPUTS,
          STEP_OUTPUTS + STEP_HIDDEN.replace("%w2", "%new_w2"))],
        "differs: b1, w1"),
    Wrong("a sum in another order", TENSOR,
        [("add left over [j : 6, i : 5] along [n : 8]", "add pairs over [j : 6, i : 5] along "
          "[n : 8]")],
        "differs: w1"),
    Wrong("no observation", TENSOR, [('    shard.observe "loss" %l over @data\n', "")],
        'differs: observed "loss"'),
    Wrong("activations are used where they were made", PIPELINE,
        [("@errors(%w2, %b2, %a0, %y0)", "@errors(%w2, %b2, %h0, %y0)")],
        "[shard-not-held] "),
    Wrong("an error signal goes to the wrong owner", PIPELINE,
        [("%back0 = shard.transfer %f0 to [24, 0] : !units\n",
          "%back0 = shard.transfer %f0 to [0, 24] : !units_sent\n")],
        "[shard-not-held] owner 0 with %back0[0, 0] for %new_w1[0, 0], found owner 1 has it"),
    Wrong("a layer is placed with the other owner", PIPELINE,
        [("@w2 by [0, 18]", "@w2 by [18, 0]")],
        "[shard-replica-write] coordinate 0 of @w2 written by owner 0, found owner 1"),
    Wrong("a layer is read from the other owner", PIPELINE,
        [("%w2, %b2 = shard.read @w2, @b2\n      : !shard.owned<tensor<3x6xf64>, [0, 18], +0>",
          "%w2, %b2 = shard.read @w2, @b2\n      : !shard.owned<tensor<3x6xf64>, [18, 0], +0>")],
        "[shard-not-held] @w2 as words owned by [0, 18], found words owned by [18, 0]"),
    Wrong("role 0 hasn't the loss", PIPELINE, [('"loss" %loss over', '"loss" %l over')],
        "[pointwise-type] a word that role 0 owns, to observe, found !shard.owned<f64, [0, 1]"),
    Wrong("micro-batches change places on the way back", PIPELINE,
        [("%back0, %s0, %x0, %back1, %s1, %x1, %rate)\n", "%back1, %s0, %x0, %back0, %s1, %x1, "
          "%rate)\n")],
        "differs: b1, w1"),
    Wrong("the learner sums over all samples at once", PIPELINE,
        [("\n      contract #region.contract<groups = [4, 4], combine = left>", "")],
        'differs: b1, b2, w1, w2, observed "loss"'),
    Wrong("nobody compares what both computed", MIXED, [("    shard.agree %new_b1\n", "")],
        "[shard-agree-missing] shard.agree on the new words of @b1, which every owner computes"),
    Wrong("another contract than the learner's", MIXED,
        [("combine sum %t1 contract #contract",
          "combine sum %t1 contract #region.contract<groups = [8, 0], combine = left>")],
        "[shard-combine-order] groups = [5, 3], combine = left, found groups = [8, 0]"),
    Wrong("an owner sums samples of another", MIXED,
        [("over @data by #samples\n", "over @data by [8, 0]\n")],
        "[shard-not-held] owner 0 with sample 5 of @data, found owner 1 has it"),
    Wrong("a sample is left out", MIXED, [("over @data by #samples\n", "over @data by [5, 2]\n")],
        "[shard-contribution-missing] each of 8 samples of @data once, found none for sample 7"),
    Wrong("pieces are published as a replica", MIXED,
        [(ADVANCE, ADVANCE.replace("%new_b2", "%new_b2_own"))],
        "[shard-coverage-missing] all words of @b2 with every owner, since it is replicated"),
    Wrong("weights are released before activations", MIXED,
        [("    shard.release %w1_all\n", ""), ("    shard.release %w2_all\n",
          "    shard.release %w2_all\n    shard.release %w1_all\n")],
        "[data-parallel-replica-released] %w1_all read before its release"),
    Wrong("activations from an owner's own rows", MIXED,
        [("@activations(%w1_all, %b1, %x)", "@activations(%w1, %b1, %x)")],
        "[shard-not-held] owner 0 with %w1[3, 0] for %h[0, 3], found owner 1 has it"),
    Wrong("labels stay with the samples", MIXED,
        [("(%w2, %b2_own, %h_all, %labels, %rate)", "(%w2, %b2_own, %h_all, %y, %rate)")],
        "[shard-not-held] owner 1 with %y[0, 2] for %new_w2[2, 0], found owner 0 has it"),
    Wrong("contributes from words that are owned", MIXED,
        [("@first_layer(%w1_all,", "@first_layer(%w1,")],
        "[shard-not-held] a replica of %w1 to contribute from, found !shard.owned"),
    Wrong("a sum that isn't the learner's", MIXED,
        [("pointwise.return %g1, %d, %l\n  }\n\n  pointwise.update @activations",
          "pointwise.return %g1, %s, %l\n  }\n\n  pointwise.update @activations")],
        "differs: b1"),
    Wrong("signals lie elsewhere", LOCAL,
        [("@signals by #regions", "@signals by [2, 1, 2]"),
         ("rows<3, #regions>", "rows<3, [2, 1, 2]>")],
        "[shard-not-held] owner 0 with %a[2, 0] for %c1[2], found owner 1 has it"),
    Wrong("a region without an owner", LOCAL, [("[3, 0, 2]", "[3, 0, 1]")],
        "[shard-coverage-missing] an owner for each of 5 coordinates of @c, found none for "
        "coordinate 4"),
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name)
def test_a_fault_is_refused_or_differs(wrong: Wrong, tmp_path: Path) -> None:
    verdict = judged(changed(example_text(wrong.example, "f64"), wrong.edits), tmp_path)
    if wrong.verdict.startswith("differs"):
        assert verdict == wrong.verdict
    else:
        assert verdict.startswith(wrong.verdict)


def test_what_isnt_wrong_near_them_is_proved(tmp_path: Path) -> None:
    """IEEE addition commutes; another schedule has the same dataflow; a transfer may be useless."""
    text = changed(example_text(PIPELINE, "f64"), [("@add(%l0, %l1)", "@add(%l1, %l0)")])
    assert judged(text, tmp_path) == PROVED
    second = "    %h1, %s1 = shard.update @forward(%w1, %b1, %x1) : !units, !units\n"
    first = "    %h0, %s0 = shard.update @forward(%w1, %b1, %x0) : !units, !units\n"
    edits = [(second, ""), (first, second + first)]
    assert judged(changed(example_text(PIPELINE, "f64"), edits), tmp_path) == PROVED
    again = "    %h_same = shard.transfer %h to rows<8, #units> : !unit_values\n"
    edits = [("    %h_all =", again + "    %h_all ="), ("replicate %h :", "replicate %h_same :")]
    assert judged(changed(example_text(TENSOR, "f64"), edits), tmp_path) == PROVED


def test_the_page_shows_what_the_example_says() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "distributing.md"
    blocks = re.findall(r"^```mlir\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    text = " ".join(example_text(MIXED, "f64").split())
    assert len(lines) > 5
    assert [line for line in lines if line not in text] == []


@pytest.mark.parametrize("name", GROUPS)
def test_a_round_of_several_maps_is_partitioned_no_further(name: str) -> None:
    file = example_file(name)
    with pytest.raises(Refusal) as caught:
        run_pass(file.context, file.module, "partition_parameters")
    assert caught.value.code == "shard-map-conflict"


def test_programs_of_a_distribution_are_to_be_converted(tmp_path: Path) -> None:
    program = """
  pointwise.update @later(%a : tensor<2xf64>) -> (tensor<2xf64>) {
    %b = linalg.add ins(%a, %a : tensor<2xf64>, tensor<2xf64>) outs(%a : tensor<2xf64>)
        -> tensor<2xf64>
    pointwise.return %b
  }
  shard.round"""
    text = changed(example_text(LOCAL, "f64"), [("\n  shard.round", program)])
    assert judged(text, tmp_path).startswith("[target-unsupported] pointwise operations alone")
