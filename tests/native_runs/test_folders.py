"""`alpha run DIR`: what is looked at before, and what is told of a run and kept of it."""

from __future__ import annotations

import json
import resource
import sys
import time
import weakref
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from checkpoint_tools.calling import held
from native_runs.folders import (
    BEYOND,
    EXAMPLES,
    HERE,
    PlayedRole,
    command,
    interpreted_folder,
    played_folder,
    script_file,
)
from runs.processes import ALPHA, Done, Session
from safetensors.numpy import load_file
from xdsl.dialects.builtin import TensorType, f64

from alpha.interpreters.participants.reports import STATE, Record
from alpha.ir.digests import state_digest
from alpha.ir.selections import Stride
from alpha.tools.building.description import RunDescription
from alpha.tools.running.states import PublishedStates, State

ADAM = EXAMPLES / "least_squares_adam.mlir"
pytestmark = pytest.mark.usefixtures("mark")


def words(*values: float) -> str:
    return np.array(values, "<f8").tobytes().hex()


def ends(version: int, *actions: Sequence[object]) -> PlayedRole:
    """A role that does something and ends well."""
    return PlayedRole([*actions, ["end", version]])


def test_a_folder_runs_as_its_learner_does(tmp_path: Path) -> None:
    """The same table, the same lines of metrics and the same state as the interpreter of owners."""
    flags = ("--owners=4", "--samples=1,2,3,0", "--partition=optimizer,gradients", "--rounds=12")
    outputs = [("--metrics", tmp_path / f"{n}.jsonl", "--save", tmp_path / n) for n in ("a", "b")]
    wanted = command("run", ADAM, "--interpret=shard", *flags, *outputs[0])
    modes = ("optimizer", "gradients")
    given = {"owners": 4, "samples": (1, 2, 3, 0), "partition": modes, "rounds": 12}
    described = interpreted_folder(tmp_path / "built", ADAM, **given)
    assert any(piece for role in described.roles for piece in role.pieces.values())
    found = command("run", tmp_path / "built", *outputs[1], "--rounds=12")
    assert (found.status, found.said) == (0, "")
    heading, *lines = found.out.splitlines()
    assert heading == (
        "learner least_squares_adam: 6 samples, 5 fields, 14 words; 4 roles, star, "
        f"native for {HERE.name}"
    )
    assert lines == wanted.out.splitlines()[1:]
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    saved = [load_file(tmp_path / name) for name in ("a", "b")]
    assert saved[0].keys() == saved[1].keys()
    for name, array in saved[0].items():
        assert array.tobytes() == saved[1][name].tobytes()


def test_pieces_are_put_where_they_belong(tmp_path: Path) -> None:
    """Each role has its coordinates; of what is copied everywhere only role 0's words count."""
    pieces = ["stride(1, 2, 2)", "", "join(stride(0, 2, 2), stride(4, 1, 1))"]
    told = [words(1.5, 3.5), "", words(0.5, 2.5, 4.5)]
    roles = [
        PlayedRole(
            [
                *([["state", 0, 7, told[role]]] if told[role] else []),
                ["state", 1, 7, words(8.0 + role)],
                ["end", 7],
            ],
            pieces={"w": pieces[role]},
        )
        for role in range(3)
    ]
    folder = played_folder(tmp_path / "built", roles, [("w", 5), ("c", 1)])
    done = command("run", folder, "--save", tmp_path / "state")
    assert done.status == 0, done
    saved = load_file(tmp_path / "state")
    assert saved["w"].tolist() == [0.5, 1.5, 2.5, 3.5, 4.5]
    assert saved["c"].tolist() == [8.0]


def test_copies_that_nobody_asks_for_are_not_kept() -> None:
    """Each role may have one, and the launcher has the memory of one host."""
    published = PublishedStates([State("w", f64, None)])
    records = [Record(STATE, version=7, words=bytes(8)) for _ in range(2)]
    kept = [weakref.ref(record) for record in records]
    published.take(0, records[0])
    published.take(1, records[1])
    records.clear()
    assert [each() is not None for each in kept] == [True, False]
    assert published.version == 7
    assert published.whole() == {"w": 0.0}


