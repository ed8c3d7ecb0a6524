"""Cases of checkpoints: what is stored is what was computed, whoever stores it and whoever reads.

Words are compared with those of a run that was never interrupted, computed by the learner-level
interpreter; folders are changed by hand, as a crash or a colleague would.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from checkpoints.makings import facts_of, state_of, write
from checkpoints.plain_reader import read_generation
from checkpoints.tampering import edited_header, signed
from counted_calls import calls_of
from native_runs.folders import command
from oracle.orders import Order
from oracle_comparison.running import with_contract
from resuming.nine_words import learner_file
from resuming.plain_learner import going_on, versions_of
from resuming.runs import Side, Store, difference, refused, run
from safetensors.numpy import load_file
from sharding.least_squares import random_text

from alpha.ir.checkpoints.reading import Generation, newest
from alpha.ir.digests import learner_parts
from alpha.ir.refusals import Refusal
from alpha.tools.learner_file import LearnerFile

STOP, ENDS = 3, 7
MODES = ("optimizer", "parameters")


@pytest.fixture(autouse=True)
def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """No power is lost here."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


def stored(file: Path, side: Side, folder: Path, rounds: int = STOP) -> Path:
    """The folder of generations of a run that stops there."""
    store = Store(folder / "generations", 1)
    run(file, side, rounds, folder, store=store)
    return store.path


@pytest.mark.parametrize(("before", "behind"), [(8, 16), (16, 8), (8, 3), (1, 16)])
@pytest.mark.parametrize("level", ["shard", "role"])
def test_K01_saved_on_8_and_loaded_on_16(
    before: int, behind: int, level: str, tmp_path: Path
) -> None:
    """DeepSpeed #2898, #6441, Lightning #16815: refused, or a size error of 56124554 for 14031139.

    Each owner's shard has its words and no padding, and other owners read what is theirs of it; 16
    owners of 9 words are more than there are words.
    """
    file = learner_file("adam", "f64", tmp_path)
    whole = versions_of(file, ENDS)
    folder = stored(file, Side(level, before, "star", MODES, "block"), tmp_path)
    reader = Side(level, behind, "tree<2>", ("optimizer", "gradients"), "cyclic")
    found = run(file, reader, ENDS, tmp_path, resume=folder)
    assert difference(found, whole.outcome(STOP, ENDS)) is None


def test_K02_nothing_that_depends_on_roles_is_common(tmp_path: Path) -> None:
    """Megatron-LM PR #66, ms-swift #8240: a list as long as a rank's own was stored for all.

    What the root says of the whole is the same for 2, 5 and 9 owners, but for who they are and what
    names the run; and the words that are copies are in one shard, and the same there.
    """
    file = learner_file("adam", "f64", tmp_path)
    common: list[object] = []
    copies: list[dict[str, bytes]] = []
    for owners in (2, 5, 9):
        side = Side("shard", owners, "star", MODES, "cyclic")
        (tmp_path / f"{owners}").mkdir()
        folder = stored(file, side, tmp_path / f"{owners}") / f"gen-{STOP}"
        root = json.loads((folder / "manifest.json").read_text())
        assert root.pop("owners") == owners == len(root.pop("manifests")) + 1
        common.append({key: root[key] for key in root if key not in ("run", "shard")})
        shards = [load_file(folder / f"shard-{role}.safetensors") for role in range(owners)]
        powers = {name: words.tobytes() for name, words in shards[0].items() if not words.shape}
        assert set(powers) == {"b1_power", "b2_power"}
        assert all(set(shard) == {"w", "m", "v"} for shard in shards[1:])
        copies.append(powers)
    assert common[0] == common[1] == common[2]
    assert copies[0] == copies[1] == copies[2]


