"""Whole kernels, bit for bit, in both orders of blocks and threads."""

from __future__ import annotations

import re

import numpy as np
import pytest
from ptx.running import bits, kernel, placed

from alpha.backends.ptx.interpreter.device import Device

pytestmark = pytest.mark.parametrize("order", ["forward", "backward"])

ADAM = (0.9, 1 - 0.9, 0.999, 1 - 0.999, 1e-8, 0.001)


def adam(arrays: list[np.ndarray], corrections: tuple[float, float]) -> list[np.ndarray]:
    """The step that the kernel takes, operation by operation."""
    kind = arrays[0].dtype.type
    b1, o1, b2, o2, epsilon, rate = map(kind, ADAM)
    p, g, m, v = arrays
    with np.errstate(all="ignore"):
        first = b1 * m + o1 * g
        second = b2 * v + o2 * (g * g)
        ratio = (first / kind(corrections[0])) / (np.sqrt(second / kind(corrections[1])) + epsilon)
        return [p - rate * ratio, first, second]


@pytest.mark.parametrize(("name", "kind"), [("adam_f64", np.float64), ("adam_f32", np.float32)])
@pytest.mark.parametrize(
    ("count", "grid"), [(1, 1), (1000, 4), (1000, 9), (20_003, 40), (30_011, 7)]
)
def test_a_step_of_adam(name: str, kind: type, count: int, grid: int, order: str):
    drawn = np.random.default_rng(count)
    arrays = [drawn.standard_normal(count).astype(kind) for _ in range(4)]
    arrays[3] = np.abs(arrays[3])
    specials = np.array([np.inf, -np.inf, np.nan, -0.0, np.finfo(kind).smallest_subnormal], kind)
    if count > 1:
        for at, array in enumerate(arrays):
            array[at : at + 5] = specials
    corrections = (1 - 0.9**3, 1 - 0.999**3)
    device = Device(order)
    at = placed(device, *arrays)
    factors = [bits(each, kind) for each in corrections]
    device.launch(device.load(kernel(name)), "adam", grid, 256, [count, *at, *factors])
    for address, wanted in zip((at[0], at[2], at[3]), adam(arrays, corrections), strict=True):
        made = device.read(address, kind, count)
        assert (np.isnan(made) == np.isnan(wanted)).all()
        known = ~np.isnan(wanted)
        assert made[known].tobytes() == wanted[known].tobytes()


def tree(words: np.ndarray) -> np.ndarray:
    """The sum of rows, their halves added over and over."""
    while words.shape[1] > 1:
        half = words.shape[1] // 2
        words = words[:, :half] + words[:, half:]
    return words[:, 0]


def block_sums(text: str, words: np.ndarray, order: str) -> np.ndarray:
    device = Device(order)
    sums = device.allocate(8 * len(words))
    device.launch(device.load(text), "block_sum", len(words), 128, [*placed(device, words), sums])
    return device.read(sums, np.float64, len(words))


def test_the_sum_of_a_block_is_a_tree(order: str):
    words = np.random.default_rng(5).standard_normal((391, 128)) * 1e3
    made = block_sums(kernel("block_sum"), words, order)
    assert made.tobytes() == tree(words).tobytes()


def test_another_tree_has_other_bits(order: str):
    words = np.random.default_rng(5).standard_normal((391, 128)) * 1e3
    swapped = {"16": "1", "1": "16"}
    text = re.sub(
        r", (16|1), 31, -1;", lambda m: f", {swapped[m[1]]}, 31, -1;", kernel("block_sum")
    )
    made = block_sums(text.replace("down", "bfly"), words, order)
    lanes = words[:, :64] + words[:, 64:]
    lanes = lanes[:, :32] + lanes[:, 32:]
    for distance in (1, 8, 4, 2, 16):
        lanes = lanes + lanes[:, np.arange(32) ^ distance]
    assert made.tobytes() == lanes[:, 0].tobytes()
    assert (made != tree(words)).any()


def collatz(start: int) -> int:
    steps = 0
    while start > 1:
        steps += 1 + 1000 * (start & 1)
        start = 3 * start + 1 if start & 1 else start >> 1
    return steps


def test_threads_part_and_meet_again(order: str):
    starts = np.random.default_rng(3).integers(0, 3000, 700).astype(np.uint64)
    starts[::7] = 0
    device = Device(order)
    unset = np.full(700, 123456789, np.uint64)
    at = placed(device, starts, unset)
    device.launch(device.load(kernel("collatz")), "collatz", 11, 67, [700, *at])
    made = device.read(at[1], np.uint64, 700).tolist()
    wanted = [collatz(start) if start else 123456789 for start in starts.tolist()]
    assert made == wanted


@pytest.mark.parametrize(
    ("name", "kind", "at_once"), [("pairs", np.float64, 2), ("fours", np.float32, 4)]
)
def test_words_come_in_vectors(name: str, kind: type, at_once: int, order: str):
    drawn = np.random.default_rng(8)
    # Of so few bits that a product with a sum is exact in binary64.
    x, y = (drawn.integers(-1000, 1000, at_once * 1000).astype(kind) for _ in range(2))
    device = Device(order)
    at = placed(device, x, y)
    module = device.load(kernel("axpy"))
    device.launch(module, name, 32, 32, [1000, bits(3.0, kind), *at])
    assert device.read(at[1], kind, len(x)).tobytes() == (kind(3.0) * x + y).tobytes()
