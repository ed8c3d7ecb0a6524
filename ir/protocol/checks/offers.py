"""Routes to put in the place of a decision's own: one more role hears of it, or one fewer.

Invariant: what is offered keeps the rules of routes: each role is told once, by one that knows.
Entry: `routes_with`, `routes_without`, `routes_text`.
"""

from __future__ import annotations

from xdsl.ir import Operation

from alpha.ir.attributes.protocol_values import holders
from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import ScopeOp
from alpha.ir.protocol.routes import Along, Listed, Routes
from alpha.ir.protocol.slices import sliced
from alpha.ir.selections import Join, Selection, Stride
from alpha.ir.selections.relations import first_common
from alpha.ir.topologies import Topology

WRITTEN_MAX = 8
"""Most routes, or nodes of a selection, that a message writes out."""

OFFERED = Topology("tree", 64)
"""Along what a group of more roles is offered to be told."""


def routes_with(op: ChoiceOp | UntilOp, role: int, group: Selection) -> str | None:
    """A decision that tells a role as well, such as `by 0 along [0 -> 1, 0 -> 2]`.

    If nobody is told yet and the role is one of a large group whose first member decides, the whole
    group is. None if no role of the scope has the selector, or the text would be long.
    """
    authority = _authority(op)
    if authority is None:
        return None
    routes = Listed(()) if op.routes is None else op.routes.data
    large = group.size > WRITTEN_MAX and group.min == authority
    if large and not routes.receivers.size:
        return _text(authority, Along(OFFERED, group))
    if isinstance(routes, Listed):
        return _text(authority, Listed((*routes.pairs, (authority, role))))
    if role > authority:
        topology = Topology("star") if routes.topology.form == "pair" else routes.topology
        return _text(authority, Along(topology, _with(routes.members, role)))
    return None


def routes_without(op: ChoiceOp | UntilOp, role: int) -> str | None:
    """A decision that leaves a role out; whom it tells is told by who tells it.

    None if the text would be long.
    """
    assert op.authority is not None and op.routes is not None
    authority, routes = op.authority.data, op.routes.data
    if routes.receivers.size == 1:
        return _text(authority, Listed(()))
    if isinstance(routes, Along):
        return _text(authority, Along(routes.topology, _without(routes.members, role)))
    teller = routes.teller(role)
    assert teller is not None
    pairs = [(teller if by == role else by, told) for by, told in routes.pairs if told != role]
    return _text(authority, Listed(tuple(pairs)))


def routes_text(routes: Routes) -> str | None:
    """Routes as they are written, or None if the text would be long."""
    parts = len(routes.pairs) if isinstance(routes, Listed) else routes.members.nodes
    return str(routes) if parts <= WRITTEN_MAX else None


def _authority(op: ChoiceOp | UntilOp) -> int | None:
    """Who decides, or else the first role of the scope that can."""
    if op.authority is not None:
        return op.authority.data
    around: Operation | None = op
    while around is not None and not isinstance(around, ScopeOp | GlobalOp):
        around = around.parent_op()
    if isinstance(around, ScopeOp):
        return first_common(holders(op.selector), around.roles.data)
    return holders(op.selector).min


def _text(authority: int, routes: Routes) -> str | None:
    text = routes_text(routes)
    return None if text is None else f"by {authority} along {text}"


def _with(members: Selection, role: int) -> Selection:
    below = members.rank(role)
    return _joined(
        sliced(members, 0, below), Stride(role, 1, 1), sliced(members, below, members.size)
    )


def _without(members: Selection, role: int) -> Selection:
    below = members.rank(role)
    return _joined(sliced(members, 0, below), sliced(members, below + 1, members.size))


def _joined(*parts: Selection) -> Selection:
    some = tuple(part for part in parts if part.size)
    return some[0] if len(some) == 1 else Join(some)
