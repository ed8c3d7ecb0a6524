"""Whatever happens to the bytes of an edge, no wrong payload is handed out and nothing hangs."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from participants import relay
from participants.relay import Fault, Relay
from participants.roles import IDENTITY, LONG, header, run_roles, scripted

from alpha.interpreters.participants.deadlines import Bounds
from alpha.interpreters.participants.endpoint import Endpoint
from alpha.interpreters.participants.failures import PeerLost
from alpha.ir.frames import encode
from alpha.ir.refusals import Refusal

EXTENT, FRAME = 40, 160
HEADERS = [header(0, 1, at, site=at % 3, version=at, extent=EXTENT) for at in range(4)]
PAYLOADS = [random.Random(at).randbytes(EXTENT) for at in range(4)]
FRAMES = [encode(one, IDENTITY, data) for one, data in zip(HEADERS, PAYLOADS, strict=True)]


def send_all(endpoint: Endpoint) -> None:
    for one, data in zip(HEADERS, PAYLOADS, strict=True):
        endpoint.send(one, data)
    endpoint.finish()


class Receiver:
    """The work of receiving all frames; keeps what was handed out even if it fails."""

    def __init__(self) -> None:
        self.received: list[bytes] = []

    def __call__(self, endpoint: Endpoint) -> None:
        for one in HEADERS:
            self.received.append(endpoint.receive(one))
        endpoint.finish()


def outcome(
    *faults: Fault, bounds: Bounds = LONG, identities: dict[int, bytes] | None = None
) -> tuple[list[bytes], Any, Any]:
    """What role 1 was handed, and how roles 1 and 0 ended, with faults on the way from 0 to 1."""
    relays: list[Relay] = []
    receiver = Receiver()

    def between(edge: tuple[int, int], port: int) -> int:
        # Role 1 connects, so what role 0 sends goes back.
        relays.append(Relay(("127.0.0.1", port), back=faults))
        return relays[-1].port

    try:
        works = {0: send_all, 1: receiver}
        results = run_roles(works, bounds=bounds, identities=identities, ports=between)
    finally:
        relays[0].close()
    return receiver.received, results[1], results[0]


def test_without_a_fault_all_arrives() -> None:
    assert outcome() == (PAYLOADS, None, None)


BYTES = [
    (0, "frame-identity"),
    (4, "frame-identity"),
    (39, "frame-identity"),
    (40, "frame-edge"),
    (44, "frame-edge"),
    (48, "frame-edge"),
    (52, "frame-edge"),
    (56, "frame-version"),
    (64, "frame-version"),
    (72, "frame-extent"),
    (87, "frame-extent"),
    (88, "frame-digest"),
    (127, "frame-digest"),
    (128, "frame-digest"),
    (159, "frame-digest"),
]


@pytest.mark.parametrize(("at", "code"), BYTES)
def test_a_flipped_byte(at: int, code: str) -> None:
    received, ended, sender = outcome(relay.flip(FRAME + at))
    assert received == PAYLOADS[:1]
    assert isinstance(ended, Refusal)
    assert ended.code == code
    assert isinstance(sender, PeerLost) or sender is None


ROUTES = {
    "skipped": (relay.drop(FRAME, FRAME), 1, "frame-edge"),
    "doubled": (relay.repeat(FRAME, FRAME), 2, "frame-edge"),
    "swapped": (relay.swap(FRAME, FRAME), 1, "frame-edge"),
    "two replayed": (relay.repeat(FRAME, 2 * FRAME), 3, "frame-edge"),
    "three replayed": (relay.repeat(0, 3 * FRAME), 3, "frame-version"),
    "cut in the header": (relay.drop(FRAME + 20, FRAME - 20), 1, "frame-identity"),
    "cut in the payload": (relay.drop(FRAME + 90, FRAME - 90), 1, "frame-digest"),
    "cut in the digest": (relay.drop(FRAME + 150, 10), 1, "frame-digest"),
    "trailing byte": (relay.append(b"\0"), 4, "frame-extent"),
    "trailing frame": (relay.append(FRAMES[3]), 4, "frame-extent"),
}


@pytest.mark.parametrize("name", ROUTES)
def test_frames_out_of_turn(name: str) -> None:
    fault, whole, code = ROUTES[name]
    received, ended, _ = outcome(fault)
    assert received == PAYLOADS[:whole]
    assert isinstance(ended, Refusal)
    assert ended.code == code


def test_frames_that_differ_in_their_number_alone() -> None:
    """A doubled frame of one operation and version is refused by its sequence."""
    one, other = (header(0, 1, at, extent=8) for at in (0, 1))
    with scripted(encode(one, IDENTITY, bytes(8)) * 2) as (endpoint, _):
        endpoint.receive(one)
        with pytest.raises(Refusal, match="expected sequence 1 in .*, found 0") as caught:
            endpoint.receive(other)
        assert caught.value.code == "frame-version"


def test_a_frame_of_another_run() -> None:
    """Nothing of a peer that was compiled for another run is handed out, in either direction."""
    received, ended, _ = outcome(identities={0: bytes(32)})
    assert received == []
    assert isinstance(ended, Refusal)
    assert ended.code == "frame-identity"


def test_a_frame_of_another_edge() -> None:
    with scripted(encode(header(2, 1, extent=8), IDENTITY, bytes(8))) as (endpoint, _):
        with pytest.raises(Refusal, match="expected sender 0 in .*, found 2") as caught:
            endpoint.receive(header(0, 1, extent=8))
        assert caught.value.code == "frame-edge"


@pytest.mark.parametrize("bytes_of_a_frame", [0, 1, 87, 88, 100, 159])
@pytest.mark.parametrize("fault", [relay.half_close, relay.reset])
def test_an_end_on_the_way(fault: Callable[[int], Fault], bytes_of_a_frame: int) -> None:
    received, ended, _ = outcome(fault(FRAME + bytes_of_a_frame))
    assert received == PAYLOADS[:1] or (fault is relay.reset and received == [])
    assert isinstance(ended, PeerLost)
    assert ended.role == 0
    if fault is relay.half_close:
        inside = f"[frame-extent] expected {FRAME} bytes of the frame from role 0 to role 1"
        assert ended.detail.startswith(inside) == (bytes_of_a_frame > 0)
        assert ended.detail.endswith(f"found the end after {bytes_of_a_frame}") == (
            bytes_of_a_frame > 0
        )


def test_every_byte_flipped_and_every_truncation() -> None:
    """On a connection, as in memory: nothing but the one right frame is handed out."""
    one = header(0, 1, 5, site=3, part=2, version=9, count=4, extent=16)
    frame = encode(one, IDENTITY, bytes(range(16)))
    for at in range(len(frame)):
        changed = bytearray(frame)
        changed[at] ^= 0x10
        with scripted(bytes(changed)) as (endpoint, _), pytest.raises(Refusal):
            endpoint.receive(one)
        with scripted(frame[:at]) as (endpoint, peer):
            peer.close()
            with pytest.raises(PeerLost) as caught:
                endpoint.receive(one)
            assert ("[frame-extent]" in caught.value.detail) == (at > 0)
    with scripted(frame) as (endpoint, _):
        assert endpoint.receive(one) == bytes(range(16))


def test_a_delay_within_the_bound_does_no_harm() -> None:
    assert outcome(relay.delay(FRAME + 100, 0.1)) == (PAYLOADS, None, None)


def test_a_delay_past_the_bound_loses_the_peer() -> None:
    bounds = Bounds(wait_seconds_max=2.0)
    received, ended, _ = outcome(relay.delay(FRAME + 100, 6.0), bounds=bounds)
    assert received == PAYLOADS[:1]
    assert isinstance(ended, PeerLost)
