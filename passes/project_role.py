"""Gives a role its own program: its sends, receives and local work, and nothing else.

Before:
    %b = protocol.transfer %a from 0 to 1
    protocol.local at role 2 (...) { ... }
After `--project-role="role=1"`:
    %b = protocol.perform transfer site 0 {
      protocol.receive from 0 words 1 : f64
    } : !protocol.at<f64, role 1>

`role=1,3` projects several roles, and without roles all are projected. The program of a role costs
what its place in the topology costs, and a repeat is projected once, however often it runs. The
protocol is checked first, and the programs replace it; the learner and its distribution stay.
Behind it the programs are read again, with those of roles of every other class, and checked as by
`--check-schedules`.

Preserves: what every role does, and in which order.
Refuses: protocol-role-range, protocol-group-scope, protocol-role-duplicate, select-budget, and what
    `--check-protocol` and `--check-schedules` refuse.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.protocol.checking import check_protocol
from alpha.ir.protocol.strays import check_strays
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import Refusal
from alpha.passes.protocol.projection import project
from alpha.passes.protocol.representatives import around, representatives
from alpha.passes.protocol.schedules import check_programs

ROLES_MAX = 4096
"""Most roles that are projected where nobody says which."""


@dataclass(frozen=True)
class ProjectRolePass(ModulePass):
    """Projects every protocol of the module to the roles that are wanted, or to all of them."""

    name = "project-role"
    role: tuple[int, ...] | None = None

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Put the roles' programs in the place of each protocol."""
        check_strays(op)
        for part in list(op.body.block.ops):
            if isinstance(part, GlobalOp):
                protocol = Protocol.of(part)
                check_protocol(protocol)
                programs = self._programs(protocol)
                _check_new(programs, op)
                for program in programs:
                    op.body.block.insert_op_before(program, part)
                part.detach()
                part.erase()

    def _programs(self, protocol: Protocol) -> list[RoleOp]:
        """The programs that are wanted, which fit together with those of every class of roles."""
        members = protocol.group.members
        if self.role is None and members.size > ROLES_MAX:
            expected = f"the roles that are wanted, or a group of at most {ROLES_MAX}"
            raise Refusal("select-budget", expected, f"all {members.size}", protocol.op)
        wanted = list(members if self.role is None else self.role)
        seen = set(wanted)
        if self.role is not None:
            near = (each for role in wanted for each in around(protocol, role))
            seen.update(near, representatives(protocol))
        programs = {role: project(protocol, role) for role in sorted(seen)}
        check_programs(programs, partial=len(programs) < members.size)
        return [programs[role] for role in dict.fromkeys(wanted)]


def _check_new(programs: list[RoleOp], module: ModuleOp) -> None:
    """A role of a protocol has one program in a module, which may have stood there before."""
    made = {(program.title, program.role) for program in programs}
    for other in module.body.block.ops:
        if isinstance(other, RoleOp) and (other.title, other.role) in made:
            wanted = f"no program of role {other.role.data} of @{other.title.data} yet"
            raise Refusal("protocol-role-duplicate", wanted, "one", other)
