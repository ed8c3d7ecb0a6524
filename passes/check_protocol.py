"""Refuses a protocol that can't be projected to each of its roles without asking others.

It asks who has to hear of each choice, and of each repeat that may end early: those that do
something else in another arm, those that act in the body, and nobody else. A selector that is a
constant must be that of an arm. It asks whether the bounds of the repeats fit the numbers of frames
and versions, whether every map gives each word to one role, whether what is exchanged is what a
member has, and whether sums are made of whole contributions in the order that the learner declares.
On every path no value is used behind an advance of its version, what is observed is told, and the
words of every state are published at one version. All roles take part in a checkpoint, and no
version is stored twice. That each role acts where it may and with what it has is verified before.

The roles aren't listed: members of the same groups are alike. The message names the first role that
isn't told, what it would have to know about, and a route that tells it.

Preserves: everything; the module is read and not changed.
Refuses: protocol-choice-uninformed, protocol-choice-excess, protocol-choice-noncanonical,
    protocol-repeat-version-overflow, protocol-publish-missing, protocol-publish-version,
    shard-version-mixed, data-parallel-replica-version, data-parallel-replica-released,
    region-identity, protocol-observation-unheard, protocol-payload-extent, shard-combine-order,
    shard-contribution-missing, shard-not-held, shard-replica-write, shard-sum-pending,
    region-contract-groups, source-structure for an operation outside of every protocol,
    select-budget, and what maps refuse.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.protocol.checking import check_protocol
from alpha.ir.protocol.strays import check_strays
from alpha.ir.protocol.view import Protocol


@dataclass(frozen=True)
class CheckProtocolPass(ModulePass):
    """Checks knowledge of choice, canonical selectors and the numbers that frames carry."""

    name = "check-protocol"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check every global protocol of the module."""
        check_strays(op)
        for part in op.walk():
            if isinstance(part, GlobalOp):
                check_protocol(Protocol.of(part))
