"""Protocols and programs of roles in a file: with generations they are given a path, else none."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import pytest
from native_runs.folders import Told, command
from resuming.nine_words import learner_file
from resuming.plain_learner import Whole, versions_of
from resuming.runs import Side, Store, run
from runs.processes import EXAMPLES, OPT

ENDS = 6
FLAGS = {
    "protocol": ("--interpret=protocol",),
    "role": ("--interpret=role",),
    "native": ("--targets=x86-64,aarch64",),
}
GATE = EXAMPLES / "choice_gate.mlir"


def passed(file: Path, out: Path, *passes: str) -> Path:
    """A file after some passes of `alpha-opt`."""
    subprocess.run((*OPT, str(file), *passes, "-o", str(out)), check=True, timeout=120)
    return out


class Written:
    """A learner with its protocol, which stores every two rounds; and what it goes on from."""

    def __init__(self, folder: Path) -> None:
        self.learner = learner_file("momentum", "f64", folder)
        self.whole: Whole = versions_of(self.learner, ENDS)
        self.store = Store(folder / "first")
        side = Side("shard", 2, "pair", ("parameters",), "block")
        run(self.learner, side, 3, folder, store=self.store)
        self.digest = hashlib.sha256(
            (self.store.path / "gen-3" / "manifest.json").read_bytes()
        ).hexdigest()
        spread = ("--distribute=owners=2 topology=pair", "--partition-optimizer")
        begins = f"rounds={ENDS} begin=3 generation={self.digest} checkpoint=2"
        lower = "--lower-shard-to-protocol"
        self.fresh = passed(
            self.learner, folder / "fresh.mlir", *spread, f"{lower}=rounds={ENDS} checkpoint=2"
        )
        self.resumed = passed(self.learner, folder / "resumed.mlir", *spread, f"{lower}={begins}")
        self.plain = passed(self.learner, folder / "plain.mlir", *spread, f"{lower}=rounds={ENDS}")
        self.roles = passed(self.resumed, folder / "roles.mlir", "--project-role")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return Written(tmp_path_factory.mktemp("written"))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("level", FLAGS)
def test_a_protocol_in_a_file_stores_what_it_says(
    level: str, written: Written, tmp_path: Path
) -> None:
    """Every two rounds from version 0 on; and from 3 on those of 4 and 6."""
    digest = written.whole.digests[ENDS]
    given = (*FLAGS[level], f"--checkpoint={tmp_path / 'fresh'}")
    told = command("run", written.fresh, *given)
    assert (told.status, told.out.splitlines()[-1]) == (0, digest), told
    assert names(tmp_path / "fresh") == ["gen-2", "gen-4", "gen-6"]
    resume = f"--resume={written.store.path}"
    told = command("run", written.resumed, *FLAGS[level], resume, f"--checkpoint={tmp_path / 'on'}")
    assert (told.status, told.out.splitlines()[-1]) == (0, digest), told
    assert names(tmp_path / "on") == ["gen-4", "gen-6"]
    if level != "protocol":
        given = (*FLAGS[level], resume, f"--checkpoint={tmp_path / 'roles'}")
        told = command("run", written.roles, *given)
        assert (told.status, told.out.splitlines()[-1]) == (0, digest), told
        assert names(tmp_path / "roles") == ["gen-4", "gen-6"]
        for name in ("gen-4", "gen-6"):
            for path in (tmp_path / "on" / name).iterdir():
                assert path.read_bytes() == (tmp_path / "roles" / name / path.name).read_bytes()


def refusal(file: Path, *flags: str) -> str:
    """The line that says why a command isn't run."""
    told = command("run", file, *flags)
    assert told.status == 1 and "state sha256" not in told.out, told
    return next(line for line in told.said.splitlines() if "error" in line)


@pytest.mark.parametrize("level", FLAGS)
def test_what_a_protocol_needs_is_said(level: str, written: Written, tmp_path: Path) -> None:
    """A path where it stores, none where it doesn't, and the very generation that it names."""
    flags, store = FLAGS[level], f"--checkpoint={tmp_path / 'x'}"
    resume = f"--resume={written.store.path}"
    expected = "[checkpoint-path] expected"
    assert f"{expected} --checkpoint PATH for the gen" in refusal(written.fresh, *flags)
    assert f"{expected} no --checkpoint with" in refusal(written.plain, *flags, store)
    assert f"{expected} no --resume with" in refusal(written.plain, *flags, resume)
    assert f"{expected} no --resume with" in refusal(written.fresh, *flags, resume, store)
    assert f"{expected} --resume with the generation" in refusal(written.resumed, *flags, store)
    assert f"{expected} --checkpoint PATH for" in refusal(written.resumed, *flags, resume)
    side = Side("protocol", 2, "pair", ("parameters",), "block")
    other = Store(tmp_path / "other", 1)
    run(written.learner, side, 4, tmp_path, store=other)
    for name in ("", "gen-3", "gen-4"):
        line = refusal(written.resumed, *flags, store, f"--resume={other.path / name}")
        wanted = f"version 3 and sha256:{written.digest}"
        assert f"[checkpoint-digest] expected --resume with the generation of {wanted}" in line
    every = refusal(written.fresh, *flags, store, "--checkpoint-every=3")
    assert "[target-unsupported] expected no flags that make another protocol" in every
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("level", FLAGS)
def test_a_protocol_without_a_learner_has_nothing_to_store(level: str, tmp_path: Path) -> None:
    """The choice gate runs as before, and is given no path in vain."""
    told: Told = command("run", GATE, *FLAGS[level])
    assert told.status == 0 and told.out.endswith("3 roles finished\n")
    store = f"--checkpoint={tmp_path / 'x'}"
    assert "[checkpoint-path] expected no --checkpoint" in refusal(GATE, *FLAGS[level], store)
    line = refusal(GATE, *FLAGS[level], f"--resume={tmp_path}")
    assert "[checkpoint-learner] expected a learner in the file with --resume, found none" in line
    line = refusal(GATE, *FLAGS[level], store, "--checkpoint-every=end")
    assert "[target-unsupported]" in line
    assert not (tmp_path / "x").exists()


def test_levels_above_store_the_end_of_what_the_protocol_makes(
    written: Written, tmp_path: Path
) -> None:
    """They run as many rounds as the protocol in the file, and store as flags say."""
    for level in ("learner", "shard"):
        for file, resume in ((written.fresh, ()), (written.resumed, ("--resume", "first"))):
            store = Store(tmp_path / f"{level}-{file.stem}", 4)
            given = [f"--interpret={level}", *store.flags()]
            given += [f"--resume={written.store.path}"] if resume else []
            told = command("run", file, *given)
            assert told.out.splitlines()[-1] == written.whole.digests[ENDS]
            assert names(store.path) == ["gen-4", "gen-6"]
