"""The streams of the runtime: what passes through pipes, files and devices, and how they end."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import resource
import select
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from routines.library import MACHINES
from routines.remote import FAR, OVERDUE, Remote, after

PIPE_BUF = 4096
SECONDS_MAX = 20.0
SIZES = (0, 1, PIPE_BUF - 1, PIPE_BUF, PIPE_BUF + 1, 300_001)
DATA = np.random.default_rng(6).bytes(max(SIZES))

both = pytest.mark.parametrize("machine", MACHINES)


@contextlib.contextmanager
def pipe(size: int | None = None, blocks: bool = True) -> Iterator[tuple[int, int]]:
    """The two ends of a pipe, from which bytes come and into which they go."""
    out, into = os.pipe()
    try:
        if size:
            fcntl.fcntl(into, fcntl.F_SETPIPE_SZ, size)
        os.set_blocking(out, blocks)
        os.set_blocking(into, blocks)
        yield out, into
    finally:
        for end in (out, into):
            with contextlib.suppress(OSError):
                os.close(end)


def read_all(descriptor: int, size: int, few: int = 65536, pause: float = 0.0) -> bytes:
    """Bytes of a descriptor, a few at a time, with pauses in seconds."""
    data = b""
    while len(data) < size:
        time.sleep(pause)
        assert select.select([descriptor], [], [], SECONDS_MAX)[0]
        with contextlib.suppress(BlockingIOError):
            more = os.read(descriptor, min(few, size - len(data)))
            assert more
            data += more
    return data


def write_all(descriptor: int, data: bytes, few: int = 65536, pause: float = 0.0) -> None:
    """Give a descriptor bytes, a few at a time, with pauses in seconds."""
    while data:
        time.sleep(pause)
        assert select.select([], [descriptor], [], SECONDS_MAX)[1]
        with contextlib.suppress(BlockingIOError):
            data = data[os.write(descriptor, data[:few]) :]


@both
@pytest.mark.parametrize("blocks", [True, False])
def test_all_bytes_are_written(machine: str, blocks: bool) -> None:
    with pipe(PIPE_BUF, blocks) as (out, into), Remote(machine, passed=(into,)) as remote:
        remote.store(64, DATA)
        for size in SIZES:
            remote.begin("alpha_write", into, 64, size, after(20))
            assert read_all(out, size) == DATA[:size]
            assert remote.result() == size
        assert remote.fetch(64, len(DATA)) == DATA


@both
@pytest.mark.parametrize("blocks", [True, False])
def test_all_bytes_are_read(machine: str, blocks: bool) -> None:
    with pipe(PIPE_BUF, blocks) as (out, into), Remote(machine, passed=(out,)) as remote:
        for size in SIZES:
            remote.store(64, bytes(size + 8))
            remote.begin("alpha_read", out, 64, size, after(20))
            write_all(into, DATA[:size])
            assert remote.result() == size
            assert remote.fetch(64, size + 8) == DATA[:size] + bytes(8)


@both
def test_bytes_that_come_one_by_one(machine: str) -> None:
    with pipe() as (out, into), Remote(machine, passed=(out,)) as remote:
        remote.begin("alpha_read", out, 64, 200, after(20))
        for at in range(200):
            assert not remote.ready(0.0002)
            os.write(into, DATA[at : at + 1])
        assert remote.result() == 200
        assert remote.fetch(64, 200) == DATA[:200]


@both
def test_writes_that_take_a_part(machine: str) -> None:
    """A socket takes what fits, where a pipe takes all or nothing of so few bytes."""
    near, far = socket.socketpair()
    with near, far, Remote(machine, passed=(near.fileno(),)) as remote:
        near.setblocking(False)
        near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)
        remote.store(64, DATA)
        remote.begin("alpha_write", near.fileno(), 64, 100_001, after(20))
        assert read_all(far.fileno(), 100_001, 777) == DATA[:100_001]
        assert remote.result() == 100_001


@both
def test_not_a_byte_more_is_read(machine: str) -> None:
    with pipe() as (out, into), Remote(machine, passed=(out,)) as remote:
        os.write(into, b"0123456789")
        assert remote.call("alpha_read", out, 64, 4, FAR) == 4
        assert remote.call("alpha_read", out, 72, 0, FAR) == 0
        assert remote.fetch(64, 16) == b"0123" + bytes(12)
        assert os.read(out, 100) == b"456789"
        # Nor when some of the bytes have come before the others.
        remote.begin("alpha_read", out, 64, 4, FAR)
        os.write(into, b"01")
        assert not remote.ready(0.01)
        os.write(into, b"23456789")
        assert remote.result() == 4
        assert os.read(out, 100) == b"456789"


@both
def test_the_stream_ends_early(machine: str) -> None:
    with pipe() as (out, into), Remote(machine, passed=(out,)) as remote:
        os.write(into, b"012")
        remote.begin("alpha_read", out, 64, 4, FAR)
        assert not remote.ready(0.02)
        os.close(into)
        assert remote.result() == 3
        assert remote.fetch(64, 4) == b"012\0"
        assert remote.call("alpha_read", out, 64, 4, FAR) == 0


@both
def test_nothing_comes_before_the_deadline(machine: str) -> None:
    with pipe() as (out, into), Remote(machine, passed=(out,)) as remote:
        os.write(into, b"012")
        deadline = after(0.05)
        assert remote.call("alpha_read", out, 64, 4, deadline) == OVERDUE
        assert time.monotonic_ns() >= deadline
        os.write(into, b"3")
        assert remote.call("alpha_read", out, 64, 1, deadline) == OVERDUE
        # Nothing is waited for, so no time is needed.
        assert remote.call("alpha_read", out, 64, 0, deadline) == 0


@both
@pytest.mark.parametrize("blocks", [True, False])
def test_nobody_reads_before_the_deadline(machine: str, blocks: bool) -> None:
    with pipe(PIPE_BUF, blocks) as (out, into), Remote(machine, passed=(into,)) as remote:
        remote.store(64, DATA)
        deadline = after(0.05)
        assert remote.call("alpha_write", into, 64, 2 * PIPE_BUF, deadline) == OVERDUE
        assert time.monotonic_ns() >= deadline
        assert remote.call("alpha_write", into, 64, 0, deadline) == 0
        assert read_all(out, PIPE_BUF) == DATA[:PIPE_BUF]
        assert remote.call("alpha_write", into, 64, 1, deadline) == OVERDUE
        assert remote.call("alpha_write", into, 64, 1, after(5)) == 1


@both
def test_a_reader_that_is_as_slow_as_it_can_be(machine: str) -> None:
    with pipe(PIPE_BUF) as (out, into), Remote(machine, passed=(into,)) as remote:
        remote.store(64, DATA)
        deadline = after(0.1)
        remote.begin("alpha_write", into, 64, len(DATA), deadline)
        while not remote.ready(0.001):
            os.read(out, 1)
        assert remote.result() == OVERDUE


@both
def test_who_writes_where_nobody_reads_is_killed_or_told(machine: str) -> None:
    with pipe() as (out, into):
        os.close(out)
        with Remote(machine, passed=(into,)) as remote:
            remote.begin("alpha_write", into, 64, 1, FAR)
            assert remote.process.wait(20) == -signal.SIGPIPE
        with Remote(machine, passed=(into,)) as remote:
            assert remote.call("alpha_ignore_signal", signal.SIGPIPE) == 0
            assert remote.call("alpha_write", into, 64, 1, FAR) == -errno.EPIPE
            assert remote.call("alpha_ignore_signal", signal.SIGPIPE) == 0
            assert remote.call("alpha_ignore_signal", signal.SIGKILL) == -errno.EINVAL
            status = Path(f"/proc/{remote.process.pid}/status").read_text(encoding="ascii")
            (line,) = (line for line in status.splitlines() if line.startswith("SigIgn:"))
            assert int(line.split()[1], 16) >> (signal.SIGPIPE - 1) & 1


@both
def test_who_writes_a_file_that_is_too_large_is_killed_or_told(
    machine: str, tmp_path: Path
) -> None:
    """What fits is written, and then nothing more."""
    limit = (resource.RLIMIT_FSIZE, (PIPE_BUF + 7, PIPE_BUF + 7))
    for ignoring in (False, True):
        file = tmp_path / f"file-{ignoring}"
        with (
            open(file, "wb") as into,
            Remote(
                machine, passed=(into.fileno(),), before=lambda: resource.setrlimit(*limit)
            ) as remote,
        ):
            if ignoring:
                assert remote.call("alpha_ignore_signal", signal.SIGXFSZ) == 0
                result = remote.call("alpha_write", into.fileno(), 64, 2 * PIPE_BUF, FAR)
                assert result == -errno.EFBIG
            else:
                remote.begin("alpha_write", into.fileno(), 64, 2 * PIPE_BUF, FAR)
                assert remote.process.wait(20) == -signal.SIGXFSZ
        assert file.stat().st_size == PIPE_BUF + 7


@both
def test_the_reader_leaves_in_the_middle(machine: str) -> None:
    with pipe(PIPE_BUF) as (out, into), Remote(machine, passed=(into,)) as remote:
        assert remote.call("alpha_ignore_signal", signal.SIGPIPE) == 0
        remote.begin("alpha_write", into, 64, 3 * PIPE_BUF, FAR)
        assert not remote.ready(0.02)
        os.close(out)
        assert remote.result() == -errno.EPIPE


@both
def test_files_and_devices(machine: str, tmp_path: Path) -> None:
    file = tmp_path / "data"
    file.write_bytes(b"")
    places = [(file, os.O_RDWR), (tmp_path, os.O_RDONLY)]
    places += [(Path("/dev", name), os.O_RDWR) for name in ("full", "null", "zero")]
    held = [os.open(place, flags) for place, flags in places]
    data, folder, full, null, zero = held
    try:
        with Remote(machine, passed=held) as remote:
            remote.store(64, DATA)
            assert remote.call("alpha_write", data, 64, 300_001, FAR) == 300_001
            assert file.read_bytes() == DATA
            os.lseek(data, 300_000, os.SEEK_SET)
            assert remote.call("alpha_read", data, 0, 8, FAR) == 1
            assert remote.fetch(0, 1) == DATA[-1:]
            assert remote.call("alpha_write", full, 64, 1, FAR) == -errno.ENOSPC
            assert remote.call("alpha_write", null, 64, 100_000, FAR) == 100_000
            assert remote.call("alpha_read", null, 64, 8, FAR) == 0
            assert remote.call("alpha_read", zero, 64, 100_000, FAR) == 100_000
            assert remote.fetch(64, 100_008) == bytes(100_000) + DATA[100_000:100_008]
            assert remote.call("alpha_read", folder, 64, 8, FAR) == -errno.EISDIR
            assert remote.call("alpha_write", folder, 64, 8, FAR) == -errno.EBADF
            for name in ("alpha_read", "alpha_write"):
                assert remote.call(name, max(remote.descriptors()) + 1, 64, 8, FAR) == -errno.EBADF
                assert remote.call(name, -1, 64, 8, after(0.01)) == OVERDUE
    finally:
        for descriptor in held:
            os.close(descriptor)


@both
def test_signals_lose_no_byte(machine: str) -> None:
    with (
        pipe(PIPE_BUF) as (out, into),
        pipe(PIPE_BUF) as (back, again),
        Remote(machine, passed=(into, back)) as remote,
    ):
        remote.store(64, DATA)
        read: list[bytes] = []
        thread = threading.Thread(target=lambda: read.append(read_all(out, len(DATA), 3000, 0.001)))
        thread.start()
        remote.begin("alpha_write", into, 64, len(DATA), after(20))
        assert remote.result_in_a_storm(15.0) == len(DATA)
        thread.join()
        assert read == [DATA]
        remote.store(64, bytes(len(DATA)))
        remote.begin("alpha_read", back, 64, len(DATA), after(20))
        thread = threading.Thread(target=write_all, args=(again, DATA, 3000, 0.001))
        thread.start()
        assert remote.result_in_a_storm(15.0) == len(DATA)
        thread.join()
        assert remote.fetch(64, len(DATA)) == DATA
