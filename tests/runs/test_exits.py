"""How `alpha run --interpret=role` and `alpha role` end where something outside the run is wrong.

The statuses are those of `tools/exits.py`: 1 for refused input, 2 for a command line, 5 for a file.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from native_runs.folders import command
from runs.processes import ALPHA, EXAMPLES, Done, Session, alpha, role_files

from alpha.tools.running.processes import Ended
from alpha.tools.running.roles import told

GATE = EXAMPLES / "choice_gate.mlir"


def without_space(*arguments: str | Path) -> Done:
    """Run `alpha` where no file can be written: whatever is written is too large."""
    limited = (
        "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); "
        "os.execv(sys.argv[1], sys.argv[1:])"
    )
    with Session(sys.executable, "-c", limited, *ALPHA, *map(str, arguments)) as session:
        return session.end()


def one_line(done: Done) -> str:
    """What a command says on stderr, which is one line and no traceback."""
    assert len(done.said.splitlines()) == 1, done
    return done.said


def test_no_file_can_be_written_for_a_role() -> None:
    done = without_space("run", GATE, "--interpret=role")
    assert done.status == 5
    assert re.match(r"alpha: error: cannot start a role: .*temporary directory", one_line(done))
    assert without_space("run", GATE, "--interpret=protocol").status == 0


def test_a_folder_for_roles_that_is_not_there_is_passed_over(tmp_path: Path) -> None:
    """As the system does it: another one is taken."""
    environment = {"TMPDIR": str(tmp_path / "none")}
    done = alpha("run", GATE, "--interpret=role", environment=environment)
    assert done.status == 0


def test_no_process_can_be_started() -> None:
    """Where a limit of the system is reached; files that were opened are closed by then."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    limited = (
        "import resource, alpha.tools.alpha, alpha.tools.running.launched; "
        f"resource.setrlimit(resource.RLIMIT_NOFILE, (24, {before})); alpha.tools.alpha.script()"
    )
    command = (sys.executable, "-c", limited, "run", str(EXAMPLES / "diabetes_adam.mlir"))
    more = ("--interpret=role", "--owners=7")
    with Session(*command, *more) as session:
        done = session.end()
    assert done.status == 5
    assert "cannot start a role: " in done.said
    assert "Traceback" not in done.said


LARGE = """protocol.global @g group #protocol.group<universe = 3,
    epoch = 0, id = "", stride(0, 1, 3)> {
  %x = protocol.local at stride(0, 1, 2) {
    %e = arith.constant 1.0 : f64
    %large = pointwise.map over [i : 1000000000000] (%a = %e) {
      pointwise.yield %a
    } : tensor<1000000000000xf64>
    protocol.yield %large
  }
  %y = protocol.transfer %x from 0 to 2
}
"""
"""Roles 0 and 1 would need 8 terabytes each, and role 2 waits for one of them."""


@pytest.mark.parametrize("level", ["protocol", "role"])
def test_no_memory_is_left_for_a_role(level: str, tmp_path: Path) -> None:
    """Who runs out of it is said, with the place and how much it wanted; first the first."""
    path = tmp_path / "large.mlir"
    path.write_text(LARGE, encoding="utf-8")
    done = alpha("run", path, f"--interpret={level}")
    assert done.status == 5, done
    first = done.said.splitlines()[0]
    where = r"protocol\.local at \S+\.mlir:\d+:\d+: Unable to allocate 7\.28 TiB for .*"
    if level == "role":
        assert re.fullmatch(rf"alpha: role [01]: failed: out of memory in {where}", first)
    else:
        assert re.fullmatch(
            rf"alpha: error: out of memory in alpha run: role [01] in {where}", first
        )


