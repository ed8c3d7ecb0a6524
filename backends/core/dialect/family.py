"""The targets of one machine dialect: one for each set of features that a function may ask for.

Refuses: source-structure.
Entry: `Family`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from alpha.backends.core.target import Target
from alpha.ir.refusals import Refusal


@dataclass(frozen=True)
class Family:
    """Which `features` there are, and the target with some of them."""

    dialect: str
    features: frozenset[str]
    make: Callable[[frozenset[str]], Target]

    def target_of(self, function: Operation) -> Target:
        """The target of a function, by its attribute `features`: words divided by commas.

        Raises:
            Refusal: `source-structure`, for another attribute of this name or another feature.
        """
        held = function.attributes.get("features")
        if held is None:
            return self.make(frozenset())
        asked = held.data.split(",") if isinstance(held, StringAttr) and held.data else []
        known = isinstance(held, StringAttr) and self.features.issuperset(asked)
        if not known:
            choice = ", ".join(sorted(self.features))
            expected = f"features of {self.dialect}: some of {choice}"
            raise Refusal("source-structure", expected, str(held), function)
        return self.make(frozenset(asked))
