"""Rules: which rows an operation of the code level becomes.

A rule names the operation, the type it is for and the row, and says for each operand of the
operation, in order, which slot of the row takes it:
- `a`: in a register;
- `i:imm`: a constant that the row can hold;
- `m:address`: a pointer, as an address;
- `m:load`: a load from memory that nothing else uses and that no write comes after, so that the row
  itself can read the word.
`_` leaves an operand out. Rules of one operation stand most specific first, and the first that fits
is taken. What can't be said so is a function that gives a `Match`.

Entry: `RuleSet`, `Rule`, `rule`, `Match`, `Matcher`, `subject_of`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects import ptr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from alpha.backends.core.program import Address, Extra, Value
from alpha.backends.core.rows import Immediate, Memory, Row
from alpha.backends.core.selection.addresses import Pointer, defining, immediate_of, pointer_of
from alpha.backends.core.selection.builder import Builder, Operand, slice_of
from alpha.backends.core.selection.keys import bytes_of, key_of
from alpha.backends.core.target import Target


class Match(NamedTuple):
    """What an operation becomes: the values it needs in registers, and what writes its rows."""

    needs: Sequence[SSAValue]
    emit: Callable[[Builder], None]


Matching = Callable[["Matcher", Operation], Match | None]


class Rule(NamedTuple):
    """One rule: operation, short name of the type it is for (`*` for every one), what matches."""

    op: str
    key: str
    match: Matching


@dataclass(frozen=True)
class RuleSet:
    """The rules of a target, by operation, and the rows that bring arguments to their width.

    `extended` has the row that makes a value of a narrow type, as the convention passes it, one
    with zeros above: its only operand is the value.
    """

    by_operation: Mapping[str, Sequence[Rule]]
    extended: Mapping[str, str]

    @staticmethod
    def of(rules: Iterable[Rule], extended: Mapping[str, str]) -> RuleSet:
        """The rules in their order, by operation."""
        table: dict[str, list[Rule]] = {}
        for each in rules:
            table.setdefault(each.op, []).append(each)
        return RuleSet(table, extended)


_CONVERSIONS = frozenset(
    {
        "arith.extf",
        "arith.truncf",
        "arith.sitofp",
        "arith.uitofp",
        "arith.fptosi",
        "arith.fptoui",
        "arith.extui",
        "arith.extsi",
        "arith.trunci",
        "arith.index_cast",
        "arith.bitcast",
        "vector.broadcast",
        "vector.extract",
        "vector.shuffle",
    }
)


def subject_of(op: Operation) -> str:
    """The short name of the type that the rules of an operation go by.

    It is that of the first result; of what is compared or stored, where the result says nothing;
    for a conversion those of operand and result, as in `f32->f64`.
    """
    if op.name in _CONVERSIONS:
        return f"{key_of(op.operands[0].type, op)}->{key_of(op.results[0].type, op)}"
    if op.name in ("arith.cmpi", "arith.cmpf"):
        return key_of(op.operands[0].type, op)
    if op.name == "ptr_xdsl.store":
        return key_of(op.operands[1].type, op)
    if op.results:
        return key_of(op.results[0].type, op)
    return key_of(op.operands[0].type, op) if op.operands else ""


def is_pure(op: Operation) -> bool:
    """Whether an operation only computes its results, of its operands alone."""
    return isinstance(op, ptr.PtrAddOp | ptr.FromPtrOp) or is_side_effect_free(op)


class Matcher:
    """What rules may ask about the function that is selected."""

    def __init__(self, target: Target, rules: RuleSet) -> None:
        self.target = target
        self.rules = rules
        self._orders: dict[Block, _Order] = {}

    def match(self, op: Operation) -> Match | None:
        """The first rule of an operation that fits."""
        key = subject_of(op)
        for each in self.rules.by_operation.get(op.name, ()):
            if each.key in ("*", key) and (found := each.match(self, op)) is not None:
                return found
        return None

    def pointer_for(self, row: Row, value: SSAValue) -> Pointer:
        """The largest address that a row can hold; the pointer in a register is one."""
        for pointer in (pointer_of(value), pointer_of(value, indexed=False)):
            if self.fits(row, pointer):
                return pointer
        return Pointer(value)

    def fits(self, row: Row, pointer: Pointer) -> bool:
        """Whether a row can hold an address, and so that the frame's other parts are never named.

        A constant place outside of its part of the frame is reached by a register: an access that
        is never done may name one.
        """
        memory = row.memory
        if pointer.alloca is not None and not registers_of(pointer):
            width = memory.kind.bytes if memory and isinstance(memory.kind, Memory) else 0
            if memory is not None and memory.partial:
                width = 1
            if not is_inside(pointer, width):
                return False
        return self.target.holds(row, shape_of(pointer))

    def folded_load(self, value: SSAValue, user: Operation) -> Pointer | None:
        """The pointer of a load that its only user can do itself, else None."""
        load = defining(value)
        if not isinstance(load, ptr.LoadOp) or load.parent is not user.parent:
            return None
        if len(list(value.uses)) != 1:
            return None
        block = load.parent
        assert block is not None
        if block not in self._orders:
            self._orders[block] = _Order(block)
        if self._orders[block].effect_between(load, user):
            return None
        return pointer_of(load.addr)


class _Order:
    """The operations of a block by their number, and those that may change what a load reads."""

    def __init__(self, block: Block) -> None:
        self._numbers = {op: number for number, op in enumerate(block.ops)}
        self._effects = [
            number
            for op, number in self._numbers.items()
            if not is_pure(op) and not isinstance(op, ptr.LoadOp)
        ]

    def effect_between(self, first: Operation, last: Operation) -> bool:
        """Whether one of them stands behind the first operation and before the last."""
        at = bisect_right(self._effects, self._numbers[first])
        return at < len(self._effects) and self._effects[at] < self._numbers[last]


def is_inside(pointer: Pointer, width: int) -> bool:
    """Whether so many bytes lie inside the part of the frame that a constant address is in."""
    assert pointer.alloca is not None
    return 0 <= pointer.offset <= slice_of(pointer.alloca).bytes - width


def shape_of(pointer: Pointer) -> Address:
    """The shape of an address; which slot of the frame it names isn't known yet."""
    area = "slot" if pointer.alloca is not None else "symbol" if pointer.symbol else ""
    return Address(
        pointer.base is not None,
        pointer.index is not None,
        pointer.scale,
        pointer.offset,
        area,
        0,
        pointer.symbol,
    )


