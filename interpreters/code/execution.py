"""Runs functions of the code level: `func`, `scf`, `cf`, `arith`, `math`, `memref`, `vector`.

Invariant: on words, a function computes what a target that follows the IR computes, bit for bit;
    on terms, integers and addresses are known and floats are expressions, so that running a
    function says what every word in memory becomes, for every input.
Why: a lowering is trusted because its result can be run, and proved, beside what it came from.
Refuses: target-unsupported (an operation or type that code doesn't have, by name; a branch on an
    expression).
Entry: `Code`.

A function is prepared when it is first called: each operation becomes one Python function that
reads and writes slots of a list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects import func, memref
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, MemRefType, ModuleOp, UnitAttr
from xdsl.ir import Attribute, Operation
from xdsl.ir import Block as SourceBlock

from alpha.interpreters.carriers import Carrier
from alpha.interpreters.code import accesses, elementwise, exact, sha256, vectors
from alpha.interpreters.code.blocks import (
    BUILDERS,
    INNER_TERMINATORS,
    TERMINATORS,
    Block,
    Successor,
    successor,
)
from alpha.interpreters.code.faults import DepthExceeded
from alpha.interpreters.code.floats import Floats, FloatTerms, FloatWords
from alpha.interpreters.code.integers import masked
from alpha.interpreters.code.memory import DTYPES, Buffer, Memory
from alpha.interpreters.code.slots import (
    RETURNED,
    Builder,
    Environment,
    Meter,
    Prepare,
    Slots,
    Step,
    element_text,
    is_float,
    unsupported,
    width_of,
)
from alpha.interpreters.terms.carrier import Terms
from alpha.ir.dialects.linux import TextOp
from alpha.ir.linux.calls import TARGETS
from alpha.ir.refusals import Refusal

STEPS_MAX = 200_000_000
DEPTH_MAX = 48
"""Most nested calls; each costs Python some ten frames of its own thousand."""

Syscall = Callable[[Operation, list[Any]], int]
"""Does a `linux.syscall`: given the operation and the words of its operands, gives its result."""

_BUILDERS: dict[str, Builder] = {
    **BUILDERS,
    **accesses.BUILDERS,
    **elementwise.BUILDERS,
    **exact.BUILDERS,
    **sha256.BUILDERS,
    **vectors.BUILDERS,
}


class Function:
    """A function, prepared: its blocks, what follows each, and its environment at the start."""

    def __init__(self, op: func.FuncOp, slots: Slots) -> None:
        self.name = op.sym_name.data
        self.types = tuple(op.function_type.inputs.data)
        self.slots = slots
        self.entry = op.body.blocks[0]
        self.blocks: dict[SourceBlock, tuple[Block, Successor]] = {}

    def run(self, words: Sequence[Any]) -> list[Any]:
        """What the function returns for these arguments."""
        environment: Environment = list(self.slots.template)
        self.blocks[self.entry][0].enter(environment, words)
        at: SourceBlock | None = self.entry
        while at is not None:
            block, follow = self.blocks[at]
            block.run(environment)
            at = follow(environment)
        return environment[RETURNED]


class Code:
    """The functions and buffers of a module, on one carrier.

    `memory` is what addresses point to: a system call that is handed a pointer reads it there.
    """

    def __init__(
        self,
        module: ModuleOp,
        carrier: Carrier,
        syscall: Syscall | None = None,
        steps_max: int = STEPS_MAX,
        target: str = TARGETS[0],
    ) -> None:
        """`steps_max` is for all calls together, `target` whose system constants there are.

        Raises:
            Refusal: `target-unsupported` for a buffer of a type that code doesn't have.
        """
        symbolic = isinstance(carrier, Terms)
        self.floats: Floats = FloatTerms(carrier) if symbolic else FloatWords(carrier)
        self.memory = Memory(symbolic)
        self._meter = Meter(steps_max)
        self._syscall = syscall
        self._target = target
        self._depth = 0
        self._ops: dict[str, func.FuncOp] = {}
        self._functions: dict[str, Function] = {}
        self._globals: dict[str, Buffer] = {}
        for op in module.body.block.ops:
            if isinstance(op, func.FuncOp):
                self._ops[op.sym_name.data] = op
            elif isinstance(op, memref.GlobalOp):
                self._globals[op.sym_name.data] = self._global(op)
        for op in module.walk():
            if isinstance(op, TextOp) and op.symbol not in self._globals:
                words = np.frombuffer(op.content, np.uint8)
                text = self._globals[op.symbol] = self.memory.place(op.symbol, "i8", words)
                text.constant = True

    def call(self, name: str, arguments: Sequence[Any]) -> list[Any]:
        """Call a function of the module, and give what it returns.

        An argument is a number, or an array for a memref or pointer: the words of a buffer, which
        the function may change. One array given twice is one buffer. Integers are without a sign.

        Raises:
            KeyError: there is no such function.
            CodeFault: the code does what has no meaning.
            Refusal: `target-unsupported`.
        """
        types = self._function(name).types
        mark = self.memory.mark()
        placed: dict[int, Buffer] = {}
        try:
            words = [
                self._argument(number, argument, type, placed)
                for number, (argument, type) in enumerate(zip(arguments, types, strict=True))
            ]
            with np.errstate(all="ignore"):
                return self._call(name, words)
        finally:
            self.memory.release(mark)

    def _call(self, name: str, words: list[Any]) -> list[Any]:
        function = self._function(name)
        if self._depth == DEPTH_MAX:
            raise DepthExceeded(f"more than {DEPTH_MAX} nested calls, the last of @{name}")
        self._depth += 1
        mark = self.memory.mark()
        try:
            return function.run(words)
        finally:
            self._depth -= 1
            self.memory.release(mark)

    def _argument(
        self, number: int, argument: Any, type: Attribute, placed: dict[int, Buffer]
    ) -> Any:
        if not isinstance(argument, np.ndarray):
            if isinstance(type, MemRefType):
                raise TypeError(f"argument {number} is a memref, so an array is wanted")
            if is_float(type):
                return (
                    argument if self.floats.symbolic else DTYPES[element_text(type)].type(argument)
                )
            return masked(int(argument), width_of(type))
        buffer = placed.get(id(argument))
        if buffer is None:
            buffer = placed[id(argument)] = self._place(number, argument, type)
        return buffer if isinstance(type, MemRefType) else buffer.base

    def _place(self, number: int, argument: np.ndarray, type: Attribute) -> Buffer:
        element = element_text(type) if isinstance(type, MemRefType) else _element(argument)
        if self.floats.symbolic and element == "i64" and not isinstance(type, MemRefType):
            element = "f64"
        wanted = np.dtype(np.int64) if self._holds_terms(element) else DTYPES[element]
        if not isinstance(type, MemRefType):
            argument = argument.view(wanted)
        if argument.dtype != wanted or not argument.flags.c_contiguous:
            found = f"{argument.dtype} words" + ("" if argument.flags.c_contiguous else ", strided")
            raise TypeError(f"argument {number} has {found}, and {wanted} in a row are wanted")
        flat = argument.reshape(-1)
        if isinstance(type, MemRefType) and not accesses.has_shape(len(flat), type):
            raise TypeError(f"argument {number} has {len(flat)} words for {type}")
        return self.memory.place(f"argument {number}", element, flat)

    def _holds_terms(self, element: str) -> bool:
        return self.floats.symbolic and element in ("f32", "f64")

    def _global(self, op: memref.GlobalOp) -> Buffer:
        element = element_text(op.type)
        extents = accesses.extents_of(op.type)
        buffer = self.memory.reserve(f"@{op.sym_name.data}", element, prod(extents))
        initial = op.initial_value
        if not isinstance(initial, UnitAttr):
            assert isinstance(initial, DenseIntOrFPElementsAttr)
            values = [
                self.floats.constant(float(value), element)
                if is_float(op.type)
                else masked(int(value), width_of(op.type))
                for value in initial.get_values()
                if not isinstance(value, tuple)
            ]
            words = np.array(values, buffer.data.dtype)
            buffer.store_words(0, np.ascontiguousarray(np.broadcast_to(words, buffer.size)))
        buffer.constant = op.constant is not None
        return buffer

    def _function(self, name: str) -> Function:
        found = self._functions.get(name)
        if found is None:
            op = self._ops[name]
            if op.is_declaration:
                wanted = "functions that have a body"
                raise Refusal("target-unsupported", wanted, f"a declaration of @{name}", op)
            slots = Slots(self.floats, self.memory, self._meter)
            found = self._functions[name] = Function(op, slots)
            prepare = self._prepare(slots)
            for block in op.body.blocks:
                last = block.last_op
                if last is None or last.name not in TERMINATORS:
                    raise unsupported(op if last is None else last)
                prepared = Block(
                    self._meter, slots.all(block.args), self._steps(block, prepare), ()
                )
                found.blocks[block] = prepared, successor(last, prepare)
        return found

    def _prepare(self, slots: Slots) -> Prepare:
        def inner(block: SourceBlock) -> Block:
            last = block.last_op
            if last is None or last.name not in INNER_TERMINATORS:
                steps, handed = self._steps(block, prepare, whole=True), ()
            else:
                steps, handed = self._steps(block, prepare), slots.all(last.operands)
            return Block(self._meter, slots.all(block.args), steps, handed)

        prepare = Prepare(
            slots,
            inner,
            self._call,
            self._globals.__getitem__,
            self._do_syscall,
            self._target,
        )
        return prepare

    def _do_syscall(self, op: Operation, words: list[Any]) -> int:
        if self._syscall is None:
            wanted = "code without system calls, or someone who does them"
            raise Refusal("target-unsupported", wanted, op.name, op)
        return self._syscall(op, words)

    def _steps(self, block: SourceBlock, prepare: Prepare, whole: bool = False) -> list[Step]:
        """The steps of a block, its terminator left out unless the block is `whole`."""
        steps: list[Step] = []
        for op in block.ops:
            if op is block.last_op and not whole:
                break
            build = _BUILDERS.get(op.name)
            if build is None:
                step = elementwise.arithmetic_step(op, prepare)
                if step is None:
                    raise unsupported(op)
            else:
                step = build(op, prepare)
            if step is not None:
                steps.append(step)
        return steps


def _element(words: np.ndarray) -> str:
    """The element type of words of numpy that a pointer points to."""
    dtype = words.dtype
    if dtype.kind == "i":
        dtype = np.dtype(f"u{dtype.itemsize}")
    found = next((name for name, each in DTYPES.items() if each == dtype), None)
    if found is None:
        raise TypeError(f"a buffer of {words.dtype}")
    return found
