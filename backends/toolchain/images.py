"""The memory of a batch of calls: its control words, and buffers among bytes that nobody may write.

Invariant: behind the batch, every byte that isn't a buffer's or a result's is what it was before;
    if not, the call is named whose buffer is nearest.
Why: the memory is a file without a name, which the process that does the calls maps; so nothing is
    copied, and what was done before a crash can still be read.
Entry: `Image`.
"""

from __future__ import annotations

import bisect
import mmap
import os
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from alpha.backends.toolchain import records
from alpha.backends.toolchain.calls import Buffer, Call, Result, value_of
from alpha.backends.toolchain.control_words import Control
from alpha.backends.toolchain.layouts import Layout
from alpha.backends.toolchain.machines import Machine

GUARD = 0xFB
"""What every byte beside the buffers is: as a float a large number, as an index far outside."""


class Image:
    """The memory of a batch, as `descriptor`, `memory` and the `plain` calls in it; a context.

    `functions` are the functions' places in the driver's table, by name.

    Raises:
        TypeError, OverflowError: an argument can't be passed to any function.
        OSError: there is no room.
    """

    def __init__(
        self, calls: Sequence[Call], functions: Mapping[str, int], machine: Machine
    ) -> None:
        self._calls = calls
        self._layout = Layout(calls)
        self._control = Control(calls, self._layout, functions, machine)
        self.size = self._control.size + self._layout.size
        self.descriptor = os.memfd_create("calls")
        os.ftruncate(self.descriptor, self.size)
        self.memory = mmap.mmap(self.descriptor, self.size)
        whole = np.frombuffer(self.memory, np.uint8)
        self._words = whole[: self._control.size].view(np.uint64)
        self._data = whole[self._control.size :]
        self._words[:] = self._control.words
        self._data[:] = GUARD
        for region in self._layout.regions:
            buffer = calls[region.call].arguments[region.argument]
            assert isinstance(buffer, Buffer)
            words = np.ascontiguousarray(buffer.words).reshape(-1)
            self._data[region.start : region.end] = words.view(np.uint8)

    def __enter__(self) -> Image:
        return self

    def __exit__(self, *error: object) -> None:
        """Give the file up; its memory lasts as long as this object."""
        os.close(self.descriptor)

    @property
    def started(self) -> int:
        """How many calls have begun."""
        return min(int(self._words[records.STARTED]), len(self._calls))

    @property
    def finished(self) -> int:
        """How many calls have returned."""
        return min(int(self._words[records.FINISHED]), len(self._calls))

    @property
    def fences(self) -> list[int]:
        """The offsets in bytes of the pages that nobody may touch."""
        return [self._control.size + fence for fence in self._layout.fences]

    def plain(self) -> list[tuple[str, list[tuple[str, int]], str | None, int]]:
        """Each call without conventions: name, kinds and bits, kind of the result, record.

        A pointer's bits are its offset in bytes of the image, and a record is such an offset.
        """
        moved = self._control.size
        return [
            (
                call.name,
                [(kind, bits + moved * (kind == "pointer")) for kind, bits in arguments],
                call.returns,
                record * records.WORD_BYTES,
            )
            for call, arguments, record in zip(
                self._calls, self._layout.arguments, self._control.records, strict=True
            )
        ]

    def results(self) -> list[Result]:
        """What the finished calls gave, in order."""
        regions = {(region.call, region.start): region for region in self._layout.regions}
        results: list[Result] = []
        for index in range(self.finished):
            call, record = self._calls[index], self._control.records[index]
            buffers = [
                np.frombuffer(bytes(self._data[region.start : region.end]), argument.words.dtype)
                .reshape(argument.words.shape)
                .copy()
                for argument, (_, start) in zip(
                    call.arguments, self._layout.arguments[index], strict=True
                )
                if isinstance(argument, Buffer)
                for region in (regions[index, start],)
            ]
            value = bits = None
            if call.returns is not None:
                in_float = call.returns in ("f32", "f64")
                field = records.RETURNED_FLOAT if in_float else records.RETURNED
                value, bits = value_of(call.returns, int(self._words[record + field]))
            results.append(Result(value, bits, tuple(buffers)))
        return results

    def problems(self, violated: Sequence[str]) -> list[tuple[int, str]]:
        """What finished calls, and one that has begun, did wrong to registers and memory, in order.

        The bytes of the buffers are lost by this. `violated` says what the bits of a record mean.
        """
        found = [*self._unpreserved(violated), *self._stray_writes(), *self._control_writes()]
        return sorted(found, key=lambda problem: problem[0])

    def _unpreserved(self, violated: Sequence[str]) -> Iterator[tuple[int, str]]:
        starts = np.array(self._control.records[: self.finished], np.int64)
        bits = self._words[starts + records.VIOLATIONS]
        for index in np.flatnonzero(bits):
            word = int(bits[index])
            names = [name for bit, name in enumerate(violated) if word >> bit & 1]
            yield int(index), f"it didn't preserve {', '.join(names)}"

    def _stray_writes(self) -> Iterator[tuple[int, str]]:
        """Bytes beside the buffers that were changed, by the nearest end of a buffer."""
        for region in self._layout.regions:
            self._data[region.start : region.end] = GUARD
        strays: dict[tuple[int, bool], list[int]] = {}
        starts = [region.start for region in self._layout.regions]
        for place in map(int, np.flatnonzero(self._data != GUARD)):
            after = bisect.bisect_right(starts, place)
            nearest, behind = after - 1, True
            if after < len(starts) and (
                after == 0 or starts[after] - place < place - self._layout.regions[after - 1].end
            ):
                nearest, behind = after, False
            strays.setdefault((nearest, behind), []).append(place)
        for (nearest, behind), places in strays.items():
            if nearest < 0:
                yield max(0, self.started - 1), "it wrote to memory that isn't its own"
                continue
            region = self._layout.regions[nearest]
            first = places[0] - (region.end if behind else region.start)
            side = "end" if behind else "start"
            yield (
                region.call,
                f"it wrote {len(places)} bytes outside of argument {region.argument}, the first "
                f"{first:+} from its {side}",
            )

    def _control_writes(self) -> Iterator[tuple[int, str]]:
        """Words of the batch itself that were changed, other than those that are meant to be."""
        expected = self._control.words
        expected[self._control.pointers] += self._words[records.BASE]
        expected[self._control.written] = self._words[self._control.written]
        changed = np.flatnonzero(expected != self._words)
        if changed.size:
            after = bisect.bisect_right(self._control.records, int(changed[0]))
            yield max(0, after - 1), "what it was called with was overwritten"
