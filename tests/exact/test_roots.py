"""`exact.sqrt` as it is compiled, by its bits: beside integers where they know, else numpy."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from exact.machine import ROOTS, Machine, compiled, different, is_wide
from exact.points import SPECIAL, any_doubles, near_midpoints, squares

COUNT = 1_000_000


@cache
def machine() -> Machine:
    return Machine(compiled(ROOTS))


def root(x: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return np.sqrt(x)


def hard() -> np.ndarray:
    x, _ = near_midpoints(range(-600, 602, 2))
    scales = 2.0 ** np.arange(-620, 410, 26)
    rng = np.random.default_rng(1)
    return np.concatenate(
        [SPECIAL, (x[:, None] * scales).ravel(), squares(rng, 2000), any_doubles(rng, 30_000)]
    )


def test_roots_nearest_to_midpoints_round_as_the_integers_say():
    x, wanted = near_midpoints(range(-3000, 3002, 2))
    assert len(x) > 4000
    for power in (-612, -104, 0, 300, 407):
        found = machine()(x * 4.0 ** (power // 2))
        assert not different(found, wanted * 2.0 ** (power // 2))


def test_the_double_above_one_has_the_root_one():
    above = np.nextafter(1.0, 2.0)
    x, wanted = near_midpoints([0])
    assert above * 2.0**104 in x.tolist()
    assert machine()(np.array([above])).tolist() == [1.0]
    assert different(machine()(x), wanted) == []


def test_special_words_and_every_power_of_two():
    for shift in range(8):
        x = np.roll(SPECIAL, shift)
        assert not different(machine()(x), root(x))


def test_a_word_that_needs_the_instruction_among_others_that_do_not():
    for word in SPECIAL[:30]:
        for lane in range(8):
            x = np.linspace(0.3, 7.0, 8)
            x[lane] = word
            assert not different(machine()(x), root(x))
            x[(lane + 3) % 8] = 0.0
            assert not different(machine()(x), root(x))


@pytest.mark.parametrize("seed", [1, 2])
def test_squares_and_any_words(seed: int):
    rng = np.random.default_rng(seed)
    x = np.concatenate([squares(rng, COUNT // 10), any_doubles(rng, COUNT // 2)])
    assert not different(machine()(x), root(x))


SPOILT = "vrsqrt14pd zmm29, "


def spoilt(text: str, shift: int, verb: str) -> str:
    """Each estimate moved by so many units in its last place, a power of two."""
    lines = text.splitlines()
    more = [
        "vpternlogd zmm30, zmm30, zmm30, 255",
        f"vpsllq zmm30, zmm30, {shift}",
        f"{verb} zmm29, zmm29, zmm30",
    ]
    for at in [at for at, line in enumerate(lines) if SPOILT in line][::-1]:
        lines[at + 1 : at + 1] = more
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("verb", ["vpaddq", "vpsubq", "vpxorq"])
def test_no_estimate_however_bad_gives_another_word(verb: str):
    """Also those whose relative error is about 2^-14, where the check has to be sharp.

    All bits but the sign: that of a positive number is positive, by what the instruction is.
    """
    x = hard()
    wanted = root(x)
    for shift in (1, 20, 30, *range(34, 63)):
        text = spoilt(compiled(ROOTS), shift, verb)
        assert (SPOILT in text) == is_wide()
        assert not different(Machine(text)(x), wanted), shift


UNCHECKED = ("vptestmq k2, zmm31, zmm31", "kxorb k2, k2, k2")


@pytest.mark.skipif(not is_wide(), reason="without AVX-512 there is no such text")
def test_without_its_check_a_bad_estimate_would_be_seen():
    for shift in (40, 44):
        text = spoilt(compiled(ROOTS), shift, "vpaddq").replace(*UNCHECKED)
        assert different(Machine(text)(hard()), root(hard()))


MUTANTS = {
    "the range isn't looked at": ("kortestb k2, k3", "kortestb k2, k2"),
    "lanes out of range are not for the instruction": ("korb k2, k2, k3", "nop"),
    "the instruction is never used": ("je 2f", "jmp 2f"),
    "a step of the reciprocal is left out": ("vfmadd231pd zmm30, zmm30, zmm29", "nop"),
    "the midpoint isn't looked at": ("vpsraq zmm30, zmm30, 63", "vpxorq zmm30, zmm30, zmm30"),
    "the midpoint is above": ("vpsraq zmm30, zmm30, 63", "vpternlogd zmm30, zmm30, zmm30, 255"),
    "all lanes that don't fit are zeros": ("kortestb k3, k3", "kxorb k3, k3, k3\nkortestb k3, k3"),
}


@pytest.mark.skipif(not is_wide(), reason="without AVX-512 there is no such text")
@pytest.mark.parametrize("name", MUTANTS)
def test_a_text_that_is_changed_gives_other_words(name: str):
    old, new = MUTANTS[name]
    text = compiled(ROOTS)
    assert old in text
    assert different(Machine(text.replace(old, new, 1))(hard()), root(hard()))
