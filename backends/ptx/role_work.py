"""A role's local work on a device: its contributions and updates are kernels.

Samples are copied to the device once, and words that kernels make stay there: what a round made is
what the next one reads, without going through the host. The host gets a copy of sums, of what is
sent, and of states when they are stored; words that come from other roles are copied to the device
when a kernel reads them.

Invariant: of words that a kernel has made, those on the device count, not the host's copy of them.
Entry: `DeviceWork`, `kernels_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from math import prod

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, SSAValue

from alpha.backends.ptx.devices import Device
from alpha.backends.ptx.equality import Emitted, emitted_kernels
from alpha.backends.ptx.moving import Moving, moving_kernels
from alpha.backends.ptx.resident import Resident
from alpha.backends.ptx.running import Buffers, run_plan
from alpha.backends.ptx.staging import own_extents, own_shape
from alpha.backends.ptx.uses import read_by_host
from alpha.interpreters.combine import Part, Parts
from alpha.interpreters.locality import require_local
from alpha.interpreters.prepared import Prepared
from alpha.interpreters.words import DTYPES
from alpha.interpreters.work import RoleWork
from alpha.ir.attributes.shard import OwnedType
from alpha.ir.dialects.shard_exchange import PartitionOp
from alpha.ir.dialects.shard_work import ContributeOp, ReadOp, UpdateOp
from alpha.ir.learner_words import LearnerWords
from alpha.ir.shapes import element_name, shape_of, words_of
from alpha.ir.sharding.distribution import Distribution
from alpha.ir.sharding.form import ShardMap
from alpha.passes.loops.signature import Signature


class DeviceWork(RoleWork):
    """One role's work, whose programs are kernels on a device."""

    def __init__(
        self,
        prepared: Prepared,
        role: int,
        words: LearnerWords,
        open: Callable[[str], Device],
        begin: int = 0,
    ) -> None:
        """`open` gives a device with the kernels of a text.

        Raises:
            Refusal: `target-unsupported`, for a program that has no kernels.
        """
        super().__init__(prepared, role, words, begin=begin)
        self._emitted = kernels_of(prepared.distribution)
        self._device = open(self._emitted.text)
        self._resident = Resident(self._device)
        self._moving = Moving(self._device)
        self._buffers: dict[tuple[str, tuple[int, ...]], Buffers] = {}
        self._samples: dict[ContributeOp, list[np.ndarray]] = {}
        self._tables: dict[tuple[ShardMap, int], int] = {}
        self._wholes: dict[tuple[UpdateOp, int], np.ndarray] = {}
        self._host_reads: dict[SSAValue, bool] = {}

    def read(self, op: ReadOp) -> list[np.ndarray]:
        """This role's words of each value that is read."""
        return [
            self._looked_at(value, words)
            for value, words in zip(op.values, super().read(op), strict=True)
        ]

    def partition(self, op: PartitionOp, copy: np.ndarray) -> np.ndarray:
        """The words of a copy that this role keeps, selected where the copy is."""
        if not self._resident.has(copy):
            return super().partition(op, copy)
        return self._selected(op.result, self._resident.address(copy))

    def is_finite(self, words: np.ndarray) -> bool:
        """Whether all of these words are finite, by a kernel if only the device has them."""
        if not self._resident.is_stale(words):
            return super().is_finite(words)
        address = self._resident.address(words)
        finite = self._moving.is_finite(address, words.size, words.dtype)
        if not finite:
            self._resident.capture(words)
        return finite

    def state(self, name: str) -> np.ndarray:
        """The role's words of a state, on the host."""
        return self._resident.capture(super().state(name))

    def contribute(self, op: ContributeOp, arguments: Sequence[np.ndarray]) -> list[Parts]:
        """For each result, the sum and count of each of this role's groups."""
        share = self._share(op)
        name = op.callee.string_value()
        types = self._distribution.contributions[name].function_type.outputs.data
        if op not in self._samples:
            owned = self.owner.samples[op.samples.string_value()]
            self._samples[op] = [np.ascontiguousarray(array[share.rows]) for array in owned]
        samples = self._samples[op]
        results: list[Parts] = [{} for _ in types]
        if not share.groups:
            return results
        given = [self._resident.address(array) for array in arguments]
        firsts = accumulate(share.sizes, initial=0)
        for group, count, first in zip(share.groups, share.sizes, firsts, strict=False):
            rows = [
                self._resident.address(array) + first * array.itemsize * _row_words(array)
                for array in samples
            ]
            made = [self._resident.made(shape_of(type), _dtype(type)) for type in types]
            self._run(name, [count], [*given, *rows], map(self._resident.address, made))
            for parts, words in zip(results, made, strict=True):
                parts[group] = Part(self._resident.capture(words), count)
        return results

    def update(self, op: UpdateOp, arguments: Sequence[np.ndarray]) -> list[np.ndarray]:
        """This role's words of each result: its own coordinates, or a copy of them all.

        Where all words of a domain are the role's own coordinates, these alone are computed.

        Raises:
            LocalityError: it has not the words that they are computed from.
        """
        name = op.callee.string_value()
        if op not in self._local:
            require_local(self._holdings, op, self.role, self.prepared.presence(name))
            self._local.add(op)
        program = self._distribution.updates[name]
        signature = Signature.of(program)
        given_words = zip(op.arguments, arguments, strict=True)
        counts = {value: words.size for value, words in given_words}
        own = own_extents(op, signature, counts)
        domains = signature.domains.shapes if signature.domains else ()
        extents = [own.get(number, prod(shape)) for number, shape in enumerate(domains)]
        given = [
            self._whole(op, number, words)
            if isinstance(value.type, OwnedType) and own_shape(shape, own) is None
            else self._resident.address(words)
            for number, (value, words, shape) in enumerate(
                zip(op.arguments, arguments, signature.inputs, strict=True)
            )
        ]
        made = [
            self._resident.made(own_shape(shape, own) or shape_of(type), _dtype(type))
            for shape, type in zip(
                signature.results, program.function_type.outputs.data, strict=True
            )
        ]
        self._run(name, extents, given, map(self._resident.address, made))
        return [
            self._selected(output, self._resident.address(words))
            if isinstance(output.type, OwnedType) and own_shape(shape, own) is None
            else self._looked_at(output, words)
            for output, words, shape in zip(op.outputs, made, signature.results, strict=True)
        ]

    def _whole(self, op: UpdateOp, number: int, words: np.ndarray) -> int:
        """Where an owned argument is in its whole shape; of words that are absent nothing is made.

        There is one such place of each argument, where the same words are absent in every round.
        """
        of = op.arguments[number].type
        assert isinstance(of, OwnedType)
        held = self._wholes.get((op, number))
        if held is None:
            held = self._wholes[op, number] = self._holdings.absent(of.value)
        address, own = self._resident.address(held), self._resident.address(words)
        self._moving.place(own, address, self._table(of), words.size, words.dtype)
        return address

    def _selected(self, value: SSAValue, whole: int) -> np.ndarray:
        """The role's words of an owned value, of which all words lie on the device."""
        of = value.type
        assert isinstance(of, OwnedType)
        count = self._places(of).size
        made = self._resident.made((count,), _dtype(of.value))
        address = self._resident.address(made)
        self._moving.select(whole, address, self._table(of), count, made.dtype)
        return self._looked_at(value, made)

    def _places(self, of: OwnedType) -> np.ndarray:
        return self._holdings.coordinates(of.map.data, self.role, words_of(of.value))

    def _table(self, of: OwnedType) -> int:
        """The table of the role's places of a value, on the device."""
        key = of.map.data, words_of(of.value)
        if key not in self._tables:
            self._tables[key] = self._moving.table(self._places(of))
        return self._tables[key]

    def _looked_at(self, value: SSAValue, words: np.ndarray) -> np.ndarray:
        """Words of a value, on the host if anything there reads them in a round."""
        reads = self._host_reads.get(value)
        if reads is None:
            reads = self._host_reads[value] = read_by_host(value)
        return self._resident.capture(words) if reads else words

    def _run(
        self, program: str, extents: Sequence[int], inputs: Sequence[int], results: Iterable[int]
    ) -> None:
        """Run a program, from addresses to addresses."""
        key = program, tuple(extents)
        buffers = self._buffers.get(key)
        if buffers is None:
            plan = self._emitted.plan(program)
            buffers = self._buffers[key] = Buffers(self._device, plan, extents)
        run_plan(self._device, buffers, inputs, [*results])


def kernels_of(distribution: Distribution) -> Emitted:
    """The kernels of a distribution's programs, and those that move its words.

    Raises:
        Refusal: `target-unsupported`, for a program that has none.
    """
    programs = [*distribution.contributions.values(), *distribution.updates.values()]
    functions = [op.function_type for op in programs]
    types = [type for each in functions for type in (*each.inputs.data, *each.outputs.data)]
    moving = moving_kernels({element_name(type) for type in types})
    return emitted_kernels(ModuleOp([*(op.clone() for op in programs), *moving]))


def _dtype(type: Attribute) -> np.dtype:
    return DTYPES[element_name(type)]


def _row_words(array: np.ndarray) -> int:
    """The words of one sample."""
    return prod(array.shape[1:])
