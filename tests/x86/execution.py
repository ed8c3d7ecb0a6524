"""Instances of rows executed: a library of one function for each, run on states of the processor.

A state holds all registers but the stack pointer, the bytes that addresses lead to, and which way a
branch went. The library loads it, runs the instance and stores everything again.

Entry: `STATE`, `Library`, `has`, `executable`.
"""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from x86.instances import CALLED, MEMORY, Instance, text_of

from alpha.backends.core.registers import View
from alpha.backends.toolchain.assembling import assemble, link_library
from alpha.backends.toolchain.finding import find_toolchain
from alpha.backends.toolchain.machines import machine_of
from alpha.backends.x86.registers import VIEWS

STATE = np.dtype(
    [
        ("memory", np.uint8, 256),
        ("vec", np.uint8, (32, 64)),
        ("gpr", np.uint64, 16),
        ("mask", np.uint64, 8),
        ("way", np.uint64),
        ("rest", np.uint64, 7),
    ]
)
"""Where `MEMORY` is 64 bytes behind the start; a multiple of 64 bytes."""

OPERAND_AT = 64
"""Where the bytes that an address leads to begin."""

TAKEN, PASSED = 1, 2
"""The ways of a branch, in `way`."""

_FLAGS = {
    "": {"avx2", "bmi1", "bmi2", "fma", "abm", "popcnt"},
    "avx512": {"avx512f", "avx512dq", "avx512bw", "avx512vl"},
    "sha": {"sha_ni"},
}


@cache
def has(feature: str) -> bool:
    """Whether this processor has a feature of rows, or the baseline."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("flags"):
            return _FLAGS[feature] <= set(line.split())
    return False


def executable(instance: Instance) -> bool:
    """Whether this processor can execute an instance and go on.

    A row of the baseline needs AVX-512 as well where it is given a register that only this has.
    """
    row = instance.row
    vectors = [
        instance.registers[slot.name]
        for slot in row.slots
        if isinstance(slot.kind, View) and slot.kind.of.name == "vec"
    ]
    feature = "avx512" if any(number >= 16 for number in vectors) else row.feature
    return has(row.feature) and has(feature) and row.role != "stop"


def _offset(field: str) -> int:
    return {name: place[1] for name, place in (STATE.fields or {}).items()}[field]


def _place(field: str, number: int) -> str:
    """A register's place in the state."""
    size = {"vec": 64, "gpr": 8, "mask": 8}[field]
    return f"[rip + state + {_offset(field) + number * size}]"


def _transfers(load: bool) -> list[str]:
    """All registers from the state, or to it, by instructions that this processor has."""
    lines: list[str] = []

    def move(verb: str, register: str, place: str) -> None:
        lines.append(f"{verb} {register}, {place}" if load else f"{verb} {place}, {register}")

    wide = has("avx512")
    for number in range(32 if wide else 16):
        move("vmovups", VIEWS["z" if wide else "y"].spelled[number], _place("vec", number))
    for number in range(8 if wide else 0):
        move("kmovq", VIEWS["k"].spelled[number], _place("mask", number))
    for number in range(16):
        if number != VIEWS["r64"].number("rsp"):
            move("mov", VIEWS["r64"].spelled[number], _place("gpr", number))
    return [*lines, "ret"]


_KEPT = ("rbx", "rbp", "r12", "r13", "r14", "r15")

_DRIVER = """
.intel_syntax noprefix
.bss
.balign 64
state: .zero {size}
.set {memory}, state + {operand}
function: .zero 8
at: .zero 8
left: .zero 8
.text
.globl run
run:
{push}
mov [rip + function], rdi
mov [rip + at], rsi
mov [rip + left], rdx
again:
cmp qword ptr [rip + left], 0
je done
mov rsi, [rip + at]
lea rdi, [rip + state]
mov ecx, {size}
rep movsb
call load
call [rip + function]
call store
mov rdi, [rip + at]
lea rsi, [rip + state]
mov ecx, {size}
rep movsb
mov [rip + at], rdi
dec qword ptr [rip + left]
jmp again
done:
{pop}
vzeroupper
ret
.globl address
address:
lea rax, [rip + {memory}]
ret
.globl address_called
address_called:
lea rax, [rip + {called}]
ret
{called}:
ret
load:
{load}
store:
{store}
"""


def text_of_library(instances: Sequence[Instance]) -> str:
    """The driver, and a function for each instance."""
    lines = [
        _DRIVER.format(
            size=STATE.itemsize,
            memory=MEMORY,
            operand=OPERAND_AT,
            called=CALLED,
            push="\n".join(f"push {each}" for each in _KEPT),
            pop="\n".join(f"pop {each}" for each in reversed(_KEPT)),
            load="\n".join(_transfers(True)),
            store="\n".join(_transfers(False)),
        )
    ]
    way = f"[rip + state + {_offset('way')}]"
    for number, each in enumerate(instances):
        labels = {"yes": f"yes{number}", "no": f"no{number}", "to": f"yes{number}"}
        lines += [f".globl case{number}", f"case{number}:"]
        lines += [text_of(each, labels)]
        lines += [f"mov qword ptr {way}, {PASSED}", "ret"]
        if each.row.labels:
            lines += [f"yes{number}:", f"mov qword ptr {way}, {TAKEN}", "ret"]
    lines.append('.section .note.GNU-stack,"",@progbits')
    return "\n".join(lines) + "\n"


class Library:
    """The instances of a list, each of which can be run."""

    def __init__(self, instances: Sequence[Instance]) -> None:
        toolchain = find_toolchain(machine_of("x86-64"))
        binary = link_library([assemble(text_of_library(instances), toolchain)], toolchain)
        with tempfile.NamedTemporaryFile(suffix=".so") as file:
            file.write(binary)
            file.flush()
            self._library = ctypes.CDLL(file.name)
        self._library.address.restype = ctypes.c_uint64
        self._library.address_called.restype = ctypes.c_uint64
        self.memory: int = self._library.address()
        self.called: int = self._library.address_called()

    def run(self, number: int, states: np.ndarray) -> np.ndarray:
        """What an instance makes of each state."""
        made = np.ascontiguousarray(states.copy())
        function = ctypes.cast(getattr(self._library, f"case{number}"), ctypes.c_void_p)
        self._library.run(function, ctypes.c_void_p(made.ctypes.data), ctypes.c_uint64(len(made)))
        return made
