"""Writes the words before the buffers of a batch: the header, a record for each call, two lists.

Invariant: whatever a function may not rely on holds a pattern: registers that aren't passed, the
    bits above a narrow argument, the words between. The stack pointer is at every distance from a
    multiple of 64 in turn that the calling conventions allow.
Entry: `Control`.
"""

from __future__ import annotations

import mmap
from collections.abc import Mapping, Sequence

import numpy as np

from alpha.backends.toolchain import records
from alpha.backends.toolchain.calls import BITS, Call, Kind
from alpha.backends.toolchain.layouts import Layout
from alpha.backends.toolchain.machines import Machine
from alpha.backends.toolchain.records import WORD_BYTES

UNSET = 0x5AD1_C0DE_0BAD_F00D

SHIFTS_BYTES = (0, 16, 32, 48)

WRITTEN_HEADER = (records.STARTED, records.FINISHED, records.BASE)
WRITTEN_RECORD = (records.RETURNED, records.RETURNED_FLOAT, records.VIOLATIONS)
"""The fields that whoever does the calls writes to."""


class Control:
    """The words, as `words`; the buffers of the layout begin `size` bytes behind their beginning.

    `records` are the places of the calls' records in `words`, `pointers` those of the words that
    the address of the batch is to be added to, `written` those that may change otherwise.
    `functions` are the functions' places in the driver's table, by name.
    """

    def __init__(
        self,
        calls: Sequence[Call],
        layout: Layout,
        functions: Mapping[str, int],
        machine: Machine,
    ) -> None:
        kinds: list[list[Kind]] = [[kind for kind, _ in each] for each in layout.arguments]
        self._placed = [records.places(each, machine) for each in kinds]
        self.records: list[int] = []
        length = records.HEADER_WORDS
        for _, stack in self._placed:
            self.records.append(length)
            length += records.RECORD_WORDS + stack + stack % 2
        self.pointers = np.array(
            [
                record + place
                for record, each, (places, _) in zip(self.records, kinds, self._placed, strict=True)
                for kind, place in zip(each, places, strict=True)
                if kind == "pointer"
            ],
            np.int64,
        )
        lists = length
        length += len(self.pointers) + 2 * len(layout.fences)
        self.size = -(-length * WORD_BYTES // mmap.PAGESIZE) * mmap.PAGESIZE
        self.words = np.full(self.size // WORD_BYTES, UNSET, np.uint64)
        self._write_header(lists, layout)
        for index, call in enumerate(calls):
            self._write_record(index, functions[call.name], layout.arguments[index], machine)
        starts = np.array(self.records, np.int64)
        fields = [starts + field for field in WRITTEN_RECORD]
        self.written = np.concatenate([np.array(WRITTEN_HEADER), *fields])

    def _write_header(self, lists: int, layout: Layout) -> None:
        words, count = self.words, len(self.pointers)
        words[records.CALLS] = len(self.records)
        words[records.FIRST] = records.HEADER_WORDS * WORD_BYTES
        words[[records.STARTED, records.FINISHED, records.BASE]] = 0
        words[records.POINTERS] = count
        words[records.POINTERS_AT] = lists * WORD_BYTES
        words[lists : lists + count] = self.pointers * WORD_BYTES
        lists += count
        words[records.FENCES] = len(layout.fences)
        words[records.FENCES_AT] = lists * WORD_BYTES
        for number, fence in enumerate(layout.fences):
            words[lists + 2 * number] = self.size + fence
            words[lists + 2 * number + 1] = mmap.PAGESIZE

    def _write_record(
        self, index: int, function: int, arguments: Sequence[tuple[Kind, int]], machine: Machine
    ) -> None:
        places, stack = self._placed[index]
        start = self.records[index]
        end = start + records.RECORD_WORDS + stack + stack % 2
        record = self.words[start:end]
        record[records.NEXT] = end * WORD_BYTES
        record[records.FUNCTION] = function
        record[records.STACK_WORDS] = stack
        record[records.SHIFT] = SHIFTS_BYTES[index % len(SHIFTS_BYTES)]
        record[records.VIOLATIONS] = 0
        for (kind, bits), place in zip(arguments, places, strict=True):
            record[place] = bits + self.size if kind == "pointer" else passed(kind, bits, machine)


def passed(kind: Kind, bits: int, machine: Machine) -> int:
    """The word in which a value is passed: what nobody may rely on is the pattern's."""
    width = BITS[kind]
    if kind[0] == "i" and width < machine.extended_bits:
        if kind != "i1" and bits >> width - 1:
            bits |= (1 << machine.extended_bits) - (1 << width)
        width = machine.extended_bits
    return UNSET >> width << width | bits
