"""The first difference of two terms, as a small tree that a person can read.

Invariant: terms are walked in step from the roots, along one way, and never expanded: the time is
    linear in the depth and in the distinct terms of each sum on the way, and the text is short
    whatever their size.
Entry: `first_difference`, `difference_text`, `words_difference`.

    w[2]: differs at .lhs.rhs: another symbol
    addf
    |- x[0]
    `- mulf
       |- x[1]
       `- left: y[0]   right: y[1]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from alpha.interpreters.carriers import Array
from alpha.interpreters.terms.chains import chain_difference, chain_lines
from alpha.interpreters.terms.store import TermStore
from alpha.interpreters.terms.text import constant_text, line, operation_text

LABELS = ("left", "right")

_OPERAND_NAMES: Mapping[str, tuple[str, ...]] = {
    "arith.select": ("condition", "true", "false"),
    "math.fma": ("a", "b", "c"),
}
_ROLES = {1: ("operand",), 2: ("lhs", "rhs")}

_PARENTS_MAX = 3  # levels shown above the difference
_COLUMNS_MAX = 84  # of a line that holds both sides
_SIDE_DEPTH = 3


@dataclass(frozen=True)
class Step:
    """Into an operand of an operation that both terms have in common."""

    parent: int  # on the left
    operand: int  # which of its operands, on the left


@dataclass(frozen=True)
class Difference:
    """Where two terms first differ, and how; `chain` is the operation of sums to be spelled out."""

    steps: tuple[Step, ...]
    left: int
    right: int
    reason: str
    chain: str | None = None


def first_difference(
    store: TermStore, left: int, right: int, labels: tuple[str, str] = LABELS
) -> Difference | None:
    """The outermost place where two terms of one store differ as a whole; the leftmost of several.

    None if they are the same term.
    """
    if left == right:
        return None
    steps: list[Step] = []
    chain_of = ""
    found: tuple[str, str] | None = None
    while True:
        operation = store.operation(left)
        if operation != chain_of:
            # A sum is compared as a whole, from its outermost addition; then the way goes on to
            # where it differs. Its inner additions aren't compared on their own again.
            found = chain_difference(store, left, right, labels)
            chain_of = operation
        reason = _difference_here(store, left, right)
        pairs = [] if reason else _differing_operands(store, left, right)
        if found and len(pairs) != 1:
            return Difference(tuple(steps), left, right, *found)
        if len(pairs) > 1:
            reason = _order_difference(store, left, right)
        if reason:
            return Difference(tuple(steps), left, right, reason)
        operand, inner_left, inner_right = pairs[0]
        steps.append(Step(left, operand))
        left, right = inner_left, inner_right


def _difference_here(store: TermStore, left: int, right: int) -> str:
    """How the nodes differ by themselves; empty if only their operands do."""
    if store.element(left) != store.element(right):
        return f"another element type: {store.element(left)}, {store.element(right)}"
    ours, theirs = store.operation(left), store.operation(right)
    if ours != theirs:
        same = " on the same operands" if store.operands(left) == store.operands(right) else ""
        kinds = f"{operation_text(store, left)}, {operation_text(store, right)}"
        return f"another operation{same}: {kinds}"
    if store.operands(left):
        return ""
    if store.constant_bits(left) is not None:
        return "another constant"
    fields = [store.symbol_place(term)[0] for term in (left, right)]
    return f"another word of {fields[0]}" if fields[0] == fields[1] else "another symbol"


def _differing_operands(store: TermStore, left: int, right: int) -> list[tuple[int, int, int]]:
    """(which operand on the left, its term, the term it is compared with), where they differ."""
    ours, theirs = store.operands(left), list(store.operands(right))
    swap = store.commuting(left)
    if swap is not None:
        i, j = swap
        if _likeness(store, (ours[i], theirs[j]), (ours[j], theirs[i])) > _likeness(
            store, (ours[i], theirs[i]), (ours[j], theirs[j])
        ):
            theirs[i], theirs[j] = theirs[j], theirs[i]
    return [(k, a, b) for k, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b]


def _likeness(store: TermStore, *pairs: tuple[int, int]) -> tuple[int, int]:
    equal = sum(a == b for a, b in pairs)
    return equal, sum(store.operation(a) == store.operation(b) for a, b in pairs)


def _order_difference(store: TermStore, left: int, right: int) -> str:
    ours, theirs = store.operands(left), store.operands(right)
    return "the same operands in another order" if sorted(ours) == sorted(theirs) else ""


def difference_text(
    store: TermStore, difference: Difference, title: str, labels: tuple[str, str] = LABELS
) -> str:
    """The difference as a small tree under one line that says where and how.

    Above the place at most three levels are shown; what doesn't lead to it is elided.
    """
    path = _path_text(store, difference.steps)
    lines = [f"{title}: differs{f' at {path}' if path else ''}: {difference.reason}"]
    indent = ""
    hidden = len(difference.steps) - _PARENTS_MAX
    if hidden > 0:
        lines.append(f"... {hidden} level{'s' if hidden > 1 else ''} above")
    shown = difference.steps[max(hidden, 0) :]
    body = _sides(store, difference, labels)
    after: list[list[str]] = []
    mark, margin = "", ""
    for step in shown:
        lines.append(f"{indent}{mark}{_placed(store, step.parent, operation_text)}")
        indent += margin
        operands = store.operands(step.parent)
        lines += [f"{indent}|- {line(store, o, 1)}" for o in operands[: step.operand]]
        rest = operands[step.operand + 1 :]
        last = len(rest) - 1
        after.append(
            [
                f"{indent}{'|-' if k < last else '`-'} {line(store, o, 1)}"
                for k, o in enumerate(rest)
            ]
        )
        mark, margin = ("|- ", "|  ") if rest else ("`- ", "   ")
    lines += [f"{indent}{mark if k == 0 else margin}{text}" for k, text in enumerate(body)]
    for texts in reversed(after):
        lines += texts
    return "\n".join(lines)


def _sides(store: TermStore, difference: Difference, labels: tuple[str, str]) -> list[str]:
    """The two terms at the place of the difference, in one line if they are short."""
    left, right = difference.left, difference.right
    if difference.chain is not None:
        return chain_lines(store, left, right, difference.chain, labels)
    texts = [_placed(store, term, _side) for term in (left, right)]
    joined = f"{labels[0]}: {texts[0]}   {labels[1]}: {texts[1]}"
    if len(joined) <= _COLUMNS_MAX:
        return [joined]
    width = max(map(len, labels)) + 1
    return [f"{label + ':':{width}} {text}" for label, text in zip(labels, texts, strict=True)]


def _side(store: TermStore, term: int) -> str:
    if store.constant_bits(term) is not None:
        return constant_text(store, term, bits=True)
    return line(store, term, _SIDE_DEPTH)


def _placed(store: TermStore, term: int, text: Callable[[TermStore, int], str]) -> str:
    place = store.origin_of(term)
    return f"{text(store, term)}{f'  ({place})' if place else ''}"


def _path_text(store: TermStore, steps: Sequence[Step]) -> str:
    """The operands on the way, such as `.lhs.rhs`, or `.lhs{441}` for one that repeats."""
    names = []
    for step in steps:
        count = len(store.operands(step.parent))
        roles = _OPERAND_NAMES.get(store.operation(step.parent)) or _ROLES[count]
        names.append(roles[step.operand])
    runs = [(name, len(list(run))) for name, run in groupby(names)]
    return "".join(f".{name}" * n if n <= 3 else f".{name}{{{n}}}" for name, n in runs)


def words_difference(
    store: TermStore, name: str, left: Array, right: Array, labels: tuple[str, str] = LABELS
) -> str | None:
    """The first word, in row-major order, whose terms differ; None if all are the same.

    `left` and `right` hold the terms of one field, in one shape. Raises ValueError for two shapes.
    """
    if left.shape != right.shape:
        raise ValueError(f"{name} has shape {left.shape} and {right.shape}")
    places = np.argwhere(left != right)
    if not len(places):
        return None
    index = tuple(int(i) for i in places[0])
    title = f"{name}[{','.join(map(str, index))}]" if index else name
    difference = first_difference(store, int(left[index]), int(right[index]), labels)
    assert difference is not None
    text = difference_text(store, difference, title, labels)
    if left.size == 1:
        return text
    return f"{text}\n{len(places)} of {left.size} words of {name} differ"
