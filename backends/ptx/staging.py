"""What a role on a device copies between the host and it, and how much memory it needs there.

Everything is known before a run: it follows from the operations of the role's round, from what the
role holds, and from the plans of its kernels.

Invariant: a copy is counted `once` only where later rounds read the words where kernels made them.
Entry: `Staging`, `Copy`, `staging_of`, `own_extents`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

from xdsl.ir import Block, Operation, SSAValue

from alpha.backends.ptx.equality import Emitted
from alpha.interpreters.prepared import Prepared
from alpha.ir.attributes.shard import OwnedType, located
from alpha.ir.dialects.pointwise_programs import ProgramOp
from alpha.ir.dialects.protocol_work import LocalOp
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.dialects.shard_work import ContributeOp, ReadOp, UpdateOp
from alpha.ir.shapes import word_bytes, words_of
from alpha.passes.loops.items import Dynamic, Shape
from alpha.passes.loops.signature import Signature

GRANULE_BYTES = 512
"""What drivers round an allocation up to."""

ROUNDS_HELD = 3
"""A round's words are on the device at most until two more have been made: a role keeps the words
of the version before, and those of the current one while it makes the next."""


@dataclass(frozen=True)
class Copy:
    """Words that move: of `program`, its `value`; `to` is `device` or `host`, `when` is `once`,
    before the first round that needs them, or `every round`."""

    program: str
    value: str
    to: str
    when: str
    bytes: int


@dataclass(frozen=True)
class Staging:
    """The copies of a role, in the order of its round, and the bytes of its kernels' buffers."""

    copies: tuple[Copy, ...]
    buffers: tuple[int, ...]

    def needed_bytes(self) -> int:
        """Memory of the device that is enough for the role, beside its kernels' code."""
        held = [_granules(each) for each in self.buffers]
        for copy in self.copies:
            rounds = 1 if copy.value.startswith(_SAMPLES) else ROUNDS_HELD
            held.append(rounds * _granules(copy.bytes))
        return sum(held)


_SAMPLES = "samples "


def staging_of(body: Operation, prepared: Prepared, role: int, emitted: Emitted) -> Staging:
    """What a role copies; `body` holds the operations of a round, as of a role or a protocol."""
    reader = _Reader(body, prepared, role, emitted)
    return Staging(tuple(reader.copies()), tuple(reader.buffers.values()))


def own_extents(
    op: UpdateOp, signature: Signature, counts: Mapping[SSAValue, int]
) -> dict[int, int]:
    """The domains of which all values are the role's own coordinates, and how many those are.

    `counts` has the number of its words of each argument that is owned.
    """
    found: dict[int, int] = {}
    whole: set[int] = set()
    shapes = (*signature.inputs, *signature.results)
    for value, shape in zip((*op.arguments, *op.outputs), shapes, strict=True):
        first = shape[0] if shape else None
        if not isinstance(first, Dynamic):
            continue
        if len(shape) == 1 and isinstance(value.type, OwnedType):
            if value in counts:
                found[first.domain] = counts[value]
        else:
            whole.add(first.domain)
    return {number: count for number, count in found.items() if number not in whole}


def own_shape(shape: Shape, own: Mapping[int, int]) -> tuple[int, ...] | None:
    """The shape of the role's own coordinates of a domain, None of what is no such domain."""
    first = shape[0] if shape else None
    if isinstance(first, Dynamic) and first.domain in own:
        return (own[first.domain],)
    return None


