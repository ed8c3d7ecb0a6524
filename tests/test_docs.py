"""Runs every command of README.md and docs/: a command that a reader sees is one that works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/tour.md", "docs/distributing.md", "docs/architecture.md")
SHELL = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# These two make a virtual environment and run this very suite; CI runs both by themselves.
ELSEWHERE = ("make demo", "make test")


def commands(page: str) -> list[str]:
    """The commands of a page's `sh` blocks, one a line."""
    text = (ROOT / page).read_text(encoding="utf-8")
    lines = (line for block in SHELL.findall(text) for line in block.splitlines())
    return [line for line in lines if line.strip() and line not in ELSEWHERE]


CASES = [(page, command) for page in PAGES for command in commands(page)]


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the commands read, so that what they write isn't left in the tree."""
    folder = tmp_path_factory.mktemp("workplace")
    for name in ("examples", "tests/learners"):
        shutil.copytree(ROOT / name, folder / name)
    return folder


@pytest.mark.parametrize(("page", "command"), CASES, ids=[command for _, command in CASES])
def test_command_of_a_page(page: str, command: str, workplace: Path) -> None:
    """The command ends with status 0, says something, and shows no traceback."""
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
