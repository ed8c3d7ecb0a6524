"""Which modules of the runtime a role's code needs: those that have what it calls, and so on.

Why: a linker takes an object as a whole; so what a role never does costs its executable nothing.
Entry: `RuntimeModules`, `declared_functions`, `START`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

START = "alpha_start"
"""What the entry of every role calls."""

_DEFINED = re.compile(r"^func\.func @(\w+)\(", re.MULTILINE)
_DECLARED = re.compile(r"^func\.func private @(\w+)\([^%)]*\)[^{\n]*$", re.MULTILINE)
"""Functions that a module has for others, and those that it has from others: without a body."""


class RuntimeModules:
    """The modules of the runtime, and whose functions each of them calls."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """`texts` are the modules of the runtime, by name."""
        self._texts = texts
        self._owners = {
            function: name for name, text in texts.items() for function in _DEFINED.findall(text)
        }

    def needed(self, calls: Iterable[str]) -> Mapping[str, str]:
        """The modules that a role needs which calls these functions, in their order.

        Functions that no module has are the role's own business.
        """
        found: set[str] = set()
        left = {START, *calls}
        while left:
            owners = {self._owners[each] for each in left if each in self._owners} - found
            found |= owners
            left = {each for name in owners for each in _DECLARED.findall(self._texts[name])}
        return {name: text for name, text in self._texts.items() if name in found}


def declared_functions(module: ModuleOp) -> set[str]:
    """The functions that a module has from others."""
    from xdsl.dialects.func import FuncOp

    functions = (op for op in module.body.block.ops if isinstance(op, FuncOp))
    return {op.sym_name.data for op in functions if not op.body.blocks}
