"""How long located values live: words of a version are used before it advances, and not released.

Invariant: after it, on every path between the making of a value of the shard level and its use no
    version advances; and no use of a replica stands behind its release, nor its making before the
    repeat that releases it.
Why: a version in a type is relative to the round. Behind an advance, `+0` means the words of
    another version, so a value of before would be taken for what it isn't. All roles advance
    together, so what stands behind an advance is the same for all of them.
Refuses: shard-version-mixed, data-parallel-replica-version, data-parallel-replica-released.
Entry: `check_lifetimes`.

The walk numbers the stretches of the protocol between advances. A value is of the stretch in which
it is made, and may be used in that one alone. A repeat in whose body a version advances begins a
stretch, since its second iteration stands behind the advance of the first; a choice in an arm of
which one does ends in a new one. What a body hands on is used there, and made anew around it. What
carries no version, as a selector, a verdict or words of `protocol.words`, lives as long as it may.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.ir import Block, Operation, OpResult, SSAValue

from alpha.ir.attributes.protocol_values import AtType
from alpha.ir.attributes.shard import LocatedType
from alpha.ir.dialects.protocol import GlobalOp
from alpha.ir.dialects.protocol_choices import ChoiceOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_downwards import ReplicateOp
from alpha.ir.dialects.protocol_exchange import TransferOp
from alpha.ir.dialects.protocol_role import PerformOp, RoleOp
from alpha.ir.dialects.protocol_upwards import GatherOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_exchange import AdvanceOp, ReleaseOp
from alpha.ir.dialects.shard_work import ContributeOp
from alpha.ir.protocol.advances import first_advances
from alpha.ir.protocol.flows import is_handed_on
from alpha.ir.refusals import Note, Refusal, name_of, name_of_value, place_of

MADE_BY_EXCHANGE = (ReplicateOp, GatherOp, TransferOp, PerformOp)
"""What makes a replica that is released."""


def check_lifetimes(op: GlobalOp | RoleOp) -> None:
    """Refuse the first use of a value behind an advance of its version, or behind its release.

    The same of a protocol and of one role's program.

    Raises:
        Refusal: those of the module; at the use, with the advance or release, and the making.
    """
    _Walk(first_advances(op)).block(op.body.block)


class _Walk:
    """One walk over the text of a protocol or of a role's program."""

    def __init__(self, advances: Mapping[Operation, AdvanceOp]) -> None:
        self._advances = advances
        """The first advance inside of each operation that has one."""
        self._stretch = 0
        self._begun: list[AdvanceOp | None] = [None]
        """By which advance each stretch was begun."""
        self._made: dict[SSAValue, int] = {}
        self._repeat: RepeatOp | None = None
        """The innermost repeat around that has more than one iteration."""
        self._repeated: dict[SSAValue, RepeatOp | None] = {}
        self._released: dict[SSAValue, ReleaseOp] = {}

    def block(self, block: Block) -> None:
        """Walk over a block; what is released in it stays so behind it."""
        for op in block.ops:
            for value in op.operands:
                self._use(op, value)
            match op:
                case LocalOp():
                    self._work(op)
                case ScopeOp():
                    self.block(op.body.block)
                case RepeatOp():
                    self._turns(op)
                case ChoiceOp():
                    self._choose(op)
                case _:
                    pass
            self._make(op.results)

    def _begin(self, advance: AdvanceOp) -> None:
        """From here on a version may have advanced."""
        self._stretch = len(self._begun)
        self._begun.append(advance)

    def _make(self, values: Iterable[SSAValue]) -> None:
        for value in values:
            if _is_versioned(value):
                self._made[value] = self._stretch
                self._repeated[value] = self._repeat

    def _turns(self, op: RepeatOp) -> None:
        advance, around = self._advances.get(op), self._repeat
        if op.bound.data > 1:
            self._repeat = op
            if advance is not None:
                self._begin(advance)
        self._make(op.body.block.args)
        self.block(op.body.block)
        self._repeat = around

    def _choose(self, op: ChoiceOp) -> None:
        start, released = self._stretch, dict[SSAValue, ReleaseOp]()
        for arm in op.arms:
            self._stretch = start
            before = len(self._released)
            self.block(arm.block)
            while len(self._released) > before:
                value, release = self._released.popitem()
                released[value] = release
        self._released.update(released)
        self._stretch = start
        if op in self._advances:
            self._begin(self._advances[op])

    def _use(self, op: Operation, value: SSAValue) -> None:
        """See that a value may be used where an operation stands."""
        if not _is_versioned(value):
            return
        if value in self._released:
            raise self._behind_release(op, value, self._released[value])
        if self._made[value] != self._stretch:
            raise self._behind_advance(op, value)

    def _behind_advance(self, op: Operation, value: SSAValue) -> Refusal:
        advance = self._begun[self._stretch]
        assert advance is not None
        notes = (Note("the version advances here", place_of(advance)), *_made_here(value))
        version = _version_of(value)
        reader = _contribution_from(op, value)
        found = f"{version - 1:+d} or older, since the version advances in between"
        if reader is not None and _made_by_exchange(value):
            wanted = f"a replica of version {version:+d} to contribute from"
            return Refusal("data-parallel-replica-version", wanted, found, reader, notes)
        wanted = f"{name_of_value(value)} of version {version:+d} where it is used"
        return Refusal("shard-version-mixed", wanted, found, op, notes)

    def _behind_release(self, op: Operation, value: SSAValue, release: ReleaseOp) -> Refusal:
        wanted = f"{name_of_value(value, 'the replica')} read before its release"
        note = Note("it is released here", place_of(release))
        found = f"{name_of(op)} behind it"
        return Refusal("data-parallel-replica-released", wanted, found, op, (note,))

    def _work(self, op: LocalOp) -> None:
        """What local work releases, and that it doesn't read it afterwards; and its advance."""
        outside: dict[SSAValue, SSAValue] = dict(zip(op.body.block.args, op.arguments, strict=True))
        released: dict[SSAValue, ReleaseOp] = {}
        if any(isinstance(part, ReleaseOp) for part in op.body.block.ops):
            for part in op.body.block.ops:
                for operand in part.operands:
                    value = outside.get(operand, operand)
                    if value in released:
                        raise self._behind_release(part, operand, released[value])
                if isinstance(part, ReleaseOp):
                    value = outside.get(part.replica)
                    if value is None or not _made_by_exchange(value):
                        wanted = "a replica that an exchange of the protocol made, to release"
                        code = "data-parallel-replica-released"
                        raise Refusal(code, wanted, "another value", part)
                    self._check_release(part, value)
                    released[value] = part
        self._released.update(released)
        last = op.body.block.last_op
        if isinstance(last, AdvanceOp):
            self._begin(last)

    def _check_release(self, op: ReleaseOp, value: SSAValue) -> None:
        """A replica is released as often as it is made, and nobody has it under another name."""
        name = name_of_value(value, "the replica")
        if self._repeated[value] is not self._repeat:
            assert self._repeat is not None
            note = Note("this is repeated", place_of(self._repeat))
            wanted = f"{name} released once, in the repeat that makes it"
            found = f"shard.release up to {self._repeat.bound.data} times"
            notes = (note, *_made_here(value))
            raise Refusal("data-parallel-replica-released", wanted, found, op, notes)
        for use in value.uses:
            if is_handed_on(use):
                note = Note("it is handed on here", place_of(use.operation))
                wanted = f"{name} released under its only name"
                found = "a replica that is handed on"
                raise Refusal("data-parallel-replica-released", wanted, found, op, (note,))


def _is_versioned(value: SSAValue) -> bool:
    return isinstance(value.type, AtType) and isinstance(value.type.payload, LocatedType)


def _version_of(value: SSAValue) -> int:
    assert isinstance(value.type, AtType) and isinstance(value.type.payload, LocatedType)
    return value.type.payload.version.data


def _made_by_exchange(value: SSAValue) -> bool:
    return isinstance(value, OpResult) and isinstance(value.owner, MADE_BY_EXCHANGE)


def _made_here(value: SSAValue) -> tuple[Note, ...]:
    owner = value.owner if isinstance(value.owner, Operation) else value.owner.parent_op()
    return () if owner is None else (Note("it is made here", place_of(owner)),)


def _contribution_from(op: Operation, value: SSAValue) -> ContributeOp | None:
    """The contribution of local work that reads a value, or None."""
    if not isinstance(op, LocalOp):
        return None
    inside = [
        argument
        for argument, given in zip(op.body.block.args, op.arguments, strict=True)
        if given is value
    ]
    for part in op.body.block.ops:
        if isinstance(part, ContributeOp) and any(each in inside for each in part.arguments):
            return part
    return None
