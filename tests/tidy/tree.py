"""A source tree as the tidy checks see it: its files, their text, their syntax, their names.

Invariant: a check is a function from the root of a tree to its findings, each `path: what`. It
    reads files and imports nothing, so that it can be tried on a tiny tree with a planted fault.
Entry: `Check`, `python_files`, `package_files`, `text_files`, `text_of`, `syntax_of`, `shown`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

Check = Callable[[Path], list[str]]

PACKAGE_TOPS = ("ir", "interpreters", "passes", "backends", "runtime", "tools")
OTHER_TOPS = (".ci", "bench", "docs", "examples", "lit_tests", "tests")
TEXT_SUFFIXES = frozenset({".cfg", ".md", ".mlir", ".py", ".test", ".toml"})


def _files(root: Path, tops: tuple[str, ...], pattern: str) -> Iterator[Path]:
    for top in tops:
        for path in sorted((root / top).rglob(pattern)):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def package_files(root: Path) -> list[Path]:
    """The modules that are installed as `alpha.*`."""
    return list(_files(root, PACKAGE_TOPS, "*.py"))


def python_files(root: Path) -> list[Path]:
    """Every Python file of the project."""
    return [*sorted(root.glob("*.py")), *_files(root, (*PACKAGE_TOPS, *OTHER_TOPS), "*.py")]


def text_files(root: Path) -> list[Path]:
    """Every file that a person writes: sources, IR, tests, pages, settings."""
    below = [
        path
        for path in _files(root, (*PACKAGE_TOPS, *OTHER_TOPS), "*")
        if path.suffix in TEXT_SUFFIXES
    ]
    here = [path for path in sorted(root.glob("*")) if path.suffix in TEXT_SUFFIXES]
    return [
        *here,
        *(path for path in (root / "Makefile", root / ".ci/run") if path.exists()),
        *below,
    ]


def lit_files(root: Path, folder: str = "") -> list[Path]:
    """The lit tests under a folder of lit_tests, without what they only read."""
    return [
        path
        for path in sorted((root / "lit_tests" / folder).rglob("*"))
        if path.suffix in {".mlir", ".test"} and "Inputs" not in path.parts
    ]


def shown(root: Path, path: Path, line: int = 0) -> str:
    """How a finding names a file, and a line of it if there is one."""
    name = path.relative_to(root).as_posix()
    return f"{name}:{line}" if line else name


@cache
def text_of(path: Path) -> str:
    """The text of a file."""
    return path.read_text(encoding="utf-8")


@cache
def syntax_of(path: Path) -> ast.Module:
    """The syntax tree of a Python file."""
    return ast.parse(text_of(path), str(path))


def strings_of(path: Path) -> set[str]:
    """Every string constant of a Python file, whole."""
    return {
        node.value
        for node in ast.walk(syntax_of(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def module_name(root: Path, path: Path) -> str:
    """The name a module of the package is imported by: `alpha.ir.digests`."""
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(("alpha", *(part for part in parts if part != "__init__")))


def run_lines(path: Path) -> list[str]:
    """The commands of a lit test, continued lines joined."""
    lines: list[str] = []
    open_line = False
    for text in text_of(path).splitlines():
        _, mark, command = text.partition("RUN:")
        if not mark:
            continue
        command = command.strip()
        if open_line:
            lines[-1] += " " + command.rstrip("\\").strip()
        else:
            lines.append(command.rstrip("\\").strip())
        open_line = command.endswith("\\")
    return lines
