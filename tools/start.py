"""The first lines of a tool's process, which an interrupt must find as ready as the later ones.

Invariant: nothing is imported before `start` watches for an interrupt but what Python has loaded.
Why: imports are most of a short run; Ctrl-C within them must not print a traceback.
Entry: `start`.
"""

from __future__ import annotations

import os

INTERRUPTED = 130
"""As in `tools/exits.py`, which isn't imported yet."""


def start(tool: str, module: str) -> None:
    """Be the process of a tool whose `main` is in this module; never returns."""
    try:
        from importlib import import_module

        main = import_module(module).main
        import_module("alpha.tools.driver.boundary").run_process(main)
    except KeyboardInterrupt:
        import contextlib

        # If stderr is closed, there is nobody to tell.
        with contextlib.suppress(OSError):
            os.write(2, f"{tool}: interrupted\n".encode())
        os._exit(INTERRUPTED)
