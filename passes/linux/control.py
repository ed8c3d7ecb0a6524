"""Writes the order in which a role does things: repeats, choices, scopes and publications.

Invariant: operations are written once, in the order of the text, however often they are done.
Entry: `Control`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Block, Region, SSAValue

from alpha.ir.dialects.arith_vectors import CmpiOp
from alpha.ir.dialects.protocol_bodies import YieldOp, arm_values
from alpha.ir.dialects.protocol_choices import ChoiceOp, UntilOp
from alpha.ir.dialects.protocol_control import RepeatOp, ScopeOp
from alpha.ir.dialects.protocol_role import PerformOp, RoleOp
from alpha.ir.dialects.protocol_work import LocalOp, PublishOp
from alpha.ir.dialects.shard_exchange import AdvanceOp
from alpha.ir.protocol.patterns import UNTIL_ARMS
from alpha.ir.refusals import Refusal, name_of
from alpha.passes.linux.carrying import copy_all, fresh, like
from alpha.passes.linux.context import RoleContext
from alpha.passes.linux.local import LocalWriter
from alpha.passes.linux.memory import Held, Place, words_of_held
from alpha.passes.linux.performing import write_perform

LEAVE = 1
"""The word on which a repeat is left before its bound."""


@dataclass(frozen=True)
class Publication:
    """Where the words of a publication are, by state, and its version."""

    places: Mapping[str, Place]
    version: Place
    kept: bool
    """Whether these are copies, with 1 more than the version, and 0 where there were none."""


class Control:
    """Writes the blocks of a role's program."""

    def __init__(self, program: RoleOp, context: RoleContext, local: LocalWriter) -> None:
        self._program = program
        self._context = context
        self._local = local
        self.published: list[Publication] = []
        """What is reported at the end."""

    def write(self, block: Block) -> None:
        """Write the operations of a block.

        Raises:
            Refusal: what the operations refuse.
        """
        for op in block.ops:
            match op:
                case LocalOp():
                    self._local.write(op)
                case PerformOp():
                    write_perform(self._context, op)
                case PublishOp():
                    self._publish(op)
                case ScopeOp():
                    self.write(op.body.block)
                    values = self._context.values
                    for result, value in zip(op.outcomes, arm_values(op.body), strict=True):
                        values[result] = values[value]
                case RepeatOp():
                    self._repeat(op)
                case ChoiceOp():
                    self._choose(op)
                case YieldOp() | UntilOp():
                    return
                case _:
                    wanted = "operations of a role's program"
                    raise Refusal("target-unsupported", wanted, name_of(op), op)

    def _repeat(self, op: RepeatOp) -> None:
        context, emitter = self._context, self._context.emitter
        values = context.values
        arguments = op.body.block.args
        given = [values[value] for value in op.initial]
        carried = [fresh(context, held) for held in given]
        copy_all(context, given, carried)
        values.update(zip(arguments, carried, strict=True))
        end = op.end

        def body() -> None:
            emitter.call("alpha_round", ())
            self.write(op.body.block)

        def hand_on() -> None:
            if end is not None:
                copy_all(context, [values[value] for value in end.values], carried)

        if isinstance(end, UntilOp):
            self._until(op, end, body, hand_on)
        else:

            def turn(number: SSAValue) -> None:
                del number
                body()
                hand_on()

            emitter.loop(op.bound.data, turn)
        values.update(zip(op.outcomes, carried, strict=True))

    def _until(
        self, op: RepeatOp, end: UntilOp, body: Callable[[], None], hand_on: Callable[[], None]
    ) -> None:
        """A repeat that a word may end: `scf.while` counts, and asks whether to go on."""
        emitter = self._context.emitter
        types = [i64, i1]
        first = [emitter.number(0), self._truth(True)]
        before = Block(arg_types=types)
        outside, emitter.block = emitter.block, before
        count, goes_on = before.args
        below = emitter.add(CmpiOp(count, emitter.number(op.bound.data), "ult"))
        both = emitter.add(arith.AndIOp(below, goes_on))
        before.add_op(scf.ConditionOp(both, count))
        after = Block(arg_types=[i64])
        emitter.block = after
        body()
        word = emitter.load(words_of_held(self._context.values[end.selector]))
        emitter.call("alpha_require_arm", (word, emitter.number(UNTIL_ARMS)))
        hand_on()
        stays = emitter.add(CmpiOp(word, emitter.number(LEAVE), "ne"))
        turn = emitter.add(arith.AddiOp(after.args[0], emitter.number(1)))
        after.add_op(scf.YieldOp(turn, stays))
        emitter.block = outside
        outside.add_op(scf.WhileOp(first, [i64], Region(before), Region(after)))

    def _truth(self, value: bool) -> SSAValue:
        return self._context.emitter.add(arith.ConstantOp.from_int_and_width(int(value), i1))

    def _choose(self, op: ChoiceOp) -> None:
        context, emitter = self._context, self._context.emitter
        word = emitter.load(words_of_held(context.values[op.selector]))
        emitter.call("alpha_require_arm", (word, emitter.number(len(op.arms))))
        outcomes: list[Held] = []

        def write_arm(number: int) -> None:
            arm = op.arms[number]
            self.write(arm.block)
            made = [context.values[value] for value in arm_values(arm)]
            if not outcomes:
                outcomes.extend(fresh(context, held) for held in made)
            copy_all(context, made, outcomes)

        def write_from(number: int) -> None:
            if number == len(op.arms) - 1:
                write_arm(number)
                return
            this = emitter.add(CmpiOp(word, emitter.number(number), "eq"))
            taken = emitter.inside(lambda: write_arm(number))
            others = emitter.inside(lambda: write_from(number + 1))
            emitter.block.add_op(scf.IfOp(this, [], Region(taken), Region(others)))

        write_from(0)
        context.values.update(zip(op.outcomes, outcomes, strict=True))

    # Publications

    def _publish(self, op: PublishOp) -> None:
        """What is published is reported when all edges have ended well."""
        context = self._context
        places = dict(self._own_states())
        if self._is_last(op):
            self.published.append(Publication(places, context.version, kept=False))
            return
        copies = {name: like(context, place) for name, place in places.items()}
        for name, place in places.items():
            context.copy(place, copies[name])
        version, emitter = like(context, context.version), context.emitter
        above = emitter.add(arith.AddiOp(emitter.load(context.version), emitter.number(1)))
        emitter.store(above, version)
        self.published.append(Publication(copies, version, kept=True))

    def _own_states(self) -> Sequence[tuple[str, Place]]:
        """What a role publishes: words that it owns, and of copies those of role 0."""
        distribution = self._context.distribution
        assert distribution is not None
        return [
            (name, place)
            for name, place in self._context.states.items()
            if self._context.role == 0 or distribution.map_of(name) is not None
        ]

    def _is_last(self, op: PublishOp) -> bool:
        """Whether no state is advanced behind a publication that is made once."""
        if op.parent is not self._program.body.block:
            return False
        later = op.next_op
        while later is not None:
            if any(isinstance(inner, AdvanceOp) for inner in later.walk()):
                return False
            later = later.next_op
        return True
