"""Knowledge of choice: whoever does something else in another arm hears of the choice, nobody else.

Invariant: after it, every role whose arms differ has the selector or is told, and every role that
    is told needs to be. Of a repeat that may end early, these are the roles that act in its body or
    carry a value round it. So each role takes the arm that the authority takes, and no frame is
    sent in vain.
Refuses: protocol-choice-uninformed, protocol-choice-excess, select-budget.
Entry: `check_knowledge`, `difference`.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation

from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.protocol.checks.concerns import Concerns
from alpha.ir.protocol.checks.memberships import Member
from alpha.ir.protocol.checks.offers import routes_text, routes_with, routes_without
from alpha.ir.protocol.checks.outlines import Outlines
from alpha.ir.refusals import Note, Refusal, place_of
from alpha.ir.selections import Empty, Selection


def check_knowledge(op: ChoiceOp | UntilOp, concerns: Concerns) -> None:
    """Refuse a decision of which a role doesn't hear that must, or one does that needn't.

    The decisions inside have been looked at before, so that arms can be compared.

    Raises:
        Refusal: `protocol-choice-uninformed`, `protocol-choice-excess`, `select-budget`; for the
            least role.
    """
    informed = (concerns.holding(op.selector), *concerns.acting(op))
    told = concerns.selections.number(_receivers(op))

    def is_wrong(member: Member) -> bool:
        if any(map(member, informed)):
            return member(told) and difference(op, concerns, member) is None
        return difference(op, concerns, member) is not None

    among = (*_among(op, concerns), *informed, told)
    role = concerns.selections.first_role("who must hear of a choice", among, is_wrong)
    if role is None:
        return
    witness = difference(op, concerns, concerns.selections.member(role))
    raise _uninformed(op, role, witness, concerns) if witness else _excess(op, role)


def difference(op: ChoiceOp | UntilOp, concerns: Concerns, member: Member) -> Operation | None:
    """The operation because of which roles of a kind must hear of a decision, or None."""
    outlines = Outlines(concerns, member)
    for choice in concerns.earlier(_decided(op)):
        outlines.alike(choice)
    if isinstance(op, UntilOp):
        part = outlines.repeats(_repeat(op))
        return None if part is op else part
    first, *others = outlines.arms(op)
    for number, outline in enumerate(others, 1):
        if not outline.same(first):
            return first.first_difference(outline) or op.arms[number].block.last_op
    return None


def _repeat(op: UntilOp) -> RepeatOp:
    repeat = op.parent_op()
    assert isinstance(repeat, RepeatOp)
    return repeat


def _decided(op: ChoiceOp | UntilOp) -> Operation:
    """The operation whose regions a decision is about."""
    return _repeat(op) if isinstance(op, UntilOp) else op


def _among(op: ChoiceOp | UntilOp, concerns: Concerns) -> Iterator[int]:
    decided = _decided(op)
    for each in (decided, *concerns.earlier(decided)):
        yield from concerns.inside(each)


def _receivers(op: ChoiceOp | UntilOp) -> Selection:
    return Empty() if op.routes is None else op.routes.data.receivers


def _uninformed(
    op: ChoiceOp | UntilOp, role: int, witness: Operation, concerns: Concerns
) -> Refusal:
    """The refusal, with what the role would have to know about and a route that tells it."""
    what, why = "which arm is taken", f"role {role} doesn't do this in every arm"
    if isinstance(op, UntilOp):
        what, why = "whether the repeat goes on", f"role {role} takes part here"
    if isinstance(witness, RepeatOp) and witness is op.parent_op():
        why = f"role {role} has a value that is carried round"
    notes = [Note(why, place_of(witness))]
    acting = [concerns.selections[number] for number in concerns.acting(witness)]
    offered = routes_with(op, role, next((each for each in acting if role in each), Empty()))
    if offered is not None:
        notes.append(Note(f"it hears of it with '{offered}'", place_of(op)))
    told = None if op.routes is None else routes_text(op.routes.data)
    found = "no selector and no route to it" + ("" if told is None else f" in {told}")
    return Refusal(
        "protocol-choice-uninformed", f"role {role} to know {what}", found, op, tuple(notes)
    )


def _excess(op: ChoiceOp | UntilOp, role: int) -> Refusal:
    """The refusal, with routes that leave the role out."""
    wanted, found = "routes to roles whose arms differ", f"role {role}, whose arms are the same"
    if isinstance(op, UntilOp):
        wanted = "routes to roles that take part in the repeat"
        found = f"role {role}, which takes none"
    offered = routes_without(op, role)
    notes = () if offered is None else (Note(f"'{offered}' leaves it out", place_of(op)),)
    return Refusal("protocol-choice-excess", wanted, found, op, notes)
