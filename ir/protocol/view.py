"""A typed view of a `protocol.global`: its group, its learner's distribution, its sites.

Invariant: a site is the number of an operation among those that communicate or repeat, in the
    order of the text; so all roles number alike. A view is made of a verified protocol and copies
    nothing.
Refuses: protocol-learner-count.
Entry: `Protocol.of`, `find_protocol`, `takes_part`, `COMMUNICATING`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from alpha.ir.attributes.protocol_values import holders
from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_checkpoint import CheckpointOp
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_downwards import ReplicateOp, ScatterOp
from alpha.ir.dialects.protocol_exchange import AgreeOp, ExchangeOp, TransferOp
from alpha.ir.dialects.protocol_role import RoleOp
from alpha.ir.dialects.protocol_upwards import GatherOp, ReduceOp
from alpha.ir.dialects.protocol_work import LocalOp, PublishOp
from alpha.ir.dialects.shard import ShardLearnerOp
from alpha.ir.protocol.groups import Group
from alpha.ir.protocol.routes import selection_of
from alpha.ir.protocol.strays import check_strays
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.selections import Selection
from alpha.ir.sharding.distribution import Distribution

COMMUNICATING = (
    TransferOp,
    ReduceOp,
    ReplicateOp,
    ScatterOp,
    GatherOp,
    ExchangeOp,
    AgreeOp,
    CheckpointOp,
    ChoiceOp,
    UntilOp,
)
"""Operations in which frames are sent; the last two only where they have routes."""


@dataclass(frozen=True)
class Protocol:
    """A global protocol, and the distribution of its learner if it has one."""

    op: GlobalOp
    distribution: Distribution | None

    @classmethod
    def of(cls, op: GlobalOp) -> Protocol:
        """The view of a verified protocol."""
        return cls(op, distribution_beside(op))

    @property
    def group(self) -> Group:
        """The roles that act."""
        return self.op.group.data

    @property
    def owners(self) -> int:
        """The number of owners that maps share words among: the whole universe."""
        return self.group.universe

    @cached_property
    def sites(self) -> dict[Operation, int]:
        """The number of each operation that communicates, and of each repeat and choice."""
        sited = (*COMMUNICATING, RepeatOp)
        ops = (part for part in self.op.walk() if isinstance(part, sited))
        return {op: number for number, op in enumerate(ops)}

    def domain(self, samples: str) -> int:
        """How many samples of this name there are."""
        assert self.distribution is not None
        return self.distribution.domain(samples)


def takes_part(op: Operation) -> Selection:
    """The roles that act in an operation itself, apart from what stands inside."""
    match op:
        case LocalOp() | PublishOp() | ScopeOp():
            return op.roles.data
        case TransferOp():
            return selection_of((op.sender.data, op.receiver.data))
        case ReplicateOp() | ScatterOp() | CheckpointOp():
            return op.members.data
        case ReduceOp() | GatherOp() | ExchangeOp():
            return holders(op.value)
        case AgreeOp():
            return holders(op.values[0])
        case _:
            raise AssertionError(f"{op.name} has no roles of its own")


def distribution_beside(op: GlobalOp | RoleOp) -> Distribution | None:
    """The distribution of the learner that a protocol names, or None if it names none.

    Raises:
        Refusal: `region-symbol-unknown` if there is no `shard.learner` of that name beside it.
    """
    if op.learner is None:
        return None
    module, name = op.parent_op(), op.learner.string_value()
    if isinstance(module, ModuleOp):
        for part in module.body.block.ops:
            if isinstance(part, ShardLearnerOp) and part.learner.string_value() == name:
                return Distribution.of(part)
    wanted = "a shard.learner of the same name in the module"
    raise Refusal("region-symbol-unknown", wanted, f"none of @{name}", op)


def find_protocol(module: ModuleOp) -> Protocol | None:
    """The only global protocol of a module, or None if there is none.

    Raises:
        Refusal: `protocol-learner-count` if there are several; `source-structure` for a step
            outside of all protocols.
    """
    check_strays(module)
    found = [part for part in module.body.block.ops if isinstance(part, GlobalOp)]
    if len(found) > 1:
        note = Note("the first is here", place_of(found[0]))
        wanted = "at most one protocol.global"
        raise Refusal("protocol-learner-count", wanted, str(len(found)), found[1], (note,))
    return Protocol.of(found[0]) if found else None
