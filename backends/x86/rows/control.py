"""Where control goes on, comparisons with what uses them, and what only the processor can say.

Invariant: flags are set and used in one row. A branch takes its first label if the condition holds.
Why: `vucomisd_branch_une` has no twin for `oeq`, which is the same with the labels exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from alpha.backends.core.carriers import MachineCarrier, NotModelled, Trap, Vector
from alpha.backends.core.meanings import (
    in_memory,
    number,
    unmodelled,
)
from alpha.backends.core.rows import Row, row
from alpha.backends.x86.meanings import (
    either_mask,
    flagged,
    float_condition,
)
from alpha.backends.x86.registers import VIEWS
from alpha.backends.x86.rows.memory import WORDS

_row = partial(row, VIEWS)

_USES = {
    "branch": ("", "c:cond, yes:label, no:label", "j{c} {yes}"),
    "cmov": ("d:r64/y", "x:r64, y:r64, c:cond", "cmov{c} {d}, {x}"),
    "set": ("d:r64", "c:cond", "set{c} {d:r8}\nmovzx {d:r32}, {d:r8}"),
}
"""What uses the flags: what it writes, what it reads behind the operands compared, its text."""


def _comparisons(comparison: str) -> Iterator[Row]:
    """`cmp` or `test` with each use: of registers, immediates and memory."""
    for use in _USES:
        for suffix, bits, view in (("", 64, "r64"), ("_32", 32, "r32"), ("_8", 8, "r8")):
            memory, place = f"m:mem{bits // 8}", f"{WORDS[bits // 8]} ptr {{m}}"
            immediate = f"i:immS{min(bits, 32)}"
            forms = [
                ("", "a:r64, b:r64", f"{{a:{view}}}, {{b:{view}}}", -1),
                ("_imm", f"a:r64, {immediate}", f"{{a:{view}}}, {{i}}", -1),
                ("_mem", f"a:r64, {memory}", f"{{a:{view}}}, {place}", 1),
                ("_mem_imm", f"{memory}, {immediate}", f"{place}, {{i}}", 0),
            ]
            if comparison == "test":
                del forms[2]  # there is only one order of its operands, and `test m, r` is rare
            for form, read, operands, at in forms:
                yield _using(f"{comparison}_{use}{suffix}{form}", use, bits, read, operands, at)


def _using(name: str, use: str, bits: int, read: str, operands: str, at: int) -> Row:
    """A comparison with its use; `at` says which operand is in memory, if one is."""
    comparison = name.partition("_")[0]
    written, more, text = _USES[use]
    meaning = flagged(comparison, bits, use)
    return _row(
        name,
        f"{written} = {read}, {more}",
        f"{comparison} {operands}\n{text}",
        meaning if at < 0 else in_memory(meaning, bits, at),
        role="branch" if use == "branch" else "plain",
    )


_FLOATS = (("vucomisd", "d", "f64"), ("vucomiss", "s", "f32"))


def _float_comparisons() -> Iterator[Row]:
    """By the conditions of `FLOAT_CONDITIONS`."""
    for mnemonic, view, element in _FLOATS:
        bytes = VIEWS[view].bytes
        for use, (written, more, text) in _USES.items():
            for form, second, operand in (
                ("", f"b:{view}", "{b}"),
                ("_mem", f"m:mem{bytes}", f"{WORDS[bytes]} ptr {{m}}"),
            ):
                yield _row(
                    f"{mnemonic}_{use}{form}",
                    f"{written} = a:{view}, {second}, {more}",
                    f"{mnemonic} {{a}}, {operand}\n{text}",
                    float_condition(element, use),
                    role="branch" if use == "branch" else "plain",
                )


def _float_equalities() -> Iterator[Row]:
    """Equal or not, which two flags say: ZF, and PF of what can't be compared."""
    for mnemonic, view, element in _FLOATS:
        compared = f"a:{view}, b:{view}"
        first = f"{mnemonic} {{a}}, {{b}}\n"
        yield _row(
            f"{mnemonic}_branch_une",
            f"= {compared}, yes:label, no:label",
            f"{first}jne {{yes}}\njp {{yes}}",
            float_condition(element, "branch", "une"),
            role="branch",
        )
        for predicate, tied, other in (("oeq", "x", "y"), ("une", "y", "x")):
            yield _row(
                f"{mnemonic}_cmov_{predicate}",
                f"d:r64/{tied} = {compared}, x:r64, y:r64",
                f"{first}cmovne {{d}}, {{{other}}}\ncmovp {{d}}, {{{other}}}",
                float_condition(element, "cmov", predicate),
            )
        # CF of what is less or can't be compared, and "above", are never both; one of them is une.
        une = f"{first}seta {{d:r8}}\nadc {{d:r8}}, 0\n"
        for predicate, turned in (("oeq", "xor {d:r8}, 1\n"), ("une", "")):
            yield _row(
                f"{mnemonic}_set_{predicate}",
                f"d:r64 = {compared}",
                f"{une}{turned}movzx {{d:r32}}, {{d:r8}}",
                float_condition(element, "set", predicate),
            )


