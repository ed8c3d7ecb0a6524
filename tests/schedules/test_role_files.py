"""Files that hold programs of roles: commands look at these, or say that they don't."""

from __future__ import annotations

from pathlib import Path

import pytest
from schedules.test_changed_programs import programs_text

from alpha.tools.mains import alpha, alpha_opt

FAR = """
protocol.global @far group #protocol.group<universe = 10000000000, epoch = 0, id = "",
    join(stride(5, 1, 1), stride(9999999999, 1, 1))> {
  %x = protocol.local at role 5 {
    %a = arith.constant 1.0 : f64
    protocol.yield %a
  }
  %y = protocol.transfer %x from 5 to 9999999999
}
"""


@pytest.fixture(scope="module")
def text() -> str:
    return programs_text("least_squares_sgd")


def file_of(tmp_path: Path, text: str) -> str:
    path = tmp_path / "roles.mlir"
    path.write_text(text)
    return str(path)


def test_programs_are_verified_for_their_rounds(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert alpha.main(["verify", file_of(tmp_path, text)]) == 0
    out = capsys.readouterr().out
    rows = [line.split() for line in out.splitlines() if line.startswith("  roles ")]
    assert [row[-2] for row in rows] == ["proved", "proved"]
    assert "protocol" not in [line.split()[0] for line in out.splitlines() if line.strip()]
    assert "2 rounds of 20 compared by their bits: the programs of roles" in out


def test_verify_sees_what_no_frame_shows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Roles compute their words from one state in the place of another: all of them, or one."""
    text, mark, other = programs_text("least_squares_adam"), "%v_1 = %v,", "%v_1 = %m,"
    assert alpha.main(["verify", file_of(tmp_path, text)]) == 0
    assert alpha.main(["verify", file_of(tmp_path, text.replace(mark, other))]) == 1
    assert "[verify-terms-differ]" in capsys.readouterr().err
    before, _, behind = text.rpartition(mark)
    assert alpha.main(["verify", file_of(tmp_path, f"{before}{other}{behind}")]) == 1
    said = capsys.readouterr().err
    assert "[protocol-step-differs] expected role 2 to make what it gives to site" in said


def test_verify_refuses_programs_that_dont_fit_together(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = text.rindex(' protocol "') + len(' protocol "')
    other = "1" if text[start] == "0" else "0"
    assert alpha.main(["verify", file_of(tmp_path, text[:start] + other + text[start + 1 :])]) == 1
    assert "[protocol-digest-mismatch]" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["run", "--interpret=protocol"], ["simulate"]])
def test_where_a_protocol_is_wanted_programs_are_refused(
    command: list[str], text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *flags = command
    assert alpha.main([name, file_of(tmp_path, text), *flags]) == 1
    said = capsys.readouterr()
    assert "[target-unsupported]" in said.err and "no programs of roles" in said.err
    assert "sha256" not in said.out


def test_the_learner_is_inspected(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert alpha.main(["inspect", file_of(tmp_path, text)]) == 0
    out = capsys.readouterr().out
    assert "protocol, one round and its publication" in out
    assert "the file holds the programs of 3 roles of @least_squares_sgd" in out


@pytest.mark.parametrize("level", ["protocol", "role"])
def test_roles_whose_numbers_no_frame_says_are_not_run(
    level: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert alpha.main(["run", file_of(tmp_path, FAR), f"--interpret={level}"]) == 1
    assert "roles.mlir:2:1: error: [protocol-role-range]" in capsys.readouterr().err


def test_a_digest_that_no_frame_can_say_is_refused_before_a_role_starts(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = text.index(' protocol "') + len(' protocol "')
    digest = text[start : start + 64]
    path = file_of(tmp_path, text.replace(digest, "zz"))
    assert alpha.main(["run", path, "--interpret=role"]) == 1
    said = capsys.readouterr().err
    assert "[protocol-digest-mismatch] expected the digest of a protocol, 64 hexadecimal" in said
    assert ": error:" in said and "/roles.mlir:" in said


def test_roles_that_are_there_arent_made_again(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = text[text.index("protocol.role") : text.index(" {", text.index("protocol.role"))]
    group = program[program.index("#protocol.group") : program.index(" protocol ")]
    title = program.split()[1]
    both = f"{text.rstrip()[:-1]}protocol.global {title} group {group} {{\n}}\n}}\n"
    path = file_of(tmp_path, both)
    assert alpha_opt.main(["--project-role", path]) == 1
    assert "[protocol-role-duplicate]" in capsys.readouterr().err
