"""The program that does a batch of calls on AArch64, in assembly: entry, system calls, calls.

Invariant: between two calls nothing of it is in registers, so what a function leaves in them harms
    only itself. All that a function may not rely on holds a pattern when it is called.
Why: a static executable runs alike on the machine and under an emulator, and starts in no time.
Entry: `TEXT`, `VIOLATED`, `table`.
"""

from __future__ import annotations

from collections.abc import Sequence

from alpha.backends.toolchain import records
from alpha.backends.toolchain.records import PATTERN, PRESERVED, WORD_BYTES

SAVED = tuple(f"x{number}" for number in range(19, 30))
SAVED_FLOATS = tuple(f"d{number}" for number in range(8, 16))

# AAPCS64, 6.1.1 to 6.1.3: what a function leaves as it was.
VIOLATED: tuple[str, ...] = (*SAVED, *SAVED_FLOATS, "sp", "FPCR", "the stack of its caller")
"""What each bit of a record's violations says wasn't preserved."""

STATE = ("image", "stack", "left", "record", "sp", "x0", "d0")


def _header(field: int) -> str:
    return f"[x19, #{field * WORD_BYTES}]"


def _record(field: int) -> str:
    return f"[x10, #{field * WORD_BYTES}]"


def _state(name: str) -> str:
    return f"[x9, #{STATE.index(name) * WORD_BYTES}]"


def _constant(register: str, value: int) -> list[str]:
    """A constant of 64 bits, without a pool that would have to lie near."""
    parts = [value >> shift & 0xFFFF for shift in (0, 16, 32, 48)]
    moves = [f"movz {register}, #{parts[0]}"]
    return moves + [f"movk {register}, #{parts[n]}, lsl #{16 * n}" for n in (1, 2, 3)]


def _address(register: str, symbol: str) -> list[str]:
    return [f"adrp {register}, {symbol}", f"add {register}, {register}, :lo12:{symbol}"]


def _noted(name: str, checks: Sequence[str]) -> list[str]:
    """The lines that set the bit of `name` in x11 unless a comparison comes out equal."""
    bit = VIOLATED.index(name)
    return [*checks, f"b.eq .Lkept_{bit}", f"orr x11, x11, #{1 << bit}", f".Lkept_{bit}:"]


def _map_batch() -> list[str]:
    """Map standard input, write, fence: lseek, mmap and mprotect are 62, 222 and 226."""
    return [
        *("mov x0, #0", "mov x1, #0", "mov x2, #2", "mov x8, #62", "svc #0"),
        *("cmp x0, #0", "b.le .Lfail", "mov x1, x0", "mov x0, #0", "mov x2, #3", "mov x3, #1"),
        *("mov x4, #0", "mov x5, #0", "mov x8, #222", "svc #0", "cmn x0, #4095", "b.hs .Lfail"),
        *("mov x19, x0", f"str x19, {_header(records.BASE)}"),
        f"ldr x1, {_header(records.POINTERS)}",
        f"ldr x2, {_header(records.POINTERS_AT)}",
        *("add x2, x2, x19", ".Lpointer:", "cbz x1, .Lpointers", "ldr x3, [x2], #8"),
        *("ldr x4, [x19, x3]", "add x4, x4, x19", "str x4, [x19, x3]", "sub x1, x1, #1"),
        *("b .Lpointer", ".Lpointers:"),
        f"ldr x20, {_header(records.FENCES)}",
        f"ldr x21, {_header(records.FENCES_AT)}",
        *("add x21, x21, x19", ".Lfence:", "cbz x20, .Lfences", "ldp x0, x1, [x21], #16"),
        *("add x0, x0, x19", "mov x2, #0", "mov x8, #226", "svc #0", "cbnz x0, .Lfail"),
        *("sub x20, x20, #1", "b .Lfence", ".Lfences:"),
        *_address("x9", "driver_state"),
        *("mov x10, sp", f"str x10, {_state('stack')}", f"str x19, {_state('image')}"),
        *(f"ldr x10, {_header(records.CALLS)}", f"str x10, {_state('left')}"),
        *(f"ldr x10, {_header(records.FIRST)}", "add x10, x10, x19"),
        f"str x10, {_state('record')}",
    ]


def _lay_stack() -> list[str]:
    """The words on the stack, two of the pattern above them, and the stack pointer kept."""
    return [
        *(f"ldr x11, {_state('stack')}", f"ldr x12, {_record(records.SHIFT)}"),
        *("sub x11, x11, x12", f"ldr x12, {_record(records.STACK_WORDS)}"),
        # An odd number of words has a third one above, so that sp is a multiple of 16.
        *("add x13, x12, #3", "and x13, x13, #-2", "sub x11, x11, x13, lsl #3", "mov sp, x11"),
        f"str x11, {_state('sp')}",
        *_constant("x14", PATTERN),
        *("add x13, x11, x12, lsl #3", "stp x14, x14, [x13]"),
        *(f"add x13, x10, #{records.STACK * WORD_BYTES}", ".Lword:", "cbz x12, .Lwords"),
        *("sub x12, x12, #1", "ldr x15, [x13, x12, lsl #3]", "str x15, [x11, x12, lsl #3]"),
        *("b .Lword", ".Lwords:"),
    ]


