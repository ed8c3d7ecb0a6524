"""Tidy checks of a single file: its docstring, size, name, words and module-level state.

Invariant: what ruff can see is left to ruff; only what it has no rule for is here.
Entry: the functions without an underscore; each is a `Check`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tidy.tree import package_files, python_files, shown, syntax_of, text_files, text_of

FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 70

# Files that are one table: longer than a reader holds in mind, but read row by row.
TABLES = frozenset(
    {
        "ir/refusals.py",
        "backends/x86/rows/vectors.py",
        "backends/aarch64/rows/integers.py",
        "backends/aarch64/rows/vectors.py",
    }
)

VAGUE_NAMES = frozenset({"common", "helpers", "misc", "util", "utils"})

# Put together from halves, so that this file isn't a finding of its own. A person may be named so.
BANNED_WORDS = re.compile(
    r"\b(?:TO" + r"DO|FIX" + r"ME|X" + r"XX|ha" + r"ck\w*|HA" + r"CK\w*|Ha" + r"ck\w+)\b"
)

MUTABLE_CALLS = frozenset({"Counter", "OrderedDict", "defaultdict", "deque", "dict", "list", "set"})
MUTABLE_DISPLAYS = (ast.Dict, ast.DictComp, ast.List, ast.ListComp, ast.Set, ast.SetComp)
MUTATING_METHODS = frozenset(
    {"add", "append", "appendleft", "clear", "extend", "insert", "pop", "popitem"}
    | {"remove", "setdefault", "update"}
)


def module_docstrings(root: Path) -> list[str]:
    """Every module says in its first line what it is."""
    return [
        f"{shown(root, path)}: no module docstring"
        for path in python_files(root)
        if not (ast.get_docstring(syntax_of(path)) or "").strip()
    ]


def sizes(root: Path) -> list[str]:
    """Files and functions stay within their limits."""
    findings: list[str] = []
    for path in python_files(root):
        lines = len(text_of(path).splitlines())
        if lines > FILE_LINES_MAX and shown(root, path) not in TABLES:
            findings.append(f"{shown(root, path)}: {lines} lines, at most {FILE_LINES_MAX}")
        for node in ast.walk(syntax_of(path)):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES_MAX:
                place = shown(root, path, node.lineno)
                findings.append(
                    f"{place}: {node.name} has {lines} lines, at most {FUNCTION_LINES_MAX}"
                )
    return findings


def names(root: Path) -> list[str]:
    """A module's name says what is in it and hides no standard module."""
    findings: list[str] = []
    for path in python_files(root):
        a_command = path.parent == root / "tools" / "commands"  # named as users call it
        if path.stem in sys.stdlib_module_names and not a_command:
            findings.append(f"{shown(root, path)}: named like a standard module")
        if path.stem in VAGUE_NAMES:
            findings.append(f"{shown(root, path)}: a name that says nothing")
    return findings


def banned_words(root: Path) -> list[str]:
    """Work that isn't done is done or left out, not marked."""
    return [
        f"{shown(root, path, number)}: {match.group()}"
        for path in text_files(root)
        for number, line in enumerate(text_of(path).splitlines(), 1)
        for match in BANNED_WORDS.finditer(line)
    ]


def _unnamed(file: str) -> str:
    """A file of an instruction set, without the name of its dialect."""
    return re.sub(r"_(x64|a64)\.py$", "_ISA.py", file)


def isa_folders(root: Path) -> list[str]:
    """The folders of the two instruction sets have the same files, but for the name of one pass."""
    one, other = root / "backends" / "x86", root / "backends" / "aarch64"
    if not one.is_dir() and not other.is_dir():
        return []
    lists = [
        {_unnamed(path.relative_to(isa).as_posix()) for path in isa.rglob("*.py")}
        for isa in (one, other)
    ]
    return [
        f"backends/{isa}/{name}: missing, {twin} has it"
        for isa, twin, missing in (
            ("x86", "aarch64", lists[1] - lists[0]),
            ("aarch64", "x86", lists[0] - lists[1]),
        )
        for name in sorted(missing)
    ]


def mutable_globals(root: Path) -> list[str]:
    """No module of the package keeps state that a function changes.

    A container is a constant if its name is in capitals and nothing in its module changes it.
    """
    findings: list[str] = []
    for path in package_files(root):
        tree = syntax_of(path)
        held = dict(_containers(tree))
        for name, line in held.items():
            if name != name.upper():
                findings.append(f"{shown(root, path, line)}: {name} is a mutable global")
        for name, line in _changes(tree):
            if name in held:
                findings.append(f"{shown(root, path, line)}: changes the global {name}")
        for node in ast.walk(tree):
            if isinstance(node, ast.Global):
                words = ", ".join(node.names)
                findings.append(f"{shown(root, path, node.lineno)}: global {words}")
    return findings


def _containers(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The module-level names that are bound to a mutable container, with their lines."""
    for node in tree.body:
        if not isinstance(node, (ast.Assign, ast.AnnAssign)):
            continue
        value = node.value
        called = value.func if isinstance(value, ast.Call) else None
        made = isinstance(called, ast.Name) and called.id in MUTABLE_CALLS
        if not made and not isinstance(value, MUTABLE_DISPLAYS):
            continue
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Name) and not target.id.startswith("__"):
                yield target.id, node.lineno


def _changes(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The names on which something is stored, deleted, or called that changes a container."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
            holder = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            holder = node.func.value if node.func.attr in MUTATING_METHODS else None
        else:
            continue
        if isinstance(holder, ast.Name):
            yield holder.id, node.lineno
