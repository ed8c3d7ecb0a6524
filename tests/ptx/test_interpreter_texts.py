"""What is no PTX that the interpreter knows is refused with its line; a twin one edit away runs."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from ptx.running import kernel

from alpha.backends.ptx.interpreter.device import Device
from alpha.backends.ptx.interpreter.faults import UnknownText
from alpha.backends.ptx.interpreter.parsing import parsed

GOOD = """.version 7.1
.target sm_86
.address_size 64
.global .align 4 .b8 table[4] = {1, 2, 3, 4};
.shared .align 8 .b8 outer[64];

.visible .entry k(
    .param .u64 k_0, // a pointer
    .param .u64 k_1
)
.maxntid 128, 1, 1
{
    .reg .pred %p<2>;
    .reg .b32 %r<3>;
    .reg .b64 %rd<4>, %base;
    .reg .f32 %f<3>;
    .reg .f64 %fd<5>;
    .shared .align 8 .b8 inner[1024];
    ld.param.b64 %rd1, [k_0];
    mov.u32 %r1, %tid.x;
    mov.b32 %r2, -1;
    mov.f64 %fd1, 0d3FF0000000000000;
    mov.f32 %f1, 0f3F800000;
    mov.u64 %rd2, inner;
    add.s64 %rd3, %rd1, 16;
    fma.rn.f64 %fd2, %fd1, %fd1, %fd1;
    setp.eq.s32 %p1, %r1, 0x0;
    @%p1 bra $end;
    shl.b64 %rd3, %rd3, 3;
$end:
    shfl.sync.down.b32 %r2, %r1, 4, 31, -1;
    st.global.f64 [%rd1], %fd2;
    mov.f64 %fd3, %fd2;
    @%p1 mov.f64 %fd4, %fd1;
    cvt.rn.f32.f64 %f2, %fd2;
    ret;
}
"""


@dataclass(frozen=True)
class Refused:
    """With `new` in place of `old`, the line that holds `at` is refused for `reason`."""

    old: str
    new: str
    at: str
    reason: str


NO_SUCH = "no such instruction"
CASES = [
    Refused(".version 7.1", ".version 8.0", ".version", "expected .version 7.1"),
    Refused(".target sm_86", ".target sm_90", ".target", "expected .target sm_86"),
    Refused(".address_size 64", ".address_size 32", ".address_size", "expected .address_size 64"),
    Refused(".version 7.1\n", "", ".target", "expected .version 7.1"),
    Refused("fma.rn.f64", "fma.f64", "fma.f64", NO_SUCH),
    Refused("fma.rn.f64", "fma.rz.f64", "fma.rz", NO_SUCH),
    Refused("fma.rn.f64", "fma.rn.ftz.f64", "fma.rn", NO_SUCH),
    Refused("fma.rn.f64 %fd2, %fd1, %fd1, %fd1;", "add.f64 %fd2, %fd1, %fd1;", "add.f64", NO_SUCH),
    Refused("fma.rn.f64 %fd2, %fd1, %fd1, %fd1;", "rcp.approx.ftz.f64 %fd2, %fd1;", "rcp", NO_SUCH),
    Refused("fma.rn.f64 %fd2, %fd1, %fd1, %fd1;", "sqrt.approx.f32 %f1, %f1;", "sqrt", NO_SUCH),
    Refused("cvt.rn.f32.f64", "cvt.f32.f64", "cvt.f32", NO_SUCH),
    Refused("st.global.f64 [%rd1]", "st.f64 [%rd1]", "st.f64", NO_SUCH),
    Refused(
        "st.global.f64 [%rd1], %fd2;", "atom.global.add.f64 %fd2, [%rd1], %fd1;", "atom", NO_SUCH
    ),
    Refused("st.global.f64 [%rd1], %fd2;", "red.global.add.f64 [%rd1], %fd2;", "red.", NO_SUCH),
    Refused(
        "st.global.f64 [%rd1], %fd2;", "st.volatile.global.f64 [%rd1], %fd2;", "st.vol", NO_SUCH
    ),
    Refused(
        "st.global.f64 [%rd1], %fd2;", "st.global.f64 [%rd1-8], %fd2;", "st.g", "is no address"
    ),
    Refused("st.global.f64 [%rd1]", "st.global.f64 [%rd1+%rd2]", "st.g", "is no address"),
    Refused("st.global.f64 [%rd1]", "st.global.f64 [%r1]", "st.g", "another type"),
    Refused("st.global.f64 [%rd1]", "st.global.f64 [%rd1+2147483648]", "st.g", "an offset of"),
    Refused("st.global.f64 [%rd1]", "st.global.f64 [inner]", "st.g", "isn't in global memory"),
    Refused("st.global.f64 [%rd1]", "st.global.f64 [absent]", "st.g", "no variable absent"),
    Refused("st.global.f64 [%rd1], %fd2;", "st.global.f64 [%rd1], %f2;", "st.g", "another type"),
    Refused("shfl.sync.down.b32", "shfl.down.b32", "shfl", NO_SUCH),
    Refused("shfl.sync.down.b32", "shfl.sync.up.b32", "shfl", NO_SUCH),
    Refused("31, -1;", "31, 0xffff;", "shfl", NO_SUCH),
    Refused("4, 31, -1;", "32, 31, -1;", "shfl", "32 is no immediate"),
    Refused("    shfl", "    @%p1 shfl", "@%p1 shfl", "all threads take part"),
    Refused("    shfl", "    @%p1 bar.sync 0;\n    shfl", "@%p1 bar", "all threads take part"),
    Refused("    shfl", "    bar.sync 1;\n    shfl", "bar.sync", NO_SUCH),
    Refused("    shfl", "    call foo;\n    shfl", "call", NO_SUCH),
    Refused("    shfl", '    .pragma "nounroll";\n    shfl', ".pragma", "no such directive"),
    Refused("    shfl", "    {\n    shfl", "    {", "blocks of names"),
    Refused("%tid.x", "%tid.y", "%tid.y", NO_SUCH),
    Refused("%tid.x", "%clock", "%clock", NO_SUCH),
    Refused(
        "mov.f64 %fd3, %fd2;", "mov.f64 %fd3, %f2;", "mov.f64 %fd3", "%f2 is a register of another"
    ),
    Refused("mov.f64 %fd3, %fd2;", "mov.f64 %fd9, %fd2;", "mov.f64 %fd9", "no register %fd9"),
    Refused("mov.f64 %fd3, %fd2;", "mov.f64 %fd3, %fd2", "mov.f64 %fd3", NO_SUCH),
    Refused("mov.f64 %fd3, %fd2;", "mov.b64 %fd3, %fd2;", "mov.b64 %fd3", "another type"),
    Refused("0d3FF0000000000000", "0d3FF", "mov.f64 %fd1", NO_SUCH),
    Refused("0d3FF0000000000000", "1.0", "mov.f64 %fd1", NO_SUCH),
    Refused("0f3F800000", "0d3FF0000000000000", "mov.f32 %f1", NO_SUCH),
    Refused("%rd1, 16;", "%rd1, 2147483648;", "add.s64", "2147483648 is no immediate"),
    Refused("%rd1, 16;", "%rd1, 016;", "add.s64", NO_SUCH),
    Refused("%rd3, 3;", "%rd3, 64;", "shl.b64", "64 is no immediate"),
    Refused("%rd3, 3;", "%rd3, -1;", "shl.b64", "-1 is no immediate"),
    Refused("setp.eq.s32", "setp.equ.s32", "setp.equ", NO_SUCH),
    Refused("setp.eq.s32", "setp.lo.s32", "setp.lo", NO_SUCH),
    Refused("bra $end;", "bra $start;", "bra $start", "no label $start"),
    Refused("$end:", "$end:\n$end:", "$end:\n    shfl", "a second label"),
    Refused("@%p1 bra", "@%p2 bra", "@%p2", "no register %p2"),
    Refused("@%p1 bra", "@%r1 bra", "@%r1", "another type"),
    Refused("@%p1 mov", "@%r1 mov", "@%r1", "another type"),
    Refused("[k_0]", "[k_2]", "ld.param", "no parameter k_2"),
    Refused("[k_0]", "[%rd2]", "ld.param", "by its name"),
    Refused("inner;", "middle;", "mov.u64", "no variable middle"),
    Refused("inner;", "k_0;", "mov.u64", "no variable k_0"),
    Refused("    ret;\n", "    @%p1 ret;\n", "    @%p1 ret", "runs off its end"),
    Refused("    ret;\n", "", "cvt.rn", "runs off its end"),
    Refused("    ret;\n", "    ret;\n$last:\n", "$last", "runs off its end"),
    Refused(".reg .pred %p<2>;", ".reg .pred %p<0>;", ".reg .pred", "declares no registers"),
    Refused(".reg .f32 %f<3>;", ".reg .f16 %f<3>;", ".reg .f16", "no type of registers"),
    Refused(", %base;", ", %rd2;", "%rd<4>, %rd2", "one register %rd2 too many"),
    Refused("inner[1024];", "outer[1024];", ".b8 outer[1024]", "a second outer"),
    Refused("inner[1024];", "inner[49153];", "inner[49153]", "bytes are shared"),
    Refused("inner[1024];", "inner[];", "inner[]", "no declaration"),
    Refused(".b8 inner", ".b16 inner", "inner[", "no type .b16"),
    Refused(".align 8 .b8 inner", ".align 12 .b8 inner", "inner[", "an alignment of 12"),
    Refused("[4] = {1", "[3] = {1", "table", "4 bytes in 3"),
    Refused("{1, 2, 3, 4}", "{1, 2, 3, 256}", "table", "256 is no byte"),
    Refused("{1, 2, 3, 4}", "{1.5}", "table", "data are bytes"),
    Refused(".b8 table[4] =", ".b32 table[4] =", "table", "only bytes"),
    Refused(".global .align 4", ".const .align 4", "table", "no such directive"),
    Refused(".global .align 4", ".extern .global .align 4", "table", "no such directive"),
    Refused("outer[64]", "table[64]", "table[64]", "a second table"),
    Refused(".param .u64 k_1", ".param .u32 k_1", ".visible", "no parameter of k"),
    Refused(".param .u64 k_1", ".param .u64 k_0", ".visible", "a second parameter"),
    Refused(
        ".maxntid 128, 1, 1", ".maxntid 128, 2, 1", ".visible", "no such directive of a kernel"
    ),
    Refused(".maxntid 128, 1, 1", ".minnctapersm 2", ".visible", "no such directive of a kernel"),
    Refused(".visible .entry k(", ".visible .func k(", ".visible .func", "no such directive"),
    Refused(".visible .entry k(", ".visible .entry table(", ".visible", "a second table"),
    Refused("    ret;\n}\n", "    ret;\n", "end of text", "the text ends"),
    Refused("    ret;\n}\n", "    ret\n}\n", "    ret\n", "no ; behind this"),
]


def test_the_text_is_known():
    program = parsed(GOOD)
    made = program.kernels["k"]
    assert made.parameters == ("k_0", "k_1")
    assert (made.threads, made.exact) == (128, False)
    assert [each.name for each in made.shared] == ["outer", "inner"]
    assert [(each.name, each.data) for each in program.variables] == [("table", b"\1\2\3\4")]
    assert made.instructions[0].line == 19


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.old} {case.new}"[:60])
def test_what_is_not_known_is_refused(case: Refused):
    assert GOOD.count(case.old) == 1
    text = GOOD.replace(case.old, case.new)
    with pytest.raises(UnknownText) as raised:
        parsed(text)
    assert case.reason in raised.value.reason
    at = text.find(case.at)
    line = text.count("\n", 0, at) + 1 if at >= 0 else text.count("\n") + 1
    assert raised.value.line == line
    assert f"line {line}: " in str(raised.value)


def test_white_space_does_not_count():
    loose = GOOD.replace(", ", " ,\t").replace("{1", "{ 1").replace("[%rd1]", "[ %rd1 ]")
    wanted = [(each.row, each.reads) for each in parsed(GOOD).kernels["k"].instructions]
    assert [(each.row, each.reads) for each in parsed(loose).kernels["k"].instructions] == wanted
    joined = GOOD.replace(";\n", "; ")
    assert [(each.row, each.reads) for each in parsed(joined).kernels["k"].instructions] == wanted


def test_a_module_has_several_kernels():
    program = parsed(kernel("axpy"))
    assert [*program.kernels] == ["pairs", "fours"]
    assert all(each.exact and each.threads == 32 for each in program.kernels.values())
    with pytest.raises(UnknownText, match="a second pairs"):
        parsed(kernel("axpy").replace("entry fours", "entry pairs"))


def test_variables_have_their_alignment_and_no_more():
    device = Device()
    module = device.load(GOOD)
    assert module.addresses["table"] % 8 == 4
    assert module.shared["k"]["inner"] % 16 == 8
