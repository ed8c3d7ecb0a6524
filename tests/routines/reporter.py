"""A process that reports what a test tells it to, command by command on its standard input.

Entry: `executable`, `Reporter`, `REPORTS`.
"""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from routines.executables import built, command_of

from alpha.interpreters.participants.reports import OBSERVATION, PROGRESS, Record

ROLE = 7
SECONDS_MAX = 60
ARENA_BYTES = 1 << 23
SESSION, WAIT = 3600.0, 20.0

BEGIN, PROGRESSED, OBSERVED, FILLED, PUBLISHED, ENDED, ROUND, FAILED, STORED = range(9)
"""The commands."""

MAIN = """
func.func private @alpha_now() -> i64
func.func private @alpha_read(i64, !ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_ignore_signal(i64) -> i64
func.func private @alpha_set_role(i64)
func.func private @alpha_set_bounds(i64, i64)
func.func private @alpha_set_session_length(i64)
func.func private @alpha_report_progress(i64)
func.func private @alpha_report_observation(i64, i64, i64, !ptr_xdsl.ptr, i64)
func.func private @alpha_report_state(i64, i64, !ptr_xdsl.ptr, i64)
func.func private @alpha_report_end(i64)
func.func private @alpha_report_stored(i64)
func.func private @alpha_round()
func.func private @alpha_say_failed()
func.func private @alpha_say(!ptr_xdsl.ptr, i64)
func.func private @alpha_end(i64)
"memref.global"() <{sym_name = "arena", sym_visibility = "private", initial_value,
  type = memref<ARENAxi8>}> : () -> ()
func.func @test_main() {
  %command = memref.alloca() : memref<8xi64>
  %at = ptr_xdsl.to_ptr %command : memref<8xi64> -> !ptr_xdsl.ptr
  %bytes = memref.get_global @arena : memref<ARENAxi8>
  %arena = ptr_xdsl.to_ptr %bytes : memref<ARENAxi8> -> !ptr_xdsl.ptr
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i64
  %offset = arith.constant 40 : i64
  %size = arith.constant 64 : i64
  %far = arith.constant 9223372036854775807 : i64
  %role = arith.constant ROLE : i64
  %word = ptr_xdsl.ptradd %at, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %pipe = linux.constant "SIGPIPE"
  %i = func.call @alpha_ignore_signal(%pipe) : (i64) -> i64
  func.call @alpha_set_role(%role) : (i64) -> ()
  cf.br ^next
^next:
  %got = func.call @alpha_read(%zero, %at, %size, %far) : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
  %whole = arith.cmpi eq, %got, %size : i64
  cf.cond_br %whole, ^command, ^leave
^command:
  %wide = memref.load %command[%c0] : memref<8xi64>
  %number = arith.trunci %wide : i64 to i32
  %a = memref.load %command[%c1] : memref<8xi64>
  %b = memref.load %command[%c2] : memref<8xi64>
  %c = memref.load %command[%c3] : memref<8xi64>
  %d = memref.load %command[%c4] : memref<8xi64>
  cf.switch %number : i32, [
    default: ^leave,
    0: ^begin,
    1: ^progressed,
    2: ^observed,
    3: ^filled,
    4: ^published,
    5: ^ended,
    6: ^round,
    7: ^failed,
    8: ^stored
  ]
^begin:
  %now = func.call @alpha_now() : () -> i64
  %session = arith.addi %now, %a : i64
  func.call @alpha_set_bounds(%session, %b) : (i64, i64) -> ()
  func.call @alpha_set_session_length(%a) : (i64) -> ()
  cf.br ^next
^progressed:
  func.call @alpha_report_progress(%a) : (i64) -> ()
  cf.br ^next
^observed:
  func.call @alpha_report_observation(%a, %b, %c, %word, %d)
    : (i64, i64, i64, !ptr_xdsl.ptr, i64) -> ()
  cf.br ^next
^filled:
  %f = func.call @alpha_read(%zero, %arena, %a, %far) : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
  cf.br ^next
^published:
  func.call @alpha_report_state(%a, %b, %arena, %c) : (i64, i64, !ptr_xdsl.ptr, i64) -> ()
  cf.br ^next
^ended:
  func.call @alpha_report_end(%a) : (i64) -> ()
  cf.br ^next
^stored:
  func.call @alpha_report_stored(%a) : (i64) -> ()
  cf.br ^next
^round:
  func.call @alpha_round() : () -> ()
  cf.br ^next
^failed:
  func.call @alpha_say_failed() : () -> ()
  %text, %text_bytes = linux.text "as told"
  func.call @alpha_say(%text, %text_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_end(%a) : (i64) -> ()
  cf.br ^next
^leave:
  %done = linux.syscall "exit_group"(%zero) : (i64) -> i64
  cf.br ^next
}
"""


@cache
def _folder() -> TemporaryDirectory[str]:
    """Where executables are, until the tests end."""
    return TemporaryDirectory(prefix="alpha-reports-")


@cache
def executable(machine: str) -> tuple[str, ...]:
    """The command that runs the process."""
    main = MAIN.replace("ARENA", str(ARENA_BYTES)).replace("ROLE", str(ROLE))
    folder = Path(mkdtemp(dir=_folder().name))
    return command_of(machine, built(machine, main, folder))


class Reporter:
    """The running process; a context that leaves none behind. It begins with usual bounds."""

    def __init__(self, machine: str, stdout: int = subprocess.PIPE) -> None:
        self.process = subprocess.Popen(
            executable(machine),
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        self.begin(SESSION, WAIT)

    def __enter__(self) -> Reporter:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def begin(self, session: float, wait: float) -> None:
        """The session begins, with bounds in seconds."""
        self.tell(BEGIN, round(session * 1e9), round(wait * 1e9))

    def tell(self, number: int, *words: int, word: bytes = b"") -> None:
        """Give a command, with up to four words and the word of an observation."""
        padded = (*words, *(0 for _ in range(4 - len(words))))
        self._give(struct.pack("<5Q24s", number, *padded, word))

    def report(self, record: Record) -> None:
        """Let it report progress or an observation."""
        if record.kind == PROGRESS:
            self.tell(PROGRESSED, record.version)
        else:
            assert record.kind == OBSERVATION
            size = len(record.words)
            numbers = (record.index, record.version, record.count, size)
            self.tell(OBSERVED, *numbers, word=record.words)

    def publish(self, records: Sequence[Record]) -> None:
        """Let it report states, each out of the same memory."""
        for record in records:
            self.tell(FILLED, len(record.words))
            self._give(record.words)
            self.tell(PUBLISHED, record.index, record.version, len(record.words))

    def ended(self) -> tuple[int, bytes, str]:
        """Its status, what was left on its stdout, and its line, once its input ends."""
        out, line = self.process.communicate(timeout=SECONDS_MAX)
        return self.process.returncode, out, line.decode()

    def _give(self, data: bytes) -> None:
        stream = self.process.stdin
        assert stream is not None
        while data:
            data = data[stream.write(data) or 0 :]
