"""Participants that a test writes: the entry of their target, the start, and a role in code.

What the start hands on to other modules is seen instead of used: the run, the end of the session,
and whether digests are computed by the processor's instructions. A role writes what it found on
its standard output.

Entry: `participant`, `started`, `Seen`, `entry_text`, `on_stack`.
"""

from __future__ import annotations

import struct
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from routines.executables import command_of
from routines.library import FOLDER, assembly

from alpha.backends.aarch64 import entry as aarch64
from alpha.backends.toolchain.assembling import assemble, link_executable
from alpha.backends.toolchain.finding import find_toolchain
from alpha.backends.toolchain.machines import host_machine, machine_of
from alpha.backends.x86 import entry as x86

ENTRIES = {"x86-64": x86, "aarch64": aarch64}
MODULES = ("start", "listening", "data", "line", "digest", "sha256", "streams", "clock", "waiting")
ROLE = 7
IDENTITY = bytes(range(100, 132))
SECONDS_MAX = 60

STACK_BYTES = 1 << 16
"""Below the words of a stack that a test lays."""

_PARTS = """
func.func private @alpha_begin(i64, !ptr_xdsl.ptr, i64)
func.func private @alpha_arena(i64) -> !ptr_xdsl.ptr
func.func private @alpha_data(!ptr_xdsl.ptr, i64, i64, !ptr_xdsl.ptr) -> !ptr_xdsl.ptr
func.func private @alpha_socket_buffer() -> i64
func.func private @alpha_digest(!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr)
func.func private @sha256_blocks(memref<8xi32>, memref<?x16xi32>, i64)

"memref.global"() <{sym_name = "seen", type = memref<10xi64>, sym_visibility = "private",
  initial_value = dense<0> : tensor<10xi64>}> : () -> ()

func.func @alpha_set_run(%role : i64, %identity : !ptr_xdsl.ptr, %session : i64, %wait : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %seen = memref.get_global @seen : memref<10xi64>
  memref.store %role, %seen[%c0] : memref<10xi64>
  memref.store %session, %seen[%c1] : memref<10xi64>
  memref.store %wait, %seen[%c2] : memref<10xi64>
  %words = ptr_xdsl.from_ptr %identity : !ptr_xdsl.ptr -> memref<4xi64>
  scf.for %i = %c0 to %c4 step %c1 {
    %word = memref.load %words[%i] : memref<4xi64>
    %at = arith.addi %i, %c6 : index
    memref.store %word, %seen[%at] : memref<10xi64>
  }
  func.return
}
func.func @alpha_set_session_length(%nanoseconds : i64) {
  %c3 = arith.constant 3 : index
  %seen = memref.get_global @seen : memref<10xi64>
  memref.store %nanoseconds, %seen[%c3] : memref<10xi64>
  func.return
}
func.func @alpha_give_reports() {
  func.return
}
func.func @alpha_sha256_blocks_pair(%a : memref<8xi32>, %data_a : memref<?x16xi32>,
    %b : memref<8xi32>, %data_b : memref<?x16xi32>, %n : i64) {
  func.return
}
func.func @alpha_sha256_blocks_fast(%state : memref<8xi32>, %data : memref<?x16xi32>, %n : i64) {
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i64
  %seen = memref.get_global @seen : memref<10xi64>
  memref.store %one, %seen[%c4] : memref<10xi64>
  func.call @sha256_blocks(%state, %data, %n) : (memref<8xi32>, memref<?x16xi32>, i64) -> ()
  func.return
}
func.func private @give(%at : !ptr_xdsl.ptr, %bytes : i64) {
  %stdout = arith.constant 1 : i64
  %n = linux.syscall "write"(%stdout, %at, %bytes) : (i64, !ptr_xdsl.ptr, i64) -> i64
  func.return
}
func.func private @give_word(%word : i64) {
  %c0 = arith.constant 0 : index
  %eight = arith.constant 8 : i64
  %held = memref.alloca() : memref<1xi64>
  memref.store %word, %held[%c0] : memref<1xi64>
  %at = ptr_xdsl.to_ptr %held : memref<1xi64> -> !ptr_xdsl.ptr
  func.call @give(%at, %eight) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}
func.func private @give_address(%address : !ptr_xdsl.ptr) {
  %eight = arith.constant 8 : i64
  %held = memref.alloca() : memref<1xi64>
  %at = ptr_xdsl.to_ptr %held : memref<1xi64> -> !ptr_xdsl.ptr
  ptr_xdsl.store %address, %at : !ptr_xdsl.ptr, !ptr_xdsl.ptr
  func.call @give(%at, %eight) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}
// Until there is a byte to read, or the end of standard input.
func.func private @pause() {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %byte = memref.alloca() : memref<1xi64>
  %at = ptr_xdsl.to_ptr %byte : memref<1xi64> -> !ptr_xdsl.ptr
  %n = linux.syscall "read"(%none, %at, %one) : (i64, !ptr_xdsl.ptr, i64) -> i64
  func.return
}
"""

