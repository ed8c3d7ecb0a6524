"""How tools start: interrupts within imports, odd working directories, locales, `python -m`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LEARNER = ROOT / "examples" / "least_squares_adam.mlir"
TOOLS = {"alpha": "alpha", "alpha_opt": "alpha-opt", "alpha_translate": "alpha-translate"}
INTERRUPTING = """
import sys
wanted = sys.argv.pop(1)
class Interrupting:
    def find_spec(self, name, *rest):
        if name == wanted:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
from alpha.tools.{module} import script
script()
"""
DEAD_FOLDER = (
    "import os, sys; os.rmdir(os.getcwd()); from alpha.tools.{module} import script; script()"
)


def python(*arguments: str, **options: object) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of Python with these arguments."""
    settings = {"env": {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, **options}
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, check=False, **settings
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize("module", TOOLS)
def test_a_script_imports_nothing_before_it_watches(module: str) -> None:
    own = {"alpha", "alpha.tools", f"alpha.tools.{module}", "__future__"}
    program = (
        f"import sys, alpha.tools; old = {{*sys.modules}}; import alpha.tools.{module}\n"
        f"print(*sorted({{*sys.modules}} - old - {own}))"
    )
    assert python("-c", program) == (0, "\n", "")


@pytest.mark.parametrize("module", TOOLS)
@pytest.mark.parametrize("at", ["main", "alpha.ir.refusals", "xdsl"])
def test_an_interrupt_within_an_import_is_told(module: str, at: str) -> None:
    name = f"alpha.tools.mains.{module}" if at == "main" else at
    program = INTERRUPTING.format(module=module)
    flag = ["--emit-x86"] if module == "alpha_translate" else []
    arguments = ["inspect", str(LEARNER)] if module == "alpha" else [*flag, str(LEARNER)]
    found = python("-c", program, name, *arguments)
    assert found == (130, "", f"{TOOLS[module]}: interrupted\n")


@pytest.mark.parametrize("module", TOOLS)
def test_a_tool_runs_as_a_module(module: str) -> None:
    status, out, err = python("-m", f"alpha.tools.{module}", "--version")
    assert (status, out.split()[0], err) == (0, TOOLS[module], "")
    assert python("-m", f"alpha.tools.{module}", "--absent")[0] in (1, 2)


RUNS = [("alpha", "run", str(LEARNER), "--interpret"), ("alpha_opt", str(LEARNER))]


@pytest.mark.parametrize("run", RUNS, ids=[row[0] for row in RUNS])
def test_a_working_directory_that_is_gone_is_no_matter(
    run: tuple[str, ...], tmp_path: Path
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    program = DEAD_FOLDER.format(module=run[0])
    expected = python("-m", f"alpha.tools.{run[0]}", *run[1:])
    assert python("-c", program, *run[1:], cwd=gone) == expected
    assert expected[0] == 0


def test_dialects_beside_the_input_are_not_loaded(tmp_path: Path) -> None:
    """Pickle looks for a module `org`, that of Jython."""
    (tmp_path / "org.irdl").write_text("not a dialect")
    arguments = ("-m", "alpha.tools.alpha", "run", str(LEARNER), "--interpret")
    assert python(*arguments, cwd=tmp_path) == python(*arguments)
    assert [*tmp_path.iterdir()] == [tmp_path / "org.irdl"]


ASCII = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_output_is_utf_8_whatever_the_locale_says(tmp_path: Path) -> None:
    (tmp_path / "x.mlir").write_text(
        LEARNER.read_text().replace("@least_squares_adam", '@"léarner"')
    )
    environment = {**os.environ, **ASCII}
    arguments = ("-m", "alpha.tools.alpha", "run", "x.mlir", "--interpret")
    status, out, err = python(*arguments, cwd=tmp_path, env=environment)
    assert (status, err) == (0, "")
    assert out.startswith("learner léarner: ")
    (tmp_path / "x.mlir").write_text("? // é\n")
    for tool in (["alpha", "inspect"], ["alpha_opt"]):
        arguments = ("-m", f"alpha.tools.{tool[0]}", *tool[1:], "x.mlir")
        status, out, err = python(*arguments, cwd=tmp_path, env=environment)
        assert (status, out, err.splitlines()[1:]) == (1, "", ["? // é", "^"])


@pytest.mark.parametrize("arguments", [["--help"], ["run", "--help"], ["--version"]])
def test_a_page_that_is_lost_is_said(arguments: list[str]) -> None:
    program = " ".join(["-m alpha.tools.alpha", *arguments])
    for target, said in (
        (">/dev/full", "No space left on device"),
        (">&-", "it is closed"),
    ):
        for buffering in ("", "-u "):
            line = f"{sys.executable} {buffering}{program} {target}"
            done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
            assert done.stderr == f"alpha: error: cannot write stdout: {said}\n"
            assert done.returncode == 1
