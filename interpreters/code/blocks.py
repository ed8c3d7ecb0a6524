"""Blocks, prepared: the steps of each, what it hands on, and loops and choices made of them.

Invariant: every pass through a block is counted, so nothing runs for ever.
Refuses: target-unsupported (a branch on an expression).
Entry: `Block`, `BUILDERS`, `successor`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects import cf, func, scf
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Block as SourceBlock
from xdsl.ir import Operation

from alpha.interpreters.code.faults import UndefinedResult
from alpha.interpreters.code.integers import masked, signed
from alpha.interpreters.code.slots import (
    INDEX_BITS,
    RETURNED,
    Builder,
    Environment,
    Meter,
    Prepare,
    Step,
    width_of,
)
from alpha.ir.dialects.linux import ConstantOp
from alpha.ir.linux.constants import value_of


class Block:
    """A block without its terminator: its arguments, steps, and what the terminator hands on."""

    def __init__(
        self, meter: Meter, arguments: Sequence[int], steps: Sequence[Step], handed: Sequence[int]
    ) -> None:
        self.arguments = tuple(arguments)
        self.handed = tuple(handed)
        self._meter = meter
        self._steps = tuple(steps)
        self._cost = len(steps) + 1

    def enter(self, environment: Environment, words: Sequence[object]) -> None:
        """Bind the arguments."""
        for slot, word in zip(self.arguments, words, strict=True):
            environment[slot] = word

    def run(self, environment: Environment) -> None:
        """Do all steps. Raises StepsExceeded, and what they raise."""
        self._meter.spend(self._cost)
        for step in self._steps:
            step(environment)

    def results(self, environment: Environment) -> list[object]:
        """What the terminator hands on."""
        return [environment[slot] for slot in self.handed]


def _for(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, scf.ForOp)
    slots = prepare.slots
    width = width_of(op.lb.type)
    bounds = slots.all((op.lb, op.ub, op.step))
    initial, results = slots.all(op.iter_args), slots.all(op.results)
    body = prepare.block(op.body.block)
    index, carried = body.arguments[0], body.arguments[1:]

    def step(environment: Environment) -> None:
        first, last, by = (signed(environment[slot], width) for slot in bounds)
        if by <= 0:
            raise UndefinedResult(f"a loop by steps of {by}")
        numbers = range(first, last, by)
        if numbers and numbers[-1] + by >= 1 << (width - 1):
            raise UndefinedResult(f"a loop that counts to {numbers[-1] + by} in {width} bits")
        words = [environment[slot] for slot in initial]
        for at in numbers:
            environment[index] = masked(at, width)
            for slot, word in zip(carried, words, strict=True):
                environment[slot] = word
            body.run(environment)
            words = body.results(environment)
        for slot, word in zip(results, words, strict=True):
            environment[slot] = word

    return step


def _if(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, scf.IfOp)
    condition, results = prepare.slots.of(op.cond), prepare.slots.all(op.results)
    regions = [prepare.block(region.block) if region.blocks else None for region in op.regions]
    known = prepare.slots.floats.known_truth

    def step(environment: Environment) -> None:
        chosen = regions[0 if known(environment[condition], "a choice") else 1]
        if chosen is not None:
            chosen.run(environment)
            for slot, word in zip(results, chosen.results(environment), strict=True):
                environment[slot] = word

    return step


def _index_switch(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, scf.IndexSwitchOp)
    flag, results = prepare.slots.of(op.arg), prepare.slots.all(op.results)
    otherwise = prepare.block(op.default_region.block)
    arms = {
        masked(case, INDEX_BITS): prepare.block(region.block)
        for case, region in zip(op.cases.iter_values(), op.case_regions, strict=True)
    }

    def step(environment: Environment) -> None:
        chosen = arms.get(environment[flag], otherwise)
        chosen.run(environment)
        for slot, word in zip(results, chosen.results(environment), strict=True):
            environment[slot] = word

    return step


def _while(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, scf.WhileOp)
    initial, results = prepare.slots.all(op.arguments), prepare.slots.all(op.results)
    before, after = (prepare.block(region.block) for region in op.regions)
    known = prepare.slots.floats.known_truth

    def step(environment: Environment) -> None:
        words: list[object] = [environment[slot] for slot in initial]
        while True:
            before.enter(environment, words)
            before.run(environment)
            goes_on, *words = before.results(environment)
            if not known(goes_on, "a loop"):
                break
            after.enter(environment, words)
            after.run(environment)
            words = after.results(environment)
        for slot, word in zip(results, words, strict=True):
            environment[slot] = word

    return step


def _call(op: Operation, prepare: Prepare) -> Step:
    assert isinstance(op, func.CallOp)
    arguments, results = prepare.slots.all(op.arguments), prepare.slots.all(op.results)
    name, call = op.callee.string_value(), prepare.call

    def step(environment: Environment) -> None:
        words = call(name, [environment[slot] for slot in arguments])
        for slot, word in zip(results, words, strict=True):
            environment[slot] = word

    return step


def _syscall(op: Operation, prepare: Prepare) -> Step:
    operands, results = prepare.slots.all(op.operands), prepare.slots.all(op.results)
    syscall = prepare.syscall

    def step(environment: Environment) -> None:
        word = syscall(op, [environment[slot] for slot in operands])
        for slot, result in zip(results, op.results, strict=True):
            environment[slot] = masked(int(word), width_of(result.type))

    return step


def _system_constant(op: Operation, prepare: Prepare) -> None:
    assert isinstance(op, ConstantOp)
    word = value_of(op.constant.data, prepare.target)
    prepare.slots.fix(op.result, masked(word, width_of(op.result.type)))


BUILDERS: Mapping[str, Builder] = {
    "scf.for": _for,
    "scf.if": _if,
    "scf.index_switch": _index_switch,
    "scf.while": _while,
    "func.call": _call,
    "linux.syscall": _syscall,
    "linux.constant": _system_constant,
}

Successor = Callable[[Environment], SourceBlock | None]
"""Binds the arguments of the block that comes next and says which it is; None at the end."""


def successor(op: Operation, prepare: Prepare) -> Successor:
    """What the terminator of a function's block does.

    Raises:
        Refusal: `target-unsupported` for a terminator that code doesn't have.
    """
    slots = prepare.slots
    match op:
        case func.ReturnOp():
            returned = slots.all(op.arguments)

            def leave(environment: Environment) -> SourceBlock | None:
                environment[RETURNED] = [environment[slot] for slot in returned]
                return None

            return leave
        case cf.BranchOp():
            return _jump(op.successor, slots.all(op.arguments), slots.all(op.successor.args))
        case cf.ConditionalBranchOp():
            ways = [
                _jump(block, slots.all(handed), slots.all(block.args))
                for block, handed in (
                    (op.then_block, op.then_arguments),
                    (op.else_block, op.else_arguments),
                )
            ]
            condition, known = slots.of(op.cond), slots.floats.known_truth
            return lambda env: ways[0 if known(env[condition], "a branch") else 1](env)
        case cf.SwitchOp():
            return _switch(op, prepare)
        case _:
            raise AssertionError(f"{op.name} ends no block of a function")


def _jump(block: SourceBlock, handed: Sequence[int], arguments: Sequence[int]) -> Successor:
    def jump(environment: Environment) -> SourceBlock | None:
        words = [environment[slot] for slot in handed]
        for slot, word in zip(arguments, words, strict=True):
            environment[slot] = word
        return block

    return jump


def _switch(op: cf.SwitchOp, prepare: Prepare) -> Successor:
    slots = prepare.slots
    width = width_of(op.flag.type)
    otherwise = _jump(
        op.default_block, slots.all(op.default_operands), slots.all(op.default_block.args)
    )
    cases = op.case_values
    numbers = cases.get_values() if isinstance(cases, DenseIntOrFPElementsAttr) else ()
    arms = {
        masked(int(number), width): _jump(block, slots.all(handed), slots.all(block.args))
        for number, block, handed in zip(numbers, op.case_blocks, op.case_operand, strict=True)
    }
    flag = slots.of(op.flag)
    return lambda environment: arms.get(environment[flag], otherwise)(environment)


TERMINATORS = (
    func.ReturnOp.name,
    cf.BranchOp.name,
    cf.ConditionalBranchOp.name,
    cf.SwitchOp.name,
)
"""What may end a block of a function."""

INNER_TERMINATORS = (scf.YieldOp.name, scf.ConditionOp.name)
"""What may end a block of a loop or choice."""
