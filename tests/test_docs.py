"""Runs every command of README.md and docs/, and every example of the pages written by hand."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest

from alpha.interpreters.words import Words
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module

ROOT = Path(__file__).resolve().parent.parent
PAGES = (
    "README.md",
    "docs/tour.md",
    "docs/distributing.md",
    "docs/pictures.md",
    "docs/builder.md",
    "docs/indices.md",
    "docs/architecture.md",
    "docs/protocol.md",
    "docs/simulate.md",
    "docs/native.md",
    "docs/gpu.md",
    "docs/building.md",
    "docs/deployment.md",
    "docs/launching.md",
    "docs/running.md",
    "docs/checkpoint.md",
    "docs/participants.md",
)
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MLIR = re.compile(r"^```mlir\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `([^`]+)` \| (.+) \|$", re.MULTILINE)
WORDS = [1.0, 2.0**-53, 2.0**-53, -1.0, 2.0**-54]
"""What the orders of `docs/indices.md` add, to different sums, in every permutation."""
# These two make a virtual environment and run this very suite; CI runs both by themselves.
ELSEWHERE = ("make demo", "make test")


def commands(page: str) -> list[str]:
    """The commands of a page's `sh` blocks, one a line."""
    text = (ROOT / page).read_text(encoding="utf-8")
    lines = (line for block in SHELL.findall(text) for line in block.splitlines())
    return [line for line in lines if line.strip() and line not in ELSEWHERE]


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A copy of what the commands read, so that what they write isn't left in the tree."""
    for name in ("examples", "runtime", "tests/learners"):
        shutil.copytree(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)])
def test_commands_of_a_page(page: str, workplace: Path) -> None:
    """Each ends with status 0 and says something; later ones find what earlier ones wrote."""
    for command in commands(page):
        check_command(page, command, workplace)


def check_command(page: str, command: str, workplace: Path) -> None:
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        cwd=workplace,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, f"{page}: {command}\n{done.stderr}"
    assert "Traceback" not in done.stderr
    assert done.stdout or done.stderr or "/dev/null" in command


def test_every_page_with_commands_is_run() -> None:
    """A new page with commands has to be named above."""
    found = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))
        if SHELL.search(path.read_text(encoding="utf-8"))
    }
    assert found <= set(PAGES)


def test_generated_pages_are_up_to_date() -> None:
    """docs/language.md and docs/refusals.md are what `make docs` writes."""
    done = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def _pieces(page: str) -> list[str]:
    """The Python of a page, as one text with the line numbers of the page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return ["\n" * text[: found.start(1)].count("\n") + found[1] for found in PYTHON.finditer(text)]


def test_the_python_of_the_builder_s_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It builds a learner that the tools read, and the refusal that the page quotes."""
    monkeypatch.chdir(tmp_path)
    page = ROOT / "docs" / "builder.md"
    names: dict[str, object] = {"__name__": "page"}
    for piece in _pieces("docs/builder.md"):
        exec(compile(piece, str(page), "exec"), names)
    said = capsys.readouterr().out
    quoted = 'expected compare("oeq", a, b), found == on a value of the program'
    assert quoted in said
    assert quoted in " ".join(page.read_text().split())
    line = int(said.removeprefix(str(page)).split(":")[1])
    assert "if b == 0.0" in page.read_text().splitlines()[line - 1]
    text = (tmp_path / "descent.mlir").read_text()
    assert parse_text(make_context(), text, "descent.mlir").is_structurally_equivalent(
        names["module"]  # pyright: ignore[reportArgumentType]
    )


def _section(title: str) -> str:
    text = (ROOT / "docs" / "indices.md").read_text(encoding="utf-8")
    return text.split(f"## {title}\n")[1].split("\n## ")[0]


def test_the_indices_of_the_page_are_indices() -> None:
    """Each row, and each example, is parsed and verified."""
    rows = [index for index, _ in ROW.findall(_section("Indices"))]
    assert len(rows) > 9
    inputs = ", ".join(f"%x{number} = %a[{index}]" for number, index in enumerate(rows))
    body = (
        f"pointwise.map over [i : 2, j : 2] ({inputs}) {{ pointwise.yield %x0 }} : tensor<2x2xf64>"
    )
    signature = "@f(%a : tensor<4xf64>) -> (tensor<2x2xf64>)"
    every = f"pointwise.update {signature} {{ %b = {body}\n pointwise.return %b }}"
    for text in (every, *MLIR.findall(_section("Indices"))):
        verify_module(parse_text(make_context(), text, "indices.md"))


def test_the_sums_of_the_page_are_the_interpreter_s() -> None:
    """Each formula of the orders gives the bits that the fold gives."""
    rows = [(order, formula.strip("`")) for order, formula in ROW.findall(_section("Orders"))]
    sums: set[float] = set()
    for order, formula in rows:
        word, _, lanes = order.rstrip(">").partition("<")
        declared = ("lanes", int(lanes)) if lanes else word
        for words in itertools.permutations(WORDS):
            wanted = eval(formula, {f"x{number}": word for number, word in enumerate(words)})
            assert Words().fold("add", declared, np.array(words), 0) == wanted, (order, words)
        sums.add(eval(formula, {f"x{number}": word for number, word in enumerate(WORDS)}))
    assert len(rows) == 4 and len(sums) > 1
