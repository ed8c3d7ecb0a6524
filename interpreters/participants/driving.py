"""Runs a participant over its TCP edges, and hands what it reports to whoever listens.

Invariant: words become bytes and bytes words without a change of bits. The stream of every edge is
    read to its end before a role has finished; whatever fails closes all edges.
Refuses: what frames, the participant and its store refuse.
Entry: `drive`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from alpha.interpreters.network.events import (
    Advanced,
    Observed,
    Participant,
    Published,
    Receive,
    Send,
    Stored,
    StoreManifest,
    StoreShard,
)
from alpha.interpreters.network.stores import Store, write_part
from alpha.interpreters.participants.endpoint import Endpoint

Report = Advanced | Observed | Published | Stored


def drive(
    participant: Participant,
    endpoint: Endpoint,
    report: Callable[[Report], None],
    store: Store | None = None,
) -> None:
    """Run to the end; what the role publishes is reported only when every edge has ended well.

    A participant that stores parts of generations does so in `store`.

    Raises:
        Refusal: a frame, an agreement or a round is refused.
        PeerLost: a peer is gone, or didn't do its part in time.
        OSError: this host failed, or can't write a part of a generation.
    """
    published: list[Published] = []
    words: np.ndarray | None = None
    try:
        while True:
            event = participant.send(words)
            words = None
            match event:
                case Send():
                    endpoint.send(event.header, _bytes(event.payload))
                case Receive():
                    payload = endpoint.receive(event.header)
                    words = np.frombuffer(payload, event.dtype).copy()
                case StoreShard() | StoreManifest():
                    assert store is not None, "who stores has somewhere to"
                    words = write_part(store, event)
                case Published():
                    published.append(event)
                case _:
                    report(event)
    except StopIteration:
        endpoint.finish()
    finally:
        participant.close()
        endpoint.abort()
    for event in published:
        report(event)


def _bytes(words: np.ndarray) -> bytes:
    """Words as they stand in a frame, little-endian."""
    return np.ascontiguousarray(words, words.dtype.newbyteorder("<")).tobytes()
