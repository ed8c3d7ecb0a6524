"""What a participant does that others can see, as the events that its generator yields.

Invariant: a participant touches the network, the version, what it publishes and what it stores only
    by yielding here, so the same generator runs over a simulated network and over sockets.
Entry: `Participant`, `Event` and its kinds.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from alpha.ir.frames import Header

if TYPE_CHECKING:
    from alpha.interpreters.learner import Observation


@dataclass(frozen=True, slots=True)
class Send:
    """Hands a frame to the network; resumes with None when the network has taken it."""

    header: Header
    payload: np.ndarray


@dataclass(frozen=True, slots=True)
class Receive:
    """Waits for the frame with this header; resumes with its words, an array of its own.

    `dtype` says what a word is where frames are bytes; numpy's name of it, little-endian.
    """

    header: Header
    dtype: str = "<f8"


@dataclass(frozen=True, slots=True)
class Advanced:
    """All of this role's words are now of this version."""

    version: int


@dataclass(frozen=True, slots=True)
class Observed:
    """An observation is delivered; only role 0 has any."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class Published:
    """This role's words of each state at this version are published."""

    version: int
    words: Mapping[str, np.ndarray]


@dataclass(frozen=True, slots=True)
class StoreShard:
    """Has this role's words of each state at this version stored.

    Resumes with five words of i64: the bytes of the shard, and the 32 bytes of its SHA-256 as four
    words, little-endian.
    """

    version: int
    words: Mapping[str, np.ndarray]


@dataclass(frozen=True, slots=True)
class StoreManifest:
    """Has the manifest of this role's subtree stored; at the root, this publishes the generation.

    `shard` is what was said of the role's shard, and `children` what each child sent of its own
    manifest. Resumes with the same five words of this one.
    """

    version: int
    shard: np.ndarray
    children: Mapping[int, np.ndarray]


@dataclass(frozen=True, slots=True)
class Stored:
    """The generation of this version is published; only role 0 says so."""

    version: int


Event: TypeAlias = (
    Send | Receive | Advanced | Observed | Published | StoreShard | StoreManifest | Stored
)

Participant: TypeAlias = Generator[Event, np.ndarray | None, None]
"""A role at work: raises `Refusal` to refuse, returns when it has done all of its schedule."""
