"""Jobs of a real Slurm: they end as the interpreter does, or say what was in the way."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from launching.cluster import Cluster, Ended
from native_runs.folders import command


@pytest.fixture(autouse=True)
def settings(slurm: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slurm's programs find the cluster of the tests."""
    monkeypatch.setenv("SLURM_CONF", str(slurm.settings))


def test_a_job_that_is_followed(built: Path, wanted: list[str], tmp_path: Path) -> None:
    """Half of the roles are for another machine, and are emulated on the node."""
    files = ("--metrics", tmp_path / "m.jsonl", "--save", tmp_path / "s.safetensors")
    told = command("launch", built, "--engine=slurm", "--follow", "--deadline=100", *files)
    assert (told.status, told.said) == (0, "")
    lines = told.out.splitlines()
    assert lines[0] == f"launch least_squares_adam: 4 roles: {built}.slurm/job.sh"
    assert lines[1].startswith("submitted as job ")
    assert lines[2].endswith("; 4 roles, star, launched")
    assert lines[3:] == wanted
    metrics = (tmp_path / "m.jsonl").read_text().splitlines()
    assert [json.loads(line)["version"] for line in metrics] == list(range(12))
    assert (tmp_path / "s.safetensors").stat().st_size > 100


def test_a_job_that_is_collected_afterwards(
    built: Path, wanted: list[str], slurm: Cluster, tmp_path: Path
) -> None:
    """A script can be submitted more than once; each job has results of its own."""
    folder = tmp_path / "launch"
    given = ("--engine=slurm", "--no-submit", "-o", folder, "--option=--partition=short")
    told = command("launch", built, *given)
    assert (told.status, told.said) == (0, "")
    assert told.out.splitlines()[1].startswith("submit it by: sbatch --chdir=")
    first, second = slurm.submit(folder), slurm.submit(folder)
    for job in (first, second):
        assert slurm.wait(job) == Ended("COMPLETED", 0)
        told = command("launch", "--collect", folder / f"job-{job}")
        assert (told.status, told.said) == (0, "")
        assert told.out.splitlines()[1:] == wanted
    told = command("launch", "--collect", folder)
    assert (told.status, told.out) == (5, "")
    assert told.said == (
        f"alpha: error: cannot collect {folder}: it holds the results of several jobs, "
        f"of which one is to be named: {', '.join(sorted((f'job-{first}', f'job-{second}')))}\n"
    )
    # What is there is kept, and launched again.
    assert command("launch", built, *given).status == 0


def test_a_role_that_fails_ends_the_job_with_its_status(
    built: Path, slurm: Cluster, tmp_path: Path
) -> None:
    """It is changed behind the launch: the others wait for its connection, and are ended."""
    folder = tmp_path / "launch"
    assert command("launch", built, "--engine=slurm", "--no-submit", "-o", folder).status == 0
    with (built / "role-2").open("ab") as stream:
        stream.write(b"\0")
    job = slurm.submit(folder)
    assert slurm.wait(job) == Ended("FAILED", 3)
    told = command("launch", "--collect", folder)
    assert told.status == 3
    first, *others = told.said.splitlines()
    assert first.startswith("alpha: role 2: refused build-file-differs: expected sha256:")
    # The others may notice it of one another, or not before they are ended.
    assert all(line.split(": ")[2].startswith("lost role") for line in others)
    ends = [(folder / f"job-{job}/role-{role}.end").read_text() for role in range(4)]
    assert ends[2] == "3\n"
    assert {ends[0], ends[1], ends[3]} <= {"143\n", "4\n"}


def test_a_port_in_use(built: Path, slurm: Cluster, tmp_path: Path) -> None:
    """The port of an edge is another's: it is said which that is."""
    folder = tmp_path / "launch"
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        given = ("--engine=slurm", "--no-submit", "-o", folder, f"--first-port={port}")
        assert command("launch", built, *given).status == 0
        job = slurm.submit(folder)
        assert slurm.wait(job) == Ended("FAILED", 5)
    told = command("launch", "--collect", folder)
    assert told.status == 5
    said = f"alpha: role 0: failed: Address already in use at 0.0.0.0:{port}"
    assert told.said.splitlines()[0] == said
