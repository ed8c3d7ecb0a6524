"""Random functions of a target's rows: any flow graph, every constraint, values in SSA form."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from random import Random

from alpha.backends.core.program import (
    Address,
    Block,
    Edge,
    Extra,
    Function,
    Instruction,
    Slice,
    Value,
)
from alpha.backends.core.registers import Register, View
from alpha.backends.core.rows import Immediate, Memory, Row, Slot
from alpha.backends.core.target import Target


def random_function(
    target: Target, random: Random, names: Sequence[str], blocks: int, length: int
) -> Function:
    """A function of at most so many blocks of at most so many instructions of these rows."""
    return _Maker(target, random, names, blocks, length).function


def plain_names(target: Target) -> list[str]:
    """The rows that compute something, of the classes that can be allocated."""
    free = {name for name, numbers in target.convention.free.items() if numbers}
    return [
        row.name
        for row in target.rows.values()
        if row.role in ("plain", "constant", "call")
        and all(each.kind.of.name in free for each in row.slots if isinstance(each.kind, View))
    ]


class _Maker:
    def __init__(
        self, target: Target, random: Random, names: Sequence[str], blocks: int, length: int
    ) -> None:
        self.target, self.random, self.names = target, random, names
        passed = target.convention.arguments
        arrivals = [Register("gpr", at) for at in passed["gpr"][: random.randint(0, 4)]]
        arrivals += [Register("vec", at) for at in passed["vec"][: random.randint(0, 2)]]
        self.word = target.views[target.convention.kept_view["gpr"]]
        free = {name for name, numbers in target.convention.free.items() if numbers}
        self.views = [
            view
            for name, view in target.views.items()
            if name in target.moves.move and view.of.name in free
        ]
        self.makers = self._find_makers()
        self.function = Function("f", [], [], arrivals, [Slice(64, 16)] * random.randint(0, 2))
        self.spread = random.choice((3, 6, 12, 30))
        self.targets = [self._targets(at, blocks) for at in range(blocks)]
        self.dominators = self._dominators()
        for at in range(blocks):
            count = len(arrivals) if at == 0 else random.choice((0, 0, 1, 2, 4))
            views = [self._view() for _ in range(count)]
            if at == 0:
                vectors = [view for view in self.views if view.of.name == "vec"]
                views = [
                    self.word if each.of == "gpr" else random.choice(vectors) for each in arrivals
                ]
            self.function.blocks.append(Block([self.function.value(view) for view in views]))
        self.defined: dict[int, list[Value]] = {}
        for at in sorted(range(blocks), key=lambda each: len(self.dominators[each])):
            self._fill(at, random.randint(0, length))
        for at in range(blocks):
            self._end(at)

    def _view(self) -> View:
        return self.word if self.random.random() < 0.4 else self.random.choice(self.views)

    def _find_makers(self) -> dict[View, Row]:
        """For each view a row that makes a value of it from nothing, or from values made so."""
        found: dict[View, Row] = {}
        rows = [row for row in self.target.rows.values() if row.role in ("plain", "constant")]
        for _ in range(3):
            for row in rows:
                reads = {each.kind for each in row.reads if isinstance(each.kind, View)}
                fixed = any(each.fixed for each in row.slots) or row.memory is not None
                if len(row.writes) == 1 and row.defs and reads <= found.keys() and not fixed:
                    view = row.defs[0].kind
                    assert isinstance(view, View)
                    found.setdefault(view, row)
        return found

    def _targets(self, at: int, blocks: int) -> list[int]:
        kind = self.random.random()
        low = 0 if self.random.random() < 0.1 else min(1, blocks - 1)
        if kind < 0.12:
            return []
        if kind < 0.45:
            return (
                [self.random.randint(low, blocks - 1)] if kind < 0.2 else [min(at + 1, blocks - 1)]
            )
        return [self.random.randint(low, blocks - 1) for _ in range(2)]

    def _dominators(self) -> list[set[int]]:
        """By the definition: what can't be reached without a block, that block dominates."""
        count = len(self.targets)
        found: list[set[int]] = []
        reached = [self._reached(without) for without in range(count)]
        for at in range(count):
            found.append({each for each in range(count) if at not in reached[each]} | {at})
        return found

    def _reached(self, without: int) -> set[int]:
        seen: set[int] = set()
        work = [0] if without != 0 else []
        while work:
            at = work.pop()
            if at not in seen and at != without:
                seen.add(at)
                work += self.targets[at]
        return seen

    def _visible(self, at: int) -> list[Value]:
        """The values that may be used at the end of what a block has so far, the newest last."""
        found: list[Value] = []
        for each in sorted(self.dominators[at], key=lambda each: len(self.dominators[each])):
            if each == at or at in self.live_blocks:
                found += self.defined.get(each, [])
        return found

    @cached_property
    def live_blocks(self) -> set[int]:
        return self._reached(-1)

    def _pick(self, at: int, view: View) -> Value:
        """A value of this view; makes one if there is none."""
        values = [v for v in self._visible(at) if self.function.views[v] is view]
        if not values or self.random.random() < 0.02:
            return self._make(at, view)
        return self.random.choice(values[-self.spread :])

    def _make(self, at: int, view: View) -> Value:
        return self._instruction(at, self.makers[view].name).defs[0]

    def _fill(self, at: int, length: int) -> None:
        block = self.function.blocks[at]
        self.defined[at] = list(block.parameters)
        for _ in range(length):
            name = self.random.choice(self.names)
            if name in ("poke", "peek") and not self.function.slots:
                continue
            self._instruction(at, name)

    def _instruction(self, at: int, name: str) -> Instruction:
        row, random = self.target.rows[name], self.random
        uses: list[Value] = []
        extras: list[Extra] = []
        kinds: list[View] = []
        for slot in row.slots:
            if slot.is_register:
                if slot in row.reads:
                    assert isinstance(slot.kind, View)
                    kinds.append(slot.kind)
                    uses.append(self._pick(at, slot.kind))
            elif slot in row.extras:
                extras.append(self._extra(row, slot))
                if isinstance(extras[-1], Address):
                    count = extras[-1].registers
                    kinds += [self.word] * count
                    uses += [self._pick(at, self.word) for _ in range(count)]
        fixed = [slot.fixed for slot in row.reads if slot.fixed]
        alike = len(uses) > 1 and kinds[0] is kinds[1]
        if alike and (len(set(fixed)) < len(fixed) or random.random() < 0.15):
            uses[1] = uses[0]
        defs: list[Value] = []
        for slot in row.defs:
            assert isinstance(slot.kind, View)
            defs.append(self.function.value(slot.kind))
        made = Instruction(row, defs, uses, tuple(extras))
        if row.role == "call":
            self._arguments(at, made)
        self.function.blocks[at].instructions.append(made)
        self.defined[at] += made.defs
        return made

    def _extra(self, row: Row, slot: Slot) -> Extra:
        random = self.random
        if isinstance(slot.kind, Immediate):
            for _ in range(100):
                number = random.randint(slot.kind.low, slot.kind.high)
                if slot.kind.holds(number):
                    return number
            return next(n for n in (0, 1, slot.kind.low, slot.kind.high) if slot.kind.holds(n))
        if not isinstance(slot.kind, Memory):
            return "word"
        if row.role == "constant":
            return Address(based=False, area="symbol", symbol="word")
        if self.function.slots and random.random() < 0.5:
            number = random.randrange(len(self.function.slots))
            return Address(based=False, area="slot", number=number)
        return Address(indexed=random.random() < 0.3)

    def _arguments(self, at: int, call: Instruction) -> None:
        random = self.random
        convention = self.target.convention
        vectors = [view for view in self.views if view.of.name == "vec"]
        uses: list[tuple[View, int]] = []
        defs: list[tuple[View, int]] = []
        for found, places in ((uses, convention.arguments), (defs, convention.results)):
            most = 4 if found is uses else 1
            found += [(self.word, n) for n in places["gpr"][: random.randint(0, most)]]
            chosen = places["vec"][: random.randint(0, min(2, most))]
            found += [(random.choice(vectors), n) for n in chosen]
        call.fixed_uses = (*(None for _ in call.uses), *(number for _, number in uses))
        call.fixed_defs = tuple(number for _, number in defs)
        call.uses = call.uses + [self._pick(at, view) for view, _ in uses]
        call.defs = [self.function.value(view) for view, _ in defs]
        call.clobbers = convention.clobbered()

    def _end(self, at: int) -> None:
        targets, block = self.targets[at], self.function.blocks[at]
        rows = self.target.rows.values()
        roles = ("jump", "branch") if targets else ("return", "stop")
        fitting = [row for row in rows if row.role in roles and row.labels == len(targets)]
        name = self.random.choice(fitting).name
        last = self._instruction(at, name)
        del block.instructions[-1]
        defs = last.defs
        arguments: list[list[Value]] = []
        for target in targets:
            views = [self.function.views[v] for v in self.function.blocks[target].parameters]
            arguments.append([self._pick_late(at, view, defs) for view in views])
        edges = zip(targets, arguments, strict=True)
        last.edges = tuple(Edge(target, brought) for target, brought in edges)
        block.instructions.append(last)

    def _pick_late(self, at: int, view: View, defs: list[Value]) -> Value:
        """An argument; one that the last instruction itself defines now and then."""
        if defs and self.function.views[defs[0]] is view and self.random.random() < 0.3:
            return defs[0]
        kept = self.defined[at]
        self.defined[at] = [value for value in kept if value not in defs]
        found = self._pick(at, view)
        self.defined[at] += defs
        return found
