"""The memory of a participant, and what it hears of streams that nobody reads."""

from __future__ import annotations

import errno
import os
import resource
import signal
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from routines.executables import command_of
from routines.library import MACHINES
from routines.refusing_calls import Failing, install
from routines.starting import line, participant, started

from alpha.backends.toolchain.machines import host_machine

both = pytest.mark.parametrize("machine", MACHINES)


@both
@pytest.mark.parametrize("handling", [signal.SIG_DFL, signal.SIG_IGN])
def test_writing_where_nobody_reads_is_an_error(
    machine: str, handling: signal.Handlers, tmp_path: Path
) -> None:
    body = """
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %eight = arith.constant 8 : i64
  %c0 = arith.constant 0 : index
  %held = memref.alloca() : memref<1xi64>
  %at = ptr_xdsl.to_ptr %held : memref<1xi64> -> !ptr_xdsl.ptr
  %n = linux.syscall "write"(%one, %at, %eight) : (i64, !ptr_xdsl.ptr, i64) -> i64
  memref.store %n, %held[%c0] : memref<1xi64>
  %m = linux.syscall "write"(%two, %at, %eight) : (i64, !ptr_xdsl.ptr, i64) -> i64
"""
    file = participant(machine, body, tmp_path / "one")
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as nowhere:
        ended = subprocess.run(
            command_of(machine, file),
            stdout=nowhere,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
            preexec_fn=lambda: signal.signal(signal.SIGPIPE, handling),
        )
    assert ended.returncode == 0
    assert struct.unpack("<q", ended.stderr)[0] == -errno.EPIPE


@both
@pytest.mark.parametrize("handling", [signal.SIG_DFL, signal.SIG_IGN])
def test_writing_too_large_a_file_is_an_error(
    machine: str, handling: signal.Handlers, tmp_path: Path
) -> None:
    body = """
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %eight = arith.constant 8 : i64
  %c0 = arith.constant 0 : index
  %held = memref.alloca() : memref<1xi64>
  %at = ptr_xdsl.to_ptr %held : memref<1xi64> -> !ptr_xdsl.ptr
  %n = linux.syscall "write"(%one, %at, %eight) : (i64, !ptr_xdsl.ptr, i64) -> i64
  %m = linux.syscall "write"(%one, %at, %eight) : (i64, !ptr_xdsl.ptr, i64) -> i64
  memref.store %m, %held[%c0] : memref<1xi64>
  %k = linux.syscall "write"(%two, %at, %eight) : (i64, !ptr_xdsl.ptr, i64) -> i64
"""
    file = participant(machine, body, tmp_path / "one")

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, handling)
        resource.setrlimit(resource.RLIMIT_FSIZE, (8, 8))

    with open(tmp_path / "out", "wb") as out:
        ended = subprocess.run(
            command_of(machine, file),
            stdout=out,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
            preexec_fn=limit,
        )
    assert ended.returncode == 0
    assert struct.unpack("<q", ended.stderr)[0] == -errno.EFBIG
    assert (tmp_path / "out").stat().st_size == 8


def test_signals_that_cannot_be_ignored(seeing: dict[str, Path]) -> None:
    host = host_machine()
    assert host is not None
    for name in ("SIGPIPE", "SIGXFSZ"):
        number = getattr(signal, name)
        calls = [Failing("rt_sigaction", errno.EINVAL, arguments=((0, number),))]
        said = f"failed: EINVAL, Invalid argument, while {name} was to be ignored"
        found = started(host.name, seeing[host.name], before=lambda calls=calls: install(calls))
        assert found == (5, b"", line(said))


def test_a_line_that_nobody_reads_changes_no_status(seeing: dict[str, Path]) -> None:
    for machine in MACHINES:
        reading, writing = os.pipe()
        os.close(reading)
        with open(writing, "wb") as nowhere:
            command = (*command_of(machine, seeing[machine]), "--odd")
            ended = subprocess.run(command, stderr=nowhere, timeout=60, check=False)
        assert ended.returncode == 2


def arena(size: int) -> str:
    """What a role does that gives where its memory is, whether it is of zeros, and then uses it."""
    return f"""
  %size = arith.constant {size} : i64
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %arena = func.call @alpha_arena(%size) : (i64) -> !ptr_xdsl.ptr
  %any = scf.for %i = %none to %size step %one iter_args(%so_far = %none) -> (i64) : i64 {{
    %at = ptr_xdsl.ptradd %arena, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %byte = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i8
    %wide = arith.extui %byte : i8 to i64
    %sum = arith.ori %so_far, %wide : i64
    %all = arith.constant -1 : i8
    ptr_xdsl.store %all, %at : i8, !ptr_xdsl.ptr
    scf.yield %sum : i64
  }}
  func.call @give_address(%arena) : (!ptr_xdsl.ptr) -> ()
  func.call @give_word(%any) : (i64) -> ()
"""


@both
@pytest.mark.parametrize("size", [0, 1, 4096, 4097, 1 << 20])
def test_memory_of_zeros(machine: str, size: int, tmp_path: Path) -> None:
    file = participant(machine, arena(size), tmp_path / "one")
    status, out, err = started(machine, file)
    assert (status, err) == (0, b"")
    address, any_bits = struct.unpack("<2Q", out)
    assert address
    assert address % 4096 == 0
    assert any_bits == 0


@both
@pytest.mark.parametrize("size", [-1, -4096, 1 << 63, 1 << 62, 1 << 48])
def test_memory_that_is_not_to_be_had(machine: str, size: int, tmp_path: Path) -> None:
    file = participant(
        machine, arena(size if size < 1 << 63 else size - (1 << 64)), tmp_path / "one"
    )
    said = line(f"failed: out of memory: unable to allocate {size % (1 << 64)} bytes")
    assert started(machine, file) == (5, b"", said)


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A participant of this host that has a gigabyte, has touched little of it, and pauses."""
    host = host_machine()
    assert host is not None
    body = f"""
  %size = arith.constant {1 << 30} : i64
  %far = arith.constant {1 << 29} : i64
  %word = arith.constant 1 : i64
  %arena = func.call @alpha_arena(%size) : (i64) -> !ptr_xdsl.ptr
  %at = ptr_xdsl.ptradd %arena, %far : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  ptr_xdsl.store %word, %at : i64, !ptr_xdsl.ptr
  func.call @give_address(%arena) : (!ptr_xdsl.ptr) -> ()
  func.call @pause() : () -> ()
"""
    file = participant(host.name, body, tmp_path / "one")
    with subprocess.Popen([file], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process


def test_memory_that_is_not_touched_takes_no_room(waiting: subprocess.Popen[bytes]) -> None:
    assert waiting.stdout is not None
    assert waiting.stdin is not None
    assert len(waiting.stdout.read(8)) == 8
    lines = Path(f"/proc/{waiting.pid}/status").read_text(encoding="utf-8").splitlines()
    held = next(int(each.split()[1]) for each in lines if each.startswith("VmRSS:"))
    # Of one huge page at most.
    assert held < 3072
    assert waiting.poll() is None
    waiting.stdin.close()
    assert waiting.wait(20) == 0


def test_a_limit_on_memory_is_told_at_once(tmp_path: Path) -> None:
    host = host_machine()
    assert host is not None
    size = 1 << 26
    file = participant(host.name, arena(size), tmp_path / "one")
    said = line(f"failed: out of memory: unable to allocate {size} bytes")
    limits = (size // 2, size // 2)
    found = started(host.name, file, before=lambda: resource.setrlimit(resource.RLIMIT_AS, limits))
    assert found == (5, b"", said)
