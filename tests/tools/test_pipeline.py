"""Passes as a user runs them, with passes that are planted for the test; and internal errors."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import alpha.passes
from alpha.passes.registry import all_passes, find_pass
from alpha.tools import alpha_opt

PASS = '''"""{summary}"""
from dataclasses import dataclass
from typing import ClassVar
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.passes import ModulePass
from alpha.ir.refusals import Note, Refusal
from alpha.ir.frontend.registry import warn


@dataclass(frozen=True)
class Planted(ModulePass):
    """A planted pass."""

    name = "{name}"
    {options}

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        first = next(iter(op.body.ops))
        {body}
'''

PASSES = {
    "append_text": (
        'text: str = "x"\n    times: int = 1\n    kind: ClassVar[int] = 3',
        "before = op.attributes.get('t', StringAttr('')).data\n"
        "        op.attributes['t'] = StringAttr(before + self.text * self.times)",
    ),
    "refuse_first": (
        "",
        "raise Refusal('region-domain', 'a', 'b', first, (Note('see'), Note('here')))",
    ),
    "warn_first": ("", "warn(ctx, 'the bits change', first, (Note('why'),))"),
    "raise_key": ("", "{}['missing']"),
    "recurse": ("", "self.apply(ctx, op)"),
    "leave_broken": (
        "",
        "first.detach(); op.body.block.add_op(first.clone())\n        "
        "first.regions[0].block.last_op.detach()\n        op.body.block.add_op(first)",
    ),
    "needs_owners": ("owners: int", "pass"),
    "refuses_options": (
        "",
        "pass\n\n    def __post_init__(self) -> None:\n"
        "        raise Refusal('shard-owner-range', 'an owner', 'none')",
    ),
}

TEXT = "func.func @f() {\n  func.return\n}\n"


@pytest.fixture(autouse=True)
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The passes above, as files of one more folder of `alpha.passes`."""
    folder = tmp_path / "passes"
    folder.mkdir()
    for stem, (options, body) in PASSES.items():
        name = stem.replace("_", "-")
        text = PASS.format(name=name, summary=f"Does {stem}.", options=options, body=body)
        (folder / f"{stem}.py").write_text(text)
    (folder / "_helper.py").write_text("raise ImportError")
    monkeypatch.setattr(alpha.passes, "__path__", [*alpha.passes.__path__, str(folder)])
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    yield
    for stem in PASSES:
        sys.modules.pop(f"alpha.passes.{stem}", None)


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "in.mlir"
    path.write_text(TEXT)
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    status = alpha_opt.main([*arguments])
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return status, out, err


def text_of(out: str) -> str:
    match = re.search(r't = "(.*?)"', out)
    return "" if match is None else match[1]


def test_passes_are_found_without_an_import() -> None:
    names = {stem.replace("_", "-") for stem in PASSES}
    assert names <= set(all_passes())
    assert not any(f"alpha.passes.{stem}" in sys.modules for stem in PASSES)
    entry = find_pass("append-text")
    assert entry is not None
    summary, options = entry.describe()
    assert summary == "Does append_text."
    assert [tuple(option) for option in options] == [("text", "str", "'x'"), ("times", "int", "1")]
    for name in ("registry", "append_text", "-helper", "_helper", "nowhere", "", "../x", "a.b"):
        assert find_pass(name) is None
    assert entry.load().name == "append-text"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--append-text"], "x"),
        (["--append-text", "--append-text=text=y"], "xy"),
        (["--append-text=text=a times=3", "-append-text=text=b"], "aaab"),
        (["--append-text={times=2 text=ab}"], "abab"),
        (["-p", "append-text{text=a},append-text,append-text{text=b times=2}"], "axbb"),
        (["-p", "builtin.module(append-text{text=q})", "--append-text=text=r"], "qr"),
        (["--append-text=text=r", "-p=append-text", "--append-text=text=s"], "rxs"),
        (["--append-text=text='a b,{c}' times=2"], "a b,{c}a b,{c}"),
        (["--append-text=text=tree<4>"], "tree<4>"),
        (["-p", ""], ""),
        (["-p", "builtin.module()"], ""),
    ],
)
def test_order_and_options(
    capsys: pytest.CaptureFixture[str], source: str, arguments: list[str], expected: str
) -> None:
    status, out, err = run(capsys, *arguments, source)
    assert (status, err) == (0, "")
    assert text_of(out) == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--append-text=times=four"],
            "--append-text: option 'times' expects an integer, got 'four'",
        ),
        (["--append-text=times"], "--append-text: option 'times' expects an integer, got no value"),
        (
            ["--append-text=tmes=4"],
            "--append-text: there is no option 'tmes'; its options are text, times",
        ),
        (["--append-text=times=1 times=2"], "--append-text: option 'times' is given twice"),
        (["--append-text==4"], "--append-text: expected options as 'key=value', got '=4'"),
        (["--refuse-first=x=1"], "--refuse-first: there is no option 'x'; it has none"),
        (["--needs-owners"], "--needs-owners: option 'owners' expects an integer, got nothing"),
        (
            ["-p", "append-text{times=x}"],
            "--append-text: option 'times' expects an integer, got 'x'",
        ),
        (["--append-txt"], "there is no flag or pass --append-txt; did you mean --append-text?"),
    ],
)
def test_option_errors(
    capsys: pytest.CaptureFixture[str], source: str, arguments: list[str], message: str
) -> None:
    status, out, err = run(capsys, *arguments, source)
    assert (status, out) == (2, "")
    assert err.splitlines()[0] == f"alpha-opt: error: {message}"


