"""Planted faults: each is seen, with its kind and its line, and its twin one edit away runs."""

from __future__ import annotations

import numpy as np
import pytest
from ptx.elementwise import HEADER
from ptx.planted import BARRIERS, BLOCK, CASES, GRID, IN_BRANCH, LOADED, text_of
from ptx.running import bits, kernel, placed

from alpha.backends.ptx.interpreter.device import Device
from alpha.backends.ptx.interpreter.faults import KINDS, Fault

ORDERS = ["forward", "backward"]


def run(body: str, order: str) -> np.ndarray:
    text = text_of(body)
    device = Device(order, steps=1000)
    words = np.arange(BLOCK * GRID, dtype=np.float64)
    (start,) = placed(device, words)
    out = device.allocate(words.nbytes)
    device.launch(device.load(text), "k", GRID, BLOCK, [start, out])
    return device.read(out, np.float64, len(words))


def caught(body: str, order: str) -> tuple[Fault, str]:
    with pytest.raises(Fault) as raised:
        run(body, order)
    lines = text_of(body).splitlines()
    return raised.value, lines[raised.value.line - 1].split("//")[0].strip()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", CASES)
def test_a_planted_fault_is_seen(name: str, order: str):
    planted = CASES[name]
    assert planted.body.count(planted.old) == 1
    run(planted.body, order)
    fault, line = caught(planted.body.replace(planted.old, planted.new), order)
    assert fault.kind == planted.kind
    assert fault.text == line
    assert fault.kernel == "k"
    assert fault.thread is not None
    assert planted.text in ("", fault.text)


def test_every_kind_is_planted():
    assert {each.kind for each in CASES.values()} | {"use-after-free"} == KINDS


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("number", [1, 2])
def test_either_barrier_of_a_tree_is_missed(number: int, order: str):
    parts = kernel("block_sum").split("    bar.sync 0;", 2)
    text = "    bar.sync 0;".join(parts[:number]) + "".join(
        ["", parts[number]] if number == 2 else [parts[1], "    bar.sync 0;", parts[2]]
    )
    assert text.count("bar.sync") == 1
    words = np.ones((3, 128))
    device = Device(order)
    at = placed(device, words)
    sums = device.allocate(24)
    with pytest.raises(Fault) as raised:
        device.launch(device.load(text), "block_sum", 3, 128, [*at, sums])
    assert raised.value.kind == "race-shared"
    wanted = {1: "ld.shared.f64 %fd2, [%rd4+512];", 2: "ld.shared.f64 %fd2, [%rd4+256];"}
    assert raised.value.text == wanted[number]


def test_a_fault_names_the_first_thread_concerned():
    fault, _ = caught(LOADED.replace("[%rd4]", "[%rd4+8]"), "forward")
    assert fault.thread == (1, 63)
    assert "thread 63 of block 1" in str(fault)
    fault, _ = caught(IN_BRANCH.replace("mov.f64 %fd2, %fd1;", "mov.f64 %fd3, %fd1;"), "forward")
    assert fault.thread == (0, 32)
    assert fault.detail == "%fd2 was never written"


def test_the_order_says_which_block_is_first():
    text = text_of(LOADED.replace("[%rd4]", "[%rd6]"))
    for order, grid, first in (
        ("forward", 2, 0),
        ("backward", 2, 1),
        ("forward", 300, 0),
        ("backward", 300, 299),
    ):
        device = Device(order)
        with pytest.raises(Fault) as raised:
            device.launch(device.load(text), "k", grid, BLOCK, [0, 0])
        assert raised.value.thread == (first, 0)


def test_a_grid_too_large_by_one_thread_is_caught_by_its_bound():
    count = 100
    for old, kind in (("setp.ge.u64 %p1, %rd6, %rd1;", "out-of-bounds"), ("", None)):
        device = Device()
        at = placed(device, *(np.ones(count) for _ in range(4)))
        text = kernel("adam_f64")
        text = text.replace(old, old.replace("ge", "gt")) if old else text
        arguments = [count, *at, bits(0.5, np.float64), bits(0.5, np.float64)]
        if kind is None:
            device.launch(device.load(text), "adam", 1, 256, arguments)
            continue
        with pytest.raises(Fault, match="thread 100 of block 0") as raised:
            device.launch(device.load(text), "adam", 1, 256, arguments)
        assert raised.value.kind == kind