def _mask_tests() -> Iterator[Row]:
    """Whether two masks have no lane between them (`e`), or every lane (`b`), or not."""
    for letter, bits in (("b", 8), ("w", 16)):
        yield _row(
            f"kortest{letter}_branch",
            "= a:k, b:k, c:cond, yes:label, no:label",
            f"kortest{letter} {{a}}, {{b}}\nj{{c}} {{yes}}",
            either_mask(bits),
            feature="avx512",
            role="branch",
            commutes="a b",
        )


_PASSED = ("rdi", "rsi", "rdx", "r10", "r8", "r9")
"""Where the kernel takes the arguments of a system call (System V AMD64, A.2.1)."""


def _system_calls() -> Iterator[Row]:
    """By the number of arguments; the result is an error from -4095 to -1."""
    for count in range(len(_PASSED) + 1):
        arguments = "".join(f", a{n}:r64@{_PASSED[n]}" for n in range(count))
        yield _row(
            f"syscall_{count}",
            f"d:r64@rax = n:r64@rax{arguments}",
            "syscall",
            unmodelled("a system call"),
            clobbers=("rcx", "r11"),
        )


_STATE_DEFAULT = 0x1F80
"""MXCSR with every exception masked, rounding to nearest even, no flushing of subnormals."""


def _ldmxcsr(c: MachineCarrier, m: Vector) -> None:
    if number(c, m, 32) & ~0x3F != _STATE_DEFAULT:
        raise NotModelled("another mode of arithmetic than that of IEEE 754's default")


def _trap(c: MachineCarrier) -> None:
    raise Trap("an instruction that stops the program")


ROWS: tuple[Row, ...] = (
    _row("call", "= f:symbol", "call {f}", unmodelled("a call by itself"), role="call"),
    _row("call_reg", "= a:r64", "call {a}", unmodelled("a call by itself"), role="call"),
    *_comparisons("cmp"),
    _row(
        "cpuid",
        "a:r64@rax, b:r64@rbx, c:r64@rcx, d:r64@rdx = e:r64@rax, f:r64@rcx",
        "cpuid",
        unmodelled("what the processor can do"),
    ),
    _row("jmp", "= to:label", "jmp {to}", lambda c: 0, role="jump"),
    *_mask_tests(),
    _row("ret", "=", "ret", lambda c: None, role="return"),
    _row("ret_vzeroupper", "=", "vzeroupper\nret", lambda c: None, role="return"),
    # Only frames moves the stack pointer, which is no value.
    _row("rsp_add", "= i:immS32", "add rsp, {i}", unmodelled("the stack pointer")),
    *_system_calls(),
    *_comparisons("test"),
    _row("ud2", "=", "ud2", _trap, role="stop"),
    *_float_comparisons(),
    *_float_equalities(),
    _row("vldmxcsr", "= m:mem4", "vldmxcsr dword ptr {m}", _ldmxcsr),
    _row("vstmxcsr", "m:mem4 =", "vstmxcsr dword ptr {m}", unmodelled("flags of exceptions")),
    _row(
        "xgetbv",
        "l:r64@rax, h:r64@rdx = x:r64@rcx",
        "xgetbv",
        unmodelled("what the operating system has enabled"),
    ),
)
