"""What is written for engines: ports that differ, quoted words, YAML, and submitting it."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from building.descriptions import DIGEST, described, role
from hypothesis import given, settings
from hypothesis import strategies as st
from native_runs.folders import PlayedRole, command, played_folder

from alpha.ir.refusals import Refusal
from alpha.tools.building.description import RoleDescription
from alpha.tools.launching.kubernetes import ClusterJob, manifest, start_text
from alpha.tools.launching.ports import ports_of
from alpha.tools.launching.slurm import END, SlurmJob, job_script
from alpha.tools.launching.step import STEP
from alpha.tools.launching.yaml_text import yaml_text

PAIRS = st.sets(
    st.tuples(st.integers(0, 30), st.integers(0, 30)).filter(lambda pair: pair[0] < pair[1]),
    max_size=60,
)


def roles_of(pairs: set[tuple[int, int]]) -> list[RoleDescription]:
    """Roles with these edges."""
    peers: dict[int, set[int]] = {0: set()}
    for low, high in pairs:
        peers.setdefault(low, set()).add(high)
        peers.setdefault(high, set()).add(low)
    blank = role(0, "")
    return [
        replace(blank, role=each, executable=f"role-{each}", edges=tuple(sorted(peers[each])))
        for each in sorted(peers)
    ]


@given(PAIRS)
@settings(max_examples=60, deadline=None)
def test_each_edge_has_a_port_that_both_ends_know(pairs: set[tuple[int, int]]) -> None:
    ports = ports_of(roles_of(pairs), 20000)
    assert ports.count == len(pairs)
    listening: dict[tuple[int, int], int] = {}
    for each in roles_of(pairs):
        first = ports.own[each.role]
        higher = [peer for peer in each.edges if peer > each.role]
        assert (first is None) == (not higher)
        for at, peer in enumerate(higher):
            assert first is not None
            listening[each.role, peer] = first + at
    assert sorted(listening.values()) == list(range(len(pairs)))
    connecting = {(low, high): at for high, lower in ports.lower.items() for low, at in lower}
    assert connecting == listening
    assert all([*lower] == sorted(lower) for lower in ports.lower.values())


def test_there_are_ports_enough() -> None:
    roles = roles_of({(0, 1), (0, 2), (1, 2)})
    assert ports_of(roles, 65533).count == 3
    with pytest.raises(Refusal) as refused:
        ports_of(roles, 65534)
    expected = "expected ports for 3 edges, each another one, from 65534 on, found 2, as the last"
    assert refused.value.message == f"{expected} is 65535"


def slurm_job(**given: object) -> SlurmJob:
    blank = SlurmJob("alpha-x", "/shared/launch", "/shared/build", None, "60", "600", None, ())
    return replace(blank, **given)  # pyright: ignore[reportArgumentType]


def test_the_options_of_a_job() -> None:
    made, ports = described(), ports_of(described().roles, 20000)
    job = slurm_job(minutes=12, options=("--partition=short", "--exclusive"))
    lines = job_script(made, ports, job).splitlines()
    assert lines[0] == "#!/bin/sh"
    options = [line.removeprefix("#SBATCH ") for line in lines if line.startswith("#SBATCH ")]
    assert options == [
        "--job-name=alpha-x",
        "--ntasks=2",
        "--cpus-per-task=1",
        "--mem-per-cpu=129M",
        "--no-requeue",
        "--output=job-%j.log",
        "--time=12",
        "--partition=short",
        "--exclusive",
    ]
    # Options count up to the first command.
    first = next(at for at, line in enumerate(lines) if line and not line.startswith("#"))
    assert not any(line.startswith("#SBATCH") for line in lines[first:])
    assert not any("--time" in line for line in job_script(made, ports, slurm_job()).splitlines())


NAMES = ["it's", "$(touch x)", "`touch x`", 'a"b', "a\nb", "*", "-n", "#", "\\", "ü", " "]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shell", ["dash", "bash"])
def test_names_are_no_commands(name: str, shell: str, tmp_path: Path) -> None:
    """A script for folders of any name gives srun their names, whole."""
    build, launch = tmp_path / f"build {name}", tmp_path / f"launch {name}"
    build.mkdir()
    launch.mkdir()
    (build / "run.json").write_text("{}")
    programs = tmp_path / "programs"
    programs.mkdir()
    seen = tmp_path / "seen"
    for program, text in (
        ("scontrol", "printf 'one\\ntwo\\n'"),
        ("scancel", ":"),
        ("srun", f'mkdir -p {seen}; for w; do printf "%s\\0" "$w"; done >{seen}/$$'),
    ):
        (programs / program).write_text(f"#!/bin/sh\n{text}\n")
        (programs / program).chmod(0o755)
    made = replace(described(), learner=f"a\n{name}")
    store = str(tmp_path / f"store {name}")
    job = slurm_job(folder=str(launch), build=str(build), store=store)
    text = job_script(made, ports_of(made.roles, 20000), job)
    file = tmp_path / "job.sh"
    file.write_text(text)
    environment = {
        "PATH": f"{programs}:/usr/bin:/bin",
        "SLURM_JOB_ID": "4257",
        "SLURM_JOB_NODELIST": "x",
        "SLURM_TASKS_PER_NODE": "1(x2)",
    }
    done = subprocess.run(
        [shell, str(file)],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    out = launch / "job-4257"
    assert (out / "run.json").read_text() == "{}"
    calls = {}
    for path in seen.iterdir():
        words = path.read_text().split("\0")[:-1]
        at = words.index("alpha-step")
        calls[words[at + 1]] = (words[:at], words[at + 1 :])
    assert sorted(calls) == ["0", "1"]
    first = 20000 + 4257
    for number, node, rest in (
        ("0", "one", [str(first)]),
        ("1", "two", ["-", f"one:{first}"]),
    ):
        options, words = calls[number]
        assert f"--nodelist={node}" in options
        assert options[-3:-1] == ["sh", "-c"]
        assert options[-1] == STEP.rstrip("\n")
        assert words[:3] == [number, f"{build}/role-{number}", DIGEST]
        assert words[6:] == ["60", "600", store, str(out), *rest]
    assert not (tmp_path / "x").exists()
    assert (launch / "job-4257/role-0.end").read_text() == "0\n"


def test_where_tasks_are(tmp_path: Path) -> None:
    """The list of Slurm as its manual has it, and one that is too short."""
    made = replace(described(), roles=tuple(roles_of({(0, peer) for peer in range(1, 7)})))
    text = job_script(made, ports_of(made.roles, 20000), slurm_job(folder=str(tmp_path)))
    begin = text.index("# The node of each role")
    part = text[begin : text.index("text() {")]
    part = f"scontrol() {{ printf 'a\\nb\\nc\\nd\\n'; }}\n{part}\necho " + " ".join(
        f"$host_{number}" for number in range(7)
    )
    for tasks, wanted in (
        ("2(x3),1", "a a b b c c d"),
        ("1,2,3,1", "a b b c c c d"),
        ("4,3", "a a a a b b b"),
        ("7", "a a a a a a a"),
        ("8,1(x3)", "a a a a a a a"),
    ):
        environment = {"PATH": "/usr/bin:/bin", "SLURM_TASKS_PER_NODE": tasks}
        done = subprocess.run(
            ["sh", "-c", part], env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout.strip()) == (0, wanted)
    environment = {"PATH": "/usr/bin:/bin", "SLURM_TASKS_PER_NODE": "2(x3)"}
    done = subprocess.run(
        ["sh", "-c", part], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 5
    assert done.stderr == "alpha: expected places for 7 tasks, found 6: 2(x3) on \n"


def test_the_text_of_the_step_has_no_line_that_ends_it() -> None:
    assert END not in STEP.splitlines()
    assert STEP.endswith("\n")


def test_a_script_is_for_sbatch(tmp_path: Path) -> None:
    made = described()
    text = job_script(made, ports_of(made.roles, 1), slurm_job(folder=str(tmp_path)))
    done = subprocess.run(["sh", "-c", text], env={}, capture_output=True, check=False)
    assert done.returncode != 0
    assert b"this is a script for sbatch" in done.stderr
    assert [*tmp_path.iterdir()] == []


TEXTS = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["yes", "No", "null", "~", "1e3", "0x1", "a: b", "- a", "a #b", "'", "|", "@"]),
    st.lists(st.sampled_from(["a", " b", "", "\t", "c: d", "# e", "...", "---"]), max_size=5).map(
        lambda lines: "".join(f"{line}\n" for line in lines)
    ),
)
VALUES = st.recursive(
    st.one_of(TEXTS, st.booleans(), st.integers(-(2**53), 2**53)),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab/.", min_size=1), inner),
    max_leaves=12,
)


@given(st.lists(VALUES, min_size=1, max_size=6))
@settings(max_examples=25, deadline=None)
def test_yaml_is_read_as_it_was_meant(values: list[object]) -> None:
    """kubectl reads it: the values are those of an object that it takes as it is."""
    value = {"apiVersion": "example/v1", "kind": "Thing", "metadata": {"name": "x"}, "spec": values}
    done = subprocess.run(
        ["kubectl", "label", "--local", "-f", "-", "a=b", "-o", "json"],
        input=yaml_text([value]).encode("utf-8", "surrogatepass"),
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "KUBECONFIG": "/nonexistent"},
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert json.loads(done.stdout)["spec"] == values


def cluster_job(**given: object) -> ClusterJob:
    blank = ClusterJob("alpha-x", "image", "claim", 20000, "60", "600", 700)
    return replace(blank, **given)  # pyright: ignore[reportArgumentType]


def test_a_machine_that_engines_do_not_know() -> None:
    made = described()
    first, second = made.roles
    made = replace(made, roles=(first, replace(second, target="riscv")))
    ports = ports_of(made.roles, 1)
    for write in (
        lambda: job_script(made, ports, slurm_job()),
        lambda: manifest(made, ports, cluster_job()),
    ):
        with pytest.raises(Refusal) as refused:
            write()
        wanted = "expected roles for x86-64 or aarch64, found role 1 for riscv"
        assert (refused.value.code, refused.value.message) == ("target-unsupported", wanted)


def test_a_text_that_no_config_map_holds() -> None:
    roles = roles_of({(low, high) for high in range(300) for low in range(high)})
    made = replace(described(), roles=tuple(roles))
    with pytest.raises(Refusal, match="at most 1000000 bytes of text"):
        start_text(made, ports_of(roles, 1), cluster_job())


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A build of two roles."""
    return played_folder(tmp_path / "built", [PlayedRole(()), PlayedRole(())])


