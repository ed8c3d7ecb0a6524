"""Sequences by their runs, against lists of the same numbers."""

from __future__ import annotations

from itertools import accumulate, pairwise
from random import Random

import pytest

from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.refusals import Refusal
from alpha.ir.runs import Runs, even_runs

CASES = 3000


def random_numbers(random: Random) -> list[int]:
    """Up to 13 sizes, many of them equal to the one before, also none."""
    numbers: list[int] = []
    last = random.randrange(4)
    for _ in range(random.randrange(14)):
        if random.random() < 0.3:
            last = random.choice((0, 1, 1, 2, 3, 4, 6))
        numbers.append(last)
    return numbers


def test_a_sequence_is_that_of_its_numbers() -> None:
    random = Random(1)
    for _ in range(CASES):
        numbers = random_numbers(random)
        runs = Runs.of(numbers)
        assert (list(runs), len(runs), runs.length) == (numbers, len(numbers), len(numbers))
        assert runs.total == sum(numbers)
        for at in range(-len(numbers), len(numbers)):
            assert runs[at] == numbers[at]
        low, high = random.randrange(-15, 15), random.randrange(-15, 15)
        assert runs[low:high] == Runs.of(numbers[low:high])
        assert list(runs[low:high:-2]) == numbers[low:high:-2]
        for number in range(8):
            assert (number in runs) == (number in numbers)
        for at in (-len(numbers) - 1, len(numbers)):
            with pytest.raises(IndexError):
                runs[at]


def test_a_sequence_has_one_form() -> None:
    """However it is made: numbers that are the same are equal, have one hash and one text."""
    random = Random(2)
    for _ in range(CASES):
        numbers = random_numbers(random)
        cut = [(random.randrange(2), number) for number in numbers for _ in range(2)]
        listed = [number for count, number in cut for _ in range(count)]
        one, other = Runs(tuple(cut)), Runs.of(iter(listed))
        assert one == other and hash(one) == hash(other) and str(one) == str(other)
        assert all(count > 0 for count, _ in one.pairs)
        assert all(a[1] != b[1] for a, b in pairwise(one.pairs))
        assert (one == Runs.of(numbers)) == (listed == numbers)
    assert Runs.of((1, 2)) != (1, 2), "a tuple has another hash"
    with pytest.raises(ValueError):
        Runs(((-1, 3),))


def test_sums() -> None:
    random = Random(3)
    for _ in range(CASES):
        numbers = random_numbers(random)
        runs = Runs.of(numbers)
        for index in range(len(numbers) + 1):
            assert runs.before(index) == sum(numbers[:index])
        for offset in range(sum(numbers)):
            ends = list(accumulate(numbers))
            assert runs.at(offset) == next(at for at, end in enumerate(ends) if end > offset)
        for index in (-1, len(numbers) + 1):
            with pytest.raises(IndexError):
                runs.before(index)
        for offset in (-1, sum(numbers)):
            with pytest.raises(IndexError):
                runs.at(offset)
        if numbers:
            assert runs.least == min(numbers)


def test_numbers_that_are_added_in_a_row() -> None:
    random = Random(4)
    for _ in range(CASES):
        numbers = random_numbers(random)
        widths = random_numbers(random)
        while sum(widths) > len(numbers):
            widths.pop()
        widths.append(len(numbers) - sum(widths))
        ends = [0, *accumulate(widths)]
        sums = [sum(numbers[low:high]) for low, high in pairwise(ends)]
        assert list(Runs.of(numbers).gathered(Runs.of(widths))) == sums


def test_the_first_number_that_is_cut_in_two() -> None:
    random = Random(5)
    seen = 0
    for _ in range(4 * CASES):
        numbers, others = random_numbers(random), random_numbers(random)
        ends, total = {0, *accumulate(numbers)}, sum(numbers)
        cuts = [end for end in accumulate(others) if end not in ends and end < total]
        wanted = min(cuts, default=None)
        assert Runs.of(numbers).split_by(Runs.of(others)) == wanted, (numbers, others)
        seen += wanted is None
    assert CASES / 2 < seen < 4 * CASES


def test_the_first_difference() -> None:
    random = Random(6)
    for _ in range(CASES):
        numbers = random_numbers(random)
        others = list(numbers)
        if numbers and random.random() < 0.8:
            others[random.randrange(len(others))] += random.randrange(3)
        pairs = enumerate(zip(numbers, others, strict=True))
        wanted = next((at for at, (one, other) in pairs if one != other), None)
        assert Runs.of(numbers).first_other(Runs.of(others)) == wanted