def test_a_pass_may_refuse(capsys: pytest.CaptureFixture[str], source: str) -> None:
    status, out, err = run(capsys, "--append-text", "--refuse-first", source)
    assert (status, out) == (1, "")
    lines = err.splitlines()
    assert lines[0] == f"{source}:1:1: error: [region-domain] expected a, found b"
    assert [line for line in lines if ": note: " in line] == [
        f"{source}:1:1: note: see",
        f"{source}:1:1: note: here",
    ]
    status, out, err = run(capsys, "--refuses-options", source)
    assert (status, out, err) == (
        1,
        "",
        "alpha-opt: error: [shard-owner-range] expected an owner, found none\n",
    )


def test_a_pass_may_warn(capsys: pytest.CaptureFixture[str], source: str) -> None:
    status, out, err = run(capsys, "--warn-first", source)
    assert status == 0
    assert out.startswith("builtin.module")
    assert err.splitlines()[0] == f"{source}:1:1: warning: the bits change"
    assert f"{source}:1:1: note: why" in err
    Path(source).write_text(
        f"// expected-warning @below {{{{bits}}}} expected-note @+1 {{{{why}}}}\n{TEXT}"
    )
    assert run(capsys, "--warn-first", "--verify-diagnostics", source)[::2] == (0, "")


def test_differences_are_printed(capsys: pytest.CaptureFixture[str], source: str) -> None:
    arguments = ("--append-text", "-p", "append-text{times=0}", "--print-ir-after-all")
    status, _, err = run(capsys, *arguments, source)
    assert status == 0
    first, second = err.split("// -----// IR diff after append-text //----- //\n")[1:]
    assert '-builtin.module {\n+builtin.module attributes {t = "x"} {\n' in first
    assert second == "(no change)\n\n"


def report_of(err: str) -> str:
    match = re.search(r"^alpha-opt: input and traceback are saved in (\S+)$", err, re.MULTILINE)
    assert match is not None
    return Path(match[1]).read_text()


@pytest.mark.parametrize(
    ("name", "error"), [("raise-key", "KeyError: 'missing'"), ("recurse", "RecursionError: ")]
)
def test_a_bug_of_a_pass_is_an_internal_error(
    capsys: pytest.CaptureFixture[str], source: str, name: str, error: str
) -> None:
    status, out, err = run(capsys, "--append-text", f"--{name}", source, "-o", f"{source}.out")
    assert (status, out) == (70, "")
    assert err.splitlines()[0].startswith(f"alpha-opt: internal error: {error}")
    assert f"alpha-opt: in the pass {name}; " in err
    report = report_of(err)
    assert report.endswith(TEXT)
    assert "Traceback (most recent call last):" in report
    assert f"'--{name}'" in report
    assert not os.path.exists(f"{source}.out")


def test_ir_that_a_pass_breaks_is_an_internal_error(
    capsys: pytest.CaptureFixture[str], source: str
) -> None:
    status, out, err = run(capsys, "--leave-broken", "--append-text", source)
    assert (status, out) == (70, "")
    assert "internal error: InternalError: the IR that it left doesn't verify: " in err
    assert "in the verifier behind the pass leave-broken" in err
    assert "empty block" in err


def test_the_report_may_fail(
    capsys: pytest.CaptureFixture[str], source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nowhere")
    status, _, err = run(capsys, "--raise-key", source)
    assert status == 70
    assert "the report couldn't be saved: " in err


@pytest.mark.parametrize(("error", "status"), [(KeyboardInterrupt, 130), (MemoryError, 1)])
def test_interrupts_and_memory(
    capsys: pytest.CaptureFixture[str],
    source: str,
    monkeypatch: pytest.MonkeyPatch,
    error: type[BaseException],
    status: int,
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("alpha.tools.driver.session.parse_text", fail)
    found, out, err = run(capsys, source)
    assert (found, out) == (status, "")
    said = "interrupted" if status == 130 else "error: out of memory in the parser"
    assert err == f"alpha-opt: {said}\n"


def test_a_bug_of_the_front_end_is_an_internal_error(
    capsys: pytest.CaptureFixture[str], source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise LookupError("planted\nin two lines")

    monkeypatch.setattr("alpha.tools.driver.session.verify_module", fail)
    status, out, err = run(capsys, source)
    assert (status, out) == (70, "")
    assert err.splitlines()[0] == "alpha-opt: internal error: LookupError: planted in two lines"
    assert "in the verifier behind the parser" in err
