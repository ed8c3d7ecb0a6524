"""What is told of the files of a run: its rounds, its state, the first cause of a failure."""

from __future__ import annotations

import argparse
import json
import os
import struct
import threading
import time
from pathlib import Path

import pytest
from native_runs.folders import PlayedRole, command, played_folder
from native_runs.played_role import END, OBSERVATION, PROGRESS, STATE, record

from alpha.tools.driver.output import InputOutputError
from alpha.tools.launching import following
from alpha.tools.launching.following import follow
from alpha.tools.launching.results import Results, collect
from alpha.tools.waiting_flags import WAIT_SECONDS

FLAGS = ("launch", "--collect")


def word(value: float) -> bytes:
    return struct.pack("<d", value)


def told_of(role: int, rounds: int = 3) -> bytes:
    """What a role tells of a run: role 0 of its rounds, and each of its words of the two states."""
    data = b""
    if role == 0:
        for version in range(rounds):
            data += record(OBSERVATION, 0, version, 2, word(3.0 * version))
            data += record(PROGRESS, 0, version + 1)
        data += record(STATE, 0, rounds, 0, word(1.5) * 2)
    return data + record(STATE, 1, rounds, 0, word(role)) + record(END, 0, rounds)


class Run:
    """The folder of a run of two roles; the second state is divided."""

    def __init__(self, folder: Path) -> None:
        pieces = ({"d": "stride(0, 1, 1)"}, {"d": "stride(1, 1, 1)"})
        roles = [PlayedRole((), pieces=each) for each in pieces]
        played_folder(folder, roles, (("c", 2), ("d", 2)), ("loss",), rounds=9)
        self.folder = folder
        for number in range(2):
            self.end(number, 0, told_of(number), "")

    def end(self, role: int, status: int | None, told: bytes, said: str, at: int = 1000) -> None:
        """Let a role have ended so; at this time, in seconds."""
        for kind, data in (
            ("out", told),
            ("err", said.encode()),
            ("end", b"" if status is None else f"{status}\n".encode()),
        ):
            path = self.folder / f"role-{role}.{kind}"
            path.write_bytes(data)
            os.utime(path, (at, at))
            if kind == "end" and status is None:
                path.unlink()


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path / "run")


HEADING = "learner played: 3 samples, 2 fields, 4 words; 2 roles, star, launched"


def test_a_run_that_ended_well(run: Run, tmp_path: Path) -> None:
    files = ("--metrics", tmp_path / "m", "--save", tmp_path / "s")
    told = command(*FLAGS, run.folder, *files)
    assert (told.status, told.said) == (0, "")
    heading, _, *rows, digest = told.out.splitlines()
    assert heading == HEADING
    assert [row.split() for row in rows] == [["0", "0.0"], ["1", "1.5"], ["2", "3.0"]]
    assert digest.startswith("state sha256:")
    assert [json.loads(line)["version"] for line in (tmp_path / "m").read_text().split("\n")[:-1]]
    data = (tmp_path / "s").read_bytes()
    assert word(0.0) + word(1.0) in data
    assert word(1.5) * 2 in data
    # The only job of a launch needn't be named.
    launch = tmp_path / "launch"
    launch.mkdir()
    run.folder.rename(launch / "job-77")
    (launch / "job-77.log").touch()
    assert command(*FLAGS, launch).out == told.out


def test_records_that_are_cut(run: Run) -> None:
    """A role is whole if its end is told, however it ended."""
    for cut in (0, 31, len(told_of(1)) - 1):
        run.end(1, 0, told_of(1)[:cut], "")
        told = command(*FLAGS, run.folder)
        assert told.status == 4
        said = "ended with status 0, without having told everything"
        assert told.said == f"alpha: role 1: {said}\n"


