"""Forms of max-plus algebra, and durations in ticks, against plain numbers."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from alpha.interpreters.fleets.forms import (
    BEGINNING,
    START,
    Form,
    Wait,
    add_wait,
    delayed,
    latest,
    through,
    value_of,
)
from alpha.interpreters.fleets.rates import Clock, Rates

INPUTS = 3


def form_at_random(random: Random) -> Form:
    names = random.sample(range(INPUTS + 1), random.randrange(1, INPUTS + 2))
    return {name: random.randrange(-9, 10) for name in names}


def value(form: Form, times: list[int]) -> int:
    """The value of a form, with time 0 as the beginning."""
    return max(delay + times[name] for name, delay in form.items())


def test_sums_and_maxima() -> None:
    random = Random(1)
    for _ in range(1000):
        one, other = form_at_random(random), form_at_random(random)
        times = [0, *(random.randrange(-20, 20) for _ in range(INPUTS))]
        assert value(delayed(one, 5), times) == value(one, times) + 5
        assert value(latest(one, other), times) == max(value(one, times), value(other, times))
        inputs = [form_at_random(random) for _ in range(INPUTS)]
        inner = [0, *(value(each, times) for each in inputs)]
        assert value(through(one, inputs), times) == value(one, inner)


def test_the_beginning() -> None:
    assert value_of(START) == 0
    assert value_of(delayed(START, 7)) == 7
    with pytest.raises(AssertionError, match="depends on others"):
        value_of({1: 0})


def wait_at_random(random: Random) -> Wait:
    return Wait(form_at_random(random), form_at_random(random))


def ticks(wait: Wait, times: list[int]) -> int:
    return max(0, value(wait.there, times) - value(wait.ready, times))


def test_a_wait_that_is_left_out_is_never_the_longest() -> None:
    """Of many waits as many are kept as are needed to know the longest, for all inputs."""
    random = Random(2)
    left_out = 0
    for _ in range(200):
        every = [wait_at_random(random) for _ in range(12)]
        kept: list[Wait] = []
        for each in every:
            add_wait(kept, each)
        left_out += len(every) - len(kept)
        for _ in range(30):
            times = [0, *(random.randrange(-40, 40) for _ in range(INPUTS))]
            longest = max((ticks(each, times) for each in kept), default=0)
            assert longest == max(ticks(each, times) for each in every)
    assert left_out > 400


def test_waits_that_differ_by_a_shift_are_one() -> None:
    kept: list[Wait] = []
    for shift in range(10):
        add_wait(kept, Wait({1: 7 + shift}, {1: 4 + shift, 2: shift}))
    assert kept == [Wait({1: 7}, {1: 4, 2: 0})]
    assert Wait({1: 3}, {1: 3, 2: 5}).is_none()
    assert not Wait({1: 3, BEGINNING: 0}, {1: 3}).is_none()


def test_ticks_are_exact() -> None:
    """No duration is rounded: 3 / 7 of a second stays that, at any speed."""
    random = Random(3)

    def fraction() -> Fraction:
        return Fraction(random.randrange(1, 50), random.randrange(1, 50))

    for _ in range(100):
        rates = Rates(fraction(), fraction(), fraction(), fraction())
        speeds = [fraction() for _ in range(3)]
        clock = Clock(rates, speeds)
        assert clock.seconds(clock.frame) == rates.frame_seconds
        assert clock.seconds(clock.transfer(120)) == 120 / rates.bytes_per_second
        for number, speed in enumerate(speeds):
            busy = (5 * rates.sample_seconds + 8 * rates.word_seconds) / speed
            assert clock.seconds(clock.work(5, 8, number)) == busy


def test_no_model_of_time() -> None:
    for rates, speed in (
        (Rates(Fraction(-1), Fraction(1), Fraction(0), Fraction(0)), 1),
        (Rates(Fraction(0), Fraction(0), Fraction(0), Fraction(0)), 1),
        (Rates(Fraction(0), Fraction(1), Fraction(0), Fraction(0)), 0),
    ):
        with pytest.raises(ValueError, match="no model of time"):
            Clock(rates, [Fraction(speed)])
