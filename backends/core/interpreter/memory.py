"""Memory of interpreted machine code: buffers with bounds that remember what was written.

An address is a number of 64 bits whose high half says the buffer, so that no offset within 4 KiB of
a buffer reaches another, and one that isn't there is told. Nothing is asked of alignment.

Invariant: a byte that is read was written before, or given; a constant is never written.
Entry: `Memory`, `WordsMemory`, `Buffer`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from alpha.backends.core.carriers import MachineCarrier, NotModelled, Partial, Vector
from alpha.backends.core.interpreter.faults import MachineFault

HALF = 32
"""The bits of an address that count within a buffer."""

MARGIN = 4096
"""Where a buffer begins, less its skew: a multiple of every alignment that is asked for."""

_LOW = (1 << HALF) - 1


class Buffer:
    """So many bytes from an offset on: `content`, and 1 for each byte that was `written`."""

    __slots__ = ("content", "frozen", "start", "written")

    def __init__(self, start: int, bytes: int) -> None:
        self.start = start
        self.content = np.zeros(bytes, np.uint8)
        self.written = bytearray(bytes)
        self.frozen = False


NOWHERE = Buffer(0, 0)
"""What an address names where there is no memory."""


class Memory(ABC):
    """Buffers by the high halves of their addresses; vectors of `carrier` go in and out."""

    carrier: MachineCarrier

    def __init__(self) -> None:
        self.buffers: list[Buffer] = [NOWHERE]

    def allocate(self, bytes: int, skew: int = 0) -> int:
        """The address of so many new bytes, which aren't written yet; `skew` more than aligned."""
        if not 0 <= bytes < 1 << HALF - 1:
            raise ValueError(f"a buffer of {bytes} bytes")
        start = MARGIN + skew
        self.buffers.append(self.made(start, bytes))
        return (len(self.buffers) - 1 << HALF) + start

    def free(self, address: int) -> None:
        """Forget a buffer; its address names no memory from then on."""
        self.buffers[address >> HALF] = NOWHERE

    def constant(self, content: bytes) -> int:
        """The address of bytes that nothing may write."""
        address = self.given(content)
        self.buffers[address >> HALF].frozen = True
        return address

    def given(self, content: bytes, skew: int = 0) -> int:
        """The address of new bytes that are known."""
        address = self.allocate(len(content), skew)
        self.store(address, self.vector(content), len(content))
        return address

    def access(self, address: int, bytes: int) -> tuple[Buffer, int]:
        """The buffer of an access, and its offset there. Raises MachineFault if it isn't there."""
        number = address >> HALF
        buffer = self.buffers[number] if number < len(self.buffers) else NOWHERE
        if buffer is NOWHERE:
            raise MachineFault(f"{bytes} bytes at 0x{address:x}, where there is no memory")
        offset = (address & _LOW) - buffer.start
        size = len(buffer.written)
        if not 0 <= offset <= size - bytes:
            raise MachineFault(f"{bytes} bytes at {offset} of a buffer of {size}")
        return buffer, offset

    def written_to(self, address: int, vector: Vector, bytes: int) -> tuple[Buffer, int]:
        """The same for a store, which marks the bytes as written. Raises MachineFault."""
        buffer, offset = self.access(address, bytes)
        if buffer.frozen:
            raise MachineFault(f"writes {bytes} bytes at {offset} of a constant")
        if vector.nbytes != bytes:
            raise MachineFault(f"writes {vector.nbytes} bytes where {bytes} are meant")
        buffer.written[offset : offset + bytes] = b"\1" * bytes
        return buffer, offset

    def load_partial(self, address: int, bytes: int) -> Vector:
        """So many bytes, with zeros for those that aren't there or were never written."""
        number, low = address >> HALF, address & _LOW
        buffer = self.buffers[number] if number < len(self.buffers) else NOWHERE
        start, size = low - buffer.start, len(buffer.written)
        there = [0 <= start + at < size and buffer.written[start + at] == 1 for at in range(bytes)]
        parts: list[Vector] = []
        at = 0
        while at < bytes:
            end = next((n for n in range(at, bytes) if there[n] != there[at]), bytes)
            run = end - at
            parts.append(self.load(address + at, run) if there[at] else self.vector(b"\0" * run))
            at = end
        return parts[0] if len(parts) == 1 else self.carrier.join(*parts)

    def store_partial(self, address: int, partial: Partial) -> None:
        """The lanes for which there is a truth. Raises NotModelled if that depends on symbols."""
        width = partial.bits // 8
        chosen = self.carrier.bits(partial.truths)
        if not isinstance(chosen, int):
            raise NotModelled("a store of lanes that depend on symbols")
        for lane in range(len(partial.truths)):
            if chosen >> lane & 1:
                picked = self.carrier.shuffle(partial.vector, width, [lane])
                self.store(address + lane * width, picked, width)

    def integer(self, address: int, bits: int = 64) -> int:
        """An unsigned integer. Raises MachineFault, NotModelled."""
        return int(self.carrier.integers(self.load(address, bits // 8), bits)[0])

    def put_integer(self, address: int, value: int, bits: int = 64) -> None:
        """Store the low bits of an integer. Raises MachineFault."""
        low = value & ((1 << bits) - 1)
        self.store(address, self.vector(low.to_bytes(bits // 8, "little")), bits // 8)

    def made(self, start: int, bytes: int) -> Buffer:
        """A new buffer."""
        return Buffer(start, bytes)

    def vector(self, content: bytes) -> Vector:
        """A vector of these bytes."""
        return self.carrier.of_integers(np.frombuffer(content, np.uint8))

    @abstractmethod
    def load(self, address: int, bytes: int) -> Vector:
        """So many bytes. Raises MachineFault."""

    @abstractmethod
    def store(self, address: int, vector: Vector, bytes: int) -> None:
        """Write so many bytes. Raises MachineFault."""


class WordsMemory(Memory):
    """Memory that holds bytes; a vector is a numpy array."""

    def __init__(self, carrier: MachineCarrier) -> None:
        super().__init__()
        self.carrier = carrier

    def load(self, address: int, bytes: int) -> Vector:
        buffer, offset = self.access(address, bytes)
        end = offset + bytes
        if buffer.written.find(0, offset, end) >= 0:
            raise MachineFault(f"reads {bytes} bytes at {offset}, not all of them written")
        return buffer.content[offset:end].copy()

    def store(self, address: int, vector: Vector, bytes: int) -> None:
        buffer, offset = self.written_to(address, vector, bytes)
        buffer.content[offset : offset + bytes] = vector.view(np.uint8)
