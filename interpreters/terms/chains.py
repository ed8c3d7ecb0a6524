"""Chains of one operation, such as sums of many addends: what they add, and in which order.

Invariant: the time is linear in the distinct terms of a chain, also where an addend occurs in it
    exponentially often.
Entry: `chain_difference`, `chain_lines`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from alpha.interpreters.terms.store import TermStore
from alpha.interpreters.terms.text import leaf_text, line

_NOUNS: Mapping[str, str] = {
    "arith.addf": "addend",
    "arith.mulf": "factor",
    "pointwise.min": "operand of min",
    "pointwise.max": "operand of max",
}
_SIGNS: Mapping[str, str] = {
    "arith.addf": "+",
    "arith.mulf": "*",
    "pointwise.min": "min",
    "pointwise.max": "max",
}

_ITEMS_MAX = 6  # of one chain in a line; the first ones and the last are shown
_NESTED_ITEMS_MAX = 4  # the same, in parentheses
_NESTING_MAX = 2  # parentheses within parentheses
_COUNT_MAX = 10**9  # doubling a sum again and again counts addends beyond any meaning
_NAMES_MAX = 6  # lines that say what a name stands for


def parts_of(store: TermStore, term: int, operation: str) -> Counter[int]:
    """How often each addend occurs in a chain of `operation`; the term itself if it is none."""
    members = chain_members(store, term, operation)
    times: Counter[int] = Counter({term: 1})
    parts: Counter[int] = Counter()
    for member in sorted(members, reverse=True):  # operands have lower numbers than their term
        if store.operation(member) == operation:
            for operand in store.operands(member):
                times[operand] += times[member]
        else:
            parts[member] = times[member]
    return parts


def chain_members(store: TermStore, term: int, operation: str) -> set[int]:
    """The operations of the chain and its addends, each once."""
    members = {term}
    pending = [term]
    while pending:
        member = pending.pop()
        if store.operation(member) == operation:
            new = set(store.operands(member)) - members
            members |= new
            pending.extend(new)
    return members


def chain_difference(
    store: TermStore, left: int, right: int, labels: tuple[str, str]
) -> tuple[str, str] | None:
    """How two chains of one operation differ, if as a whole, with the operation's name.

    Either the order differs and the addends don't, or one side has all addends of the other and
    more. A term that isn't of the operation counts as a chain of one addend.
    """
    for operation in dict.fromkeys((store.operation(left), store.operation(right))):
        if operation not in _NOUNS:
            continue
        ours, theirs = parts_of(store, left, operation), parts_of(store, right, operation)
        noun = _NOUNS[operation]
        if ours == theirs:
            return f"the same {_counted(ours.total(), noun)} in another order", operation
        for more, less, label in ((ours, theirs, labels[1]), (theirs, ours, labels[0])):
            if less <= more:
                missing = more - less
                shown = ", ".join(line(store, part, 2) for part in sorted(missing)[:3])
                rest = ", ..." if len(missing) > 3 else ""
                counted = f"{missing.total()} of {_counted(more.total(), noun)}"
                return f"{label} lacks {counted}: {shown}{rest}", operation
    return None


def _counted(number: int, noun: str) -> str:
    if number == 1:
        return f"1 {noun}"
    first, *rest = noun.split(" ")
    text = str(number) if number <= _COUNT_MAX else f"over {_COUNT_MAX}"
    return " ".join([text, f"{first}s", *rest])


@dataclass
class _Skeleton:
    """Writes chains as sums, with names for the addends that aren't symbols or constants."""

    store: TermStore
    operation: str
    shared: set[int]
    names: dict[int, str] = field(default_factory=dict)

    def chain(self, term: int, nesting: int) -> str:
        """The chain without outer parentheses; a + b + c stands for (a + b) + c."""
        items: list[int] = []
        spine = term
        while self._open(spine):
            spine, item = self.store.operands(spine)
            items.append(item)
        items = [spine, *reversed(items)]
        limit = _ITEMS_MAX if nesting == _NESTING_MAX else _NESTED_ITEMS_MAX
        shown = items if len(items) <= limit else [*items[: limit - 2], items[-1]]
        texts = [self._item(item, nesting) for item in shown]
        if len(shown) < len(items):
            texts.insert(-1, f"... {len(items) - len(shown)} more ...")
        return f" {_SIGNS[self.operation]} ".join(texts)

    def _open(self, term: int) -> bool:
        return self.store.operation(term) == self.operation and term not in self.shared

    def _item(self, term: int, nesting: int) -> str:
        if self._open(term):
            return f"({self.chain(term, nesting - 1) if nesting else '...'})"
        if not self.store.operands(term):
            return leaf_text(self.store, term)
        return self.names.setdefault(term, f"t{len(self.names) + 1}")


def chain_lines(
    store: TermStore, left: int, right: int, operation: str, labels: tuple[str, str]
) -> list[str]:
    """Both chains in one line each, then what the names in them stand for.

    What both have in common stays whole, so that only the difference is spelled out.
    """
    shared = chain_members(store, left, operation) & chain_members(store, right, operation)
    skeleton = _Skeleton(store, operation, shared)
    width = max(map(len, labels)) + 1
    lines = [
        f"{label + ':':{width}} {skeleton.chain(term, _NESTING_MAX)}"
        for label, term in zip(labels, (left, right), strict=True)
    ]
    for term, name in list(skeleton.names.items())[:_NAMES_MAX]:
        count = parts_of(store, term, operation).total()
        what = f"  ({_counted(count, _NOUNS[operation])})" if count > 1 else ""
        lines.append(f"{name} = {line(store, term, 2)}{what}")
    if len(skeleton.names) > _NAMES_MAX:
        lines.append("...")
    return lines