def test_long_sequences_cost_their_runs() -> None:
    """More numbers than memory holds, or than `len` may say."""
    runs = Runs(((10**30, 5), (3, 7), (10**20, 0)))
    assert runs.length == 10**30 + 3 + 10**20 and runs.total == 5 * 10**30 + 21
    assert runs.before(10**30 + 1) == 5 * 10**30 + 7 and runs.at(5 * 10**30 + 7) == 10**30 + 1
    assert runs.split_by(Runs(((10**29, 50),))) is None
    assert runs.split_by(Runs(((10**29, 45), (1, 12)))) == 45 * 10**29 + 12
    assert runs.gathered(Runs(((10**29, 10),))).pairs == ((10**29, 50),)
    assert runs.gathered(Runs(((10**29, 0), (1, 2)))).pairs == ((10**29, 0), (1, 10))
    with pytest.raises(OverflowError):
        len(runs)


def test_text() -> None:
    """Up to 8 equal numbers in a row are written out."""
    assert str(Runs.of([1, 2, 3, 0])) == "1, 2, 3, 0"
    assert str(Runs.of([0] * 8 + [1] * 9)) == "0, 0, 0, 0, 0, 0, 0, 0, repeat(9, 1)"
    assert str(Runs(((6, 1), (199_994, 0)))) == "1, 1, 1, 1, 1, 1, repeat(199994, 0)"
    assert str(Runs(())) == ""


def test_even_runs() -> None:
    """Larger first, no two apart by more than one, also with fewer things than parts."""
    assert list(even_runs(10, 4)) == [3, 3, 2, 2]
    assert list(even_runs(2, 4)) == [1, 1, 0, 0]
    assert list(even_runs(0, 3)) == [0, 0, 0]
    assert even_runs(6, 200_000).pairs == ((6, 1), (199_994, 0))


def read(attribute: str) -> str:
    """The text of an attribute that was read."""
    text = f"module attributes {{a = {attribute}}} {{}}"
    return str(parse_text(make_context(), text, "a.mlir").attributes["a"])


CONTRACT = "#region.contract<groups = [{}], combine = left>"
OWNERS = "#shard.owners<20, star, samples = [{}]>"
MAP = "#shard.map<[{}]>"


@pytest.mark.parametrize("form", [CONTRACT, OWNERS, MAP])
def test_runs_are_read_as_numbers(form: str) -> None:
    random = Random(7)
    for _ in range(50):
        numbers = [random.randrange(3) for _ in range(random.randrange(20))]
        numbers += [0] * (20 - len(numbers))
        said: list[str] = []
        at = 0
        while at < len(numbers):
            equal = next((n for n in range(at, 20) if numbers[n] != numbers[at]), 20) - at
            count = random.randrange(1, equal + 1)
            said += [f"repeat({count}, {numbers[at]})"] if count > 1 else [str(numbers[at])]
            at += count
        wanted = form.format(Runs.of(numbers))
        assert read(form.format(", ".join(said))) == read(wanted) == wanted
    wanted = form.format("1, repeat(19, 0)")
    assert read(form.format("repeat( 1 , 1 ),repeat(19,0)")) == wanted


@pytest.mark.parametrize("form", [CONTRACT, OWNERS, MAP])
@pytest.mark.parametrize(
    "said", ["repeat(0, 3)", "repeat(3)", "repeat(-1, 3)", "repeat(1, 2, 3)", "repeat", "repeat(,)"]
)
def test_what_is_no_run(said: str, form: str) -> None:
    with pytest.raises(Refusal) as caught:
        read(form.format(f"1, {said}"))
    assert caught.value.code == "source-syntax" and caught.value.place is not None


@pytest.mark.parametrize(
    ("form", "code"),
    [
        (CONTRACT, "region-contract-groups"),
        (OWNERS, "shard-owner-range"),
        (MAP, "shard-owner-range"),
    ],
)
def test_a_few_letters_do_not_cost_what_they_say(form: str, code: str) -> None:
    with pytest.raises(Refusal) as caught:
        read(form.format("repeat(9223372036854775809, 0), repeat(9223372036854775807, 1)"))
    assert caught.value.code == code
