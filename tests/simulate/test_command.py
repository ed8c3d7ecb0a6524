"""`alpha simulate` in this process: its document, its tables, and what it never says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from simulate.fleets import text_of

from alpha.ir.selections import Selection
from alpha.tools.mains import alpha, alpha_opt

ROOT = Path(__file__).resolve().parents[2]
ADAM = str(ROOT / "examples" / "diabetes_adam.mlir")
LEAST_SQUARES = str(ROOT / "examples" / "least_squares_adam.mlir")
NOTICE = "a model, not a run: nothing was executed on "


def output_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert alpha.main(["simulate", *arguments]) == 0
    out = capsys.readouterr()
    assert "Traceback" not in out.err
    return out.out


def document_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    return json.loads(output_of(capsys, *arguments, "--json"))


def learner(tmp_path: Path, owners: str, samples: int) -> str:
    path = tmp_path / "learner.mlir"
    path.write_text(text_of(owners, samples))
    return str(path)


def test_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    """The classes are all roles, each once, and the totals are theirs."""
    found = document_of(capsys, ADAM, "--roles", "200000", "--fan-out", "64", "--rounds", "5")
    assert found["notice"].startswith(f"{NOTICE}200000 roles of diabetes_adam")
    assert [each["size"] for each in found["size_classes"]] == [200_000, 3125, 3124, 49, 48, 1]
    assert found["size_classes"][1] == {
        "size": 3125,
        "roles": 63,
        "children": [[52, 49], [12, 48]],
    }
    assert sum(each["roles"] for each in found["classes"]) == found["roles"] == 200_000
    for each in found["classes"]:
        members = Selection.parse(each["members"])
        assert (members.size, members.min) == (each["roles"], each["first"])
    sent, received = (
        sum(each["roles"] * each["costs"][name][0] for each in found["classes"])
        for name in ("frames_sent", "frames_received")
    )
    assert sent == received == found["round"]["frames"]
    seconds = found["seconds"]
    later = seconds["run"] - seconds["first_round"] - 4 * seconds["later_rounds"]
    assert 0 < later < seconds["later_rounds"]  # the agreement behind the rounds
    assert seconds["longest_wait"] == max(each["longest_wait_seconds"] for each in found["classes"])
    assert found["contributing"] == {"devices": 442, "roles": 442}
    assert found["followed"]["programs"] < 20


def test_whole_seconds_are_whole_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rates = (
        "--frame-seconds=1e1",
        "--bytes-per-second=1",
        "--sample-seconds=2",
        "--word-seconds=0",
    )
    found = document_of(capsys, learner(tmp_path, "5, star", 9), *rates)
    assert all(type(time) is int for time in found["seconds"].values() if time is not None)
    assert found["seconds"]["later_rounds"] is None
    assert found["rates"] == {
        "frame_seconds": 10,
        "bytes_per_second": 1,
        "sample_seconds": 2,
        "word_seconds": 0,
    }


def test_a_mix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Twelve roles of two capabilities, two of which relay, and five share two devices."""
    mix = (
        "--capability=sm86=stride(0, 2, 3)",
        "--capability=x86-64=stride(1, 2, 6)",
        "--capability=sm86=stride(6, 2, 3)",
        "--speed=sm86=2.5",
        "--control=stride(0, 1, 2)",
        "--device=left=stride(2, 1, 2)",
        "--device=left=stride(6, 1, 1)",
        "--device=right=stride(8, 1, 2)",
    )
    found = document_of(capsys, learner(tmp_path, "12, tree<2>", 25), *mix)
    rows = [(each["size"], each["capability"], each["control"]) for each in found["classes"]]
    assert len(set(rows)) == len(rows)
    names = {row[1:] for row in rows}
    assert names == {("sm86", True), ("x86-64", True), ("sm86", False), ("x86-64", False)}
    assert found["speeds"] == {"sm86": 2.5}
    assert found["contributing"] == {"devices": 7, "roles": 10}
    for each in found["classes"]:
        least, most = each["costs"]["samples"]
        assert (least, most) == (0, 0) if each["control"] else 2 <= least <= most <= 3


def test_the_first_line_and_the_last(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output_of(capsys, ADAM, "--roles", "30", "--fan-out", "4").splitlines()
    assert lines[0] == f"{NOTICE}30 roles of diabetes_adam, or on any device of theirs"
    assert lines[-1] == "distinct contributing devices: 30, with 30 roles"


def test_many_classes_are_shortened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A chain has as many classes as roles; a table shows the first and the last."""
    lines = output_of(capsys, learner(tmp_path, "40, tree<1>", 40)).splitlines()
    rows = lines[lines.index("classes of roles") + 2 :]
    assert [row.split()[0] for row in rows[:25]] == [*map(str, range(1, 24)), "...", "40"]
    assert rows[25] == ""


def test_declared_owners_stay(capsys: pytest.CaptureFixture[str]) -> None:
    """Without roles the learner's own owners and topology are taken, with roles a tree."""
    assert "4 roles, a tree of fan-out 3 and depth 1" in output_of(capsys, ADAM)
    assert "9 roles, a tree of fan-out 8 and depth 1" in output_of(capsys, ADAM, "--roles", "9")
    star = output_of(capsys, ADAM, "--roles", "90", "--topology", "star")
    assert "90 roles, a tree of fan-out 89 and depth 1" in star


def test_direct_exchanges(capsys: pytest.CaptureFixture[str]) -> None:
    text = output_of(capsys, ADAM, "--roles", "5", "--topology", "star", "--exchange", "sharded")
    assert "5 roles, up to 4 edges a role, 1 round" in text
    assert "size classes" not in text


def test_copies_are_no_contribution(capsys: pytest.CaptureFixture[str]) -> None:
    """Where all roles compute the same words from the same, one of them does."""
    correlation = str(ROOT / "examples" / "local_correlation.mlir")
    lines = output_of(capsys, correlation, "--roles", "9", "--fan-out", "2").splitlines()
    assert lines[-2:] == [
        "distinct contributing devices: 1, with 1 role",
        "not contributing: 8 roles, which have neither samples nor words of their own, "
        "or only control",
    ]


EMPTY = """
protocol.global @talk group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> {{
{}}}
"""

FRAME = """
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.transfer %x from 0 to 1
"""


@pytest.mark.parametrize("body", ["", FRAME])
def test_frames_alone_are_no_contribution(
    body: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a learner nobody has samples or state: 3 roles, and no contributor."""
    path = tmp_path / "talk.mlir"
    path.write_text(EMPTY.format(body))
    found = document_of(capsys, str(path))
    assert found["contributing"] == {"devices": 0, "roles": 0}


def test_a_protocol_that_begins_with_a_generation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A model needs no words, so it takes what a run refuses without `--resume`; a picture too."""
    protocol, generation = str(tmp_path / "resumed.mlir"), "generation=" + "0a" * 32
    lowering = f"--lower-shard-to-protocol=rounds=7 begin=4 {generation}"
    assert alpha_opt.main(["--partition-optimizer", lowering, LEAST_SQUARES, "-o", protocol]) == 0
    found = document_of(capsys, protocol)
    assert found["rounds"] == 3
    picture = tmp_path / "round.svg"
    assert alpha.main(["inspect", protocol, "--svg", str(picture)]) == 0
    assert picture.stat().st_size
    capsys.readouterr()
    for level in ("protocol", "role"):
        assert alpha.main(["run", protocol, f"--interpret={level}"]) == 1
        assert "[checkpoint-path] expected --resume with" in capsys.readouterr().err