def test_memory_that_the_host_never_wrote():
    device = Device()
    text = text_of(LOADED)
    words, out = device.allocate(1024), device.allocate(1024)
    module = device.load(text)
    with pytest.raises(Fault) as raised:
        device.launch(module, "k", 2, 64, [words, out])
    assert raised.value.kind == "uninitialized-memory"
    device.write(words, np.zeros(127))
    with pytest.raises(Fault) as raised:
        device.launch(module, "k", 2, 64, [words, out])
    assert raised.value.thread == (1, 63)
    device.write(words + 1016, np.zeros(1))
    device.launch(module, "k", 2, 64, [words, out])


def test_what_was_freed_is_gone():
    device = Device()
    module = device.load(text_of(LOADED))
    words, out = placed(device, np.zeros(128), np.zeros(128))
    device.launch(module, "k", 2, 64, [words, out])
    device.free(words)
    with pytest.raises(Fault) as raised:
        device.launch(module, "k", 2, 64, [words, out])
    assert raised.value.kind == "use-after-free"
    with pytest.raises(Fault) as raised:
        device.read(words, np.float64, 1)
    assert (raised.value.kind, raised.value.line) == ("use-after-free", 0)
    with pytest.raises(Fault):
        device.free(words)
    with pytest.raises(Fault):
        device.free(out + 256)


def test_the_host_stays_in_its_memory():
    device = Device()
    start = device.allocate(10)
    assert start % 256 == 0
    device.write(start, bytes(range(10)))
    assert device.read(start + 2, np.uint16, 4).tolist() == [0x302, 0x504, 0x706, 0x908]
    for act in (
        lambda: device.write(start, bytes(11)),
        lambda: device.write(start - 1, bytes(1)),
        lambda: device.read(start + 9, np.uint16, 1),
    ):
        with pytest.raises(Fault) as raised:
            act()
        assert raised.value.kind == "out-of-bounds"
    with pytest.raises(Fault) as raised:
        device.read(device.allocate(8), np.uint8, 8)
    assert raised.value.kind == "uninitialized-memory"
    half = device.allocate(8)
    device.write(half, bytes(4))
    assert device.read(half, np.uint32, 1)[0] == 0
    with pytest.raises(Fault) as raised:
        device.read(half, np.uint32, 2)
    assert raised.value.kind == "uninitialized-memory"


def test_part_of_a_warp_is_no_warp():
    text = (
        HEADER
        + """
.visible .entry k() {
    .reg .b32 %r<3>;
    mov.u32 %r1, %laneid;
    shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;
    ret;
}
"""
    )
    device = Device()
    module = device.load(text)
    device.launch(module, "k", 3, 64, [])
    with pytest.raises(Fault) as raised:
        device.launch(module, "k", 3, 48, [])
    assert raised.value.kind == "divergent-shuffle"
    assert raised.value.thread == (0, 32)


GATHER = """
.visible .entry k(.param .u64 addresses, .param .u64 out)
{
    .reg .b32 %r<2>; .reg .b64 %rd<6>; .reg .f64 %fd<2>;
    mov.u32 %r1, %tid.x;
    cvt.u64.u32 %rd1, %r1;
    shl.b64 %rd1, %rd1, 3;
    ld.param.b64 %rd2, [addresses];
    add.s64 %rd2, %rd2, %rd1;
    ld.param.b64 %rd3, [out];
    add.s64 %rd3, %rd3, %rd1;
    ld.global.b64 %rd4, [%rd2];
    ld.global.f64 %fd1, [%rd4];
    st.global.f64 [%rd3], %fd1;
    st.global.f64 [%rd4], %fd1;
    ret;
}
"""


def gathered(device: Device, addresses: list[int]) -> list[float]:
    """What is at each address, which is written back."""
    (at,) = placed(device, np.array(addresses, np.uint64))
    out = device.allocate(8 * len(addresses))
    device.launch(device.load(HEADER + GATHER), "k", 1, len(addresses), [at, out])
    return device.read(out, np.float64, len(addresses)).tolist()


def test_threads_reach_several_allocations_and_any_order():
    device = Device()
    first, second = placed(device, np.arange(4.0), np.arange(10.0, 14.0))
    assert gathered(device, [first, first + 16, first + 8, first + 24]) == [0, 2, 1, 3]
    mixed = [second + 8, first, second, first + 24, second + 24, first + 8]
    assert gathered(device, mixed) == [11, 0, 10, 3, 13, 1]


