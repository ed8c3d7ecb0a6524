"""What operations on memory have to hold beyond xDSL's own rules: globals, and who names them.

Invariant: after it, a global has known extents, and its initial value has its shape and elements;
    a `memref.get_global` names a `memref.global` of its symbol table and gives its type; an alloca
    has as many symbols as its layout.
Why: xDSL leaves it open what is behind a name, but every later level takes the type at its word.
Refuses: source-structure.
Entry: `MemoryRules`.
"""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseIntOrFPElementsAttr,
    MemRefType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Operation
from xdsl.traits import SymbolOpInterface, SymbolTable

from alpha.ir.refusals import Note, Refusal, name_of, place_of

VISIBILITIES = ("public", "private", "nested")


class MemoryRules:
    """Checks operations of a module, each symbol table of which is read once."""

    def __init__(self) -> None:
        self._tables: dict[Operation, dict[str, Operation]] = {}

    def check(self, op: Operation) -> None:
        """Refuse an operation that doesn't hold; its own rules have been checked."""
        match op:
            case memref.GlobalOp():
                _check_global(op)
            case memref.GetGlobalOp():
                self._check_reference(op)
            case memref.AllocaOp() | memref.AllocOp():
                _check_symbols_of_layout(op)
            case _:
                pass

    def _check_reference(self, op: memref.GetGlobalOp) -> None:
        name = op.name_
        if name.nested_references.data:
            behind = SymbolRefAttr(name.nested_references.data[0]).string_value()
            found = f'one with "{behind}" behind it'
            raise Refusal("source-structure", "a symbol alone", found, op)
        symbol = name.root_reference.data
        found = self._table_of(op).get(symbol)
        if not isinstance(found, memref.GlobalOp):
            other = "which nothing defines"
            notes: tuple[Note, ...] = ()
            if found is not None:
                other = f"which is a '{name_of(found)}'"
                notes = (Note("it is defined here", place_of(found)),)
            expected = f"the name of a memref.global in '{name_of(op)}'"
            raise Refusal("source-structure", expected, f"'@{symbol}', {other}", op, notes)
        if found.type != op.memref.type:
            notes = (Note("it is defined here", place_of(found)),)
            expected = f"{found.type}, the type of '@{symbol}'"
            raise Refusal("source-structure", expected, str(op.memref.type), op, notes)

    def _table_of(self, op: Operation) -> dict[str, Operation]:
        """The symbols of the nearest table around an operation."""
        around = op.parent_op()
        while around is not None and not around.has_trait(SymbolTable):
            around = around.parent_op()
        if around is None:
            return {}
        if around not in self._tables:
            self._tables[around] = _symbols_in(around)
        return self._tables[around]


def _symbols_in(table: Operation) -> dict[str, Operation]:
    found: dict[str, Operation] = {}
    for region in table.regions:
        for inner in (each for block in region.blocks for each in block.ops):
            symbol = inner.get_trait(SymbolOpInterface)
            name = None if symbol is None else symbol.get_sym_attr_name(inner)
            if name is not None:
                found.setdefault(name.data, inner)
    return found


def _check_global(op: memref.GlobalOp) -> None:
    type = op.type
    assert isinstance(type, MemRefType)
    if DYNAMIC_INDEX in type.get_shape():
        raise Refusal("source-structure", "a global of known extents", str(type), op)
    assert isinstance(op.sym_visibility, StringAttr)
    if op.sym_visibility.data not in VISIBILITIES:
        expected = f"one of {', '.join(VISIBILITIES)} as the visibility of a global"
        raise Refusal("source-structure", expected, repr(op.sym_visibility.data), op)
    if isinstance(op.initial_value, DenseIntOrFPElementsAttr):
        wanted = TensorType(type.element_type, type.shape)
        if op.initial_value.type != wanted:
            expected, found = f"an initial value of type {wanted}", str(op.initial_value.type)
            raise Refusal("source-structure", expected, found, op)


def _check_symbols_of_layout(op: memref.AllocaOp | memref.AllocOp) -> None:
    type = op.memref.type
    layout = type.layout if isinstance(type, MemRefType) else None
    wanted = layout.data.num_symbols if isinstance(layout, AffineMapAttr) else 0
    found = len(op.symbol_operands)
    if found != wanted:
        expected = f"{wanted} symbols for the layout of {type}"
        raise Refusal("source-structure", expected, str(found), op)