SEEN = """
  %c5 = arith.constant 5 : index
  %size = arith.constant 80 : i64
  %zero = arith.constant 0 : i64
  %seen = memref.get_global @seen : memref<10xi64>
  %seen_at = ptr_xdsl.to_ptr %seen : memref<10xi64> -> !ptr_xdsl.ptr
  %digest = memref.alloca() : memref<4xi64>
  %digest_at = ptr_xdsl.to_ptr %digest : memref<4xi64> -> !ptr_xdsl.ptr
  func.call @alpha_digest(%seen_at, %zero, %digest_at)
    : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr) -> ()
  %buffer = func.call @alpha_socket_buffer() : () -> i64
  memref.store %buffer, %seen[%c5] : memref<10xi64>
  func.call @give(%seen_at, %size) : (!ptr_xdsl.ptr, i64) -> ()
"""
"""What a role does that gives what `Seen` reads."""


@dataclass(frozen=True)
class Seen:
    """What the start handed on: times in nanoseconds, `session` is a moment, `fast` for digests."""

    role: int
    session: int
    wait: int
    length: int
    fast: int
    buffer: int
    identity: bytes

    @classmethod
    def of(cls, data: bytes) -> Seen:
        """What a role with `SEEN` wrote."""
        assert len(data) == 80
        return cls(*struct.unpack("<6q", data[:48]), data[48:])


def entry_text(machine: str, role: int = ROLE) -> str:
    """The text of the entry."""
    return ENTRIES[machine].entry(role)


def words_of_bytes(name: str, data: bytes) -> str:
    """A global of these bytes, which nobody changes."""
    kind = f"{len(data)}xi8"
    words = ", ".join(str(byte - 256 if byte > 127 else byte) for byte in data)
    return (
        f'"memref.global"() <{{sym_name = "{name}", type = memref<{kind}>, constant,\n'
        '  sym_visibility = "private", alignment = 8 : i64,\n'
        f"  initial_value = dense<[{words}]> : tensor<{kind}>}}> : () -> ()\n"
    )


def role_code(body: str, needs: int = 0, beside: str = "") -> str:
    """A module in which the role begins and does this, with functions and words `beside` it."""
    begin = f"""
  %role = arith.constant {ROLE} : i64
  %needs = arith.constant {needs} : i64
  %identity_word = memref.get_global @identity : memref<32xi8>
  %identity = ptr_xdsl.to_ptr %identity_word : memref<32xi8> -> !ptr_xdsl.ptr
  func.call @alpha_begin(%role, %identity, %needs) : (i64, !ptr_xdsl.ptr, i64) -> ()
"""
    identity = words_of_bytes("identity", IDENTITY)
    role = f"func.func @alpha_role() {{{begin}{body}\n  func.return\n}}\n"
    return f"{_PARTS}{identity}{role}{beside}"


