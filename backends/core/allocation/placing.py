"""Gives registers to the values of a function, block by block in reverse postorder.

A value stays where it is unless an instruction needs its register; what differs between the end of
a block and the start of the next is moved on the edge. A block begins as most of its predecessors
end, those in loops counting more; at a loop, a value doesn't begin in a register that it would have
to leave inside.

Why: spilling has made everything fit, so any choice is right and only the number of moves is at
    stake; hints (webs, wishes, the loop's parameters) do without most of them.
Entry: `Placing`.
"""

from __future__ import annotations

from alpha.backends.core.allocation.banks import Banks
from alpha.backends.core.allocation.constrained import Constrained
from alpha.backends.core.allocation.demands import hands_over
from alpha.backends.core.allocation.flow import Flow, Link, Node, Step
from alpha.backends.core.allocation.places import Places
from alpha.backends.core.allocation.webs import Webs
from alpha.backends.core.allocation.writing import Writer
from alpha.backends.core.placed import Placed
from alpha.backends.core.program import Value

LOOP_WEIGHT = 8
"""How many times a loop is taken to run, where predecessors are weighed."""

Layout = dict[Value, int]


class Placing:
    """`begin` and `end` have the registers of values at the start and end of each block, `code` the
    instructions between."""

    def __init__(
        self,
        flow: Flow,
        banks: Banks,
        webs: Webs,
        avoid: list[int],
        slot: dict[Value, int],
        writer: Writer,
    ) -> None:
        self._flow, self._banks, self._slot, self._writer = flow, banks, slot, writer
        self._places = Places(flow, banks, webs, avoid)
        self._constrained = Constrained(flow, banks, self._places, slot, writer)
        self._wanted: dict[int, list[int]] = {}
        self.begin: list[Layout] = []
        self.end: list[Layout] = []
        self.code: list[list[Placed]] = []
        self.arrivals = {
            value: banks.at(flow.kinds[value], register.number)
            for value, register in zip(
                flow.nodes[0].parameters, flow.function.arrivals, strict=True
            )
        }

    def place(self) -> None:
        """Place all blocks."""
        for block, node in enumerate(self._flow.nodes):
            self._want(block)
            layout = self._begin(block, node)
            # A header has only now said what its own loop wants.
            self._want(block)
            self.begin.append(layout)
            self._places.enter(layout)
            self._writer.out = []
            for value in node.stores:
                self._writer.store(value, layout[value], self._slot[value])
            for step in node.steps:
                if step.form.plain:
                    self._plain(step)
                else:
                    self._constrained.place(step)
                for value in step.stores:
                    self._writer.store(value, self._places.where[value], self._slot[value])
            self.code.append(self._writer.out)
            self.end.append(self._places.leaving(node.leaving))

    def _want(self, block: int) -> None:
        """What the loops around a block want for their parameters."""
        wanted = [0] * len(self._banks.count)
        for header in self._flow.loops.around[block]:
            for kind, registers in enumerate(self._wanted.get(header, ())):
                wanted[kind] |= registers
        self._places.wanted = wanted

    def _begin(self, block: int, node: Node) -> Layout:
        """The registers of values at the start of a block."""
        places, kinds = self._places, self._flow.kinds
        votes = everywhere = self._votes(block, node)
        if block in self._flow.loops.body:
            votes = [each for each in votes if not places.avoid[each[1]] >> each[2] & 1]
        layout: Layout = {}
        free = list(self._banks.all)
        for _, value, register in votes:
            if value not in layout and free[kinds[value]] >> register & 1:
                layout[value] = register
                free[kinds[value]] &= ~(1 << register)
        for value in sorted(node.entering - layout.keys()):
            kind = kinds[value]
            register = places.choose(value, free[kind])
            if places.avoid[value] >> register & 1:
                # There is none that it can stay in, so it begins where it is, if that is left.
                there = [at for _, each, at in everywhere if each == value and free[kind] >> at & 1]
                register = there[0] if there else register
            layout[value] = register
            free[kind] &= ~(1 << register)
        if block in self._flow.loops.body:
            wanted = self._wanted[block] = [0] * len(free)
            for value in node.parameters:
                if value in layout:
                    wanted[kinds[value]] |= 1 << layout[value]
                    places.settle(value, layout[value])
        return layout

    def _votes(self, block: int, node: Node) -> list[tuple[int, Value, int]]:
        """Weight, value and register: where blocks before have values, the best first.

        Of equal weight, what lives through the edge comes before what it is copied to.
        """
        if block == 0:
            return [(1, v, at) for v, at in self.arrivals.items() if v in node.entering]
        weights: dict[tuple[Value, int], int] = {}
        loops = self._flow.loops
        through = node.entering.difference(node.parameters)
        for link in node.predecessors:
            if link.source >= block:
                continue
            end = self.end[link.source]
            weight = LOOP_WEIGHT ** min(loops.depth(link.source), 10)
            named = [(value, value) for value in through]
            named += [each for each in _named(node, link) if each[0] in node.entering]
            for value, before in named:
                if before in end:
                    key = value, end[before]
                    weights[key] = weights.get(key, 0) + weight
        return [
            (weight, value, at)
            for (value, at), weight in sorted(
                weights.items(), key=lambda each: (-each[1], each[0][0] not in through, each[0])
            )
        ]

    def _plain(self, step: Step) -> None:
        """An instruction whose operands may be in any registers."""
        places, kinds, where = self._places, self._flow.kinds, self._places.where
        for value in step.drops:
            places.drop(value)
        for value in step.loads:
            places.put(value, places.choose(value, places.free(kinds[value])))
            self._bring(value)
        made: dict[int, int] = {}
        if step.form.ties:
            reads = self._tie(step, made)
        else:
            reads = [(kinds[value], where[value]) for value in step.uses]
        for value in step.kills:
            places.drop(value)
        for at, register in made.items():
            places.put(step.defs[at], register)
        writes: list[tuple[int, int]] = []
        for at, value in enumerate(step.defs):
            kind = kinds[value]
            if at not in made:
                places.put(value, places.choose(value, places.free(kind)))
            writes.append((kind, where[value]))
        self._writer.original(step.instruction, writes + reads)
        for value in step.dead:
            places.drop(value)

    def _bring(self, value: Value) -> None:
        """Load a value into the register that it got, or make it there."""
        if value in self._flow.constants:
            self._writer.again(value, self._places.where[value])
        else:
            self._writer.load(value, self._places.where[value], self._slot[value])

    def _tie(self, step: Step, made: dict[int, int]) -> list[tuple[int, int]]:
        """Give tied defs the registers of their uses, or of copies; returns what each use reads."""
        kinds, where = self._flow.kinds, self._places.where
        self._turn(step)
        given: set[Value] = set()
        copied: dict[int, int] = {}
        for at, use in enumerate(step.form.tied):
            if use < 0:
                continue
            value, kind = step.uses[use], kinds[step.defs[at]]
            if hands_over(step, at, step.kills) and value not in given:
                given.add(value)
                made[at] = where[value]
                continue
            register = self._copy(step, value, step.defs[at], kind)
            made[at] = copied[use] = register
        reads = [(kinds[value], where[value]) for value in step.uses]
        for use, register in copied.items():
            reads[use] = kinds[step.uses[use]], register
        return reads

    def _copy(self, step: Step, value: Value, made: Value, kind: int) -> int:
        """Copy a tied use that is needed afterwards; the register in which the def is made.

        If the def's web wants the register in which the value is, the value moves away instead.
        """
        places = self._places
        source = places.where[value]
        free = places.free(kind)
        stays = places.wants(made) != source or value in step.kills
        if not stays and not places.same_web(value, made):
            stays = places.wants(value) == source
        register = places.choose(made if stays else value, free)
        self._writer.move(value, value, register, source)
        places.full[kind] |= 1 << register
        if stays:
            return register
        places.put(value, register)
        return source

    def _turn(self, step: Step) -> None:
        """Change over two operands that both end here, if the def wants the other's register."""
        if step.form.commutes is None:
            return
        first, second = step.form.commutes
        one, other = step.uses[first], step.uses[second]
        if one == other or one not in step.kills or other not in step.kills:
            return
        made = step.defs[step.form.tied.index(first)]
        if self._places.where[other] == self._places.wants(made):
            step.uses = list(step.uses)
            step.uses[first], step.uses[second] = other, one


def _named(node: Node, link: Link) -> list[tuple[Value, Value]]:
    return list(zip(node.parameters, link.arguments, strict=True))