def test_words_that_are_put_together_are_given_up_and_hashed_in_parts() -> None:
    count, names = 1 << 20, ("v", "w")
    pieces = {role: Stride(role, 4, count // 4) for role in range(4)}
    types = {name: TensorType(f64, [count]) for name in names}
    published = PublishedStates([State(name, types[name], pieces) for name in names])
    found: dict[str, np.ndarray] = {}

    def put_together() -> None:
        for role, index in product(range(4), range(2)):
            words = np.arange(role + index, count + index, 4, dtype=np.float64)
            published.take(role, Record(STATE, index, words=words.tobytes()))
        found.update(published.whole())

    # All that the roles gave, one state more, and what the last role's words were made of.
    assert held(put_together) < 3.6 * 8 * count
    assert held(lambda: state_digest(types, found)) < 0.5 * 8 * count
    for index, name in enumerate(names):
        assert np.array_equal(found[name], np.arange(index, count + index, dtype=np.float64))


@pytest.mark.parametrize(
    ("actions", "code"),
    [
        ([], "[protocol-publish-missing] expected role 1 to publish its words of @w, found none"),
        (
            [["state", 0, 6, words(1.0)]],
            "[protocol-publish-version] expected role 1 to publish its words of @w at version 7, "
            "as others did, found version 6",
        ),
        (
            [["state", 0, 7, words(1.0, 2.0)]],
            "[protocol-publish-missing] expected role 1 to publish its 1 words of @w, found 2",
        ),
    ],
)
def test_what_a_role_does_not_publish(
    actions: Sequence[Sequence[object]], code: str, tmp_path: Path
) -> None:
    mine = PlayedRole(
        [["sleep", 0.3], ["state", 0, 7, words(1.0)], ["end", 7]], pieces={"w": "stride(0, 1, 1)"}
    )
    other = PlayedRole([*actions, ["end", 7]], pieces={"w": "stride(1, 1, 1)"})
    done = command("run", played_folder(tmp_path / "built", [mine, other], [("w", 2)]))
    assert done.status == 1
    assert code in done.said
    assert "state sha256" not in done.out


def test_a_protocol_without_a_learner_ends_in_no_state(tmp_path: Path) -> None:
    folder = played_folder(tmp_path / "built", [ends(0), ends(0)])
    done = command("run", folder)
    assert done.out == f"protocol played: 2 roles, native for {HERE.name}\n2 roles finished\n"
    for flag in ("--save", "--metrics"):
        refused = command("run", folder, flag, tmp_path / "out")
        assert refused.status == 1
        assert f"expected a learner in what is run with {flag}, found none" in refused.said
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["role-1", "role-1.data"])
@pytest.mark.parametrize("change", ["a byte", "a byte more", "gone"])
def test_a_file_that_is_another_is_refused(name: str, change: str, tmp_path: Path) -> None:
    """Before anything is started."""
    began = ["say", "it was started\n"]
    folder = played_folder(
        tmp_path / "built",
        [PlayedRole([], before=[began]), PlayedRole([], before=[began], data=b"some words")],
    )
    path = folder / name
    data = path.read_bytes()
    path.write_bytes(data[:-2] + b"!" + data[-1:] if change == "a byte" else data + b"\n")
    if change == "gone":
        path.unlink()
    done = command("run", folder)
    assert "it was started" not in done.said
    if change == "gone":
        assert done.status == 5
        assert f"cannot read {path}: No such file" in done.said
        return
    assert done.status == 1
    more = 0 if change == "a byte" else 1
    assert f"[build-file-differs] expected the {len(data)} bytes of sha256:" in done.said
    assert f"found {len(data) + more} bytes of sha256:" in done.said


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--owners=2"], "expected a file with --owners"),
        (["--partition=none"], "expected a file with --partition"),
        (["--targets=x86-64"], "expected a file with --targets"),
        (["--features=avx512"], "expected a file with --features"),
        (["--exchange=gather"], "expected a file with --exchange"),
        (["--threshold=1"], "expected a file with --threshold"),
        (["--unchecked"], "expected a file with --unchecked"),
        (["--roles-interpreted=1"], "expected a file with --roles-interpreted"),
        (["--interpret"], "expected a file with --interpret"),
        (["--interpret=role"], "expected a file with --interpret"),
        (["--rounds=99"], "expected --rounds 100, which is how many"),
        (["--seed=1"], "expected --interpret=protocol with --seed, found native programs"),
        (["--fault=drop:0-1:0"], "expected --interpret=protocol with --fault, found native"),
    ],
)
def test_flags_that_would_make_another_folder(flags: list[str], said: str, tmp_path: Path) -> None:
    done = command("run", played_folder(tmp_path / "built", [ends(0)]), *flags)
    assert done.status == 1
    assert f"[target-unsupported] {said}" in done.said
    assert done.out == ""


