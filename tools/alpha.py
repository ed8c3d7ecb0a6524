"""The console script `alpha`, also `python -m alpha.tools.alpha`.

Why: what it does is in `mains/alpha.py`; nothing is imported here, so that an interrupt
    finds `start` watching.
Entry: `main`, `script`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool on these arguments, by default the process's, and return its exit status."""
    from alpha.tools.mains import alpha

    return alpha.main(argv)


def script() -> None:
    """Be the tool as a process of its own; never returns."""
    from alpha.tools.start import start

    start("alpha", "alpha.tools.mains.alpha")


if __name__ == "__main__":
    script()
