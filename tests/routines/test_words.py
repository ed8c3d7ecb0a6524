"""Loops over words: every length around whole vectors, in place, bit for bit, beside numpy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from routines.library import MACHINES, texts

from alpha.backends.toolchain.calling import Caller
from alpha.backends.toolchain.calls import Buffer, Call, Fence, Result

both = pytest.mark.parametrize("machine", MACHINES)
elements = pytest.mark.parametrize("element", ["f64", "f32"])

TYPES = {"f64": np.dtype(np.float64), "f32": np.dtype(np.float32)}
WORDS = {"f64": np.dtype(np.uint64), "f32": np.dtype(np.uint32)}
LENGTHS = (*range(70), 127, 128, 129, 1000)
FENCES: tuple[Fence, Fence] = ("behind", "before")
UNTOUCHED = 0x5A


def specials(element: str) -> np.ndarray:
    """Words of all kinds: zeros, subnormal, the largest, infinite, NaNs, and usual ones."""
    info = np.finfo(TYPES[element])
    tiny = info.smallest_subnormal
    values = [0.0, -0.0, tiny, -tiny, info.tiny, info.max, -info.max, np.inf, -np.inf, np.nan]
    usual = [1.0, -1.0, 1 / 3, 1e-30, 7e30, 1 + info.eps, -info.eps, 3 * tiny]
    return np.array([*values, *usual], TYPES[element])


def words(element: str, count: int, seed: int = 1) -> np.ndarray:
    """So many words, of which every pair of kinds comes among a few hundred."""
    return np.random.default_rng(seed).choice(specials(element), count)


def finite(element: str, count: int) -> np.ndarray:
    """So many words that are finite, among them the largest."""
    kinds = specials(element)
    return np.random.default_rng(3).choice(kinds[np.isfinite(kinds)], count)


def empty(element: str, count: int) -> np.ndarray:
    """Words that nothing has written."""
    return np.full(count * TYPES[element].itemsize, UNTOUCHED, np.uint8).view(TYPES[element])


def bits(values: np.ndarray) -> list[int]:
    """The bits of words, which for every NaN are the same."""
    held = values.copy()
    held[np.isnan(held)] = np.nan
    return held.view(WORDS["f64" if held.itemsize == 8 else "f32"]).tolist()


def called(machine: str, calls: list[Call]) -> list[Result]:
    """What the calls did."""
    with Caller(texts(machine, "words"), machine) as caller:
        return caller.call(calls)


def places(count: int) -> Iterator[tuple[int, Fence | None]]:
    """Where words lie: at the end or the beginning of what can be read, or off all boundaries."""
    yield 0, FENCES[count % 2]
    yield 4 * (count % 15) + (0 if count % 3 else 3), None


@both
@elements
def test_sums_are_those_of_the_words(machine: str, element: str) -> None:
    calls, wanted = [], []
    for count in LENGTHS:
        for offset, fence in places(count):
            x, y = words(element, count, 1 + count), words(element, count, 1000 + count)
            a, b, out = (Buffer(each, offset, fence) for each in (x, y, empty(element, count)))
            calls += [
                Call(f"alpha_add_{element}", [a, b, out, count]),
                Call(f"alpha_add_{element}", [a, b, a, count]),
                Call(f"alpha_add_{element}", [a, b, b, count]),
                Call(f"alpha_add_{element}", [a, a, a, count]),
            ]
            with np.errstate(all="ignore"):
                wanted += [(x, y, x + y), (x + y, y, x + y), (x, x + y, x + y), (x + x,) * 3]
    for result, arrays in zip(called(machine, calls), wanted, strict=True):
        for found, array in zip(result.buffers, arrays, strict=True):
            assert bits(found) == bits(array)


@both
@elements
def test_quotients_are_those_of_the_words(machine: str, element: str) -> None:
    calls, wanted = [], []
    divisors = [*specials(element), TYPES[element].type(265), TYPES[element].type(3)]
    for number, count in enumerate(LENGTHS):
        by = divisors[number % len(divisors)]
        for offset, fence in places(count):
            x = words(element, count, 1 + count)
            a, out = Buffer(x, offset, fence), Buffer(empty(element, count), offset, fence)
            calls += [
                Call(f"alpha_divide_{element}", [a, by, out, count]),
                Call(f"alpha_divide_{element}", [a, by, a, count]),
            ]
            with np.errstate(all="ignore"):
                wanted += [(x, x / by), (x / by, x / by)]
    for result, arrays in zip(called(machine, calls), wanted, strict=True):
        for found, array in zip(result.buffers, arrays, strict=True):
            assert bits(found) == bits(array)


@both
@elements
def test_a_division_rounds_each_word_once(machine: str, element: str) -> None:
    """A product with the reciprocal, or a quotient of more bits, would be other words."""
    values = np.arange(1, 4000, dtype=TYPES[element])
    by = TYPES[element].type(2650 / 9)
    out = Buffer(empty(element, len(values)))
    call = Call(f"alpha_divide_{element}", [Buffer(values), by, out, len(values)])
    (result,) = called(machine, [call])
    assert bits(result.buffers[1]) == bits(values / by)
    assert bits(values / by) != bits(values * (TYPES[element].type(1) / by))


@both
@elements
def test_filling_keeps_the_bits(machine: str, element: str) -> None:
    signalling = {"f64": 0xFFF4000000001234, "f32": 0xFFA01234}[element]
    values = [*specials(element), *np.array([signalling], WORDS[element]).view(TYPES[element])]
    calls = []
    for number, count in enumerate(LENGTHS):
        for offset, fence in places(count):
            to = Buffer(empty(element, count), offset, fence)
            calls.append(Call(f"alpha_fill_{element}", [to, count, values[number % len(values)]]))
    for call, result in zip(calls, called(machine, calls), strict=True):
        value = call.arguments[2]
        assert isinstance(value, np.generic)
        assert result.buffers[0].tobytes() == value.tobytes() * int(str(call.arguments[1]))


@both
def test_bytes_are_copied(machine: str) -> None:
    data = np.frombuffer(np.random.default_rng(5).bytes(1200), np.int8)
    calls = []
    for count in (*range(100), 127, 255, 256, 257, 1111):
        for fence in FENCES:
            to = Buffer(np.full(count, UNTOUCHED, np.int8), 0, fence)
            calls.append(Call("alpha_copy", [Buffer(data[:count].copy(), 0, fence), to, count]))
        apart = Buffer(data[:count].copy(), count % 64)
        calls.append(Call("alpha_copy", [apart, Buffer(data[:count].copy(), 5), count]))
        # What lies behind stays.
        behind = Buffer(np.full(count + 9, UNTOUCHED, np.int8), count % 64)
        calls.append(Call("alpha_copy", [apart, behind, count]))
    for call, result in zip(calls, called(machine, calls), strict=True):
        count = int(str(call.arguments[2]))
        read, written = result.buffers
        assert read.tobytes() == data[:count].tobytes()
        assert written.tobytes() == data[:count].tobytes() + bytes([UNTOUCHED]) * (
            len(written) - count
        )


@both
@elements
@pytest.mark.parametrize("step", [1, 2, 3, 17, 128])
def test_words_are_taken_and_put(machine: str, element: str, step: int) -> None:
    signalling = {"f64": 0x7FF4000000001234, "f32": 0x7FA01234}[element]
    calls, wanted = [], []
    for number, count in enumerate((*range(20), 63, 64, 65)):
        room = max(0, (count - 1) * step + 1)
        spread = words(element, room, count)
        spread.view(WORDS[element])[::step] = signalling + np.arange(count)
        packed = spread[::step].copy()
        blank = empty(element, room)
        put = blank.copy()
        put[::step] = packed
        fence = FENCES[number % 2]
        spread_, packed_ = Buffer(spread, 0, fence), Buffer(packed, 0, fence)
        into, over = Buffer(empty(element, count), 0, fence), Buffer(blank, 0, fence)
        calls.append(Call(f"alpha_take_{element}", [spread_, step, count, into]))
        calls.append(Call(f"alpha_put_{element}", [packed_, over, step, count]))
        wanted += [(spread, packed), (packed, put)]
    for result, arrays in zip(called(machine, calls), wanted, strict=True):
        for found, array in zip(result.buffers, arrays, strict=True):
            assert found.tobytes() == array.tobytes()


@both
@elements
def test_the_first_word_that_is_not_finite(machine: str, element: str) -> None:
    others = np.array([np.inf, -np.inf, np.nan, -np.nan], TYPES[element])
    signalling = {"f64": [0x7FF0000000000001], "f32": [0x7F800001]}[element]
    others = [*others, *np.array(signalling, WORDS[element]).view(TYPES[element])]
    calls, wanted = [], []
    for count in LENGTHS:
        held = finite(element, count)
        fence = FENCES[count % 2]
        calls.append(
            Call(f"alpha_find_nonfinite_{element}", [Buffer(held, 0, fence), count], "i64")
        )
        wanted.append(-1)
        # Every place in turn, and one that is behind the first, and one that is behind the last.
        for at in range(count) if count < 140 else (0, 1, count - 2, count - 1):
            changed = held.copy()
            changed[at] = others[(at + count) % len(others)]
            changed[at + 1 + count // 3 :: 7] = others[at % len(others)]
            behind = np.append(changed, others[0])
            name = f"alpha_find_nonfinite_{element}"
            calls.append(Call(name, [Buffer(behind, 4 * (at % 16)), count], "i64"))
            wanted.append(at)
    assert [result.value for result in called(machine, calls)] == wanted


@both
@elements
def test_the_largest_words_are_finite(machine: str, element: str) -> None:
    """No sum of them is made, which would be infinite."""
    kinds = specials(element)
    for value in kinds[np.isfinite(kinds)]:
        held = np.full(333, value, TYPES[element])
        call = Call(f"alpha_find_nonfinite_{element}", [Buffer(held), 333], "i64")
        (result,) = called(machine, [call])
        assert result.value == -1
