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

from xdsl.ir import Attribute, Operation, SSAValue

from alpha.backends.ptx.equality import Emitted
from alpha.backends.ptx.moving import FLAG_BYTES, NUMBER_BYTES
from alpha.backends.ptx.uses import made_at, place_among, read_by_host
from alpha.interpreters.prepared import Prepared
from alpha.ir.attributes.shard import OwnedType, located
from alpha.ir.dialects.pointwise_programs import ProgramOp
from alpha.ir.dialects.shard_exchange import AdvanceOp, PartitionOp
from alpha.ir.dialects.shard_work import ContributeOp, ReadOp, UpdateOp
from alpha.ir.shapes import word_bytes, words_of
from alpha.ir.sharding.form import ShardMap
from alpha.passes.loops.items import Dynamic, Shape
from alpha.passes.loops.signature import Signature

GRANULE_BYTES = 512
"""What drivers round an allocation up to."""

ROUNDS_HELD = 3
"""A round's words are on the device at most until two more have been made: a role keeps the words
of the version before, and those of the current one while it makes the next."""

ONCE, EVERY, STORED = "once", "every round", "when stored"


@dataclass(frozen=True)
class Copy:
    """Words that move: of `program`, its `value`; `to` is `device` or `host`, `when` is `once`,
    before the first round that needs them, `every round`, or `when stored`, of a state that is
    published or becomes part of a generation."""

    program: str
    value: str
    to: str
    when: str
    bytes: int


@dataclass(frozen=True)
class Staging:
    """The copies of a role, in the order of its round, and memory of its device that is enough.

    `needed_bytes` is beside the code of the kernels and what a driver takes for a process.
    """

    copies: tuple[Copy, ...]
    needed_bytes: int


