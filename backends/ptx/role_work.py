"""A role's local work on a device: its contributions and updates are kernels.

Samples are copied to the device once, and words that the role publishes stay there: what a round
made is what the next one reads, without going through the host. The host gets a copy of every
result, for what is exchanged, looked at and stored; words that come from other roles are copied to
the device when a kernel reads them.

Invariant: of words that a kernel has made, those on the device count, not the host's copy of them.
Entry: `DeviceWork`, `kernels_of`.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from itertools import accumulate
from math import prod

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from alpha.backends.ptx.devices import Device
from alpha.backends.ptx.equality import Emitted, emitted_kernels
from alpha.backends.ptx.running import Buffers, run_plan
from alpha.backends.ptx.staging import own_extents, own_shape
from alpha.interpreters.combine import Part, Parts
from alpha.interpreters.locality import require_local
from alpha.interpreters.prepared import Prepared
from alpha.interpreters.words import DTYPES
from alpha.interpreters.work import RoleWork
from alpha.ir.attributes.shard import OwnedType, located
from alpha.ir.dialects.shard_work import ContributeOp, UpdateOp
from alpha.ir.learner_words import LearnerWords
from alpha.ir.shapes import element_name, shape_of
from alpha.ir.sharding.distribution import Distribution
from alpha.passes.loops.signature import Signature


class Resident:
    """What arrays of the host have copies of on a device, as long as the arrays live."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._addresses: dict[int, int] = {}

    def address(self, array: np.ndarray) -> int:
        """Where an array's words are on the device; they are copied there if they aren't."""
        found = self._addresses.get(id(array))
        if found is None:
            found = self._device.allocate(max(1, array.nbytes))
            if array.size:
                self._device.write(found, np.ascontiguousarray(array))
            self.keep(array, found)
        return found

    def keep(self, array: np.ndarray, address: int) -> None:
        """Say that memory of the device has the words of an array, and is given back with it."""
        self._addresses[id(array)] = address
        weakref.finalize(array, self._forget, id(array))

    def _forget(self, number: int) -> None:
        self._device.free(self._addresses.pop(number))


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
        self._buffers: dict[tuple[str, tuple[int, ...]], Buffers] = {}
        self._samples: dict[ContributeOp, list[np.ndarray]] = {}

    def contribute(self, op: ContributeOp, arguments: Sequence[np.ndarray]) -> list[Parts]:
        """For each result, the sum and count of each of this role's groups."""
        share = self._share(op)
        name = op.callee.string_value()
        types = self._distribution.contributions[name].function_type.outputs.data
        parameters = [self._whole(o, a) for o, a in zip(op.arguments, arguments, strict=True)]
        if op not in self._samples:
            owned = self.owner.samples[op.samples.string_value()]
            self._samples[op] = [np.ascontiguousarray(array[share.rows]) for array in owned]
        samples = self._samples[op]
        results: list[Parts] = [{} for _ in types]
        if not share.groups:
            return results
        given = [self._resident.address(array) for array in parameters]
        firsts = accumulate(share.sizes, initial=0)
        for group, count, first in zip(share.groups, share.sizes, firsts, strict=False):
            rows = [
                self._resident.address(array) + first * array.itemsize * _row_words(array)
                for array in samples
            ]
            made = [np.empty(shape_of(type), DTYPES[element_name(type)]) for type in types]
            sums = self._run(name, [count], [*given, *rows], made)
            for parts, words in zip(results, sums, strict=True):
                parts[group] = Part(words, count)
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
        # The arrays live until their words have been read on the device.
        held = [
            self._whole(value, words) if own_shape(shape, own) is None else words
            for value, words, shape in zip(op.arguments, arguments, signature.inputs, strict=True)
        ]
        given = [self._resident.address(array) for array in held]
        types = program.function_type.outputs.data
        made = [
            np.empty(own_shape(shape, own) or shape_of(type), DTYPES[element_name(type)])
            for shape, type in zip(signature.results, types, strict=True)
        ]
        results = self._run(name, extents, given, made)
        return [
            self._cut(output, words) if own_shape(shape, own) is None else words
            for output, words, shape in zip(op.outputs, results, signature.results, strict=True)
        ]

    def _whole(self, value: SSAValue, words: np.ndarray) -> np.ndarray:
        """A value in its whole shape; what the role hasn't is absent, and no word is made of it."""
        return self._holdings.spread(words, located(value), self.role)

    def _cut(self, output: SSAValue, words: np.ndarray) -> np.ndarray:
        """The role's words of a result that was computed in its whole shape."""
        of = output.type
        if isinstance(of, OwnedType):
            return self._holdings.cut(words, of.map.data, self.role)
        return words

    def _run(
        self,
        program: str,
        extents: Sequence[int],
        inputs: Sequence[int],
        results: Sequence[np.ndarray],
    ) -> list[np.ndarray]:
        """Run a program; its results are copied to the host, and stay on the device with these."""
        key = program, tuple(extents)
        buffers = self._buffers.get(key)
        if buffers is None:
            plan = self._emitted.plan(program)
            buffers = self._buffers[key] = Buffers(self._device, plan, extents)
        addresses = [self._device.allocate(max(1, array.nbytes)) for array in results]
        run_plan(self._device, buffers, inputs, addresses)
        for array, address in zip(results, addresses, strict=True):
            if array.size:
                words = self._device.read(address, array.dtype, array.size)
                array[...] = words.reshape(array.shape)
            self._resident.keep(array, address)
        return list(results)


def kernels_of(distribution: Distribution) -> Emitted:
    """The kernels of a distribution's programs.

    Raises:
        Refusal: `target-unsupported`, for a program that has none.
    """
    programs = [*distribution.contributions.values(), *distribution.updates.values()]
    return emitted_kernels(ModuleOp([op.clone() for op in programs]))


def _row_words(array: np.ndarray) -> int:
    """The words of one sample."""
    return prod(array.shape[1:])
