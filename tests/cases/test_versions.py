"""Cases of versions, staleness and replicas: a round reads one version, and publishes one.

The words are small whole numbers or written out, so that a version that was read shows.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases.running import (
    EVERY_MODES,
    MODES,
    Case,
    edited,
    everywhere,
    hexes,
    mutant,
    printed,
    proved,
    read,
    refusal,
    shard_run,
    spread,
    written,
)
from cases.texts import contract, means, squares
from checkpoints.makings import facts_of, write
from checkpoints.tampering import edited_header
from safetensors.numpy import load_file

from alpha.interpreters.shard import ShardInterpreter
from alpha.interpreters.words import Words
from alpha.ir.checkpoints.reading import Generation
from alpha.ir.refusals import Refusal

XS, YS = [1.0, 2.0, 3.0, 10.0], [1.0, 1.0, 1.0, 0.0]
OWNERS = "3, star, samples = [2, 0, 2]"

GROWING = f"""
region.learner @growing attributes {{owners = #shard.owners<{OWNERS}>}} {{
  region.state @w : tensor<2xf64> = dense<1.0>
  region.samples @data[4] : (tensor<2xf64>)
    = dense<[[1.0, 0.5], [2.0, 0.25], [3.0, 8.0], [10.0, 1.0]]>
  pointwise.contribution @products(%w : tensor<2xf64>) sample(%x : tensor<2xf64>)
      -> (tensor<2xf64>) {{
    %g = pointwise.map over [i : 2] (%wi = %w[1 - i], %xi = %x[i]) {{
      %wx = arith.mulf %wi, %xi : f64
      pointwise.yield %wx
    }} : tensor<2xf64>
    pointwise.return %g
  }}
  pointwise.update @add(%w : tensor<2xf64>, %g : tensor<2xf64>) -> (tensor<2xf64>) {{
    %w1 = pointwise.map over [i : 2] (%wi = %w[i], %gi = %g[i]) {{
      %sum = arith.addf %wi, %gi : f64
      pointwise.yield %sum
    }} : tensor<2xf64>
    pointwise.return %w1
  }}
  region.round {{
    %w = region.read @w : tensor<2xf64>
    %sum, %count = pointwise.sum @products(%w) over @data : tensor<2xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @add(%w, %g) : tensor<2xf64>
    region.advance @w = %w1
  }}
}}
"""
"""Each word grows by the other one times a mean of the samples: 4 or 2.4375."""


def grown(rounds: int) -> list[float]:
    """The words after so many rounds, of which every one reads what the one before has made."""
    w = [1.0, 1.0]
    for _ in range(rounds):
        w = [w[0] + w[1] * 16.0 / 4.0, w[1] + w[0] * 9.75 / 4.0]
    return w


@pytest.mark.parametrize("rounds", [1, 2, 6])
def test_V01_every_round_reads_the_version_before(rounds: int) -> None:
    """pytorch PR #137348: a second gathering of the parameters did nothing, so an update was not
    seen. Here each round contributes from the version that the last one made.
    """
    everywhere(GROWING, [(2, 0, 2), (4,)], {"w": grown(rounds)}, rounds)


@pytest.mark.parametrize("modes", [(), *[modes for modes in EVERY_MODES if "parameters" in modes]])
def test_V01_a_stale_replica_is_refused(modes: Sequence[str]) -> None:
    """A contribution from the parameters of the version before is refused by name."""
    distribution, caught = mutant(read(GROWING), "stale-version", modes)
    code = "data-parallel-replica-version" if modes else "shard-version-mixed"
    assert caught is not None and caught.code == code
    assert caught.found == "-1" and "of version +0" in caught.expected
    case = read(GROWING)
    assert hexes(shard_run(case, distribution, 2)[0]["w"]) != hexes(grown(2))
    assert not proved(case, distribution)


def test_V01_a_replica_lives_for_one_round() -> None:
    """A replica that is kept past the round, or read behind its release, is refused."""
    text = printed(GROWING, MODES)
    release = "shard.release %w\n"
    caught = refusal(edited(text, (release, "\n")))
    assert caught.code == "data-parallel-replica-retained"
    assert caught.message == "expected %w released before the version advances, found held"
    for twice in (f"{release}{release}", release.replace("%w", "%w_own")):
        assert refusal(edited(text, (release, twice))).code in (
            "data-parallel-replica-released",
            "source-structure",
        )
    work = next(line for line in text.splitlines() if "shard.contribute" in line)
    early = edited(text, (release, "\n"), (work, f"{release}{work}"))
    caught = refusal(early)
    assert caught.code == "data-parallel-replica-released"
    assert caught.found == "shard.contribute behind it"
    late = edited(text, (release, "\n"), ("shard.advance", f"{release}shard.advance"))
    case, distribution = written(late)
    assert proved(case, distribution)


@pytest.mark.parametrize("modes", EVERY_MODES[1:])
def test_V02_new_words_come_from_their_authority(modes: Sequence[str]) -> None:
    """pytorch #149205: parameters were replaced, and the optimizer went on with the old ones.

    The state takes its new words from those who own it, never from a read-only replica.
    """
    case = read(squares(XS, YS, owners=OWNERS))
    _, caught = mutant(case, "replica-authority", modes)
    assert caught is not None and caught.code == "shard-replica-write"
    assert caught.found == "a read-only replica, which is never an authority"
    assert proved(case, spread(case, modes))


def test_V02_another_owner_or_the_old_words_are_no_authority() -> None:
    """Words that were moved to others, words of the old version and copies are refused."""
    text = printed(GROWING, MODES)
    moved = "[stride(1, 1, 1), stride(0, 1, 1), empty]"
    to = f"!shard.owned<tensor<2xf64>, {moved}, +1>"
    advance = "shard.advance @w = %w1"
    transfer = f"%b = shard.transfer %w1 to {moved} : {to}\n{advance.replace('%w1', '%b')}"
    caught = refusal(edited(text, (advance, transfer)))
    assert caught.code == "shard-replica-write"
    assert caught.message == "expected coordinate 0 of @w written by owner 0, found owner 1"
    same = transfer.replace(moved, "[stride(0, 1, 1), stride(1, 1, 1), empty]")
    case, distribution = written(edited(text, (advance, same)))
    assert proved(case, distribution)
    copy = "%b = shard.combine select %w1 deliver all : !shard.replica<tensor<2xf64>, +1>\n"
    caught = refusal(edited(text, (advance, copy + advance.replace("%w1", "%b"))))
    assert caught.code == "shard-replica-write"
    caught = refusal(edited(text, (advance, advance.replace("%w1", "%w_own"))))
    assert (caught.code, caught.found) == ("shard-version-mixed", "+0")


def test_V05_drifted_replicas_publish_nothing() -> None:
    """horovod #672 and #1927: workers diverge, and are told to send the parameters round again."""
    for owner in (1, 2):
        running = running_of(read(GROWING))
        kept = drift(running, owner, "w", 1)
        before = [hexes(each.words["w"]) for each in running.owners]
        see_refused(running, owner)
        assert [hexes(each.words["w"]) for each in running.owners] == before
        running.owners[owner].words["w"] = kept
        running.step()
        assert hexes(running.state["w"]) == hexes(grown(2))


