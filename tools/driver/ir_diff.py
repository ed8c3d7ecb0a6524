"""`--print-ir-after-all`: what each pass changed, as a unified diff on stderr.

Entry: `IrDiff`.
"""

from __future__ import annotations

from collections.abc import Callable


class IrDiff:
    """Remembers the last IR; prints it as text with `show`, and differences with `say`."""

    def __init__(self, show: Callable[[], str], say: Callable[[str], None]) -> None:
        self._show = show
        self._say = say
        self._before = show()

    def after(self, name: str) -> None:
        """Say what has changed since the last time, under the name of a pass."""
        from difflib import unified_diff

        after = self._show()
        lines = unified_diff(
            self._before.splitlines(), after.splitlines(), "before", "after", lineterm=""
        )
        change = "".join(f"{line}\n" for line in lines) or "(no change)\n"
        self._say(f"// -----// IR diff after {name} //----- //\n{change}\n")
        self._before = after
