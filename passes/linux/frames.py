"""Writes one frame: sent from where words lie, or received to where they are to lie.

Invariant: what rides on a frame stands right behind its words, so that a payload is one piece of
    memory.
Entry: `send`, `receive`.
"""

from __future__ import annotations

from alpha.ir.protocol.steps import RIDING_BYTES, Frame, Step
from alpha.passes.linux.context import RoleContext
from alpha.passes.linux.emitting import Emitter
from alpha.passes.linux.memory import Place


def send(
    context: RoleContext, step: Step, frame: Frame, place: Place, riding: Place | None = None
) -> None:
    """Send the words of a place, and those of 64 bits that ride behind them."""
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
    _frame(context, "alpha_send", step, frame, place)


def receive(context: RoleContext, step: Step, frame: Frame, place: Place) -> None:
    """Receive words to a place; what rides behind them comes to stand behind it."""
    assert place.words == frame.words and (place.room or not frame.riding)
    _frame(context, "alpha_receive", step, frame, place)


def _frame(context: RoleContext, routine: str, step: Step, frame: Frame, place: Place) -> None:
    emitter: Emitter = context.emitter
    operands = [
        context.edge(frame.peer),
        emitter.number(step.site),
        emitter.number(frame.part),
        emitter.load(context.version),
        emitter.number(frame.count),
        emitter.pointer(place),
        emitter.number(frame.bytes),
    ]
    emitter.call(routine, operands)
