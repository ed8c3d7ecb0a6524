"""Which thread it is, waiting, handing words on, and what ends a block.

Refuses: target-unsupported: a call, a call of the system, a result.
Entry: `control`.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import cf, gpu
from xdsl.ir import Operation

from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.comparing import jump
from alpha.backends.core.selection.matching import Match, Matcher, Matching, Rule
from alpha.ir.dialects.gpu_threads import WARP, ShuffleOp
from alpha.ir.refusals import Refusal

_NUMBERS = (
    ("gpu.thread_id", "thread"),
    ("gpu.block_dim", "threads"),
    ("gpu.block_id", "block"),
    ("gpu.grid_dim", "blocks"),
)
_LAST_LANE = WARP - 1


def control() -> Iterator[Rule]:
    """Rules for threads and control."""
    for op, row in _NUMBERS:
        yield Rule(op, "*", _number(row))
    yield Rule("gpu.barrier", "*", _barrier)
    for key in ("f32", "f64", "i32", "i64"):
        yield Rule("gpu.shuffle", key, _shuffle(key))
    yield Rule("cf.br", "*", jump)
    yield Rule("cf.cond_br", "*", _branch)
    yield Rule("func.return", "*", _return)


def _number(row: str) -> Matching:
    """One of the numbers of a thread along x, the only axis that there is."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, gpu.ThreadIdOp | gpu.BlockDimOp | gpu.BlockIdOp | gpu.GridDimOp)
        if op.dimension.data != gpu.DimensionEnum.X:
            raise Refusal("target-unsupported", "threads along x", str(op.dimension.data), op)

        def emit(builder: Builder) -> None:
            (narrow,) = builder.emit(row)
            builder.bind(op.results[0], builder.emit("extend", narrow)[0])

        return Match([], emit)

    return match


def _barrier(matcher: Matcher, op: Operation) -> Match:
    def emit(builder: Builder) -> None:
        builder.emit("barrier")

    return Match([], emit)


def _shuffle(key: str) -> Matching:
    """The word of the lane so many behind, by halves of 32 bits."""

    def match(matcher: Matcher, op: Operation) -> Match | None:
        assert isinstance(op, ShuffleOp)
        distance = op.distance.value.data
        # The lanes of a width share the bits of the mask above it, and end at the last of them.
        segment = (WARP - op.width.value.data) << 8 | _LAST_LANE
        extras = (distance, segment)

        def moved(builder: Builder, value: int) -> int:
            return builder.emit("shuffle_down", value, extras=extras)[0]

        def emit(builder: Builder) -> None:
            value = builder.value(op.value)
            view = {"f32": "s", "f64": "d"}.get(key)
            bits = builder.emit(f"bits_of_{view}", value)[0] if view else value
            if key.endswith("32"):
                made = moved(builder, bits)
            else:
                (low,) = builder.emit("cut", bits)
                (upper,) = builder.emit("shr_imm_x", bits, extras=(32,))
                (high,) = builder.emit("cut", upper)
                (low,) = builder.emit("extend", moved(builder, low))
                (high,) = builder.emit("extend", moved(builder, high))
                (high,) = builder.emit("shl_imm_x", high, extras=(32,))
                (made,) = builder.emit("or_x", low, high)
            builder.bind(op.result, builder.emit(f"of_bits_{view}", made)[0] if view else made)

        return Match([op.value], emit)

    return match


def _branch(matcher: Matcher, op: Operation) -> Match:
    assert isinstance(op, cf.ConditionalBranchOp)

    def emit(builder: Builder) -> None:
        then = builder.edge(op.then_block, op.then_arguments)
        other = builder.edge(op.else_block, op.else_arguments)
        builder.emit("branch", builder.value(op.cond), edges=[then, other])

    return Match([op.cond, *op.then_arguments, *op.else_arguments], emit)


def _return(matcher: Matcher, op: Operation) -> Match:
    if op.operands:
        wanted = "kernels, which return nothing"
        raise Refusal("target-unsupported", wanted, f"{len(op.operands)} results", op)

    def emit(builder: Builder) -> None:
        builder.emit("return")

    return Match([], emit)
