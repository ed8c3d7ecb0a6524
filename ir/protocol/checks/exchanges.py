"""Exchanges among some of the owners: what a role is to own afterwards, a member has before.

Invariant: after it, every word that a role is to have behind an exchange is one that a role which
    takes part has; and a sum that goes directly to the owners of its words goes to a member.
Why: local work and scopes may keep a value at fewer roles than its map has owners. The words of the
    others are nobody's then, and no frame would bring them.
Refuses: protocol-payload-extent, shard-contribution-missing, select-budget, and what maps refuse.
Entry: `check_exchanges`.
"""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.ir import Operation

from alpha.ir.attributes.protocol_values import at_type, holders, roles_text
from alpha.ir.attributes.shard import OwnedType
from alpha.ir.dialects.protocol_exchange import ExchangeOp
from alpha.ir.dialects.protocol_upwards import ReduceOp
from alpha.ir.protocol.checks.concerns import parts
from alpha.ir.protocol.crossings import crossing
from alpha.ir.protocol.payloads import words_in
from alpha.ir.protocol.view import Protocol
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.selections import Selection
from alpha.ir.sharding.maps import ShardMap

WORDS_VISITED_MAX = 1 << 24
"""Most words of a value of which some have no member, that are looked at one by one."""


def check_exchanges(protocol: Protocol) -> None:
    """Refuse the first exchange in which a role is to get words that no member has.

    The maps fit what they place. Where the members have all words together nothing is listed.
    Gathers, and sums of what is contributed, are looked at where a protocol is verified.

    Raises:
        Refusal: those of the module, at the exchange.
    """
    known: set[Hashable] = set()
    for op in parts(protocol.op):
        if isinstance(op, ExchangeOp) and holders(op.value).size < protocol.owners:
            form = op.value.type, op.map
            if form not in known:
                _check(op, protocol.owners)
                known.add(form)
        elif isinstance(op, ReduceOp) and op.deliver is not None:
            _check_delivered(op, op.deliver.data, protocol.owners)


def _check(op: ExchangeOp, owners: int) -> None:
    payload, members = at_type(op.value).payload, holders(op.value)
    assert isinstance(payload, OwnedType)
    old, new, size = payload.map.data, op.map.data, words_in(payload)
    if sum(old.piece_size(role, owners, size) for role in members) == size:
        return
    for role in members:
        own = new.piece_size(role, owners, size)
        if own and size > WORDS_VISITED_MAX:
            wanted = f"at most {WORDS_VISITED_MAX} words to exchange among some of their owners"
            raise Refusal("select-budget", wanted, str(size), op)
        found = _given(old, members, (new, role), owners, size) if own else 0
        if found != own:
            wanted = f"members with all {own} words that role {role} is to own"
            raise Refusal("protocol-payload-extent", wanted, str(found), op, _notes(op))


def _check_delivered(op: ReduceOp, deliver: ShardMap, owners: int) -> None:
    """Some member gets words of the sum: what nobody gets, nobody adds."""
    size = words_in(at_type(op.value).payload)
    if not any(deliver.piece_size(role, owners, size) for role in holders(op.value)):
        wanted = f"a member that is to own some of the {size} words of the sum"
        raise Refusal("shard-contribution-missing", wanted, f"none by {deliver}", op)


def _given(
    old: ShardMap, members: Selection, of: tuple[ShardMap, int], owners: int, size: int
) -> int:
    """How many of the words that a role is to own by a map the members have by the old one."""
    new, role = of
    return sum(len(crossing(old, each, new, role, owners, size)) for each in members)


def _notes(op: ExchangeOp) -> tuple[Note, ...]:
    """Where the value is made that some owners haven't."""
    made = op.value.owner
    if not isinstance(made, Operation):
        return ()
    return (Note(f"the value is made here, at {roles_text(holders(op.value))}", place_of(made)),)
