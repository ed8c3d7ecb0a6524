"""What `alpha-translate` does for an instruction set: the passes that are left, and the text.

Refuses: target-unsupported, and what the passes refuse.
Entry: `ToAssembly`, `assembly_text`, `features_given`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.passes import ModulePass

from alpha.ir.frontend.verifier import verify_module
from alpha.tools.driver.arguments import UsageError

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


@dataclass(frozen=True)
class ToAssembly(ModulePass):
    """Runs every pass between what the module holds and registers of an instruction set."""

    dialect: str
    features: str

    name = "to-assembly"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run the passes, with the verifier behind each."""
        from alpha.backends.core.emission import remaining_passes

        for each in remaining_passes(op, self.dialect, self.features):
            each.apply(ctx, op)
            verify_module(op)


def assembly_text(module: ModuleOp, dialect: str, show_source: bool) -> str:
    """The text of a module in registers."""
    from alpha.backends.core.emission import assembly_of

    return assembly_of(module, dialect, show_source)


def features_given(dialect: str, text: str) -> str:
    """The features of a command, in order and each once.

    Raises UsageError for one that the instruction set doesn't have.
    """
    from alpha.backends.core.targets import all_features, features_of

    known = all_features(dialect)
    asked = features_of(text)
    if unknown := sorted(asked - known):
        choice = ", ".join(sorted(known)) or "none"
        raise UsageError(f"--features expects some of {choice}; got {', '.join(unknown)}")
    return ",".join(sorted(asked))
