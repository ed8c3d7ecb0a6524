"""`alpha-translate --role=N`: one role's whole program as one text, with the runtime and its entry.

Invariant: the text stands alone: assembled and linked, it is the role's executable. It is made of
    the same code as that of `alpha build`, which takes it in parts.
Refuses: target-unsupported, protocol-role-range, and what the passes refuse.
Entry: `ToRole`, `role_text`.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from xdsl.passes import ModulePass

from alpha.ir.frontend.verifier import verify_module

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

ENTRIES = {"x64": "alpha.backends.x86.entry", "a64": "alpha.backends.aarch64.entry"}

FAST = {"x64": "sha", "a64": "sha2"}
"""The feature without which the fast block function can't be written; it is called where it is."""


@dataclass(frozen=True)
class ToRole(ModulePass):
    """Makes a module that has all that a role runs, but for its entry."""

    dialect: str
    features: str
    role: int

    name = "to-role"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Project, lower, and put the runtime beside the role."""
        from alpha.backends.core.emission import loop_room
        from alpha.backends.core.targets import features_of
        from alpha.ir.dialects.protocol_role import RoleOp
        from alpha.passes.lower_protocol_to_linux import LowerProtocolToLinuxPass
        from alpha.passes.project_role import ProjectRolePass
        from alpha.tools.pictures.drawings import ToProtocol

        ToProtocol().apply(ctx, op)
        if not any(isinstance(part, RoleOp) for part in op.body.block.ops):
            ProjectRolePass(role=(self.role,)).apply(ctx, op)
        verify_module(op)
        bits = import_module(ENTRIES[self.dialect]).FEATURES
        needs = sum(1 << bits[feature] for feature in features_of(self.features))
        room = loop_room(self.dialect, self.features)
        LowerProtocolToLinuxPass(
            role=self.role, needs=needs, registers=room["registers"], bits=room["bits"]
        ).apply(ctx, op)
        _add_runtime(ctx, op)
        verify_module(op)


def with_fast_digests(dialect: str, features: str) -> str:
    """The features with which a role's program is written."""
    return ",".join(sorted({*filter(None, features.split(",")), FAST[dialect]}))


def role_text(code: str, dialect: str, role: int) -> str:
    """The text of a role's program, with its entry behind the code."""
    return code + import_module(ENTRIES[dialect]).entry(role)


def _add_runtime(ctx: Context, module: ModuleOp) -> None:
    """Put the modules of the runtime that a role needs beside it.

    What one has for itself gets the module's name. A function that another module has needs no
    declaration any more.
    """
    from xdsl.dialects.func import FuncOp
    from xdsl.dialects.memref import GlobalOp

    from alpha.ir.frontend.located_parser import parse_text
    from alpha.tools.building.runtime_modules import RuntimeModules, declared_functions
    from alpha.tools.building.sources import runtime_texts

    needed = RuntimeModules(runtime_texts()).needed(declared_functions(module))
    for name, text in needed.items():
        part = parse_text(ctx, text, f"{name}.mlir")
        _rename(part, name)
        for op in list(part.body.block.ops):
            op.detach()
            module.body.block.add_op(op)
    seen: set[str] = set()
    ops = [op for op in module.body.block.ops if isinstance(op, FuncOp | GlobalOp)]
    defined = {op.sym_name.data for op in ops if _has_body(op)}
    for op in ops:
        symbol = op.sym_name.data
        if not _has_body(op) and (symbol in defined or symbol in seen):
            op.detach()
            op.erase()
        else:
            seen.add(symbol)


def _has_body(op: Operation) -> bool:
    from xdsl.dialects.func import FuncOp

    return not isinstance(op, FuncOp) or bool(op.body.blocks)


def _rename(module: ModuleOp, name: str) -> None:
    """Give private functions and globals of a module of the runtime names that no other has."""
    from xdsl.dialects.builtin import StringAttr, SymbolRefAttr
    from xdsl.dialects.func import CallOp, FuncOp
    from xdsl.dialects.memref import GetGlobalOp, GlobalOp

    own: dict[str, str] = {}
    for op in module.body.block.ops:
        if isinstance(op, FuncOp | GlobalOp) and _is_private(op) and _has_body(op):
            own[op.sym_name.data] = f"{name}.{op.sym_name.data}"
            op.properties["sym_name"] = StringAttr(own[op.sym_name.data])
    for op in module.walk():
        if isinstance(op, CallOp) and op.callee.string_value() in own:
            op.properties["callee"] = SymbolRefAttr(own[op.callee.string_value()])
        elif isinstance(op, GetGlobalOp) and op.name_.string_value() in own:
            op.properties["name"] = SymbolRefAttr(own[op.name_.string_value()])


def _is_private(op: Operation) -> bool:
    from xdsl.dialects.builtin import StringAttr

    held = op.properties.get("sym_visibility")
    return isinstance(held, StringAttr) and held.data == "private"
