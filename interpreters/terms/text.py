"""Terms as text: one line for a term, with `...` for what lies deeper.

Invariant: the cost is bounded by the depth that is asked for, whatever the size of the term.
Entry: `line`, `operation_text`, `constant_text`.
"""

from __future__ import annotations

from alpha.interpreters.terms.store import TermStore


def line(store: TermStore, term: int, depth: int) -> str:
    """A term as `addf(mulf(x[0,1], w[1]), ...)`; operations below `depth` are elided."""
    operands = store.operands(term)
    if not operands:
        return leaf_text(store, term)
    if depth <= 0:
        return f"{operation_text(store, term)}(...)"
    parts = [
        "..." if depth == 1 and store.operands(operand) else line(store, operand, depth - 1)
        for operand in operands
    ]
    shown = ", ".join(parts) if any(part != "..." for part in parts) else "..."
    return f"{operation_text(store, term)}({shown})"


def operation_text(store: TermStore, term: int) -> str:
    """The operation without its dialect, such as `addf` or `cmpf.olt`; or the leaf."""
    if not store.operands(term):
        return leaf_text(store, term)
    return store.operation(term).split(".", 1)[1]


def leaf_text(store: TermStore, term: int) -> str:
    """A symbol as `x[0,1]` (a field without axes as its name), a constant as its value."""
    symbol = store.symbol(term)
    if symbol is None:
        return constant_text(store, term)
    name, index = symbol
    return f"{name}[{','.join(map(str, index))}]" if index else name


def constant_text(store: TermStore, term: int, bits: bool = False) -> str:
    """A constant as the shortest decimal that gives its word; with its bits in hexadecimal too."""
    element = store.element(term)
    word = store.constant_word(term)
    if element == "i1":
        return "true" if word else "false"
    text = str(word[()])
    if not bits:
        return text
    return f"{text} (0x{store.constant_bits(term):0{word.itemsize * 2}X} : {element})"
