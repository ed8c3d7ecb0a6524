"""The loops of a structured operation as the axes of a map or fold that writes one of its results.

Invariant: the axes after `over` are the parallel loops in the order of the result's indices, those
    after `along` the reduction loops in the order of their numbers. The loops run with the last one
    fastest, so what is added to one word comes in that order, wherever parallel loops stand.
Refuses: target-unsupported.
Entry: `Loops`, `loops_of`.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir.affine import AffineDimExpr, AffineMap

from alpha.ir.attributes.linalg import LoopKind
from alpha.ir.dialects.linalg_structured import StructuredOp
from alpha.ir.refusals import Refusal


@dataclass(frozen=True)
class Loops:
    """The loops behind the axes, in the order of the axes; the last `along` are reduced."""

    order: tuple[int, ...]
    along: int
    extents: tuple[int, ...]

    @property
    def over(self) -> tuple[int, ...]:
        """The extents of the result."""
        return self.extents[: len(self.extents) - self.along]

    def index(self, map: AffineMap) -> AffineMap:
        """An operand's index map, from the axes instead of the loops."""
        axes = [AffineDimExpr(self.order.index(loop)) for loop in _loops(map)]
        return AffineMap(len(self.order), 0, tuple(axes))


def _loops(map: AffineMap) -> tuple[int, ...]:
    """The loops that the indices are, where each is one."""
    return tuple(index.position for index in map.results if isinstance(index, AffineDimExpr))


def _text(loops: tuple[int, ...]) -> str:
    return f"({', '.join(f'd{loop}' for loop in loops)})"


def loops_of(op: StructuredOp, result: int) -> Loops:
    """The axes for one result.

    Raises:
        Refusal: `target-unsupported` for an index that isn't one loop, a sliding window, and a
            result whose indices aren't the parallel loops.
    """
    for number, map in enumerate(op.maps()):
        found = _loops(map)
        if len(found) != len(map.results) or len(set(found)) != len(found):
            wanted = f"different loops as the indices of operand {number} of {op.name}"
            raise Refusal("target-unsupported", wanted, str(map), op)
    iterators = op.iterators()
    if LoopKind.WINDOW in iterators:
        raise Refusal("target-unsupported", "parallel and reduction loops", "window", op)
    over = _loops(op.maps()[len(op.sources()) + result])
    parallel = tuple(n for n, kind in enumerate(iterators) if kind is LoopKind.PARALLEL)
    if tuple(sorted(over)) != parallel:
        wanted = f"the parallel loops {_text(parallel)} as the indices of result {result}"
        raise Refusal("target-unsupported", wanted, _text(over), op)
    along = tuple(n for n, kind in enumerate(iterators) if kind is LoopKind.REDUCTION)
    extents = op.extents()
    order = (*over, *along)
    return Loops(order, len(along), tuple(extents[loop] for loop in order))
