"""Random blocks that branch and switch to one another, with fuel, so that they end.

Every block carries the fuel and some values. It goes on to later blocks freely; to any block, even
itself, only where there is fuel left, of which that takes one. So flow graphs come about that no
loop of `scf` has: with several entries, with several exits, with crossing ways.

Entry: `tangle`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from functions.scalar_operations import truth
from functions.structures import Body
from functions.writing import Value

FUEL_MAX = 5
FUEL = "i32"


class _Block(NamedTuple):
    label: str
    parameters: tuple[Value, ...]

    @property
    def head(self) -> str:
        """Its label with its parameters."""
        listed = ", ".join(f"{each.name}: {each.type}" for each in self.parameters)
        return f"^{self.label}({listed}):" if listed else f"^{self.label}:"


class _Tangle:
    def __init__(self, body: Body, results: Sequence[str]) -> None:
        self.body, self.writer, self.returned = body, body.writer, results
        chance = self.writer.random
        self.blocks = [self._block([FUEL, *body.types(0, 4)]) for _ in range(chance.randint(1, 5))]
        self.exit = self._block(body.types(0, 3))

    def _block(self, types: Sequence[str]) -> _Block:
        writer = self.writer
        named = tuple(Value(writer.name("%b"), each) for each in types)
        return _Block(writer.name("b"), named)

    def write(self) -> None:
        """The blocks; what follows stands in the exit."""
        writer = self.writer
        chance = writer.random
        fuel = writer.used(writer.constant(FUEL, chance.randint(1, FUEL_MAX)))
        entries = 1 if chance.random() < 0.6 else 2
        if entries == 1:
            writer.line(f"cf.br {self._edge(self.blocks[0], fuel)}")
        else:
            self._branch([self._edge(chance.choice(self.blocks), fuel) for _ in range(2)])
        # Where all come by the first block, what it defines is known in all of them.
        shared: list[Value] = []
        weight = FUEL_MAX + 1
        for at in range(len(self.blocks)):
            writer.scopes.append([*shared])
            writer.weight *= weight
            known = self._write_block(at)
            writer.weight //= weight
            writer.scopes.pop()
            if at == 0 and entries == 1:
                shared = known
        writer.scopes[-1] += shared
        writer.label(self.exit.head)
        writer.scopes[-1] += self.exit.parameters

    def _edge(self, block: _Block, fuel: Value | None) -> str:
        """A successor with its arguments."""
        types = [each.type for each in block.parameters]
        handed = [self.body.handed(each) for each in types]
        if fuel is not None:
            handed[0] = fuel
        if not handed:
            return f"^{block.label}"
        names = ", ".join(each.name for each in handed)
        return f"^{block.label}({names} : {', '.join(types)})"

    def _branch(self, edges: Sequence[str]) -> None:
        """The end of a block that goes on by one of these edges."""
        writer = self.writer
        chance = writer.random
        if len(edges) == 1:
            writer.line(f"cf.br {edges[0]}")
            return
        if len(edges) == 2 and chance.random() < 0.8:
            writer.line(f"cf.cond_br {truth(writer).name}, {edges[0]}, {edges[1]}")
            return
        type = chance.choice(("i8", "i32", "i64"))
        flag = writer.pick(type)
        if chance.random() < 0.8:
            mask = writer.used(writer.constant(type, 3))
            text = f"arith.andi {flag.name}, {mask.name} : {type}"
            flag = writer.used(writer.make(type, text))
        cases = chance.sample((0, 1, 2, 3, -1, 100), len(edges) - 1)
        arms = [f"default: {edges[0]}"]
        arms += [f"{case}: {edge}" for case, edge in zip(cases, edges[1:], strict=True)]
        writer.line(f"cf.switch {flag.name} : {type}, [")
        for at, arm in enumerate(arms):
            writer.line(f"  {arm}{',' if at < len(arms) - 1 else ''}")
        writer.line("]")

    def _write_block(self, at: int) -> list[Value]:
        """A block's statements, and its end; the values that it has defined where it ends."""
        writer = self.writer
        chance = writer.random
        block = self.blocks[at]
        writer.label(block.head)
        writer.scopes[-1] += block.parameters
        self.body.memories.open()
        self.body.statements(chance.randint(1, 6))
        fuel, known = block.parameters[0], [*writer.scopes[-1]]
        if chance.random() < 0.4:
            self._branch([self._forward(at, fuel) for _ in range(chance.randint(1, 3))])
        else:
            zero, one = (writer.used(writer.constant(FUEL, each)) for each in (0, 1))
            text = f"arith.cmpi sle, {fuel.name}, {zero.name} : {FUEL}"
            empty = writer.used(writer.make("i1", text))
            way = writer.name("b")
            out = self._edge(self.exit, None)
            leaves = chance.random() < 0.15
            if leaves:
                out = f"^{way}_out"
            writer.line(f"cf.cond_br {empty.name}, {out}, ^{way}")
            if leaves:
                writer.label(f"^{way}_out:")
                writer.scopes.append([])
                self.body.leave(self.returned)
                writer.scopes.pop()
            writer.label(f"^{way}:")
            text = f"arith.subi {fuel.name}, {one.name} : {FUEL}"
            less = writer.used(writer.make(FUEL, text))
            if chance.random() < 0.5:
                self.body.statements(chance.randint(0, 3))
            others = [chance.choice(self.blocks) for _ in range(chance.randint(1, 4))]
            edges = [self._edge(each, less) for each in others]
            if chance.random() < 0.3:
                edges[0] = self._edge(self.exit, None)
            self._branch(edges)
        self.body.memories.close()
        return known

    def _forward(self, at: int, fuel: Value) -> str:
        """An edge to a later block or to the exit."""
        later = self.blocks[at + 1 :]
        if later and self.writer.random.random() < 0.7:
            return self._edge(self.writer.random.choice(later), fuel)
        return self._edge(self.exit, None)


def tangle(body: Body, results: Sequence[str]) -> None:
    """Blocks in the place where the writer is; `results` are the types of what is returned."""
    _Tangle(body, results).write()
