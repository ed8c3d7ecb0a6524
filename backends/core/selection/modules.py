"""Selects a whole module: its functions become functions of a machine dialect, its globals data.

Refuses: target-unsupported.
Entry: `select_module`, `select_for`.
"""

from __future__ import annotations

import builtins

from xdsl.dialects import func, memref
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, MemRefType, ModuleOp, StringAttr, i1
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from alpha.backends.core.dialect.functions import DataOpBase
from alpha.backends.core.dialect.machine_dialect import MachineDialect
from alpha.backends.core.dialect.writing import write_function
from alpha.backends.core.frames import FRAME_BYTES_MAX
from alpha.backends.core.program import Function
from alpha.backends.core.selection.builder import bytes_in_memory
from alpha.backends.core.selection.engine import select_function
from alpha.backends.core.selection.matching import RuleSet
from alpha.backends.core.target import Target
from alpha.backends.core.targets import all_features, features_of, instruction_set
from alpha.ir.refusals import Refusal

DATA_ALIGNMENT = 64
"""Where a global doesn't say its alignment: that of a cache line."""

DATA_ALIGNMENT_MAX = 1 << 12
"""That of a page: no file asks for more of where it is loaded."""

DATA_BYTES_MAX = 1 << 30
"""Instructions reach names, and what lies behind them, within 2 GiB."""


def select_for(module: ModuleOp, dialect: str, features: str) -> None:
    """Select a module for a dialect by its name, with features divided by commas.

    Raises:
        Refusal: `target-unsupported`, for a feature that there isn't, and as `select_module`.
    """
    asked, known = features_of(features), all_features(dialect)
    if unknown := sorted(asked - known):
        wanted = f"features of {dialect}: {', '.join(sorted(known))}"
        raise Refusal("target-unsupported", wanted, ", ".join(unknown), module)
    made = instruction_set(dialect, asked)
    select_module(module, made.target, made.dialect, made.rules, features)


def select_module(
    module: ModuleOp, target: Target, dialect: MachineDialect, rules: RuleSet, features: str
) -> None:
    """Replace every function that has a body, and every global; declarations go.

    Raises:
        Refusal: `target-unsupported`, at what the target can't do.
    """
    for op in list(module.body.block.ops):
        match op:
            case func.FuncOp() if op.is_declaration:
                Rewriter.erase_op(op)
            case func.FuncOp():
                selected = select_function(op, target, rules)
                _check_frame(selected, op)
                made = write_function(selected, dialect)
                if features:
                    made.attributes["features"] = StringAttr(features)
                _replace(op, made)
            case memref.GlobalOp():
                _replace(op, _data(op, dialect))
            case _ if isinstance(op, dialect.func | dialect.data):
                continue
            case _:
                wanted = "functions and globals in a module that is to be selected"
                raise Refusal("target-unsupported", wanted, op.name, op)


def _replace(op: Operation, made: Operation) -> None:
    made.location = op.location
    Rewriter.replace_op(op, made)


def _check_frame(function: Function, op: func.FuncOp) -> None:
    """See that what a function declares fits, while it is known where the function stands."""
    bytes = function.bytes_out + sum(slot.bytes for slot in function.slots)
    if bytes > FRAME_BYTES_MAX:
        wanted = f"at most {FRAME_BYTES_MAX} bytes in the frame of a function"
        raise Refusal("target-unsupported", wanted, f"{bytes} of @{function.name}", op)


def _data(op: memref.GlobalOp, dialect: MachineDialect) -> DataOpBase:
    type = op.type
    assert isinstance(type, MemRefType)
    alignment = DATA_ALIGNMENT if op.alignment is None else op.alignment.value.data
    if alignment > DATA_ALIGNMENT_MAX:
        wanted = f"a global that is aligned to at most {DATA_ALIGNMENT_MAX} bytes"
        raise Refusal("target-unsupported", wanted, f"alignment {alignment}", op)
    exported = op.sym_visibility.data != "private"
    value = op.initial_value
    bytes = bytes_in_memory(type, op)
    if bytes > DATA_BYTES_MAX:
        wanted = f"at most {DATA_BYTES_MAX} bytes of a global"
        raise Refusal("target-unsupported", wanted, f"{bytes} of {type}", op)
    # A name without words has a byte, so that it is a place of its own.
    content: builtins.bytes | int = max(bytes, 1)
    if isinstance(value, DenseIntOrFPElementsAttr) and bytes:
        content = _content(value, bytes)
    return dialect.data.of(op.sym_name.data, alignment, content, op.constant is None, exported)


def _content(value: DenseIntOrFPElementsAttr, bytes: int) -> builtins.bytes:
    """The words of a constant, little-endian; a word that stands for all is written out."""
    held = value.data.data
    if value.get_element_type() == i1:
        held = builtins.bytes(byte & 1 for byte in held)
    return held * (bytes // len(held))
