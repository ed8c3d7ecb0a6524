"""The program that does a batch of calls on x86-64, in assembly: entry, system calls, calls.

Invariant: between two calls nothing of it is in registers, so what a function leaves in them harms
    only itself. All that a function may not rely on holds a pattern when it is called.
Why: a static executable runs alike on the machine and under an emulator, and starts in no time.
Entry: `TEXT`, `VIOLATED`, `table`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from alpha.backends.toolchain import records
from alpha.backends.toolchain.records import PATTERN, PRESERVED, WORD_BYTES

SAVED = ("rbx", "rbp", "r12", "r13", "r14", "r15")
PASSED = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")

# System V ABI for x86-64, 3.2.1 and 3.2.3: what a function leaves as it was.
VIOLATED: tuple[str, ...] = (
    *SAVED,
    *("rsp", "the direction flag", "the control bits of MXCSR", "the x87 control word"),
    "the stack of its caller",
)
"""What each bit of a record's violations says wasn't preserved."""

MXCSR, MXCSR_CONTROL, X87_CONTROL, DIRECTION = 0x1F80, 0xFFC0, 0x037F, 0x400


def _header(field: int) -> str:
    return f"[rbx + {field * WORD_BYTES}]"


def _record(field: int) -> str:
    return f"[r14 + {field * WORD_BYTES}]"


def _noted(name: str, checks: Iterable[str], equal: str = "je") -> list[str]:
    """The lines that set the bit of `name` in rax unless a comparison comes out equal."""
    bit = VIOLATED.index(name)
    return [*checks, f"{equal} .Lkept_{bit}", f"or rax, {1 << bit}", f".Lkept_{bit}:"]


def _map_batch() -> list[str]:
    """Map standard input, write, fence: lseek, mmap and mprotect are 8, 9 and 10."""
    return [
        *("mov eax, 8", "xor edi, edi", "xor esi, esi", "mov edx, 2", "syscall"),
        *("test rax, rax", "jle .Lfail", "mov rsi, rax"),
        *("mov eax, 9", "xor edi, edi", "mov edx, 3", "mov r10d, 1", "xor r8d, r8d"),
        *("xor r9d, r9d", "syscall", "cmp rax, -4096", "ja .Lfail", "mov rbx, rax"),
        f"mov {_header(records.BASE)}, rbx",
        f"mov rcx, {_header(records.POINTERS)}",
        f"mov rsi, {_header(records.POINTERS_AT)}",
        *("add rsi, rbx", "jmp .Lpointers"),
        *(".Lpointer:", "mov rdx, [rsi]", "add [rbx + rdx], rbx", "add rsi, 8", "dec rcx"),
        *(".Lpointers:", "test rcx, rcx", "jnz .Lpointer"),
        f"mov r12, {_header(records.FENCES)}",
        f"mov r13, {_header(records.FENCES_AT)}",
        *("add r13, rbx", "jmp .Lfences"),
        *(".Lfence:", "mov eax, 10", "mov rdi, [r13]", "add rdi, rbx", "mov rsi, [r13 + 8]"),
        *("xor edx, edx", "syscall", "test rax, rax", "jnz .Lfail", "add r13, 16", "dec r12"),
        *(".Lfences:", "test r12, r12", "jnz .Lfence"),
        *("mov [rip + driver_image], rbx", "mov [rip + driver_stack], rsp"),
        *(f"mov rax, {_header(records.CALLS)}", "mov [rip + driver_left], rax"),
        *(f"mov rax, {_header(records.FIRST)}", "add rax, rbx", "mov [rip + driver_record], rax"),
    ]


def _lay_stack() -> list[str]:
    """The words on the stack, two of the pattern above them, and the stack pointer kept."""
    return [
        *("mov rsp, [rip + driver_stack]", f"sub rsp, {_record(records.SHIFT)}"),
        f"mov rcx, {_record(records.STACK_WORDS)}",
        # An odd number of words has a third one above, so that rsp is a multiple of 16.
        *("lea rax, [rcx + 3]", "and rax, -2", "shl rax, 3", "sub rsp, rax"),
        f"movabs rax, {PATTERN}",
        *("mov [rsp + rcx*8], rax", "mov [rsp + rcx*8 + 8], rax", "jmp .Lwords"),
        *(".Lword:", f"mov rax, [r14 + rcx*8 + {records.STACK * WORD_BYTES - 8}]"),
        *("mov [rsp + rcx*8 - 8], rax", "dec rcx"),
        *(".Lwords:", "test rcx, rcx", "jnz .Lword", "mov [rip + driver_rsp], rsp"),
    ]


def _load_registers() -> list[str]:
    floats = records.FLOATS * WORD_BYTES
    return [
        *("lea rax, [rip + driver_functions]", f"mov rcx, {_record(records.FUNCTION)}"),
        *("mov r11, [rax + rcx*8]", "mov [rip + driver_target], r11"),
        *(f"movups xmm{n}, [r14 + {floats + 16 * n}]" for n in range(8)),
        *(f"movups xmm{n}, [rip + driver_pattern]" for n in range(8, 16)),
        *(f"mov {register}, {_record(records.INTEGERS + n)}" for n, register in enumerate(PASSED)),
        *(f"movabs rax, {PATTERN}", "mov r10, rax", "mov r11, rax", f"movabs rbx, {PRESERVED}"),
        *(f"lea {register}, [rbx + {n}]" for n, register in enumerate(SAVED) if n),
    ]


def _look() -> list[str]:
    """Keep what was returned, and see what wasn't preserved; the bits are in rax then."""
    canary = ["mov r14, [rip + driver_record]", f"mov rcx, {_record(records.STACK_WORDS)}"]
    canary += [f"movabs rdx, {PATTERN}", "mov rsi, [rsp + rcx*8]", "xor rsi, rdx"]
    canary += ["mov rdi, [rsp + rcx*8 + 8]", "xor rdi, rdx", "or rsi, rdi"]
    lines = ["mov [rip + driver_rax], rax", "movq [rip + driver_xmm0], xmm0", "xor eax, eax"]
    lines += _noted("rsp", ["cmp rsp, [rip + driver_rsp]"])
    lines += ["mov rsp, [rip + driver_rsp]", "pushfq", "pop rcx", "cld"]
    lines += _noted("the direction flag", [f"test ecx, {DIRECTION}"])
    lines.append(f"movabs rcx, {PRESERVED}")
    for number, register in enumerate(SAVED):
        lines += _noted(register, [f"lea rdx, [rcx + {number}]", f"cmp {register}, rdx"])
    lines += ["stmxcsr [rip + driver_scratch]", "mov ecx, [rip + driver_scratch]"]
    lines += [f"and ecx, {MXCSR_CONTROL}"]
    lines += _noted("the control bits of MXCSR", [f"cmp ecx, {MXCSR & MXCSR_CONTROL}"])
    lines += ["fnstcw [rip + driver_scratch]", "movzx ecx, word ptr [rip + driver_scratch]"]
    lines += _noted("the x87 control word", [f"cmp ecx, {X87_CONTROL}"])
    return lines + _noted("the stack of its caller", canary)


