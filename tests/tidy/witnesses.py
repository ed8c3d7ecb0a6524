"""Tidy checks that everything promised has a test: refusals, passes, examples; and that tests run.

Entry: `refusal_table`, `refusal_tests`, `pass_tests`, `example_tests`, `skipped_tests`; each is a
    `Check`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tidy.tree import (
    lit_files,
    package_files,
    python_files,
    run_lines,
    shown,
    strings_of,
    syntax_of,
    text_of,
)

CODE = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")

# The only reasons for which a test may be skipped or expected to fail, and the only features
# that a lit test may require.
ALLOWED_SKIPS = frozenset(
    {
        "on a GPU alone, by pytest -m gpu",
        "there is no GPU that runs the kernels, or no pycuda",
        "without AVX-512 there is no such text",
        "without the rights of root there are no network namespaces",
        "without the rights of root there is no small disk",
        "without SHA instructions this processor can't run it",
    }
)

SKIP_NAMES = frozenset({"importorskip", "skip", "skipif", "xfail"})
LIT_SKIP = re.compile(r"\b(?:UNSUPPORTED|XFAIL|REQUIRES):\s*(.*\S)")


def _codes(root: Path) -> dict[str, int]:
    """The codes of `TABLE` in ir/refusals.py with their lines: the first text of every row."""
    path = root / "ir" / "refusals.py"
    found: dict[str, int] = {}
    for statement in syntax_of(path).body if path.exists() else []:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        if not any(isinstance(target, ast.Name) and target.id == "TABLE" for target in targets):
            continue
        for node in ast.walk(statement):
            first: list[ast.expr | None] = []
            if isinstance(node, ast.Dict):
                first = list(node.keys)
            elif isinstance(node, ast.Tuple):
                first = list(node.elts[:1])
            elif isinstance(node, ast.Call):
                first = list(node.args[:1])
            for text in first:
                if isinstance(text, ast.Constant) and CODE.fullmatch(str(text.value)):
                    found[str(text.value)] = text.lineno
    return found


def _raised(path: Path) -> Iterator[tuple[str, int]]:
    """The codes that a file gives to a call such as `Refusal(code, ...)`, with their lines."""
    for node in ast.walk(syntax_of(path)):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        called = node.func.id if isinstance(node.func, ast.Name) else called
        if not called.lower().startswith("refus"):
            continue
        given = [*node.args[:1], *(word.value for word in node.keywords if word.arg == "code")]
        for value in given:
            if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
                continue
            if called == "Refusal" or CODE.fullmatch(value.value):
                yield value.value, value.lineno


def refusal_table(root: Path) -> list[str]:
    """A code that is raised is in the table, and a code of the table is raised."""
    codes = _codes(root)
    findings: list[str] = []
    named: set[str] = set()
    for path in package_files(root):
        if path != root / "ir" / "refusals.py":
            named |= strings_of(path)
            findings += [
                f"{shown(root, path, line)}: {code} is not in TABLE"
                for code, line in _raised(path)
                if code not in codes
            ]
    findings += [
        f"ir/refusals.py:{line}: nothing raises {code}"
        for code, line in codes.items()
        if code not in named
    ]
    return findings


def refusal_tests(root: Path) -> list[str]:
    """Every code has lit_tests/refusals/CODE.mlir, with a refused input and an accepted twin."""
    folder = root / "lit_tests" / "refusals"
    codes = _codes(root)
    findings = [
        f"{shown(root, path)}: there is no such code"
        for path in lit_files(root, "refusals")
        if path.stem not in codes
    ]
    for code in codes:
        path = folder / f"{code}.mlir"
        if not path.exists():
            findings.append(f"lit_tests/refusals/{code}.mlir: missing")
            continue
        commands = run_lines(path)
        if any("--verify-diagnostics" in command for command in commands):
            refused, accepted = _chunks(text_of(path), code)
        else:
            refuses = [bool(re.search(r"\bnot\b.*\balpha", command)) for command in commands]
            refused = any(refuses) and code in text_of(path)
            accepted = not all(refuses)
        if not refused:
            findings.append(f"{shown(root, path)}: no input is refused with {code}")
        if not accepted:
            findings.append(f"{shown(root, path)}: no accepted twin")
    return findings


def _chunks(text: str, code: str) -> tuple[bool, bool]:
    """Whether a chunk is refused with the code, and whether one that isn't empty is accepted."""
    refused = accepted = False
    for chunk in re.split(r"^// -----.*$", text, flags=re.MULTILINE):
        lines = [line.strip() for line in chunk.splitlines()]
        if any("expected-error" in line for line in lines):
            refused = refused or f"[{code}]" in chunk
        elif any(line and not line.startswith("//") for line in lines):
            accepted = True
    return refused, accepted


def _passes(root: Path) -> Iterator[Path]:
    for pattern in ("passes/*.py", "backends/*/passes/*.py"):
        for path in sorted(root.glob(pattern)):
            if not path.stem.startswith("_") and path.stem != "registry":
                yield path


def pass_tests(root: Path) -> list[str]:
    """Every pass has the name of its file and is run by a test in lit_tests/passes."""
    commands = [line for path in lit_files(root, "passes") for line in run_lines(path)]
    findings: list[str] = []
    for path in _passes(root):
        name = path.stem.replace("_", "-")
        if name not in strings_of(path):
            findings.append(f"{shown(root, path)}: holds no pass named {name}")
        called = re.compile(rf"(?:--|[ ,'\"(]){name}(?![\w-])")
        if not any(called.search(command) for command in commands):
            findings.append(f"{shown(root, path)}: no test in lit_tests/passes runs --{name}")
    return findings


def example_tests(root: Path) -> list[str]:
    """Every example is named by a test, or by a pattern with which a test finds all of them."""
    tests = [path for path in (root / "tests").rglob("*.py") if path.parent.name != "tidy"]
    texts = [text_of(path) for path in [*lit_files(root), *tests]]
    if any(re.search(r"examples?\b.*\.glob\(.\*\.mlir.\)", text, re.IGNORECASE) for text in texts):
        return []
    return [
        f"{shown(root, path)}: no test runs it"
        for path in sorted((root / "examples").glob("*.mlir"))
        if not any(re.search(rf"\b{path.stem}\b", text) for text in texts)
    ]


def skipped_tests(root: Path) -> list[str]:
    """A test that is skipped or expected to fail gives a reason that is allowed."""
    findings = [
        f"{shown(root, path, line)}: skipped: {reason or 'no reason'}"
        for path in python_files(root)
        for reason, line in _skips(syntax_of(path))
        if reason not in ALLOWED_SKIPS
    ]
    findings += [
        f"{shown(root, path)}: {match.group()}"
        for path in lit_files(root)
        for match in LIT_SKIP.finditer(text_of(path))
        if match.group(1) not in ALLOWED_SKIPS
    ]
    findings += [
        f"{shown(root, path)}: skips a folder"
        for path in sorted((root / "lit_tests").rglob("lit.local.cfg*"))
        if "config.unsupported" in text_of(path)
    ]
    return findings


def _skips(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The reason, or "", and the line of every `pytest.skip(...)`, `@pytest.mark.skip` and kin."""
    reasons: dict[ast.expr, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            given = [word.value for word in node.keywords if word.arg == "reason"]
            given += node.args[:1] if ast.unparse(node.func) == "pytest.skip" else []
            texts = [str(value.value) for value in given if isinstance(value, ast.Constant)]
            reasons[node.func] = texts[0] if texts else ""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or node.attr not in SKIP_NAMES:
            continue
        if ast.unparse(node).startswith("pytest."):
            yield reasons.get(node, ""), node.lineno
