"""`alpha` in this process: what it reads, what its reports hold, and what its pages say."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Sequence
from errno import EACCES, EIO
from importlib.metadata import version
from pathlib import Path

import pytest

from alpha.backends.toolchain.failures import ToolFailure
from alpha.tools import exits
from alpha.tools.commands import inspect, run
from alpha.tools.driver.counts import counted
from alpha.tools.exits import ALL_STATUSES, INSPECT_STATUSES, RUN_STATUSES, STATUSES
from alpha.tools.mains import alpha, alpha_opt, alpha_translate

Main = Callable[[Sequence[str]], int]

ROOT = Path(__file__).resolve().parents[2]
ADAM = ROOT / "examples" / "least_squares_adam.mlir"
SGD = ROOT / "examples" / "least_squares_sgd.mlir"
PAGES = (
    (alpha.main, [], ALL_STATUSES),
    *((alpha.main, [name], alpha._command(name).STATUSES) for name in alpha.COMMANDS),
    (alpha_opt.main, [], STATUSES),
    (alpha_translate.main, [], STATUSES),
)


@pytest.mark.parametrize(("main", "command", "statuses"), PAGES)
def test_every_page_says_the_exit_statuses(
    capsys: pytest.CaptureFixture[str], main: Main, command: list[str], statuses: dict[int, str]
) -> None:
    assert main([*command, "--help"]) == 0
    out = capsys.readouterr().out
    rows = re.findall(r"^  (\d+) +(.+)$", out.partition("exit status:\n")[2], re.MULTILINE)
    assert rows == [(str(status), meaning) for status, meaning in statuses.items()]


def test_a_table_of_statuses_has_what_the_tool_returns() -> None:
    """By name, so that a new status can't be left out of a table."""
    named = {value for name, value in vars(exits).items() if name.isupper() and type(value) is int}
    assert set(ALL_STATUSES) == named
    assert set(RUN_STATUSES) == named
    assert set(STATUSES) == set(INSPECT_STATUSES) == named - {3, 4, 5}
    assert (run.STATUSES, inspect.STATUSES) == (RUN_STATUSES, INSPECT_STATUSES)
    assert [*ALL_STATUSES] == sorted(ALL_STATUSES)


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    for name, main in (
        ("alpha", alpha.main),
        ("alpha-opt", alpha_opt.main),
        ("alpha-translate", alpha_translate.main),
    ):
        assert main(["--version"]) == 0
        assert capsys.readouterr() == (f"{name} {version('alpha')} (xDSL {version('xdsl')})\n", "")


def test_counts_have_their_nouns() -> None:
    assert [counted(n, "field") for n in range(3)] == ["0 fields", "1 field", "2 fields"]


def planted(*_: object) -> None:
    """Stands for a bug."""
    raise LookupError("planted")


def report_of(err: str) -> str:
    """The report of an internal error, which is taken away."""
    match = re.search(r"^alpha: input and traceback are saved in (\S+)$", err, re.MULTILINE)
    assert match is not None
    path = Path(match[1])
    text = path.read_text()
    path.unlink()
    return text


def test_a_report_holds_every_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alpha.interpreters.comparison.compare_learners", planted)
    assert alpha.main(["inspect", str(ADAM), "--against", str(SGD)]) == 70
    err = capsys.readouterr().err
    assert err.startswith("alpha: internal error: LookupError: planted\nalpha: in alpha inspect; ")
    report = report_of(err)
    for file in (ADAM, SGD):
        text = file.read_text()
        assert f"input {file}, {len(text.encode())} bytes:\n\n{text}" in report


def test_a_report_holds_what_the_parser_stumbled_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("alpha.tools.learner_file.parse_source", planted)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"?")))
    assert alpha.main(["run", "-", "--interpret"]) == 70
    assert report_of(capsys.readouterr().err).endswith("\ninput <stdin>, 1 byte:\n\n?")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(EIO, "Input/output error", "x.npy"), "x.npy: Input/output error"),
        (OSError(EIO, "Input/output error"), "a data file: Input/output error"),
        (OSError("no reason"), "a data file: no reason"),
    ],
)
def test_a_data_file_that_cannot_be_read_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, error: OSError, said: str
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("alpha.tools.learner_file.resolve", fail)
    for command, status in ((["inspect"], 1), (["run", "--interpret"], 5)):
        assert alpha.main([command[0], str(ADAM), *command[1:]]) == status
        assert capsys.readouterr() == ("", f"alpha: error: cannot read {said}\n")


def test_a_failure_of_the_system_is_no_bug_of_this_tool(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as a tool that can't be started, or no memory that is left: 5 of `alpha run`, else 1."""
    for error, said in (
        (ToolFailure("as of GNU as was ended, since it took more than 9 s"), None),
        (PermissionError(EACCES, "Permission denied", "/usr/bin/as"), "as: Permission denied"),
        (MemoryError(), "out of memory in alpha "),
        (MemoryError("Unable to allocate 7 TiB"), ": Unable to allocate 7 TiB"),
    ):

        def fail(*_: object, error: BaseException = error) -> None:
            raise error

        monkeypatch.setattr("alpha.tools.learner_file.parse_source", fail)
        for command, status in ((["inspect"], 1), (["run", "--interpret"], 5)):
            assert alpha.main([command[0], str(ADAM), *command[1:]]) == status
            out, err = capsys.readouterr()
            assert out == "" and err.startswith("alpha: error: ") and err.count("\n") == 1
            assert (said or str(error)) in err


def test_control_characters_of_a_line_are_not_sent_to_the_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "escape.mlir"
    path.write_text("\t// é \x1b[31m\n")
    for arguments in ([str(path)], ["--split-input-file", str(path)]):
        assert alpha_opt.main(arguments) == 1
        assert capsys.readouterr().err.splitlines()[1:] == ["\t// é \ufffd[31m", "\t     ^"]
