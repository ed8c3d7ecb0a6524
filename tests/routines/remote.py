"""A process whose routines of the runtime a test calls one by one, while it plays their peers.

The process reads commands from its standard input: a number and six words, of which some become
addresses in its arena; the result goes to its standard output. So a test can act between the
beginning of a call and its end: answer on a socket, stop the process, wait.

Entry: `Remote`, `executable`, `ROUTINES`, `OVERDUE`, `ENDED`.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType

from routines.executables import STARTS, command_of
from routines.library import FOLDER, assembly

from alpha.backends.toolchain.assembling import assemble, link_executable
from alpha.backends.toolchain.finding import find_toolchain
from alpha.backends.toolchain.machines import machine_of

OVERDUE, ENDED = -5000, -5001
"""A deadline has passed; the peer has closed its half."""

FAR = (1 << 63) - 1
"""The last moment that there is."""

MODULES = ("clock", "waiting", "streams", "edges")
ARENA_BYTES = 1 << 22
RESULT_SECONDS_MAX = 20.0

ROUTINES: Mapping[str, str] = MappingProxyType(
    {
        "alpha_now": "",
        "alpha_sooner": "ww",
        "alpha_wait": "www",
        "alpha_glance": "ww",
        "alpha_write": "wpww",
        "alpha_read": "wpww",
        "alpha_ignore_signal": "w",
        "alpha_listen": "pww",
        "alpha_connect": "pwwww",
        "alpha_accept": "pww",
        "alpha_send_bytes": "ppww",
        "alpha_set_spin": "w",
        "alpha_receive_bytes": "ppww",
        "alpha_receive_pieces": "ppwww",
        "alpha_end_stream": "p",
        "alpha_close": "p",
    }
)
"""What each takes: words, and pointers, which a test gives as offsets in the arena."""

OWN = ("address", "fetch", "store", "option")
"""Commands of the process itself: where the arena is, bytes of it, an option of a socket."""

_WORDS = ", ".join(f"%w{i}" for i in range(1, 7))

_BODY = """
^own0:
  cf.br ^done(%base : i64)
^own1:
  func.call @moved_out(%p1, %w2) : (!ptr_xdsl.ptr, i64) -> ()
  cf.br ^done(%zero : i64)
^own2:
  func.call @moved_in(%p1, %w2) : (!ptr_xdsl.ptr, i64) -> ()
  cf.br ^done(%zero : i64)
^own3:
  %got = linux.syscall "getsockopt"(%w1, %w2, %w3, %p4, %p5)
    : (i64, i64, i64, !ptr_xdsl.ptr, !ptr_xdsl.ptr) -> i64
  cf.br ^done(%got : i64)
