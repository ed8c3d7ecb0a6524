"""The role-level interpreter: one role does what its own program says, and knows of nothing else.

Invariant: every frame is one of the program's, with its peer, part, count and words; nothing is
    derived from the global protocol, which isn't there.
Refuses: protocol-role-duplicate, and what frames, agreements and choices refuse.
Entry: `RoleWalk`, `find_roles`.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from alpha.interpreters.carriers import Carrier
from alpha.interpreters.exchanges import Exchanges
from alpha.interpreters.local_work import LocalWork
from alpha.interpreters.network.events import Participant
from alpha.interpreters.walking import Deciding, Values, Walk
from alpha.interpreters.work import RoleWork
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp
from alpha.ir.dialects.protocol_role import PerformOp, RoleOp
from alpha.ir.protocol.role_steps import read_step
from alpha.ir.protocol.steps import Step
from alpha.ir.protocol.strays import check_strays
from alpha.ir.refusals import Note, Refusal, place_of


class RoleWalk(Walk):
    """A role that runs its program."""

    def __init__(self, op: RoleOp, work: RoleWork | None, carrier: Carrier) -> None:
        role, owners = op.role.data, op.group.data.universe
        super().__init__(role, work, LocalWork(carrier, work), Exchanges(role, owners, carrier))
        self._op = op
        self._steps: dict[Operation, Step] = {}

    def participant(self) -> Participant:
        yield from self.run(self._op.body.block, {})

    def step(self, op: Operation) -> Step | None:
        assert isinstance(op, PerformOp)
        if op not in self._steps:
            self._steps[op] = read_step(op)
        return self._steps[op]

    def has_part(self, op: Operation) -> bool:
        del op
        return True

    def has(self, value: SSAValue) -> bool:
        del value
        return True

    def loops(self, op: RepeatOp) -> bool:
        del op
        return True

    def decide(self, op: ChoiceOp | UntilOp, values: Values) -> Deciding:
        yield from ()
        word = values[op.selector]
        return int(word)  # pyright: ignore[reportArgumentType]


def find_roles(module: ModuleOp) -> dict[int, RoleOp]:
    """The roles' programs of a module, by role.

    Raises:
        Refusal: `protocol-role-duplicate` for two of one role, of one protocol or of several;
            `source-structure` for a step outside of all programs.
    """
    check_strays(module)
    found: dict[int, RoleOp] = {}
    for op in module.body.block.ops:
        if isinstance(op, RoleOp) and found.setdefault(op.role.data, op) is not op:
            note = Note("the first is here", place_of(found[op.role.data]))
            wanted = f"one program of role {op.role.data}"
            raise Refusal("protocol-role-duplicate", wanted, "two", op, (note,))
    return found
