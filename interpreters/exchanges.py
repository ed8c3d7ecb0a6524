"""What a role does in one operation of a protocol: sends, receives, adds, cuts and puts together.

Invariant: frames go in the order of the step, and what they hold follows from the step alone. Words
    that are handed on are those that were received; only sums are computed, by the additions of
    the step, and a choice's word is told as it is.
Refuses: data-parallel-replicas-diverge, protocol-choice-noncanonical, shard-combine-order,
    shard-contribution-missing, and through the network what frames refuse.
Entry: `Exchanges`, `Sending`, `Receiving`, `require_canonical`.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import accumulate

import numpy as np
from xdsl.ir import Attribute

from alpha.interpreters.agreements import Agreement, require_agreed, verdict_words
from alpha.interpreters.carriers import Carrier
from alpha.interpreters.combine import Part, Parts
from alpha.interpreters.network.events import Event, Receive, Send
from alpha.interpreters.payloads import RAW, dtype_of, joined, split
from alpha.interpreters.work import Held, Total
from alpha.ir.attributes.protocol_values import is_selector
from alpha.ir.attributes.shard import OwnedType, TotalType
from alpha.ir.frames import Header
from alpha.ir.protocol.crossings import crossing
from alpha.ir.protocol.payloads import value_of, words_in
from alpha.ir.protocol.steps import VERDICT_WORDS, Addition, Frame, Step
from alpha.ir.refusals import Refusal
from alpha.ir.selections import Selection
from alpha.ir.shapes import element_name, shape_of
from alpha.ir.sharding.fragments import members
from alpha.ir.sharding.maps import ShardMap
from alpha.ir.sharding.places import Owned

Performance = Generator[Event, "np.ndarray | None", list[Held]]
"""What yields a role's frames, and returns what it has afterwards, in the order of the results."""

Sending = Generator[Event, "np.ndarray | None", None]
Receiving = Generator[Event, "np.ndarray | None", tuple[np.ndarray, np.ndarray]]


