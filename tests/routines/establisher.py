"""Roles that establish their edges and say on each who they are: native ones and interpreted ones.

Entry: `Setting`, `native`, `interpreted`, `Ended`.
"""

from __future__ import annotations

import contextlib
import errno
import os
import struct
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from ipaddress import IPv4Address
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from routines.executables import built, command_of

from alpha.interpreters.participants.deadlines import Bounds, Deadline
from alpha.interpreters.participants.establishing import LOOPBACK, establish
from alpha.interpreters.participants.failures import Overdue, PeerLost
from alpha.interpreters.participants.reports import END, Record, encode_record

SECONDS_MAX = 60
SETTING_AT = 200
"""The descriptor from which a native role reads what it is to do."""

EDGES_MAX, HEAD_WORDS = 32, 8

MAIN = """
func.func private @alpha_now() -> i64
func.func private @alpha_read(i64, !ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_write(i64, !ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_ignore_signal(i64) -> i64
func.func private @alpha_set_role(i64)
func.func private @alpha_set_bounds(i64, i64)
func.func private @alpha_set_session_length(i64)
func.func private @alpha_establish(memref<?x8xi64>, i64, i64, !ptr_xdsl.ptr)
func.func private @alpha_send_bytes(!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_receive_bytes(!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_report_end(i64)
"memref.global"() <{sym_name = "setting", sym_visibility = "private", initial_value,
  type = memref<WORDSxi64>}> : () -> ()
"memref.global"() <{sym_name = "edges", sym_visibility = "private",
  initial_value = dense<77> : tensor<EDGESx8xi64>, type = memref<EDGESx8xi64>}> : () -> ()
func.func @alpha_socket_buffer() -> i64 {
  %c5 = arith.constant 5 : index
  %setting = memref.get_global @setting : memref<WORDSxi64>
  %bytes = memref.load %setting[%c5] : memref<WORDSxi64>
  func.return %bytes : i64
}
func.func @test_main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %head = arith.constant HEAD : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %eight = arith.constant 8 : i64
  %record = arith.constant 64 : index
  %wrong = arith.constant 9 : i64
  %far = arith.constant 9223372036854775807 : i64
  %from = arith.constant FROM : i64
  %all = arith.constant BYTES : i64
  %pipe = linux.constant "SIGPIPE"
  %i = func.call @alpha_ignore_signal(%pipe) : (i64) -> i64
  %setting = memref.get_global @setting : memref<WORDSxi64>
  %at = ptr_xdsl.to_ptr %setting : memref<WORDSxi64> -> !ptr_xdsl.ptr
  %got = func.call @alpha_read(%from, %at, %all, %far) : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
  %role = memref.load %setting[%c0] : memref<WORDSxi64>
  %count = memref.load %setting[%c1] : memref<WORDSxi64>
  %own = memref.load %setting[%c2] : memref<WORDSxi64>
  %length = memref.load %setting[%c3] : memref<WORDSxi64>
  %wait = memref.load %setting[%c4] : memref<WORDSxi64>
  %last = arith.index_cast %count : i64 to index
  %fixed = memref.get_global @edges : memref<EDGESx8xi64>
  %base = ptr_xdsl.to_ptr %fixed : memref<EDGESx8xi64> -> !ptr_xdsl.ptr
  %edges = ptr_xdsl.from_ptr %base : !ptr_xdsl.ptr -> memref<?x8xi64>
  scf.for %e = %c0 to %last step %c1 {
    %place = arith.addi %e, %head : index
    %peer = memref.load %setting[%place] : memref<WORDSxi64>
    memref.store %peer, %edges[%e, %c1] : memref<?x8xi64>
  }
  %behind = arith.addi %head, %last : index
  %eighth = arith.constant 8 : index
  %offset = arith.muli %behind, %eighth : index
  %addresses = ptr_xdsl.ptradd %at, %offset : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
  %now = func.call @alpha_now() : () -> i64
  %session = arith.addi %now, %length : i64
  func.call @alpha_set_role(%role) : (i64) -> ()
  func.call @alpha_set_bounds(%session, %wait) : (i64, i64) -> ()
  func.call @alpha_set_session_length(%length) : (i64) -> ()
  func.call @alpha_establish(%edges, %count, %own, %addresses)
    : (memref<?x8xi64>, i64, i64, !ptr_xdsl.ptr) -> ()
  %word = memref.alloca() : memref<1xi64>
  %word_at = ptr_xdsl.to_ptr %word : memref<1xi64> -> !ptr_xdsl.ptr
  %piece = memref.alloca() : memref<2xi64>
  %piece_at = ptr_xdsl.to_ptr %piece : memref<2xi64> -> !ptr_xdsl.ptr
  scf.for %e = %c0 to %last step %c1 {
    %o = arith.muli %e, %record : index
    %edge = ptr_xdsl.ptradd %base, %o : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
    memref.store %role, %word[%c0] : memref<1xi64>
    ptr_xdsl.store %word_at, %piece_at : !ptr_xdsl.ptr, !ptr_xdsl.ptr
    memref.store %eight, %piece[%c1] : memref<2xi64>
    %s = func.call @alpha_send_bytes(%edge, %piece_at, %one, %session)
      : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, i64) -> i64
  }
  scf.for %e = %c0 to %last step %c1 {
    %o = arith.muli %e, %record : index
    %edge = ptr_xdsl.ptradd %base, %o : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
    %r = func.call @alpha_receive_bytes(%edge, %word_at, %eight, %session)
      : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, i64) -> i64
    %said = memref.load %word[%c0] : memref<1xi64>
    %peer = memref.load %edges[%e, %c1] : memref<?x8xi64>
    %whole = arith.cmpi eq, %r, %eight : i64
    %same = arith.cmpi eq, %said, %peer : i64
    %right = arith.andi %whole, %same : i1
    scf.if %right {
    } else {
      %never = linux.syscall "exit_group"(%wrong) : (i64) -> i64
    }
    // In the last word of the record, for the test: the buffer of the socket.
    %level = linux.constant "SOL_SOCKET"
    %name = linux.constant "SO_RCVBUF"
    %descriptor = memref.load %edges[%e, %c0] : memref<?x8xi64>
    memref.store %zero, %word[%c0] : memref<1xi64>
    memref.store %eight, %piece[%c0] : memref<2xi64>
    %g = linux.syscall "getsockopt"(%descriptor, %level, %name, %word_at, %piece_at)
      : (i64, i64, i64, !ptr_xdsl.ptr, !ptr_xdsl.ptr) -> i64
    %buffer = memref.load %word[%c0] : memref<1xi64>
    memref.store %buffer, %edges[%e, %c7] : memref<?x8xi64>
  }
  func.call @alpha_report_end(%role) : (i64) -> ()
  %each = arith.constant 64 : i64
  %size = arith.muli %count, %each : i64
  %w = func.call @alpha_write(%one, %base, %size, %session)
    : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
  %done = linux.syscall "exit_group"(%zero) : (i64) -> i64
  func.return
}
"""