def test_submitting(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What engines' programs are given, and what they say where they fail."""
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    slurm = ("launch", played, "--engine=slurm")
    folder = f"{played}.slurm"
    told = command(*slurm)
    by = f"sbatch {shlex.quote(f'--chdir={folder}')} {shlex.quote(f'{folder}/job.sh')}"
    assert (told.status, told.out.splitlines()[1]) == (0, f"submit it by: {by}")
    assert told.said == "alpha: remark: there is no sbatch in PATH, so nothing is submitted\n"
    assert command(*slurm, "--follow").status == 5

    def play(name: str, text: str) -> None:
        (programs / name).write_text(f"#!{os.path.realpath('/bin/sh')}\n{text}\n")
        (programs / name).chmod(0o755)

    play("sbatch", f'[ "$*" = "--parsable --chdir={folder} {folder}/job.sh" ] && echo "12;north"')
    told = command(*slurm)
    assert (told.status, told.said) == (0, "")
    assert told.out.splitlines()[1] == f"submitted as job 12; its results go to {folder}/job-12"
    for text, why in (
        (
            'echo "sbatch: error: no  such\npartition" >&2; exit 1',
            "sbatch: error: no such partition",
        ),
        ("exit 3", "it ended with status 3"),
    ):
        play("sbatch", text)
        told = command(*slurm)
        assert told.status == 5
        assert told.said == f"alpha: error: cannot submit {folder}/job.sh: sbatch: {why}\n"
    play("sbatch", "echo Submitted")
    told = command(*slurm)
    assert told.said == f"alpha: error: cannot submit {folder}/job.sh: sbatch said 'Submitted'\n"
    cluster = ("launch", played, "--engine=kubernetes", "--image=i", "--claim=c")
    told = command(*cluster)
    assert told.said == "alpha: remark: there is no kubectl in PATH, so nothing is submitted\n"
    play("kubectl", f'[ "$*" = "apply -f {played}.kubernetes/job.yaml" ] && echo service/x created')
    told = command(*cluster)
    assert (told.status, told.said) == (0, "")
    assert told.out.splitlines()[-1] == "service/x created"