class Exchanges:
    """A role's side of every operation, and how many frames went before on each of its edges."""

    def __init__(self, role: int, owners: int, carrier: Carrier) -> None:
        self._role = role
        self._owners = owners
        self._carrier = carrier
        self._sent: dict[int, int] = {}
        self._received: dict[int, int] = {}
        self._members: dict[tuple[ShardMap, int, int], np.ndarray] = {}
        self._places: dict[tuple[ShardMap, Selection, int], dict[int, int]] = {}

    def perform(self, step: Step, operands: Sequence[Held], version: int) -> Performance:
        """Do the role's part of an operation at a version of the state.

        Raises:
            Refusal: `data-parallel-replicas-diverge`, `protocol-choice-noncanonical`.
        """
        performance = {
            "transfer": self._pass_on,
            "replicate": self._pass_on,
            "reduce": self._reduce,
            "scatter": self._scatter,
            "gather": self._gather,
            "exchange": self._exchange,
            "agree": self._agree,
            "decide": self._decide,
        }[step.kind]
        return performance(step, operands, version)

    def coordinates(self, map: ShardMap, role: int, size: int) -> np.ndarray:
        """The coordinates of a role in a domain of this size, ascending."""
        found = self._members.get((map, role, size))
        if found is None:
            found = members(map.piece(role, self._owners, size))
            self._members[map, role, size] = found
        return found

    # Frames

    def send(
        self,
        step: Step,
        frame: Frame,
        words: np.ndarray,
        version: int,
        riding: np.ndarray | None = None,
    ) -> Sending:
        """Send words, and those of 64 bits that ride behind them."""
        assert words.size == frame.words, f"{words.size} words in a frame of {frame.words}"
        payload = words.reshape(-1)
        if frame.riding:
            assert riding is not None
            payload = joined(payload, riding, self._carrier)
        yield Send(self._header(step, frame, version, self._sent), payload)

    def receive(self, step: Step, frame: Frame, version: int) -> Receiving:
        """The words of a frame, and those that ride behind them."""
        dtype = RAW if frame.riding else dtype_of(frame.element)
        payload = yield Receive(self._header(step, frame, version, self._received), dtype)
        assert payload is not None, "a receive resumes with words"
        return split(payload, frame) if frame.riding else (payload, payload[:0])

    def _header(self, step: Step, frame: Frame, version: int, numbers: dict[int, int]) -> Header:
        sequence = numbers.get(frame.peer, 0)
        numbers[frame.peer] = sequence + 1
        ends = (self._role, frame.peer) if frame.outgoing else (frame.peer, self._role)
        return Header(*ends, step.site, frame.part, version, sequence, frame.count, frame.bytes)

    # Operations

    def _pass_on(self, step: Step, operands: Sequence[Held], version: int) -> Performance:
        """One value: what the role has, or receives first, goes to all it sends to."""
        words = _words(operands[0]) if step.gives else None
        verdict = _verdict(operands)
        count = 0
        for frame in step.frames:
            count = frame.count
            if frame.outgoing:
                assert words is not None
                yield from self.send(step, frame, words, version, verdict)
            else:
                words, verdict = yield from self.receive(step, frame, version)
        _require_verdict(verdict, version)
        if step.outcome is None:
            return []
        assert words is not None
        if step.gives and isinstance(operands[0], Total):
            count = operands[0].count
        return [_held(words, step.outcome, count)]

    def _reduce(self, step: Step, operands: Sequence[Held], version: int) -> Performance:
        """Parts are taken, added and handed on; of a direct exchange only own words are kept."""
        given, *copies = operands
        own = self._own_parts(step, given)
        agreement = Agreement([_words(copy) for copy in copies])
        parts, apart = own, False
        for action in step.actions:
            if isinstance(action, Frame) and step.deliver is not None and not apart:
                parts, apart = self._sliced(own, step.deliver), True
            if isinstance(action, Addition):
                if not {action.into, action.of} <= parts.keys() or action.into == action.of:
                    raise _missing(f"of groups {action.into} and {action.of} to add", parts)
                one, other = parts[action.into], parts.pop(action.of)
                words = self._carrier.apply("arith.addf", one.words, other.words)
                parts[action.into] = Part(words, one.count + other.count)
            elif action.outgoing:
                words = self._part_to_send(step, action, own if apart else parts)
                yield from self.send(step, action, words, version, agreement.words())
            else:
                words, riding = yield from self.receive(step, action, version)
                if action.riding:
                    agreement.hear(action.peer, riding)
                if action.words or not action.riding:
                    shape = _shape(own, step.outcome) if step.deliver is None else words.shape
                    parts[action.part] = Part(words.reshape(shape), action.count)
        if step.outcome is None:
            return []
        if step.deliver is not None and not apart:
            parts = self._sliced(own, step.deliver)
        total = self._total(step, parts)
        return [total, verdict_words(agreement.status).reshape(())] if copies else [total]

    def _own_parts(self, step: Step, given: Held) -> Parts:
        """The parts that a role has at first: of its samples, or one of words that it gives."""
        if isinstance(given, dict):
            return dict(given)
        assert step.contract is not None
        return {step.part: Part(_words(given), step.contract.groups[step.part])}

    def _part_to_send(self, step: Step, frame: Frame, parts: Parts) -> np.ndarray:
        """The words of a part, those of the receiver's coordinates where it is sent directly."""
        if not frame.words:
            return self._nothing(step)
        if frame.part not in parts:
            raise _missing(f"of group {frame.part} to send", parts)
        if parts[frame.part].count != frame.count:
            wanted = f"a sum of group {frame.part} over {frame.count} samples to send"
            found = f"one over {parts[frame.part].count}"
            raise Refusal("shard-contribution-missing", wanted, found)
        words = parts[frame.part].words
        return words if step.deliver is None else self._slice(words, step.deliver, frame.peer)

    def _nothing(self, step: Step) -> np.ndarray:
        """No words, of the right type."""
        element = "f64" if step.outcome is None else element_name(value_of(step.outcome))
        return self._carrier.constant(0.0, element).reshape(1)[:0]

    def _sliced(self, parts: Parts, map: ShardMap) -> Parts:
        """The words of this role's coordinates of each part."""
        return {
            group: Part(self._slice(part.words, map, self._role), part.count)
            for group, part in parts.items()
        }

    def _slice(self, whole: np.ndarray, map: ShardMap, role: int) -> np.ndarray:
        return whole.reshape(-1)[self.coordinates(map, role, whole.size)]

    def _total(self, step: Step, parts: Parts) -> Held:
        """What is left at the end of a sum: one part, with all samples behind it."""
        assert step.outcome is not None
        size = words_in(step.outcome)
        if step.deliver is not None and not self.coordinates(step.deliver, self._role, size).size:
            assert step.contract is not None
            count = step.contract.groups.total
            return _held(self._nothing(step), step.outcome, count)
        if len(parts) != 1:
            raise _missing("alone, the total, at the end of a sum", parts)
        (part,) = parts.values()
        assert step.contract is not None
        if part.count != step.contract.groups.total:
            wanted = f"a total over {step.contract.groups.total} samples"
            raise Refusal("shard-contribution-missing", wanted, f"one over {part.count}")
        return _held(part.words, step.outcome, part.count)

    def _scatter(self, step: Step, operands: Sequence[Held], version: int) -> Performance:
        """Fragments in the order of roles: own first, then those of each child's subtree."""
        assert step.map is not None and step.members is not None and step.outcome is not None
        bundle: np.ndarray | None = None
        verdict = _verdict(operands)
        count = 0
        if step.gives:
            whole, map = _words(operands[0]), step.map
            count = operands[0].count if isinstance(operands[0], Total) else 0
            bundle = np.concatenate([self._slice(whole, map, role) for role in step.members])
        own = len(self.coordinates(step.map, self._role, words_in(step.outcome)))
        for frame in step.frames:
            count = frame.count
            if frame.outgoing:
                assert bundle is not None
                at = self._before(step, words_in(step.outcome))[frame.peer]
                words = bundle[at : at + frame.words]
                yield from self.send(step, frame, words, version, verdict)
            else:
                bundle, verdict = yield from self.receive(step, frame, version)
        _require_verdict(verdict, version)
        assert bundle is not None
        return [_held(bundle[:own].copy(), step.outcome, count)]

    def _before(self, step: Step, size: int) -> dict[int, int]:
        """How many words stand before each member's in the bundle that begins with this role's."""
        assert step.map is not None and step.members is not None
        key = (step.map, step.members, size)
        if key not in self._places:
            roles = [role for role in step.members if role >= self._role]
            sizes = (len(self.coordinates(step.map, role, size)) for role in roles)
            self._places[key] = dict(zip(roles, accumulate(sizes, initial=0), strict=False))
        return self._places[key]

    def _gather(self, step: Step, operands: Sequence[Held], version: int) -> Performance:
        """Fragments in the order of roles, handed on together; whole where they all are."""
        assert step.map is not None and step.members is not None
        own = _words(operands[0])
        count = operands[0].count if isinstance(operands[0], Total) else 0
        fragments: dict[int, np.ndarray] = {self._role: own}
        for frame in step.frames:
            if frame.outgoing:
                # Who hands on what came from below ends with nothing; directly, own words go out.
                words = _bundle(fragments) if step.outcome is None else own
                yield from self.send(step, frame, words, version)
            else:
                fragments[frame.peer], _ = yield from self.receive(step, frame, version)
        if step.outcome is None:
            return []
        bundle, size = _bundle(fragments), words_in(step.outcome)
        whole = self._put_together(bundle, step.map, step.members, size)
        return [_held(whole, step.outcome, count)]

    def _put_together(
        self, bundle: np.ndarray, map: ShardMap, roles: Selection, size: int
    ) -> np.ndarray:
        whole = np.empty(size, bundle.dtype)
        at = 0
        for role in roles:
            mine = self.coordinates(map, role, size)
            whole[mine] = bundle[at : at + len(mine)]
            at += len(mine)
        return whole

    def _exchange(self, step: Step, operands: Sequence[Held], version: int) -> Performance:
        """What either of two roles has for the other's new coordinates."""
        assert step.map is not None and step.deliver is not None and step.outcome is not None
        own = _words(operands[0])
        size = words_in(step.outcome)
        old, new = step.map, step.deliver
        before = self.coordinates(old, self._role, size)
        after = self.coordinates(new, self._role, size)
        kept = crossing(old, self._role, new, self._role, self._owners, size)
        words = np.empty(len(after), own.dtype)
        words[np.searchsorted(after, kept)] = own[np.searchsorted(before, kept)]
        for frame in step.frames:
            if frame.outgoing:
                out = crossing(old, self._role, new, frame.peer, self._owners, size)
                taken = own[np.searchsorted(before, out)]
                yield from self.send(step, frame, taken, version)
            else:
                back = crossing(old, frame.peer, new, self._role, self._owners, size)
                received, _ = yield from self.receive(step, frame, version)
                words[np.searchsorted(after, back)] = received
        return [words]

    def _agree(self, step: Step, operands: Sequence[Held], version: int) -> Performance:
        """Digests go up, compared on the way; the verdict comes down, and is the same for all."""
        agreement = Agreement([_words(operand) for operand in operands])
        verdict: np.ndarray | None = None
        for frame in step.frames:
            comes_down = frame.words == VERDICT_WORDS
            if not frame.outgoing:
                words, _ = yield from self.receive(step, frame, version)
                if comes_down:
                    verdict = words
                else:
                    agreement.hear(frame.peer, words)
            elif comes_down:
                verdict = verdict_words(agreement.status) if verdict is None else verdict
                yield from self.send(step, frame, verdict, version)
            else:
                yield from self.send(step, frame, agreement.words(), version)
        final = agreement.status if verdict is None else int(verdict[0])
        require_agreed(final, version + 1, agreement.differs)
        return []

    def _decide(self, step: Step, operands: Sequence[Held], version: int) -> Performance:
        """The authority's word, or the one that is received, is told as it is."""
        word = _words(operands[0]).reshape(1) if step.gives else None
        if word is not None:
            require_canonical(int(word[0]), step.arms)
        for frame in step.frames:
            if frame.outgoing:
                assert word is not None
                yield from self.send(step, frame, word, version)
            else:
                word, _ = yield from self.receive(step, frame, version)
                require_canonical(int(word[0]), step.arms)
        assert word is not None
        return [word.reshape(())]


