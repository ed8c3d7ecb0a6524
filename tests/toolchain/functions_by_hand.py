"""Assembly functions that were written by hand, the same ones for both machines.

Entry: `TEXTS` by machine; `BREAKERS` names the functions that each don't preserve one thing.
"""

from __future__ import annotations

from collections.abc import Mapping

X86_BREAKERS: Mapping[str, str] = {
    **{name: f"mov {name}, 1; ret" for name in ("rbx", "rbp", "r12", "r13", "r14", "r15")},
    "rsp": "pop rcx; add rsp, 256; jmp rcx",
    "the direction flag": "std; ret",
    # Rounding towards zero; a status flag, which may change, is set as well.
    "the control bits of MXCSR": "mov dword ptr [rsp - 8], 0x7f81; ldmxcsr [rsp - 8]; ret",
    "the x87 control word": "mov word ptr [rsp - 8], 0x27f; fldcw [rsp - 8]; ret",
    "the stack of its caller": "mov byte ptr [rsp + 8], 1; ret",
}

ARM_BREAKERS: Mapping[str, str] = {
    **{f"x{number}": f"mov x{number}, #1; ret" for number in range(19, 30)},
    **{f"d{number}": f"fmov d{number}, #1.0; ret" for number in range(8, 16)},
    "sp": "add sp, sp, #256; ret",
    "FPCR": "mov x9, #0x1000000; msr fpcr, x9; ret",
    "the stack of its caller": "strb wzr, [sp]; ret",
}

BREAKERS: Mapping[str, Mapping[str, str]] = {"x86-64": X86_BREAKERS, "aarch64": ARM_BREAKERS}
"""What each of these functions doesn't preserve, and how."""

X86_SCRATCH = ("rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11")

X86: Mapping[str, str] = {
    # (pointer, count) -> the sum of doubles from the left, starting at -0.0
    "sum": """
        movabs rax, 0x8000000000000000
        movq xmm0, rax
        test rsi, rsi
        jz .Lsum_end
    .Lsum_next:
        addsd xmm0, [rdi]
        add rdi, 8
        dec rsi
        jnz .Lsum_next
    .Lsum_end:
        ret""",
    # (pointer, count, factor): every float becomes itself times the factor
    "scale": """
        test rsi, rsi
        jz .Lscale_end
    .Lscale_next:
        movss xmm1, [rdi]
        mulss xmm1, xmm0
        movss [rdi], xmm1
        add rdi, 4
        dec rsi
        jnz .Lscale_next
    .Lscale_end:
        ret""",
    # (pointer to 40 words, ...): 6 general registers, 8 vector registers, 26 words of the stack
    "arguments": "\n".join(
        (
            *(
                f"mov [rdi + {8 * n}], {name}"
                for n, name in enumerate(("rdi", "rsi", "rdx", "rcx", "r8", "r9"))
            ),
            *(f"movsd [rdi + {48 + 8 * n}], xmm{n}" for n in range(8)),
            *(f"mov rax, [rsp + {8 + 8 * n}]; mov [rdi + {112 + 8 * n}], rax" for n in range(26)),
            "ret",
        )
    ),
    "first_integer": "mov rax, rdi; ret",
    "first_float": "ret",
    "stack_pointer": "lea rax, [rsp + 8]; ret",
    "upper_half": "movhlps xmm0, xmm0; ret",
    # (pointer, offset): a byte is written there
    "poke": "mov byte ptr [rdi + rsi], 1; ret",
    "peek": "mov rax, [rdi + rsi]; ret",
    # (offset, ...): a byte of the stack, counted from the first word that isn't the function's own
    # if it has no arguments there
    "poke_stack": "mov byte ptr [rsp + rdi + 8], 1; ret",
    "undefined_instruction": "ud2",
    "read_null": "xor eax, eax; mov rax, [rax]; ret",
    "spin": ".Lspin: jmp .Lspin",
    "leave": "mov edi, 7; mov eax, 231; syscall",
    # Everything that a function may change.
    "clobber": "; ".join(
        (
            *(f"xor {r}, {r}" for r in X86_SCRATCH),
            *(f"xorps xmm{n}, xmm{n}" for n in range(16)),
            "ret",
        )
    ),
    "recurse": """
        push rbx
        mov rbx, rdi
        xor eax, eax
        test rdi, rdi
        jz .Lrecurse_end
        dec rdi
        call recurse
        add rax, rbx
    .Lrecurse_end:
        pop rbx
        ret""",
}

ARM: Mapping[str, str] = {
    "sum": """
        movi d0, #0
        fneg d0, d0
    .Lsum_next:
        cbz x1, .Lsum_end
        ldr d1, [x0], #8
        fadd d0, d0, d1
        sub x1, x1, #1
        b .Lsum_next
    .Lsum_end:
        ret""",
    "scale": """
        cbz x1, .Lscale_end
        ldr s1, [x0]
        fmul s1, s1, s0
        str s1, [x0], #4
        sub x1, x1, #1
        b scale
    .Lscale_end:
        ret""",
    "arguments": "\n".join(
        (
            *(f"str x{n}, [x0, #{8 * n}]" for n in range(8)),
            *(f"str d{n}, [x0, #{64 + 8 * n}]" for n in range(8)),
            *(f"ldr x9, [sp, #{8 * n}]; str x9, [x0, #{128 + 8 * n}]" for n in range(24)),
            "ret",
        )
    ),
    "first_integer": "ret",
    "first_float": "ret",
    "stack_pointer": "mov x0, sp; ret",
    "upper_half": "dup d0, v0.d[1]; ret",
    "poke": "mov w2, #1; strb w2, [x0, x1]; ret",
    "peek": "ldr x0, [x0, x1]; ret",
    "poke_stack": "strb wzr, [sp, x0]; ret",
    "undefined_instruction": "udf #0",
    "read_null": "mov x0, #0; ldr x0, [x0]; ret",
    "spin": "b spin",
    "leave": "mov x0, #7; mov x8, #94; svc #0",
    "clobber": "; ".join(
        (
            *(f"mov x{n}, #0" for n in range(19)),
            *(f"movi v{n}.2d, #0" for n in range(8)),
            # Of the preserved ones the upper halves are lost.
            *(f"mov v{n}.d[1], x0" for n in range(8, 16)),
            *(f"movi v{n}.2d, #0" for n in range(16, 32)),
            "ret",
        )
    ),
    "recurse": """
        stp x29, x30, [sp, #-32]!
        str x19, [sp, #16]
        mov x19, x0
        cbz x0, .Lrecurse_end
        sub x0, x0, #1
        bl recurse
        add x0, x0, x19
    .Lrecurse_end:
        ldr x19, [sp, #16]
        ldp x29, x30, [sp], #32
        ret""",
}


def breaker(name: str) -> str:
    """The symbol of the function that doesn't preserve this."""
    return f"break_{name.replace(' ', '_')}"


def _text(head: str, functions: Mapping[str, str], breakers: Mapping[str, str]) -> str:
    named = {**functions, **{breaker(name): body for name, body in breakers.items()}}
    lines = [head, ".text"]
    for name, body in named.items():
        lines += [f".globl {name}", f"{name}:", body.replace(";", "\n")]
    return "\n".join((*lines, ""))


TEXTS: Mapping[str, str] = {
    "x86-64": _text(".intel_syntax noprefix", X86, X86_BREAKERS),
    "aarch64": _text("", ARM, ARM_BREAKERS),
}
"""The texts by machine."""