def test_outputs_that_are_inputs(tmp_path: Path) -> None:
    role = PlayedRole([["state", 0, 1, words(1.0)], ["end", 1]], data=b"abc")
    folder = played_folder(tmp_path / "built", [role], [("w", 1)])
    for name in ("run.json", "role-0", "role-0.data"):
        before = (folder / name).read_bytes()
        for flag in ("--save", "--metrics"):
            done = command("run", folder, flag, folder / name)
            assert (done.status, "it is an input of this run" in done.said) == (5, True)
        assert (folder / name).read_bytes() == before


def test_a_folder_that_is_none_of_a_build(tmp_path: Path) -> None:
    done = command("run", tmp_path)
    assert done.status == 5
    assert f"cannot read {tmp_path / 'run.json'}: No such file or directory" in done.said
    folder = played_folder(tmp_path / "built", [ends(0)])
    text = (folder / "run.json").read_text().replace('"format": 1', '"format": 2')
    (folder / "run.json").write_text(text)
    done = command("run", folder)
    assert done.status == 1
    assert "[build-description]" in done.said


def test_an_executable_that_may_not_be_executed(tmp_path: Path) -> None:
    """As on a file system without the permission; the roles before it are ended."""
    folder = played_folder(tmp_path / "built", [ends(0, ["sleep", 60]), ends(0)])
    (folder / "role-1").chmod(0o644)
    began = time.monotonic()
    done = command("run", folder)
    assert done.status == 5
    said = f"alpha: error: cannot start a role: {folder / 'role-1'}: Permission denied\n"
    assert done.said == said
    assert time.monotonic() - began < 30


