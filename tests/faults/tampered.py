"""Runs a command whose writes to files are cut short, or whose calls are interrupted, one by one.

`python tampered.py COUNTS LOG COMMAND...`: COUNTS are the bytes that writes take, in turn, such as
`1` or `1,3,5`; with a 0 such a call is interrupted, and so is every one that makes, opens or
synchronizes a file. LOG becomes the number of writes and of interruptions.

Entry: `front`.
"""

from __future__ import annotations

import errno
import itertools
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
INTERRUPTED = ("mkdirat", "openat", "fsync", "close")


def front(counts: Sequence[int], log: Path) -> str:
    """What stands before a command that is tampered with."""
    told = ",".join(map(str, counts))
    return f"{sys.executable} -P {__file__} {told} {log}"


def main(counts: Sequence[int], log: Path, command: Sequence[str]) -> int:
    """Run the command to its end; its exit status."""
    sys.path.insert(0, str(TESTS))
    from routines.answering import LET, Answered, Asked

    turns, done = itertools.cycle(counts), Counter[str]()
    interrupts = 0 in counts
    odd: dict[str, bool] = {}

    def interrupted(asked: Asked) -> int | None:
        """Every second one, the first of each kind among them."""
        odd[asked.name] = not odd.get(asked.name, False)
        done["interrupted"] += odd[asked.name]
        return -errno.EINTR if odd[asked.name] else LET

    def answer(asked: Asked) -> int | None:
        if asked.name in ("write", "fsync", "close") and not _is_stored(asked):
            return LET
        if asked.name == "openat" and "/.gen-" not in asked.text(1) and not _is_folder(asked):
            return LET
        if asked.name != "write":
            return interrupted(asked) if interrupts else LET
        count = min(next(turns), asked.arguments[2])
        if count == 0:
            done["interrupted"] += 1
            return -errno.EINTR
        done["writes"] += 1
        return asked.performed(count)

    def _is_stored(asked: Asked) -> bool:
        return "/.gen-" in os.readlink(f"/proc/{asked.process}/fd/{asked.arguments[0]}")

    def _is_folder(asked: Asked) -> bool:
        return asked.arguments[0] < 1 << 31 and _is_stored(asked)

    answered = Answered(("write", *INTERRUPTED), answer)
    process = subprocess.Popen(command, preexec_fn=answered.install)
    with answered.answering():
        status = process.wait()
    log.write_text(f"{done['writes']} {done['interrupted']}")
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


if __name__ == "__main__":
    sys.exit(main([int(each) for each in sys.argv[1].split(",")], Path(sys.argv[2]), sys.argv[3:]))
