"""Functions and their calls, as the target's convention says.

Arguments of a class come in its registers in order, further ones on the stack, 8 bytes each, from
the first one on upwards. Narrow integers come with any bits above.

Entry: `arrive`, `call`, `give_back`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects import func
from xdsl.ir import Operation, SSAValue

from alpha.backends.core.program import Address, Instruction, Value
from alpha.backends.core.registers import View
from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.keys import key_of
from alpha.backends.core.selection.matching import Match, Matcher
from alpha.backends.core.target import Target
from alpha.ir.refusals import Refusal

STACK_BYTES = 8
"""The bytes of an argument on the stack."""


class Place(NamedTuple):
    """Where an argument is: in this register, or so many bytes into the part on the stack."""

    register: int | None
    offset: int


def places(views: Sequence[View], registers: Mapping[str, tuple[int, ...]]) -> list[Place]:
    """Where arguments of these views are passed."""
    used = dict.fromkeys(registers, 0)
    offset = 0
    found: list[Place] = []
    for view in views:
        of = view.of.name
        available = registers.get(of, ())
        if used.get(of, 0) < len(available):
            found.append(Place(available[used[of]], 0))
            used[of] += 1
        else:
            found.append(Place(None, offset))
            offset += STACK_BYTES
    return found


def _views(values: Sequence[SSAValue], target: Target, at: Operation) -> list[View]:
    found: list[View] = []
    for value in values:
        key = key_of(value.type, at)
        if "x" in key:
            wanted = "arguments and results that the calling convention passes in one register"
            raise Refusal("target-unsupported", wanted, key, at)
        found.append(target.views[target.view_of(key)])
    return found


def arrive(
    builder: Builder, arguments: Sequence[SSAValue], target: Target, extended: Mapping[str, str]
) -> None:
    """Bind the parameters of the function whose first block is being written."""
    if not arguments:
        return
    owner = arguments[0].owner
    at = owner if isinstance(owner, Operation) else owner.parent_op()
    assert at is not None
    views = _views(arguments, target, at)
    raw: list[Value | None] = []
    where = places(views, target.convention.arguments)
    for view, place in zip(views, where, strict=True):
        raw.append(None if place.register is None else builder.arrival(view, place.register))
    for argument, view, place, register in zip(arguments, views, where, raw, strict=True):
        if register is None:
            address = Address(based=False, offset=place.offset, area="in")
            (register,) = builder.emit_row(target.moves.load[view.name], (address, ()))
        used = any(True for _ in argument.uses)
        builder.bind(
            argument, _widened(builder, argument, register, extended) if used else register
        )


def call(matcher: Matcher, op: Operation) -> Match:
    """The match of a `func.call`."""
    assert isinstance(op, func.CallOp)
    target = matcher.target
    convention = target.convention
    views = _views(op.operands, target, op)
    result_views = _views(op.results, target, op)
    where = places(views, convention.arguments)
    results = places(result_views, convention.results)
    if any(place.register is None for place in results):
        wanted = "as many results as the calling convention has registers for"
        raise Refusal("target-unsupported", wanted, f"{len(results)} results", op)
    row = next(row for row in target.rows.values() if row.role == "call")
    name = op.callee.string_value()

    def emit(builder: Builder) -> None:
        passed: list[Value] = []
        fixed: list[int | None] = []
        for operand, view, place in zip(op.operands, views, where, strict=True):
            register = builder.value(operand)
            if place.register is None:
                address = Address(based=False, offset=place.offset, area="out")
                builder.emit_row(target.moves.store[view.name], (address, ()), register)
                needed = place.offset + STACK_BYTES
                builder.function.bytes_out = max(builder.function.bytes_out, needed)
            else:
                passed.append(register)
                fixed.append(place.register)
        made = [builder.fresh(view) for view in result_views]
        builder.append(
            Instruction(
                row,
                made,
                passed,
                (name,),
                fixed_defs=tuple(place.register for place in results),
                fixed_uses=tuple(fixed),
                clobbers=(*row.clobbers, *convention.clobbered()),
                origin=builder.origin,
            )
        )
        for result, register in zip(op.results, made, strict=True):
            builder.bind(result, _widened(builder, result, register, matcher.rules.extended))

    return Match(list(op.operands), emit)


def _widened(
    builder: Builder, value: SSAValue, register: Value, extended: Mapping[str, str]
) -> Value:
    """A value as the convention passes it, with zeros above where its type is narrow."""
    row = extended.get(key_of(value.type))
    return register if row is None else builder.emit(row, register)[0]


def give_back(matcher: Matcher, op: Operation) -> Match:
    """The match of a `func.return`.

    A target has one row that returns, or a second one for functions with vectors of more than 16
    bytes, whose upper parts it clears: other code is slow while they are in use.
    """
    target = matcher.target
    views = _views(op.operands, target, op)
    where = places(views, target.convention.results)
    if any(place.register is None for place in where):
        wanted = "as many results as the calling convention has registers for"
        raise Refusal("target-unsupported", wanted, f"{len(where)} results", op)
    returns = [row for row in target.rows.values() if row.role == "return"]

    def emit(builder: Builder) -> None:
        row = returns[-1 if builder.is_wide else 0]
        uses = [builder.value(operand) for operand in op.operands]
        fixed = tuple(place.register for place in where)
        builder.append(Instruction(row, [], uses, fixed_uses=fixed, origin=builder.origin))

    return Match(list(op.operands), emit)
