"""A learner's programs as emitted code, run by what the rows mean, on words or on terms.

This is the machine level's interpreter: the code that would be printed, without the processor. On
terms it proves: if every word of every result is the term that the program's own interpreter gives,
the code computes the program for every input.

Entry: `EmittedPrograms`, `proof_of`, `Proof`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from alpha.backends.core.carriers import BYTES, MachineCarrier, NotModelled
from alpha.backends.core.dialect.functions import DataOpBase, FuncOpBase
from alpha.backends.core.dialect.reading import read_data, read_placed
from alpha.backends.core.emission import remaining_passes
from alpha.backends.core.frames import add_frame
from alpha.backends.core.interpreter.machine import Machine
from alpha.backends.core.interpreter.memory import Memory, WordsMemory
from alpha.backends.core.interpreter.terms_memory import TermsMemory
from alpha.backends.core.placed import Placed
from alpha.backends.core.registers import Register
from alpha.backends.core.symbolic import MachineTerms
from alpha.backends.core.targets import features_of, instruction_set
from alpha.interpreters.programs import Program, Value
from alpha.interpreters.sums import group_sums
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.terms.store import TermsTooLarge
from alpha.ir.dialects.pointwise_programs import ContributionOp, ProgramOp, UpdateOp
from alpha.ir.shapes import element_name, shape_of
from alpha.passes.loops.signature import Signature

STACK_BYTES = 8
"""The bytes of an argument on the stack."""

TERMS_SAMPLES = 11
"""A contribution is proved for so many samples: some in flight, and a rest."""


class EmittedPrograms:
    """The code of a module's programs on one instruction set.

    Raises Refusal as the passes do.
    """

    def __init__(self, module: ModuleOp, dialect: str, features: str = "") -> None:
        emitted = module.clone()
        for each in remaining_passes(emitted, dialect, features):
            each.apply(Context(), emitted)
        self.target = instruction_set(dialect, features_of(features)).target
        ops = list(emitted.body.block.ops)
        self._functions = [
            add_frame(read_placed(op), self.target) for op in ops if isinstance(op, FuncOpBase)
        ]
        self._data = [read_data(op) for op in ops if isinstance(op, DataOpBase)]

    def instructions(self, name: str) -> Iterator[Placed]:
        """Every instruction of a function, in order."""
        for function in self._functions:
            if function.name == name:
                for block in function.blocks:
                    yield from block.instructions

    def call(
        self,
        name: str,
        carrier: MachineCarrier,
        inputs: Sequence[np.ndarray],
        results: Sequence[tuple[tuple[int, ...], str]],
        extents: Sequence[int],
        elements: Sequence[str],
    ) -> list[np.ndarray]:
        """The results of a program, as arrays of the carrier's words or terms.

        `inputs` are such arrays, of the elements named; `results` says shape and element of each.
        """
        memory = _memory(carrier)
        pointers: list[int] = []
        for array, element in zip(inputs, elements, strict=True):
            pointers.append(memory.allocate(array.size * BYTES[element]))
            if array.size:
                flat = np.ascontiguousarray(array).reshape(-1)
                size = array.size * BYTES[element]
                memory.store(pointers[-1], carrier.vector(flat, element), size)
        places = [memory.allocate(_size(shape) * BYTES[element]) for shape, element in results]
        self._run(name, memory, [*pointers, *places, *extents])
        found: list[np.ndarray] = []
        for place, (shape, element) in zip(places, results, strict=True):
            size = _size(shape) * BYTES[element]
            if not size:
                found.append(carrier.lanes(carrier.unknown(0), element).reshape(shape))
                continue
            found.append(carrier.lanes(memory.load(place, size), element).reshape(shape))
        return found

    def _run(self, name: str, memory: Memory, arguments: Sequence[int]) -> None:
        machine = Machine(self._functions, self.target, memory, self._data)
        registers = self.target.convention.arguments["gpr"]
        given = {
            Register("gpr", number): value
            for number, value in zip(registers, arguments, strict=False)
        }
        machine.run(name, given, arguments[len(registers) :])


def _memory(carrier: MachineCarrier) -> Memory:
    return TermsMemory(carrier) if isinstance(carrier, MachineTerms) else WordsMemory(carrier)


def _size(shape: Sequence[int]) -> int:
    return int(np.prod(shape, dtype=np.int64))


@dataclass(frozen=True)
class Proof:
    """What became of the proof of a program: `proved`, or a reason."""

    program: str
    outcome: str

    @property
    def proved(self) -> bool:
        """Whether the code computes the program for every input."""
        return self.outcome == "proved"


def proof_of(program: ProgramOp, emitted: EmittedPrograms) -> Proof:
    """Run a program and its code on free symbols and compare every word of every result."""
    carrier = MachineTerms()
    terms = carrier.logic
    name = program.sym_name.data
    signature = Signature.of(program)
    types = program.function_type
    elements = [element_name(type) for type in types.inputs.data]
    shapes = [shape_of(type) for type in types.inputs.data]
    extents = [TERMS_SAMPLES]
    if isinstance(program, ContributionOp):
        first = len(program.parameter_types())
        shapes = [*shapes[:first], *((TERMS_SAMPLES, *shape) for shape in shapes[first:])]
    else:
        assert signature.domains is not None
        extents = [_size(shape) for shape in signature.domains.shapes]
    symbols = [
        terms.symbol_array(f"argument{number}", shape, element)
        for number, (shape, element) in enumerate(zip(shapes, elements, strict=True))
    ]
    results = [(shape_of(type), element_name(type)) for type in types.outputs.data]
    try:
        wanted = _wanted(program, terms, symbols)
        found = emitted.call(name, carrier, symbols, results, extents, elements)
    except NotModelled as error:
        return Proof(name, f"not proved: {error}")
    except TermsTooLarge as error:
        return Proof(name, f"not proved: more than {error.nodes_max} terms")
    for number, (one, other) in enumerate(zip(wanted, found, strict=True)):
        differing = np.flatnonzero(np.broadcast_to(one, other.shape) != other)
        if differing.size:
            return Proof(name, f"differs: result {number}, word {differing[0]}")
    return Proof(name, "proved")


def _wanted(program: ProgramOp, terms: Terms, symbols: Sequence[np.ndarray]) -> list[np.ndarray]:
    """What the interpreter of programs gives."""
    assert isinstance(program, ContributionOp | UpdateOp)
    runnable = Program(program, terms)
    if isinstance(program, UpdateOp):
        return [np.array(value.words) for value in runnable.run([Value(s, False) for s in symbols])]
    first = len(program.parameter_types())
    given = [Value(array, False) for array in symbols[:first]]
    outputs = program.function_type.outputs.data
    (sums,) = group_sums(terms, runnable, given, symbols[first:], [TERMS_SAMPLES], outputs)
    return [np.array(each) for each in sums]
