"""The memory of code: buffers of words of one element type, each with an address of its own.

Invariant: every access lies inside one living buffer, and every word that is read was written;
    anything else is a fault that names the buffer. A float that is stored has the bits of the one
    NaN if it is a NaN.
Why: a buffer knows its element, so that an access of whole words is one step of numpy, and memory
    of expressions works in the same way; an access of another width goes by bytes.
Refuses: target-unsupported (bytes of expressions, buffers beyond a limit).
Entry: `Memory`, `Buffer`.
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from alpha.interpreters.code.faults import OutOfBounds, UninitializedRead
from alpha.ir.refusals import Refusal

DTYPES: dict[str, np.dtype] = {
    "i1": np.dtype(np.bool_),
    "i8": np.dtype(np.uint8),
    "i16": np.dtype(np.uint16),
    "i32": np.dtype(np.uint32),
    "i64": np.dtype(np.uint64),
    "index": np.dtype(np.uint64),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "ptr": np.dtype(np.uint64),
}
"""The words of each element type where they are known; an integer is kept without a sign."""

BYTES_MAX = 1 << 30
"""Most bytes of a buffer that code itself asks for: a global has no more, a frame fewer."""

ADDRESS_FIRST = 1 << 16
ADDRESS_GAP = 1 << 12
"""Buffers lie this far apart at least, so that no small step leads from one into another."""

ALIGNMENT = 64


class Buffer:
    """Words of one element type; `known` says which were written, or is None if all were."""

    def __init__(
        self, name: str, element: str, data: np.ndarray, base: int, known: np.ndarray | None
    ) -> None:
        self.name = name
        self.element = element
        self.data = data
        self.base = base
        self.known = known
        self.size = len(data)
        self.alive = True
        self.constant = False
        self.word_bytes = DTYPES[element].itemsize

    def check(self, start: int, count: int) -> None:
        """See that these words may be accessed.

        Raises:
            OutOfBounds: some lie outside, or the buffer is gone.
        """
        if start < 0 or start + count > self.size or not self.alive:
            if not self.alive:
                raise OutOfBounds(f"{self.name} is gone: its function has returned")
            words = f"word {start}" if count == 1 else f"words {start} to {start + count - 1}"
            raise OutOfBounds(f"{words} of {self.name}, which has {self.size}")

    def check_known(self, start: int, count: int) -> None:
        """See that these words were written.

        Raises:
            UninitializedRead: one was not.
        """
        if self.known is not None and not self.known[start : start + count].all():
            first = start + int(np.argmin(self.known[start : start + count]))
            raise UninitializedRead(f"word {first} of {self.name}, which nothing has written")

    def check_writable(self) -> None:
        """See that the buffer may be written.

        Raises:
            OutOfBounds: it is a constant.
        """
        if self.constant:
            raise OutOfBounds(f"a store to {self.name}, which is constant")

    def load(self, index: int) -> object:
        """One word. Raises as `check` and `check_known` do."""
        if not (0 <= index < self.size and self.alive):
            self.check(index, 1)
        if self.known is not None and not self.known[index]:
            self.check_known(index, 1)
        return self.data[index]

    def store(self, index: int, word: object) -> None:
        """Write one word. Raises as `check` and `check_writable` do."""
        if not (0 <= index < self.size and self.alive) or self.constant:
            self.check(index, 1)
            self.check_writable()
        self.data[index] = word
        if self.known is not None:
            self.known[index] = True

    def load_words(self, start: int, count: int) -> np.ndarray:
        """Words behind one another. Raises as `check` and `check_known` do."""
        self.check(start, count)
        self.check_known(start, count)
        return self.data[start : start + count].copy()

    def store_words(self, start: int, words: np.ndarray) -> None:
        """Write words behind one another. Raises as `check` and `check_writable` do."""
        self.check(start, len(words))
        self.check_writable()
        self.data[start : start + len(words)] = words
        if self.known is not None:
            self.known[start : start + len(words)] = True


class View(Buffer):
    """The words of a buffer from one of them on; it lives as long as the buffer."""

    def __init__(self, whole: Buffer, first: int) -> None:
        self._whole = whole
        known = None if whole.known is None else whole.known[first:]
        base = whole.base + first * whole.word_bytes
        super().__init__(whole.name, whole.element, whole.data[first:], base, known)
        self.constant = whole.constant

    @property
    def alive(self) -> bool:
        """Whether the buffer is still there."""
        return self._whole.alive

    @alive.setter
    def alive(self, alive: bool) -> None:
        self._whole.alive = self._whole.alive and alive


class _Around(Buffer):
    """Words that are counted from an address in no buffer; each access finds where it is."""

    def __init__(self, memory: Memory, address: int, element: str) -> None:
        super().__init__(f"address {address:#x}", element, np.zeros(0), address, None)
        self._memory = memory

    def load(self, index: int) -> object:
        """One word. Raises as `Memory.load` does."""
        return self._memory.load(self.base + index * self.word_bytes, self.element)

    def store(self, index: int, word: object) -> None:
        """Write one word. Raises as `Memory.store` does."""
        self._memory.store(self.base + index * self.word_bytes, self.element, word)


class Memory:
    """All buffers that there are, by address.

    `symbolic` if floats are terms: then a buffer of floats holds their numbers, as int64.
    """

    def __init__(self, symbolic: bool) -> None:
        self.symbolic = symbolic
        self._bases: list[int] = []
        self._buffers: list[Buffer] = []
        self._next = ADDRESS_FIRST

    def place(
        self, name: str, element: str, data: np.ndarray, known: np.ndarray | None = None
    ) -> Buffer:
        """A buffer on these words, which it shares with the caller, at the next free address."""
        buffer = Buffer(name, element, data, self._next, known)
        size = len(data) * buffer.word_bytes
        self._next += -(-(size + ADDRESS_GAP) // ALIGNMENT) * ALIGNMENT
        self._bases.append(buffer.base)
        self._buffers.append(buffer)
        return buffer

    def reserve(self, name: str, element: str, count: int) -> Buffer:
        """A buffer of `count` words that nothing has written.

        Raises:
            Refusal: `target-unsupported`, for more than `BYTES_MAX`.
        """
        size = count * DTYPES[element].itemsize
        if size > BYTES_MAX:
            wanted = f"at most {BYTES_MAX} bytes of {name}"
            raise Refusal("target-unsupported", wanted, str(size))
        floats = element in ("f32", "f64")
        dtype = np.dtype(np.int64) if self.symbolic and floats else DTYPES[element]
        return self.place(name, element, np.zeros(count, dtype), np.zeros(count, bool))

    def mark(self) -> int:
        """How many buffers there are, for `release`."""
        return len(self._buffers)

    def release(self, mark: int) -> None:
        """Let go of the buffers that were placed since the mark; a use of one is a fault."""
        for buffer in self._buffers[mark:]:
            buffer.alive = False
        del self._buffers[mark:], self._bases[mark:]

    def find(self, address: int) -> tuple[Buffer, int]:
        """The buffer that an address lies in, and the bytes from its start.

        Raises:
            OutOfBounds: the address lies in no buffer.
        """
        at = bisect_right(self._bases, address) - 1
        if at >= 0:
            buffer = self._buffers[at]
            offset = address - buffer.base
            if offset < buffer.size * buffer.word_bytes:
                return buffer, offset
            if offset < buffer.size * buffer.word_bytes + ADDRESS_GAP // 2:
                raise OutOfBounds(f"byte {offset} of {buffer.name}, which has {buffer.size} words")
        raise OutOfBounds(f"address {address:#x}, where no buffer is")

    def load(self, address: int, element: str) -> object:
        """One word at an address: from a buffer of its element, or by bytes.

        Raises:
            OutOfBounds, UninitializedRead: as the buffer says.
            Refusal: `target-unsupported` for bytes of expressions.
        """
        buffer, offset = self.find(address)
        if buffer.element == element and offset % buffer.word_bytes == 0:
            return buffer.load(offset // buffer.word_bytes)
        return np.frombuffer(self.read_bytes(address, DTYPES[element].itemsize), DTYPES[element])[0]

    def store(self, address: int, element: str, word: object) -> None:
        """Write one word at an address. Raises as `load` does, and `OutOfBounds` for a constant."""
        buffer, offset = self.find(address)
        if buffer.element == element and offset % buffer.word_bytes == 0:
            buffer.store(offset // buffer.word_bytes, word)
        else:
            self.write_bytes(address, np.array(word, DTYPES[element]).tobytes())

    def view(self, address: int, element: str) -> Buffer:
        """The words of an element type from an address on.

        Only an access is a fault: an address that is computed and never used harms nobody.

        Raises:
            OutOfBounds: words of another element lie there, or a part of a word.
        """
        try:
            buffer, offset = self.find(address)
        except OutOfBounds:
            return _Around(self, address, element)
        if buffer.element != element or offset % buffer.word_bytes:
            raise OutOfBounds(f"{element} words from byte {offset} of {buffer.name}")
        return View(buffer, offset // buffer.word_bytes)

    def read_bytes(self, address: int, count: int) -> bytes:
        """Bytes of one buffer. Raises as `load` does."""
        if count == 0:
            return b""
        buffer, first, words, offset = self._span(address, count)
        buffer.check_known(first, words)
        cut = offset - first * buffer.word_bytes
        return buffer.data[first : first + words].tobytes()[cut : cut + count]

    def write_bytes(self, address: int, content: bytes) -> None:
        """Write bytes to one buffer; a word counts as written if a byte of it is.

        Raises as `load` does, and `OutOfBounds` for a constant.
        """
        if not content:
            return
        buffer, first, words, offset = self._span(address, len(content))
        buffer.check_writable()
        cut = offset - first * buffer.word_bytes
        there = bytearray(buffer.data[first : first + words].tobytes())
        there[cut : cut + len(content)] = content
        buffer.data[first : first + words] = np.frombuffer(bytes(there), buffer.data.dtype)
        if buffer.known is not None:
            buffer.known[first : first + words] = True

    def _span(self, address: int, count: int) -> tuple[Buffer, int, int, int]:
        """The buffer of these bytes, the first word and number of words, the first byte."""
        buffer, offset = self.find(address)
        if self.symbolic and buffer.element in ("f32", "f64"):
            wanted = f"accesses of whole {buffer.element} words to {buffer.name}, which holds terms"
            found = f"{count} bytes from byte {offset}"
            raise Refusal("target-unsupported", wanted, found)
        first, last = offset // buffer.word_bytes, (offset + count - 1) // buffer.word_bytes
        buffer.check(first, last - first + 1)
        return buffer, first, last - first + 1, offset
