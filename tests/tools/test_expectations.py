"""`--verify-diagnostics`: met, missing, unexpected and unreadable expectations."""

from __future__ import annotations

from pathlib import Path

import pytest

from alpha.ir.refusals import Place
from alpha.tools import alpha_opt
from alpha.tools.driver.diagnostics import Diagnostic, Severity
from alpha.tools.driver.expectations import unmet


def said(line: int, message: str, severity: Severity = "error", file: str = "f") -> Diagnostic:
    return Diagnostic(Place(file, line, 1), severity, message)


def wrong(text: str, *diagnostics: Diagnostic) -> list[str]:
    return [f"{each.place.line}: {each.message}" for each in unmet(diagnostics, text, "f", 1)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\nb // expected-error {{bad}}\nc", 2),
        ("a\n// expected-error @+1 {{bad}}\nc", 3),
        ("a\n// expected-error@+2{{bad}}\nb\nc", 4),
        ("a\n// expected-error @-1 {{bad}}\nc", 1),
        ("a\n// expected-error @below {{bad}}\n// expected-note @below {{n}}\nc", 4),
        ("a\n// expected-note @above {{n}}\n// expected-error @above {{bad}}\nc", 1),
        ("a\nb // expected-error {{[code] bad}} expected-note {{n}}", 2),
    ],
)
def test_met(text: str, line: int) -> None:
    notes = [said(line, "a note", "note")] if "expected-note" in text else []
    assert wrong(text, said(line, "[code] bad thing"), *notes) == []
    assert len(wrong(text, said(line + 1, "[code] bad thing"), *notes)) == 2
    assert len(wrong(text, said(line, "[code] good"), *notes)) == 2
    assert len(wrong(text, said(line, "[code] bad", "warning"), *notes)) == 2
    assert len(wrong(text, said(line, "[code] bad", file="g"), *notes)) == 2
    assert len(wrong(text, *notes)) == 1


def test_each_diagnostic_meets_one_expectation() -> None:
    text = "// expected-error {{a}} expected-error {{a}}"
    assert wrong(text, said(1, "a"), said(1, "a")) == []
    assert wrong(text, said(1, "a")) == ['1: expected error "a" on line 1 was not produced']
    assert wrong(text, *[said(1, "a")] * 3) == ["1: unexpected error: a"]
    assert wrong("// expected-warning {{w}}", said(1, "w", "warning")) == []


def test_the_line_of_a_piece_counts() -> None:
    assert unmet([said(41, "bad")], "// expected-error {{bad}}", "f", 41) == []
    assert unmet([said(42, "bad")], "// expected-error @below {{bad}}\nx", "f", 41) == []


@pytest.mark.parametrize(
    "line",
    [
        "expected-error",
        "expected-error {bad}",
        "expected-error {{bad",
        "expected-error @+x {{bad}}",
        "expected-error @beside {{a}}",
        "expected-error {{a}} expected-note {b}",
    ],
)
def test_what_cannot_be_read_is_an_error(line: str) -> None:
    found = wrong(f"a\n// {line}")
    assert "2: expected 'expected-error [@+N|@-N|@above|@below] {{text}}'" in found


def test_with_the_tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "in.mlir"
    path.write_text(
        "// expected-error @below {{[source-operation-unknown]}}\n"
        "arith.nope // expected-note {{did you mean}}\n"
        "// -----\n"
        "builtin.module {}\n"
        "// -----\n"
        "?? // expected-error {{[source-syntax] expected an operation, found '?'}}\n"
    )
    arguments = ["--split-input-file", "--verify-diagnostics", str(path)]
    assert alpha_opt.main(arguments) == 0
    assert capsys.readouterr() == ("builtin.module {\n}\n", "")
    path.write_text(
        path.read_text().replace("did you", "do you").replace("??", "builtin.module {}")
    )
    assert alpha_opt.main(arguments) == 1
    found = [line for line in capsys.readouterr().err.splitlines() if "error: " in line]
    assert [line.partition("mlir:")[2][:40] for line in found] == [
        "2:1: error: unexpected note: did you mea",
        '2:15: error: expected note "do you mean"',
        '6:22: error: expected error "[source-syn',
    ]
