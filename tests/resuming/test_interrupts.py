"""A run that is interrupted or killed in the middle leaves a folder that is gone on from."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest
from native_runs.folders import command
from resuming.nine_words import learner_file
from resuming.plain_learner import going_on, versions_of
from resuming.runs import Side
from resuming.test_folders import NATIVE, PROCESSES
from runs.processes import ALPHA, SECONDS, Session

from alpha.ir.checkpoints.names import version_of
from alpha.ir.checkpoints.reading import newest

SIDES = {
    "shard": Side("shard", 3, "tree<2>", ("parameters",), "block"),
    "processes": PROCESSES,
    "native": NATIVE,
}


@pytest.mark.parametrize("number", ["SIGINT", "SIGKILL"])
@pytest.mark.parametrize("name", SIDES)
def test_what_was_published_before_is_gone_on_from(name: str, number: str, tmp_path: Path) -> None:
    """Whatever was being written then; the bits are those of a run without an interruption."""
    file, folder = learner_file("momentum", "f64", tmp_path), tmp_path / "generations"
    store = (f"--checkpoint={folder}", "--checkpoint-every=1", "--keep=40")
    long = ("run", str(file), *SIDES[name].flags(), "--rounds=100000000", *store)
    with Session(*ALPHA, *long) as session:
        session.wait_for_version(20)
        os.kill(session.process.pid, signal.Signals[number])
        if number == "SIGINT":
            done = session.end()
            assert (done.status, "Traceback" in done.said) == (130, False)
            assert "state sha256" not in done.out
        else:
            session.process.wait()
            until = time.monotonic() + SECONDS
            while session.members() and time.monotonic() < until:
                time.sleep(0.05)
    found = newest(folder).generation
    assert found.version >= 20
    versions = sorted(each for path in folder.iterdir() if (each := version_of(path.name)))
    assert versions[-1] == found.version, "nothing that is damaged is published"
    assert len(versions) >= 40 or versions[0] == 1, "what is kept is there"
    wanted = versions_of(file, found.version + 2)
    assert {state: words.tobytes() for state, words in wanted.at(found.version).items()} == {
        state: found.read_words(state).tobytes() for state in wanted.at(found.version)
    }
    end = found.version + 2
    told = command("run", file, *SIDES["shard"].flags(), f"--rounds={end}", *store, resume(folder))
    assert told.status == 0, told
    assert told.out.splitlines()[-1] == wanted.digests[end]
    assert all(version_of(path.name) is not None for path in folder.iterdir())


def resume(folder: Path) -> str:
    """The flag that goes on from the newest generation of a folder."""
    return f"--resume={folder}"


def test_a_run_that_a_round_has_ended_is_gone_on_from(tmp_path: Path) -> None:
    """A word that isn't finite ends a run; with a lower rate it goes on before that round."""
    text = learner_file("sgd", "f32", tmp_path).read_text(encoding="utf-8")
    assert text.count(": f32 = 0.1\n") == 1
    fast, slow = tmp_path / "fast.mlir", tmp_path / "slow.mlir"
    fast.write_text(text.replace(": f32 = 0.1\n", ": f32 = 1.0e4\n"), encoding="utf-8")
    slow.write_text(text.replace(": f32 = 0.1\n", ": f32 = 1.0e-4\n"), encoding="utf-8")
    folder = tmp_path / "generations"
    for level in ("shard", "protocol", "role"):
        side, store = PROCESSES._replace(level=level), folder / level
        flags = (*side.flags(), "--rounds=100", f"--checkpoint={store}", "--checkpoint-every=1")
        told = command("run", fast, *flags)
        assert told.status == 3 and "numeric-nonfinite" in told.said, told
        found = newest(store).generation
        assert 2 < found.version < 100
        # The last ones are so large that a small rate doesn't help.
        at = found.version - 2
        wanted = going_on(slow, versions_of(fast, at).at(at), at, at + 3)
        resumed = (resume(store / f"gen-{at}"), "--allow=rate")
        told = command("run", slow, *side.flags(), f"--rounds={at + 3}", *resumed)
        assert told.out.splitlines()[-1] == wanted.digests[-1]
