"""What an instruction asks of the registers of its operands, read once a row and kept.

Invariant: of a tied pair, both or neither has to be in a given register.
Entry: `Form`, `Forms`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alpha.backends.core.allocation.banks import Banks
from alpha.backends.core.allocation.faults import NoPlacement
from alpha.backends.core.program import Address, Instruction, Value
from alpha.backends.core.registers import View
from alpha.backends.core.rows import register
from alpha.backends.core.target import Target


@dataclass(frozen=True, slots=True)
class Form:
    """Constraints by the positions of uses and defs; registers are those of `Banks`.

    `tied[d]` is the use that def d shares its register with, -1 if none. `fixed_uses` and
    `fixed_defs` have -1 for any register. `clobbers` has a set for each class. `commutes` are two
    positions of uses, of which the first is tied or fixed and the second isn't. `plain` means:
    nothing is fixed, early or clobbered.
    """

    tied: tuple[int, ...]
    early: tuple[bool, ...]
    fixed_uses: tuple[int, ...]
    fixed_defs: tuple[int, ...]
    clobbers: tuple[int, ...]
    commutes: tuple[int, int] | None
    call: bool
    copies: bool
    """Whether it is a move."""
    plain: bool
    ties: bool
    again: bool
    """Whether its one result can be made anew anywhere."""


class Forms:
    """The forms of a target's rows, and of instructions that add constraints of their own.

    `kinds` has the class of each value.
    """

    def __init__(self, target: Target, banks: Banks, kinds: Sequence[int]) -> None:
        self._target, self._banks, self._kinds = target, banks, kinds
        self._known: dict[tuple[int, int, int, int], Form] = {}

    def of(self, instruction: Instruction) -> Form:
        """The form of an instruction. Raises NoPlacement if its operands don't fit its row."""
        if instruction.fixed_defs or instruction.fixed_uses or instruction.clobbers:
            return self._read(instruction)
        shape = 0
        for extra in instruction.extras:
            if isinstance(extra, Address):
                shape = shape * 4 + extra.based + extra.indexed
        key = (id(instruction.row), shape, len(instruction.uses), len(instruction.defs))
        form = self._known.get(key)
        if form is None:
            form = self._known[key] = self._read(instruction)
        return form

    def _read(self, instruction: Instruction) -> Form:
        row, banks = instruction.row, self._banks
        count_uses, count_defs = len(instruction.uses), len(instruction.defs)
        uses, defs = [-1] * count_uses, [-1] * count_defs
        tied, early = [-1] * count_defs, [False] * count_defs
        position: dict[str, int] = {}
        read = 0
        for slot, at, count in instruction.read_slots():
            position[slot.name] = at
            read = max(read, at + count)
            if slot.fixed is not None:
                uses[at] = self._fixed(slot.kind, slot.fixed)
        if read > count_uses or len(row.defs) > count_defs:
            raise NoPlacement(f"{row.name}: fewer operands than its row has")
        for at, slot in enumerate(row.defs):
            early[at] = slot.early
            if slot.fixed is not None:
                defs[at] = self._fixed(slot.kind, slot.fixed)
            if slot.tied is not None:
                tied[at] = position[slot.tied]
        self._add_own(row.name, instruction.uses, instruction.fixed_uses, uses)
        self._add_own(row.name, instruction.defs, instruction.fixed_defs, defs)
        _even_out(row.name, tied, uses, defs)
        clobbers = [0] * len(banks.names)
        for each in (*row.clobbers, *instruction.clobbers):
            clobbers[banks.kind_named(each.of)] |= banks.mask([each])
        constrained = any(each >= 0 for each in (*uses, *defs)) or any(clobbers) or any(early)
        again = row.role == "constant" and not constrained and count_defs == 1 and not count_uses
        return Form(
            tuple(tied),
            tuple(early),
            tuple(uses),
            tuple(defs),
            tuple(clobbers),
            _commuting(row.commutes, position, tied, uses),
            row.role == "call",
            row.role == "move",
            not constrained,
            any(at >= 0 for at in tied),
            again,
        )

    def _fixed(self, kind: object, name: str) -> int:
        found = register(self._target.views, name)
        assert isinstance(kind, View) and kind.of.name == found.of
        return self._banks.at(self._banks.kind_named(found.of), found.number)

    def _add_own(
        self, name: str, values: Sequence[Value], own: Sequence[int | None], found: list[int]
    ) -> None:
        """The registers that the instruction asks for beside those of its row."""
        if own and len(own) != len(found):
            raise NoPlacement(f"{name}: {len(own)} fixed registers for {len(found)} operands")
        for at, number in enumerate(own):
            if number is not None:
                register = self._banks.at(self._kinds[values[at]], number)
                if found[at] not in (-1, register):
                    raise NoPlacement(f"{name}: an operand in two registers")
                found[at] = register


def _even_out(name: str, tied: Sequence[int], uses: list[int], defs: list[int]) -> None:
    """Fix both of a tied pair where one is fixed."""
    for at, use in enumerate(tied):
        if use < 0:
            continue
        if tied.count(use) > 1:
            raise NoPlacement(f"{name}: two results in the register of one operand")
        if -1 not in (defs[at], uses[use]) and defs[at] != uses[use]:
            raise NoPlacement(f"{name}: tied operands in different registers")
        defs[at] = uses[use] = max(defs[at], uses[use])


def _commuting(
    names: tuple[str, str] | None,
    position: Mapping[str, int],
    tied: Sequence[int],
    uses: Sequence[int],
) -> tuple[int, int] | None:
    """The two positions that may change places, the bound one first, if one alone is bound."""
    if names is None:
        return None
    first, second = position[names[0]], position[names[1]]
    free = [at for at in (first, second) if at not in tied and uses[at] < 0]
    if len(free) != 1:
        return None
    return (second, first) if free[0] == first else (first, second)