@cache
def _folder() -> TemporaryDirectory[str]:
    """Where executables are, until the tests end."""
    return TemporaryDirectory(prefix="alpha-establishing-")


@cache
def executable(machine: str) -> tuple[str, ...]:
    """The command that runs a role."""
    words = HEAD_WORDS + 2 * EDGES_MAX
    numbers = {"WORDS": words, "EDGES": EDGES_MAX, "BYTES": 8 * words, "FROM": SETTING_AT}
    main = MAIN.replace("HEAD", str(HEAD_WORDS))
    for name, number in numbers.items():
        main = main.replace(name, str(number))
    return command_of(machine, built(machine, main, Path(mkdtemp(dir=_folder().name))))


@dataclass(frozen=True)
class Setting:
    """What a role is to do. Times are in seconds."""

    role: int
    peers: Sequence[int]
    addresses: Mapping[int, str] = field(default_factory=dict[int, str])
    session: float = 600.0
    wait: float = 20.0
    buffer: int = 0

    def encoded(self) -> bytes:
        """The same for a native role."""
        address = [int(IPv4Address(self.addresses.get(p, LOOPBACK))) for p in self.peers]
        own = int(IPv4Address(self.addresses.get(self.role, LOOPBACK)))
        times = (round(self.session * 1e9), round(self.wait * 1e9))
        words = (self.role, len(self.peers), own, *times, self.buffer, 0, 0, *self.peers, *address)
        return struct.pack(f"<{len(words)}q", *words)

    @property
    def higher(self) -> list[int]:
        """The peers for which it announces ports."""
        return [peer for peer in self.peers if peer > self.role]

    @property
    def end(self) -> bytes:
        """What it reports when its edges are right."""
        return encode_record(Record(END, version=self.role))


@dataclass(frozen=True)
class Ended:
    """How a role ended: its status and its line, without whose it is."""

    status: int
    what: str = ""


@contextlib.contextmanager
def native(
    machine: str,
    setting: Setting,
    inward: int,
    outward: int,
    before: Callable[[], None] | None = None,
) -> Iterator[subprocess.Popen[bytes]]:
    """A native role with these descriptors as its stdin and stdout; no process is left behind.

    `before` is done in it before it begins.
    """
    reading, writing = os.pipe()
    os.write(writing, setting.encoded())
    os.close(writing)
    os.dup2(reading, SETTING_AT, inheritable=True)
    os.close(reading)
    try:
        process = subprocess.Popen(
            executable(machine),
            stdin=inward,
            stdout=outward,
            stderr=subprocess.PIPE,
            pass_fds=(SETTING_AT,),
            preexec_fn=before,
        )
    finally:
        os.close(SETTING_AT)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def end_of(process: subprocess.Popen[bytes], setting: Setting) -> Ended:
    """How a native role ends."""
    _, line = process.communicate(timeout=SECONDS_MAX)
    begins, ends = f"alpha: role {setting.role}: ", "\n"
    if not line:
        return Ended(process.returncode)
    text = line.decode()
    assert text.startswith(begins), text
    assert text.endswith(ends), text
    assert text.count("\n") == 1, text
    return Ended(process.returncode, text[len(begins) : -1])


def interpreted(setting: Setting, inward: int, outward: int) -> Ended:
    """A role of the interpreter: how it ends, as `alpha role` says that."""
    session = Deadline.after(setting.session)
    bounds = Bounds(wait_seconds_max=setting.wait, buffer_bytes=setting.buffer or None)
    with (
        open(inward, "rb", buffering=0, closefd=False) as given,
        open(outward, "wb", closefd=False) as taken,
    ):
        try:
            edges = establish(
                setting.role,
                list(setting.peers),
                given,  # pyright: ignore[reportArgumentType]
                taken,
                setting.addresses,
                session,
                bounds,
            )
        except PeerLost as lost:
            return Ended(4, f"lost role {lost.role}: {lost.detail}")
        except Overdue as over:
            return Ended(4, f"overdue: {over}")
        except OSError as error:
            return Ended(5, f"failed: {os.strerror(error.errno or errno.EIO)}")
    try:
        for edge in edges.values():
            edge.send([struct.pack("<q", setting.role)], session)
        for peer, edge in edges.items():
            word = bytearray(8)
            assert edge.receive(word, session) == 8
            assert struct.unpack("<q", word) == (peer,)
    finally:
        for edge in edges.values():
            edge.close()
    os.write(outward, setting.end)
    return Ended(0)