def test_V05_owners_that_drift_alike_agree() -> None:
    """What is compared is whether copies are equal: the same change with every owner is a state."""
    running = running_of(read(GROWING))
    for owner in range(3):
        running.owners[owner].words["w"] = np.array([1.0, 2.0])
    running.step()
    assert hexes(running.state["w"]) == hexes([1.0 + 2.0 * 4.0, 2.0 + 2.4375])


@pytest.mark.parametrize("word", [0, 6, 13])
@pytest.mark.parametrize("owner", [1, 3])
def test_C02_replicas_with_different_words_publish_nothing(owner: int, word: int) -> None:
    """DeepSpeed PR #8385: of two ranks' different replicas, that of the last rank won.

    Copies that differ in one word are refused, by the word and the owner.
    """
    samples = [float(word * word) for word in range(42)]
    text = means(samples, [14], owners="4, tree<2>, samples = [0, 2, 0, 1]")
    case = read(text)
    running = ShardInterpreter(spread(case), case.words, Words())
    drift(running, owner, "w", word)
    see_refused(running, owner, word)
    assert hexes(running.state["mean"]) == hexes([7.0] * 14)


@pytest.mark.parametrize("same", [True, False])
def test_C02_a_copy_is_loaded_from_one_place(same: bool, tmp_path: Path) -> None:
    """A copy is stored by role 0 alone; a second one in another shard is refused, whatever it has.

    So no load has to choose between two.
    """
    facts = facts_of([("w", "f64", (3,), "cyclic"), ("mean", "f64", (2,), None)], 3)
    state = {"w": np.array([1.0, 2.0, 3.0]), "mean": np.array([4.0, 5.0])}
    folder = write(tmp_path, facts, state)
    Generation.open(folder).verify()
    path = folder / "shard-1.safetensors"
    copy = state["mean"] if same else state["mean"] * 1.001
    path.write_bytes(path.read_bytes() + copy.tobytes())

    def with_copy(header: dict[str, Any]) -> None:
        header["mean"] = {"dtype": "F64", "shape": [2], "data_offsets": [8, 24]}

    edited_header(folder, 1, with_copy)
    tensors = load_file(path)
    assert tensors["mean"].tobytes() == copy.tobytes(), "another reader would take it"
    caught = refusal(lambda: Generation.open(folder).verify())
    assert caught.code in ("checkpoint-shard", "checkpoint-digest", "checkpoint-manifest")


def running_of(case: Case) -> ShardInterpreter:
    """The replicated distribution, after one round."""
    running = ShardInterpreter(spread(case), case.words, Words())
    running.step()
    return running


