"""The line with which a role ends: its pieces, its bounds, how it is written, and the status."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from routines.executables import built, command_of
from routines.library import MACHINES

from alpha.interpreters.participants.failures import MEANINGS, explain

LINE_BYTES = 2047

OF_FILES = {
    *(errno.EACCES, errno.EBADMSG, errno.EBUSY, errno.EDQUOT, errno.EEXIST, errno.EFBIG),
    *(errno.EILSEQ, errno.EIO, errno.EKEYEXPIRED, errno.ELOOP, errno.EMLINK, errno.ENAMETOOLONG),
    *(errno.ENODATA, errno.ENOKEY, errno.ENOLINK, errno.ENOMEDIUM, errno.ENOSPC, errno.ENOSYS),
    *(errno.ENOTEMPTY, errno.EPERM, errno.EREMOTEIO, errno.EROFS, errno.ESTALE, errno.ETXTBSY),
    *(errno.EUCLEAN, errno.EXDEV),
}
"""What file systems and the disks below them give, beside what the calls of an edge do."""

DECLARATIONS = """
func.func private @alpha_set_role(i64)
func.func private @alpha_say(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_number(i64)
func.func private @alpha_say_seconds(i64)
func.func private @alpha_say_hex(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_error(i64)
func.func private @alpha_say_refused(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_lost(i64)
func.func private @alpha_say_overdue()
func.func private @alpha_say_failed()
func.func private @alpha_end(i64)
"""


def said(machine: str, body: str, folder: Path) -> tuple[int, bytes]:
    """The status and the stderr of a main function with this body."""
    main = f"{DECLARATIONS}func.func @test_main() {{\n{body}\nfunc.return\n}}\n"
    command = command_of(machine, built(machine, main, folder, "line"))
    ended = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert ended.stdout == b""
    return ended.returncode, ended.stderr


def text(content: str, number: int = 0) -> str:
    """Code that says a text."""
    return f"""
%at{number}, %size{number} = linux.text "{content}"
func.call @alpha_say(%at{number}, %size{number}) : (!ptr_xdsl.ptr, i64) -> ()
"""


def constant(name: str, value: int) -> str:
    """Code that defines a number."""
    return f"%{name} = arith.constant {value} : i64\n"


@pytest.mark.parametrize("machine", MACHINES)
def test_every_kind_of_line(machine: str, tmp_path: Path) -> None:
    refused = """
%code, %bytes = linux.text "frame-edge"
func.call @alpha_say_refused(%code, %bytes) : (!ptr_xdsl.ptr, i64) -> ()
"""
    kinds = {
        "refused frame-edge: ": refused,
        "lost role 12: ": constant("p", 12) + "func.call @alpha_say_lost(%p) : (i64) -> ()",
        "overdue: ": "func.call @alpha_say_overdue() : () -> ()",
        "failed: ": "func.call @alpha_say_failed() : () -> ()",
    }
    for status, (begins, code) in enumerate(kinds.items(), 2):
        body = constant("r", 1999) + "func.call @alpha_set_role(%r) : (i64) -> ()\n"
        # What was said before a line begins isn't part of it.
        body += text("nothing", 1) + code + text("too bad", 2)
        body += constant("s", status) + "func.call @alpha_end(%s) : (i64) -> ()"
        wanted = f"alpha: role 1999: {begins}too bad\n".encode()
        assert said(machine, body, tmp_path) == (status, wanted)


@pytest.mark.parametrize("machine", MACHINES)
def test_numbers_and_bytes(machine: str, tmp_path: Path) -> None:
    numbers = (0, 1, 9, 10, 99, 100, 12345678901234567890, (1 << 64) - 1, 1 << 63)
    body = ""
    for at, number in enumerate(numbers):
        body += constant(f"n{at}", number) + f"func.call @alpha_say_number(%n{at}) : (i64) -> ()\n"
        body += text(" ", at)
    body += """
%data, %bytes = linux.text "\\00\\09\\0A\\7F"
func.call @alpha_say_hex(%data, %bytes) : (!ptr_xdsl.ptr, i64) -> ()
"""
    body += constant("s", 0) + "func.call @alpha_end(%s) : (i64) -> ()"
    wanted = "".join(f"{number} " for number in numbers) + "00090a7f\n"
    assert said(machine, body, tmp_path) == (0, wanted.encode())


@pytest.mark.parametrize("machine", MACHINES)
def test_times_are_said_as_the_interpreter_says_them(machine: str, tmp_path: Path) -> None:
    times = (0, 1, 500_000_000, 1_250_000_000, 60_000_000_000, 604_800_000_000_000, 1_000_000)
    body = ""
    for at, time_ in enumerate(times):
        body += constant(f"n{at}", time_) + f"func.call @alpha_say_seconds(%n{at}) : (i64) -> ()\n"
        body += text(" ", at)
    body += constant("s", 0) + "func.call @alpha_end(%s) : (i64) -> ()"
    wanted = "0 0.000000001 0.5 1.25 60 604800 0.001 \n"
    assert said(machine, body, tmp_path) == (0, wanted.encode())


@pytest.mark.parametrize("machine", MACHINES)
def test_a_line_has_bounds(machine: str, tmp_path: Path) -> None:
    """What is too long is cut, and what is said afterwards changes nothing."""
    long = "".join(chr(33 + n % 90) for n in range(800)).replace("\\", "/").replace('"', "'")
    body = "".join(text(long, n) for n in range(4)) + constant("n", 7)
    body += "func.call @alpha_say_number(%n) : (i64) -> ()\n"
    body += constant("s", 255) + "func.call @alpha_end(%s) : (i64) -> ()"
    wanted = (long * 4)[:LINE_BYTES] + "\n"
    assert said(machine, body, tmp_path) == (255, wanted.encode())


@pytest.mark.parametrize("machine", MACHINES)
def test_errors_have_the_names_that_the_interpreter_says(machine: str, tmp_path: Path) -> None:
    numbers = sorted({number for _, number in MEANINGS} | OF_FILES)
    parts = [numbers[at : at + 20] for at in range(0, len(numbers), 20)]
    for part in parts:
        body = ""
        for at, number in enumerate(part):
            body += constant(f"n{at}", number)
            body += f"func.call @alpha_say_error(%n{at}) : (i64) -> ()\n" + text(";", at)
        body += constant("s", 5) + "func.call @alpha_end(%s) : (i64) -> ()"
        wanted = "".join(f"{explain(number)};" for number in part) + "\n"
        assert said(machine, body, tmp_path) == (5, wanted.encode())
    unknown = constant("n", errno.EL2HLT) + "func.call @alpha_say_error(%n) : (i64) -> ()\n"
    unknown += constant("s", 5) + "func.call @alpha_end(%s) : (i64) -> ()"
    assert said(machine, unknown, tmp_path) == (5, f"{errno.EL2HLT}, an error\n".encode())


@pytest.mark.parametrize("machine", MACHINES)
def test_nobody_reads_and_the_status_is_the_same(machine: str, tmp_path: Path) -> None:
    body = text("gone") + constant("s", 4) + "func.call @alpha_end(%s) : (i64) -> ()"
    main = f"{DECLARATIONS}func.func @test_main() {{\n{body}\nfunc.return\n}}\n"
    command = command_of(machine, built(machine, main, tmp_path, "line"))
    with open("/dev/full", "wb") as full:
        assert subprocess.run(command, stderr=full, timeout=60, check=False).returncode == 4
    closed = subprocess.run(
        ["/bin/sh", "-c", 'exec 2>&-; exec "$@"', "sh", *command], timeout=60, check=False
    )
    assert closed.returncode == 4


@pytest.mark.parametrize("machine", MACHINES)
def test_a_line_goes_on_behind_a_stop(machine: str, tmp_path: Path) -> None:
    """The pipe is full, the process is stopped and goes on, and then somebody reads."""
    body = text("late") + constant("s", 3) + "func.call @alpha_end(%s) : (i64) -> ()"
    main = f"{DECLARATIONS}func.func @test_main() {{\n{body}\nfunc.return\n}}\n"
    command = command_of(machine, built(machine, main, tmp_path, "line"))
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    filled = 0
    try:
        while True:
            filled += os.write(writing, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(writing, True)
    process = subprocess.Popen(command, stderr=writing)
    os.close(writing)
    for _ in range(3):
        time.sleep(0.05)
        process.send_signal(signal.SIGSTOP)
        process.send_signal(signal.SIGCONT)
    with open(reading, "rb") as file:
        assert file.read() == b"x" * filled + b"late\n"
    assert process.wait(60) == 3
