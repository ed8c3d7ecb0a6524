"""`alpha inspect` of a generation, and of a folder of them."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest
from checkpoint_tools.calling import DIABETES, Alpha
from checkpoints.makings import State, facts_of, state_of, write

from alpha.ir.checkpoints.reading import Generation
from alpha.tools.checkpoints.inspecting import is_checkpoint

STATES: tuple[State, ...] = (
    ("w", "f64", (2, 5), "cyclic"),
    ("m", "f32", (3,), "block"),
    ("s", "f64", (), None),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three generations, the newest of which went on from another one."""
    path = tmp_path / "x"
    path.mkdir()
    for version, owners, resumed in ((2, 2, None), (4, 1, None), (7, 4, (4, "ab" * 32))):
        facts = facts_of(STATES, owners, "tree<2>", resumed=resumed)
        write(path, facts, state_of(facts), version)
    return path


def rows(out: str, title: str) -> list[list[str]]:
    """The rows of a printed table, without its heading; cells are two blanks apart."""
    found = re.search(rf"^{title}\n((?:  .*\n)+)", out, re.MULTILINE)
    assert found is not None, out
    return [re.split(r"  +", line.strip()) for line in found[1].splitlines()[1:]]


def digests(paths: list[Path]) -> list[tuple[str, int, str]]:
    return [
        (path.name, path.stat().st_size, hashlib.sha256(path.read_bytes()).hexdigest())
        for path in paths
    ]


def test_all_that_there_is_to_say_of_a_generation(alpha: Alpha, folder: Path) -> None:
    path = folder / "gen-7"
    out = alpha.done("inspect", path)
    lines = out.splitlines()
    assert lines[0] == "generation 7 of least: 4 owners, tree<2>, 3 fields, 14 words"
    assert lines[1] == f"  of a run that went on from version 4, sha256:{'ab' * 32}"
    assert rows(out, "state") == [
        ["w", "tensor<2x5xf64>", "parameter", "10", "80"],
        ["m", "tensor<3xf32>", "optimizer", "3", "12"],
        ["s", "f64", "shared", "1", "8"],
    ]
    assert rows(out, "pieces") == [
        ["w", "0", "3", "stride(0, 4, 3)"],
        ["w", "1", "3", "stride(1, 4, 3)"],
        ["w", "2", "2", "stride(2, 4, 2)"],
        ["w", "3", "2", "stride(3, 4, 2)"],
        ["m", "0", "1", "stride(0, 1, 1)"],
        ["m", "1", "1", "stride(1, 1, 1)"],
        ["m", "2", "1", "stride(2, 1, 1)"],
        ["m", "3", "0", "empty"],
        ["s", "0", "1", "all"],
    ]
    shards = digests([path / f"shard-{role}.safetensors" for role in range(4)])
    names = ["manifest.json", *(f"manifest-{role}.json" for role in range(1, 4))]
    manifests = digests([path / name for name in names])
    for title, wanted in (("shards", shards), ("manifests", manifests)):
        assert rows(out, title) == [
            [str(role), name, str(size), sha256] for role, (name, size, sha256) in enumerate(wanted)
        ]
    assert rows(out, "contracts") == [["0", "groups = [1, 2], combine = left"]]
    root = json.loads((path / "manifest.json").read_text())
    assert rows(out, "parts of the learner") == [[*part] for part in root["parts"].items()]
    assert rows(out, "digests") == [[key, root[key]] for key in ("learner", "contract", "run")]
    assert lines[-1] == f"generation sha256:{manifests[0][2]}"
    assert root["version"] == 7


def test_one_owner_has_all(alpha: Alpha, folder: Path) -> None:
    out = alpha.done("inspect", folder / "gen-4")
    assert out.splitlines()[:2] == [
        "generation 4 of least: 1 owner, tree<2>, 3 fields, 14 words",
        "",
    ]
    assert [row[1:] for row in rows(out, "pieces")] == [
        ["0", "10", "all"],
        ["0", "3", "all"],
        ["0", "1", "all"],
    ]


def test_a_long_contract_is_shortened(alpha: Alpha, tmp_path: Path) -> None:
    facts = facts_of(STATES, 1, contracts=("groups = [1], combine = left", "g" * 61))
    out = alpha.done("inspect", write(tmp_path, facts, state_of(facts)))
    assert rows(out, "contracts")[1] == ["1", "g" * 60 + "..."]


@pytest.mark.parametrize("of_all", [False, True])
def test_verifying_reads_every_byte(alpha: Alpha, folder: Path, of_all: bool) -> None:
    paths = folder.glob("gen-*/*") if of_all else (folder / "gen-7").iterdir()
    size = sum(path.stat().st_size for path in paths)
    out = alpha.done("inspect", folder if of_all else folder / "gen-7", "--verify")
    assert out.splitlines()[-1] == f"verified {size} bytes"
    assert out.splitlines()[-3].startswith("generation sha256:")


def test_it_says_the_digest_of_the_state_as_a_run_does(alpha: Alpha, tmp_path: Path) -> None:
    path = tmp_path / "x"
    run = ("run", DIABETES, "--interpret=shard", "--partition=optimizer,parameters", "--rounds=3")
    said = alpha.done(*run, f"--checkpoint={path}").splitlines()[-1]
    assert said.startswith("state sha256:")
    assert said in alpha.done("inspect", path, "--verify").splitlines()