@cache
def _objects(
    machine: str, changes: tuple[tuple[str, str], ...] = (), more: tuple[str, ...] = ()
) -> tuple[bytes, ...]:
    """The objects of the modules of the runtime, with texts in them that are changed to others."""
    tools = find_toolchain(machine_of(machine))
    made, found = [], 0
    for name in (*MODULES, *more):
        source = (FOLDER / f"{name}.mlir").read_text(encoding="utf-8")
        for old, new in changes:
            found += source.count(old)
            source = source.replace(old, new)
        made.append(assemble(assembly(source, machine, f"{name}.mlir"), tools))
    assert found == len(changes), "each change is of one place"
    return tuple(made)


@cache
def _assembled(machine: str, text: str) -> bytes:
    return assemble(text, find_toolchain(machine_of(machine)))


@cache
def _compiled(machine: str, code: str) -> bytes:
    return _assembled(machine, assembly(code, machine, "role.mlir"))


def participant(
    machine: str,
    body: str,
    file: Path,
    needs: int = 0,
    beside: str = "",
    entry: str = "",
    changes: tuple[tuple[str, str], ...] = (),
    more: tuple[str, ...] = (),
) -> Path:
    """The executable of a role that does this, at `file`; another `entry` than the usual one.

    Beside the modules of the runtime that every role has are `more`.
    """
    tools = find_toolchain(machine_of(machine))
    objects = [_assembled(machine, entry or entry_text(machine))]
    objects.append(_compiled(machine, role_code(body, needs, beside)))
    file.write_bytes(link_executable([*objects, *_objects(machine, changes, more)], tools))
    file.chmod(0o700)
    return file


def started(
    machine: str,
    file: Path,
    *arguments: str | bytes,
    environment: Mapping[str, str] | None = None,
    before: Callable[[], object] | None = None,
    stdin: bytes = b"",
    folder: Path | None = None,
    emulator: Sequence[str] = (),
) -> tuple[int, bytes, bytes]:
    """Status, stdout and stderr of a participant that is run to its end."""
    command = emulator or command_of(machine, file)[:-1]
    ended = subprocess.run(
        [*command, str(file), *arguments],
        input=stdin,
        capture_output=True,
        timeout=SECONDS_MAX,
        check=False,
        env={} if environment is None else dict(environment),
        preexec_fn=before,
        cwd=folder,
    )
    return ended.returncode, ended.stdout, ended.stderr


def line(text: str) -> bytes:
    """A line of the role."""
    return f"alpha: role {ROLE}: {text}\n".encode()


def on_stack(machine: str, words: Sequence[int | str], offset: int = 0) -> str:
    """A text of the entry that finds these words, and addresses of texts, on its stack.

    `offset` bytes lie between the stack pointer and a multiple of 64.
    """
    enter = {
        "x86-64": ".intel_syntax noprefix\n_start: lea rsp, [rip + laid]\n  jmp entered\n",
        "aarch64": "_start: adrp x9, laid\n  add x9, x9, :lo12:laid\n  mov sp, x9\n  b entered\n",
    }[machine]
    held = [
        f".quad laid_{at}" if isinstance(word, str) else f".quad {word}"
        for at, word in enumerate(words)
    ]
    texts = [
        f'laid_{at}: .asciz "{word}"' for at, word in enumerate(words) if isinstance(word, str)
    ]
    text = entry_text(machine).replace(".globl _start\n", "").replace("\n_start:", "\nentered:")
    data = [".data", ".balign 64", f".zero {STACK_BYTES + offset}", "laid:", *held, *texts]
    return "\n".join([text, ".text", ".globl _start", enter, *data, ""])


def now() -> int:
    """The moment that it is."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def features_of_host() -> set[str]:
    """Those that the kernel names."""
    fields = ("flags", "Features")
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    held = next(set(row.split()) for row in text if row.split("\t")[0].split(":")[0] in fields)
    wanted = {
        "avx512": {"avx512f", "avx512dq", "avx512bw", "avx512vl"},
        "sha": {"sha_ni"},
        "sha2": {"sha2"},
    }
    host = host_machine()
    assert host is not None
    return {name for name in ENTRIES[host.name].FEATURES if wanted[name] <= held}


def lacking(name: str) -> bytes:
    expected = f"expected a processor with {name}, found one without"
    return line(f"refused target-unsupported: {expected}")
