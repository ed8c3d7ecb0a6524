"""One operation of a role's program, as it stands: what it is given, its frames, what it makes.

Invariant: everything is read from the operation and from the types of its values; who it is that
    sends and receives, and what a frame has to be, is asked of the modules that look at its kind.
Refuses: protocol-step-frames, protocol-payload-type, protocol-group-scope, source-structure,
    region-symbol-unknown.
Entry: `Performed`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from xdsl.dialects.builtin import IntegerType, i64
from xdsl.ir import Attribute, Operation

from alpha.ir.attributes.protocol_values import at_type, is_common, is_selector
from alpha.ir.attributes.shard import LocatedType, TotalType
from alpha.ir.dialects.protocol_role import FrameOp, PerformOp, SendOp
from alpha.ir.refusals import Refusal
from alpha.ir.shapes import element_of, words_of
from alpha.ir.sharding.distribution import Distribution

DIGEST_WORDS = 5
"""What rides up, or goes up by itself: a word of status, or of bytes, and the four of a digest."""

VERDICT_WORDS = 1
"""What rides down, or comes down by itself."""


@dataclass(frozen=True)
class Content:
    """What a frame has to hold."""

    words: int
    element: Attribute
    count: int = 0
    part: int = 0
    riding: int = 0

    def __str__(self) -> str:
        part = f"part {self.part} " if self.part else ""
        count = f"count {self.count} " if self.count else ""
        riding = f" riding {self.riding}" if self.riding else ""
        return f"{part}{count}words {self.words}{riding} : {self.element}"


def content_of(frame: FrameOp) -> Content:
    """What a frame says that it holds."""
    riding = 0 if frame.riding is None else frame.riding.data
    part, count = frame.part.data, frame.count.data
    return Content(frame.words.data, frame.element, count, part, riding)


def value_of(payload: Attribute) -> Attribute:
    """The type of the words of a payload."""
    return payload.value if isinstance(payload, LocatedType) else payload


def size_of(payload: Attribute) -> int:
    """The words of a whole payload; a selector is one."""
    value = value_of(payload)
    return 1 if isinstance(value, IntegerType) else words_of(value)


def element_in(payload: Attribute) -> Attribute:
    """The type of one word."""
    value = value_of(payload)
    return i64 if isinstance(value, IntegerType) else element_of(value)


@dataclass(frozen=True)
class Performed:
    """What a role performs; `owners` is the number of roles that maps share words among."""

    op: PerformOp
    role: int
    owners: int
    distribution: Distribution | None

    @cached_property
    def given(self) -> list[Attribute]:
        """The payloads that the role gives."""
        return [at_type(value).payload for value in self.op.arguments]

    @cached_property
    def made(self) -> list[Attribute]:
        """The payloads that the role has afterwards."""
        return [at_type(value).payload for value in self.op.outcomes]

    @cached_property
    def frames(self) -> list[FrameOp]:
        """The frames, in their order."""
        return [each for each in self.op.frames.block.ops if isinstance(each, FrameOp)]

    @property
    def sends(self) -> list[FrameOp]:
        """The frames that are sent."""
        return [each for each in self.frames if isinstance(each, SendOp)]

    @property
    def receives(self) -> list[FrameOp]:
        """The frames that are received."""
        return [each for each in self.frames if not isinstance(each, SendOp)]

    def samples(self, payload: Attribute) -> int:
        """The samples behind a payload: of a total all that there are, else 0."""
        if not isinstance(payload, TotalType):
            return 0
        name = payload.samples.string_value()
        learner = None if self.distribution is None else self.distribution.learner
        if learner is None or name not in learner.samples:
            raise Refusal("region-symbol-unknown", "samples of the learner", f"@{name}", self.op)
        return learner.samples[name].count.value.data

    def whole(self, payload: Attribute, riding: int = 0) -> Content:
        """A frame with all words of a payload."""
        element, samples = element_in(payload), self.samples(payload)
        return Content(size_of(payload), element, samples, riding=riding)

    # What is refused

    def require_numbers(self, given: Sequence[int], made: int) -> None:
        """See that the role gives and has as many values as one that does this."""
        if len(self.given) not in given or len(self.made) != made:
            wanted = " or ".join(map(str, given))
            found = f"{len(self.given)} given and {len(self.made)} made"
            raise self.wrong("source-structure", f"{wanted} values given and {made} made", found)

    def require_types(self, wanted: Attribute, found: Attribute) -> None:
        """See that a payload is what the operation makes of another."""
        if wanted != found:
            raise self.wrong("protocol-payload-type", str(wanted), str(found))

    def require_common(self, payload: Attribute) -> None:
        """See that a payload doesn't depend on the role."""
        if not is_common(payload):
            wanted = f"words to {self.op.kind.data} that don't depend on the role"
            raise self.wrong("protocol-payload-type", wanted, str(payload))

    def require_selector(self, payload: Attribute) -> None:
        """See that a payload is one word of 64 bits, as a choice or a verdict is."""
        if not is_selector(payload):
            raise self.wrong("protocol-payload-type", "i64", str(payload))

    def require_content(self, frame: FrameOp, wanted: Content) -> None:
        """See that a frame holds what it has to."""
        found = content_of(frame)
        if found != wanted:
            raise self.other_frame(frame, str(wanted), str(found))

    def require_ascending(self, frames: Sequence[FrameOp]) -> None:
        """See that the peers of some frames ascend, so that none comes twice."""
        for one, other in pairwise(frames):
            if one.peer.data >= other.peer.data:
                wanted = f"a peer above role {one.peer.data} behind it"
                raise self.other_frame(other, wanted, f"role {other.peer.data}")

    def require_once(self, frames: Sequence[FrameOp]) -> None:
        """See that no two of some frames have one peer."""
        seen: set[int] = set()
        for frame in frames:
            if frame.peer.data in seen:
                found = f"another with role {frame.peer.data}"
                raise self.other_frame(frame, "one frame a peer and direction", found)
            seen.add(frame.peer.data)

    def other_frame(self, frame: FrameOp, wanted: str, found: str) -> Refusal:
        """What is wrong with a frame."""
        kind, site = self.op.kind.data, self.op.site.data
        which = f"{wanted} in the {kind} of site {site} at role {self.role}"
        return Refusal("protocol-step-frames", which, found, frame)

    def wrong(self, code: str, wanted: str, found: str, at: Operation | None = None) -> Refusal:
        """What is wrong with the operation."""
        which = f"{wanted} in the {self.op.kind.data} of site {self.op.site.data}"
        return Refusal(code, f"{which} at role {self.role}", found, at or self.op)
