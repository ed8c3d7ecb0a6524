"""`alpha checkpoint reshard`: the words of a generation for other owners."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
from pathlib import Path
from random import Random

import pytest
from checkpoint_tools.calling import Alpha, headers_of_shards, words_of_shards
from checkpoints.makings import State, bits, facts_of, state_of, write
from checkpoints.plain_reader import read_generation

from alpha.ir.checkpoints.facts import Facts
from alpha.ir.checkpoints.reading import Generation
from alpha.tools.checkpoints.resharding import OWNERS_MAX
from alpha.tools.protocol_levels import EXECUTABLES_MAX, ROLES_MAX

# A parameter, optimizer state and a shared word; and the same of f32, of several axes.
STATES: tuple[State, ...] = (
    ("w", "f64", (10,), None),
    ("m", "f64", (10,), "cyclic"),
    ("p", "f64", (), None),
    ("W", "f32", (3, 5), None),
    ("M", "f32", (3, 5), "cyclic"),
    ("s", "f32", (), None),
    ("none", "f64", (2, 0), None),
)
START = (3, "a" * 64)
TREES = ("star", "tree<1>", "tree<2>", "tree<4>")
MODES = ("none", "optimizer", "parameters", "gradients", "optimizer,parameters")
MAPS = ("cyclic", "block", "block_cyclic<2>", "block_cyclic<7>")


@pytest.fixture
def facts() -> Facts:
    return facts_of(STATES, 4, resumed=START)


@pytest.fixture
def source(tmp_path: Path, facts: Facts) -> Path:
    folder = tmp_path / "x"
    folder.mkdir()
    return write(folder, facts, state_of(facts))


def reshard(alpha: Alpha, source: Path, target: Path, *flags: str) -> Path:
    """The generation that the tool has written of one of version 7."""
    alpha.done("checkpoint", "reshard", source, target, *flags)
    return target / "gen-7"


def random_flags(random: Random) -> list[str]:
    owners = random.randrange(1, 8)
    topology = random.choice(["pair", *TREES] if owners == 2 else TREES)
    flags = [f"--owners={owners}", f"--topology={topology}"]
    return [*flags, f"--partition={random.choice(MODES)}", f"--map={random.choice(MAPS)}"]


@pytest.mark.parametrize("seed", range(40))
def test_words_come_back_from_any_sequence_of_sharings(
    alpha: Alpha, tmp_path: Path, source: Path, facts: Facts, seed: int
) -> None:
    random, words = Random(seed), state_of(facts)
    now = source
    for number in range(random.randrange(1, 6)):
        flags = random_flags(random)
        now = reshard(alpha, now, tmp_path / f"{number}", *flags)
        direct = reshard(alpha, source, tmp_path / f"direct {number}", *flags)
        assert words_of_shards(now) == words_of_shards(direct)
        plain = read_generation(now)
        assert {name: bits(each) for name, each in plain.states.items()} == {
            name: bits(each) for name, each in words.items()
        }
        assert (plain.root["version"], plain.root["resumed"]["version"]) == (7, 3)
    back = reshard(alpha, now, tmp_path / "back", "--owners=4", "--partition=optimizer")
    assert words_of_shards(back) == words_of_shards(source)
    assert alpha("checkpoint", "diff", back, source).status == 0


def test_what_a_learner_is_stays_and_who_has_what_changes(
    alpha: Alpha, tmp_path: Path, source: Path
) -> None:
    made = reshard(
        alpha, source, tmp_path / "y", "--owners=3", "--topology=tree<2>", "--partition=parameters"
    )
    old, new = (read_generation(each).root for each in (source, made))
    changed = {"run", "owners", "topology", "shard", "manifests"}
    assert {key for key in old if old[key] != new[key]} == changed
    assert (new["owners"], new["topology"]) == (3, "tree<2>")
    assert new["resumed"] == {"version": START[0], "sha256": START[1]}
    assert new["shard"]["coordinates"] == {
        "w": "stride(0, 3, 4)",
        "m": "stride(0, 1, 10)",
        "p": "stride(0, 1, 1)",
        "none": "",
        "W": "stride(0, 3, 5)",
        "M": "stride(0, 1, 15)",
        "s": "stride(0, 1, 1)",
    }
    assert read_generation(made).stored[2] == ["w", "none", "W"]


def test_its_identity_follows_from_the_source_and_the_sharing(
    alpha: Alpha, tmp_path: Path, source: Path, facts: Facts
) -> None:
    runs: dict[str, str] = {}
    flags = {
        "same": ("--owners=3",),
        "again": ("--owners=3", "--partition=none", "--topology=star"),
        "owners": ("--owners=2",),
        "topology": ("--owners=3", "--topology=tree<2>"),
        "modes": ("--owners=3", "--partition=optimizer"),
        "map": ("--owners=3", "--partition=optimizer", "--map=block"),
    }
    for name, each in flags.items():
        runs[name] = Generation.open(reshard(alpha, source, tmp_path / name, *each)).facts.run
    shutil.rmtree(source)
    write(source.parent, facts, state_of(facts, 1))
    runs["words"] = Generation.open(
        reshard(alpha, source, tmp_path / "words", "--owners=3")
    ).facts.run
    assert runs["same"] == runs["again"]
    assert len({*runs.values(), facts.run}) == len(runs)
    folders = [tmp_path / name / "gen-7" for name in ("same", "again")]
    assert len({Generation.open(folder).digest for folder in folders}) == 1


def test_the_newest_whole_generation_of_a_folder_is_taken(
    alpha: Alpha, tmp_path: Path, source: Path, facts: Facts
) -> None:
    newer = write(source.parent, facts, state_of(facts, 1), 9)
    (newer / "shard-2.safetensors").unlink()
    said = alpha("checkpoint", "reshard", source.parent, tmp_path / "y", "--owners=1")
    assert said.status == 0
    assert said.err.startswith("alpha: warning: gen-9 was passed over: [checkpoint-shard-missing]")
    assert said.out.splitlines() == [
        f"{tmp_path}/y/gen-7: version 7 of least; 1 owner, star",
        f"generation sha256:{Generation.open(tmp_path / 'y' / 'gen-7').digest}",
    ]


def test_an_older_version_may_lie_beside_a_newer_one(
    alpha: Alpha, tmp_path: Path, source: Path, facts: Facts
) -> None:
    (tmp_path / "y").mkdir()
    write(tmp_path / "y", facts, state_of(facts, 1), 9)
    reshard(alpha, source, tmp_path / "y", "--owners=2")
    assert sorted(path.name for path in (tmp_path / "y").iterdir()) == ["gen-7", "gen-9"]
    # Who is refused has written nothing, and so has removed nothing.
    (tmp_path / "y" / ".gen-3.0123456789abcdef").mkdir()
    said = alpha("checkpoint", "reshard", source, tmp_path / "y", "--owners=3")
    assert (said.status, said.code) == (1, "checkpoint-exists")
    assert (tmp_path / "y" / ".gen-3.0123456789abcdef").exists()
    assert read_generation(tmp_path / "y" / "gen-7").root["owners"] == 2


def test_a_folder_is_made_with_what_is_missing_above_it(
    alpha: Alpha, tmp_path: Path, source: Path
) -> None:
    reshard(alpha, source, tmp_path / "a" / "b" / "c", "--owners=2")


def test_what_others_have_begun_is_removed(alpha: Alpha, tmp_path: Path, source: Path) -> None:
    for name in (".gen-3.0123456789abcdef", ".gen-2.removed", "notes", ".gen-2.removedd"):
        (tmp_path / "y" / name).mkdir(parents=True)
        (tmp_path / "y" / name / "shard-0.safetensors").touch()
    (tmp_path / "kept").mkdir()
    (tmp_path / "y" / ".gen-4.removed").symlink_to(tmp_path / "kept")
    reshard(alpha, source, tmp_path / "y", "--owners=2")
    left = sorted(path.name for path in (tmp_path / "y").iterdir())
    assert left == [".gen-2.removedd", "gen-7", "notes"]
    assert (tmp_path / "kept").is_dir()


def test_one_at_a_time_writes_to_a_folder(alpha: Alpha, tmp_path: Path, source: Path) -> None:
    (tmp_path / "y" / ".gen-3.0123456789abcdef").mkdir(parents=True)
    descriptor = os.open(tmp_path / "y", os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        said = alpha("checkpoint", "reshard", source, tmp_path / "y", "--owners=2")
        assert (said.status, said.code) == (1, "checkpoint-path")
        assert [path.name for path in (tmp_path / "y").iterdir()] == [".gen-3.0123456789abcdef"]
    finally:
        os.close(descriptor)
    reshard(alpha, source, tmp_path / "y", "--owners=2")


@pytest.mark.parametrize("calls", [0, 1, 3, 9])
def test_nothing_is_left_of_one_that_could_not_be_written(
    alpha: Alpha, tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch, calls: int
) -> None:
    write_to, left = os.write, [calls]

    def failing(descriptor: int, data: bytes) -> int:
        if not left[0] and "/y/" in os.readlink(f"/proc/self/fd/{descriptor}"):
            raise OSError(errno.ENOSPC, "No space left on device")
        left[0] = max(0, left[0] - 1)
        return write_to(descriptor, data)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", failing)
        said = alpha("checkpoint", "reshard", source, tmp_path / "y", "--owners=3")
    assert said.status == 1
    assert said.err.startswith(f"alpha: error: cannot write {tmp_path}/y/.gen-7.")
    assert said.err.endswith(": No space left on device\n")
    assert not [*(tmp_path / "y").iterdir()]


def test_nothing_is_left_of_one_that_was_interrupted(
    alpha: Alpha, tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Generation, "chunks", interrupted)
        assert alpha("checkpoint", "reshard", source, tmp_path / "y", "--owners=3").status == 130
    assert not [*(tmp_path / "y").iterdir()]


def test_a_source_that_cannot_be_read_is_named(
    alpha: Alpha, tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> int:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "preadv", failing)
        said = alpha("checkpoint", "reshard", source, tmp_path / "y", "--owners=3")
    assert said.status == 1
    assert said.err == f"alpha: error: cannot read {source}/manifest.json: Input/output error\n"
    assert not (tmp_path / "y").exists()


def test_a_broken_source_is_refused_before_anything_is_made(
    alpha: Alpha, tmp_path: Path, source: Path
) -> None:
    path = source / "shard-1.safetensors"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    said = alpha("checkpoint", "reshard", source, tmp_path / "y", "--owners=3")
    assert (said.status, said.code) == (1, "checkpoint-digest")
    assert not (tmp_path / "y").exists()


@pytest.mark.parametrize(
    ("flags", "code", "found"),
    [
        (["--owners=0"], "shard-owner-range", "at least 1 owner, found 0"),
        (["--owners=4097"], "target-unsupported", "at most 4096 owners of a generation"),
        (["--owners=3", "--topology=pair"], "shard-owner-range", "2 owners in a pair, found 3"),
        (["--owners=3", "--topology=ring"], "source-syntax", "pair, star or tree<F>, found ring"),
        (["--owners=3", "--topology=tree<0>"], "region-tree-fan-out", "found 0"),
        (["--owners=3", "--map=block"], "target-unsupported", "--partition with --map"),
        (["--owners=3", "--partition=optimizer", "--map=ring"], "source-syntax", "ring"),
        (
            ["--owners=2", "--partition=optimizer", "--map=[stride(0, 1, 4), stride(5, 1, 5)]"],
            "shard-coverage-missing",
            "an owner for each of 10 coordinates of @m, found none for coordinate 4",
        ),
        (
            ["--owners=3", "--partition=parameters", "--map=[stride(0, 1, 4), stride(4, 1, 6)]"],
            "shard-owner-range",
            "one piece for each owner of @w, found 2 pieces for 3 owners",
        ),
    ],
)
def test_a_sharing_that_cannot_be_is_refused(
    alpha: Alpha, tmp_path: Path, source: Path, flags: list[str], code: str, found: str
) -> None:
    said = alpha("checkpoint", "reshard", source, tmp_path / "y", *flags)
    assert (said.status, said.code) == (1, code)
    assert found in said.err
    assert not (tmp_path / "y").exists()


def test_maps_of_the_language_are_taken(alpha: Alpha, tmp_path: Path, source: Path) -> None:
    (tmp_path / "one").mkdir()
    facts = facts_of([("w", "f64", (6,), None), ("m", "f64", (6,), None)], 2)
    one = write(tmp_path / "one", facts, state_of(facts))
    flags = ("--owners=2", "--partition=optimizer")
    for number, map in enumerate(("[stride(1, 1, 5), stride(0, 1, 1)]", "rows<2, cyclic>")):
        made = reshard(alpha, one, tmp_path / f"{number}", *flags, f"--map={map}")
        shards = headers_of_shards(made)["shard-1.safetensors"]["__metadata__"]["coordinates"]
        assert json.loads(shards) == {"m": ("stride(0, 1, 1)", "stride(2, 1, 2)")[number]}


def test_a_partitioning_that_changes_nothing_says_so(alpha: Alpha, tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    facts = facts_of([("w", "f64", (6,), None)], 2)
    one = write(tmp_path / "x", facts, state_of(facts))
    flags = ("--owners=2", "--partition=optimizer,parameters,gradients")
    said = alpha("checkpoint", "reshard", one, tmp_path / "y", *flags)
    assert said.status == 0
    assert said.err == f"alpha: warning: {one} has no optimizer state: none is shared out\n"


def test_as_many_owners_as_a_run_may_have() -> None:
    assert OWNERS_MAX == EXECUTABLES_MAX == max(ROLES_MAX.values())


def test_not_beside_generations_of_another_learner(
    alpha: Alpha, tmp_path: Path, source: Path
) -> None:
    """Whichever versions they have; what can't be read is left alone."""
    target = tmp_path / "y"
    target.mkdir()
    others = facts_of([("v", "f64", (3,), None)], 1, name="other")
    for version in (3, 9):
        path = write(target, others, state_of(others), version)
        said = alpha("checkpoint", "reshard", source, target, "--owners=2")
        wanted = f"no generation of another learner in {target}, found {path} of other"
        assert said == (1, "", f"alpha: error: [checkpoint-exists] expected {wanted}\n")
        (path / "manifest.json").write_text("{")
    reshard(alpha, source, target, "--owners=2")


@pytest.mark.parametrize("below", ["sub", "deep/er"])
def test_not_in_a_generation(alpha: Alpha, tmp_path: Path, source: Path, below: str) -> None:
    (tmp_path / "link").symlink_to(source)
    for target in (source / below, tmp_path / "link" / below):
        said = alpha("checkpoint", "reshard", source, target, "--owners=2")
        wanted = f"a folder of generations at {target}, found a folder in the generation {source}"
        assert said == (1, "", f"alpha: error: [checkpoint-exists] expected {wanted}\n")
        assert not target.exists()


def test_not_under_a_name_that_goes_away(alpha: Alpha, tmp_path: Path, source: Path) -> None:
    """Whoever writes to the folder above would remove it."""
    target = tmp_path / ".gen-3.0123456789abcdef"
    said = alpha("checkpoint", "reshard", source, target, "--owners=2")
    assert (said.status, said.code) == (1, "checkpoint-exists")
    assert said.err.endswith("found the name of a generation that was begun, or is removed\n")
