"""Selectors that are constants: a word that stands for no arm is refused before anything runs.

Invariant: a word that is followed to its constant is one of the canonical words 0 to k - 1 of the
    decision with k arms. Other words are looked at by who takes the decision, when it is taken.
Refuses: protocol-choice-noncanonical.
Entry: `check_selector`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from alpha.ir.dialects.protocol_bodies import arm_values
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import ScopeOp
from alpha.ir.dialects.protocol_downwards import ReplicateOp
from alpha.ir.dialects.protocol_exchange import TransferOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.refusals import Note, Refusal, place_of


def check_selector(op: ChoiceOp | UntilOp) -> None:
    """Refuse a decision whose selector is a constant without an arm.

    Raises:
        Refusal: `protocol-choice-noncanonical`.
    """
    constant = _constant(op.selector)
    if constant is None:
        return
    arms = len(op.arms) if isinstance(op, ChoiceOp) else 2
    value = constant.properties.get("value")
    assert isinstance(value, IntegerAttr)
    word = value.value.data
    if not 0 <= word < arms:
        what = "to end the repeat or go on" if isinstance(op, UntilOp) else f"for {arms} arms"
        wanted = f"a selector from 0 to {arms - 1} {what}"
        note = Note("it is made here", place_of(constant))
        raise Refusal("protocol-choice-noncanonical", wanted, str(word), op, (note,))


def _constant(value: SSAValue) -> Operation | None:
    """The constant that a selector is, wherever it has gone since; None for another word."""
    while True:
        owner = value.owner
        if isinstance(value, BlockArgument):
            work = value.block.parent_op()
            if not isinstance(work, LocalOp):
                return None
            value = work.arguments[value.index]
        elif isinstance(owner, LocalOp) and isinstance(value, OpResult):
            value = owner.yielded[value.index]
        elif isinstance(owner, ScopeOp) and isinstance(value, OpResult):
            value = arm_values(owner.body)[value.index]
        elif isinstance(owner, TransferOp | ReplicateOp):
            value = owner.value
        elif isinstance(owner, Operation) and owner.name == "arith.constant":
            return owner
        else:
            return None
