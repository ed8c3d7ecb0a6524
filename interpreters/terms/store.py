"""The store of terms: every expression once, known by a number.

Invariant: two terms of one store have the same number if and only if they are the same expression
    after the rules; an operand's number is less than that of its term.
Why: a term is compared by its number, so equality costs nothing and no expression is ever expanded
    into a tree. A million terms are a million tuples in one list and one dict, and no other object.
Entry: `TermStore`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from typing import NamedTuple

import numpy as np

from alpha.interpreters.carriers import OPERATIONS, Array, Element
from alpha.interpreters.terms.rules import RULES, Application, Pattern, Rule
from alpha.interpreters.words import DTYPES, Words, element_of

NODES_MAX = 4_000_000

ELEMENTS: tuple[Element, ...] = ("f64", "f32", "i1")
SYMBOL = "symbol"
CONSTANT = "constant"
NAMES: tuple[str, ...] = (*(f"{CONSTANT}.{element}" for element in ELEMENTS), SYMBOL, *OPERATIONS)
"""What the first number of a node means. Behind a constant's follow its bits, behind a symbol's the
number of its block and its place in it, behind an operation's the operands."""

CODES = {name: code for code, name in enumerate(NAMES)}
_SYMBOL = CODES[SYMBOL]
_ELEMENT_MASK = 3
_CONSTANT_FLAG = 4
_TRUTH = ELEMENTS.index("i1")
_UNSIGNED = {"f64": np.uint64, "f32": np.uint32, "i1": np.uint8}
_INFINITY_BITS = {"f64": 0x7FF0_0000_0000_0000, "f32": 0x7F80_0000}
_MAGNITUDE_BITS = {"f64": 0x7FFF_FFFF_FFFF_FFFF, "f32": 0x7FFF_FFFF}
_NAN_BITS = {"f64": 0x7FF8_0000_0000_0000, "f32": 0x7FC0_0000}

_FOLDED = -1  # instead of an element: all operands are constants
_KINDS = (0, 1, 2, 4, 5, 6)  # an index into ELEMENTS, and 4 for a constant

Node = tuple[int, ...]


def _results(operation: str) -> dict[Node, int]:
    """The element of an operation's result by the kinds of its operands, if these fit it."""
    signature = OPERATIONS[operation]
    table: dict[Node, int] = {}
    for kinds in product(_KINDS, repeat=len(signature.operands)):
        elements = [kind & _ELEMENT_MASK for kind in kinds]
        truths = "".join("b" if element == _TRUTH else "f" for element in elements)
        floats = {element for element in elements if element != _TRUTH}
        if truths == signature.operands and len(floats) == 1:
            result = _TRUTH if signature.result == "b" else floats.pop()
            table[kinds] = _FOLDED if all(kind & _CONSTANT_FLAG for kind in kinds) else result
    return table


_RESULTS = {name: _results(name) for name in OPERATIONS}


class _Plan(NamedTuple):
    """What the rules and the signature say of one operation."""

    swap: tuple[int, int] | None  # it commutes in these two places of the node
    keeps: list[tuple[int, frozenset[int], int]]  # one of these constants here: it's that operand
    rewrites: list[Rule]
    results: Mapping[Node, int]


class TermsTooLarge(Exception):
    """The terms are more than `nodes_max`: not proved, and not refuted either."""

    def __init__(self, nodes_max: int) -> None:
        self.nodes_max = nodes_max
        super().__init__(f"more than {nodes_max} terms")


