"""The first role for which something holds that depends on its memberships alone.

Invariant: the answer is exact. Roles that are members of the same selections are of one kind, and
    each kind is asked about once, however many roles there are of it.
Why: of 200,000 roles a protocol makes a handful of kinds. The i-th selection has the weight 2^i, so
    that the weight of a role says of which selections it is a member.
Refuses: select-budget.
Entry: `Selections`, `Member`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from alpha.ir.selections import Selection
from alpha.ir.selections.budget import Budget
from alpha.ir.selections.relations import VISITS_MAX, VISITS_PER_NODE_MAX
from alpha.ir.selections.windows import first_forbidden, pieces_of

Member = Callable[[int], bool]
"""Whether a role, or every role of a kind, is a member of the selection of this number."""


class Selections:
    """Selections by number, from 0; equal expressions have one number."""

    def __init__(self) -> None:
        self._numbers: dict[Selection, int] = {}
        self._selections: list[Selection] = []

    def number(self, selection: Selection) -> int:
        """The number of a selection, which is kept; O(its nodes)."""
        number = self._numbers.setdefault(selection, len(self._selections))
        if number == len(self._selections):
            self._selections.append(selection)
        return number

    def __getitem__(self, number: int) -> Selection:
        return self._selections[number]

    def member(self, role: int) -> Member:
        """The memberships of one role."""
        return lambda number: role in self._selections[number]

    def first_role(
        self, question: str, among: Iterable[int], holds: Callable[[Member], bool]
    ) -> int | None:
        """The least role for which something holds, or None.

        Args:
            question: what is asked, for the message.
            among: the numbers of all selections whose members are asked about. It doesn't hold for
                a role that is a member of none.
            holds: what is asked, given the memberships of a kind of roles.

        Raises:
            Refusal: `select-budget` where the kinds of roles take more visits of index nodes than
                a question about these selections may.
        """
        distinct = dict.fromkeys(among)
        numbers = [number for number in distinct if self[number].size]
        if not numbers:
            return None
        selections = [self[number] for number in numbers]
        nodes = sum(selection.nodes for selection in selections)
        budget = Budget(question, VISITS_MAX + VISITS_PER_NODE_MAX * nodes)
        pieces = [
            piece
            for at, selection in enumerate(selections)
            for piece in pieces_of(selection, 1 << at)
        ]
        low = min(selection.min for selection in selections)
        high = max(selection.max for selection in selections)
        bits = {**dict.fromkeys(distinct, 0), **{each: 1 << at for at, each in enumerate(numbers)}}
        return first_forbidden(pieces, low, high, _Others(bits, holds), budget)


class _Others:
    """The kinds of roles for which it doesn't hold, as a container of their weights."""

    def __init__(self, bits: dict[int, int], holds: Callable[[Member], bool]) -> None:
        self._bits = bits
        self._holds = holds
        self._known: dict[int, bool] = {0: True}

    def __contains__(self, weight: object) -> bool:
        assert isinstance(weight, int)
        known = self._known.get(weight)
        if known is None:
            known = not self._holds(lambda number: bool(weight & self._bits[number]))
            self._known[weight] = known
        return known