@pytest.mark.parametrize(
    ("ends", "status", "first"),
    [
        # Who refused comes before who lost a peer, whenever that was.
        (((4, "alpha: role 0: lost role 1: x\n", 10), (3, "alpha: role 1: refused y\n", 90)), 3, 1),
        (((5, "alpha: role 0: failed: x\n", 90), (4, "alpha: role 1: lost role 0: y\n", 9)), 5, 0),
        # Of two causes the earlier one.
        (((5, "alpha: role 0: failed: x\n", 90), (3, "alpha: role 1: refused y\n", 89)), 3, 1),
        (((5, "alpha: role 0: failed: x\n", 88), (3, "alpha: role 1: refused y\n", 89)), 5, 0),
        # A role that was killed says nothing, and is who the other has lost.
        (((4, "alpha: role 0: lost role 1: x\n", 10), (137, "", 9)), 4, 1),
        (((4, "alpha: role 0: lost role 1: x\n", 10), (None, "", 0)), 4, 1),
        (
            ((4, "alpha: role 0: lost role 1: x\n", 10), (4, "alpha: role 1: overdue: y\n", 11)),
            4,
            1,
        ),
        (((2, "alpha: role 0: usage: x\n", 10), (143, "", 11)), 4, 0),
    ],
)
def test_the_first_cause(
    run: Run, ends: tuple[tuple[int | None, str, int], ...], status: int, first: int
) -> None:
    for role, (code, said, at) in enumerate(ends):
        run.end(role, code, b"", said, at)
    told = command(*FLAGS, run.folder)
    assert told.status == status
    assert told.out.splitlines() == [HEADING]
    said = {
        137: "was ended by SIGKILL",
        None: "nothing says how it ended",
    }.get(ends[first][0])
    wanted = f"alpha: role {first}: {said}\n" if said else ends[first][1]
    assert told.said.startswith(wanted)
    assert ends[1 - first][1] in told.said


def test_a_run_that_has_not_ended(run: Run) -> None:
    """Nothing is told of its state, though all of it may be there."""
    run.end(1, None, told_of(1), "")
    told = command(*FLAGS, run.folder)
    assert told.status == 5
    assert told.said == f"alpha: error: cannot collect {run.folder}: 1 role of 2 didn't end: 1\n"
    assert "state" not in told.out


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (record(9, 0, 0), "a record of the kind 9"),
        (record(STATE, 2, 0), "a state 2 of 2"),
        (record(OBSERVATION, 1, 0, 1, word(0)), "an observation that the learner hasn't"),
        (struct.pack("<IIQQQ", STATE, 0, 0, 0, 1 << 60), f"a record of {1 << 60} bytes"),
        (
            record(OBSERVATION, 0, 5, 1, word(0)) + record(OBSERVATION, 0, 4, 1, word(0)),
            "an observation of a round that has ended",
        ),
        (b"Hello, hello, hello, hello, hello!", "a record of"),
    ],
    ids=["kind", "state", "label", "size", "order", "text"],
)
def test_what_no_role_tells(run: Run, data: bytes, what: str) -> None:
    run.end(0, 0, data, "")
    told = command(*FLAGS, run.folder)
    assert told.status == 5
    file = run.folder / "role-0.out"
    assert told.said.startswith(f"alpha: error: cannot read {file}: it holds {what}")


def test_states_that_were_not_published(run: Run) -> None:
    run.end(1, 0, record(END, 0, 3), "")
    told = command(*FLAGS, run.folder)
    assert told.status == 1
    assert "[protocol-publish-missing] expected role 1 to publish its words of @d" in told.said


def test_what_holds_no_results(tmp_path: Path, run: Run) -> None:
    told = command(*FLAGS, tmp_path / "none")
    assert told.said == f"alpha: error: cannot read {tmp_path}/none: No such file or directory\n"
    (tmp_path / "empty").mkdir()
    told = command(*FLAGS, tmp_path / "empty")
    found = "no job has left results in it"
    assert told.said == f"alpha: error: cannot collect {tmp_path}/empty: {found}\n"
    (run.folder / "run.json").write_text("{}")
    told = command(*FLAGS, run.folder)
    assert (told.status, told.out) == (1, "")
    assert "[build-description]" in told.said


