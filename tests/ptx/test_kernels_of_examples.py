"""The kernels of the examples: their bits, their texts, and what assemblers say of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from native.programs import ELEMENTS, EXAMPLES, example
from ptx.assembler import ASSEMBLERS, assembled
from ptx.kernels import ORDERS, compare_kernels

from alpha.backends.ptx.equality import emitted_kernels

COUNTS = (0, 1, 3, 31, 32, 33, 200)
both = pytest.mark.parametrize("element", ELEMENTS)


@both
@pytest.mark.parametrize("name", EXAMPLES)
def test_kernels_have_the_bits_of_the_interpreter(name: str, element: str) -> None:
    found = compare_kernels(example(name, element), COUNTS)
    assert found.runs and not found.wrong


@pytest.mark.parametrize("order", ORDERS)
def test_many_samples_and_coordinates(order: str) -> None:
    for name in ("least_squares_adam", "diabetes_adam"):
        found = compare_kernels(example(name, "f64"), (1000,), orders=(order,))
        assert found.runs and not found.wrong


@both
@pytest.mark.parametrize("name", EXAMPLES)
def test_assemblers_take_the_kernels_and_spill_nothing(
    name: str, element: str, tmp_path: Path
) -> None:
    assert ASSEMBLERS, "no assembler of PTX: install the extra `cuda`"
    text = emitted_kernels(example(name, element)).text
    kernels = text.count(".visible .entry")
    for assembler in ASSEMBLERS:
        made = assembled(assembler, text, tmp_path)
        assert len(made) == kernels
        assert all(each.registers <= 128 and not each.spilled for each in made.values())


@pytest.mark.parametrize("name", EXAMPLES)
def test_texts_are_the_same_each_time_and_round_as_ieee_754_says(name: str) -> None:
    text = emitted_kernels(example(name, "f64")).text
    assert text == emitted_kernels(example(name, "f64")).text
    rounded = re.findall(r"^ +(?:add|sub|mul|div|fma|sqrt)\.(\S*f(?:32|64)) ", text, re.MULTILINE)
    assert all(form in ("rn.f32", "rn.f64") for form in rounded)
    assert not re.search(r"\.(?:approx|ftz|full|sat)\b|\batom\b|\bred\b", text)