def test_an_access_lies_in_one_allocation():
    device = Device()
    first, second = device.allocate(12), device.allocate(12)
    for start in (first, second):
        device.write(start, bytes(12))
    assert gathered(device, [first, second]) == [0, 0]
    for addresses, thread in (
        ([first, first + 8], 1),
        ([first, second, second + 8], 2),
        ([first, second, first - 8], 2),
        ([second, first, 1 << 63], 2),
    ):
        with pytest.raises(Fault) as raised:
            gathered(device, addresses)
        assert (raised.value.kind, raised.value.thread) == ("out-of-bounds", (0, thread))
    with pytest.raises(Fault) as raised:
        gathered(device, [first, second, first])
    assert (raised.value.kind, raised.value.thread) == ("race-global", (0, 0))
    third = device.allocate(16)
    with pytest.raises(Fault) as raised:
        gathered(device, [first, second, third])
    assert (raised.value.kind, raised.value.thread) == ("uninitialized-memory", (0, 2))


def test_a_copy_of_a_register_is_its_own():
    body = (
        LOADED
        + """
    mov.f64 %fd2, %fd1;
    setp.lt.u32 %p1, %r1, 9;
    @%p1 neg.f64 %fd2, %fd2;
    sub.rn.f64 %fd1, %fd1, %fd2;
"""
    )
    made = run(body, "forward")
    wanted = [2.0 * at if at % BLOCK < 9 else 0.0 for at in range(BLOCK * GRID)]
    assert made.tolist() == wanted


def test_a_warp_is_one_of_its_block():
    text = """
.visible .entry k()
{
    .reg .pred %p<2>; .reg .b32 %r<3>;
    mov.u32 %r1, %ctaid.x;
    setp.eq.s32 %p1, %r1, 0;
    @%p1 ret;
    shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;
    ret;
}
"""
    device = Device()
    device.launch(device.load(HEADER + text), "k", 4, 64, [])


COUNTING = """
.visible .entry k()
{
    .reg .pred %p<2>; .reg .b32 %r<3>;
    mov.u32 %r1, %tid.x;
    mov.b32 %r2, 0;
again:
    add.s32 %r2, %r2, 1;
    setp.le.u32 %p1, %r2, %r1;
    @%p1 bra again;
    setp.lt.u32 %p1, %r1, 16;
    @%p1 bra low;
    mov.b32 %r2, 0;
    bra join;
low:
    mov.b32 %r2, 1;
join:
    mov.b32 %r2, 2;
    mov.b32 %r2, 3;
    ret;
}
"""


def test_steps_are_counted_and_threads_meet_again():
    steps = 2 + 3 * 32 + 5 + 3
    for limit in (steps, steps - 1):
        device = Device(steps=limit)
        module = device.load(HEADER + COUNTING)
        if limit == steps:
            device.launch(module, "k", 5, 32, [])
            continue
        with pytest.raises(Fault) as raised:
            device.launch(module, "k", 5, 32, [])
        assert (raised.value.kind, raised.value.text) == ("step-limit", "ret;")


def test_two_barriers_are_not_one():
    two = (
        BARRIERS.replace("    neg.f64", "    bar.sync 0;\n    neg.f64").replace(
            "low:", "    bra end;\nlow:"
        )
        + "end:\n"
    )
    fault, line = caught(two, "forward")
    assert (fault.kind, fault.text) == ("divergent-barrier", line)
    assert "waits at line" in fault.detail


def test_a_launch_is_what_the_kernel_is_made_for():
    device = Device()
    module = device.load(kernel("axpy"))
    words = placed(device, np.zeros(64), np.zeros(64))
    device.launch(module, "pairs", 1, 32, [32, 0, *words])
    for grid, block, arguments in (
        (1, 31, [32, 0, *words]),
        (1, 33, [32, 0, *words]),
        (0, 32, [32, 0, *words]),
        (1, 32, [32, 0, words[0]]),
        (1, 32, [-1, 0, *words]),
    ):
        with pytest.raises(ValueError):
            device.launch(module, "pairs", grid, block, arguments)
    with pytest.raises(KeyError):
        device.launch(module, "eights", 1, 32, [])
    adam = device.load(kernel("adam_f64"))
    with pytest.raises(ValueError):
        device.launch(adam, "adam", 1, 257, [0] * 7)
    for order, steps in (("sideways", 1), ("forward", 0), ("forward", 1 << 40)):
        with pytest.raises(ValueError):
            Device(order, steps)