def _load_registers() -> list[str]:
    """x10 is the record, x14 the pattern; the address of the function is in x16 then."""
    return [
        *_address("x13", "driver_functions"),
        *(f"ldr x15, {_record(records.FUNCTION)}", "ldr x16, [x13, x15, lsl #3]"),
        f"add x13, x10, #{records.FLOATS * WORD_BYTES}",
        *(f"ldp q{n}, q{n + 1}, [x13, #{16 * n}]" for n in (0, 2, 4, 6)),
        *(f"dup v{n}.2d, x14" for n in range(16, 32)),
        *_constant("x19", PRESERVED),
        *(f"add {register}, x19, #{n}" for n, register in enumerate(SAVED) if n),
        *(
            line
            for n, register in enumerate(SAVED_FLOATS, len(SAVED))
            for line in (f"add x17, x19, #{n}", f"fmov {register}, x17")
        ),
        *(f"ldp x{n}, x{n + 1}, {_record(records.INTEGERS + n)}" for n in range(0, 8, 2)),
        *(f"mov x{n}, x14" for n in (8, 9, 10, 11, 12, 13, 15, 17, 18)),
    ]


def _look() -> list[str]:
    """Keep what was returned, and see what wasn't preserved; the bits are in x11 then."""
    lines = [*_address("x9", "driver_state"), f"str x0, {_state('x0')}", f"str d0, {_state('d0')}"]
    lines += [f"ldr x10, {_state('record')}", "mov x11, #0"]
    lines += ["mov x12, sp", f"ldr x13, {_state('sp')}", "mov sp, x13"]
    lines += _noted("sp", ["cmp x12, x13"])
    lines += _constant("x12", PRESERVED)
    for number, register in enumerate((*SAVED, *SAVED_FLOATS)):
        lines.append(f"add x13, x12, #{number}")
        if register in SAVED_FLOATS:
            lines.append(f"fmov x14, {register}")
            register = "x14"
        lines += _noted(VIOLATED[number], [f"cmp {register}, x13"])
    lines += _noted("FPCR", ["mrs x12, fpcr", "cmp x12, #0"])
    canary = [f"ldr x12, {_record(records.STACK_WORDS)}", "mov x13, sp"]
    canary += ["add x13, x13, x12, lsl #3", "ldp x12, x13, [x13]", *_constant("x14", PATTERN)]
    canary += ["cmp x12, x14", "ccmp x13, x14, #0, eq"]
    return lines + _noted("the stack of its caller", canary)


def _loop() -> list[str]:
    """exit_group is 94; status 101 says that memory couldn't be had."""
    return [
        *(".Lnext:", *_address("x9", "driver_state")),
        *(f"ldr x10, {_state('left')}", "cbz x10, .Ldone", "sub x10, x10, #1"),
        *(f"str x10, {_state('left')}", f"ldr x19, {_state('image')}"),
        *_counted(records.STARTED),
        *(f"ldr x10, {_state('record')}", "msr fpcr, xzr"),
        *_lay_stack(),
        *_load_registers(),
        "blr x16",
        *_look(),
        f"str x11, {_record(records.VIOLATIONS)}",
        *(f"ldr x11, {_state('x0')}", f"str x11, {_record(records.RETURNED)}"),
        *(f"ldr x11, {_state('d0')}", f"str x11, {_record(records.RETURNED_FLOAT)}"),
        f"ldr x19, {_state('image')}",
        *(f"ldr x10, {_record(records.NEXT)}", "add x10, x10, x19", f"str x10, {_state('record')}"),
        *_counted(records.FINISHED),
        "b .Lnext",
        *(".Ldone:", "mov x0, #0", "b .Lexit"),
        *(".Lfail:", "mov x0, #101", ".Lexit:", "mov x8, #94", "svc #0"),
    ]


def _counted(field: int) -> list[str]:
    """One more in a field of the header."""
    return [f"ldr x12, {_header(field)}", "add x12, x12, #1", f"str x12, {_header(field)}"]


TEXT = "\n".join(
    (
        *(".text", ".globl _start", "_start:"),
        *_map_batch(),
        *_loop(),
        *(".data", ".balign 16", "driver_state:", *(".quad 0" for _ in STATE)),
        f".quad {PATTERN}",
        "",
    )
)
"""The program, without the table of functions that it calls."""


def table(names: Sequence[str]) -> str:
    """The table of functions: their addresses, in this order.

    In quotation marks, in which a symbol may have the name of a register.
    """
    rows = (f'.quad "{name}"' for name in names)
    return "\n".join((".data", ".balign 8", "driver_functions:", *rows, ""))