def _loop() -> list[str]:
    """exit_group is 231; status 101 says that memory couldn't be had."""
    return [
        *(".Lnext:", "cmp qword ptr [rip + driver_left], 0", "je .Ldone"),
        *("mov rbx, [rip + driver_image]", f"inc qword ptr {_header(records.STARTED)}"),
        *("mov r14, [rip + driver_record]", "ldmxcsr [rip + driver_mxcsr]", "fninit"),
        *_lay_stack(),
        *_load_registers(),
        "call [rip + driver_target]",
        *_look(),
        f"mov {_record(records.VIOLATIONS)}, rax",
        *("mov rax, [rip + driver_rax]", f"mov {_record(records.RETURNED)}, rax"),
        *("mov rax, [rip + driver_xmm0]", f"mov {_record(records.RETURNED_FLOAT)}, rax"),
        *("mov rbx, [rip + driver_image]", f"inc qword ptr {_header(records.FINISHED)}"),
        *(f"mov rax, {_record(records.NEXT)}", "add rax, rbx", "mov [rip + driver_record], rax"),
        *("dec qword ptr [rip + driver_left]", "jmp .Lnext"),
        *(".Ldone:", "xor edi, edi", "jmp .Lexit"),
        *(".Lfail:", "mov edi, 101", ".Lexit:", "mov eax, 231", "syscall"),
    ]


def _state() -> list[str]:
    names = ("image", "stack", "left", "record", "rsp", "target", "rax", "xmm0", "scratch")
    return [
        *(".data", ".balign 16", f"driver_pattern: .quad {PATTERN}, {PATTERN}"),
        f"driver_mxcsr: .quad {MXCSR}",
        *(f"driver_{name}: .quad 0" for name in names),
    ]


TEXT = "\n".join(
    (
        *(".intel_syntax noprefix", ".text", ".globl _start", "_start:"),
        *_map_batch(),
        *_loop(),
        *_state(),
        "",
    )
)
"""The program, without the table of functions that it calls."""


def table(names: Sequence[str]) -> str:
    """The table of functions: their addresses, in this order.

    In AT&T syntax, in which a symbol may have the name of a register.
    """
    rows = (f".quad {name}" for name in names)
    return "\n".join((".att_syntax", ".data", ".balign 8", "driver_functions:", *rows, ""))
