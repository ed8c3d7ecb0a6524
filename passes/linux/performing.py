"""Writes what a role does in one operation with others: sends, receives, cuts and puts together.

Invariant: frames go in the order of the step, and what they hold follows from the step alone. Words
    that are handed on are those that were received.
Refuses: what `sums`, `selecting` and `storing` refuse.
Entry: `write_perform`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, groupby

import numpy as np
from xdsl.ir import Attribute, SSAValue

from alpha.ir.attributes.shard import TotalType
from alpha.ir.dialects.protocol_role import PerformOp
from alpha.ir.protocol.crossings import crossing
from alpha.ir.protocol.payloads import words_in
from alpha.ir.protocol.role_steps import read_step
from alpha.ir.protocol.steps import VERDICT_WORDS, Frame, Step
from alpha.ir.sharding.fragments import members
from alpha.passes.linux.agreeing import Agreeing, require_agreed
from alpha.passes.linux.context import RoleContext
from alpha.passes.linux.frames import Sending, receive, receive_all, send, send_all
from alpha.passes.linux.memory import Held, Place, Total, words_of_held
from alpha.passes.linux.selecting import cut, put, selection_of
from alpha.passes.linux.storing import write_checkpoint
from alpha.passes.linux.sums import parts_given_once, write_reduce


def write_perform(context: RoleContext, op: PerformOp) -> None:
    """Write an operation, and bind its results.

    Raises:
        Refusal: `shard-combine-order`, `shard-contribution-missing` for parts that the role
            hasn't, `target-unsupported` for coordinates that are too irregular.
    """
    step = read_step(op)
    operands = [context.values[value] for value in op.arguments] if step.gives else []
    if step.kind == "reduce":
        results = write_reduce(context, step, operands, parts_given_once(op.arguments[0]))
    elif step.kind == "checkpoint":
        write_checkpoint(context, step)
        results = []
    else:
        write = {
            "transfer": _pass_on,
            "replicate": _pass_on,
            "scatter": _scatter,
            "gather": _gather,
            "exchange": _exchange,
            "agree": _agree,
            "decide": _decide,
        }[step.kind]
        first = op.outcomes[0] if op.outcomes else None
        results = write(context, step, operands, first)
    context.values.update(zip(op.outcomes, results, strict=False))


def _held(place: Place, payload: Attribute, count: int) -> Held:
    return Total(place, count) if isinstance(payload, TotalType) else place


def _incoming(context: RoleContext, step: Step, result: SSAValue | None, frame: Frame) -> Place:
    """Where words that are received, and are the result if there is one, come to lie."""
    words = frame.words
    element = str(frame.element)
    if step.outcome is None or words != context.words_held(step.outcome):
        return context.arena.place(words, element)
    return context.result(result, words, element)


def _hear_verdict(context: RoleContext, frame: Frame, place: Place) -> Place | None:
    """The verdict that rides on words that came down, which is looked at when all is passed on."""
    if not frame.riding:
        return None
    heard = context.arena.place(VERDICT_WORDS, "i64")
    emitter = context.emitter
    behind = emitter.offset(emitter.pointer(place), place.bytes)
    operands = (behind, emitter.pointer(heard), emitter.number(heard.bytes))
    emitter.call("alpha_copy", operands)
    return heard


def _pass_on(
    context: RoleContext, step: Step, operands: Sequence[Held], result: SSAValue | None
) -> list[Held]:
    """One value: what the role has, or receives first, goes to all it sends to."""
    words = words_of_held(operands[0]) if step.gives else None
    verdict = words_of_held(operands[1]) if len(operands) > 1 else None
    count = 0
    for frame in step.frames:
        count = frame.count
        if not frame.outgoing:
            words = _incoming(context, step, result, frame)
            receive(context, step, frame, words)
            verdict = _hear_verdict(context, frame, words)
    outgoing = [frame for frame in step.frames if frame.outgoing]
    if outgoing:
        assert words is not None and step.frames[-len(outgoing) :] == tuple(outgoing)
        send_all(context, step, [Sending(frame, words, verdict) for frame in outgoing])
    if verdict is not None:
        require_agreed(context, context.emitter.load(verdict))
    if step.outcome is None:
        return []
    assert words is not None
    if step.gives and isinstance(operands[0], Total):
        count = operands[0].count
    return [_held(words, step.outcome, count)]


def _scatter(
    context: RoleContext, step: Step, operands: Sequence[Held], result: SSAValue | None
) -> list[Held]:
    """Fragments in the order of roles: own first, then those of each child's subtree."""
    assert step.map is not None and step.members is not None and step.outcome is not None
    size = words_in(step.outcome)
    roles = [role for role in step.members if role >= context.role]
    pieces = [context.coordinates(step.map, role, size) for role in roles]
    before = dict(zip(roles, accumulate((each.size for each in pieces), initial=0), strict=False))
    bundle: Place | None = None
    verdict = words_of_held(operands[1]) if len(operands) > 1 else None
    count = 0
    if step.gives:
        whole = words_of_held(operands[0])
        count = operands[0].count if isinstance(operands[0], Total) else 0
        bundle = context.arena.place(sum(each.size for each in pieces), whole.element)
        for role, piece in zip(roles, pieces, strict=True):
            cut(context.emitter, whole, piece, bundle.part(before[role], piece.size))
    for frame in step.frames:
        count = frame.count
        if not frame.outgoing:
            bundle = context.arena.place(frame.words, str(frame.element))
            receive(context, step, frame, bundle)
            verdict = _hear_verdict(context, frame, bundle)
    outgoing = [frame for frame in step.frames if frame.outgoing]
    if outgoing:
        assert bundle is not None and step.frames[-len(outgoing) :] == tuple(outgoing)
        parts = [bundle.part(before[frame.peer], frame.words) for frame in outgoing]
        pairs = zip(outgoing, parts, strict=True)
        send_all(context, step, [Sending(frame, part, verdict) for frame, part in pairs])
    if verdict is not None:
        require_agreed(context, context.emitter.load(verdict))
    assert bundle is not None
    own = bundle.part(0, pieces[0].size if roles[0] == context.role else 0)
    place = context.result(result, own.words, own.element)
    context.copy(own, place)
    return [_held(place, step.outcome, count)]


