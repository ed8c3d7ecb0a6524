"""From the program of one role to its executable.

Invariant: an executable follows from the role's own program, its learner, the identity of the run,
    the digest of the role's data, the target, the addresses of the role and its peers, the tools
    and this project's own sources; nothing else about other roles is in it. What several roles have
    in common, the programs of the learner, is compiled once.
Refuses: what the passes refuse.
Entry: `RoleProgram`, `RoleMaker`, `Executable`, `Parts`.
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from alpha.tools.building.cache import key_of
from alpha.tools.building.objects import Objects, tools_working
from alpha.tools.building.runtime_modules import RuntimeModules, declared_functions
from alpha.tools.building.targets import BuildTarget
from alpha.tools.building.units import Unit, runtime_units

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.dialects.func import FuncOp

    from alpha.ir.dialects.protocol_role import RoleOp

ENTRIES = {"x86-64": "alpha.backends.x86.entry", "aarch64": "alpha.backends.aarch64.entry"}
"""The module with the entry of each machine."""

ARENA = "alpha_arena"
"""The function that gives a role its memory; its argument says how many bytes."""

_MEMORY = struct.Struct("<Q")


class Executable(NamedTuple):
    """An executable, and the bytes of memory that it takes for words."""

    data: bytes
    memory_bytes: int


@dataclass(frozen=True)
class RoleProgram:
    """One role's program, what it refers to, and what else decides its code."""

    op: RoleOp
    others: ModuleOp
    """What the program refers to; the programs of other roles aren't in it."""
    text: str
    """The text of both."""
    identity: str
    """64 hexadecimal digits."""
    data: str
    """The digest of the file of the role's data, 64 hexadecimal digits; empty if it has none."""
    target: BuildTarget
    addresses: tuple[str, ...] = ()
    """Of each role of the group, of which the role's own and its peers' count; none if all are on
    the loopback address."""
    parts: tuple[str, ...] = ()
    """The digests of the learner's parts, where the role writes a part of generations."""

    @property
    def role(self) -> int:
        """The role's number."""
        return self.op.role.data


class Parts(NamedTuple):
    """What a role's executable is made of beside the runtime: first what is the role's alone.

    And the memory that it asks for, and the functions of the runtime that it calls.
    """

    units: Sequence[Unit]
    memory_bytes: int
    calls: Collection[str]


class RoleMaker:
    """Makes executables of roles."""

    def __init__(self, objects: Objects, texts: Mapping[str, str]) -> None:
        """`texts` are the modules of the runtime, by name."""
        self.objects = objects
        self._runtime = RuntimeModules(texts)

    def made(self, program: RoleProgram) -> Executable | None:
        """The executable of a role, if it was made before."""
        found = self.objects.cache.get(self._key(program))
        if found is None:
            return None
        return Executable(found[_MEMORY.size :], _MEMORY.unpack_from(found)[0])

    def parts(self, program: RoleProgram) -> Parts:
        """The modules of code of a role.

        Raises:
            Refusal: what the pass refuses.
        """
        from alpha.ir.frontend.printer import print_module

        lowered = _lowered(program)
        memory, calls = memory_of(lowered), declared_functions(lowered)
        programs = take_programs(lowered)
        entry = _entry_module(program.target).entry(program.role)
        # What the processor has is checked by the role's own code, so that needs none of it.
        plain = BuildTarget(program.target.machine)
        target = program.target if has_programs(lowered) else plain
        units = [Unit("role", print_module(lowered), target, entry, lowered)]
        units += [
            Unit("program", print_module(each), program.target, "", each) for each in programs
        ]
        return Parts(units, memory, calls)

    def link(self, program: RoleProgram, parts: Parts) -> Executable:
        """The executable of a role, of its objects and those of the runtime that it needs.

        It is kept.

        Raises:
            Refusal: what the passes refuse.
            TextRejected, ToolFailure: as `assemble` and `link_executable`.
            InputOutputError: there is no room for temporary files.
        """
        from alpha.backends.toolchain.assembling import link_executable

        machine = program.target.machine
        units = [*parts.units, *runtime_units(self._runtime.needed(parts.calls), machine)]
        objects = [self.objects.make(unit) for unit in units]
        with tools_working():
            data = link_executable(objects, self.objects.toolchains[machine], symbols=False)
        self.objects.cache.put(self._key(program), _MEMORY.pack(parts.memory_bytes) + data)
        self.objects.release(parts.units[0])
        return Executable(data, parts.memory_bytes)

    def _key(self, program: RoleProgram) -> str:
        tools = self.objects.tools(program.target.machine)
        given = (program.text, program.role, program.identity, program.data, str(program.target))
        return key_of(
            "executable", self.objects.sources, *tools, *given, program.addresses, program.parts
        )


