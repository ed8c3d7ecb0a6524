"""From modules of code to objects, each made once for all that need it.

Invariant: an object follows from its module's text, the target, the tools and this project's own
    sources, which all are in its key; so what is taken from the cache is what would be made.
Refuses: what the passes refuse.
Entry: `Objects`, `tools_working`.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from alpha.tools.building.cache import Cache, key_of
from alpha.tools.building.compiled import compiled_text
from alpha.tools.building.units import Unit, unit_text
from alpha.tools.driver.output import InputOutputError, reason_of

if TYPE_CHECKING:
    from alpha.backends.toolchain.finding import Toolchain


class Objects:
    """Makes objects for some targets, with the tools that were found for each, and keeps them."""

    def __init__(self, toolchains: Mapping[str, Toolchain], sources: str, cache: Cache) -> None:
        """`sources` is the digest of this project's own sources."""
        self.toolchains = toolchains
        self.sources = sources
        self.cache = cache
        self._held: dict[str, bytes] = {}

    def key(self, unit: Unit) -> str:
        """The key of a unit's object."""
        tools = self.tools(unit.target.machine)
        return key_of("object", self.sources, *tools, str(unit.target), unit.text, unit.behind)

    def tools(self, machine: str) -> tuple[str, str]:
        """The name and version of the tools for a machine."""
        chain = self.toolchains[machine]
        return chain.name, chain.version

    def missing(self, units: Sequence[Unit]) -> list[Unit]:
        """The units whose objects have still to be made, one of each."""
        units_by_key = {self.key(unit): unit for unit in units}
        return [unit for key, unit in units_by_key.items() if self._found(key) is None]

    def hold(self, unit: Unit, data: bytes) -> None:
        """Keep an object in this process, as another process has made it."""
        self._held[self.key(unit)] = data

    def release(self, unit: Unit) -> None:
        """Let go of an object that isn't needed again."""
        self._held.pop(self.key(unit), None)

    def make(self, unit: Unit) -> bytes:
        """The object of a unit, which is kept; a unit's module is used up if there is none yet.

        Raises:
            Refusal: what the front end or a pass refuses.
            TextRejected, ToolFailure: as `assemble`.
            InputOutputError: there is no room for temporary files.
        """
        key = self.key(unit)
        found = self._found(key)
        if found is None:
            from alpha.backends.toolchain.assembling import assemble

            text = compiled_text(unit, self.sources)
            text = unit_text(unit) if text is None else text
            with tools_working():
                found = assemble(text + unit.behind, self.toolchains[unit.target.machine])
            self.cache.put(key, found)
            self._held[key] = found
        return found

    def _found(self, key: str) -> bytes | None:
        """An object that was made before, which is at hand from now on."""
        found = self._held.get(key) or self.cache.get(key)
        if found is not None:
            self._held[key] = found
        return found


@contextlib.contextmanager
def tools_working() -> Iterator[None]:
    """Say that temporary files couldn't be written, if that is what fails within.

    Raises:
        InputOutputError: in place of an OSError that isn't a ToolFailure.
    """
    from alpha.backends.toolchain.failures import ToolFailure

    try:
        yield
    except ToolFailure:
        raise
    except OSError as error:
        what = f"cannot write temporary files in {tempfile.gettempdir()}"
        raise InputOutputError(f"{what}: {reason_of(error)}") from None