def test_a_wait_that_passes_is_not_a_failure_of_the_system(tmp_path: Path) -> None:
    """Also the wait for whoever launched the role to read its ports."""
    first, *_ = role_files(tmp_path, GATE, roles=3)
    for done in (
        run_role(first, "--wait=1e-300"),
        alpha("run", GATE, "--interpret=role", "--wait=1e-300"),
    ):
        assert done.status == 4, done
        assert re.match(r"alpha: role \d: (overdue|lost role \d): .* in the 1e-300 s of", done.said)


def test_a_role_that_does_not_say_which_it_is_is_named() -> None:
    """What it said stands behind how it ended, as the launcher saw it."""

    def ended(status: int, said: str, whole: bool) -> Ended:
        return Ended(2, status, said, 0, whole, stopped=False)

    unnamed = "alpha: error: out of memory in alpha role\n"
    why = "alpha: role 2: ended with status 5, without having told everything\n"
    assert told(ended(5, unnamed, whole=False), is_cause=False) == f"{why}{unnamed}"
    assert told(ended(5, "", whole=False), is_cause=True) == why
    for said, whole, status in (
        ("alpha: role 2: lost role 1: closed\n", False, 4),
        ("", False, 4),
        ("a warning\n", True, 0),
    ):
        assert told(ended(status, said, whole=whole), is_cause=False) == said


def missing_data(folder: Path) -> Path:
    """A learner whose data file isn't there."""
    path = folder / "diabetes_adam.mlir"
    path.write_text((EXAMPLES / path.name).read_text(encoding="utf-8"), encoding="utf-8")
    return path


@pytest.mark.parametrize("level", ["protocol", "role"])
def test_a_data_file_that_is_missing(level: str, tmp_path: Path) -> None:
    done = alpha("run", missing_data(tmp_path), f"--interpret={level}")
    assert done.status == 5
    assert re.match(r"alpha: error: cannot read .*diabetes_x\.npy: No such file", one_line(done))


def run_role(*arguments: str | Path) -> Done:
    """`alpha role`, which needs nobody for this."""
    return alpha("role", *arguments)


def test_a_role_whose_data_file_is_missing(tmp_path: Path) -> None:
    """Its own folder hasn't it, the one that is given has."""
    passes = ("--distribute=owners=1", "--lower-shard-to-protocol=rounds=2")
    (path,) = role_files(tmp_path, EXAMPLES / "diabetes_adam.mlir", *passes, roles=1)
    done = run_role(path)
    assert done.status == 5
    assert re.match(r"alpha: error: cannot read .*diabetes_x\.npy: No such file", one_line(done))
    found = run_raw(path, "--data", EXAMPLES)
    assert (found.returncode, found.stderr) == (0, b"")


def run_raw(*arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    """The same where stdout has the bytes of a report."""
    command: Sequence[str] = (*ALPHA, "role", *map(str, arguments))
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)


def test_input_that_is_refused(tmp_path: Path) -> None:
    """Programs that don't fit what they should be: exit status 1, before anything is started."""
    first, *_ = role_files(tmp_path, GATE, roles=3)
    alone = command("run", first, "--interpret=role")
    assert alone.status == 1
    assert "[protocol-role-unfinished] expected the program of each of the 3 roles" in alone.said
    other = command("role", first, "--role=2")
    assert other.status == 1
    assert (
        "[protocol-role-range] expected --role with one of the roles of the file (0)" in other.said
    )
    text = tmp_path / "text.mlir"
    text.write_text("protocol.role @gate role", encoding="utf-8")
    assert command("run", text, "--interpret=role").status == run_role(text).status == 1
    assert command("role", tmp_path / "none.mlir").status == 5
    assert command("role", first, "--wait=0").status == 2


def test_nobody_reads_what_a_role_reports(tmp_path: Path) -> None:
    """It ends at once, with 5 and a line, and not when its peers would have come."""
    first, *_ = role_files(tmp_path, GATE, roles=3)
    command = (*ALPHA, "role", str(first))
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE
        )
    assert done.returncode == 5
    assert re.fullmatch(rb"alpha: role 0: failed: No space left on device\n", done.stderr)
