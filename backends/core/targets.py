"""The instruction sets by the names of their dialects; each is imported when it is asked for.

Entry: `InstructionSet`, `instruction_set`, `DIALECTS`, `features_of`, `all_features`.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from alpha.backends.core.dialect.machine_dialect import MachineDialect
from alpha.backends.core.registers import View
from alpha.backends.core.selection.matching import RuleSet
from alpha.backends.core.target import Target

DIALECTS = {"x64": "alpha.backends.x86", "a64": "alpha.backends.aarch64"}
"""The package of each dialect's instruction set."""

KERNEL_DIALECTS = {"ptx": "alpha.backends.ptx"}
"""Those of kernels, whose registers nobody here allocates."""


@dataclass(frozen=True)
class InstructionSet:
    """A target with certain features, the dialect of its rows, and the rules that select them."""

    target: Target
    dialect: MachineDialect
    rules: RuleSet

    @property
    def vector_bits(self) -> int:
        """The bits of its widest vector registers: how wide loops are vectorized."""
        return 8 * max(view.bytes for view in self.target.views.values() if self._held(view))

    def _held(self, view: View) -> bool:
        return view.name in self.target.moves.load


def instruction_set(dialect: str, features: frozenset[str] = frozenset()) -> InstructionSet:
    """The instruction set of a dialect. Raises KeyError if there is none of this name."""
    package = DIALECTS[dialect]
    return InstructionSet(
        import_module(f"{package}.target").target(features),
        import_module(f"{package}.dialect").DIALECT,
        import_module(f"{package}.rules").RULES,
    )


def features_of(text: str) -> frozenset[str]:
    """Features as they are written in an option or attribute, divided by commas."""
    return frozenset(part for part in text.split(",") if part)


def all_features(dialect: str) -> frozenset[str]:
    """Every feature that functions of a dialect may ask for."""
    package = {**DIALECTS, **KERNEL_DIALECTS}[dialect]
    return import_module(f"{package}.rows.table").FEATURES
