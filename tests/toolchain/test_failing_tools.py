"""Tools that hang, fail, die or talk without end: they are ended, and what happened is told."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest
from toolchain.stand_ins import gnu_folder, write_program

from alpha.backends.toolchain.assembling import assemble, link_library
from alpha.backends.toolchain.failures import TextRejected, ToolFailure
from alpha.backends.toolchain.finding import Toolchain, find_toolchain
from alpha.backends.toolchain.machines import MACHINES
from alpha.backends.toolchain.processes import OUTPUT_BYTES_MAX, run


def stand_in(folder: Path, body: str) -> Toolchain:
    path = f"{gnu_folder(folder, body)}:/usr/bin:/bin"
    return find_toolchain(MACHINES["x86-64"], {"PATH": path, "ALPHA_BINUTILS_X86_64": ""})


def gone(number: int) -> bool:
    """Whether a process has ended, or is a zombie that nobody has waited for yet."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


@pytest.mark.parametrize("end", ["wait", "exit 0"])
def test_a_tool_that_hangs_is_ended_with_its_children(tmp_path: Path, kept: Path, end: str) -> None:
    numbers = tmp_path / "numbers"
    body = f"sleep 600 & echo $$ $! > {numbers}.new; mv {numbers}.new {numbers}; {end}"
    chain = stand_in(tmp_path / "bin", body)
    start = time.monotonic()
    with pytest.raises(ToolFailure, match=r"was ended, since it took more than 1\.5 s"):
        assemble("", chain, 1.5) if end == "wait" else link_library([b""], chain, 1.5)
    assert time.monotonic() - start < 20
    until = time.monotonic() + 10
    children = [int(number) for number in numbers.read_text().split()]
    assert len(children) == 2
    while not all(map(gone, children)) and time.monotonic() < until:
        time.sleep(0.01)
    assert all(map(gone, children))
    assert not list(kept.iterdir())


def test_a_tool_that_is_ended_by_a_signal(tmp_path: Path, kept: Path) -> None:
    with pytest.raises(ToolFailure, match=r"as of GNU as and ld 2\.40 .* ended with SIGKILL"):
        assemble("", stand_in(tmp_path, "kill -KILL $$"))
    assert not list(kept.iterdir())


def test_a_tool_that_fails_or_makes_nothing(tmp_path: Path, kept: Path) -> None:
    for body, said in (("echo no room >&2; exit 9", "no room"), ("exit 0", "nothing")):
        with pytest.raises(TextRejected, match=f"and says:\n  {said}"):
            assemble("", stand_in(tmp_path, body))


def test_a_tool_that_is_gone(tmp_path: Path, kept: Path) -> None:
    chain = stand_in(tmp_path, "")
    (tmp_path / "as").unlink()
    with pytest.raises(ToolFailure, match="can't be started: No such file"):
        assemble("", chain)


def test_output_without_end_is_bounded(tmp_path: Path) -> None:
    program = write_program(tmp_path / "talk", "exec yes")
    ended = run([str(program)], tmp_path, 0.5, dict(os.environ))
    assert not ended.in_time and ended.manner == "SIGKILL"
    assert 0 < len(ended.output) <= OUTPUT_BYTES_MAX


def test_a_process_that_closes_its_output_is_waited_for(tmp_path: Path) -> None:
    program = write_program(tmp_path / "silent", "exec >&- 2>&-; sleep 0.3; exit 5")
    ended = run([str(program)], tmp_path, 20.0, dict(os.environ))
    assert (ended.status, ended.in_time, ended.manner) == (5, True, "exit status 5")
    program = write_program(tmp_path / "silent", "exec >&- 2>&-; sleep 60")
    assert not run([str(program)], tmp_path, 0.3, dict(os.environ)).in_time


def test_an_interrupt_ends_the_tool_too(tmp_path: Path) -> None:
    numbers = tmp_path / "numbers"
    program = write_program(tmp_path / "slow", f"echo $$ > {numbers}; exec sleep 600")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 1.0)
    try:
        with pytest.raises(KeyboardInterrupt):
            run([str(program)], tmp_path, 60.0, dict(os.environ))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert gone(int(numbers.read_text()))


def test_what_nobody_is_left_to_end_has_bounded_time(tmp_path: Path) -> None:
    script = "while [ $(ulimit -t) = unlimited ]; do :; done; ulimit -t"
    ended = run(["/bin/sh", "-c", script], tmp_path, 10.0, {})
    assert ended.in_time
    assert int(ended.output) == 10 * (os.cpu_count() or 1) + 1
