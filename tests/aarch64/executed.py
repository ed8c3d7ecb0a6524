"""Instances of rows on a processor: registers and memory before, and after.

One static executable has the code of all instances. It reads records from its standard input: the
registers, the number of an instance, 64 bytes of memory and where they lie. It puts them in place,
goes through the instance, and writes the same record as it is then.

Everything lies in one region at a fixed address, with the stack pointer in its middle, where the
record stands; it stays where it is, so an instance finds its way back by it.

Entry: `Program`, `RECORD`, `REGION`, `STACK`, `PLACE`.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from aarch64.assembled import TARGET, toolchain
from aarch64.instances import CALLED, SYMBOL, Instance, text_of

from alpha.backends.core.rows import Word
from alpha.backends.toolchain.assembling import assemble, link_executable
from alpha.backends.toolchain.emulation import find_runner
from alpha.backends.toolchain.machines import machine_of

REGION = 0x1000_0000
REGION_BYTES = 1 << 26
STACK = REGION + REGION_BYTES // 2
PLACE = REGION + REGION_BYTES // 4
"""The address of the symbol that addresses name."""

WINDOW = 64
"""Bytes of memory in a record."""

RECORD = np.dtype(
    [
        ("x", "<u8", 31),
        ("went", "<u8"),
        ("v", "u1", (32, 16)),
        ("window", "<u8"),
        ("instance", "<u8"),
        ("bytes", "u1", WINDOW),
    ]
)
"""`went` is the number of the label that was gone to, FELL_THROUGH if none."""

FELL_THROUGH = 7
SECONDS_MAX = 300.0
_WENT, _VECTORS, _AT_WINDOW, _INSTANCE, _BYTES = 248, 256, 768, 776, 784

_SAVED = [number for number in range(31) if number not in (16, 17)]

_ENTRY = f"""
.globl _start
_start:
  mov x0, #{REGION}
  mov x1, #{REGION_BYTES}
  mov x2, #3
  mov x3, #0x32
  mov x4, #-1
  mov x5, #0
  mov x8, #222
  svc #0
  mov x1, #{REGION}
  cmp x0, x1
  b.ne failed
  mov x0, #{STACK}
  mov sp, x0
next:
  mov x0, #0
  mov x1, sp
  mov x2, #{RECORD.itemsize}
  mov x8, #63
  svc #0
  cbz x0, ended
  cmp x0, #{RECORD.itemsize}
  b.ne failed
  ldr x0, [sp, #{_AT_WINDOW}]
  ldp q0, q1, [sp, #{_BYTES}]
  ldp q2, q3, [sp, #{_BYTES + 32}]
  stp q0, q1, [x0]
  stp q2, q3, [x0, #32]
  ldr x17, [sp, #{_INSTANCE}]
  adrp x16, codes
  add x16, x16, :lo12:codes
  ldr x17, [x16, x17, lsl #3]
"""
_LEAVING = f"""
went0:
  mov x16, #0
  b leave
went1:
  mov x16, #1
  b leave
fell:
  mov x16, #{FELL_THROUGH}
leave:
  str x16, [sp, #{_WENT}]
"""
_AGAIN = f"""
  ldr x0, [sp, #{_AT_WINDOW}]
  ldp q0, q1, [x0]
  ldp q2, q3, [x0, #32]
  stp q0, q1, [sp, #{_BYTES}]
  stp q2, q3, [sp, #{_BYTES + 32}]
  mov x0, #1
  mov x1, sp
  mov x2, #{RECORD.itemsize}
  mov x8, #64
  svc #0
  cmp x0, #{RECORD.itemsize}
  b.eq next
failed:
  mov x0, #1
  b exit
ended:
  mov x0, #0
exit:
  mov x8, #94
  svc #0
{CALLED}:
  ret
"""


def _text(instances: Sequence[Instance]) -> str:
    lines = [*TARGET.syntax.header, ".text", _ENTRY]
    lines += [f"  ldr q{number}, [sp, #{_VECTORS + 16 * number}]" for number in range(32)]
    lines += [f"  ldr x{number}, [sp, #{8 * number}]" for number in _SAVED]
    lines += ["  br x17", _LEAVING]
    lines += [f"  str q{number}, [sp, #{_VECTORS + 16 * number}]" for number in range(32)]
    lines += [f"  str x{number}, [sp, #{8 * number}]" for number in _SAVED]
    lines.append(_AGAIN)
    for number, instance in enumerate(instances):
        labels = [slot.name for slot in instance.row.reads if slot.kind == Word("label")]
        named = {name: f"went{at}" for at, name in enumerate(labels)}
        lines += [f"code{number}:", text_of(instance, named), "  b fell"]
    lines += [".section .rodata", ".balign 8", "codes:"]
    lines += [f"  .quad code{number}" for number in range(len(instances))]
    return "\n".join([*lines, *TARGET.syntax.footer]) + "\n"


class Program:
    """The executable for some instances."""

    def __init__(self, instances: Sequence[Instance]) -> None:
        tools = toolchain("gnu")
        self._runner = find_runner(machine_of("aarch64"))
        named = f".globl {SYMBOL}\n.set {SYMBOL}, {PLACE}\n"
        objects = [assemble(text, tools) for text in (_text(instances), named)]
        self._binary = link_executable(objects, tools)

    def run(self, records: np.ndarray) -> np.ndarray:
        """The records as they are afterwards.

        Raises RuntimeError if the program doesn't end as it should.
        """
        with tempfile.TemporaryDirectory() as name:
            program = Path(name) / "program"
            program.write_bytes(self._binary)
            program.chmod(0o700)
            given, made = Path(name) / "given", Path(name) / "made"
            given.write_bytes(records.tobytes())
            with given.open("rb") as stdin, made.open("wb") as stdout:
                ended = subprocess.run(
                    [*self._runner.command, str(program)],
                    stdin=stdin,
                    stdout=stdout,
                    timeout=SECONDS_MAX,
                )
            found = np.frombuffer(made.read_bytes(), RECORD)
        if ended.returncode or len(found) != len(records):
            raise RuntimeError(f"exit status {ended.returncode} behind record {len(found)}")
        return found
