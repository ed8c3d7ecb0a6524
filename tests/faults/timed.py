"""Runs a module of Python to which a timer sends a signal a thousand times a second.

`python timed.py LOG PYTHON -P -m MODULE ...`: what would have been run by that command is run here,
since another program would have no handler, and so nothing that interrupts its calls. LOG becomes
the number of signals.

Entry: `front`.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
from pathlib import Path
from types import FrameType

SECONDS = 0.001


def front(log: Path) -> str:
    """What stands before the command."""
    return f"{sys.executable} -P {__file__} {log}"


def main(log: Path, module: str, arguments: list[str]) -> None:
    """Run the module with its arguments."""
    count = 0
    # The process may end at once, without anything being told of it.
    descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC)

    def handle(number: int, frame: FrameType | None) -> None:
        nonlocal count
        count += 1
        os.pwrite(descriptor, str(count).encode(), 0)

    signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, SECONDS, SECONDS)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    assert sys.argv[3:5] == ["-P", "-m"]
    main(Path(sys.argv[1]), sys.argv[5], sys.argv[6:])
