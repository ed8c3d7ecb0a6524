"""Verdicts on copies: what a sum compared on its way has to be heard by all that sent a digest.

Invariant: behind every `protocol.reduce ... agreeing`, the verdict goes down with what is
    replicated or scattered, to every member of the sum, in the same block.
Why: a role that doesn't hear it would go on with words that others don't have.
Refuses: protocol-verdict-unheard.
Entry: `check_verdicts`.
"""

from __future__ import annotations

from xdsl.ir import Operation

from alpha.ir.attributes.protocol_values import holders
from alpha.ir.dialects.protocol_downwards import ReplicateOp, ScatterOp
from alpha.ir.dialects.protocol_upwards import ReduceOp
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.selections.relations import first_outside


def check_verdicts(protocol: Protocol) -> None:
    """Refuse a comparison whose verdict isn't heard by every role that takes part in it.

    Raises:
        Refusal: `protocol-verdict-unheard`; `select-budget`.
    """
    for op in protocol.sites:
        if isinstance(op, ReduceOp) and op.verdict is not None:
            _check(op)


def _check(op: ReduceOp) -> None:
    assert op.verdict is not None
    members = holders(op.value)
    heard: list[Operation] = []
    for use in op.verdict.uses:
        user = use.operation
        if not isinstance(user, ReplicateOp | ScatterOp) or user.verdict is not op.verdict:
            continue
        heard.append(user)
        if user.parent is op.parent and first_outside(members, user.members.data) is None:
            return
    notes = tuple(Note("some hear it here", place_of(user)) for user in heard)
    wanted = f"a verdict that goes down to all {members.size} members, 'with' what is replicated"
    found = "one that some don't hear" if heard else "one that nobody hears"
    raise Refusal("protocol-verdict-unheard", wanted, found, op, notes)
