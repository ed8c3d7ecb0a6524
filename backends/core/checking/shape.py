"""Whether the blocks, instructions and edges of a placed function are those of the function: W1 to
W4 of `checker`.

Entry: `matched`, `Shape`, `Way`.
"""

from __future__ import annotations

from dataclasses import dataclass

from alpha.backends.core.checking.errors import AllocationError, Place
from alpha.backends.core.placed import Placed, PlacedBlock, PlacedFunction
from alpha.backends.core.program import Edge, Function, Instruction
from alpha.backends.core.target import Target


@dataclass(frozen=True)
class Way:
    """A way out of a block: through inserted blocks, in order, to a placed block, by an edge."""

    edge: Edge
    through: tuple[int, ...]
    to: int


@dataclass(frozen=True)
class Shape:
    """`origins` has, for each placed block, the instruction of the function or None for each of its
    instructions; `ways` the ways out of each block that has a source."""

    origins: list[list[Instruction | None]]
    ways: dict[int, list[Way]]


def matched(function: Function, placed: PlacedFunction, target: Target) -> Shape:
    """Match the two. Raises AllocationError."""
    _check_whole(function, placed)
    _check_places(function, placed)
    origins: list[list[Instruction | None]] = []
    ways: dict[int, list[Way]] = {}
    for number, block in enumerate(placed.blocks):
        place = Place(function.name, number)
        if block.source is None:
            _check_inserted(block, target, place)
            origins.append([None] * len(block.instructions))
            continue
        wanted = function.blocks[block.source].instructions
        origins.append(_origins(wanted, block, place))
        edges = wanted[-1].edges
        if len(edges) != len(block.targets):
            expected = f"{len(edges)} ways on"
            raise AllocationError(place, "targets", expected, str(len(block.targets)))
        ways[number] = [
            _way(edge, target, placed, place)
            for edge, target in zip(edges, block.targets, strict=True)
        ]
    return Shape(origins, ways)


def _check_whole(function: Function, placed: PlacedFunction) -> None:
    """W1."""
    place = Place(function.name)
    pairs = (
        ("name", function.name, placed.name),
        ("export", function.exported, placed.exported),
        ("outgoing bytes", function.bytes_out, placed.bytes_out),
        ("slots", function.slots, placed.slots[: len(function.slots)]),
    )
    for what, expected, found in pairs:
        if expected != found:
            raise AllocationError(place, what, str(expected), str(found))


def _check_places(function: Function, placed: PlacedFunction) -> None:
    """W2."""
    found: dict[int, int] = {}
    for number, block in enumerate(placed.blocks):
        if block.source is None:
            continue
        place = Place(function.name, number)
        if not 0 <= block.source < len(function.blocks):
            raise AllocationError(place, "source", "a block of the function", str(block.source))
        if block.source in found:
            before = f"block {found[block.source]} alone"
            raise AllocationError(place, f"source {block.source}", before, f"block {number} too")
        found[block.source] = number
    if not placed.blocks or placed.blocks[0].source != 0:
        found_first = placed.blocks[0].source if placed.blocks else None
        raise AllocationError(Place(function.name, 0), "source", "0", str(found_first))


def _origins(
    wanted: list[Instruction], block: PlacedBlock, place: Place
) -> list[Instruction | None]:
    """W3."""
    found: list[Instruction | None] = []
    done = 0
    for at, got in enumerate(block.instructions):
        here = place._replace(instruction=at, row=got.instruction.row.name)
        if done == len(wanted):
            raise AllocationError(here, "block", "its end", "an instruction behind it")
        if not got.original:
            found.append(None)
            continue
        want = wanted[done]
        if got.instruction is not want and not _same(want, got):
            raise AllocationError(here, "instruction", _text(want), _text(got.instruction))
        found.append(want)
        done += 1
    if done != len(wanted):
        raise AllocationError(place, "block", _text(wanted[done]), "its end")
    return found


def _same(want: Instruction, got: Placed) -> bool:
    """Whether the row and all that is written beside its registers are the same."""
    instruction = got.instruction
    return instruction.row is want.row and instruction.extras == want.extras


def _text(instruction: Instruction) -> str:
    return " ".join([instruction.row.name, *map(str, instruction.extras)])


def _check_inserted(block: PlacedBlock, target: Target, place: Place) -> None:
    """W4: an inserted block has moves and a jump; whether they are moves is asked later."""
    if not block.instructions or len(block.targets) != 1:
        raise AllocationError(place, "inserted block", "moves and one way on", "something else")
    for at, got in enumerate(block.instructions):
        last = at == len(block.instructions) - 1
        row = got.instruction.row
        here = place._replace(instruction=at, row=row.name)
        if got.original and not last:
            raise AllocationError(here, "inserted block", "a move", "an original instruction")
        if last and not (_is_jump(got) and target.rows.get(row.name) is row):
            raise AllocationError(here, "inserted block", "a jump at its end", row.name)


def _is_jump(got: Placed) -> bool:
    row = got.instruction.row
    return (
        row.role == "jump" and row.labels == 1 and not (row.writes or row.clobbers or got.registers)
    )


def _way(edge: Edge, first: int, placed: PlacedFunction, place: Place) -> Way:
    """W4: the way of an edge, which starts at a placed block."""
    through: list[int] = []
    at = first
    while True:
        if not 0 <= at < len(placed.blocks) or at in through:
            expected = f"the function's block {edge.block}"
            raise AllocationError(place, f"way to block {first}", expected, f"block {at}")
        block = placed.blocks[at]
        if block.source is not None:
            break
        through.append(at)
        at = block.targets[0] if block.targets else -1
    if block.source != edge.block:
        expected = f"the function's block {edge.block}"
        raise AllocationError(place, f"way to block {first}", expected, f"block {block.source}")
    return Way(edge, tuple(through), at)
