"""Joins placed blocks: what differs between the end of one and the start of the next is moved.

The moves of an edge stand at the end of its block if that has no other edge, at the start of the
next if that has no other, else in a block of their own. A constant that becomes a parameter isn't
made at the start of the next block, where it would have to go by the parameter's name.

Entry: `join`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from alpha.backends.core.allocation.banks import Banks
from alpha.backends.core.allocation.distances import Distances
from alpha.backends.core.allocation.flow import Flow, Link
from alpha.backends.core.allocation.placing import Placing
from alpha.backends.core.allocation.stores import Stored
from alpha.backends.core.allocation.transfers import (
    MADE,
    Place,
    Transfer,
    in_register,
    in_slot,
    transfer,
)
from alpha.backends.core.allocation.writing import Writer
from alpha.backends.core.placed import Placed, PlacedBlock
from alpha.backends.core.program import Value


@dataclass(frozen=True)
class Edges:
    """What the edges of a function are made from."""

    flow: Flow
    distances: Distances
    banks: Banks
    stored: Stored
    slot: dict[Value, int]
    placing: Placing
    writer: Writer

    def blocks(self) -> list[PlacedBlock]:
        """The blocks of the placed function, in the order of the function's."""
        nodes, code = self.flow.nodes, self.placing.code
        code[0][:0] = self._arrive()
        split: dict[tuple[int, int], list[Placed]] = {}
        for block, node in enumerate(nodes):
            for position, link in enumerate(node.successors):
                moves = self._moves(link)
                if not moves:
                    continue
                if len(nodes[link.target].predecessors) == 1 and not _makes(link, moves):
                    code[link.target][:0] = moves
                elif len(node.successors) == 1 and self._only_jumps(block):
                    at = len(code[block]) - bool(node.steps)
                    code[block][at:at] = moves
                else:
                    self.writer.out = moves
                    self.writer.jump()
                    split[block, position] = moves
        if nodes[0].source is None:
            self.writer.out = code[0]
            self.writer.jump()
        return _Order(self.flow, code, split).blocks()

    def _only_jumps(self, block: int) -> bool:
        """Whether moves can stand before the last instruction of a block."""
        steps = self.flow.nodes[block].steps
        return not steps or not (steps[-1].uses or steps[-1].defs or any(steps[-1].form.clobbers))

    def _arrive(self) -> list[Placed]:
        """What brings the parameters of the function where they are wanted."""
        flow, placing = self.flow, self.placing
        transfers: list[Transfer] = []
        for value, register in placing.arrivals.items():
            to = self._wanted(0, value)
            if to is not None:
                source = in_register(flow.kinds[value], register)
                transfers.append(Transfer(to, source, value, value))
        return self._written(transfers)

    def _moves(self, link: Link) -> list[Placed]:
        """The moves of an edge."""
        node = self.flow.nodes[link.target]
        live = self.distances.entry[link.target]
        transfers: list[Transfer] = []
        for value in node.entering.difference(node.parameters):
            to = self._wanted(link.target, value)
            assert to is not None
            transfers.append(Transfer(to, self._found(link.source, value), value, value))
        for value, argument in zip(node.parameters, link.arguments, strict=True):
            to = self._wanted(link.target, value)
            if to is not None and not self._is_stored(link, argument, to):
                transfers.append(Transfer(to, self._found(link.source, argument), value, argument))
        for value in self.flow.nodes[link.source].edge_stores:
            if value in live:
                to = in_slot(self.slot[value])
                transfers.append(Transfer(to, self._found(link.source, value), value, value))
        return self._written(transfers)

    def _written(self, transfers: list[Transfer]) -> list[Placed]:
        self.writer.out = []
        transfer(transfers, self.flow, self.banks, self.writer)
        return self.writer.out

    def _wanted(self, block: int, value: Value) -> Place | None:
        """Where a block has a value at its start, None if nowhere."""
        register = self.placing.begin[block].get(value)
        if register is not None:
            return in_register(self.flow.kinds[value], register)
        return in_slot(self.slot[value]) if value in self.stored.parameters else None

    def _found(self, block: int, value: Value) -> Place:
        """Where a value is at the end of a block."""
        register = self.placing.end[block].get(value)
        if register is not None:
            return in_register(self.flow.kinds[value], register)
        return MADE if value in self.flow.constants else in_slot(self.slot[value])

    def _is_stored(self, link: Link, argument: Value, to: Place) -> bool:
        """Whether a value that is in a register is in the wanted slot too, stored before."""
        block = self.stored.block.get(argument)
        return (
            block is not None
            and in_slot(self.slot[argument]) == to
            and argument not in self.flow.nodes[link.source].edge_stores
            and self.flow.dominance.dominates(block, link.source)
        )


def _makes(link: Link, moves: list[Placed]) -> bool:
    """Whether an argument is a constant that is made on the edge."""
    return any(
        each.kind == "again" and each.instruction.defs[0] in link.arguments for each in moves
    )


@dataclass
class _Order:
    """Puts the blocks in order and numbers them."""

    flow: Flow
    code: list[list[Placed]]
    split: dict[tuple[int, int], list[Placed]]
    made: list[PlacedBlock] = field(default_factory=list)

    def blocks(self) -> list[PlacedBlock]:
        """As the function has them, each followed by the blocks on its edges."""
        nodes = self.flow.nodes
        order = sorted(range(len(nodes)), key=lambda at: -1 if not at else nodes[at].source or 0)
        place: dict[int, int] = {}
        on_edge: dict[tuple[int, int], int] = {}
        for block in order:
            place[block] = len(self.made)
            self.made.append(PlacedBlock(nodes[block].source, self.code[block]))
            for position in range(len(nodes[block].successors)):
                if (block, position) in self.split:
                    on_edge[block, position] = len(self.made)
                    self.made.append(PlacedBlock(None, self.split[block, position]))
        for block in order:
            for position, link in enumerate(nodes[block].successors):
                between = on_edge.get((block, position))
                if between is not None:
                    self.made[between].targets = [place[link.target]]
                self.made[place[block]].targets.append(
                    place[link.target] if between is None else between
                )
        return self.made
