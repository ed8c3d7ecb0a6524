"""The shadow of accesses against the history of all of them."""

from __future__ import annotations

import random

import numpy as np
import pytest
from ptx.elementwise import HEADER
from ptx.planted import LOADED, text_of
from ptx.running import placed

from alpha.backends.ptx.interpreter.device import Device
from alpha.backends.ptx.interpreter.faults import BadAccess, Fault
from alpha.backends.ptx.interpreter.races import EPOCH, Races, access

Made = tuple[int, int, int, int, bool]
"""An access that was made: its word, block, epoch and thread, and whether it wrote."""


def races(one: Made, other: Made) -> bool:
    word, block, epoch, thread, wrote = one
    if word != other[0] or not (wrote or other[4]):
        return False
    if block != other[1]:
        return True
    return epoch == other[2] and thread != other[3]


def step(drawn: random.Random, epochs: list[int]) -> tuple[bool, list[Made]]:
    """Accesses made at once by some threads of two blocks of three threads, to three words."""
    wrote = drawn.random() < 0.3
    threads = [(block, thread) for block in range(2) for thread in range(3)]
    some = drawn.sample(threads, drawn.choice((1, 1, 1, 2, 2, 3, 6)))
    return wrote, [(drawn.randrange(3), b, epochs[b], t, wrote) for b, t in some]


def numbers(made: list[Made]) -> tuple[np.ndarray, np.ndarray]:
    words = np.array([each[0] for each in made])
    blocks, threads = (np.array([each[at] for each in made]) for at in (1, 3))
    return words, access(blocks, threads) + EPOCH * np.array([each[2] for each in made])


def test_every_race_is_seen_and_nothing_else():
    drawn = random.Random(4)
    seen = 0
    for _ in range(6000):
        shadow, history, epochs = Races(3, "race-global"), [], [0, 0]
        for _ in range(drawn.randrange(1, 9)):
            if drawn.random() < 0.2:
                epochs[drawn.randrange(2)] += 1
            wrote, made = step(drawn, epochs)
            everything = [*history, *made]
            bad = any(
                races(one, other)
                for at, one in enumerate(everything)
                for other in everything[:at]
                if at >= len(history)
            )
            act = shadow.write if wrote else shadow.read
            if bad:
                with pytest.raises(BadAccess):
                    act(*numbers(made))
                seen += 1
                break
            act(*numbers(made))
            history = everything
    assert 2000 < seen < 5500


ALL_TO_ONE = (
    HEADER
    + """
.visible .entry k(.param .u64 words, .param .u64 sum)
{
    .reg .pred %p<2>; .reg .b32 %r<2>; .reg .b64 %rd<4>; .reg .f64 %fd<2>;
    ld.param.b64 %rd1, [words];
    ld.param.b64 %rd2, [sum];
    mov.u32 %r1, %ctaid.x;
    ld.global.f64 %fd1, [%rd1];
    setp.eq.s32 %p1, %r1, 0;
    @%p1 bra only;
    ret;
only:
    mov.u32 %r1, %tid.x;
    setp.ne.s32 %p1, %r1, 0;
    @%p1 ret;
    st.global.f64 [%rd2], %fd1;
    ret;
}
"""
)


@pytest.mark.parametrize("order", ["forward", "backward"])
@pytest.mark.parametrize("grid", [2, 20, 9])
def test_a_race_between_blocks_that_run_far_apart(grid: int, order: str):
    device = Device(order)
    words, made = placed(device, np.ones(1), np.zeros(1))
    module = device.load(ALL_TO_ONE)
    device.launch(module, "k", grid, 1024, [words, made])
    with pytest.raises(Fault) as raised:
        device.launch(module, "k", grid, 1024, [words, words])
    assert raised.value.kind == "race-global"
    device.launch(module, "k", grid, 1024, [words, made])


def test_a_launch_is_in_order_with_the_one_before():
    device = Device()
    words, made = placed(device, np.ones(128), np.zeros(128))
    module = device.load(text_of(LOADED))
    device.launch(module, "k", 2, 64, [words, made])
    device.launch(module, "k", 4, 32, [made, words])
    device.launch(module, "k", 1, 128, [words, made])
