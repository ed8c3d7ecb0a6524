"""Tidy checks of who imports whom: how it is spelled, in which direction, and who is never.

Entry: `spelling`, `direction`, `dead_files`; each is a `Check`.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tidy.tree import (
    PACKAGE_TOPS,
    module_name,
    package_files,
    python_files,
    shown,
    strings_of,
    syntax_of,
    text_of,
)

# A folder may import itself and those with a lower rank.
RANKS = {"ir": 0, "interpreters": 1, "passes": 1, "runtime": 1, "backends": 2, "tools": 3}

# Where a registry finds modules from their files. As it does, it leaves out some names.
FOUND_FROM_FILES = (
    "ir/dialects/*.py",
    "passes/*.py",
    "backends/*/passes/*.py",
    "backends/*/dialect.py",
    "backends/*/rules.py",
    "backends/*/target.py",
    "tools/commands/*.py",
)


def _imports(path: Path) -> Iterator[tuple[str, int]]:
    """What a file imports, as dotted names, with the lines; `from a import b` gives a and a.b."""
    for node in ast.walk(syntax_of(path)):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield base, node.lineno
            for name in node.names:
                yield f"{base}.{name.name}", node.lineno


def spelling(root: Path) -> list[str]:
    """The package is imported as `alpha.*`: by any other name a module would be loaded twice."""
    findings: list[str] = []
    for path in python_files(root):
        seen: set[tuple[str, int]] = set()
        for name, line in _imports(path):
            top = name.partition(".")[0]
            if (top, line) in seen:
                continue
            seen.add((top, line))
            if not top:
                findings.append(f"{shown(root, path, line)}: a relative import")
            elif top in PACKAGE_TOPS:
                findings.append(f"{shown(root, path, line)}: {top}, say alpha.{top}")
    return findings


def direction(root: Path) -> list[str]:
    """Imports run one way: ir < interpreters, passes < backends < tools."""
    findings: list[str] = []
    for path in package_files(root):
        own = path.relative_to(root).parts[0]
        seen: set[tuple[str, int]] = set()
        for name, line in _imports(path):
            first, _, rest = name.partition(".")
            top = rest.partition(".")[0]
            if first != "alpha" or top in ("", own) or (top, line) in seen:
                continue
            seen.add((top, line))
            if top not in RANKS:
                findings.append(f"{shown(root, path, line)}: there is no alpha.{top}")
            elif RANKS[top] >= RANKS[own]:
                findings.append(f"{shown(root, path, line)}: {own} imports {top}")
    return findings


def _entry_modules(root: Path) -> set[str]:
    """The modules that need no import: console scripts and what registries find."""
    found: set[str] = set()
    settings = root / "pyproject.toml"
    if settings.exists():
        scripts = tomllib.loads(text_of(settings)).get("project", {}).get("scripts", {})
        found.update(target.partition(":")[0] for target in scripts.values())
    for pattern in FOUND_FROM_FILES:
        for path in root.glob(pattern):
            part_of_a_dialect = pattern.startswith("ir/") and "_" in path.stem
            if not (part_of_a_dialect or path.stem.startswith("_") or path.stem == "registry"):
                found.add(module_name(root, path))
    return found


def dead_files(root: Path) -> list[str]:
    """Every module is imported by another one that isn't a test, or is an entry point.

    A module of the tests counts as used if another test imports it or it can be started.
    """
    alive = _entry_modules(root)
    used_by_tests: set[str] = set()
    for path in python_files(root):
        in_tests = "tests" in path.relative_to(root).parts[:1]
        names = {name for name, _ in _imports(path)} | strings_of(path)
        own = module_name(root, path)
        (used_by_tests if in_tests else alive).update(name for name in names if name != own)
    findings = [
        f"{shown(root, path)}: nothing imports it"
        for path in package_files(root)
        if path.stem != "__init__" and module_name(root, path) not in alive
    ]
    for path in sorted((root / "tests").rglob("*.py")):
        name = module_name(root / "tests", path).removeprefix("alpha.")
        started = path.name.startswith("test_") or "__main__" in strings_of(path)
        if not started and path.stem not in ("__init__", "conftest") and name not in used_by_tests:
            findings.append(f"{shown(root, path)}: no test imports it")
    return findings