def _missing(what: str, parts: Parts) -> Refusal:
    """A program adds or sends parts that the role hasn't."""
    found = ", ".join(map(str, sorted(parts)[:8])) or "none"
    return Refusal("shard-combine-order", f"the parts {what}", f"those of groups {found}")


def require_canonical(word: int, arms: int) -> None:
    """See that a word is the number of an arm.

    Raises:
        Refusal: `protocol-choice-noncanonical`.
    """
    if not 0 <= word < arms:
        wanted = f"a word from 0 to {arms - 1}"
        raise Refusal("protocol-choice-noncanonical", wanted, str(word))


def _verdict(operands: Sequence[Held]) -> np.ndarray | None:
    """The verdict that a root has beside what it sends down, or None."""
    return _words(operands[1]).reshape(1) if len(operands) > 1 else None


def _require_verdict(verdict: np.ndarray | None, version: int) -> None:
    """See that the copies of a version were equal, where a verdict was heard."""
    if verdict is not None and verdict.size:
        require_agreed(int(verdict[0]), version)


def _words(held: Held) -> np.ndarray:
    """The words of what a role has, apart from a count."""
    if isinstance(held, Total):
        return held.words
    assert isinstance(held, np.ndarray), "no parts of a sum"
    return held


def _held(words: np.ndarray, payload: Attribute, count: int) -> Held:
    """Words as what a role has of a payload: in its shape, with the count of a total."""
    owned = isinstance(payload, OwnedType) or (
        isinstance(payload, TotalType) and isinstance(payload.where.data, Owned)
    )
    if not owned:
        words = words.reshape(() if is_selector(payload) else shape_of(value_of(payload)))
    return Total(words, count) if isinstance(payload, TotalType) else words


def _bundle(fragments: dict[int, np.ndarray]) -> np.ndarray:
    """Fragments one behind the other, in the order of roles."""
    return np.concatenate([fragments[role] for role in sorted(fragments)])


def _shape(own: Parts, outcome: Attribute | None) -> tuple[int, ...]:
    """The shape of a part: that of the role's own, or of the total."""
    if own:
        return next(iter(own.values())).words.shape
    return (-1,) if outcome is None else shape_of(value_of(outcome))
