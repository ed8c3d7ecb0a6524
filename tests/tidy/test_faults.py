"""Every tidy check finds the fault it is for, in a tiny tree that has no other.

Why: a check that can't fail isn't one.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from tidy import form, imports, pages, witnesses
from tidy.checks import CHECKS
from tidy.tree import Check

TIDY = {
    "README.md": "# Tiny\n\n[the tour](docs/tour.md#a-walk) [here](#tiny) [far](https://x.org)\n",
    "pyproject.toml": '[project.scripts]\ntiny = "alpha.tools.tiny:main"\n',
    "docs/tour.md": "# A walk\n\n```sh\ntiny examples/one.mlir\n```\n",
    "examples/one.mlir": "region.learner\n",
    "ir/refusals.py": '"""Codes."""\nTABLE = {"select-empty": "An empty set."}\n',
    "ir/dialects/region.py": '"""A dialect."""\nREGION = 1\n',
    "passes/fold_it.py": '"""A pass."""\nfrom alpha.ir import checks\nNAME = "fold-it"\n',
    "ir/checks.py": (
        '"""Checks."""\nfrom alpha.ir.refusals import Refusal\n'
        'def check():\n    raise Refusal("select-empty", "a", "b")\n'
    ),
    "tools/tiny.py": '"""The tool."""\nimport alpha.passes.fold_it\n',
    "lit_tests/refusals/select-empty.mlir": (
        "// RUN: alpha-opt %s --split-input-file --verify-diagnostics\n"
        "// expected-error@+1 {{[select-empty] expected a, found b}}\nbad\n// -----\ngood\n"
    ),
    "lit_tests/refusals/Inputs/part.mlir": "",
    "lit_tests/passes/fold_it.mlir": "// RUN: alpha-opt %s --fold-it\n",
    "tests/test_docs.py": '"""Runs pages."""\nPAGES = ["tour.md"]\nRUN = "examples/one.mlir"\n',
    "tests/oracle/sums.py": '"""Sums."""\n',
    "tests/test_sums.py": '"""Tests."""\nfrom oracle.sums import total\n',
}


@dataclass(frozen=True)
class Fault:
    """One planted fault: the file that holds it, its new text (None: no file), the finding."""

    check: Check
    file: str
    text: str | None
    finding: str


WORD = "TO" + "DO"
LONG_FUNCTION = '"""Long."""\ndef f():\n' + "    x = 1\n" * 70
REFUSED = "lit_tests/refusals/select-empty.mlir"
RUN_CHECKED = "// RUN: alpha-opt %s --split-input-file --verify-diagnostics\n"
SKIPS = '"""T."""\nimport pytest\n'

FAULTS = (
    Fault(form.module_docstrings, "bench/a.py", "X = 1\n", "bench/a.py: no module docstring"),
    Fault(
        form.sizes, "bench/a.py", '"""Long."""\n' + "\n" * 400, "bench/a.py: 401 lines, at most 400"
    ),
    Fault(form.sizes, "bench/a.py", LONG_FUNCTION, "bench/a.py:2: f has 71 lines, at most 70"),
    Fault(form.names, "ir/select.py", '"""S."""\n', "ir/select.py: named like a standard module"),
    Fault(form.names, "ir/utils.py", '"""U."""\n', "ir/utils.py: a name that says nothing"),
    Fault(form.banned_words, "docs/a.md", f"one\n{WORD}: two\n", f"docs/a.md:2: {WORD}"),
    Fault(
        form.mutable_globals,
        "ir/a.py",
        '"""A."""\nseen = []\n',
        "ir/a.py:2: seen is a mutable global",
    ),
    Fault(
        form.mutable_globals,
        "ir/a.py",
        '"""A."""\nSEEN = set()\ndef f(x):\n    SEEN.add(x)\n',
        "ir/a.py:4: changes the global SEEN",
    ),
    Fault(
        form.mutable_globals,
        "ir/a.py",
        '"""A."""\nSEEN: dict[int, int] = {}\ndef f(x):\n    SEEN[x] = 1\n',
        "ir/a.py:4: changes the global SEEN",
    ),
    Fault(
        form.mutable_globals,
        "ir/a.py",
        '"""A."""\nN = 1\ndef f():\n    global N\n    N = 2\n',
        "ir/a.py:4: global N",
    ),
    Fault(
        form.isa_folders,
        "backends/x86/rows.py",
        '"""R."""\n',
        "backends/aarch64/rows.py: missing, x86 has it",
    ),
    Fault(
        form.isa_folders,
        "backends/aarch64/rows.py",
        '"""R."""\n',
        "backends/x86/rows.py: missing, aarch64 has it",
    ),
    Fault(
        imports.spelling,
        "tests/test_a.py",
        "from ir.checks import f\n",
        "tests/test_a.py:1: ir, say alpha.ir",
    ),
    Fault(imports.spelling, "bench/a.py", "import tools\n", "bench/a.py:1: tools, say alpha.tools"),
    Fault(imports.spelling, "ir/a.py", "from . import b\n", "ir/a.py:1: a relative import"),
    Fault(
        imports.direction,
        "ir/a.py",
        "from alpha.passes import fold_it\n",
        "ir/a.py:1: ir imports passes",
    ),
    Fault(
        imports.direction,
        "interpreters/a.py",
        "def f():\n    import alpha.passes.fold_it\n",
        "interpreters/a.py:2: interpreters imports passes",
    ),
    Fault(imports.direction, "ir/a.py", "import alpha.odd\n", "ir/a.py:1: there is no alpha.odd"),
    Fault(imports.dead_files, "ir/a.py", '"""A."""\n', "ir/a.py: nothing imports it"),
    Fault(
        imports.dead_files,
        "ir/dialects/region_parts.py",
        '"""P."""\n',
        "ir/dialects/region_parts.py: nothing imports it",
    ),
    Fault(
        imports.dead_files,
        "tests/oracle/odd.py",
        '"""O."""\n',
        "tests/oracle/odd.py: no test imports it",
    ),
    Fault(
        witnesses.refusal_table,
        "ir/checks.py",
        'raise Refusal(code="select-odd")\nX = "select-empty"\n',
        "ir/checks.py:1: select-odd is not in TABLE",
    ),
    Fault(
        witnesses.refusal_table,
        "ir/checks.py",
        "",
        "ir/refusals.py:2: nothing raises select-empty",
    ),
    Fault(witnesses.refusal_tests, REFUSED, None, f"{REFUSED}: missing"),
    Fault(
        witnesses.refusal_tests,
        "lit_tests/refusals/select-odd.mlir",
        RUN_CHECKED,
        "lit_tests/refusals/select-odd.mlir: there is no such code",
    ),
    Fault(
        witnesses.refusal_tests,
        REFUSED,
        RUN_CHECKED + "// expected-error {{[select-empty]}}\nbad\n// -----\n// good\n",
        f"{REFUSED}: no accepted twin",
    ),
    Fault(
        witnesses.refusal_tests,
        REFUSED,
        RUN_CHECKED + "// expected-error {{[select-odd]}}\nbad\n// -----\ngood\n",
        f"{REFUSED}: no input is refused with select-empty",
    ),
    Fault(
        witnesses.refusal_tests,
        REFUSED,
        "// RUN: not alpha run %s | filecheck %s\n// CHECK: [select-empty]\n",
        f"{REFUSED}: no accepted twin",
    ),
    Fault(
        witnesses.refusal_tests,
        REFUSED,
        "// RUN: alpha run %s\n// CHECK: [select-empty]\n",
        f"{REFUSED}: no input is refused with select-empty",
    ),
    Fault(
        witnesses.pass_tests,
        "lit_tests/passes/fold_it.mlir",
        "// RUN: alpha-opt %s --fold-it-not\n",
        "passes/fold_it.py: no test in lit_tests/passes runs --fold-it",
    ),
    Fault(
        witnesses.pass_tests,
        "passes/fold_it.py",
        'NAME = "fold"\n',
        "passes/fold_it.py: holds no pass named fold-it",
    ),
    Fault(witnesses.example_tests, "examples/two.mlir", "", "examples/two.mlir: no test runs it"),
    Fault(
        witnesses.skipped_tests,
        "tests/test_a.py",
        SKIPS + '@pytest.mark.skip(reason="slow")\ndef test_a(): ...\n',
        "tests/test_a.py:3: skipped: slow",
    ),
    Fault(
        witnesses.skipped_tests,
        "tests/test_a.py",
        SKIPS + "@pytest.mark.xfail\ndef test_a(): ...\n",
        "tests/test_a.py:3: skipped: no reason",
    ),
    Fault(
        witnesses.skipped_tests,
        "tests/test_a.py",
        SKIPS + 'def test_a():\n    pytest.skip("no time")\n',
        "tests/test_a.py:4: skipped: no time",
    ),
    Fault(
        witnesses.skipped_tests,
        "lit_tests/a.mlir",
        "// REQ" + "UIRES: gpu\n",
        "lit_tests/a.mlir: REQ" + "UIRES: gpu",
    ),
    Fault(
        witnesses.skipped_tests,
        "lit_tests/a/lit.local.cfg.py",
        "config.unsupported = True\n",
        "lit_tests/a/lit.local.cfg.py: skips a folder",
    ),
    Fault(pages.links, "docs/a.md", "[x](odd.md)\n", "docs/a.md: odd.md leads nowhere"),
    Fault(
        pages.links, "docs/a.md", "[x](tour.md#odd)\n", "docs/a.md: tour.md#odd has no such heading"
    ),
    Fault(
        pages.commands,
        "docs/a.md",
        "```sh\ntiny\n```\n",
        "docs/a.md: tests/test_docs.py doesn't run its commands",
    ),
)


def write(root: Path, files: dict[str, str | None]) -> None:
    """Lays the files of a tree, but those without a text."""
    for name, text in files.items():
        if text is not None:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_tidy_tree_has_no_findings(check: Check, tmp_path: Path) -> None:
    write(tmp_path, {**TIDY})
    assert check(tmp_path) == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.finding)
def test_a_planted_fault_is_found(fault: Fault, tmp_path: Path) -> None:
    write(tmp_path, {**TIDY, fault.file: fault.text})
    assert fault.check(tmp_path) == [fault.finding]


def test_every_check_has_a_planted_fault() -> None:
    assert {fault.check for fault in FAULTS} == set(CHECKS)