"""

_MOVING = """
func.func private @{name}(%at : !ptr_xdsl.ptr, %bytes : i64) {{
  %zero = arith.constant 0 : i64
  %descriptor = arith.constant {descriptor} : i64
  cf.br ^next(%zero : i64)
^next(%done : i64):
  %some = arith.cmpi slt, %done, %bytes : i64
  cf.cond_br %some, ^move, ^end
^move:
  %left = arith.subi %bytes, %done : i64
  %from = ptr_xdsl.ptradd %at, %done : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %n = linux.syscall "{call}"(%descriptor, %from, %left) : (i64, !ptr_xdsl.ptr, i64) -> i64
  %eintr = linux.constant "EINTR"
  %sum = arith.addi %n, %eintr : i64
  %interrupted = arith.cmpi eq, %sum, %zero : i64
  cf.cond_br %interrupted, ^next(%done : i64), ^moved
^moved:
  %behind = arith.addi %done, %n : i64
  %more = arith.cmpi sgt, %n, %zero : i64
  cf.cond_br %more, ^next(%behind : i64), ^over
^over:
  %gone = linux.syscall "exit_group"(%zero) : (i64) -> i64
  cf.br ^end
^end:
  func.return
}}
"""


def _server() -> str:
    """The code of a process that does commands until its input ends, and then exits with 0."""
    types = {"w": "i64", "p": "!ptr_xdsl.ptr"}
    declared, cases, blocks = [], [], []
    for number, (name, kinds) in enumerate(ROUTINES.items()):
        given = ", ".join(types[kind] for kind in kinds)
        values = ", ".join(f"%{kind}{at}" for at, kind in enumerate(kinds, 1))
        declared.append(f"func.func private @{name}({given}) -> i64")
        cases.append(f"{number}: ^call{number}")
        blocks.append(
            f"^call{number}:\n  %r{number} = func.call @{name}({values}) : ({given}) -> i64\n"
            f"  cf.br ^done(%r{number} : i64)"
        )
    cases += [f"{len(ROUTINES) + number}: ^own{number}" for number in range(len(OWN))]
    loads = []
    for at in range(1, 7):
        loads += [
            f"  %c{at} = arith.constant {at} : index",
            f"  %w{at} = memref.load %command[%c{at}] : memref<8xi64>",
            f"  %p{at} = ptr_xdsl.ptradd %arena, %w{at} : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr",
        ]
    return "\n".join(
        [
            '"memref.global"() <{sym_name = "arena", sym_visibility = "private", initial_value,',
            f"  type = memref<{ARENA_BYTES}xi8>}}> : () -> ()",
            *declared,
            _MOVING.format(name="moved_in", call="read", descriptor=0),
            _MOVING.format(name="moved_out", call="write", descriptor=1),
            "func.func @test_main() {",
            "  %command = memref.alloca() : memref<8xi64>",
            "  %answer = memref.alloca() : memref<1xi64>",
            "  %c0 = arith.constant 0 : index",
            "  %zero = arith.constant 0 : i64",
            "  %eight = arith.constant 8 : i64",
            "  %size = arith.constant 64 : i64",
            f"  %bytes = memref.get_global @arena : memref<{ARENA_BYTES}xi8>",
            f"  %arena = ptr_xdsl.to_ptr %bytes : memref<{ARENA_BYTES}xi8> -> !ptr_xdsl.ptr",
            "  %in = ptr_xdsl.to_ptr %command : memref<8xi64> -> !ptr_xdsl.ptr",
            "  %out = ptr_xdsl.to_ptr %answer : memref<1xi64> -> !ptr_xdsl.ptr",
            "  ptr_xdsl.store %arena, %out : !ptr_xdsl.ptr, !ptr_xdsl.ptr",
            "  %base = memref.load %answer[%c0] : memref<1xi64>",
            "  cf.br ^next",
            "^next:",
            "  func.call @moved_in(%in, %size) : (!ptr_xdsl.ptr, i64) -> ()",
            "  %wide = memref.load %command[%c0] : memref<8xi64>",
            "  %number = arith.trunci %wide : i64 to i32",
            *loads,
            "  cf.switch %number : i32, [",
            "    default: ^own0,",
            "    " + ",\n    ".join(cases),
            "  ]",
            *blocks,
            _BODY,
            "^done(%result : i64):",
            "  memref.store %result, %answer[%c0] : memref<1xi64>",
            "  func.call @moved_out(%out, %eight) : (!ptr_xdsl.ptr, i64) -> ()",
            "  cf.br ^next",
            "}",
        ]
    )


@cache
def executable(machine: str, changes: tuple[tuple[str, str], ...] = ()) -> bytes:
    """The executable of the process; with texts of the routines that are changed to others."""
    tools = find_toolchain(machine_of(machine))
    texts = [STARTS[machine], assembly(_server(), machine, "server.mlir")]
    found = 0
    for name in MODULES:
        source = (FOLDER / f"{name}.mlir").read_text(encoding="utf-8")
        for old, new in changes:
            found += source.count(old)
            source = source.replace(old, new)
        texts.append(assembly(source, machine, f"{name}.mlir"))
    assert found == len(changes), "each change is of one place"
    return link_executable([assemble(each, tools) for each in texts], tools)


class Remote:
    """A running process; a context that leaves no process behind.

    `passed` are descriptors that it inherits, with their numbers; `before` is done in it before
    it begins.
    """

    def __init__(
        self,
        machine: str,
        passed: Sequence[int] = (),
        changes: tuple[tuple[str, str], ...] = (),
        before: Callable[[], None] | None = None,
    ) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="alpha-remote-")
        file = Path(self._folder.name, "executable")
        file.write_bytes(executable(machine, changes))
        file.chmod(0o700)
        self.process = subprocess.Popen(
            command_of(machine, file),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=passed,
            preexec_fn=before,
            bufsize=0,
        )
        try:
            self.base = self.call("address")
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> Remote:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()
        self._folder.cleanup()

    def begin(self, name: str, *arguments: int) -> None:
        """Begin a call."""
        number = (*ROUTINES, *OWN).index(name)
        words = [number, *arguments, *(0 for _ in range(7 - len(arguments)))]
        self._write(struct.pack("<8Q", *(word & (1 << 64) - 1 for word in words)))

    def result(self, seconds: float = RESULT_SECONDS_MAX) -> int:
        """What the call that was begun returns."""
        (value,) = struct.unpack("<q", self._read(8, seconds))
        return value

    def call(self, name: str, *arguments: int) -> int:
        """Begin a call and wait for what it returns."""
        self.begin(name, *arguments)
        return self.result()

    def ready(self, seconds: float = 0.0) -> bool:
        """Whether the call that was begun has returned."""
        assert self.process.stdout is not None
        return bool(select.select([self.process.stdout], [], [], seconds)[0])

    def fetch(self, offset: int, size: int) -> bytes:
        """Bytes of the arena."""
        self.begin("fetch", offset, size)
        data = self._read(size, RESULT_SECONDS_MAX)
        assert self.result() == 0
        return data

    def store(self, offset: int, data: bytes) -> None:
        """Change bytes of the arena."""
        self.begin("store", offset, len(data))
        self._write(data)
        assert self.result() == 0

    def words(self, offset: int, count: int) -> tuple[int, ...]:
        """Words of the arena."""
        return struct.unpack(f"<{count}q", self.fetch(offset, 8 * count))

    def store_words(self, offset: int, *words: int) -> None:
        """Change words of the arena."""
        self.store(offset, struct.pack(f"<{len(words)}q", *words))

    def option(self, descriptor: int, level: int, name: int, room: int) -> int:
        """An option of a socket; `room` are 16 bytes of the arena."""
        self.store_words(room, 0, 4)
        assert self.call("option", descriptor, level, name, room, room + 8) == 0
        return self.words(room, 1)[0]

    def descriptors(self) -> set[int]:
        """The descriptors that the process has."""
        return {int(name) for name in os.listdir(f"/proc/{self.process.pid}/fd")}

    def flags(self, descriptor: int) -> int:
        """The flags of a descriptor, and O_CLOEXEC among them."""
        text = Path(f"/proc/{self.process.pid}/fdinfo/{descriptor}").read_text(encoding="ascii")
        (line,) = (line for line in text.splitlines() if line.startswith("flags:"))
        return int(line.split()[1], 8)

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """The process is stopped, and continues afterwards."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def result_in_a_storm(self, seconds: float = 3.0) -> int:
        """What the call returns while the process is stopped and continued all the time."""
        until = time.monotonic() + seconds
        while not self.ready():
            assert time.monotonic() < until, f"nothing came back in {seconds} s of signals"
            with self.stopped():
                time.sleep(0.001)
            time.sleep(0.002)
        return self.result()

    def _write(self, data: bytes) -> None:
        stream = self.process.stdin
        assert stream is not None
        while data:
            data = data[stream.write(data) or 0 :]

    def _read(self, size: int, seconds: float) -> bytes:
        stream = self.process.stdout
        assert stream is not None
        data, until = b"", time.monotonic() + seconds
        while len(data) < size:
            left = max(0.0, until - time.monotonic())
            assert select.select([stream], [], [], left)[0], f"nothing came back in {seconds} s"
            more = stream.read(size - len(data))
            assert more, f"the process has ended with {self.process.wait()}"
            data += more
        return data


def after(seconds: float) -> int:
    """The moment `seconds` from now, in nanoseconds."""
    return time.monotonic_ns() + round(seconds * 1e9)
