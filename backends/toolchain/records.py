"""What a batch of calls looks like in memory, to the drivers that do it and to who writes it.

Invariant: all numbers are words of 8 bytes, little-endian. Here offsets count words; in a batch
    they count bytes from its beginning. A batch begins with the header and then has the records.
Why: a driver loads registers and stack from a record without knowing what a function's arguments
    are, so there are no conventions in it but the names of registers.
Entry: `HEADER_WORDS` and `RECORD_WORDS` with the fields before each, `places`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # who does the calls needs neither, and would wait for numpy
    from alpha.backends.toolchain.calls import Kind
    from alpha.backends.toolchain.machines import Machine

WORD_BYTES = 8

PATTERN = 0x5AD1_C0DE_0BAD_F00D
"""What lies in the words beside a function's own, and in registers that mean nothing."""

PRESERVED = 0x0DD5_EED5_0DD5_EE00
"""What the first preserved register holds; each other one holds one more than the one before."""

CALLS = 0
"""How many records there are."""

FIRST = 1
"""The offset of the first record."""

STARTED = 2
"""How many calls have begun; written before each."""

FINISHED = 3
"""How many calls have returned and been looked at; written after each."""

BASE = 4
"""The address of the batch; written by a driver that adds it to pointers, else 0."""

POINTERS, POINTERS_AT = 5, 6
"""How many words are pointers, and where the list of their offsets is."""

FENCES, FENCES_AT = 7, 8
"""How many fences there are, and where the list is: offset and length of each."""

HEADER_WORDS = 16

NEXT = 0
"""The offset of the next record; behind the last one it means nothing."""

FUNCTION = 1
"""The function's place in the table of functions."""

STACK_WORDS = 2
"""How many words are passed on the stack."""

SHIFT = 3
"""By how many bytes, a multiple of 16, the stack pointer is lower than usual."""

RETURNED = 4
"""The integer register of results, behind the call."""

RETURNED_FLOAT = 5
"""The low word of the vector register of results, behind the call."""

VIOLATIONS = 6
"""What wasn't preserved, one bit each; the drivers say which bit is what."""

INTEGERS = 8
"""The words of up to 8 general registers."""

FLOATS = 16
"""The words of 8 vector registers, two each."""

FLOAT_REGISTERS = 8

STACK = 32
"""The words on the stack, the first one at the lowest address."""

RECORD_WORDS = STACK
"""The length of a record whose function is passed nothing on the stack."""


def places(kinds: Sequence[Kind], machine: Machine) -> tuple[list[int], int]:
    """Which word of a record each argument lies in, and how many of them lie on the stack.

    Where there is no register left for it, an argument takes the next word of the stack: System V
    ABI for x86-64, 3.2.3, and AAPCS64, 6.8.2, C.1 to C.17, without aggregates and vectors.
    """
    integers = floats = stack = 0
    found: list[int] = []
    for kind in kinds:
        if kind in ("f32", "f64") and floats < FLOAT_REGISTERS:
            found.append(FLOATS + 2 * floats)
            floats += 1
        elif kind not in ("f32", "f64") and integers < machine.integer_registers:
            found.append(INTEGERS + integers)
            integers += 1
        else:
            found.append(STACK + stack)
            stack += 1
    return found, stack
