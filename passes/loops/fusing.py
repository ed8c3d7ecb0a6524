"""The loops of a contribution in two stages: up to its last fold, and the maps behind it.

Invariant: a late item reads no more of the early ones than scalars, its own sample's rows, and what
    no sample changes; it adds to other results than they do.
Why: the late stage of some samples and the last fold of the next ones go over rows of one length,
    as one loop. So the memory is asked for new rows all the time, not in every second loop.
Entry: `Stages`, `stages_of`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from alpha.passes.loops.items import Item
from alpha.passes.loops.schedule import Loop, Node


@dataclass(frozen=True)
class Stages:
    """Loops of the early stage, of both at once, and of the late one; and what scalars cross."""

    early: tuple[Node, ...]
    both: tuple[Node, ...]
    late: tuple[Node, ...]
    late_items: frozenset[Item]
    crossing: tuple[SSAValue, ...]


def stages_of(nodes: Sequence[Node]) -> Stages | None:
    """The stages, if the last loop has no fold, and the one before it folds as long rows in lanes.

    The loops' items have one axis each, and hand over no vectors from loop to loop.
    """
    numbers = [number for number, node in enumerate(nodes) if isinstance(node, Loop)]
    if len(numbers) < 2 or numbers[-1] != len(nodes) - 1:
        return None
    at, last = numbers[-2:]
    fold, late = nodes[at], nodes[last]
    assert isinstance(fold, Loop) and isinstance(late, Loop)
    if late.width > 1 or fold.width == 1 or late.extent != fold.extent:
        return None
    early = tuple(nodes[:last])
    both = Loop(0, fold.extent, fold.width, items=[*late.items, *fold.items])
    both.children = [*late.children, *fold.children]
    wanted = {value for item in late.items for value in item.inputs}
    given = (value for node in early for item in _items(node) for value in item.results)
    crossing = tuple(value for value in given if value in wanted)
    return Stages(
        early,
        (*early[:at], both, *early[at + 1 :]),
        (late,),
        frozenset(late.items),
        crossing,
    )


def _items(node: Node) -> Sequence[Item]:
    return node.items if isinstance(node, Loop) else (node.item,)