class _Reader:
    """Reads the operations of a round in their order."""

    def __init__(self, body: Operation, prepared: Prepared, role: int, emitted: Emitted) -> None:
        self._body = body
        self._prepared = prepared
        self._role = role
        self._emitted = emitted
        self._there: set[SSAValue] = set()
        self.buffers: dict[tuple[str, tuple[int, ...]], int] = {}

    def copies(self) -> Iterator[Copy]:
        """The copies, program by program."""
        for op in self._body.walk():
            match op:
                case ContributeOp():
                    yield from self._contribution(op)
                case UpdateOp():
                    yield from self._update(op)

    def _contribution(self, op: ContributeOp) -> Iterator[Copy]:
        name = op.callee.string_value()
        program = self._prepared.distribution.contributions[name]
        contract, groups = self._prepared.groups(op)
        sizes = [contract.groups[group] for group in groups[self._role]]
        if not sizes:
            return
        types = program.function_type
        parameters = len(program.parameter_types())
        source = op.samples.string_value()
        for number, type in enumerate(types.inputs.data[parameters:]):
            bytes = sum(sizes) * words_of(type) * word_bytes(type)
            yield Copy(name, f"{_SAMPLES}@{source} {number}", "device", "once", bytes)
        for value, what in zip(op.arguments, _names(program), strict=False):
            yield from self._given(name, value, what, None)
        for size in dict.fromkeys(sizes):
            self._buffers(name, [size])
        for number, type in enumerate(types.outputs.data):
            bytes = len(sizes) * words_of(type) * word_bytes(type)
            yield Copy(name, f"result {number}", "host", "every round", bytes)

    def _update(self, op: UpdateOp) -> Iterator[Copy]:
        name = op.callee.string_value()
        program = self._prepared.distribution.updates[name]
        signature = Signature.of(program)
        own = own_extents(op, signature, {v: self._count(v) for v in op.arguments if _is_owned(v)})
        for value, shape, what in zip(op.arguments, signature.inputs, _names(program), strict=True):
            yield from self._given(name, value, what, own_shape(shape, own))
        domains = signature.domains.shapes if signature.domains else ()
        extents = [own.get(number, prod(shape)) for number, shape in enumerate(domains)]
        self._buffers(name, extents)
        types = program.function_type.outputs.data
        for number, (value, shape, type) in enumerate(
            zip(op.outputs, signature.results, types, strict=True)
        ):
            mine = own_shape(shape, own)
            words = words_of(type) if mine is None else prod(mine)
            yield Copy(name, f"result {number}", "host", "every round", words * word_bytes(type))
            if mine is not None or not _is_owned(value):
                self._there.add(value)

    def _given(
        self, program: str, value: SSAValue, what: str, own: tuple[int, ...] | None
    ) -> Iterator[Copy]:
        """The copy of an argument, if it isn't where a kernel reads it."""
        made = _made_at(value)
        if made in self._there:
            return
        type = located(value).value
        when = "every round"
        if own is not None or not _is_owned(value):
            self._there.add(made)
            when = "once" if self._stays(made) else when
        words = words_of(type) if own is None else prod(own)
        yield Copy(program, what, "device", when, words * word_bytes(type))

    def _stays(self, value: SSAValue) -> bool:
        """Whether a value is the same in all rounds, or a state that kernels have made.

        Of samples that are owned, a round reads its own arrangement of their words.
        """
        op = value.owner
        if not isinstance(op, ReadOp):
            return False
        source = self._prepared.sources(op)[_place(value, op.values)]
        learner = self._prepared.distribution.learner
        if source.name in learner.constants or source.name in learner.samples:
            return not _is_owned(value)
        return source.of.version.data == 0 and source.name in self._made

    @cached_property
    def _made(self) -> set[str]:
        """The states whose words a kernel of this role makes, on the device, for every version."""
        made: set[str] = set()
        for op in self._body.walk():
            if isinstance(op, AdvanceOp):
                for name, value in zip(op.names(), map(_made_at, op.values), strict=True):
                    if isinstance(value.owner, UpdateOp) and self._is_kept(value.owner, value):
                        made.add(name)
        return made

    def _is_kept(self, op: UpdateOp, value: SSAValue) -> bool:
        """Whether a result of an update stays on the device as it is: no part is cut out of it."""
        signature = Signature.of(self._prepared.distribution.updates[op.callee.string_value()])
        counts = {each: self._count(each) for each in op.arguments if _is_owned(each)}
        own = own_extents(op, signature, counts)
        shape = signature.results[_place(value, op.outputs)]
        return own_shape(shape, own) is not None or not _is_owned(value)

    def _count(self, value: SSAValue) -> int:
        """How many words of an owned value the role has."""
        of = value.type
        assert isinstance(of, OwnedType)
        size = words_of(of.value)
        return len(self._prepared.holdings.coordinates(of.map.data, self._role, size))

    def _buffers(self, program: str, extents: Sequence[int]) -> None:
        memory = self._emitted.plan(program).buffers.values()
        key = program, tuple(extents)
        self.buffers[key] = sum(_granules(each.bytes(extents)) for each in memory)


def _made_at(value: SSAValue) -> SSAValue:
    """The value that a step of a protocol was given, or gives, where it is made."""
    while True:
        match value.owner:
            case LocalOp() as op:
                value = op.yielded[_place(value, op.results)]
            case Block() as block if isinstance(op := block.parent_op(), LocalOp):
                value = op.operands[_place(value, block.args)]
            case _:
                return value


def _place(value: SSAValue, among: Sequence[SSAValue]) -> int:
    return next(place for place, each in enumerate(among) if each is value)


def _granules(bytes: int) -> int:
    return max(1, -(-bytes // GRANULE_BYTES)) * GRANULE_BYTES


def _is_owned(value: SSAValue) -> bool:
    return isinstance(value.type, OwnedType)


def _names(program: ProgramOp) -> list[str]:
    """What the arguments of a program are called."""
    return [
        f"argument {number}" if value.name_hint is None else f"%{value.name_hint}"
        for number, value in enumerate(program.body.block.args)
    ]
