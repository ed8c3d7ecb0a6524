"""The fixpoint of the checker: states, their meet, what steps and edges do to them, and I2.

Entry: `check_flow`.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from alpha.backends.core.checking.errors import AllocationError, Place
from alpha.backends.core.checking.shape import Shape
from alpha.backends.core.checking.steps import ALL, Copy, Location, Locations, Name, Need, Step
from alpha.backends.core.checking.values import Values
from alpha.backends.core.placed import PlacedFunction
from alpha.backends.core.program import Edge, Function

Held = dict[Name, int]
"""The names at a location, and how many bytes of each are known. Never changed once it is made."""

State = dict[Location, Held]


def check_flow(
    function: Function,
    placed: PlacedFunction,
    shape: Shape,
    steps: Sequence[Sequence[Step]],
    values: Values,
    locations: Locations,
) -> None:
    """Follow the state through all that can be reached. Raises AllocationError where I2 fails."""
    flow = _Flow(function, placed, steps, values, locations)
    rank = _ranks(shape)
    known: dict[int, State] = {0: flow.start()}
    pending, waiting = [(0, 0)], {0}
    while pending:
        block = heappop(pending)[1]
        waiting.discard(block)
        state = dict(known[block])
        flow.run(block, state)
        for way in shape.ways[block]:
            out = dict(state) if way.through else state
            for inserted in way.through:
                flow.run(inserted, out)
            arriving = flow.renamed(out, way.edge)
            before = known.get(way.to)
            after = dict(arriving) if before is None else _meet(before, arriving)
            if before is None or after != before:
                known[way.to] = after
                if way.to not in waiting:
                    waiting.add(way.to)
                    heappush(pending, (rank[way.to], way.to))


def _ranks(shape: Shape) -> dict[int, int]:
    """Blocks in reverse postorder, so that most are seen behind all that leads to them."""
    order: list[int] = []
    seen = {0}
    stack = [(0, iter(shape.ways[0]))]
    while stack:
        block, ways = stack[-1]
        for way in ways:
            if way.to not in seen:
                seen.add(way.to)
                stack.append((way.to, iter(shape.ways[way.to])))
                break
        else:
            order.append(block)
            stack.pop()
    return {block: rank for rank, block in enumerate(reversed(order))}


def _meet(a: State, b: State) -> State:
    """What is known on both ways."""
    met: State = {}
    for location, held in a.items():
        other = b.get(location)
        if other is None:
            continue
        if held is not other and held != other:
            held = {name: min(n, other[name]) for name, n in held.items() if name in other}
        if held:
            met[location] = held
    return met


class _Flow:
    """Runs blocks on states."""

    def __init__(
        self,
        function: Function,
        placed: PlacedFunction,
        steps: Sequence[Sequence[Step]],
        values: Values,
        locations: Locations,
    ) -> None:
        self._function, self._placed, self._steps = function, placed, steps
        self._values, self._locations = values, locations

    def start(self) -> State:
        """The state at the entry."""
        state: State = {}
        parameters = self._function.blocks[0].parameters
        for value, register in zip(parameters, self._function.arrivals, strict=True):
            held = {self._values.names[value]: self._values.bytes[value]}
            state[self._locations.register(*register)] = held
        return state

    def run(self, block: int, state: State) -> None:
        """Take the steps of a placed block."""
        for step in self._steps[block]:
            if step.needs:
                missing = _missing(step.needs, state)
                if missing is not None and (not step.exchanged or _missing(step.exchanged, state)):
                    raise self._error(block, step, missing, state)
            copied = [(copy.to, self._copied(copy, state)) for copy in step.copies]
            for location in step.lost:
                state.pop(location, None)
            for location, width in step.kept:
                if location in state:
                    held = state[location]
                    state[location] = {name: min(known, width) for name, known in held.items()}
            for location, held in copied:
                if held:
                    state[location] = held
                else:
                    state.pop(location, None)
            for location, name, known in step.made:
                state[location] = {name: known}

    def _copied(self, copy: Copy, state: State) -> Held | None:
        """S2 to S5."""
        held = state.get(copy.of)
        if held is None:
            return None
        width, own = copy.bytes, self._values.bytes
        return {
            name: known if known < width else ALL if copy.zeroes and own[name] <= width else width
            for name, known in held.items()
        }

    def renamed(self, state: State, edge: Edge) -> State:
        """The state behind an edge."""
        parameters = self._function.blocks[edge.block].parameters
        if not parameters:
            return state
        names = self._values.names
        receivers: dict[Name, list[Name]] = {}
        for parameter, argument in zip(parameters, edge.arguments, strict=True):
            receivers.setdefault(names[argument], []).append(parameter)
        forgotten = set(parameters)
        result: State = {}
        for location, held in state.items():
            if receivers.keys().isdisjoint(held) and forgotten.isdisjoint(held):
                result[location] = held
                continue
            after = {name: known for name, known in held.items() if name not in forgotten}
            for name, known in held.items():
                after.update((parameter, known) for parameter in receivers.get(name, ()))
            if after:
                result[location] = after
        return result

    def _error(self, block: int, step: Step, missing: Need, state: State) -> AllocationError:
        row = self._placed.blocks[block].instructions[step.at].instruction.row.name
        place = Place(self._function.name, block, step.at, row)
        held = state.get(missing.location, {})
        shown = ", ".join(
            f"%{name}" + ("" if known == ALL else f" ({known} bytes)")
            for name, known in sorted(held.items())
        )
        location = self._locations.text(missing.location)
        expected = f"%{missing.value}, {missing.bytes} bytes"
        if missing.name != missing.value:
            expected += f" (the constant %{missing.name})"
        return AllocationError(place, location, expected, shown or "nothing known")


def _missing(needs: tuple[Need, ...], state: State) -> Need | None:
    """The first need that the state doesn't meet."""
    for need in needs:
        held = state.get(need.location)
        if held is None or held.get(need.name, 0) < need.bytes:
            return need
    return None