def test_roles_that_need_more_memory_than_there_is(tmp_path: Path) -> None:
    """Executables and data count, and all roles together: none of them alone is too large."""
    meminfo = Path("/proc/meminfo").read_text()
    total = 1024 * int(meminfo.split("MemTotal:")[1].split()[0])
    began = [["say", "it was started\n"]]
    role = PlayedRole([], before=began, memory_bytes=total // 2 + 4096, data=b"12345678")
    folder = played_folder(tmp_path / "built", [role, role])
    done = command("run", folder)
    assert done.status == 1
    sizes = [(folder / f"role-{role}").stat().st_size for role in (0, 1)]
    needed = 2 * (total // 2 + 4096 + 8) + sum(sizes)
    assert f"[target-unsupported] expected {needed} bytes of memory on this host for 2 roles, " in (
        done.said
    )
    assert "it was started" not in done.said


def emulator(path: Path) -> Path:
    """What says that it is QEMU, and runs scripts."""
    path.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo "qemu-aarch64 version 9.1" || exec "$@"\n'
    )
    path.chmod(0o755)
    return path


def test_what_an_emulator_runs_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The roles of the other machine are started by it, and those of this one aren't."""
    beyond = PlayedRole([["end", 0]], target=BEYOND.name)
    folder = played_folder(tmp_path / "built", [ends(0), beyond, ends(0), beyond])
    qemu = emulator(tmp_path / "qemu")
    monkeypatch.setenv("ALPHA_QEMU", str(qemu))
    done = command("run", folder)
    assert done.status == 0
    how = f"native for {HERE.name} and {BEYOND.name}"
    assert done.out.startswith(f"protocol played: 4 roles, {how}\n")
    assert done.said == (f"alpha: remark: emulated by QEMU 9.1 for {BEYOND.name} ({qemu}): 1, 3\n")
    monkeypatch.setenv("ALPHA_QEMU", str(tmp_path / "none"))
    missing = command("run", folder)
    assert missing.status == 1
    said = f"[target-unsupported] expected an emulator of QEMU for {BEYOND.name}"
    assert said in missing.said


def test_a_role_for_what_nothing_runs(tmp_path: Path) -> None:
    beyond = PlayedRole([["end", 0]], target="sm86")
    done = command("run", played_folder(tmp_path / "built", [ends(0), beyond]))
    assert done.status == 1
    assert "[target-unsupported] expected roles for x86-64 or aarch64, found role 1 for sm86" in (
        done.said
    )


def limited(descriptors: int, *arguments: str | Path) -> Done:
    """Run `alpha` with so many descriptors."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    limits = (
        f"import os, resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, "
        f"({descriptors}, {hard})); os.execv(sys.argv[1], sys.argv[1:])"
    )
    with Session(sys.executable, "-c", limits, *ALPHA, *map(str, arguments)) as session:
        return session.end()


def test_many_roles_with_few_descriptors(tmp_path: Path) -> None:
    """64 of them, each of which says something; three descriptors each, and some for the rest."""
    roles = [PlayedRole([["say", f"here is {role}\n"], ["end", 0]]) for role in range(64)]
    folder = played_folder(tmp_path / "built", roles)
    done = limited(224, "run", folder)
    assert done.status == 0, done
    assert done.out.endswith("64 roles finished\n")


def test_more_roles_than_one_host_runs(tmp_path: Path) -> None:
    folder = played_folder(tmp_path / "built", [ends(0)] * 257)
    done = command("run", folder)
    assert done.status == 1
    assert "[target-unsupported] expected at most 256 roles on one host, found 257" in done.said


def test_rounds_that_come_many_at_a_time(tmp_path: Path) -> None:
    """Twenty thousand rounds, of which the launcher hears twenty times: each has its line."""
    state = ["state", 0, 20_000, words(1.0)]
    role = PlayedRole([["rounds", 0, 20_000, 2, 1000], state, ["end", 20_000]])
    folder = played_folder(tmp_path / "built", [role], [("w", 1)], ["loss", "more"], 20_000)
    done = command("run", folder, "--metrics", tmp_path / "m")
    rows = [line.split() for line in done.out.splitlines()[2:-1]]
    steps = [f"{s}{'0' * n}" for n in range(5) for s in "125"][:13]
    assert [row[0] for row in rows] == ["0", *steps, "19999"]
    assert rows[-1] == ["19999", "29998.5", "29999.0"]
    lines = [json.loads(line) for line in (tmp_path / "m").read_text().splitlines()]
    assert [line["version"] for line in lines] == list(range(20_000))
    assert lines[777]["observations"] == {
        "loss": {"total": 2331.0, "count": 2, "mean": 1165.5},
        "more": {"total": 2332.0, "count": 2, "mean": 1166.0},
    }


def test_seconds_are_handed_on_in_digits(tmp_path: Path) -> None:
    """As an executable reads them: no exponent, no sign, and never nothing."""
    folder = played_folder(tmp_path / "built", [ends(0)])
    described = RunDescription.read(folder)
    digest, size = script_file(folder / "role-0", "sh", "-c", 'echo "$@" >&2; exit 5', "-")
    roles = (replace(described.roles[0], sha256=digest, bytes=size),)
    (folder / "run.json").write_text(replace(described, roles=roles).text())
    for wait, told in (("1e-300", "0.000000001"), ("2.5", "2.5"), ("31622400", "31622400")):
        done = command("run", folder, "--wait", wait, "--deadline=30")
        assert done.status == 5
        assert done.said.splitlines()[-1] == f"--wait {told} --deadline 30"
