"""Writes the end of a round: new words are looked at, and become those of the state.

Invariant: nothing is kept unless every word of every state is finite.
Entry: `write_advance`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from xdsl.dialects import arith

from alpha.ir.attributes.shard import OwnedType, located
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.selections import Join, Repeat, Selection, Stride
from alpha.ir.shapes import shape_of
from alpha.passes.linux.carrying import copy_all
from alpha.passes.linux.context import RoleContext
from alpha.passes.linux.memory import Place

STRIDE, REPEAT, JOIN = 0, 1, 2
"""The kinds of trees of coordinates, as runtime/checks.mlir reads them."""


def write_advance(context: RoleContext, op: AdvanceOp, words: Sequence[Place]) -> None:
    """Write an advance of the states that it names, to words that lie in these places."""
    emitter = context.emitter
    version = emitter.load(context.version)
    advanced = emitter.add(arith.AddiOp(version, emitter.number(1)))
    for name, value, place in zip(op.names(), op.values, words, strict=True):
        if not place.words:
            continue
        of = located(value)
        shape = shape_of(of.value)
        mine: Selection = Stride(0, 1, prod(shape))
        if isinstance(of, OwnedType):
            mine = context.coordinates(of.map.data, context.role, prod(shape))
        what = emitter.constant(_description(name, shape, mine), "i64")
        operands = (
            emitter.pointer(place),
            emitter.number(place.words),
            emitter.pointer(what),
            advanced,
        )
        emitter.call(f"alpha_require_finite_{place.element}", operands)
    copy_all(context, words, [context.states[name] for name in op.names()])
    emitter.store(advanced, context.version)
    emitter.call("alpha_report_progress", [advanced])


def _description(name: str, shape: Sequence[int], mine: Selection) -> bytes:
    """Which words of a state a role has: the name, the shape, and the tree of coordinates."""
    text = name.encode("utf-8")
    tree = _tree(mine, 3 + len(shape))
    words = [len(text), 3 + len(shape) + len(tree), len(shape), *shape, *tree]
    return np.array(words, "<i8").tobytes() + text


def _tree(selection: Selection, at: int) -> list[int]:
    """The words of a tree that stands after `at` others."""
    match selection:
        case Stride():
            return [STRIDE, selection.start, selection.step]
        case Repeat():
            inner = selection.inner
            return [REPEAT, inner.size, selection.step, *_tree(inner, at + 3)]
        case Join():
            pairs: list[int] = []
            trees: list[int] = []
            behind = at + 2 + 2 * len(selection.parts)
            for part in selection.parts:
                pairs += [part.size, behind + len(trees)]
                trees += _tree(part, behind + len(trees))
            return [JOIN, len(selection.parts), *pairs, *trees]
        case _:
            raise AssertionError(f"a selection of kind {type(selection).__name__}")