TWO_RULES = """
region.learner @two_rules {{
  region.state @a : tensor<5xf64> = dense<0.25>
  region.state @a_m : tensor<5xf64> = dense<0.0>
  region.state @b : tensor<3xf32> = dense<-1.5>
  region.state @b_u : tensor<3xf32> = dense<0.0>
  region.state @power : f64 = 1.0 {{shared}}
  region.samples @data[4] : (tensor<5xf64>, tensor<3xf32>) = dense<{a}>, dense<{b}>

  pointwise.contribution @distance(%a : tensor<5xf64>, %b : tensor<3xf32>)
      sample(%x : tensor<5xf64>, %y : tensor<3xf32>)
      -> (tensor<5xf64>, tensor<3xf32>, observed "loss" : f64) {{
    %ga = pointwise.map over [i : 5] (%ai = %a[i], %xi = %x[i]) {{
      %d = arith.subf %ai, %xi : f64
      pointwise.yield %d
    }} : tensor<5xf64>
    %gb = pointwise.map over [i : 3] (%bi = %b[i], %yi = %y[i]) {{
      %d = arith.subf %bi, %yi : f32
      pointwise.yield %d
    }} : tensor<3xf32>
    %l = pointwise.fold add left along [i : 5] (%gi = %ga[i]) {{
      %s = arith.mulf %gi, %gi : f64
      pointwise.yield %s
    }} : f64
    pointwise.return %ga, %gb, %l
  }}

  pointwise.update @first(%a : tensor<5xf64>, %m : tensor<5xf64>, %p : f64, %g : tensor<5xf64>)
      -> (tensor<5xf64>, tensor<5xf64>, f64) {{
    %k = arith.constant 0.9 : f64
    %one = arith.constant 1.0 : f64
    %q = arith.mulf %p, %k : f64
    %c = arith.subf %one, %q : f64
    %a1, %m1 = pointwise.map over [i : 5] (%ai = %a[i], %mi = %m[i], %gi = %g[i], %kk = %k,
        %cc = %c) {{
      %old = arith.mulf %kk, %mi : f64
      %new = arith.addf %old, %gi : f64
      %step = arith.divf %new, %cc : f64
      %rate = arith.constant 0.01 : f64
      %scaled = arith.mulf %rate, %step : f64
      %next = arith.subf %ai, %scaled : f64
      pointwise.yield %next, %new
    }} : tensor<5xf64>, tensor<5xf64>
    pointwise.return %a1, %m1, %q
  }}

  pointwise.update @second(%b : tensor<3xf32>, %u : tensor<3xf32>, %g : tensor<3xf32>)
      -> (tensor<3xf32>, tensor<3xf32>) {{
    %b1, %u1 = pointwise.map over [i : 3] (%bi = %b[i], %ui = %u[i], %gi = %g[i]) {{
      %half = arith.constant 0.5 : f32
      %old = arith.mulf %half, %ui : f32
      %new = arith.subf %old, %gi : f32
      %rate = arith.constant 0.125 : f32
      %step = arith.mulf %rate, %new : f32
      %next = arith.addf %bi, %step : f32
      pointwise.yield %next, %new
    }} : tensor<3xf32>, tensor<3xf32>
    pointwise.return %b1, %u1
  }}

  region.round {{
    %a, %m, %p = region.read @a, @a_m, @power : tensor<5xf64>, tensor<5xf64>, f64
    %b, %u = region.read @b, @b_u : tensor<3xf32>, tensor<3xf32>
    %sa, %sb, %n = pointwise.sum @distance(%a, %b) over @data
      contract #region.contract<groups = [1, 3], combine = left> : tensor<5xf64>, tensor<3xf32>
    %ga = pointwise.mean %sa, %n
    %gb = pointwise.mean %sb, %n
    %a1, %m1, %q = pointwise.apply @first(%a, %m, %p, %ga) : tensor<5xf64>, tensor<5xf64>, f64
    %b1, %u1 = pointwise.apply @second(%b, %u, %gb) : tensor<3xf32>, tensor<3xf32>
    region.advance @a = %a1, @a_m = %m1, @power = %q, @b = %b1, @b_u = %u1
  }}
}}
"""


@pytest.mark.parametrize("stop", [1, 3, 6])
def test_K03_two_optimizers_go_on_without_a_jump(stop: int, tmp_path: Path) -> None:
    """Megatron-LM #761: the loss of a mixture of experts, with two optimizers, jumped on resuming.

    Two rules for parameters of two types, whose states are shared out by the same maps: every word
    and every loss is that of a run without the stop.
    """
    random = np.random.default_rng(stop)
    a, b = (random.standard_normal(shape).round(3).tolist() for shape in ((4, 5), (4, 3)))
    file = tmp_path / "two_rules.mlir"
    file.write_text(TWO_RULES.format(a=a, b=b), encoding="utf-8")
    whole = versions_of(file, ENDS)
    for number, level in enumerate(("shard", "protocol", "role")):
        folder = tmp_path / level
        folder.mkdir()
        writer = Side(level, 2, "pair", MODES[number % 2 :], "block")
        generations = stored(file, writer, folder, stop)
        reader = Side(("role", "shard", "protocol")[number], 4, "tree<3>", MODES, "cyclic")
        found = run(file, reader, ENDS, folder, resume=generations)
        assert difference(found, whole.outcome(stop, ENDS)) is None


def tear_shard(folder: Path) -> None:
    path = folder / "shard-1.safetensors"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def lose_manifests(folder: Path) -> None:
    for path in folder.glob("manifest*.json"):
        path.unlink()


def empty_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_bytes(b"")