def operand_of(pointer: Pointer, builder: Builder) -> Operand:
    """An address operand, whose registers have been asked for."""
    address = shape_of(pointer)
    if pointer.alloca is not None:
        address = address._replace(number=builder.slot_of(pointer.alloca))
    values: list[Value] = [builder.value(value) for value in registers_of(pointer)]
    return address, values


def registers_of(pointer: Pointer) -> list[SSAValue]:
    """The values that an address needs in registers."""
    return [value for value in (pointer.base, pointer.index) if value is not None]


class _Part(NamedTuple):
    slot: str
    kind: str


def rule(op: str, key: str, row: str, pattern: str) -> Rule:
    """A rule in one line; see the module. Several keys may stand in `key`, divided by spaces."""
    parts = [_Part(*part.partition(":")[::2]) for part in pattern.split()]

    def match(matcher: Matcher, found: Operation) -> Match | None:
        made = matcher.target.rows.get(row)
        return None if made is None else _Pattern(matcher, found, made, parts).match()

    return Rule(op, key, match)


class _Pattern:
    """One operation against one rule."""

    def __init__(self, matcher: Matcher, op: Operation, row: Row, parts: Sequence[_Part]) -> None:
        self._matcher, self._op, self._row, self._parts = matcher, op, row, parts
        self._values: dict[str, SSAValue] = {}
        self._pointers: dict[str, Pointer] = {}
        self._extras: dict[str, Extra] = {}

    def match(self) -> Match | None:
        """The match, or None if an operand doesn't fit its slot."""
        operands = self._op.operands
        if len(operands) != len(self._parts):
            raise ValueError(f"{self._row.name}: {len(self._parts)} slots for {self._op.name}")
        for part, operand in zip(self._parts, operands, strict=True):
            if not self._take(part, operand):
                return None
        needs = [*self._values.values()]
        for pointer in self._pointers.values():
            needs += registers_of(pointer)
        return Match(needs, self._emit)

    def _take(self, part: _Part, operand: SSAValue) -> bool:
        if part.slot == "_":
            return True
        kind = self._row.slot(part.slot).kind
        match part.kind:
            case "":
                self._values[part.slot] = operand
                return True
            case "imm":
                value = immediate_of(operand)
                if value is None or not isinstance(kind, Immediate):
                    return False
                self._extras[part.slot] = value
                return kind.holds(value)
            case "address":
                self._pointers[part.slot] = self._matcher.pointer_for(self._row, operand)
                return True
            case "load":
                pointer = self._matcher.folded_load(operand, self._op)
                if pointer is None or not isinstance(kind, Memory):
                    return False
                self._pointers[part.slot] = pointer
                held = self._matcher.fits(self._row, pointer)
                return held and bytes_of(key_of(operand.type)) == kind.bytes
        raise ValueError(f"no kind of operand {part.kind}")

    def _emit(self, builder: Builder) -> None:
        operands: list[Operand] = []
        extras: list[Extra] = []
        for slot in self._row.slots:
            if slot.name in self._values:
                operands.append(builder.value(self._values[slot.name]))
            elif slot.name in self._pointers:
                operands.append(operand_of(self._pointers[slot.name], builder))
            elif slot.name in self._extras:
                extras.append(self._extras[slot.name])
        results = builder.emit_row(self._row, *operands, extras=extras)
        for result, register in zip(self._op.results, results, strict=True):
            builder.bind(result, register)
