"""`alpha-opt` and `alpha-translate` as a user runs them: flags, input, output, exit status."""

from __future__ import annotations

import io
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from alpha.ir.refusals import TABLE
from alpha.passes.registry import all_passes
from alpha.tools.mains import alpha_opt, alpha_translate

OPT = [sys.executable, "-c", "from alpha.tools.alpha_opt import script; script()"]

TEXT = "func.func @f(%a: f64) -> f64 {\n  %b = arith.negf %a : f64\n  func.return %b : f64\n}\n"
PRINTED = "builtin.module {\n" + "".join(f"  {line}\n" for line in TEXT.splitlines()) + "}\n"
BAD = "func.func @f(%a: f64) -> f64 {\n  %b = arith.negf %c : f64\n  func.return %b : f64\n}\n"


class Outcome:
    """Exit status, stdout and stderr of a run in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        capsys.readouterr()
        self.status = alpha_opt.main([*arguments])
        self.out, self.err = capsys.readouterr()


@pytest.fixture
def good(tmp_path: Path) -> str:
    path = tmp_path / "in.mlir"
    path.write_text(TEXT)
    return str(path)


@pytest.fixture
def bad(tmp_path: Path) -> str:
    path = tmp_path / "bad.mlir"
    path.write_text(BAD)
    return str(path)


def test_prints_what_it_reads(capsys: pytest.CaptureFixture[str], good: str) -> None:
    for _ in range(3):
        run = Outcome(capsys, good)
        assert (run.status, run.out, run.err) == (0, PRINTED, "")
    run = Outcome(capsys, "--print-op-generic", good)
    assert run.out.startswith('"builtin.module"() ({\n  "func.func"()')
    assert Outcome(capsys, "-mlir-print-op-generic", "--", good).out == run.out


def test_reads_stdin(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments in ((), ("-",)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
        assert Outcome(capsys, *arguments).out == PRINTED
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BAD.encode())))
    assert Outcome(capsys).err.startswith("<stdin>:2:19: error: [source-value-undefined]")
    monkeypatch.setattr(sys, "stdin", None)
    run = Outcome(capsys)
    assert (run.status, run.err) == (1, "alpha-opt: error: cannot read stdin: it is closed\n")


def test_a_refusal_has_place_code_line_and_caret(
    capsys: pytest.CaptureFixture[str], bad: str
) -> None:
    run = Outcome(capsys, bad)
    assert (run.status, run.out) == (1, "")
    first, line, caret = run.err.splitlines()
    assert first == (
        f"{bad}:2:19: error: [source-value-undefined] expected a value that is defined, found '%c'"
    )
    assert line == "  %b = arith.negf %c : f64"
    assert caret == " " * 18 + "^"


def test_long_lines_are_cut_and_tabs_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "long.mlir"
    path.write_text("\tbuiltin.module attributes {a = [" + "1, " * 1000 + "?] } {}")
    line, caret = Outcome(capsys, str(path)).err.splitlines()[1:]
    assert len(line) <= 160
    assert line[caret.index("^")] == "?"
    path.write_text("\t?")
    assert Outcome(capsys, str(path)).err.splitlines()[1:] == ["\t?", "\t^"]


@pytest.mark.parametrize("name", ["nowhere.mlir", "."])
def test_unreadable_input(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    run = Outcome(capsys, str(tmp_path / name))
    assert (run.status, run.out) == (1, "")
    assert run.err.startswith(f"alpha-opt: error: cannot read {tmp_path / name}: ")
    assert len(run.err.splitlines()) == 1


def test_bytes_that_are_no_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "in.mlir"
    path.write_bytes(b"builtin.module {\n  \xff }")
    run = Outcome(capsys, "--split-input-file", str(path))
    assert run.status == 1
    assert (
        f"{path}:2:3: error: [source-encoding] expected UTF-8 text, found the byte 0xFF" in run.err
    )


USAGE = [
    (["--no-such"], "there is no flag or pass --no-such"),
    (["--split-input"], "there is no flag or pass --split-input; did you mean --split-input-file?"),
    (["--distribut"], "there is no flag or pass --distribut; did you mean --distribute?"),
    (["-p", "ab,,cd"], "-p: expected the name of a pass, got '' in the pipeline 'ab,,cd'"),
    (["-p", "a{x=1"], "-p: '{' isn't closed in the pipeline 'a{x=1'"),
    (["-p", "a}"], "-p: '}' closes nothing in the pipeline 'a}'"),
    (["-p", "a{x=1}b"], "-p: expected ',' behind '}' in the pipeline 'a{x=1}b'"),
    (["-p"], "-p needs a value: -p PIPELINE"),
    (["-o", "a", "-o", "b"], "-o is given twice"),
    (["--split-input-file=x"], "--split-input-file takes no value, got 'x'"),
    (["a", "b"], "expected one input file, got 2: a b"),
    (["--explain", "source-syntx"], "there is no refusal code 'source-syntx'; did you mean"),
    (["---x"], "unknown flag ---x"),
    (["-x"], "unknown flag -x"),
]


@pytest.mark.parametrize(("arguments", "message"), USAGE)
def test_usage_errors(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    run = Outcome(capsys, *arguments)
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith(f"alpha-opt: error: {message}")
    assert run.err.endswith("\nalpha-opt: see 'alpha-opt --help'\n")


def test_output_file(capsys: pytest.CaptureFixture[str], good: str, bad: str) -> None:
    folder = Path(good).parent
    out = folder / "out.mlir"
    run = Outcome(capsys, good, "-o", str(out))
    assert (run.status, run.out, out.read_text()) == (0, "", PRINTED)
    out.write_text("as it was")
    out.chmod(0o640)
    assert Outcome(capsys, bad, f"-o={out}").status == 1
    assert out.read_text() == "as it was"
    link = folder / "link.mlir"
    link.symlink_to(out)
    assert Outcome(capsys, good, "-o", str(link)).status == 0
    assert link.is_symlink()
    assert (out.read_text(), stat.S_IMODE(out.stat().st_mode)) == (PRINTED, 0o640)
    assert Outcome(capsys, good, "-o", good).status == 0
    assert Path(good).read_text() == PRINTED
    assert sorted(each.name for each in folder.iterdir()) == [
        "bad.mlir",
        "in.mlir",
        "link.mlir",
        "out.mlir",
    ]


def test_output_to_devices(capsys: pytest.CaptureFixture[str], good: str) -> None:
    assert Outcome(capsys, good, "-o", "/dev/null").status == 0
    assert Outcome(capsys, good, "-o", "-").out == PRINTED
    run = Outcome(capsys, good, "-o", f"{good}/x")
    assert (run.status, run.err) == (
        1,
        f"alpha-opt: error: cannot write {good}/x: Not a directory\n",
    )
    full = Outcome(capsys, good, "-o", "/dev/full")
    assert (full.status, full.err) == (
        1,
        "alpha-opt: error: cannot write /dev/full: No space left on device\n",
    )
    piped = subprocess.run([*OPT, good, "-o", "/dev/stdout"], capture_output=True, text=True)
    assert (piped.returncode, piped.stdout) == (0, PRINTED)


def shell(command: str, **names: str) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which `$OPT` is the tool as a process."""
    quoted = f"'{OPT[0]}' -c '{OPT[2]}'"
    line = "set -o pipefail; " + command.replace("$OPT", quoted)
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, env={**os.environ, **names}
    )


