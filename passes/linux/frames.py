"""Writes frames: sent from where words lie, or received to where they are to lie.

Invariant: what rides on a frame stands right behind its words, so that a payload is one piece of
    memory. Frames go in the order that is given; two at once are two, one after the other.
Why: a digest hardly takes longer with another one beside it, where the processor has instructions.
Entry: `send`, `send_all`, `receive`, `receive_all`, `goes_in_pairs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.ir import SSAValue

from alpha.ir.protocol.steps import RIDING_BYTES, Frame, Step
from alpha.passes.linux.context import RoleContext
from alpha.passes.linux.emitting import Emitter
from alpha.passes.linux.memory import Place

PAIRED_BYTES_MAX = 1 << 22
"""Frames of more bytes go one by one: two at once need memory for both."""


class Sending(NamedTuple):
    """A frame, the place of its words, and that of the words of 64 bits that ride behind them."""

    frame: Frame
    place: Place
    riding: Place | None = None


def send(
    context: RoleContext, step: Step, frame: Frame, place: Place, riding: Place | None = None
) -> None:
    """Send the words of a place, and those of 64 bits that ride behind them."""
    send_all(context, step, [Sending(frame, place, riding)])


def send_all(context: RoleContext, step: Step, sendings: Sequence[Sending]) -> None:
    """Send frames, two at once where that goes."""
    whole = [(each.frame, _with_riding(context, each)) for each in sendings]
    _frames(context, "alpha_send", step, whole)


def _with_riding(context: RoleContext, sending: Sending) -> Place:
    """Where the words are with what rides behind them."""
    frame, place, riding = sending
    assert place.words == frame.words, f"{place.words} words in a frame of {frame.words}"
    emitter = context.emitter
    if frame.riding:
        assert riding is not None and riding.words >= frame.riding
        if not place.room:
            room = context.arena.place(place.words, place.element)
            context.copy(place, room)
            place = room
        behind = emitter.offset(emitter.pointer(place), place.bytes)
        size = emitter.number(RIDING_BYTES * frame.riding)
        emitter.call("alpha_copy", (emitter.pointer(riding), behind, size))
    return place


def receive(context: RoleContext, step: Step, frame: Frame, place: Place) -> None:
    """Receive words to a place; what rides behind them comes to stand behind it."""
    receive_all(context, step, [(frame, place)])


def receive_all(context: RoleContext, step: Step, frames: Sequence[tuple[Frame, Place]]) -> None:
    """Receive frames to places, two at once where that goes."""
    for frame, place in frames:
        assert place.words == frame.words and (place.room or not frame.riding)
    _frames(context, "alpha_receive", step, frames)


def goes_in_pairs(one: Frame, other: Frame) -> bool:
    """Whether two frames of a step, one after the other in the same direction, may go at once."""
    small = max(one.bytes, other.bytes) <= PAIRED_BYTES_MAX
    return small and one.outgoing == other.outgoing and one.peer != other.peer


def _frames(
    context: RoleContext, routine: str, step: Step, frames: Sequence[tuple[Frame, Place]]
) -> None:
    emitter: Emitter = context.emitter
    left = list(frames)
    while left:
        first, *rest = left
        site, version = emitter.number(step.site), emitter.load(context.version)
        if rest and goes_in_pairs(first[0], rest[0][0]):
            both = [*_operands(context, *first), *_operands(context, *rest[0])]
            emitter.call(f"{routine}_pair", (site, version, *both))
            left = rest[1:]
            continue
        edge, part, count, *payload = _operands(context, *first)
        emitter.call(routine, (edge, site, part, version, count, *payload))
        left = rest


def _operands(context: RoleContext, frame: Frame, place: Place) -> list[SSAValue]:
    """What is said of a frame apart from its operation and its version."""
    emitter = context.emitter
    return [
        context.edge(frame.peer),
        emitter.number(frame.part),
        emitter.number(frame.count),
        emitter.pointer(place),
        emitter.number(frame.bytes),
    ]
