"""Parallel moves: every small one between registers, slots and a constant, and many large ones."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from allocation.toy import ROWS, TARGET, VIEWS

from alpha.backends.core.allocation.banks import Banks
from alpha.backends.core.allocation.flow import Flow, flow_of
from alpha.backends.core.allocation.transfers import (
    MADE,
    Place,
    Transfer,
    in_register,
    in_slot,
    transfer,
)
from alpha.backends.core.allocation.writing import Writer
from alpha.backends.core.placed import Placed
from alpha.backends.core.program import Address, Block, Function, Instruction, Slice, Value
from alpha.backends.core.registers import View

GPR, VEC = 0, 1
CONSTANT = 0
"""The value that a constant makes; the others are the contents of places."""


class Places:
    """Places with a value in each, and what the moves between them do."""

    def __init__(self, places: list[tuple[Place, str]], limits: dict[str, int]) -> None:
        function = Function("f", [Block([], [])], [VIEWS["g"]], [])
        constant = Instruction(ROWS["const"], [CONSTANT], [], (7,))
        function.blocks[0].instructions += [constant, Instruction(ROWS["halt"], [], [])]
        self.before: dict[Place, Value] = {}
        self.after: dict[Place, Value] = {}
        self.slots: list[Slice] = []
        for place, view in places:
            self.before[place] = function.value(VIEWS[view])
            self.after[place] = function.value(VIEWS[view])
            if place >= in_slot(0):
                self.slots.append(Slice(VIEWS[view].bytes, 1))
        self.banks = Banks(TARGET, limits)
        self.flow: Flow = flow_of(function, TARGET, self.banks)
        self.used: list[Slice] = []

    def transfer(self, wanted: dict[Place, Place]) -> list[Placed]:
        """The moves that bring to each place what is in another one."""
        self.used = list(self.slots)
        writer = Writer(self.flow, TARGET, self.banks, self.used)
        transfers = []
        for to, source in wanted.items():
            before = CONSTANT if source == MADE else self.before[source]
            value = before if to == source else self.after[to]
            transfers.append(Transfer(to, source, value, before))
        transfer(transfers, self.flow, self.banks, writer)
        return writer.out

    def check(self, wanted: dict[Place, Place]) -> int:
        """Run the moves; the number of them."""
        moves = self.transfer(wanted)
        holds: dict[object, object] = {}
        for place, value in self.before.items():
            holds[self._named(place)] = value
        # A value goes by another name afterwards.
        names = {
            self.after[to]: CONSTANT if source == MADE else self.before[source]
            for to, source in wanted.items()
        }
        for each in moves:
            self._run(each, holds, names)
        for to, source in wanted.items():
            expected = CONSTANT if source == MADE else self.before[source]
            assert holds.get(self._named(to)) == expected, (wanted, moves)
        for place, value in self.before.items():
            if place >= in_slot(0) and place not in wanted:
                assert holds[self._named(place)] == value, "a slot of something else"
        return len(moves)

    def _named(self, place: Place) -> object:
        if place >= in_slot(0):
            return place - in_slot(0)
        kind, register = divmod(place, 256)
        return self.banks.names[kind], self.banks.numbers[kind][register]

    def _run(self, placed: Placed, holds: dict[object, object], names: dict[Value, Value]) -> None:
        instruction, kind = placed.instruction, placed.kind
        slot = instruction.row.slots[0]
        if kind == "store":
            slot = instruction.row.reads[0]
        view = slot.kind
        assert isinstance(view, View)
        of = view.of.name
        places = [(of, number) for number in placed.registers]
        assert all(
            self.banks.at(self.banks.kind(view), n) < self.banks.count[self.banks.kind(view)]
            for n in placed.registers
        ), "a register that isn't allocated"
        if kind == "move":
            assert instruction.row is TARGET.moves.move[view.name]
            holds[places[0]] = holds[places[1]]
        elif kind == "swap":
            assert placed.written == placed.read
            one, other = places[2:]
            called = [names.get(value, value) for value in instruction.uses]
            assert called == [holds[one], holds[other]]
            assert instruction.defs == instruction.uses[::-1]
            holds[one], holds[other] = holds[other], holds[one]
        elif kind == "again":
            assert instruction.defs == [CONSTANT]
            holds[places[0]] = CONSTANT
        else:
            address = instruction.extras[0]
            assert isinstance(address, Address)
            assert self.used[address.number].bytes == view.bytes
            if kind == "store":
                holds[address.number] = holds[places[0]]
            else:
                assert kind == "load"
                holds[places[0]] = holds[address.number]


def test_every_move_between_three_registers_two_slots_and_a_constant() -> None:
    """With three registers, so that often none is free."""
    places = [(in_register(GPR, at), "g") for at in range(3)]
    places += [(in_slot(at), "g") for at in range(2)]
    names = [place for place, _ in places]
    setting = Places(places, {"gpr": 3})
    for sources in product([None, MADE, *names], repeat=len(names)):
        wanted = {to: at for to, at in zip(names, sources, strict=True) if at is not None}
        setting.check(wanted)


@pytest.mark.parametrize("count", (4, 5))
def test_every_permutation_of_registers(count: int) -> None:
    names = [in_register(GPR, at) for at in range(4)]
    setting = Places([(name, "g") for name in names], {"gpr": count})
    for sources in product(names, repeat=4):
        moves = setting.check(dict(zip(names, sources, strict=True)))
        moved = sum(to != source for to, source in zip(names, sources, strict=True))
        cycles = moved if count == 5 else 0
        assert moves <= moved + cycles // 2, "more than one move a value and one a cycle"


def test_no_move_if_everything_stays() -> None:
    names = [in_register(GPR, 0), in_register(VEC, 1), in_slot(0)]
    setting = Places([(names[0], "g"), (names[1], "v"), (names[2], "g")], {})
    assert setting.check({name: name for name in names}) == 0


@pytest.mark.parametrize("seed", range(300))
def test_large_moves_of_several_classes_and_widths(seed: int) -> None:
    random = Random(seed)
    limits = {"gpr": random.randint(1, 6), "vec": random.randint(1, 4)}
    places: list[tuple[Place, str]] = []
    for at in range(limits["gpr"]):
        places.append((in_register(GPR, at), "g"))
    for at in range(limits["vec"]):
        places.append((in_register(VEC, at), random.choice("vs")))
    for at in range(8):
        places.append((in_slot(at), random.choice("gvs")))
    setting = Places(places, limits)
    wanted: dict[Place, Place] = {}
    for place, view in places:
        if random.random() < 0.85:
            alike = [each for each, other in places if other == view]
            if view == "g":
                alike.append(MADE)
            wanted[place] = random.choice(alike)
    setting.check(wanted)