def test_a_reader_that_goes_away_is_not_an_error_to_tell(tmp_path: Path) -> None:
    path = tmp_path / "large.mlir"
    path.write_text("".join(f"func.func private @f{i}()\n" for i in range(10_000)))
    run = shell('$OPT "$IN" | head -1', IN=str(path))
    assert (run.stdout, run.stderr) == ("builtin.module {\n", "")
    run = shell('$OPT "$IN" | true', IN=str(path))
    assert (run.returncode, run.stdout, run.stderr) == (1, "", "")


def test_closed_and_full_stdout(good: str) -> None:
    run = shell('$OPT "$IN" >&-', IN=good)
    assert (run.returncode, run.stderr) == (
        1,
        "alpha-opt: error: cannot write stdout: it is closed\n",
    )
    run = shell('$OPT "$IN" > /dev/full', IN=good)
    assert (run.returncode, run.stderr) == (
        1,
        "alpha-opt: error: cannot write stdout: No space left on device\n",
    )
    run = shell('$OPT "$IN" 2>&- <&-', IN="/nowhere")
    assert (run.returncode, run.stdout, run.stderr) == (1, "", "")


def test_split_input(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "in.mlir"
    path.write_text(f"{TEXT}// -----\n{BAD}// -----  more\n{TEXT}")
    run = Outcome(capsys, "--split-input-file", str(path))
    assert run.status == 1
    assert run.out == f"{PRINTED}// -----\n{PRINTED}"
    assert [line for line in run.err.splitlines() if "error" in line] == [
        f"{path}:7:19: error: [source-value-undefined] expected a value that is defined, found '%c'"
    ]
    assert "  %b = arith.negf %c : f64\n" in run.err
    again = tmp_path / "again.mlir"
    again.write_text(run.out)
    assert Outcome(capsys, "--split-input-file", str(again)).out == run.out
    assert Outcome(capsys, str(path)).status == 1


def test_no_pass_takes_the_name_of_a_flag() -> None:
    for tool in (alpha_opt, alpha_translate):
        assert not {flag.name for flag in tool.FLAGS} & set(all_passes())


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    run = Outcome(capsys, "--help")
    assert (run.status, run.err) == (0, "")
    for flag in alpha_opt.FLAGS:
        assert f"  {flag.spelling}" in run.out
    for name, entry in all_passes().items():
        summary, options = entry.describe()
        assert summary, f"{name} has no summary"
        assert f"  --{name} " in run.out
        assert summary in run.out
        for option in options:
            assert f"      {option.name}: {option.type} " in run.out
    run = Outcome(capsys, "--version")
    assert re.fullmatch(r"alpha-opt \S+ \(xDSL 0\.75\.0\)\n", run.out)


@pytest.mark.parametrize("code", sorted(TABLE))
def test_explain(capsys: pytest.CaptureFixture[str], code: str) -> None:
    run = Outcome(capsys, "--explain", code)
    row = TABLE[code]
    assert (run.status, run.err) == (0, "")
    for part in (code, row.meaning, row.rule, row.refused, row.accepted):
        assert part in run.out
    assert Outcome(capsys, f"--explain=[{code}]").out == run.out


def test_every_code_that_is_explained_has_a_test(capsys: pytest.CaptureFixture[str]) -> None:
    assert "tests:    lit_tests/" in Outcome(capsys, "--explain", "target-unsupported").out


def test_translate_refuses_bad_input_and_bad_commands(
    capsys: pytest.CaptureFixture[str], good: str, bad: str
) -> None:
    assert alpha_translate.main(["--emit-x86", bad]) == 1
    assert "[source-value-undefined]" in capsys.readouterr().err
    for arguments in ([good], ["--emit-x86", "--emit-ptx"], ["--emit-x86", "--role=-1"]):
        assert alpha_translate.main(arguments) == 2
        assert capsys.readouterr().err.startswith("alpha-translate: error: ")
    assert alpha_translate.main(["--help"]) == 0
    assert "--emit-aarch64" in capsys.readouterr().out


def test_a_small_run_imports_little(good: str) -> None:
    script = f"""
import sys
from alpha.tools.mains.alpha_opt import main
before = set(sys.modules)
assert not any(name.startswith("xdsl") for name in before)
assert main([{good!r}]) == 0
heavy = ("numpy", "rich", "argparse", "difflib", "ast", "tempfile.", "networkx", "safetensors",
    "xdsl.passes", "xdsl.universe", "alpha.passes", "alpha.ir.dialects.region",
    "alpha.tools.driver.pipeline", "alpha.tools.driver.expectations", "importlib.metadata")
loaded = [name for name in set(sys.modules) - before if name.startswith(heavy)]
assert not loaded, loaded
"""
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL)