def _lowered(program: RoleProgram) -> ModuleOp:
    """The code of a role."""
    from alpha.backends.core.emission import loop_room
    from alpha.ir.frontend.registry import make_context
    from alpha.passes.lower_protocol_to_linux import LowerProtocolToLinuxPass

    module = program.others.clone()
    module.body.block.add_op(program.op.clone())
    room = loop_room(program.target.dialect, program.target.feature_text)
    bits = _entry_module(program.target).FEATURES
    needs = sum(1 << bits[feature] for feature in program.target.features)
    LowerProtocolToLinuxPass(
        role=program.role,
        identity=program.identity,
        data=program.data,
        needs=needs,
        addresses=program.addresses,
        parts=program.parts,
        registers=room["registers"],
        bits=room["bits"],
    ).apply(make_context(), module)
    return module


def _entry_module(target: BuildTarget) -> Any:
    """The module of a machine that has `entry` and the bits of its `FEATURES`."""
    return import_module(ENTRIES[target.machine])


def memory_of(module: ModuleOp) -> int:
    """How many bytes the code of a role asks for, which is a number in it."""
    from xdsl.dialects.arith import ConstantOp
    from xdsl.dialects.builtin import IntegerAttr
    from xdsl.dialects.func import CallOp

    for op in module.walk():
        if isinstance(op, CallOp) and op.callee.string_value() == ARENA:
            given = op.arguments[0].owner
            assert isinstance(given, ConstantOp) and isinstance(given.value, IntegerAttr)
            return given.value.value.data
    return 0


def take_programs(module: ModuleOp) -> list[ModuleOp]:
    """Take the functions out of a role's code that need no other function: those of the programs.

    Each becomes a module of its own, with the globals that nothing else uses. It is exported there,
    and the role's code declares it.
    """
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.dialects.func import FuncOp
    from xdsl.dialects.memref import GlobalOp

    from alpha.passes.linux.programs import PREFIX

    functions = [op for op in module.body.block.ops if isinstance(op, FuncOp) and op.body.blocks]
    used = {op: _named(op) for op in functions}
    globals = {op.sym_name.data: op for op in module.body.block.ops if isinstance(op, GlobalOp)}
    made: list[ModuleOp] = []
    for op in functions:
        name, types = op.sym_name.data, op.function_type
        others = set().union(*(used[other] for other in functions if other is not op))
        if not name.startswith(PREFIX) or not used[op] <= globals.keys() - others:
            continue
        declared = FuncOp.external(name, types.inputs.data, types.outputs.data)
        module.body.block.insert_op_before(declared, op)
        op.detach()
        op.properties.pop("sym_visibility", None)
        own = [globals[each] for each in globals if each in used[op]]
        for each in own:
            each.detach()
        made.append(ModuleOp([*own, op]))
    return made


def has_programs(module: ModuleOp) -> bool:
    """Whether functions of programs stand in a role's code."""
    from xdsl.dialects.func import FuncOp

    from alpha.passes.linux.programs import PREFIX

    functions = (op for op in module.body.block.ops if isinstance(op, FuncOp) and op.body.blocks)
    return any(op.sym_name.data.startswith(PREFIX) for op in functions)


def _named(op: FuncOp) -> set[str]:
    """The functions and globals that a function names."""
    from xdsl.dialects.func import CallOp
    from xdsl.dialects.memref import GetGlobalOp

    calls = {part.callee.string_value() for part in op.walk() if isinstance(part, CallOp)}
    return calls | {
        part.name_.string_value() for part in op.walk() if isinstance(part, GetGlobalOp)
    }
