"""Random functions of machine instructions over any target, for the allocator and its checker.

Any control flow occurs: nested loops, irreducible ones, critical edges, blocks that branch to
themselves, parameters that are permuted on edges; every row that few enough registers can hold;
calls. An instruction may read any value that is made on every way to it.

Entry: `random_function`, `Wanted`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
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
from alpha.backends.core.rows import Immediate, Memory, Row
from alpha.backends.core.target import Target

PLAIN = frozenset({"plain", "constant", "move"})


@dataclass(frozen=True)
class Wanted:
    """How large: so many blocks at most, instructions a block, parameters a block."""

    blocks: int = 8
    instructions: int = 8
    parameters: int = 4


def random_function(
    random: Random, target: Target, registers: int, wanted: Wanted = Wanted()
) -> Function:
    """A function that can be allocated with so many registers of each class."""
    return _Generator(random, target, registers, wanted).function()


def _holds(row: Row, registers: int) -> bool:
    """Whether so many registers of a class are enough, however the operands fall together."""
    reads = sum(2 if isinstance(slot.kind, Memory) else slot.is_register for slot in row.slots)
    reads -= sum(slot.is_register for slot in row.writes)
    alone = sum(slot.tied is None for slot in row.defs)
    early = sum(slot.early and slot.tied is None for slot in row.defs)
    clobbered = len(row.clobbers)
    return reads + early <= registers and alone + clobbered + (reads if early else 0) <= registers


class _Generator:
    def __init__(self, random: Random, target: Target, registers: int, wanted: Wanted) -> None:
        self._random, self._target, self._registers = random, target, registers
        self._wanted = wanted
        rows = [row for row in target.rows.values() if _holds(row, registers)]
        moving = {
            id(row) for table in (target.moves.move, target.moves.swap) for row in table.values()
        }
        self._plain = [row for row in rows if row.role in PLAIN and id(row) not in moving]
        self._branches = [row for row in rows if row.role in ("branch", "jump")]
        self._returns = [row for row in rows if row.role == "return"]
        self._calls = [
            row
            for row in target.rows.values()
            if row.role == "call" and not any(slot.is_register for slot in row.slots)
        ]
        defined = {slot.kind for row in self._plain for slot in row.defs}
        self._views = [view for view in target.views.values() if view in defined]
        self._stores = [row for row in target.moves.store.values() if _holds(row, registers)]
        self._made = Function("f", [], [], [])
        self._read: set[Value] = set()

    def function(self) -> Function:
        random, made = self._random, self._made
        made.slots = [Slice(random.choice((8, 16, 24)), 8) for _ in range(random.randrange(3))]
        made.bytes_out = 16
        count = random.randint(1, self._wanted.blocks)
        made.blocks = [self._block(number) for number in range(count)]
        ends = [self._ways(number, count) for number in range(count)]
        dominators = _dominators(ends)
        available: dict[int, list[Value]] = {}
        for number in sorted(dominators, key=lambda each: len(dominators[each])):
            known = [
                value
                for each in sorted(dominators[number], key=lambda each: len(dominators[each]))
                if each != number
                for value in available[each]
            ]
            own = self._fill(number, known)
            available[number] = own
            self._end(number, ends[number], known + own)
        self._give_unreachable_ends(dominators, ends)
        return made

    def _block(self, number: int) -> Block:
        """A block with its parameters; those of the first one arrive in registers."""
        random, made = self._random, self._made
        if number:
            views = random.choices(self._views, k=random.randint(0, self._wanted.parameters))
            return Block([made.value(view) for view in views])
        convention = self._target.convention
        for of, numbers in convention.arguments.items():
            views = [view for view in self._views if view.of.name == of]
            for register in numbers[: random.randint(0, min(len(numbers), self._registers - 1))]:
                if views:
                    made.arrivals.append(Register(of, register))
        choices = {of: [v for v in self._views if v.of.name == of] for of in convention.arguments}
        return Block([made.value(random.choice(choices[each.of])) for each in made.arrivals])

    def _ways(self, number: int, count: int) -> list[int]:
        """Which blocks a block goes on to: mostly near ones, forwards; sometimes back."""
        random = self._random
        row = random.choice(self._branches)
        if count == 1 or (number == count - 1 and random.random() < 0.8):
            return []
        found = []
        for _ in range(row.labels):
            if count > 1 and random.random() < 0.3:
                found.append(random.randrange(1, count))
            elif number + 1 < count:
                found.append(random.randint(number + 1, min(number + 3, count - 1)))
            else:
                found.append(random.randrange(1, count))
        return found

    def _fill(self, number: int, known: list[Value]) -> list[Value]:
        """Instructions of a block; returns the values that it makes."""
        own = list(self._made.blocks[number].parameters)
        for _ in range(self._random.randint(0, self._wanted.instructions)):
            if self._calls and self._random.random() < 0.08:
                instruction = self._call(known + own)
            else:
                instruction = self._plain_instruction(known + own)
            if instruction is not None:
                self._made.blocks[number].instructions.append(instruction)
                own += instruction.defs
        return own

    def _pick(self, values: list[Value], view: View) -> Value | None:
        """A value that can be read by a view, more often one that nothing has read."""
        views = self._made.views
        fitting = [v for v in values if views[v].of == view.of and views[v].bytes >= view.bytes]
        if not fitting:
            return None
        unread = [v for v in fitting if v not in self._read]
        picked = self._random.choice(unread if unread and self._random.random() < 0.5 else fitting)
        self._read.add(picked)
        return picked

    def _plain_instruction(self, values: list[Value]) -> Instruction | None:
        for row in self._random.choices(self._plain, k=8):
            made = self._instruction(row, values)
            if made is not None:
                return made
        return None

    def _instruction(self, row: Row, values: list[Value]) -> Instruction | None:
        """An instruction of a row, or None if its operands aren't there yet."""
        pointer = self._pointer()
        extras: list[Extra] = []
        uses: list[Value] = []
        for slot in row.slots:
            if slot.is_register:
                if slot in row.reads:
                    assert isinstance(slot.kind, View)
                    picked = self._pick(values, slot.kind)
                    if picked is None:
                        return None
                    uses.append(picked)
            elif slot in row.extras:
                extra = self._extra(slot.kind, self._pick(values, pointer) is not None)
                if extra is None:
                    return None
                extras.append(extra)
                for _ in range(extra.registers if isinstance(extra, Address) else 0):
                    picked = self._pick(values, pointer)
                    assert picked is not None
                    uses.append(picked)
        defs = [self._made.value(slot.kind) for slot in row.defs if isinstance(slot.kind, View)]
        return Instruction(row, defs, uses, tuple(extras))

    def _pointer(self) -> View:
        views = self._target.views.values()
        general = self._target.convention.stack_pointer.of
        return max((v for v in views if v.of.name == general), key=lambda view: view.bytes)

    def _extra(self, kind: object, pointers: bool) -> Extra | None:
        random = self._random
        if isinstance(kind, Immediate):
            return random.randint(kind.low // kind.step, kind.high // kind.step) * kind.step
        if not isinstance(kind, Memory):
            return random.choice(("eq", "lt")) if getattr(kind, "role", "") == "cond" else "there"
        slots = [n for n, each in enumerate(self._made.slots) if each.bytes >= kind.bytes]
        if slots and (not pointers or random.random() < 0.3):
            return Address(based=False, area="slot", number=random.choice(slots))
        if not pointers:
            return None
        return Address(True, random.random() < 0.3, random.choice((1, 8)), random.choice((0, 8)))

    def _call(self, values: list[Value]) -> Instruction:
        """A call: arguments and results in registers, all that isn't kept clobbered."""
        random, convention = self._random, self._target.convention
        uses: list[Value] = []
        fixed: list[int | None] = []
        for of, numbers in convention.arguments.items():
            for register in numbers[: random.randint(0, min(len(numbers), self._registers))]:
                candidates = [v for v in values if self._made.views[v].of.name == of]
                if candidates:
                    uses.append(random.choice(candidates))
                    fixed.append(register)
        defs, places = self._results(convention.results)
        row = random.choice(self._calls)
        extras = tuple("there" for _ in row.extras)
        return Instruction(
            row,
            defs,
            uses,
            extras,
            fixed_defs=tuple(places),
            fixed_uses=tuple(fixed),
            clobbers=convention.clobbered(),
        )

    def _results(self, results: object) -> tuple[list[Value], list[int | None]]:
        assert isinstance(results, dict)
        defs: list[Value] = []
        places: list[int | None] = []
        for of, numbers in results.items():
            views = [view for view in self._views if view.of.name == of]
            for register in numbers[: self._random.randint(0, min(len(numbers), self._registers))]:
                if views:
                    defs.append(self._made.value(self._random.choice(views)))
                    places.append(register)
        return defs, places

    def _end(self, number: int, ways: list[int], values: list[Value]) -> None:
        """The last instruction of a block, with edges; a return if it can't have them."""
        if ways:
            edges = [self._edge(way, values) for way in ways]
            rows = [row for row in self._branches if row.labels == len(ways)]
            self._random.shuffle(rows)
            for row in rows if all(edges) else ():
                instruction = self._instruction(row, values)
                if instruction is not None:
                    instruction.edges = tuple(edge for edge in edges if edge)
                    self._made.blocks[number].instructions.append(instruction)
                    return
        block = self._made.blocks[number]
        for _ in range(self._random.randint(1, 5) if self._stores else 0):
            stored = self._instruction(self._random.choice(self._stores), values)
            block.instructions += [] if stored is None else [stored]
        block.instructions.append(self._return(values))

    def _edge(self, block: int, values: list[Value]) -> Edge | None:
        views = self._made.views
        arguments: list[Value] = []
        for parameter in self._made.blocks[block].parameters:
            view = views[parameter]
            fitting = [v for v in values if views[v] == view]
            if not fitting:
                return None
            arguments.append(self._random.choice(fitting))
        return Edge(block, arguments)

    def _return(self, values: list[Value]) -> Instruction:
        uses: list[Value] = []
        fixed: list[int | None] = []
        for of, numbers in self._target.convention.results.items():
            candidates = [v for v in values if self._made.views[v].of.name == of]
            for register in numbers[: self._registers] if candidates else ():
                uses.append(self._random.choice(candidates))
                fixed.append(register)
        return Instruction(self._returns[0], [], uses, fixed_uses=tuple(fixed))

    def _give_unreachable_ends(self, reached: Iterable[int], ends: list[list[int]]) -> None:
        """Blocks that nothing leads to get an end too."""
        for number in set(range(len(ends))) - set(reached):
            self._end(number, [], self._made.blocks[number].parameters)


def _dominators(ways: list[list[int]]) -> dict[int, set[int]]:
    """The blocks on every way to each block that can be reached, by the plain definition."""
    reached = _reached(ways, None)
    return {
        block: {each for each in reached if each == block or block not in _reached(ways, each)}
        for block in reached
    }


def _reached(ways: list[list[int]], without: int | None) -> set[int]:
    seen = {0} - {without}
    pending = list(seen)
    while pending:
        for way in ways[pending.pop()]:
            if way not in seen and way != without:
                seen.add(way)
                pending.append(way)
    return {each for each in seen if each is not None}
