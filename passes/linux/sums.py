"""Writes a role's part of a sum: parts are taken, added in the declared order, and handed on.

Invariant: every addition is one of the step, with its operands in its order. A place of a part that
    was added to another is used again.
Refuses: shard-combine-order, shard-contribution-missing.
Entry: `write_reduce`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import SSAValue

from alpha.ir.protocol.payloads import element_in, words_in
from alpha.ir.protocol.steps import Addition, Frame, Step
from alpha.ir.refusals import Refusal
from alpha.passes.linux.agreeing import Agreeing
from alpha.passes.linux.context import RoleContext
from alpha.passes.linux.frames import Sending, goes_in_pairs, receive_all, send_all
from alpha.passes.linux.memory import Held, Part, Parts, Place, Total, words_of_held
from alpha.passes.linux.selecting import cut, run_of


class _Sum:
    """One sum: the parts that the role has of it at each moment."""

    def __init__(self, context: RoleContext, step: Step, operands: Sequence[Held]) -> None:
        given, *copies = operands
        self._context = context
        self._step = step
        self._given = self._own(given)
        self.agreement = None
        if copies:
            self.agreement = Agreeing(context, [words_of_held(copy) for copy in copies])
        self._kept = {part.place for part in self._given.values()}
        self.parts = self._given
        self.apart = False
        self._free: list[Place] = []

    def _own(self, given: Held) -> Parts:
        """The parts that a role has at first: of its samples, or one of words that it gives."""
        if isinstance(given, dict):
            return dict(given)
        assert self._step.contract is not None
        words, number = words_of_held(given), self._step.part
        return {number: Part(words, self._step.contract.groups[number])}

    def slice_up(self) -> None:
        """From here on the parts are those of the role's own coordinates."""
        assert self._step.deliver is not None
        self.parts = {group: self._slice(part) for group, part in self._given.items()}
        self.apart = True

    def _slice(self, part: Part, role: int | None = None) -> Part:
        context, map = self._context, self._step.deliver
        assert map is not None
        who = context.role if role is None else role
        mine = context.coordinates(map, who, part.place.words)
        run = run_of(mine)
        if run is not None and run[1] and role is not None:
            return Part(part.place.part(*run), part.count)
        place = self._room(mine.size, part.place.element)
        cut(context.emitter, part.place, mine, place)
        return Part(place, part.count)

    def _room(self, words: int, element: str) -> Place:
        for place in self._free:
            if (place.words, place.element) == (words, element):
                self._free.remove(place)
                return place
        return self._context.arena.place(words, element)

    def _release(self, place: Place) -> None:
        if place.room and place not in self._kept:
            self._free.append(place)

    def add(self, action: Addition, into_own: bool) -> None:
        """Add one part to another."""
        parts = self.parts
        if not {action.into, action.of} <= parts.keys() or action.into == action.of:
            raise _missing(f"of groups {action.into} and {action.of} to add", parts)
        one, other = parts[action.into], parts.pop(action.of)
        emitter = self._context.emitter
        place = one.place
        if place in self._kept and not into_own:
            place = self._room(place.words, place.element)
        addresses = [emitter.pointer(each) for each in (one.place, other.place, place)]
        if place.words:
            count = emitter.number(place.words)
            emitter.call(f"alpha_add_{place.element}", (*addresses, count))
        self._release(other.place)
        parts[action.into] = Part(place, one.count + other.count)

    def send(self, frames: Sequence[Frame]) -> None:
        """Send parts, or the words of them that the receivers are to have."""
        riding = None if self.agreement is None else self.agreement.record
        places = [self._sent(frame) for frame in frames]
        pairs = zip(frames, places, strict=True)
        send_all(self._context, self._step, [Sending(*each, riding) for each in pairs])
        if self._step.deliver is not None:
            for place in places:
                self._release(place)

    def _sent(self, frame: Frame) -> Place:
        """The words of a frame."""
        parts = self._given if self.apart else self.parts
        if not frame.words:
            return self._context.arena.place(0, str(frame.element))
        if frame.part not in parts:
            raise _missing(f"of group {frame.part} to send", parts)
        part = parts[frame.part]
        if part.count != frame.count:
            wanted = f"a sum of group {frame.part} over {frame.count} samples to send"
            raise Refusal("shard-contribution-missing", wanted, f"one over {part.count}")
        if self._step.deliver is not None:
            return self._slice(part, frame.peer).place
        return part.place

    def receive(self, frames: Sequence[Frame]) -> None:
        """Receive parts, and what rides on them."""
        context = self._context
        places = [self._room(frame.words, str(frame.element)) for frame in frames]
        receive_all(context, self._step, list(zip(frames, places, strict=True)))
        for frame, place in zip(frames, places, strict=True):
            if frame.riding:
                assert self.agreement is not None
                behind = context.emitter.offset(context.emitter.pointer(place), place.bytes)
                self.agreement.hear(frame.peer, behind)
            if frame.words or not frame.riding:
                self.parts[frame.part] = Part(place, frame.count)

    def total(self) -> Total:
        """What is left at the end: one part, with all samples behind it."""
        step = self._step
        assert step.outcome is not None and step.contract is not None
        wanted = step.contract.groups.total
        size = words_in(step.outcome)
        if step.deliver is not None:
            mine = self._context.coordinates(step.deliver, self._context.role, size)
            if not mine.size:
                element = str(element_in(step.outcome))
                return Total(self._context.arena.place(0, element), wanted)
        if len(self.parts) != 1:
            raise _missing("alone, the total, at the end of a sum", self.parts)
        (part,) = self.parts.values()
        if part.count != wanted:
            found = f"one over {part.count}"
            raise Refusal("shard-contribution-missing", f"a total over {wanted} samples", found)
        return Total(part.place, part.count)