def drift(running: ShardInterpreter, owner: int, field: str, word: int) -> np.ndarray:
    """Make one word of an owner's copy larger by a thousandth; the copy as it was."""
    kept = running.owners[owner].words[field].copy()
    changed = kept.copy()
    changed[word] *= 1.001
    running.owners[owner].words[field] = changed
    return kept


def see_refused(running: ShardInterpreter, owner: int, word: int | None = None) -> None:
    version = running.version
    with pytest.raises(Refusal) as caught:
        running.step()
    assert caught.value.code == "data-parallel-replicas-diverge"
    assert f"of owner {owner} is another than that of owner 0" in caught.value.found
    assert word is None or caught.value.found.startswith(f"word {word} of ")
    assert running.version == version


LEFT_OUT = [
    ("[0, 0, 0, 4]", "shard-not-held", "owner 0 has it"),
    ("[empty, empty, empty, stride(3, 1, 1)]", "shard-contribution-missing", "for sample 0"),
    (
        "[stride(0, 1, 1), empty, empty, stride(2, 1, 2)]",
        "shard-contribution-missing",
        "for sample 1",
    ),
    (
        "[stride(0, 1, 2), empty, empty, stride(2, 1, 1)]",
        "shard-contribution-missing",
        "for sample 3",
    ),
]


@pytest.mark.parametrize(("work", "code", "found"), LEFT_OUT)
def test_V06_every_micro_batch_counts(work: str, code: str, found: str) -> None:
    """Automodel PR #3530: gradients were cleared between micro-batches, so the last alone counted.

    A round that sums fewer samples than there are is refused by the first that is missing.
    """
    text = squares(XS, YS, owners="4, star, samples = [2, 0, 0, 2]")
    distribution = printed(text)
    caught = refusal(edited(distribution, ("over @data by [2, 0, 0, 2]", f"over @data by {work}")))
    assert (caught.code, caught.found[-len(found) :]) == (code, found)
    groups = means([3.0, -7.0, 11.0, 2.0, 5.0], order=contract([1, 1, 0, 1, 2]))
    everywhere(groups, [(1, 4), (2, 0, 1, 2)], {"mean": 14.0 / 5.0})


def test_V06_the_mutant_that_drops_a_contribution_is_refused() -> None:
    """In every partitioning, also where what is dropped wouldn't change a bit."""
    for samples in ([3.0, -7.0, 11.0], [1e16, 1.0, 1e-30], [1.0, 2.0, -0.0]):
        case = read(means(samples, owners="3, star, samples = [1, 1, 1]"))
        for modes in EVERY_MODES:
            distribution, caught = mutant(case, "drop-contribution", modes)
            assert caught is not None and caught.code == "shard-contribution-missing"
            assert caught.found == "none for sample 2"
            assert not proved(case, distribution)


WITHOUT_ASSERTIONS = """
from cases.running import read
from cases.test_versions import GROWING, drift, running_of
assert False, "assertions are off, so this is not reached"
running = running_of(read(GROWING))
drift(running, 2, "w", 1)
try:
    running.step()
except Exception as error:
    print(type(error).__name__, error.code, running.version)
"""


def test_V08_checks_are_there_without_assertions() -> None:
    """InfiniTrain and cosmos-rl PR #756: two counters disagreed, and the check was an assertion.

    With Python's assertions off, two authorities and drifted copies are refused as before.
    """
    tests = str(Path(__file__).resolve().parents[1])
    environment = {**os.environ, "PYTHONPATH": tests}
    answer = _python_without_assertions(["-c", WITHOUT_ASSERTIONS], "", environment)
    assert answer.stdout.split() == ["Refusal", "data-parallel-replicas-diverge", "1"]
    text = printed(GROWING, MODES)
    place = "shard.place @w by cyclic"
    twice = edited(text, (place, f"{place}\n{place}"))
    tool = ["-c", "from alpha.tools.alpha_opt import script; script()", "-", "--verify-shards"]
    answer = _python_without_assertions(tool, twice, environment)
    assert answer.returncode == 1 and answer.stdout == ""
    assert "[shard-coverage-duplicate] expected one place of @w, found two" in answer.stderr
    assert _python_without_assertions(tool, text, environment).returncode == 0


def _python_without_assertions(
    words: Sequence[str], text: str, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-O", *words]
    return subprocess.run(
        command, input=text, capture_output=True, text=True, check=False, env=environment
    )


def test_V08_two_counters_of_one_field_are_refused() -> None:
    """A state that advances twice in a round, or a distribution that is there twice, is refused."""
    text = printed(GROWING, MODES)
    caught = refusal(edited(text, ("@w = %w1", "@w = %w1, @w = %w1")))
    assert (caught.code, caught.found) == ("region-identity", "two")
    before, mark, part = text.rpartition("shard.learner")
    second = f"{before}{mark}{part.rstrip().removesuffix('}')}{mark}{part}"
    assert refusal(second).code == "shard-learner-count"
