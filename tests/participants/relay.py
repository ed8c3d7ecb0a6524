"""A relay on an edge that passes bytes on and does one thing wrong with them, by choice.

It stands between who connects and who listens, in user space, and knows nothing of frames: what a
fault does is given in offsets of the stream of one direction. Any two processes can be tried with
it, also ones that weren't written in Python.

    with Relay(("127.0.0.1", port), forth=(flip(91),)) as relay:
        ...  # connect to relay.port instead of port
"""

from __future__ import annotations

import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from types import TracebackType

LOOPBACK = "127.0.0.1"
GLANCE_SECONDS = 0.02
"""How often who waits for a socket looks whether all is over."""


class Order(Enum):
    """What a fault does to a connection instead of passing bytes on."""

    END = "end this direction, as a peer does that has sent all"
    RESET = "reset both connections"


Stream = Iterator[bytes | Order]
Fault = Callable[[Stream], Stream]
"""Makes of the bytes that came those that go on."""


def _cut(stream: Stream, *at: int) -> Iterator[tuple[int, bytes | Order]]:
    """The pieces of a stream with their offsets, cut so that one begins at each of `at`."""
    offset = 0
    for piece in stream:
        if isinstance(piece, Order):
            yield offset, piece
            continue
        while piece:
            size = min([cut - offset for cut in at if offset < cut] + [len(piece)])
            yield offset, piece[:size]
            offset, piece = offset + size, piece[size:]


def flip(at: int, mask: int = 0x01) -> Fault:
    """Change bits of the byte at an offset."""

    def fault(stream: Stream) -> Stream:
        for offset, piece in _cut(stream, at, at + 1):
            if isinstance(piece, bytes) and offset == at:
                yield bytes((piece[0] ^ mask,))
            else:
                yield piece

    return fault


def drop(at: int, size: int) -> Fault:
    """Leave out `size` bytes from an offset, and pass on what follows."""

    def fault(stream: Stream) -> Stream:
        for offset, piece in _cut(stream, at, at + size):
            if isinstance(piece, Order) or not at <= offset < at + size:
                yield piece

    return fault


def repeat(at: int, size: int) -> Fault:
    """Pass on `size` bytes from an offset twice."""

    def fault(stream: Stream) -> Stream:
        again = b""
        for offset, piece in _cut(stream, at, at + size):
            yield piece
            if isinstance(piece, bytes) and at <= offset < at + size:
                again += piece
                if len(again) == size:
                    yield again

    return fault


def swap(at: int, size: int) -> Fault:
    """Pass on `size` bytes from an offset only behind the `size` bytes that follow them."""

    def fault(stream: Stream) -> Stream:
        first = second = b""
        for offset, piece in _cut(stream, at, at + size, at + 2 * size):
            if isinstance(piece, Order) or not at <= offset < at + 2 * size:
                yield piece
            elif offset < at + size:
                first += piece
            else:
                second += piece
                if len(second) == size:
                    yield second + first

    return fault


def append(data: bytes) -> Fault:
    """Pass on more bytes when the stream ends."""

    def fault(stream: Stream) -> Stream:
        yield from stream
        yield data

    return fault


def split(stream: Stream) -> Stream:
    """Pass on every byte by itself."""
    for piece in stream:
        if isinstance(piece, Order):
            yield piece
            continue
        for at in range(len(piece)):
            yield piece[at : at + 1]


def delay(at: int, seconds: float) -> Fault:
    """Pass on `at` bytes, and what follows them only after some time."""

    def fault(stream: Stream) -> Stream:
        for offset, piece in _cut(stream, at):
            if offset == at:
                time.sleep(seconds)
            yield piece

    return fault


def half_close(at: int) -> Fault:
    """Pass on `at` bytes and end this direction; what comes later is lost."""
    return _order_at(at, Order.END)


def reset(at: int) -> Fault:
    """Pass on `at` bytes and reset both connections."""
    return _order_at(at, Order.RESET)


def _order_at(at: int, order: Order) -> Fault:
    def fault(stream: Stream) -> Stream:
        if at == 0:
            yield order
        for offset, piece in _cut(stream, at):
            if offset < at:
                yield piece
            if isinstance(piece, bytes) and offset + len(piece) == at:
                yield order

    return fault


class Relay:
    """Listens on `port` of the loopback address and passes one connection on to `target`.

    `forth` are the faults on the way from who connects to the target, `back` those on the other.
    """

    def __init__(
        self,
        target: tuple[str, int],
        forth: Sequence[Fault] = (),
        back: Sequence[Fault] = (),
    ) -> None:
        self._target = target
        self._forth, self._back = forth, back
        self._over = threading.Event()
        self._turn = threading.Lock()
        self._reset = False
        self._listener = socket.create_server((LOOPBACK, 0))
        self._listener.settimeout(GLANCE_SECONDS)
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def __enter__(self) -> Relay:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End everything; what is still on the way is lost."""
        self._over.set()
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        """Pass one connection on until both directions have ended, or all is over."""
        near = self._accept()
        if near is None:
            return
        with near:
            try:
                far = socket.create_connection(self._target)
            except OSError:
                _linger(near)
                return
            with far:
                for end in (near, far):
                    end.settimeout(GLANCE_SECONDS)
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                back = threading.Thread(target=self._pump, args=(far, near, self._back))
                back.start()
                self._pump(near, far, self._forth)
                back.join()
                if self._reset:
                    _linger(near, far)

    def _accept(self) -> socket.socket | None:
        while not self._over.is_set():
            try:
                return self._listener.accept()[0]
            except TimeoutError:
                continue
        return None

    def _pump(self, source: socket.socket, sink: socket.socket, faults: Sequence[Fault]) -> None:
        """Pass one direction on."""
        stream: Stream = self._arriving(source)
        for fault in faults:
            stream = fault(stream)
        ended = False
        try:
            for piece in stream:
                if piece is Order.RESET:
                    raise ConnectionResetError
                if piece is Order.END:
                    ended = True
                    self._end(sink)
                elif isinstance(piece, bytes) and not ended:
                    self._pass_on(sink, piece)
            if not ended:
                self._end(sink)
        except OSError:
            # One end is gone, so the other one has to know. Both are closed by one thread.
            self._reset = True
            self._over.set()

    def _arriving(self, source: socket.socket) -> Iterator[bytes]:
        while not self._over.is_set():
            if not _is_ready(source, select.POLLIN):
                continue
            with self._alone():
                piece = source.recv(1 << 16)
            if not piece:
                return
            yield piece

    def _pass_on(self, sink: socket.socket, piece: bytes) -> None:
        while piece and not self._over.is_set():
            if _is_ready(sink, select.POLLOUT):
                with self._alone():
                    piece = piece[sink.send(piece) :]

    def _end(self, sink: socket.socket) -> None:
        with self._alone():
            if not self._over.is_set():
                sink.shutdown(socket.SHUT_WR)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Have one direction at a time ask the system.

        The error of a connection is told once: whoever asks next is told that its stream has ended,
        and must know by then that it was reset.
        """
        with self._turn:
            try:
                yield
            except OSError:
                self._reset = True
                self._over.set()
                raise


def _is_ready(end: socket.socket, event: int) -> bool:
    """Wait a moment for an event, or for a failure."""
    poll = select.poll()
    poll.register(end, event)
    return bool(poll.poll(GLANCE_SECONDS * 1000))


def _linger(*ends: socket.socket) -> None:
    """Let closing these sockets reset their connections."""
    for end in ends:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