def write_reduce(
    context: RoleContext, step: Step, operands: Sequence[Held], given_once: bool
) -> list[Held]:
    """Write a sum; `given_once` says that nobody else reads the parts that are given.

    Raises:
        Refusal: `shard-combine-order`, `shard-contribution-missing` for a program that adds or
            sends parts that the role hasn't.
    """
    sum = _Sum(context, step, operands)
    for action in _at_once(step.actions):
        if isinstance(action, Addition):
            sum.add(action, given_once)
            continue
        if step.deliver is not None and not sum.apart:
            sum.slice_up()
        if action[0].outgoing:
            sum.send(action)
        else:
            sum.receive(action)
    if step.outcome is None:
        return []
    if step.deliver is not None and not sum.apart:
        sum.slice_up()
    total = sum.total()
    return [total] if sum.agreement is None else [total, sum.agreement.status]


def _at_once(actions: Sequence[Frame | Addition]) -> Iterator[Addition | list[Frame]]:
    """The actions, with frames together that may go at once.

    A frame that is received may come before additions that don't touch its part.
    """
    left = list(actions)
    while left:
        first = left.pop(0)
        if isinstance(first, Addition):
            yield first
            continue
        between = 0
        while not first.outgoing and between < len(left) and isinstance(left[between], Addition):
            between += 1
        other = left[between] if between < len(left) else None
        if isinstance(other, Frame) and goes_in_pairs(first, other):
            touched = {first.part}
            for addition in left[:between]:
                assert isinstance(addition, Addition)
                touched |= {addition.into, addition.of}
            if first.outgoing or other.part not in touched:
                del left[between]
                yield [first, other]
                continue
        yield [first]


def _missing(what: str, parts: Parts) -> Refusal:
    found = ", ".join(map(str, sorted(parts)[:8])) or "none"
    return Refusal("shard-combine-order", f"the parts {what}", f"those of groups {found}")


def parts_given_once(value: SSAValue) -> bool:
    """Whether the parts of a contribution are read by one operation alone."""
    return sum(1 for _ in value.uses) == 1
