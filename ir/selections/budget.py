"""A bound on the work that a question about selections may cost.

Invariant: a question that would cost more is refused; it is never answered by a guess.
Refuses: select-budget.
Entry: `Budget`.
"""

from __future__ import annotations

from typing import NoReturn

from alpha.ir.refusals import Refusal


class Budget:
    """How many index nodes, or copies of one, a question may still visit."""

    __slots__ = ("_question", "limit", "spent")

    def __init__(self, question: str, limit: int) -> None:
        self._question = question
        self.limit = limit
        self.spent = 0

    @property
    def left(self) -> int:
        """How many visits may still be spent."""
        return self.limit - self.spent

    def spend(self, visits: int) -> None:
        """Account for visits.

        Raises:
            Refusal: `select-budget` once more than `limit` are spent.
        """
        self.spent += visits
        if self.spent > self.limit:
            self.refuse()

    def refuse(self) -> NoReturn:
        """Give the question up.

        Raises:
            Refusal: `select-budget`.
        """
        wanted = f"{self._question} within {self.limit} visits of index nodes"
        raise Refusal("select-budget", wanted, "one that takes more")
