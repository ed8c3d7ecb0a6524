"""What a role does in a checkpoint: stores its shard and a manifest, and tells those around it.

Invariant: a role's manifest is stored behind those of its children, of which it says what they
    said; the root's is the last, and what publishes the generation. Nobody goes on before that.
Why: who dies, or can't write, before the root's manifest is there leaves nothing that is published,
    and no other role hears that something is.
Refuses: protocol-choice-noncanonical.
Entry: `checkpoint`.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

import numpy as np

from alpha.interpreters.exchanges import Exchanges
from alpha.interpreters.network.events import Event, Stored, StoreManifest, StoreShard
from alpha.ir.protocol.steps import PUBLISHED, VERDICT_PART, Frame, Step
from alpha.ir.refusals import Refusal

Storing = Generator[Event, "np.ndarray | None", None]

TELLER = 0
"""The role that says which generations are published."""


def checkpoint(
    exchanges: Exchanges, step: Step, role: int, version: int, words: Mapping[str, np.ndarray]
) -> Storing:
    """Store what a role publishes of a version, as its part of the generation of this version.

    Raises:
        Refusal: `protocol-choice-noncanonical` for a verdict that says something else than that
            the generation is published.
    """
    shard = yield StoreShard(version, words)
    assert shard is not None, "what stores a shard says what it stored"
    children: dict[int, np.ndarray] = {}
    frames = list(step.frames)
    while frames and _comes_from_below(frames[0]):
        frame = frames.pop(0)
        children[frame.peer], _ = yield from exchanges.receive(step, frame, version)
    manifest = yield StoreManifest(version, shard, children)
    assert manifest is not None, "what stores a manifest says what it stored"
    verdict = np.array([PUBLISHED], np.int64)
    for frame in frames:
        if not frame.outgoing:
            verdict, _ = yield from exchanges.receive(step, frame, version)
            _require_published(int(verdict[0]), version)
        else:
            said = verdict if frame.part == VERDICT_PART else manifest
            yield from exchanges.send(step, frame, said, version)
    if role == TELLER:
        yield Stored(version)


def _comes_from_below(frame: Frame) -> bool:
    return not frame.outgoing and frame.part != VERDICT_PART


def _require_published(verdict: int, version: int) -> None:
    if verdict != PUBLISHED:
        wanted = f"the word {PUBLISHED}, which says that generation {version} is published"
        raise Refusal("protocol-choice-noncanonical", wanted, str(verdict))
