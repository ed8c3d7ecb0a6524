"""What is installed: every module and data file as `alpha.*`, and nothing beside it.

Why: a module that the wheel leaves out still works in an editable install, so no other test sees
    it; and a folder named `ir` or `tools` in site-packages would break other people's programs.
"""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from alpha.backends.toolchain.machines import MACHINES
from alpha.tools.building.compiled import FOLDER

ROOT = Path(__file__).resolve().parent.parent
TOPS = ("ir", "interpreters", "passes", "backends", "runtime", "tools")
INSTALLED = frozenset({".mlir", ".npy", ".py", ".toml", ".typed"})
SCRIPTS = ("alpha", "alpha-opt", "alpha-translate")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution, and the wheel that was built from it."""
    tree = tmp_path_factory.mktemp("tree")
    without = shutil.ignore_patterns("__pycache__", "*.egg-info", FOLDER)
    for top in TOPS:
        shutil.copytree(ROOT / top, tree / top, ignore=without)
    for name in ("pyproject.toml", "setup.py", "MANIFEST.in", "LICENSE", "README.md"):
        shutil.copy(ROOT / name, tree)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", tree / "dist", tree]
    subprocess.run(command, check=True, capture_output=True)
    return tree / "dist"


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's content, as it would lie in site-packages."""
    site = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    return site


def test_the_wheel_holds_every_file_and_no_other(installed: Path) -> None:
    sources = {
        path.relative_to(ROOT).as_posix()
        for top in TOPS
        for path in (ROOT / top).rglob("*")
        if path.suffix in INSTALLED or path.name == "py.typed"
    }
    packed = {
        path.relative_to(installed / "alpha").as_posix()
        for path in (installed / "alpha").rglob("*")
        if path.is_file() and path.parent.name != FOLDER
    }
    assert packed == sources


def test_the_wheel_has_the_runtime_compiled(installed: Path) -> None:
    compiled = [*(installed / "alpha" / "runtime" / FOLDER).iterdir()]
    assert len(compiled) == len(MACHINES) * len([*(ROOT / "runtime").glob("*.mlir")])
    # What it is of isn't known from its name, but no two are of one thing.
    assert len({path.read_bytes() for path in compiled}) == len(compiled)
    program = (
        "from alpha.tools.building import compiled, sources, units\n"
        "digest, texts = sources.sources_digest(), sources.runtime_texts()\n"
        "for unit in units.runtime_units(texts, 'aarch64'):\n"
        "    assert compiled.compiled_text(unit, digest) is not None, unit.name\n"
        "    assert compiled.compiled_text(unit, digest[::-1]) is None, unit.name\n"
        "unit = units.runtime_units(texts, 'x86-64')[0]\n"
        "assert compiled.compiled_text(unit, digest) == units.unit_text(unit)\n"
    )
    path = {"PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", program], cwd=installed, env=path, check=True)


def test_what_builds_a_wheel_is_what_runs_it() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())
    needed = {each for each in told["build-system"]["requires"] if "setuptools" not in each}
    assert needed and needed <= {*told["project"]["dependencies"]}


def test_nothing_but_alpha_lands_in_site_packages(installed: Path) -> None:
    assert sorted(path.name for path in installed.iterdir()) == ["alpha", "alpha-0.1.0.dist-info"]


def test_the_wheel_names_its_licence_and_scripts(installed: Path) -> None:
    info = installed / "alpha-0.1.0.dist-info"
    assert (info / "licenses" / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert "License-Expression: Apache-2.0\n" in (info / "METADATA").read_text()
    entries = (info / "entry_points.txt").read_text()
    for name in SCRIPTS:
        assert f"\n{name} = alpha.tools.{name.replace('-', '_')}:script" in entries


def test_the_wheel_runs_by_itself(installed: Path) -> None:
    program = (
        "import alpha.tools.alpha_opt as tool\n"
        "print(tool.__file__)\n"
        "raise SystemExit(tool.main([]))\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", program],
        cwd=installed,
        env={"PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"},
        input="func.func @f() {\n  func.return\n}\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    file, _, text = answer.stdout.partition("\n")
    assert Path(file).is_relative_to(installed)
    assert "func.func @f()" in text


def test_the_source_distribution_holds_what_the_wheel_is_built_from(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "setup.py", "LICENSE", "README.md", "ir/py.typed"} <= names


@pytest.mark.parametrize("top", TOPS)
def test_this_installation_is_the_tree_itself(top: str) -> None:
    module = importlib.import_module(f"alpha.{top}")
    assert module.__file__ is not None
    assert Path(module.__file__) == ROOT / top / "__init__.py"


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_console_scripts_start(name: str) -> None:
    script = Path(sysconfig.get_path("scripts")) / name
    answer = subprocess.run([script, "--help"], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    assert name in answer.stdout
