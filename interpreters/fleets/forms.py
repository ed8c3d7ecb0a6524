"""Times that depend on others: the latest of a few given times, each with a fixed delay.

A form is a mapping from the numbers of inputs to delays in ticks; its value is the maximum over
these inputs of the input plus the delay. Input 0 is the beginning of the run, at time 0. Sums and
maxima of forms are forms: max-plus algebra.

Invariant: a form is never changed once it is made, and has at least one input.
Entry: `Form`, `START`, `delayed`, `latest`, `through`, `value_of`; `Wait`, `add_wait`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

Form: TypeAlias = Mapping[int, int]

BEGINNING = 0
"""The input that is the beginning of the run."""

START: Form = {BEGINNING: 0}
"""The beginning itself."""


def delayed(form: Form, ticks: int) -> Form:
    """The form some ticks later."""
    return {each: delay + ticks for each, delay in form.items()} if ticks else form


def latest(one: Form, other: Form) -> Form:
    """The later of two."""
    result = dict(one)
    for each, delay in other.items():
        if result.get(each, delay) <= delay:
            result[each] = delay
    return result


def through(form: Form, inputs: Sequence[Form]) -> Form:
    """The form with other forms for its inputs 1, 2, ...; the beginning stays what it is."""
    if len(form) == 1:
        ((each, delay),) = form.items()
        return form if each == BEGINNING else delayed(inputs[each - 1], delay)
    result: dict[int, int] = {}
    for each, delay in form.items():
        of = START if each == BEGINNING else inputs[each - 1]
        for name, more in of.items():
            if result.get(name, delay + more) <= delay + more:
                result[name] = delay + more
    return result


def value_of(form: Form) -> int:
    """The ticks of a form that depends on nothing but the beginning."""
    ((each, delay),) = form.items()
    assert each == BEGINNING, "a time that depends on others"
    return delay


class Wait(NamedTuple):
    """How long a role waits: from when it is ready until what it waits for is there."""

    there: Form
    ready: Form

    def ticks(self) -> int:
        """How long that is, where both depend on nothing but the beginning."""
        return max(0, value_of(self.there) - value_of(self.ready))

    def through(self, inputs: Sequence[Form]) -> Wait:
        """The wait with other forms for its inputs."""
        return Wait(through(self.there, inputs), through(self.ready, inputs))

    def is_none(self) -> bool:
        """Whether there is nothing to wait for, whatever the inputs are."""
        return all(delay <= self.ready.get(each, delay - 1) for each, delay in self.there.items())

    def is_at_most(self, other: Wait) -> bool:
        """Whether this wait is never longer than another, as far as one shift of time shows it."""
        low: int | None = None
        for each, delay in self.there.items():
            base = other.there.get(each)
            if base is None:
                return False
            low = delay - base if low is None else max(low, delay - base)
        assert low is not None
        return all(
            each in self.ready and low <= self.ready[each] - delay
            for each, delay in other.ready.items()
        )


def add_wait(waits: list[Wait], wait: Wait) -> None:
    """Put a wait beside others, and leave out those that are never the longest."""
    if wait.is_none() or any(wait.is_at_most(each) for each in waits):
        return
    waits[:] = [each for each in waits if not each.is_at_most(wait)]
    waits.append(wait)
