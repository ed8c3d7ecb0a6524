"""A placed operation is held to its row, by the verifier that every tool runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from machine.mutated_texts import tried

WRONG = {
    "one register of two": ("x64.load_64 placed (0 = 7) [_ + _ * 8]", "2 registers that are read"),
    "none of one": ("x64.mov placed (0 = )", "1 registers that are read"),
    "one too many": ("x64.mov placed (0 = 1, 2)", "1 registers that are read"),
    "two results": ("x64.mov placed (0, 1 = 2)", "1 registers that are written"),
    "an undeclared slot": ("x64.load_64 placed (0 = ) [slot 1]", "one of the function's 1 slots"),
    "beyond a slot": ("x64.load_64 placed (0 = ) [slot 0 + 8]", "8 bytes within the 8"),
    "before the arguments": ("x64.load_64 placed (0 = ) [in + -8]", "an argument on the stack"),
    "beyond what is passed": ("x64.load_64 placed (0 = ) [out]", "8 bytes within the 0"),
    "rsp": ("x64.mov placed (4 = 0)", "may be allocated in 'x64.mov', found 4, rsp"),
    "no register": ("x64.mov placed (-1 = 0)", "class gpr that may be allocated"),
    "a large number": ("x64.mov placed (0 = 99)", "class gpr that may be allocated"),
    "a vector register of more": ("x64.vaddsd placed (0 = 1, 16)", "may be allocated"),
    "rax and rdx elsewhere": ("x64.idiv placed (1, 5 = 3, 2)", "q in register 0, rax"),
    "an operand in an early result": ("x64.idiv placed (0, 2 = 0, 2)", "r apart from what is read"),
    "not where it is tied": ("x64.add placed (0 = 1, 2)", "d in register 1"),
    "one register twice": ("x64.xchg placed (1, 1 = 1, 1)", "results in registers of their own"),
    "far away": ("x64.load_64 placed (0 = 7) [_ + 99999999999]", "m as load_64 can hold it"),
    "a scale of 3": ("x64.load_64 placed (0 = 7, 1) [_ + _ * 3]", "m as load_64 can hold it"),
    "nowhere": ("x64.load_64 placed (0 = ) [8]", "m as load_64 can hold it"),
    "no condition": ('x64.cmp_set placed (0 = 1, 2) "zz"', "c as one of"),
    "no condition of floats": ('x64.vucomisd_set placed (0 = 1, 2) "l"', "c as one of"),
    "no name": ('x64.call placed ( = ) "a b"', "a symbol of letters"),
    "a result that rbx has": ('x64.call placed (3 = ) "f"', "the convention passes something"),
    "the stack pointer": ("x64.rsp_add placed ( = ) 8", "moved by the frame alone"),
    "a frame's own": ("x64.mov placed (0 = 1) as frame", "that the row can be"),
    "no move": ("x64.add placed (0 = 0, 1) as move", "that the row can be"),
    "another processor": ("x64.kmovq placed (1 = 2)", "the feature avx512 of the function"),
    "a value": ("%0 = x64.mov_immS32 5", "registers, as in the first instruction"),
    "a return before the end": ("x64.ret placed ( = )", "what ends a block at its end"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_placed_operation_is_held_to_its_row(wrong: str, tmp_path: Path):
    line, expected = WRONG[wrong]
    lines = ["x64.func @f in () slots [8 : 8] out 0 {", "x64.mov placed (0 = 1)", line]
    text = "\n".join([*lines, "x64.ret placed ( = 0)", "}", ""])
    for outcome in tried(text, "x64", tmp_path):
        assert outcome.status == 1
        assert ".mlir:3:" in outcome.said
        assert expected in outcome.said


RIGHT = (
    "x64.load_64 placed (0 = 7, 1) [_ + _ * 8 + 2147483647]",
    "x64.load_64 placed (0 = ) [slot 0]",
    "x64.idiv placed (0, 2 = 0, 1)",
    "x64.mov placed (15 = 0)",
    "x64.vaddsd placed (0 = 1, 15)",
    'x64.cmp_set placed (0 = 1, 2) "l"',
    'x64.call placed (0 = 7, 6) "f"',
    "x64.mov placed (0 = 1) as move",
)


@pytest.mark.parametrize("line", RIGHT)
def test_what_its_row_takes_is_assembled(line: str, tmp_path: Path):
    text = f"x64.func @f in () slots [8 : 8] out 0 {{\n{line}\nx64.ret placed ( = 0)\n}}\n"
    assert [outcome.status for outcome in tried(text, "x64", tmp_path)] == [0, 0]


def test_a_kept_register_that_is_written_is_saved(tmp_path: Path):
    text = "x64.func @f in () slots [] out 0 {\nx64.mov placed (15 = 0)\nx64.ret placed ( = )\n}\n"
    _, emitted = tried(text, "x64", tmp_path)
    lines = [line.strip() for line in emitted.out.splitlines()]
    at = lines.index("mov r15, rax")
    assert lines[at - 1] == "mov qword ptr [rsp], r15"
    assert lines[at + 1] == "mov r15, qword ptr [rsp]"
