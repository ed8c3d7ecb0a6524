"""`alpha checkpoint` as a command line, and `--checkpoint-every` of the tools that only look."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from checkpoint_tools.calling import DIABETES, Alpha
from checkpoints.makings import State, facts_of, state_of, write

from alpha.ir.dialects.protocol_checkpoint import CheckpointOp
from alpha.ir.protocol.view import Protocol
from alpha.tools import distributing
from alpha.tools.exits import CHECKPOINT_STATUSES

ACTIONS = ("reshard", "export", "diff", "prune")
GATE = DIABETES.with_name("choice_gate.mlir")
ALONE = DIABETES.with_name("linear_predictor.mlir")


@pytest.mark.parametrize("action", ACTIONS)
def test_every_action_has_a_page(alpha: Alpha, action: str) -> None:
    page = alpha.done("checkpoint", action, "--help")
    assert page.startswith(f"usage: alpha checkpoint {action} ")
    rows = re.findall(r"^  (\d+) +(.+)$", page.partition("exit status:\n")[2], re.MULTILINE)
    assert rows == [(str(status), what) for status, what in CHECKPOINT_STATUSES.items()]
    summary = page.partition("\n\n")[2].partition("\n")[0]
    assert f"    {action:<10}{summary}\n" in alpha.done("checkpoint", "--help")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "the following arguments are required: ACTION"),
        (["resh"], "argument ACTION: invalid choice: 'resh'"),
        (["reshard", "x", "y"], "the following arguments are required: --owners"),
        (["reshard", "x", "--owners=2"], "the following arguments are required: DST"),
        (["reshard", "x", "y", "--owners=few"], "argument --owners: expected a number from 0"),
        (["reshard", "x", "y", "--owners=2", "--partition=all"], "argument --partition: expected"),
        (["prune", "x"], "one of the arguments --keep --after is required"),
        (["prune", "x", "--keep=1", "--after=1"], "argument --after: not allowed with argument"),
        (["prune", "x", "--after=-1"], "argument --after: expected a version from 0"),
        (["prune", "", "--keep=1"], "argument PATH: expected the name of a folder, got none"),
        (["reshard", "", "y", "--owners=2"], "argument SRC: expected the name of a folder"),
        (["reshard", "x", "", "--owners=2"], "argument DST: expected the name of a folder"),
        (["export", "", "y"], "argument SRC: expected the name of a folder"),
        (["diff", "", "y"], "argument A: expected the name of a folder"),
        (["diff", "x", ""], "argument B: expected the name of a folder"),
        (["prune", "x", "--keep=0"], "argument --keep: expected a number of generations from 1"),
        (["export", "x"], "the following arguments are required: FILE"),
        (["diff", "x"], "the following arguments are required: B"),
        (["diff", "x", "y", "z"], "unrecognized arguments: z"),
        (
            ["reshard", "x", "y", "--owners=2", "--partitions=none"],
            "unrecognized arguments: --partitions=none; did you mean --partition?",
        ),
        (["prune", "x", "--keep=1", "--keeps=2"], "did you mean --keep?"),
        (["export", "x", "y", "--keeps=2"], "unrecognized arguments: --keeps=2\n"),
    ],
)
def test_a_command_line_that_cannot_be_understood(
    alpha: Alpha, arguments: list[str], said: str
) -> None:
    found = alpha("checkpoint", *arguments)
    assert (found.status, found.out) == (2, "")
    assert said in found.err


@pytest.mark.parametrize("action", ACTIONS)
def test_a_bar_is_for_a_terminal(
    alpha: Alpha, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    """In a pipe nothing is added to what is said."""
    states: list[State] = [("w", "f64", (1000,), "cyclic")]
    facts = facts_of(states, 2)
    for version in (7, 8):
        source = write(tmp_path, facts, state_of(facts), version)
    commands: dict[str, tuple[object, ...]] = {
        "reshard": (source, tmp_path / "y", "--owners=3"),
        "export": (source, tmp_path / "z.safetensors"),
        "diff": (source, tmp_path / "gen-8"),
        "prune": (tmp_path, "--keep=1"),
    }
    with monkeypatch.context() as patch:
        patch.setattr(sys.stderr, "isatty", lambda: True)
        patch.setattr("rich.console.Console.is_terminal", True)
        said = alpha("checkpoint", action, *commands[action])
    assert said.status == 0
    assert "━" in said.err and "100%" in said.err


def table(out: str) -> dict[tuple[str, str], int]:
    """Frames by edge, from the table of a protocol."""
    rows = out.partition("\nprotocol, ")[2].partition("\n\n")[0].splitlines()[2:]
    return {(row.split()[0], row.split()[1]): int(row.split()[2]) for row in rows}


def test_a_generation_costs_a_frame_up_and_one_down(alpha: Alpha) -> None:
    """The agreement in front of it is the one that is in front of the end without it, too."""

    def frames(*flags: str) -> dict[tuple[str, str], int]:
        return table(alpha.done("inspect", DIABETES, "--partition=optimizer", *flags))

    plain = frames()
    assert sorted(plain) == sorted(
        [*(("0", role) for role in "123"), *((role, "0") for role in "123")]
    )
    one, two, three = (frames(f"--checkpoint-every={every}") for every in "123")
    assert one == frames("--checkpoint-every=end") == {edge: plain[edge] + 1 for edge in plain}
    rounds = {edge: two[edge] - one[edge] for edge in plain}
    assert min(rounds.values()) > 0
    assert three == {edge: two[edge] + rounds[edge] for edge in plain}


@pytest.mark.parametrize(
    ("every", "title"),
    [
        (None, "one round and its publication"),
        ("end", "one round, a generation and its publication"),
        ("1", "one round, a generation and its publication"),
        ("1000000000000", "1000000000000 rounds, a generation and its publication"),
    ],
)
def test_the_table_says_what_it_is_of(alpha: Alpha, every: str | None, title: str) -> None:
    flags = [] if every is None else [f"--checkpoint-every={every}"]
    out = alpha.done("inspect", DIABETES, "--partition=none", *flags)
    assert f"\nprotocol, {title}\n" in out


def test_the_protocol_that_is_looked_at_is_that_of_one_partitioning(alpha: Alpha) -> None:
    out = alpha.done("inspect", DIABETES, "--checkpoint-every=2")
    words = out.partition("words of state that each owner keeps\n")[2].partition("\n\n")[0]
    assert [line.split()[0] for line in words.splitlines()] == ["partitioned", "none"]


def test_generations_are_in_pictures(alpha: Alpha) -> None:
    for picture in ("--dot=-", "--svg=-"):
        assert "checkpoint" not in alpha.done("inspect", DIABETES, picture)
        assert "checkpoint" in alpha.done("inspect", DIABETES, picture, "--checkpoint-every=2")


def test_a_protocol_with_generations_is_verified(
    alpha: Alpha, monkeypatch: pytest.MonkeyPatch
) -> None:
    verify = ("verify", DIABETES, "--rounds=5", "--partition=optimizer", "--topology=star")
    stores: list[int] = []
    lowered = distributing.lowered

    def watching(*arguments: Any) -> Protocol:
        protocol = lowered(*arguments)
        stores.append(sum(isinstance(op, CheckpointOp) for op in protocol.op.walk()))
        return protocol

    monkeypatch.setattr(distributing, "lowered", watching)
    alpha.done(*verify)
    for every, places in (("end", 1), ("2", 2)):
        out = alpha.done(*verify, f"--checkpoint-every={every}")
        # In the repeat of two rounds, and behind the fifth.
        assert stores.pop() == places and stores == [0]
        rows = [line.split() for line in out.splitlines() if line.startswith("  protocol")]
        assert len(rows) == 6 and all("proved" in row for row in rows)


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["inspect", ALONE], "no --checkpoint-every with a learner, which has no owners"),
        (["inspect", DIABETES, "--against", DIABETES], "no --checkpoint-every with --against"),
        (["inspect", DIABETES, "--owners=65"], "at most 64 owners with --checkpoint-every"),
        (["inspect", GATE, "--svg=-"], "no flags that make another protocol"),
    ],
)
def test_where_no_generation_can_be_written(
    alpha: Alpha, arguments: list[object], found: str
) -> None:
    said = alpha(*arguments, "--checkpoint-every=2")
    assert (said.status, said.code) == (1, "target-unsupported")
    assert found in said.err


def test_a_protocol_as_it_is_has_those_that_it_has(
    alpha: Alpha, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from alpha.tools.mains import alpha_opt

    (tmp_path / "data").symlink_to(DIABETES.parent / "data")
    written, roles = tmp_path / "protocol.mlir", tmp_path / "roles.mlir"
    passes = ["--distribute", "--lower-shard-to-protocol=rounds=2"]
    assert alpha_opt.main([str(DIABETES), *passes, "-o", str(written)]) == 0
    assert alpha_opt.main([str(written), "--project-role", "-o", str(roles)]) == 0
    for file in (written, roles):
        assert alpha("verify", file, "--rounds=1").status == 0
        for command in (["verify", file, "--rounds=1"], ["inspect", file, "--svg=-"]):
            said = alpha(*command, "--checkpoint-every=1")
            assert (said.status, said.code) == (1, "target-unsupported"), said
            assert "no flags that make another protocol, found --checkpoint-every" in said.err
