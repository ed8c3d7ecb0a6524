"""Which passes there are, found from the files and imported only when a command names them.

Invariant: every module directly in `passes/` and in `backends/*/passes/` is one pass, named as its
    file with dashes for underscores, except this module and those that begin with an underscore.
Why: start-up cost, and no list to keep by hand. What `--help` prints is read from the source text.
Entry: `find_pass`, `load_pass`, `all_passes`, `PassEntry`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import ast

    from xdsl.passes import ModulePass


class OptionEntry(NamedTuple):
    """One option as the source text declares it: type and default are Python expressions."""

    name: str
    type: str
    default: str | None


class PassEntry(NamedTuple):
    """A pass that isn't imported yet: its name, its module, its file."""

    name: str
    module: str
    path: str

    def load(self) -> type[ModulePass]:
        """Import the module and take the pass out of it."""
        from xdsl.passes import ModulePass

        module = import_module(self.module)
        for candidate in vars(module).values():
            if (
                isinstance(candidate, type)
                and issubclass(candidate, ModulePass)
                and candidate.__module__ == module.__name__
                and getattr(candidate, "name", None) == self.name
            ):
                return candidate
        raise LookupError(f"{self.module} defines no pass named {self.name}")

    def describe(self) -> tuple[str, tuple[OptionEntry, ...]]:
        """The first line of the module's docstring and the options, without an import."""
        import ast

        with open(self.path, encoding="utf-8") as stream:
            tree = ast.parse(stream.read(), self.path)
        summary = (ast.get_docstring(tree) or "").partition("\n")[0]
        return summary, tuple(self._options(tree.body))

    def _options(self, body: list[ast.stmt]) -> Iterator[OptionEntry]:
        import ast

        for statement in body:
            if isinstance(statement, ast.ClassDef) and _names(statement, self.name):
                for line in statement.body:
                    if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                        kind = ast.unparse(line.annotation)
                        if not kind.startswith("ClassVar"):
                            default = None if line.value is None else ast.unparse(line.value)
                            yield OptionEntry(line.target.id.replace("_", "-"), kind, default)


def load_pass(name: str) -> type[ModulePass]:
    """The pass of a name that there is. Raises LookupError if there is none."""
    entry = find_pass(name)
    if entry is None:
        raise LookupError(f"there is no pass {name}")
    return entry.load()


def _names(definition: ast.ClassDef, name: str) -> bool:
    """Whether a class body sets `name` to this name."""
    import ast

    return any(
        isinstance(line, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "name" for target in line.targets)
        and isinstance(line.value, ast.Constant)
        and line.value.value == name
        for line in definition.body
    )


def _folders() -> Iterator[tuple[str, str]]:
    """Each package that holds passes, with its folder; back ends are found, not imported."""
    import alpha.passes as own

    for folder in own.__path__:
        yield own.__name__, folder
    for root in import_module("alpha.backends").__path__:
        for backend in sorted(os.listdir(root)):
            folder = os.path.join(root, backend, "passes")
            if os.path.isdir(folder):
                yield f"alpha.backends.{backend}.passes", folder


def _is_pass(stem: str) -> bool:
    return not stem.startswith("_") and stem != "registry"


def find_pass(name: str) -> PassEntry | None:
    """The pass of this name, or None. Only asks whether files exist."""
    stem = name.replace("-", "_")
    if not stem.isidentifier() or "_" in name or not _is_pass(stem):
        return None
    for package, folder in _folders():
        path = os.path.join(folder, f"{stem}.py")
        if os.path.isfile(path):
            return PassEntry(name, f"{package}.{stem}", path)
    return None


def all_passes() -> dict[str, PassEntry]:
    """Every pass by name, in the order of the names."""
    found: dict[str, PassEntry] = {}
    for package, folder in _folders():
        for entry in os.listdir(folder):
            stem, extension = os.path.splitext(entry)
            if extension == ".py" and _is_pass(stem):
                name = stem.replace("_", "-")
                assert name not in found, f"two passes are named {name}"
                found[name] = PassEntry(name, f"{package}.{stem}", os.path.join(folder, entry))
    return dict(sorted(found.items()))
