"""The functions that a role calls: those of the programs of its learner, and of its own maps.

Invariant: a function is written when it is first called, so a role has those that it needs. Its
    name begins so that it is none of the runtime's, whatever a program is called.
Entry: `Programs`.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import FunctionType, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from alpha.ir.dialects.pointwise_domain import DomainOp
from alpha.ir.dialects.pointwise_programs import ContributionOp, ProgramOp, UpdateOp
from alpha.ir.dialects.pointwise_terminators import ReturnOp
from alpha.ir.sharding.distribution import Distribution
from alpha.passes.loops.functions import function_of
from alpha.passes.loops.samples import Room

PREFIX = "program."


class Programs:
    """The programs of a learner, and their functions by name."""

    def __init__(self, distribution: Distribution | None, room: Room) -> None:
        self._room = room
        self._learner = None if distribution is None else distribution.learner.name
        self._programs: dict[str, ProgramOp] = {}
        if distribution is not None:
            self._programs |= distribution.contributions
            self._programs |= distribution.updates
        self._functions: dict[str, FuncOp] = {}
        self._written: list[Operation] = []
        self._domains: dict[DomainOp, UpdateOp] = {}

    def has(self, name: str) -> bool:
        """Whether a function of this name was written."""
        return name.startswith(PREFIX) and name[len(PREFIX) :] in self._functions

    def contribution(self, name: str) -> tuple[ContributionOp, FuncOp]:
        """A contribution and its function."""
        program = self._programs[name]
        assert isinstance(program, ContributionOp)
        return program, self._function(name)

    def update(self, name: str) -> tuple[UpdateOp, FuncOp]:
        """An update and its function."""
        program = self._programs[name]
        assert isinstance(program, UpdateOp)
        return program, self._function(name)

    def domain(self, op: DomainOp) -> tuple[UpdateOp, FuncOp]:
        """A map or a fold of local work, as an update of its own."""
        program = self._domains.get(op)
        if program is None:
            name = f"local.{len(self._domains)}"
            block = Block(arg_types=list(op.operand_types))
            copy = op.clone(dict(zip(op.operands, block.args, strict=True)))
            block.add_ops([copy, ReturnOp(*copy.results)])
            type = FunctionType.from_lists(list(op.operand_types), list(op.result_types))
            program = self._domains[op] = UpdateOp(name, type, block)
            self._programs[name] = program
        name = program.sym_name.data
        return program, self._function(name)

    def _function(self, name: str) -> FuncOp:
        found = self._functions.get(name)
        if found is None:
            made = function_of(self._programs[name], self._learner, self._room)
            found = made[-1]
            assert isinstance(found, FuncOp)
            found.properties["sym_visibility"] = StringAttr("private")
            found.properties["sym_name"] = StringAttr(f"{PREFIX}{name}")
            self._written += made
            self._functions[name] = found
        return found

    def written(self) -> Iterator[Operation]:
        """The functions and their buffers, in the order of their first calls."""
        return iter(self._written)
