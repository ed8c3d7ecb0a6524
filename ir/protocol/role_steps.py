"""What an operation of a role's program says, as the step that is done.

Entry: `read_step`, `read_frame`.
"""

from __future__ import annotations

from alpha.ir.attributes.protocol_values import at_type
from alpha.ir.dialects.protocol_role import AddOp, FrameOp, PerformOp, SendOp
from alpha.ir.protocol.steps import Addition, Frame, Step


def read_step(op: PerformOp) -> Step:
    """What an operation of a role's program says, as a step."""
    actions: list[Frame | Addition] = []
    for action in op.frames.block.ops:
        if isinstance(action, AddOp):
            actions += [Addition(action.into.data, of.data) for of in action.groups.data]
        else:
            assert isinstance(action, FrameOp)
            actions.append(read_frame(action))
    outcome = at_type(op.outcomes[0]).payload if op.outcomes else None
    return Step(
        op.kind.data,
        op.site.data,
        tuple(actions),
        bool(op.arguments),
        outcome,
        map=None if op.map is None else op.map.data,
        contract=None if op.contract is None else op.contract.data,
        deliver=None if op.deliver is None else op.deliver.data,
        members=None if op.members is None else op.members.data,
        part=0 if op.part is None else op.part.data,
        arms=0 if op.arms is None else op.arms.data,
    )


def read_frame(op: FrameOp) -> Frame:
    """A frame of a role's program."""
    return Frame(
        isinstance(op, SendOp),
        op.peer.data,
        op.words.data,
        op.element,
        op.part.data,
        op.count.data,
        0 if op.riding is None else op.riding.data,
    )
