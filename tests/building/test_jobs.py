"""Processes that share jobs: their results come in order, and none of them outlives the context."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from alpha.tools.building.jobs import Jobs, processors

HERE = os.getpid()


def _squared(number: int) -> bytes:
    return b"%d" % number**2


@pytest.mark.parametrize("processes", [1, 2, 3, 100])
@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_results_come_in_the_order_of_the_jobs(count: int, processes: int) -> None:
    jobs = [partial(_squared, number) for number in range(count)]
    with Jobs(jobs, processes) as jobs_done:
        assert jobs_done.results() == [_squared(number) for number in range(count)]


def test_jobs_are_done_beside_this_process() -> None:
    def slow() -> bytes:
        time.sleep(0.05)
        return b"%d" % os.getpid()

    with Jobs([slow] * 6, 3) as jobs_done:
        found = set(jobs_done.results())
    assert len(found) == 3 and b"%d" % HERE in found


def test_they_begin_at_once(tmp_path: Path) -> None:
    def mark() -> bytes:
        (tmp_path / "begun").touch()
        return b""

    with Jobs([mark], 2):
        until = time.monotonic() + 20
        while not (tmp_path / "begun").exists():
            assert time.monotonic() < until
            time.sleep(0.01)


def test_an_error_is_raised_as_if_there_were_no_others() -> None:
    def wrong() -> bytes:
        raise ValueError("this job")

    for processes in (1, 2, 4):
        jobs = [wrong, partial(_squared, 2)]
        with Jobs(jobs, processes) as jobs_done, pytest.raises(ValueError, match="this job"):
            jobs_done.results()


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_what_a_process_that_was_ended_had_begun_is_done_here(kind: signal.Signals) -> None:
    def ended() -> bytes:
        if os.getpid() != HERE:
            os.kill(os.getpid(), kind)
            time.sleep(20)
        return b"here"

    with Jobs([ended] * 3, 4) as jobs_done:
        assert jobs_done.results() == [b"here"] * 3


def _endless(folder: Path) -> bytes:
    (folder / str(os.getpid())).touch()
    if os.getpid() != HERE:
        time.sleep(600)
    raise KeyboardInterrupt


@pytest.mark.parametrize("take", [lambda given: given.results(), lambda given: None])
def test_no_process_outlives_the_context(take: Callable[[Jobs], object], tmp_path: Path) -> None:
    begun = time.monotonic()
    jobs = [partial(_endless, tmp_path)] * 3
    with pytest.raises(KeyboardInterrupt), Jobs(jobs, 3) as jobs_done:
        take(jobs_done)
        raise KeyboardInterrupt
    for path in tmp_path.iterdir():
        if int(path.name) != HERE:
            with pytest.raises(ProcessLookupError):
                os.kill(int(path.name), 0)
    assert time.monotonic() - begun < 20


def test_a_result_that_cannot_be_written_is_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(self: Path, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", no_room)
    with Jobs([partial(_squared, 3)] * 4, 3) as jobs_done:
        assert jobs_done.results() == [b"9"] * 4


def test_files_are_gone_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = set(os.listdir("/proc/self/fd"))
    with Jobs([partial(_squared, 3)] * 4, 3) as jobs_done:
        assert len(list(tmp_path.iterdir())) == 1
        jobs_done.results()
    assert list(tmp_path.iterdir()) == []
    assert len(set(os.listdir("/proc/self/fd"))) == len(before)


def _busy(begun: Path) -> bytes:
    """A job as the making of an object is: a tool that works in a folder of its own."""
    if os.getpid() == HERE:
        return b""
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(["sleep", "600"]) as tool:
        (begun / f"{tool.pid}").write_text(folder)
        try:
            tool.wait()
        finally:
            tool.kill()
    return b""


def _stubborn(begun: Path) -> bytes:
    if os.getpid() != HERE:
        for kind in (signal.SIGTERM, signal.SIGINT):
            signal.signal(kind, signal.SIG_IGN)
        folder = tempfile.mkdtemp()
        (begun / f"{os.getpid()}").write_text(folder)
        time.sleep(600)
    return b""


@pytest.mark.parametrize("job", [_busy, _stubborn])
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM, None])
def test_what_a_process_has_begun_is_gone(
    job: Callable[[Path], bytes],
    kind: signal.Signals | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its tool and its files, where it is told first, and where it hears of the end alone."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr("alpha.tools.building.jobs.GRACE_SECONDS", 1.0 if job is _stubborn else 30)
    (tmp_path / "temporary").mkdir()
    begun = tmp_path / "begun"
    begun.mkdir()
    with Jobs([partial(job, begun)], 2) as jobs:
        while not (found := [path for path in begun.iterdir() if path.read_text()]):
            time.sleep(0.01)
        if kind is not None:
            os.kill(jobs.children[0], kind)
    with pytest.raises(ProcessLookupError):
        os.kill(int(found[0].name), 0)
    assert list((tmp_path / "temporary").iterdir()) == []


def test_signals_are_as_before() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    handler = signal.getsignal(signal.SIGINT)
    with Jobs([partial(_squared, 3)] * 4, 3) as jobs_done:
        jobs_done.results()
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before
    assert signal.getsignal(signal.SIGINT) is handler
    assert processors() >= 1