def staging_of(body: Operation, prepared: Prepared, role: int, emitted: Emitted) -> Staging:
    """What a role copies; `body` holds the operations of a round, as of a role or a protocol."""
    reader = _Reader(body, prepared, role, emitted)
    copies = tuple(reader.copies())
    return Staging(copies, reader.held_bytes())


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
    """Reads the operations of a round in their order, as the role's work does them."""

    def __init__(self, body: Operation, prepared: Prepared, role: int, emitted: Emitted) -> None:
        self._body = body
        self._prepared = prepared
        self._role = role
        self._emitted = emitted
        self._there: set[SSAValue] = set()
        """Values whose words are on the device."""
        self._later: set[SSAValue] = set()
        """Values that are there in every round but the first."""
        self._tables: set[tuple[ShardMap, int]] = set()
        self._buffers: dict[tuple[str, tuple[int, ...]], int] = {}
        self._once_bytes = _granules(FLAG_BYTES)
        self._round_bytes = 0

    def held_bytes(self) -> int:
        """The memory of everything that was read."""
        return self._once_bytes + sum(self._buffers.values()) + ROUNDS_HELD * self._round_bytes

    def copies(self) -> Iterator[Copy]:
        """The copies, operation by operation."""
        for op in self._body.walk():
            match op:
                case ContributeOp():
                    yield from self._contribution(op)
                case UpdateOp():
                    yield from self._update(op)
                case PartitionOp():
                    yield from self._partition(op)
                case AdvanceOp():
                    yield from self._advance(op)
                case _:
                    continue

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
            bytes = sum(sizes) * _bytes(type)
            self._once_bytes += _granules(bytes)
            yield Copy(name, f"samples @{source} {number}", "device", ONCE, bytes)
        for value, what in zip(op.arguments, _names(program), strict=False):
            yield from self._given(name, value, what)
        for size in dict.fromkeys(sizes):
            self._buffer(name, [size])
        for number, type in enumerate(types.outputs.data):
            self._round_bytes += len(sizes) * _granules(_bytes(type))
            yield Copy(name, f"result {number}", "host", EVERY, len(sizes) * _bytes(type))

    def _update(self, op: UpdateOp) -> Iterator[Copy]:
        name = op.callee.string_value()
        program = self._prepared.distribution.updates[name]
        signature = Signature.of(program)
        own = own_extents(op, signature, {v: self._count(v) for v in op.arguments if _is_owned(v)})
        for value, shape, what in zip(op.arguments, signature.inputs, _names(program), strict=True):
            yield from self._given(name, value, what)
            if _is_owned(value) and own_shape(shape, own) is None:
                whole = _bytes(located(value).value)
                self._once_bytes += _granules(whole)
                yield Copy(name, f"{what}, absent words", "device", ONCE, whole)
                yield from self._table(name, value)
        domains = signature.domains.shapes if signature.domains else ()
        self._buffer(name, [own.get(number, prod(shape)) for number, shape in enumerate(domains)])
        for number, (value, shape) in enumerate(zip(op.outputs, signature.results, strict=True)):
            if _is_owned(value) and own_shape(shape, own) is None:
                self._once_bytes += _granules(_bytes(located(value).value))
                yield from self._table(name, value)
            yield from self._made(name, f"result {number}", value)

    def _partition(self, op: PartitionOp) -> Iterator[Copy]:
        made = made_at(op.replica)
        if made in self._there or self._stays(made):
            yield from self._table("", op.result)
            if made in self._there:
                yield from self._made("", _name(op.result, "part"), op.result)
            else:
                self._later.add(op.result)

    def _advance(self, op: AdvanceOp) -> Iterator[Copy]:
        """Of states whose words are on the device alone: whether they are finite, and their words
        when they are stored."""
        for name, value in zip(op.names(), op.values, strict=True):
            made = made_at(value)
            count = self._count(value) if _is_owned(value) else words_of(located(value).value)
            if made not in self._there or not _is_kernels(made) or read_by_host(made) or not count:
                continue
            yield Copy("", f"@{name} is finite", "host", EVERY, NUMBER_BYTES)
            bytes = count * word_bytes(located(value).value)
            if name in self._host_states:
                yield Copy("", f"@{name}", "host", EVERY, bytes)
            elif self._role == 0 or _is_owned(value):
                yield Copy("", f"@{name}", "host", STORED, bytes)

    def _given(self, program: str, value: SSAValue, what: str) -> Iterator[Copy]:
        """The copy of an argument, if the role's words of it aren't on the device."""
        made = made_at(value)
        if made in self._there:
            return
        self._there.add(made)
        when = ONCE if made in self._later or self._stays(made) else EVERY
        type = located(value).value
        words = self._count(value) if _is_owned(value) else words_of(type)
        self._round_bytes += _granules(words * word_bytes(type))
        yield Copy(program, what, "device", when, words * word_bytes(type))

    def _made(self, program: str, what: str, value: SSAValue) -> Iterator[Copy]:
        """The copy of what a kernel makes, if the host reads it."""
        self._there.add(value)
        type = located(value).value
        words = self._count(value) if _is_owned(value) else words_of(type)
        self._round_bytes += _granules(words * word_bytes(type))
        if read_by_host(value):
            yield Copy(program, what, "host", EVERY, words * word_bytes(type))

    def _table(self, program: str, value: SSAValue) -> Iterator[Copy]:
        """The copy of the places of the role's words of a value."""
        of = value.type
        assert isinstance(of, OwnedType)
        key = of.map.data, words_of(of.value)
        if key not in self._tables:
            self._tables.add(key)
            bytes = NUMBER_BYTES * self._count(value)
            self._once_bytes += _granules(bytes)
            yield Copy(program, f"places by {of.map.data}", "device", ONCE, bytes)

    def _stays(self, value: SSAValue) -> bool:
        """Whether a value is the same in all rounds, or a state that kernels have made.

        Of samples that are owned, a round reads its own arrangement of their words.
        """
        op = value.owner
        if not isinstance(op, ReadOp):
            return False
        source = self._prepared.sources(op)[place_among(value, op.values)]
        learner = self._prepared.distribution.learner
        if source.name in learner.constants or source.name in learner.samples:
            return not _is_owned(value)
        return source.of.version.data == 0 and source.name in self._kernel_states

    @cached_property
    def _kernel_states(self) -> set[str]:
        """The states whose words kernels of this role make for every version."""
        made: set[str] = set()
        for op in self._body.walk():
            if isinstance(op, AdvanceOp):
                for name, value in zip(op.names(), map(made_at, op.values), strict=True):
                    if _is_kernels(value):
                        made.add(name)
        return made

    @cached_property
    def _host_states(self) -> set[str]:
        """The states whose words of the version that a round reads are needed on the host."""
        found: set[str] = set()
        for op in self._body.walk():
            if isinstance(op, ReadOp):
                sources = zip(self._prepared.sources(op), op.values, strict=True)
                found |= {source.name for source, value in sources if read_by_host(value)}
        return found

    def _count(self, value: SSAValue) -> int:
        """How many words of an owned value the role has."""
        of = value.type
        assert isinstance(of, OwnedType)
        size = words_of(of.value)
        return len(self._prepared.holdings.coordinates(of.map.data, self._role, size))

    def _buffer(self, program: str, extents: Sequence[int]) -> None:
        memory = self._emitted.plan(program).buffers.values()
        key = program, tuple(extents)
        self._buffers[key] = sum(_granules(each.bytes(extents)) for each in memory)


def _is_kernels(value: SSAValue) -> bool:
    """Whether a kernel makes a value: an update, or the selection of a part of one."""
    op = value.owner
    if isinstance(op, PartitionOp):
        return isinstance(made_at(op.replica).owner, UpdateOp)
    return isinstance(op, UpdateOp)


def _granules(bytes: int) -> int:
    return max(1, -(-bytes // GRANULE_BYTES)) * GRANULE_BYTES


def _bytes(type: Attribute) -> int:
    return words_of(type) * word_bytes(type)


def _is_owned(value: SSAValue) -> bool:
    return isinstance(value.type, OwnedType)


def _names(program: ProgramOp) -> list[str]:
    """What the arguments of a program are called."""
    arguments = enumerate(program.body.block.args)
    return [_name(value, f"argument {number}") for number, value in arguments]


def _name(value: SSAValue, otherwise: str) -> str:
    return otherwise if value.name_hint is None else f"%{value.name_hint}"
