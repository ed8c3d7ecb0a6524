"""The function that is being allocated: its blocks in reverse postorder, its edges, its steps.

Invariant: every block can be reached; block 0 is where the function is entered and no edge leads
    there; no value is both defined in a block and live into it.
Why: a value is one word wherever it lies, so spilling and reloading keep its name, and no phase has
    to build SSA form again. What each phase adds to a step is what the next one needs.
Entry: `Flow`, `Node`, `Link`, `Step`, `flow_of`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from alpha.backends.core.allocation.banks import Banks
from alpha.backends.core.allocation.dominance import Dominance, dominators
from alpha.backends.core.allocation.faults import NoPlacement
from alpha.backends.core.allocation.forms import Form, Forms
from alpha.backends.core.allocation.loops import Loops, loops_of
from alpha.backends.core.program import Block, Edge, Function, Instruction, Value
from alpha.backends.core.registers import View
from alpha.backends.core.target import Target


@dataclass(slots=True)
class Step:
    """An instruction, and what spilling decides about it.

    `uses` are those of the instruction, or with two of them changed over if the row commutes. First
    the values of `drops` leave their registers, then those of `loads` get one. `kills` are used and
    have no register afterwards. `moved` are those used in a fixed register that stay in it since no
    other is free. `stores` are the defs that are stored right after it.
    """

    instruction: Instruction
    form: Form
    defs: list[Value]
    uses: list[Value]
    drops: Sequence[Value] = ()
    loads: Sequence[Value] = ()
    kills: Sequence[Value] = ()
    dead: Sequence[Value] = ()
    moved: Sequence[Value] = ()
    stores: Sequence[Value] = ()


@dataclass(slots=True, eq=False)
class Link:
    """An edge between two nodes."""

    source: int
    target: int
    arguments: Sequence[Value]


@dataclass(slots=True, eq=False)
class Node:
    """A block. `source` is its number in the function, None for one that only leads to block 0.

    `entering` and `leaving` are the values in registers at its start and end. `stores` are those
    that are stored at its start, `edge_stores` the defs of its last step that are stored behind it.
    """

    source: int | None
    parameters: list[Value]
    steps: list[Step]
    successors: list[Link] = field(default_factory=list)
    predecessors: list[Link] = field(default_factory=list)
    entering: set[Value] = field(default_factory=set)
    leaving: set[Value] = field(default_factory=set)
    stores: list[Value] = field(default_factory=list)
    edge_stores: list[Value] = field(default_factory=list)


@dataclass(slots=True)
class Flow:
    """A function. `kinds` has the class of each value by its number in `banks`.

    `constants` are the values that an instruction without operands makes. `home` is the block that
    defines each value.
    """

    function: Function
    nodes: list[Node]
    views: list[View]
    kinds: list[int]
    constants: dict[Value, Instruction]
    home: list[int]
    dominance: Dominance
    loops: Loops

    def is_cheap(self, value: Value, block: int) -> bool:
        """Whether spilling a value here costs no store here: it is made again or stored before."""
        around = self.loops.around[block]
        outside = around and around[-1] not in self.loops.around[self.home[value]]
        return bool(outside) or value in self.constants

    def links(self) -> Iterator[Link]:
        """All edges."""
        for node in self.nodes:
            yield from node.successors


def flow_of(function: Function, target: Target, banks: Banks) -> Flow:
    """Read a function. Raises NoPlacement if it breaks an invariant of `Function`."""
    views, blocks, numbers = list(function.views), list(function.blocks), {}
    arrivals = blocks[0].parameters
    if len(function.arrivals) != len(arrivals):
        raise NoPlacement(f"{function.name}: block 0 has parameters without registers")
    if any(edge.block == 0 for block in blocks for edge in _edges(block)):
        fresh = list(range(len(views), len(views) + len(arrivals)))
        views += [views[value] for value in arrivals]
        blocks.append(Block(fresh, []))
        numbers[len(blocks) - 1] = None
        leading = {len(blocks) - 1: (Edge(0, fresh),)}
    else:
        leading = {}
    kinds = [banks.kind(view) for view in views]
    forms = Forms(target, banks, kinds)
    order = _order(blocks, leading)
    place = {block: at for at, block in enumerate(order)}
    nodes: list[Node] = []
    for block in order:
        steps = [
            Step(each, forms.of(each), each.defs, each.uses) for each in blocks[block].instructions
        ]
        nodes.append(Node(numbers.get(block, block), blocks[block].parameters, steps))
    for at, block in enumerate(order):
        for edge in leading.get(block) or _edges(blocks[block]):
            _connect(nodes, views, Link(at, place[edge.block], edge.arguments))
    constants = {
        step.defs[0]: step.instruction for node in nodes for step in node.steps if step.form.again
    }
    home = [0] * len(views)
    for at, node in enumerate(nodes):
        for value in (*node.parameters, *(each for step in node.steps for each in step.defs)):
            home[value] = at
    dominance = dominators([[link.source for link in node.predecessors] for node in nodes])
    loops = loops_of([[link.target for link in node.successors] for node in nodes])
    return Flow(function, nodes, views, kinds, constants, home, dominance, loops)


def _edges(block: Block) -> Sequence[Edge]:
    return block.edges if block.instructions else ()


def _connect(nodes: list[Node], views: Sequence[View], link: Link) -> None:
    parameters = nodes[link.target].parameters
    if len(parameters) != len(link.arguments):
        raise NoPlacement(f"an edge brings {len(link.arguments)} of {len(parameters)} values")
    for parameter, argument in zip(parameters, link.arguments, strict=True):
        to, source = views[parameter], views[argument]
        if (to.of, to.bytes) != (source.of, source.bytes):
            raise NoPlacement(f"an edge brings {source.name} for {to.name}")
    nodes[link.source].successors.append(link)
    nodes[link.target].predecessors.append(link)


def _order(blocks: Sequence[Block], leading: dict[int, tuple[Edge, ...]]) -> list[int]:
    """The blocks that can be reached, in reverse postorder."""
    root = next(iter(leading), 0)
    seen, order = {root}, []
    work: list[tuple[int, Iterator[Edge]]] = []

    def enter(block: int) -> None:
        # The first edge last, so that what it leads to comes first.
        work.append((block, reversed(leading.get(block) or _edges(blocks[block]))))

    enter(root)
    while work:
        block, rest = work[-1]
        for edge in rest:
            if edge.block not in seen:
                seen.add(edge.block)
                enter(edge.block)
                break
        else:
            work.pop()
            order.append(block)
    return order[::-1]
