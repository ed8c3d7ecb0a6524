"""Special registers and shuffles, against what the manual says of each thread."""

from __future__ import annotations

import numpy as np
import pytest
from ptx.elementwise import HEADER, elementwise

from alpha.backends.ptx.interpreter.device import Device
from alpha.backends.ptx.interpreter.parsing import parsed
from alpha.backends.ptx.rows import control, memory

NUMBERS = (
    HEADER
    + """
.visible .entry k(.param .u64 out) {
    .reg .b32 %r<9>; .reg .b64 %rd<3>;
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %nctaid.x;
    mov.u32 %r5, %laneid;
    mad.lo.s32 %r6, %r3, %r2, %r1;
    mul.lo.s32 %r6, %r6, 20;
    cvt.u64.u32 %rd1, %r6;
    ld.param.b64 %rd2, [out];
    add.s64 %rd1, %rd1, %rd2;
    st.global.b32 [%rd1], %r1;
    st.global.b32 [%rd1+4], %r2;
    st.global.b32 [%rd1+8], %r3;
    st.global.b32 [%rd1+12], %r4;
    st.global.b32 [%rd1+16], %r5;
    ret;
}
"""
)


@pytest.mark.parametrize(("grid", "block"), [(1, 1), (3, 50), (40, 1024), (9, 1000)])
@pytest.mark.parametrize("order", ["forward", "backward"])
def test_each_thread_knows_its_numbers(grid: int, block: int, order: str):
    device = Device(order)
    out = device.allocate(20 * grid * block)
    device.launch(device.load(NUMBERS), "k", grid, block, [out])
    made = device.read(out, np.uint32, 5 * grid * block).reshape(-1, 5)
    wanted = [(t, block, b, grid, t % 32) for b in range(grid) for t in range(block)]
    assert [tuple(row) for row in made.tolist()] == wanted


def source(mode: str, lane: int, distance: int, c: int) -> int:
    """`shfl` as the manual's pseudo-code has it, which works on signed bytes of c."""
    bound, mask = c & 0x1F, c >> 8 & 0x1F
    last = (lane & mask) | (bound & ~mask & 0x1F)
    if mode == "down":
        other = lane + distance
    else:
        assert mode == "bfly"
        other = lane ^ distance
    return other if other <= last else lane


LASTS = (0x1F, 0x101F, 0x181F, 0x1C1F, 0x1E1F, 0x1F1F, 0x0F, 0x1807)


@pytest.mark.parametrize("mode", ["down", "bfly"])
@pytest.mark.parametrize("last", LASTS)
def test_a_shuffle_takes_the_word_of_its_lane(mode: str, last: int):
    words = np.random.default_rng(last).integers(0, 1 << 32, 128, np.uint32)
    for distance in (0, 1, 2, 5, 8, 16, 31):
        text = f"shfl.sync.{mode}.b32 {{r}}, {{a}}, {distance}, {last}, -1;"
        made = elementwise(text, "w", "w", words)
        lanes = [source(mode, lane, distance, last) for lane in range(32)]
        assert made.reshape(-1, 32).tolist() == words.reshape(-1, 32)[:, lanes].tolist()


MET_AGAIN = (
    HEADER
    + """
.visible .entry k(.param .u64 out)
{
    .reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %rd<3>;
    mov.u32 %r1, %tid.x;
    setp.ge.u32 %p1, %r1, 32;
    @%p1 ret;
    and.b32 %r2, %r1, 5;
    setp.eq.s32 %p2, %r2, 4;
    @%p2 bra some;
    add.s32 %r3, %r1, 100;
    bra join;
some:
    add.s32 %r3, %r1, 200;
join:
    shfl.sync.down.b32 %r4, %r3, 3, 31, -1;
    mul.lo.s32 %r5, %r1, 4;
    cvt.u64.u32 %rd1, %r5;
    ld.param.b64 %rd2, [out];
    add.s64 %rd2, %rd2, %rd1;
    st.global.b32 [%rd2], %r4;
    ret;
}
"""
)


@pytest.mark.parametrize("order", ["forward", "backward"])
def test_a_warp_shuffles_when_its_threads_meet_again(order: str):
    device = Device(order)
    out = device.allocate(128)
    device.launch(device.load(MET_AGAIN), "k", 1, 96, [out])
    words = [lane + (200 if lane & 5 == 4 else 100) for lane in range(32)]
    wanted = [words[source("down", lane, 3, 31)] for lane in range(32)]
    assert device.read(out, np.uint32, 32).tolist() == wanted