def zero_shard(folder: Path) -> None:
    """As a file is whose blocks never came to the disk."""
    path = folder / "shard-0.safetensors"
    path.write_bytes(bytes(path.stat().st_size))


def leave_unfinished(folder: Path) -> None:
    lose_manifests(folder)
    folder.rename(folder.with_name(f".{folder.name}.0123456789abcdef"))


TEARS = (tear_shard, lose_manifests, empty_manifest, zero_shard, leave_unfinished)


@pytest.mark.parametrize("tear", TEARS, ids=lambda tear: tear.__name__)
def test_K05_a_torn_newest_hides_no_older_one(tear: Callable[[Path], None], tmp_path: Path) -> None:
    """metaseq PR #158, speculators PR #739: a torn file was the latest, and a good one hidden.

    Whole is what its contents say is whole: the one before is taken, and the torn one is named. A
    folder that is named itself is refused, and nothing else is taken in its place.
    """
    file = learner_file("adam", "f64", tmp_path)
    folder = stored(file, Side("shard", 3, "star", MODES, "cyclic"), tmp_path, 5)
    tear(folder / "gen-5")
    found = newest(folder)
    assert found.generation.path.name == "gen-4"
    ((name, why),) = found.passed_over
    assert "gen-5" in name and why.startswith("[checkpoint-")
    told = command("run", file, "--interpret=learner", f"--rounds={ENDS}", f"--resume={folder}")
    assert told.status == 0 and f"{name} was passed over: [checkpoint-" in told.said
    assert told.out.splitlines()[-1] == versions_of(file, ENDS).digests[ENDS]
    if tear is not leave_unfinished:
        told = refused(file, Side("learner"), ENDS, f"--resume={folder / 'gen-5'}")
        assert told.status == 1 and "[checkpoint-" in told.said
    for version in range(1, 5):
        assert (folder / f"gen-{version}" / "manifest.json").exists()


def test_K05_where_all_are_torn_none_is_taken(tmp_path: Path) -> None:
    """The learner's first words would be a new run under the name of the old one."""
    file = learner_file("adam", "f64", tmp_path)
    folder = stored(file, Side("shard", 3, "star", MODES, "cyclic"), tmp_path, 5)
    for version, tear in enumerate(TEARS, 1):
        tear(folder / f"gen-{version}")
    told = refused(file, Side("shard", 3), ENDS, f"--resume={folder}")
    assert told.status == 1
    assert f"[checkpoint-missing] expected a whole generation in {folder}, found none of 5" in (
        told.said
    )
    assert told.said.count("alpha: note: ") == 5


def test_K07_two_read_what_64_have_saved(tmp_path: Path) -> None:
    """orbax #648, #678: metadata of 64 devices, read on 2, were reshaped to devices that weren't.

    What a manifest says are shapes of states and roles of the run that wrote it; no file names a
    device, a host or an instruction set, and no file is opened that wouldn't have to be.
    """
    file = learner_file("adam", "f64", tmp_path)
    whole = versions_of(file, ENDS)
    folder = stored(file, Side("shard", 64, "tree<3>", MODES, "cyclic"), tmp_path)
    generation = Generation.open(folder / f"gen-{STOP}")
    shapes = {state.name: state.shape for state in generation.facts.states}
    assert shapes == {"w": (9,), "m": (9,), "v": (9,), "b1_power": (), "b2_power": ()}
    assert generation.facts.owners == len(generation.shards) == 64
    found = run(file, Side("role", 2, "pair", MODES, "block"), ENDS, tmp_path, resume=folder)
    assert difference(found, whole.outcome(STOP, ENDS)) is None
    words = (os.uname().nodename, "x86", "aarch64", "127.0.0.1", str(tmp_path))
    for path in (folder / f"gen-{STOP}").iterdir():
        data = path.read_bytes().lower()
        assert not [word for word in words if word.lower().encode() in data]


def test_K08_many_shards_cost_few_steps_each(tmp_path: Path) -> None:
    """pytorch #163548, #169113, slime #1342: minutes, so that people took the check out.

    Every byte is compared and every coordinate is covered, in steps that grow with the shards;
    steps are counted, not seconds.
    """
    shared_out = [("w", "f64", (4099,), "cyclic"), ("m", "f32", (5000,), "block")]
    states = [*shared_out, ("t", "f64", (), None)]
    counts: dict[int, int] = {}
    for owners in (256, 2048):
        facts = facts_of(states, owners)
        (tmp_path / f"{owners}").mkdir()
        folder = write(tmp_path / f"{owners}", facts, state_of(facts))
        counts[owners] = calls_of(lambda folder=folder: Generation.open(folder).verify())
        generation = Generation.open(folder)
        for name, *_ in states:
            assert generation.read_words(name).tobytes() == state_of(facts)[name].tobytes()
    assert counts[2048] < 8.5 * counts[256], counts
    assert counts[2048] < 4000 * 2048, counts


