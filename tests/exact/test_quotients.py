"""`exact.divide` as it is compiled, by its bits: beside integers where they know, else numpy."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from exact.machine import QUOTIENTS, Machine, compiled, different, is_wide
from exact.points import HIGH, LOW, SPECIAL, any_doubles, quotients_near_midpoints

COUNT = 1_000_000
OFFSETS = tuple(j for j in range(-25, 26, 2))


@cache
def machine() -> Machine:
    return Machine(compiled(QUOTIENTS))


def quotient(x: np.ndarray, c: np.ndarray | float) -> np.ndarray:
    with np.errstate(all="ignore"):
        return x / c


def divisors(rng: np.random.Generator, count: int) -> list[int]:
    """Odd ones of 53 bits; the first ones lie at the ends of the range."""
    ends = [LOW + 1, LOW + 3, HIGH - 1, HIGH - 3, HIGH - 5]
    return ends + (rng.integers(LOW // 2, HIGH // 2, count) * 2 + 1).tolist()


def hard() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    x, c, _ = quotients_near_midpoints(divisors(rng, 500), OFFSETS)
    any_x, any_c = any_doubles(rng, 20_000), any_doubles(rng, 20_000)
    special = np.repeat(SPECIAL[:34], 8)
    zeros = np.zeros(len(special))
    same = np.repeat(rng.random(4000) + 0.5, 8)
    return (
        np.concatenate([zeros, special, x, -x, any_x, any_doubles(rng, 16_000)]),
        np.concatenate([special, special[::-1], c, c, any_c, same]),
    )


def test_quotients_nearest_to_midpoints_round_as_the_integers_say():
    rng = np.random.default_rng(7)
    x, c, wanted = quotients_near_midpoints(divisors(rng, 2000), OFFSETS)
    assert len(x) > 40_000
    for up, down in ((0, 0), (-500, -390), (440, 340), (-560, 10), (0, -440)):
        found = machine()(x * 2.0**up, c * 2.0**down)
        assert not different(found, wanted * 2.0 ** (up - down))
        assert not different(machine()(-x * 2.0**up, c * 2.0**down), -wanted * 2.0 ** (up - down))


def test_special_words_over_special_words():
    for c in SPECIAL[:34]:
        for shift in range(8):
            x = np.roll(SPECIAL, shift)
            assert not different(machine()(x, np.full(len(x), c)), quotient(x, c))
        for zeros in (np.zeros(8), np.array([0.0, -0.0] * 4)):
            assert not different(machine()(zeros, np.full(8, c)), quotient(zeros, c))


def test_every_dividend_of_a_few_divisors():
    rng = np.random.default_rng(3)
    for c in (0.271, 0.002997001, 3.0, 1.0, 0.1, 2.0**-400, 2.0**400, 1 - 2.0**-53):
        x = any_doubles(rng, COUNT // 16)
        assert not different(machine()(x, np.full(len(x), c)), quotient(x, c))


@pytest.mark.parametrize("seed", [1, 2])
def test_any_words_over_any_words(seed: int):
    rng = np.random.default_rng(seed)
    x, c = any_doubles(rng, COUNT // 4), any_doubles(rng, COUNT // 4)
    np.negative(c, out=c, where=rng.random(len(c)) < 0.2)
    assert not different(machine()(x, c), quotient(x, c))
    rng.shuffle(c)
    assert not different(machine()(x, c), quotient(x, c))


MUTANTS = {
    "the range isn't looked at": ("kortestb k2, k2", "kxorb k2, k2, k2\nkortestb k2, k2"),
    "the divisor's range isn't looked at": ("vptestnmq k3", "kxorb k3, k3, k3\nvptestnmq k1"),
    "lanes out of range are taken for zeros": ("kortestb k2, k3", "kortestb k3, k3"),
    "the instruction is never used": ("je 2f", "jmp 2f"),
    "the last step is left out": "last",
    "the remainder is of a rounded product": "rounded",
    "a divisor of any size": "any size",
}


def mutant(text: str, name: str) -> str:
    """The text with one fault."""
    change = MUTANTS[name]
    lines = text.splitlines()
    fused = [at for at, line in enumerate(lines) if "vfmadd231pd" in line]
    rest = next(at for at, line in enumerate(lines) if "vfnmadd231pd zmm31" in line)
    if change == "last":
        lines[fused[-1]] = "nop"
    elif change == "rounded":
        product, left, right = lines[rest].split(None, 1)[1].split(", ")
        lines[rest] = f"vmulpd zmm30, {left}, {right}\nvsubpd {product}, {product}, zmm30"
    elif change == "any size":
        bounds = [at for at, line in enumerate(lines) if "vcmppd" in line]
        for at in bounds:
            lines[at] = lines[at].rsplit(",", 1)[0] + ", 15"
    else:
        old, new = change
        assert old in text
        return text.replace(old, new, 1)
    return "\n".join(lines) + "\n"


@pytest.mark.skipif(not is_wide(), reason="without AVX-512 there is no such text")
@pytest.mark.parametrize("name", MUTANTS)
def test_a_text_that_is_changed_gives_other_words(name: str):
    x, c = hard()
    assert not different(machine()(x, c), quotient(x, c))
    assert different(Machine(mutant(compiled(QUOTIENTS), name))(x, c), quotient(x, c))
