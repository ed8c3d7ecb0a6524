"""The console script `alpha-opt`, also `python -m alpha.tools.alpha_opt`.

Why: what it does is in `mains/alpha_opt.py`; nothing is imported here, so that an interrupt
    finds `start` watching.
Entry: `main`, `script`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool on these arguments, by default the process's, and return its exit status."""
    from alpha.tools.mains import alpha_opt

    return alpha_opt.main(argv)


def script() -> None:
    """Be the tool as a process of its own; never returns."""
    from alpha.tools.start import start

    start("alpha-opt", "alpha.tools.mains.alpha_opt")


if __name__ == "__main__":
    script()
