"""What is drawn on a terminal: rounds as they come, in one place, and nothing of it elsewhere."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path

import pytest
from native_runs.folders import PlayedRole, played_folder
from runs.processes import ALPHA

pytestmark = pytest.mark.usefixtures("mark")
MOVES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def on_terminal(folder: Path, *, out: bool) -> tuple[str, str]:
    """What a run writes on a terminal, and on stdout if that isn't one."""
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    with subprocess.Popen(
        (*ALPHA, "run", str(folder)),
        stdin=subprocess.DEVNULL,
        stdout=inner if out else subprocess.PIPE,
        stderr=inner,
        env={**os.environ, "TERM": "xterm"},
    ) as process:
        os.close(inner)
        drawn = bytearray()
        while True:
            try:
                drawn += os.read(outer, 1 << 16)
            except OSError:  # what a terminal says that nobody has open any more
                break
        os.close(outer)
        rest = process.stdout.read() if process.stdout is not None else b""
    assert process.returncode == 0, drawn
    return drawn.decode(), rest.decode()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three times a hundred rounds, with pauses in which there is something to be seen."""
    rounds = [[["rounds", at, at + 100, 2, 50], ["sleep", 0.4]] for at in (0, 100, 200)]
    actions = [*rounds[0], *rounds[1], *rounds[2], ["state", 0, 300, "00" * 8], ["end", 300]]
    path = tmp_path_factory.mktemp("live") / "built"
    return played_folder(path, [PlayedRole(actions)], [("w", 1)], ["loss", "more"], 300)


def test_the_rounds_of_a_moment_ago_are_drawn(folder: Path) -> None:
    """The last five of what has come; stdout gets what it gets in a pipe, and only that."""
    drawn, out = on_terminal(folder, out=False)
    plain = MOVES.sub("", drawn)
    for last in (100, 200, 300):
        rows = [rf" +{v} +{1.5 * v} +{1.5 * v + 0.5}\s+" for v in range(last - 5, last)]
        assert re.search("version +loss +more\\s+" + "".join(rows) + "rounds ", plain), plain
    assert not re.search(r"^ +94 ", plain, re.MULTILINE)
    versions = [line.split()[0] for line in out.splitlines()[2:-1]]
    assert versions == ["0", "1", "2", "5", "10", "20", "50", "100", "200", "299"]
    assert "learner played" not in drawn
    # In the end the place is empty: each line that was drawn is erased.
    last = drawn[drawn.rindex("rounds ") :]
    assert last.count("\x1b[1A\x1b[2K") == 7, last


def test_a_table_on_the_same_terminal_stays(folder: Path) -> None:
    """Its lines stand above what is drawn, and behind it."""
    drawn, _ = on_terminal(folder, out=True)
    lines = [line.strip() for line in MOVES.sub("\n", drawn).splitlines() if line.strip()]
    assert any(line.startswith("learner played: ") for line in lines)
    assert lines[-1].startswith("state sha256:")
    assert lines[-2].split()[0] == "299"
    assert any(re.fullmatch(r"200 +300\.0 +300\.5", line) for line in lines)