def test_a_folder_is_a_list_and_its_newest(alpha: Alpha, folder: Path) -> None:
    (folder / "notes").mkdir()
    out = alpha.done("inspect", folder)
    sizes = {
        name: str(sum(path.stat().st_size for path in (folder / name).glob("shard-*")))
        for name in ("gen-7", "gen-4", "gen-2")
    }
    assert out.splitlines()[0] == f"{folder}: 3 generations"
    assert rows(out, "generations") == [
        ["gen-7", "7", "4", sizes["gen-7"], "looks whole"],
        ["gen-4", "4", "1", sizes["gen-4"], "looks whole"],
        ["gen-2", "2", "2", sizes["gen-2"], "looks whole"],
    ]
    assert out.endswith(alpha.done("inspect", folder / "gen-7"))
    verified = alpha.done("inspect", folder, "--verify")
    assert [row[-1] for row in rows(verified, "generations")] == ["whole"] * 3


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


def test_what_is_broken_is_in_the_list_with_the_reason(alpha: Alpha, folder: Path) -> None:
    flipped(folder / "gen-7" / "shard-2.safetensors")
    # Without reading words nobody sees it.
    assert alpha.done("inspect", folder).count("looks whole") == 3
    said = alpha("inspect", folder, "--verify")
    assert (said.status, said.err) == (1, "")
    (broken, *others) = rows(said.out, "generations")
    assert broken[:2] == ["gen-7", "7"]
    assert broken[2].startswith(f"[checkpoint-digest] {folder}/gen-7/shard-2.safetensors:1:1: ")
    assert [row[-1] for row in others] == ["whole", "whole"]
    assert "generation 4 of least" in said.out
    (folder / "gen-4" / "shard-0.safetensors").unlink()
    said = alpha("inspect", folder)
    assert said.status == 0
    assert "[checkpoint-shard-missing]" in rows(said.out, "generations")[1][2]
    assert "generation 7 of least" in said.out


def test_one_that_was_never_finished_is_no_flaw(alpha: Alpha, folder: Path) -> None:
    (folder / ".gen-9.0123456789abcdef").mkdir()
    said = alpha("inspect", folder, "--verify")
    assert (said.status, said.err) == (0, "")
    first = rows(said.out, "generations")[0]
    assert first[:2] == [".gen-9.0123456789abcdef", "9"]
    assert first[2].endswith("found one that was begun and not finished")


@pytest.mark.parametrize("name", ["shard-1.safetensors", "manifest-2.json", "manifest.json"])
def test_a_generation_that_is_broken_is_refused(alpha: Alpha, folder: Path, name: str) -> None:
    path = folder / "gen-7" / name
    path.rename(folder / "aside")
    said = alpha("inspect", folder / "gen-7")
    if name == "manifest.json":
        # Then it is no generation, whichever flags are given.
        wanted = f"a build, a generation or a folder of generations at {path.parent}"
        error = f"[checkpoint-missing] expected {wanted}, found a folder with neither"
        for flags in ((), ("--verify",), ("--svg=-",)):
            said = alpha("inspect", path.parent, *flags)
            assert said == (1, "", f"alpha: error: {error}\n")
        return
    assert (said.status, said.out, said.code) == (1, "", "checkpoint-shard-missing")
    assert said.err.startswith(f"{path}:1:1: error: ")
    (folder / "aside").rename(path)
    flipped(path)
    said = alpha("inspect", folder / "gen-7", "--verify")
    assert (said.status, said.out, said.code) == (1, "", "checkpoint-digest")


def test_a_folder_without_a_whole_one_is_refused_behind_the_list(
    alpha: Alpha, folder: Path
) -> None:
    for path in folder.glob("gen-*/shard-0.safetensors"):
        path.unlink()
    said = alpha("inspect", folder)
    assert (said.status, said.code) == (1, "checkpoint-missing")
    assert said.err.endswith(f"expected a whole generation in {folder}, found none of 3\n")
    assert len(rows(said.out, "generations")) == 3


def test_what_a_checkpoint_is(tmp_path: Path, folder: Path) -> None:
    assert is_checkpoint(str(folder)) and is_checkpoint(str(folder / "gen-7"))
    assert not is_checkpoint(str(tmp_path)) and not is_checkpoint(str(DIABETES))
    assert not is_checkpoint(str(tmp_path / "none"))
    (tmp_path / ".gen-1.0123456789abcdef").mkdir()
    assert is_checkpoint(str(tmp_path))


def test_a_folder_of_executables_stays_one(alpha: Alpha, folder: Path) -> None:
    (folder / "run.json").write_text("{}")
    said = alpha("inspect", folder)
    assert (said.status, said.code) == (1, "build-description")


FLAGS = (
    ["--owners=3"],
    ["--topology=star"],
    ["--samples=1"],
    ["--partition=none"],
    ["--map=cyclic"],
    ["--checkpoint-every=2"],
    ["--dot=-"],
    ["--svg=-"],
    ["--against=x"],
)


@pytest.mark.parametrize("flag", FLAGS, ids=lambda flag: flag[0])
def test_flags_of_learners_are_refused(alpha: Alpha, folder: Path, flag: list[str]) -> None:
    name = flag[0].partition("=")[0]
    for path in (folder, folder / "gen-7"):
        wanted = f"a file with {name}, found {path}, which has generations"
        said = f"alpha: error: [target-unsupported] expected {wanted}\n"
        assert alpha("inspect", path, *flag) == (1, "", said)


def test_verifying_is_for_generations(alpha: Alpha, folder: Path) -> None:
    (folder / "run.json").write_text("{}")
    for path, what in ((DIABETES, "a file"), (folder, "a folder of executables")):
        wanted = f"a generation or a folder of them with --verify, found {path}, {what}"
        said = f"alpha: error: [target-unsupported] expected {wanted}\n"
        assert alpha("inspect", path, "--verify") == (1, "", said)


def test_what_is_printed_is_what_was_opened(folder: Path) -> None:
    generation = Generation.open(folder / "gen-7")
    assert [*generation.manifests] == [0, 1, 2, 3]
    generation.check_shards()
