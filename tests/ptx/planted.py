"""Faults to plant in kernels: bodies that run, and one edit to each that makes it a fault.

Entry: `CASES`, `Planted`, `text_of`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ptx.elementwise import HEADER

BLOCK, GRID = 64, 2
PROLOGUE = """
.visible .entry k(.param .u64 in, .param .u64 out)
{
    .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>;
    .shared .align 16 .b8 s[512];
    .shared .align 16 .b8 t[16];
    ld.param.b64 %rd4, [in];
    ld.param.b64 %rd5, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %ctaid.x;
    mad.lo.s32 %r4, %r3, %r2, %r1;
    cvt.u64.u32 %rd2, %r1;
    shl.b64 %rd2, %rd2, 3; // 8 bytes a thread of the block
    cvt.u64.u32 %rd3, %r4;
    shl.b64 %rd3, %rd3, 3; // 8 bytes a thread of the launch
    add.s64 %rd4, %rd4, %rd3;
    add.s64 %rd5, %rd5, %rd3;
    mov.u64 %rd6, s;
    add.s64 %rd6, %rd6, %rd2;
"""
EPILOGUE = "    st.global.f64 [%rd5], %fd1;\n    ret;\n}\n"
"""On the way, `%rd4` is the thread's word of `in`, `%rd5` that of `out`, `%rd6` that of `s`."""

LOADED = "    ld.global.f64 %fd1, [%rd4];\n"
SHARED = LOADED + "    st.shared.f64 [%rd6], %fd1;\n"
READ_OTHER = """
    xor.b32 %r5, %r1, 63;
    cvt.u64.u32 %rd7, %r5;
    shl.b64 %rd7, %rd7, 3;
    mov.u64 %rd8, s;
    add.s64 %rd7, %rd7, %rd8;
    ld.shared.f64 %fd1, [%rd7];
"""
IN_BRANCH = (
    LOADED
    + """
    setp.lt.u32 %p1, %r1, 32;
    @%p1 bra low;
    mov.f64 %fd2, %fd1;
    bra join;
low:
    add.rn.f64 %fd2, %fd1, %fd1;
join:
    mov.f64 %fd1, %fd2;
"""
)
BARRIERS = (
    LOADED
    + """
    setp.lt.u32 %p1, %r1, 32;
    @%p1 bra low;
    neg.f64 %fd1, %fd1;
low:
    bar.sync 0;
"""
)
SHUFFLE = (
    LOADED
    + """
    setp.lt.u32 %p1, %r1, 32;
    @!%p1 bra high;
    shfl.sync.down.b32 %r5, %r1, 4, 31, -1;
high:
"""
)
LOOP = (
    LOADED
    + """
    mov.b32 %r5, 0;
again:
    add.s32 %r5, %r5, 1;
    setp.lt.u32 %p1, %r5, 5;
    @%p1 bra again;
"""
)
OWN_WORD = (
    LOADED
    + """
    ld.param.b64 %rd7, [out];
    add.s64 %rd5, %rd7, %rd3;
    st.global.f64 [%rd5], %fd1;
    ld.global.f64 %fd2, [%rd5];
    st.global.f64 [%rd5], %fd2;
"""
)
NEXT_WORD = (
    LOADED
    + """
    xor.b32 %r5, %r4, 1;
    cvt.u64.u32 %rd7, %r5;
    shl.b64 %rd7, %rd7, 3;
    ld.param.b64 %rd8, [out];
    add.s64 %rd7, %rd7, %rd8;
    st.global.f64 [%rd7], %fd1;
    bar.sync 0;
    ld.global.f64 %fd1, [%rd5];
"""
)
READ_FIRST = (
    SHARED
    + """
    bar.sync 0;
    ld.shared.f64 %fd2, [s];
    bar.sync 0;
    setp.ne.s32 %p1, %r1, 0;
    @!%p1 st.shared.f64 [s], %fd1;
"""
)
COUNTED_WORD = (
    LOADED
    + """
    shr.u64 %rd7, %rd2, 3;
    shl.b64 %rd7, %rd7, 3;
    mov.u64 %rd8, s;
    add.s64 %rd7, %rd7, %rd8;
    st.shared.f64 [%rd7], %fd1;
"""
)
FIRST_WORD = (
    LOADED
    + """
    ld.param.b64 %rd7, [in];
    ld.global.f64 %fd2, [%rd7];
    st.global.f64 [%rd5], %fd2;
"""
)
HALF_WRITTEN = (
    SHARED
    + """
    setp.ne.s32 %p1, %r1, 0;
    @%p1 st.shared.b32 [%rd6+4], %r1;
"""
)
HALF_READ = (
    SHARED
    + """
    bar.sync 0;
    ld.shared.f64 %fd1, [%rd6];
    setp.ne.s32 %p1, %r1, 0;
    @%p1 st.shared.b32 [%rd6+4], %r1;
"""
)


@dataclass(frozen=True)
class Planted:
    """A body that runs; with `new` in place of `old`, `text` is a fault of a kind."""

    body: str
    old: str
    new: str
    kind: str
    text: str


CASES = {
    "one word too far": Planted(
        LOADED, "[%rd4]", "[%rd4+8]", "out-of-bounds", "ld.global.f64 %fd1, [%rd4+8];"
    ),
    "one word before": Planted(
        LOADED, "[%rd4]", "[%rd4+-8]", "out-of-bounds", "ld.global.f64 %fd1, [%rd4+-8];"
    ),
    "a shared address": Planted(
        SHARED,
        "global.f64 %fd1, [%rd4]",
        "global.f64 %fd1, [%rd6]",
        "out-of-bounds",
        "ld.global.f64 %fd1, [%rd6];",
    ),
    "a global address": Planted(
        SHARED,
        "shared.f64 [%rd6]",
        "shared.f64 [%rd4]",
        "out-of-bounds",
        "st.shared.f64 [%rd4], %fd1;",
    ),
    "behind a shared array": Planted(
        SHARED, "[%rd6]", "[%rd6+8]", "out-of-bounds", "st.shared.f64 [%rd6+8], %fd1;"
    ),
    "half a word further": Planted(
        LOADED, "[%rd4]", "[%rd4+4]", "misaligned", "ld.global.f64 %fd1, [%rd4+4];"
    ),
    "two of binary32": Planted(
        LOADED + "    ld.global.v2.f32 {%f1, %f2}, [%rd4];\n",
        "2}, [%rd4]",
        "2}, [%rd4+4]",
        "misaligned",
        "ld.global.v2.f32 {%f1, %f2}, [%rd4+4];",
    ),
    "two of binary64": Planted(
        LOADED + "    and.b64 %rd7, %rd4, -16;\n    ld.global.v2.f64 {%fd1, %fd2}, [%rd7];\n",
        "-16;",
        "-8;",
        "misaligned",
        "ld.global.v2.f64 {%fd1, %fd2}, [%rd7];",
    ),
    "four of binary32": Planted(
        LOADED
        + "    and.b64 %rd7, %rd4, -16;\n    ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd7];\n",
        "-16;",
        "-8;",
        "misaligned",
        "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd7];",
    ),
    "half a parameter": Planted(
        LOADED + "    ld.param.b32 %r5, [in+4];\n",
        "+4",
        "+2",
        "misaligned",
        "ld.param.b32 %r5, [in+2];",
    ),
    "past a parameter": Planted(
        LOADED + "    ld.param.b32 %r5, [in+4];\n",
        "+4",
        "+8",
        "out-of-bounds",
        "ld.param.b32 %r5, [in+8];",
    ),
    "a register never written": Planted(
        LOADED,
        "%fd1, [%rd4]",
        "%fd2, [%rd4]",
        "uninitialized-register",
        "st.global.f64 [%rd5], %fd1;",
    ),
    "a register of one branch": Planted(
        IN_BRANCH,
        "mov.f64 %fd2, %fd1;",
        "mov.f64 %fd3, %fd1;",
        "uninitialized-register",
        "mov.f64 %fd1, %fd2;",
    ),
    "a register under a guard": Planted(
        LOADED
        + "    setp.lt.u32 %p1, %r1, 64;\n    @%p1 mov.f64 %fd2, %fd1;\n    mov.f64 %fd1, %fd2;\n",
        "%r1, 64",
        "%r1, 63",
        "uninitialized-register",
        "mov.f64 %fd1, %fd2;",
    ),
    "a guard never written": Planted(
        LOADED + "    setp.eq.s32 %p1, %r1, 0;\n    @%p1 neg.f64 %fd1, %fd1;\n",
        "setp.eq.s32 %p1",
        "setp.eq.s32 %p2",
        "uninitialized-register",
        "@%p1 neg.f64 %fd1, %fd1;",
    ),
    "shared memory never written": Planted(
        SHARED + "    ld.shared.f64 %fd1, [%rd6];\n",
        "st.shared.f64 [%rd6], %fd1;",
        "mov.f64 %fd2, %fd1;",
        "uninitialized-memory",
        "ld.shared.f64 %fd1, [%rd6];",
    ),
    "half written": Planted(
        SHARED + "    ld.shared.f64 %fd1, [%rd6];\n",
        "st.shared.f64 [%rd6], %fd1;",
        "st.shared.b32 [%rd6], %r1;",
        "uninitialized-memory",
        "ld.shared.f64 %fd1, [%rd6];",
    ),
    "output never written": Planted(
        LOADED, "[%rd4]", "[%rd5]", "uninitialized-memory", "ld.global.f64 %fd1, [%rd5];"
    ),
    "a missing barrier": Planted(
        SHARED + "    bar.sync 0;\n" + READ_OTHER,
        "    bar.sync 0;\n",
        "",
        "race-shared",
        "ld.shared.f64 %fd1, [%rd7];",
    ),
    "a write behind reads": Planted(
        READ_FIRST, "[s];\n    bar.sync 0;", "[s];", "race-shared", "@!%p1 st.shared.f64 [s], %fd1;"
    ),
    "a barrier before reads": Planted(
        READ_FIRST,
        "\n    bar.sync 0;\n    ld",
        "\n    ld",
        "race-shared",
        "ld.shared.f64 %fd2, [s];",
    ),
    "all write one word": Planted(
        SHARED, "[%rd6]", "[s]", "race-shared", "st.shared.f64 [s], %fd1;"
    ),
    "two write one word": Planted(
        COUNTED_WORD,
        "%rd2, 3;",
        "%rd2, 4;",
        "race-shared",
        "st.shared.f64 [%rd7], %fd1;",
    ),
    "half of a word that another wrote": Planted(
        HALF_WRITTEN, "+4]", "+-4]", "race-shared", "@%p1 st.shared.b32 [%rd6+-4], %r1;"
    ),
    "half of a word that another read": Planted(
        HALF_READ, "+4]", "+-4]", "race-shared", "@%p1 st.shared.b32 [%rd6+-4], %r1;"
    ),
    "blocks write one word": Planted(
        OWN_WORD,
        "add.s64 %rd5, %rd7, %rd3;",
        "add.s64 %rd5, %rd7, %rd2;",
        "race-global",
        "st.global.f64 [%rd5], %fd1;",
    ),
    "threads of a block, global": Planted(
        NEXT_WORD, "    bar.sync 0;\n", "", "race-global", "ld.global.f64 %fd1, [%rd5];"
    ),
    "threads of other blocks": Planted(
        NEXT_WORD, "%r4, 1;", "%r4, 64;", "race-global", "ld.global.f64 %fd1, [%rd5];"
    ),
    "a write to what others read": Planted(
        FIRST_WORD,
        "st.global.f64 [%rd5], %fd2",
        "st.global.f64 [%rd4], %fd2",
        "race-global",
        "st.global.f64 [%rd4], %fd2;",
    ),
    "a barrier in a branch": Planted(
        BARRIERS,
        "%fd1;\nlow:\n    bar.sync 0;",
        "%fd1;\n    bar.sync 0;\nlow:",
        "divergent-barrier",
        "bar.sync 0;",
    ),
    "a return before a barrier": Planted(
        BARRIERS, "@%p1 bra low;", "@%p1 ret;", "divergent-barrier", "bar.sync 0;"
    ),
    "a shuffle of some": Planted(
        SHUFFLE,
        "%r1, 32;",
        "%r1, 31;",
        "divergent-shuffle",
        "shfl.sync.down.b32 %r5, %r1, 4, 31, -1;",
    ),
    "a return before a shuffle": Planted(
        SHUFFLE,
        "    shfl",
        "    setp.eq.s32 %p2, %r1, 7;\n    @%p2 ret;\n    shfl",
        "divergent-shuffle",
        "shfl.sync.down.b32 %r5, %r1, 4, 31, -1;",
    ),
    "no end": Planted(LOOP, "add.s32 %r5, %r5, 1;", "add.s32 %r5, %r5, 0;", "step-limit", ""),
}


def text_of(body: str) -> str:
    """The module with the kernel of this body."""
    return HEADER + PROLOGUE + body + EPILOGUE