SPACES = (
    HEADER
    + """
.shared .align 16 .b8 outside[64];
.global .align 4 .b8 numbers[12] = {1, 2, 3, 4, 0x10, 0, 255};
.visible .entry k(.param .u64 out, .param .u64 word)
.maxntid 32, 1, 1
{
    .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>;
    .shared .align 8 .b8 inside[512];
    ld.param.b64 %rd1, [out];
    ld.param.b32 %r1, [word];
    ld.param.b32 %r2, [word+4];
    ld.param.f32 %f1, [word];
    ld.param.f64 %fd1, [word];
    mov.u64 %rd2, outside;
    st.shared.b64 [%rd2], %rd1;
    ld.shared.b64 %rd3, [outside];
    st.shared.f32 [outside+8], %f1;
    ld.shared.f32 %f2, [%rd2+8];
    st.shared.b32 [inside+504], %r2;
    ld.shared.b32 %r3, [inside+504];
    st.shared.f64 [inside+16], %fd1;
    mov.u64 %rd4, inside;
    add.s64 %rd4, %rd4, 24;
    ld.shared.f64 %fd2, [%rd4+-8];
    mov.u64 %rd5, numbers;
    ld.global.b32 %r4, [%rd5+4];
    ld.global.b32 %r5, [numbers+8];
    st.global.b64 [%rd3], %rd3;
    st.global.f32 [%rd1+8], %f2;
    st.global.b32 [%rd1+12], %r3;
    st.global.f64 [%rd1+16], %fd2;
    st.global.b32 [%rd1+24], %r4;
    st.global.b32 [%rd1+28], %r5;
    st.global.v2.f64 [%rd1+32], {%fd1, %fd2};
    st.global.v2.f32 [%rd1+48], {%f1, %f2};
    ld.global.v2.f32 {%f3, %f4}, [%rd1+48];
    ld.global.v2.f64 {%fd3, %fd4}, [%rd1+32];
    ld.global.f32 %f5, [%rd1+8];
    ld.global.f64 %fd5, [%rd1+16];
    ld.global.b64 %rd6, [%rd1];
    st.global.v4.f32 [%rd1+64], {%f1, %f2, %f3, %f4};
    ld.global.v4.f32 {%f5, %f6, %f7, %f8}, [%rd1+64];
    bra over;
over:
    bar.sync 0;
    st.global.f32 [%rd1+80], %f8;
    ret;
}
"""
)


def test_words_go_through_every_space():
    device = Device()
    out, word = device.allocate(84), 0x3FF123453F800000
    module = device.load(SPACES)
    device.launch(module, "k", 1, 1, [out, word])
    assert device.read(out, np.uint64, 1)[0] == out
    assert device.read(out + 8, np.uint32, 2).tolist() == [0x3F800000, 0x3FF12345]
    assert device.read(out + 16, np.uint64, 1)[0] == word
    assert device.read(out + 24, np.uint32, 2).tolist() == [0x00FF0010, 0]
    assert device.read(out + 32, np.uint64, 2).tolist() == [word, word]
    assert device.read(out + 48, np.float32, 2).tolist() == [1.0, 1.0]
    assert device.read(out + 64, np.float32, 5).tolist() == [1.0] * 5
    numbers = device.read(module.addresses["numbers"], np.uint8, 12)
    assert numbers.tolist() == [1, 2, 3, 4, 16, 0, 255, 0, 0, 0, 0, 0]
    run = {each.row.name for each in module.program.kernels["k"].instructions}
    assert {row.name for row in memory.ROWS} <= run


def test_every_row_of_control_is_run():
    texts = [
        NUMBERS,
        SPACES,
        HEADER
        + """
.entry k() {
    .reg .pred %p<2>; .reg .b32 %r<2>;
    setp.ne.s32 %p1, 1, 0;
    mov.b32 %r1, 0;
    @%p1 bra a;
a:  @!%p1 bra b;
b:  shfl.sync.down.b32 %r1, %r1, 1, 31, -1;
    shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;
    ret;
}
""",
    ]
    run = set()
    for text in texts:
        (kernel,) = parsed(text).kernels.values()
        run |= {each.row.name for each in kernel.instructions}
    assert {row.name for row in control.ROWS} <= run
    device = Device()
    device.launch(device.load(texts[-1]), "k", 1, 32, [])