class TermStore:
    """Hash-consed terms over symbols, constants and the operations of a carrier."""

    def __init__(self, nodes_max: int = NODES_MAX, rules: Sequence[Rule] = RULES) -> None:
        self.nodes_max = nodes_max
        self.nodes: list[Node] = []
        self._memo: dict[Node, int] = {}
        self._kinds = bytearray()
        self._words = Words()
        self._blocks: list[tuple[str, tuple[int, ...], Element]] = []
        self._block_starts: dict[str, tuple[int, int]] = {}
        self._origins: list[tuple[int, str]] = [(0, "")]
        self.find = self._memo.get
        """The number of a node that was made before with its operands in this order, or None."""
        self._plans = [_Plan(None, [], [], _RESULTS.get(name, {})) for name in NAMES]
        for rule in rules:
            self._add_rule(rule)

    def __len__(self) -> int:
        return len(self.nodes)

    # Making terms

    def node(self, key: Node) -> int:
        """The number of an operation on terms: (code, operand, ...).

        Raises TypeError if the operands' elements don't fit, `TermsTooLarge` beyond the limit.
        """
        found = self.find(key)
        return self.insert(key) if found is None else found

    def insert(self, key: Node) -> int:
        """`node` for a key that `find` doesn't know."""
        swap, keeps, rewrites, results = self._plans[key[0]]
        canonical = key
        if swap is not None and key[swap[0]] < key[swap[1]]:
            canonical = _exchanged(key, *swap)
            found = self.find(canonical)
            if found is not None:
                return found
        kind = results.get(tuple(map(self._kinds.__getitem__, key[1:])))
        if kind is None:
            elements = ", ".join(self.element(operand) for operand in key[1:])
            raise TypeError(f"{NAMES[key[0]]} of {elements or 'no operands'}")
        for at, constants, kept in keeps:
            if key[at] in constants:
                return key[kept]
        for rule in rewrites:
            bindings: dict[str, int] = {}
            if self._operands_match(rule.left, key, bindings):
                return self._instance(rule.right, bindings, key)
        return self._append(canonical, key, kind) if kind != _FOLDED else self._evaluated(key)

    def constant(self, element: Element, bits: int) -> int:
        """The number of a constant with these bits; all NaNs are one."""
        if element in _NAN_BITS and bits & _MAGNITUDE_BITS[element] > _INFINITY_BITS[element]:
            bits = _NAN_BITS[element]
        key = (ELEMENTS.index(element), bits)
        found = self.find(key)
        return self._append(key, key, key[0] | _CONSTANT_FLAG) if found is None else found

    def constants(self, words: Array) -> Array:
        """The numbers of the constants with these words, in their shape."""
        element = element_of(words)
        bits = np.ascontiguousarray(words).view(_UNSIGNED[element]).ravel()
        distinct, places = np.unique(bits, return_inverse=True)
        ids = np.array([self.constant(element, b) for b in distinct.tolist()], np.int64)
        return ids[places].reshape(words.shape)

    def symbols(self, name: str, shape: tuple[int, ...], element: Element) -> Array:
        """The numbers of the free symbols of one field, made at the first call for its name.

        Raises ValueError if the name is known with another shape or element.
        """
        shape = tuple(shape)
        size = int(np.prod(shape, dtype=np.int64))
        if name not in self._block_starts:
            if len(self.nodes) + size > self.nodes_max:
                raise TermsTooLarge(self.nodes_max)
            block = len(self._blocks)
            self._block_starts[name] = block, len(self.nodes)
            self._blocks.append((name, shape, element))
            self.nodes.extend((_SYMBOL, block, place) for place in range(size))
            self._kinds.extend(bytes([ELEMENTS.index(element)]) * size)
        block, start = self._block_starts[name]
        if self._blocks[block] != (name, shape, element):
            raise ValueError(f"symbol {name} is {self._blocks[block][1:]}, not {(shape, element)}")
        return np.arange(start, start + size, dtype=np.int64).reshape(shape)

    # Reading terms

    def element(self, term: int) -> Element:
        """The element type of a term's word."""
        return ELEMENTS[self._kinds[term] & _ELEMENT_MASK]

    def operation(self, term: int) -> str:
        """The name of the operation; `symbol`, or `constant.` and the element."""
        return NAMES[self.nodes[term][0]]

    def operands(self, term: int) -> Node:
        """The operands of an operation, in the order of their first making; none for others."""
        key = self.nodes[term]
        return key[1:] if key[0] > _SYMBOL else ()

    def constant_bits(self, term: int) -> int | None:
        """The bits of a constant, or None."""
        return self.nodes[term][1] if self._kinds[term] & _CONSTANT_FLAG else None

    def constant_word(self, term: int) -> Array:
        """A constant as an array without axes."""
        code, bits = self.nodes[term]
        return np.array(bits, _UNSIGNED[ELEMENTS[code]]).view(DTYPES[ELEMENTS[code]])

    def symbol(self, term: int) -> tuple[str, tuple[int, ...]] | None:
        """The field and index of a symbol, or None."""
        code, *place = self.nodes[term]
        if code != _SYMBOL:
            return None
        name, shape, _ = self._blocks[place[0]]
        return name, tuple(int(i) for i in np.unravel_index(place[1], shape)) if shape else ()

    def commuting(self, term: int) -> tuple[int, int] | None:
        """The two operands of an operation, counted from 0, that may be exchanged; or None."""
        swap = self._plans[self.nodes[term][0]].swap
        return None if swap is None else (swap[0] - 1, swap[1] - 1)

    def symbol_place(self, term: int) -> tuple[str, int]:
        """The field of a symbol, and its place in row-major order."""
        _, block, place = self.nodes[term]
        return self._blocks[block][0], place

    # Where terms come from

    @contextmanager
    def origin(self, place: str) -> Iterator[None]:
        """Terms made for the first time inside are tagged with this place of the source."""
        before = self._origins[-1][1]
        self._mark(place)
        try:
            yield
        finally:
            self._mark(before)

    def origin_of(self, term: int) -> str:
        """The place whose operation made the term first, or an empty string."""
        return self._origins[bisect_right(self._origins, term, key=lambda mark: mark[0]) - 1][1]

    def _mark(self, place: str) -> None:
        start = len(self.nodes)
        if self._origins[-1][0] == start:
            self._origins.pop()
        if not self._origins or self._origins[-1][1] != place:
            self._origins.append((start, place))

    # Rules

    def _add_rule(self, rule: Rule) -> None:
        operation, operands = rule.left.operation, rule.left.operands
        plan = self._plans[CODES[operation]]
        swap = _swap_of(rule)
        if swap is not None:
            if plan.swap is not None:
                raise ValueError(f"{rule.name}: {operation} commutes already")
            self._plans[CODES[operation]] = plan._replace(swap=swap)
            return
        variables = [part for part in operands if isinstance(part, str)]
        constants = [part for part in operands if isinstance(part, float)]
        distinct = len(set(variables)) == len(operands) - 1
        if distinct and constants and isinstance(rule.right, str):
            ids = frozenset(self._float(constants[0], element) for element in ("f64", "f32"))
            at, kept = operands.index(constants[0]), operands.index(rule.right)
            plan.keeps.append((at + 1, ids, kept + 1))
        else:
            plan.rewrites.append(rule)

    def _matches(self, pattern: Pattern, term: int, bindings: dict[str, int]) -> bool:
        if isinstance(pattern, str):
            return bindings.setdefault(pattern, term) == term
        if not isinstance(pattern, Application):
            return term == self._float(pattern, self.element(term))
        key = self.nodes[term]
        return NAMES[key[0]] == pattern.operation and self._operands_match(pattern, key, bindings)

    def _operands_match(self, left: Application, key: Node, bindings: dict[str, int]) -> bool:
        pairs = zip(left.operands, key[1:], strict=True)
        return all(self._matches(pattern, term, bindings) for pattern, term in pairs)

    def _instance(self, pattern: Pattern, bindings: dict[str, int], key: Node) -> int:
        if isinstance(pattern, str):
            return bindings[pattern]
        if not isinstance(pattern, Application):
            return self._float(pattern, self.element(key[-1]))
        operands = (self._instance(part, bindings, key) for part in pattern.operands)
        return self.node((CODES[pattern.operation], *operands))

    # Nodes

    def _float(self, value: float, element: Element) -> int:
        return int(self.constants(self._words.constant(value, element)))

    def _evaluated(self, key: Node) -> int:
        result = self._words.apply(NAMES[key[0]], *(self.constant_word(i) for i in key[1:]))
        return int(self.constants(result))

    def _append(self, canonical: Node, key: Node, kind: int) -> int:
        term = len(self.nodes)
        if term >= self.nodes_max:
            raise TermsTooLarge(self.nodes_max)
        self._memo[canonical] = term
        self.nodes.append(key)
        self._kinds.append(kind)
        return term


def _exchanged(key: Node, i: int, j: int) -> Node:
    parts = list(key)
    parts[i], parts[j] = parts[j], parts[i]
    return tuple(parts)


def _swap_of(rule: Rule) -> tuple[int, int] | None:
    """The two places of a node that a rule exchanges, if that is all it does."""
    right = rule.right
    if not isinstance(right, Application) or right.operation != rule.left.operation:
        return None
    pairs = list(zip(rule.left.operands, right.operands, strict=True))
    moved = [i for i, (a, b) in enumerate(pairs, 1) if a != b]
    if len(moved) != 2 or pairs[moved[0] - 1] != pairs[moved[1] - 1][::-1]:
        return None
    return moved[0], moved[1]