def test_outputs_are_no_results(run: Run) -> None:
    before = (run.folder / "role-0.out").read_bytes()
    told = command(*FLAGS, run.folder, "--metrics", run.folder / "role-0.out")
    assert told.status == 5
    assert "it is an input of this run" in told.said
    assert (run.folder / "role-0.out").read_bytes() == before


def test_files_that_grow(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A job is followed: records come byte by byte, and the ends later; its engine is asked."""
    wanted = command(*FLAGS, run.folder).out
    job = tmp_path / "launch" / "job-5"
    job.parent.mkdir()
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "squeue").write_text("#!/bin/sh\necho RUNNING\n")
    (programs / "squeue").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    monkeypatch.setattr(following, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(following, "ASK_SECONDS", 0.05)

    def grow() -> None:
        time.sleep(0.1)
        job.mkdir()
        for role in range(2):
            with (job / f"role-{role}.out").open("wb", buffering=0) as stream:
                for byte in told_of(role):
                    stream.write(bytes([byte]))
            (job / f"role-{role}.err").touch()
            if role == 0:
                (job / "run.json").write_bytes((run.folder / "run.json").read_bytes())
                time.sleep(0.1)
            (job / f"role-{role}.end").write_text("0\n")

    thread = threading.Thread(target=grow)
    thread.start()
    given = argparse.Namespace(metrics=None, save=None, wait=WAIT_SECONDS, deadline=None)
    assert follow(5, str(job.parent), given) == 0
    thread.join()
    assert capsys.readouterr().out == wanted


def test_an_interrupt_leaves_the_job_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is said how to end the job, and how to be told of it later."""
    (tmp_path / "squeue").write_text("#!/bin/sh\n")
    (tmp_path / "squeue").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(following.time, "sleep", interrupted)
    given = argparse.Namespace(metrics=None, save=None)
    with pytest.raises(KeyboardInterrupt):
        follow(8, str(tmp_path), given)
    collecting = f"alpha launch --collect {tmp_path}/job-8"
    said = f"alpha: remark: the job goes on; scancel 8 ends it, {collecting} reads it\n"
    assert capsys.readouterr().err == said


def test_what_came_with_the_last_end(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """It is read, though nothing more was to come."""
    wanted = command(*FLAGS, run.folder).out
    run.end(1, None, told_of(1)[:40], "")

    def goes_on(found: Results) -> bool:
        run.end(1, 0, told_of(1), "")
        return bool(found.unended())

    given = argparse.Namespace(metrics=None, save=None)
    assert collect(run.folder, given, goes_on) == 0
    assert capsys.readouterr().out == wanted


def test_a_job_that_is_over_without_an_end(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine has ended it; what was there is told, and whose end is missing."""
    job = tmp_path / "launch" / "job-6"
    job.parent.mkdir()
    programs = tmp_path / "programs"
    programs.mkdir()
    squeue = programs / "squeue"
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    for name in ("LOOK_SECONDS", "ASK_SECONDS", "SETTLE_SECONDS"):
        monkeypatch.setattr(following, name, 0.02)
    given = argparse.Namespace(metrics=None, save=None)
    for script, why in (
        ("exit 0", "cannot follow the job 6: it left no results"),
        ("echo slurm_load_jobs error: Invalid job id specified >&2; exit 1", "it left no results"),
        ("echo no answer >&2; exit 1", "cannot ask for the job 6: squeue: no answer"),
    ):
        squeue.write_text(f"#!/bin/sh\n{script}\n")
        squeue.chmod(0o755)
        with pytest.raises(InputOutputError, match=why):
            follow(6, str(job.parent), given)
    squeue.write_text("#!/bin/sh\n")
    run.end(1, None, b"", "")
    run.folder.rename(job)
    with pytest.raises(InputOutputError, match="1 role of 2 didn't end: 1"):
        follow(6, str(job.parent), given)
