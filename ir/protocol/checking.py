"""What a global protocol must hold to be projected, beyond what its operations demand one by one.

Invariant: after `check_protocol` every role takes the arm that the authority takes, before its
    first action that depends on it, no number of a frame or version begins again, and every map
    and contract fits what is exchanged. So each role's program is its part of one total order,
    with nothing to merge. No value outlives its version, and a learner's run ends in one version
    of all its words.
Refuses: protocol-choice-noncanonical, protocol-choice-uninformed, protocol-choice-excess,
    protocol-repeat-version-overflow, protocol-verdict-unheard, protocol-publish-missing,
    protocol-publish-version, shard-version-mixed, data-parallel-replica-version,
    data-parallel-replica-released, region-identity, protocol-observation-unheard,
    protocol-payload-extent, select-budget, and what maps, sums and local work refuse.
Entry: `check_protocol`.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block

from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.protocol.checks.advances import check_advances
from alpha.ir.protocol.checks.canonical_words import check_selector
from alpha.ir.protocol.checks.checkpoints import check_checkpoints
from alpha.ir.protocol.checks.concerns import Concerns
from alpha.ir.protocol.checks.contributions import check_contributions
from alpha.ir.protocol.checks.exchanges import check_exchanges
from alpha.ir.protocol.checks.knowledge import check_knowledge
from alpha.ir.protocol.checks.lifetimes import check_lifetimes
from alpha.ir.protocol.checks.maps import check_maps
from alpha.ir.protocol.checks.observations import check_observations
from alpha.ir.protocol.checks.publications import check_publications
from alpha.ir.protocol.checks.verdicts import check_verdicts
from alpha.ir.protocol.checks.versions import check_versions
from alpha.ir.protocol.checks.works_of_roles import check_works
from alpha.ir.protocol.view import Protocol


def check_protocol(protocol: Protocol) -> None:
    """Refuse a verified protocol that can't be projected to all of its roles.

    Raises:
        Refusal: the first one: of maps, exchanges, sums and local work, then of versions,
            publications, checkpoints and comparisons, then of the decisions from the inside out,
            in the order of the text, then of the repeats.
    """
    check_maps(protocol)
    check_exchanges(protocol)
    check_contributions(protocol)
    check_works(protocol)
    check_advances(protocol)
    check_lifetimes(protocol.op)
    check_observations(protocol.op)
    check_publications(protocol)
    check_checkpoints(protocol)
    check_verdicts(protocol)
    concerns = Concerns(protocol.op)
    for decision in decisions(protocol.op.body.block):
        check_selector(decision)
        check_knowledge(decision, concerns)
    check_versions(protocol, concerns)


def decisions(block: Block) -> Iterator[ChoiceOp | UntilOp]:
    """The choices and ends of repeats of a block, each behind those that it contains."""
    for op in block.ops:
        match op:
            case ChoiceOp():
                for arm in op.arms:
                    yield from decisions(arm.block)
                yield op
            case RepeatOp() | ScopeOp():
                yield from decisions(op.body.block)
            case UntilOp():
                yield op
            case _:
                pass