POWERS = ("b1_power", "b2_power")


def test_K10_all_that_a_round_reads_is_restored(tmp_path: Path) -> None:
    """physicsnemo PR #1972: a scaler and a generator weren't restored, and "exactness unverified".

    Any one state that began anew would give other words, so each is needed; and each has the bits
    that it had.
    """
    file = learner_file("adam", "f64", tmp_path)
    whole = versions_of(file, ENDS)
    folder = stored(file, Side("protocol", 3, "star", MODES, "cyclic"), tmp_path)
    found = read_generation(folder / f"gen-{STOP}").states
    assert {name: words.tobytes() for name, words in found.items()} == {
        name: words.tobytes() for name, words in whole.at(STOP).items()
    }
    for name, words in whole.at(0).items():
        without = {**whole.at(STOP), name: words}
        assert going_on(file, without, STOP, ENDS).digests[-1] != whole.digests[ENDS], name


@pytest.mark.parametrize("name", ["w", "v", *POWERS])
def test_K10_a_part_of_a_state_is_no_state(name: str, tmp_path: Path) -> None:
    """Where one state isn't in the shards, nothing is restored: not the others, and no new one."""
    file = learner_file("adam", "f64", tmp_path)
    folder = stored(file, Side("shard", 3, "star", MODES, "cyclic"), tmp_path)

    def without(header: dict[str, object]) -> None:
        del header[name]

    edited_header(folder / f"gen-{STOP}", 0, without)
    shutil.rmtree(folder / "gen-1")
    shutil.rmtree(folder / "gen-2")
    told = refused(file, Side("shard", 3), ENDS, f"--resume={folder}")
    assert told.status == 1 and "[checkpoint-shard]" in told.said, told


def test_K10_what_differs_is_said_and_not_skipped(tmp_path: Path) -> None:
    """A learner with a state more, or one less, isn't the one that stored, whatever is allowed."""
    order = Order((7,))
    texts = {rule: with_contract(random_text(rule, 9, 7), order) for rule in ("sgd", "momentum")}
    files = {rule: tmp_path / f"{rule}.mlir" for rule in texts}
    for rule, text in texts.items():
        files[rule].write_text(text, encoding="utf-8")
    folder = stored(files["momentum"], Side("shard", 2), tmp_path)
    other = LearnerFile.read(str(files["sgd"]))
    parts = {*newest(folder).generation.facts.parts, *learner_parts(other.learner, other.words)}
    assert "state u" in parts
    allowed = [f"--allow={part.partition(' ')[2] or part}" for part in sorted(parts)]
    told = refused(files["sgd"], Side("shard", 2), ENDS, f"--resume={folder}", *allowed)
    assert "[checkpoint-learner] expected no words of another state in " in told.said
    assert told.said.strip().endswith("found @u")


def two_pieces(map: str, tmp_path: Path) -> Refusal:
    """The refusal of a generation of four words between two roles, by this map."""
    facts = facts_of([("w", "f64", (4,), map)], 2)
    state = {"w": np.array([1.0, 2.0, 3.0, 4.0])}
    folder = write(tmp_path, facts, state)
    with pytest.raises(Refusal) as caught:
        Generation.open(folder).verify()
    return caught.value


def test_C22_one_name_with_two_contents(tmp_path: Path) -> None:
    """pytorch #120356, PR #116469: of two tensors that two ranks saved under a name, one was kept.

    Two roles that both say that they have all words of a state are refused, also where the bytes
    are the same; each its own is accepted.
    """
    caught = two_pieces("[stride(0, 1, 4), stride(0, 1, 4)]", tmp_path)
    assert caught.code == "checkpoint-coverage" and "w" in caught.message
    (tmp_path / "twin").mkdir()
    facts = facts_of([("w", "f64", (4,), "[stride(0, 1, 2), stride(2, 1, 2)]")], 2)
    folder = write(tmp_path / "twin", facts, {"w": np.array([1.0, 2.0, 3.0, 4.0])})
    Generation.open(folder).verify()
    # Another content under the digest of the first is found by the digest; its own is no way out.
    path = folder / "shard-1.safetensors"
    path.write_bytes(path.read_bytes()[:-8] + np.array([9.0]).tobytes())
    with pytest.raises(Refusal) as refusal:
        Generation.open(folder).verify()
    assert refusal.value.code == "checkpoint-digest"
    signed(folder)
    Generation.open(folder).verify()
