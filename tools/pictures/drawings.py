"""What a picture is drawn of: the roles of one protocol, and the program of each that is asked for.

Invariant: a program is what `--project-role` gives, or what stands in the module if it is projected
    already; nobody else's is made. A module above the protocol level is lowered first; a protocol
    that is there is checked by whoever draws it.
Refuses: region-learner-count, protocol-learner-count, protocol-role-unbound, target-unsupported,
    and what `--lower-shard-to-protocol` and `--project-role` refuse.
Entry: `Drawing.of`, `ToProtocol`, `trees_of`, `LANES_MAX`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from alpha.ir.attributes.protocol_values import holders
from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_checkpoint import CheckpointOp
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_downwards import ReplicateOp, ScatterOp
from alpha.ir.dialects.protocol_exchange import AgreeOp, topology_of
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.dialects.protocol_upwards import GatherOp, ReduceOp
from alpha.ir.dialects.region import LearnerOp
from alpha.ir.protocol.groups import Group
from alpha.ir.protocol.routes import Along
from alpha.ir.protocol.view import Protocol, distribution_beside
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.selections import Selection
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.topologies import PreorderTree, Topology
from alpha.passes.lower_shard_to_protocol import LowerShardToProtocolPass
from alpha.passes.protocol.projection import project
from alpha.tools.pictures.programs import Program, read_program

LANES_MAX = 64
"""Most roles of which each is drawn by itself."""

CHILDREN_MAX = 4096
"""Most children of a role whose program is drawn: nobody reads a picture of more."""


@dataclass(frozen=True)
class ToProtocol(ModulePass):
    """Lowers a module to the protocol level, unless it is there or further down."""

    name = "lower-shard-to-protocol"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Lower the learner of a module."""
        parts = list(op.body.block.ops)
        if any(isinstance(part, GlobalOp | RoleOp) for part in parts):
            return
        if not any(isinstance(part, LearnerOp) for part in parts):
            wanted = "a region.learner, or a protocol"
            raise Refusal("region-learner-count", wanted, "neither", op)
        LowerShardToProtocolPass().apply(ctx, op)


@dataclass(frozen=True)
class Drawing:
    """The roles of one protocol; of a projected one, those whose programs are there."""

    title: str
    group: Group
    topology: str
    """How the roles exchange: every topology that is used, in the order of the text."""

    distribution: Distribution | None
    protocol: Protocol | None
    """The global protocol, or None if it is projected already."""

    _ops: dict[int, RoleOp]
    _programs: dict[int, Program] = field(default_factory=dict[int, Program])

    @classmethod
    def of(cls, module: ModuleOp) -> Drawing:
        """The drawing of the only protocol of a module, global or projected.

        Raises:
            Refusal: `protocol-learner-count` if there are several protocols, or several programs of
                one role.
        """
        parts = [part for part in module.body.block.ops if isinstance(part, GlobalOp | RoleOp)]
        first, ops = parts[0], dict[int, RoleOp]()
        for part in parts:
            if part is not first and _protocol_of(part) != _protocol_of(first):
                raise _second("one protocol", first, part)
            if isinstance(part, RoleOp):
                if part.role.data in ops:
                    raise _second("one program of each role", ops[part.role.data], part)
                ops[part.role.data] = part
        protocol = Protocol.of(first) if isinstance(first, GlobalOp) else None
        distribution = protocol.distribution if protocol else distribution_beside(first)
        topology = str(distribution.topology) if distribution else _topologies(protocol)
        return cls(first.title.data, first.group.data, topology, distribution, protocol, ops)

    def roles(self) -> Selection | tuple[int, ...]:
        """The roles whose programs there are, ascending."""
        return self.group.members if self.protocol else tuple(sorted(self._ops))

    def has(self, role: int) -> bool:
        """Whether there is a program of this role."""
        return role in self.group.members if self.protocol else role in self._ops

    def program(self, role: int) -> Program:
        """The program of a role.

        Raises:
            Refusal: `protocol-role-range` or `protocol-group-scope` for a role that isn't of the
                group, `protocol-role-unbound` for one without a program, `target-unsupported` for
                one with more children than a picture shows.
        """
        if role not in self._programs:
            self.group.rank(role)
            self._programs[role] = read_program(self._role(role))
        return self._programs[role]

    def _role(self, role: int) -> RoleOp:
        if self.protocol is None:
            if role not in self._ops:
                wanted = f"a protocol.role of role {role}"
                found = f"those of {', '.join(map(str, self.roles()))}"
                raise Refusal("protocol-role-unbound", wanted, found)
            return self._ops[role]
        for members, tree in trees_of(self.protocol):
            children = len(tree.children(members.rank(role))) if role in members else 0
            if children > CHILDREN_MAX:
                wanted = f"a picture of roles with at most {CHILDREN_MAX} children"
                found = f"role {role} with {children}"
                raise Refusal("target-unsupported", wanted, found, self.protocol.op)
        return project(self.protocol, role)


def _protocol_of(op: GlobalOp | RoleOp) -> object:
    """What all programs of a protocol have in common; a global one is by itself."""
    return (op.title, op.protocol) if isinstance(op, RoleOp) else op


def _second(wanted: str, first: Operation, second: Operation) -> Refusal:
    note = Note("the first is here", place_of(first))
    return Refusal("protocol-learner-count", wanted, "a second one", second, (note,))


def _topologies(protocol: Protocol | None) -> str:
    """The ways of the exchanges of a protocol without a learner."""
    if protocol is None:
        return ""
    ways = (getattr(op, "way", None) for op in protocol.sites)
    return ", ".join(dict.fromkeys(way.data for way in ways if way is not None))


def trees_of(protocol: Protocol) -> Iterator[tuple[Selection, PreorderTree]]:
    """The members of each operation that goes along a tree, and the tree of their ranks."""
    for op in protocol.sites:
        members, topology = _way(op)
        if members is not None and topology is not None:
            yield members, topology.tree(members.size)


def _way(op: Operation) -> tuple[Selection | None, Topology | None]:
    match op:
        case ReplicateOp() | ScatterOp() | CheckpointOp():
            return op.members.data, topology_of(op.way)
        case ReduceOp() | GatherOp() | AgreeOp():
            return holders(op.operands[0]), topology_of(op.way)
        case ChoiceOp() | UntilOp():
            routes = None if op.routes is None else op.routes.data
            return (routes.members, routes.topology) if isinstance(routes, Along) else (None, None)
        case _:
            return None, None
