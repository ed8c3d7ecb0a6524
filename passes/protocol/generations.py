"""Which rounds a run makes, and behind which of them its words are stored as a generation.

Invariant: rounds are made from the version at which a run begins up to that at its end. With
    `every`, words are stored at each version that is a multiple of it, and at the end; what a run
    begins with is there already, unless that are the learner's own words.
Why: the text doesn't grow with the rounds: a round stands in it at most three times, up to the
    first multiple, between two, and behind the last.
Refuses: checkpoint-version.
Entry: `Schedule`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.ir import Block, Operation

from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.protocol.starts import Start
from alpha.ir.refusals import Refusal

Round = Callable[[], Block]
"""Gives the text of a round, which is another one each time."""

Storing = Callable[[], list[Operation]]
"""Gives what stores the words that there are, which are other operations each time."""


@dataclass(frozen=True)
class Schedule:
    """The rounds of a run, from its start to version `end`.

    `every` is how many rounds lie between two generations, 0 for one at the end alone, and None for
    none at all.
    """

    end: int
    every: int | None = None
    start: Start | None = None

    def __post_init__(self) -> None:
        if self.every is not None and self.every < 0:
            wanted = "1 or more rounds from one generation to the next, or 0 for one at the end"
            raise Refusal("checkpoint-version", wanted, str(self.every))
        if self.start is not None and self.end < self.begin:
            wanted = f"at least {self.begin} rounds, since a run begins at version {self.begin}"
            raise Refusal("checkpoint-version", wanted, str(self.end))

    @property
    def begin(self) -> int:
        """The version at which the run begins."""
        return 0 if self.start is None else self.start.version

    @property
    def ends_stored(self) -> bool:
        """Whether the words at the end are stored behind the last round, or without any."""
        return self.every is not None and (self.end > self.begin or self.start is None)

    def operations(self, round: Round, store: Storing) -> list[Operation]:
        """All rounds, and what stores their words, in order; a repeat of no round is left out."""
        rounds = self.end - self.begin
        if self.every is None:
            return _repeated(rounds, round)
        if not rounds:
            return store() if self.ends_stored else []
        first, between, last = self._parts(rounds, self.every)
        ops: list[Operation] = []
        if first:
            ops += [*_repeated(first, round), *store()]
        if between:
            body = Block([*_repeated(self.every, round), *store()])
            ops.append(RepeatOp(between, [], body))
        if last:
            ops += [*_repeated(last, round), *store()]
        return ops

    def _parts(self, rounds: int, every: int) -> tuple[int, int, int]:
        """The rounds up to the first multiple; how often all between two; those behind the last."""
        if not every:
            return 0, 0, rounds
        first = min(-self.begin % every, rounds)
        return first, *divmod(rounds - first, every)


def _repeated(rounds: int, round: Round) -> list[Operation]:
    return [RepeatOp(rounds, [], round())] if rounds else []