def _gather(
    context: RoleContext, step: Step, operands: Sequence[Held], result: SSAValue | None
) -> list[Held]:
    """Fragments in the order of roles, handed on together; whole where they all are."""
    assert step.map is not None and step.members is not None
    own = words_of_held(operands[0])
    count = operands[0].count if isinstance(operands[0], Total) else 0
    sizes = {context.role: own.words}
    sizes |= {frame.peer: frame.words for frame in step.frames if not frame.outgoing}
    order = sorted(sizes)
    before = dict(zip(order, accumulate(sizes[role] for role in order), strict=True))
    bundle = own
    if len(sizes) > 1:
        bundle = context.arena.place(sum(sizes.values()), own.element)
        context.copy(own, bundle.part(before[context.role] - own.words, own.words))
    # Who hands on what came from below ends with nothing; directly, own words go out.
    given = bundle if step.outcome is None else own
    for outgoing, frames in groupby(step.frames, lambda frame: frame.outgoing):
        if outgoing:
            send_all(context, step, [Sending(frame, given) for frame in frames])
        else:
            starts = [(frame, before[frame.peer] - frame.words) for frame in frames]
            places = [(frame, bundle.part(at, frame.words)) for frame, at in starts]
            receive_all(context, step, places)
    if step.outcome is None:
        return []
    size = words_in(step.outcome)
    whole = context.result(result, size, own.element)
    at = 0
    for role in step.members:
        mine = context.coordinates(step.map, role, size)
        put(context.emitter, bundle.part(at, mine.size), mine, whole)
        at += mine.size
    return [_held(whole, step.outcome, count)]


def _exchange(
    context: RoleContext, step: Step, operands: Sequence[Held], result: SSAValue | None
) -> list[Held]:
    """What either of two roles has for the other's new coordinates."""
    assert step.map is not None and step.deliver is not None and step.outcome is not None
    own, size = words_of_held(operands[0]), words_in(step.outcome)
    old, new, owners = step.map, step.deliver, context.owners
    before = members(context.coordinates(old, context.role, size))
    after = members(context.coordinates(new, context.role, size))
    place = context.result(result, len(after), own.element)
    kept = crossing(old, context.role, new, context.role, owners, size)
    if len(kept):
        moved = context.arena.place(len(kept), own.element)
        cut(context.emitter, own, selection_of(np.searchsorted(before, kept)), moved)
        put(context.emitter, moved, selection_of(np.searchsorted(after, kept)), place)
    for frame in step.frames:
        passing = context.arena.place(frame.words, own.element)
        if frame.outgoing:
            out = crossing(old, context.role, new, frame.peer, owners, size)
            cut(context.emitter, own, selection_of(np.searchsorted(before, out)), passing)
            send(context, step, frame, passing)
        else:
            back = crossing(old, frame.peer, new, context.role, owners, size)
            receive(context, step, frame, passing)
            put(context.emitter, passing, selection_of(np.searchsorted(after, back)), place)
    return [place]


def _agree(
    context: RoleContext, step: Step, operands: Sequence[Held], result: SSAValue | None
) -> list[Held]:
    """Digests go up, compared on the way; the verdict comes down, and is the same for all."""
    del result
    emitter = context.emitter
    agreeing = Agreeing(context, [words_of_held(operand) for operand in operands])
    verdict: Place | None = None
    for frame in step.frames:
        comes_down = frame.words == VERDICT_WORDS
        if not frame.outgoing:
            heard = context.arena.place(frame.words, "i64")
            receive(context, step, frame, heard)
            if comes_down:
                verdict = heard
            else:
                agreeing.hear(frame.peer, emitter.pointer(heard))
        elif comes_down:
            verdict = agreeing.status if verdict is None else verdict
            send(context, step, frame, verdict)
        else:
            send(context, step, frame, agreeing.record.part(0, frame.words))
    final = emitter.load(agreeing.status if verdict is None else verdict)
    require_agreed(context, final, 1, agreeing.differs)
    return []


def _decide(
    context: RoleContext, step: Step, operands: Sequence[Held], result: SSAValue | None
) -> list[Held]:
    """The authority's word, or the one that is received, is told as it is."""
    del result
    emitter = context.emitter
    word: Place | None = None

    def require(place: Place) -> Place:
        emitter.call("alpha_require_arm", (emitter.load(place), emitter.number(step.arms)))
        return place

    if step.gives:
        word = require(words_of_held(operands[0]))
    for frame in step.frames:
        if frame.outgoing:
            assert word is not None
            send(context, step, frame, word)
        else:
            heard = context.arena.place(1, "i64")
            receive(context, step, frame, heard)
            word = require(heard)
    assert word is not None
    return [word]
