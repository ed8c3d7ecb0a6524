"""A role's end of all its edges: frames are sent and received, and compared with what is expected.

Invariant: a frame's header is compared before its body is read, and a payload is handed out only
    after the digest agrees. A call that fails has closed every edge, since the position in a stream
    is known no more; so no peer waits longer than it takes to see that.
Refuses: frame-identity, frame-edge, frame-version, frame-extent, frame-digest.
Entry: `Endpoint`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import BinaryIO

from alpha.interpreters.participants.deadlines import Bounds, Deadline
from alpha.interpreters.participants.edges import Edge
from alpha.interpreters.participants.establishing import establish
from alpha.interpreters.participants.failures import PeerLost
from alpha.interpreters.participants.listening import Known
from alpha.ir.frames import (
    DIGEST_BYTES,
    HEADER_BYTES,
    Bytes,
    Header,
    check_digest,
    check_header,
    check_payload,
    digest_of,
    encode_header,
    frame_bytes,
)
from alpha.ir.refusals import Refusal


class Endpoint:
    """The connected edges of a role; as a context it closes them at the end in any case."""

    def __init__(
        self,
        role: int,
        identity: bytes,
        edges: Mapping[int, Edge],
        session: Deadline,
        bounds: Bounds,
    ) -> None:
        self.role = role
        self._identity = identity
        self._edges = dict(edges)
        self._session = session
        self._bounds = bounds

    @classmethod
    def establish(
        cls,
        role: int,
        edges: Sequence[int],
        inward: BinaryIO,
        outward: BinaryIO,
        addresses: Mapping[int, str],
        deadline: Deadline,
        identity: bytes,
        bounds: Bounds | None = None,
        known: Known | None = None,
    ) -> Endpoint:
        """Connect to the peers `edges`, ascending, of a run with this identity.

        Ports of lower peers come from `inward`, those of this role's listeners go to `outward`.
        `addresses` says on which IPv4 address a role listens if not on the loopback address;
        what is `known` comes before both.

        Raises:
            PeerLost: a peer didn't announce, listen or connect within the bounds.
            Overdue: nobody reads the ports that this role announces.
            OSError: this host failed, or `inward` or `outward` did.
        """
        bounds = bounds or Bounds()
        connected = establish(role, edges, inward, outward, addresses, deadline, bounds, known)
        return cls(role, identity, connected, deadline, bounds)

    def __enter__(self) -> Endpoint:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.abort()

    def send(self, header: Header, payload: Bytes) -> None:
        """Send a frame; returns when the system has all of it, which may be before it arrives.

        Raises:
            PeerLost: the receiver is gone, has ended its stream, or doesn't read in time.
            Refusal: `frame-version` if version or sequence number are 2^64 or more.
            OSError: this host failed.
        """
        edge = self._edge(header.receiver, header.sender)
        with self._closed_on_failure():
            deadline = self._deadline(edge.peer, "sending a frame")
            head = encode_header(header, self._identity)
            check_payload(header, payload)
            edge.send((head, payload, digest_of(head, payload)), deadline)

    def receive(self, expected: Header) -> bytes:
        """The payload of the next frame on an edge, if it is the expected one.

        Raises:
            Refusal: the frame differs from the expected one, or its digest doesn't agree.
            PeerLost: the sender is gone, ended its stream, or doesn't send in time.
            OSError: this host failed.
        """
        edge = self._edge(expected.sender, expected.receiver)
        with self._closed_on_failure():
            deadline = self._deadline(edge.peer, "receiving a frame")
            head = bytearray(HEADER_BYTES)
            self._read(edge, head, 0, expected, deadline)
            check_header(head, expected, self._identity)
            body = bytearray(expected.extent + DIGEST_BYTES)
            self._read(edge, body, HEADER_BYTES, expected, deadline)
            view = memoryview(body)
            payload, digest = view[: expected.extent], view[expected.extent :]
            check_digest(head, payload, digest, expected)
            return bytes(payload)

    def finish(self) -> None:
        """End all streams, see that every peer ends its own with nothing more in it, and close.

        Raises:
            Refusal: `frame-extent` if a peer sent more than the schedule says.
            PeerLost: a peer is gone, or doesn't end its stream in time.
            OSError: this host failed.
        """
        with self._closed_on_failure():
            for edge in self._edges.values():
                edge.end()
            for edge in self._edges.values():
                more = bytearray(1)
                if edge.receive(more, self._deadline(edge.peer, "waiting for the end")):
                    wanted = f"the end of the stream from role {edge.peer} to role {self.role}"
                    raise Refusal("frame-extent", wanted, f"another byte, 0x{more.hex()}")
        self.abort()

    def abort(self) -> None:
        """Close every edge as it is; does nothing the second time."""
        for edge in self._edges.values():
            edge.close()
        self._edges.clear()

    @contextmanager
    def _closed_on_failure(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.abort()
            raise

    def _edge(self, peer: int, own: int) -> Edge:
        """The edge of a frame; one that isn't there is a bug of the schedule or a closed end."""
        if own != self.role or peer not in self._edges:
            raise ValueError(f"role {self.role} has no open edge of roles {own} and {peer}")
        return self._edges[peer]

    def _deadline(self, peer: int, what: str) -> Deadline:
        """The end of one wait for a peer, which doesn't begin once the session is over."""
        if not self._session.remaining():
            raise PeerLost(peer, f"{self._session.name} were over before {what}")
        return self._session.within(self._bounds.wait_seconds_max, what)

    @staticmethod
    def _read(
        edge: Edge, into: bytearray, before: int, expected: Header, deadline: Deadline
    ) -> None:
        """Read a piece of a frame, behind `before` bytes that have come."""
        came = before + edge.receive(into, deadline)
        if came == before + len(into):
            return
        if not came:
            raise PeerLost(edge.peer, f"it ended its stream before {expected}")
        wanted = f"expected {frame_bytes(expected.extent)} bytes of {expected}"
        raise PeerLost(edge.peer, f"[frame-extent] {wanted}, found the end after {came}")
