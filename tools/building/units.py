"""The modules of code that executables are linked of, and their assembly text.

Refuses: what the passes refuse.
Entry: `Unit`, `runtime_units`, `unit_text`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from alpha.tools.building.targets import BuildTarget

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

NEEDED: Mapping[tuple[str, str], tuple[str, ...]] = MappingProxyType(
    {
        ("sha256_instructions", "x86-64"): ("sha",),
        ("sha256_instructions", "aarch64"): ("sha2",),
    }
)
"""The features of modules of the runtime that are only called where the processor has them."""


@dataclass(frozen=True)
class Unit:
    """A module of code and its target; with `behind`, assembly text that stands behind it."""

    name: str
    """How its operations name their file."""
    text: str
    target: BuildTarget
    behind: str = ""
    module: ModuleOp | None = field(default=None, compare=False)
    """The module of the text, where it is at hand; it is used up."""


def runtime_units(texts: Mapping[str, str], machine: str) -> list[Unit]:
    """The modules of the runtime for a machine, for any processor of it."""
    return [
        Unit(f"{name}.mlir", text, BuildTarget(machine, NEEDED.get((name, machine), ())))
        for name, text in texts.items()
    ]


def unit_text(unit: Unit) -> str:
    """The assembly text of a module, without what stands behind it; a unit's module is used up.

    Raises:
        Refusal: what the front end or a pass refuses.
    """
    from alpha.backends.core.emission import assembly_of, remaining_passes
    from alpha.ir.frontend.registry import make_context

    context = make_context()
    module = unit.module
    if module is None:
        from alpha.ir.frontend.located_parser import parse_text

        # What this project itself has written is verified by its tests.
        module = parse_text(context, unit.text, unit.name)
    dialect = unit.target.dialect
    for each in remaining_passes(module, dialect, unit.target.feature_text):
        each.apply(context, module)
    return assembly_of(module, dialect)
