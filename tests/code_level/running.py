"""Runs a program by the interpreter of programs and as code, and compares the words by their bits.

Entry: `parsed`, `lowered`, `with_room`, `expanded`, `vectorized`, `programs_of`, `check_words`,
    `check_terms`.

The interpreter of programs is the reference. A separable update is run on any number of
coordinates: the reference computes them in pieces of the size that the program has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from alpha.interpreters.carriers import Carrier
from alpha.interpreters.code import Code
from alpha.interpreters.programs import Program, Value
from alpha.interpreters.sums import group_sums
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.words import DTYPES, Words
from alpha.ir.dialects.pointwise_programs import ContributionOp, ProgramOp, UpdateOp
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.shapes import element_name, shape_of
from alpha.passes.expand_math import ExpandMathPass
from alpha.passes.loops.items import Dynamic
from alpha.passes.loops.signature import Signature
from alpha.passes.lower_pointwise_to_loops import LowerPointwiseToLoopsPass
from alpha.passes.vectorize import VectorizePass

COUNTS = (0, 1, 2, 3, 5, 7, 8, 9, 17)
"""Numbers of samples, and of coordinates, that are tried."""

TARGETS = ((32, 512), (16, 256), (32, 128), (32, 64))
"""Vector registers, and the bits of one."""

SPECIAL = (0.0, -0.0, 1.0, -1.5, 5e-324, -1e-310, 1e308, -1e308, np.inf, -np.inf, np.nan, 3.0)


def parsed(text: str, name: str = "program.mlir") -> ModuleOp:
    """A verified module."""
    module = parse_text(make_context(), text, name)
    verify_module(module)
    return module


def lowered(module: ModuleOp, samples: int = 4) -> ModuleOp:
    """The module's programs as functions; the module stays as it is."""
    copy = module.clone()
    LowerPointwiseToLoopsPass(samples).apply(Context(), copy)
    verify_module(copy)
    return copy


def with_room(module: ModuleOp, registers: int, bits: int, samples: int = 4) -> ModuleOp:
    """The module's programs as functions for a target; the module stays as it is."""
    copy = module.clone()
    LowerPointwiseToLoopsPass(samples, registers, bits).apply(Context(), copy)
    verify_module(copy)
    return copy


def expanded(module: ModuleOp) -> ModuleOp:
    """The functions without exp and its kin; the module stays as it is."""
    copy = module.clone()
    ExpandMathPass().apply(Context(), copy)
    verify_module(copy)
    return copy


def vectorized(module: ModuleOp, bits: int, unroll: int = 2) -> ModuleOp:
    """The functions with loops of vectors; the module stays as it is."""
    copy = module.clone()
    VectorizePass(bits, unroll).apply(Context(), copy)
    verify_module(copy)
    return copy


def programs_of(module: ModuleOp) -> list[ProgramOp]:
    """All programs of a module, in order."""
    return [op for op in module.walk() if isinstance(op, ProgramOp)]


def random_words(
    generator: np.random.Generator, shape: Sequence[int], element: str, special: float
) -> np.ndarray:
    """Words of mixed sizes, a share of them special ones: zeros, subnormal, infinite, NaN."""
    words = generator.standard_normal(shape) * np.exp2(generator.integers(-3, 4, shape))
    chosen = generator.random(shape) < special
    words = np.where(chosen, generator.choice(SPECIAL, shape), words)
    with np.errstate(all="ignore"):
        return np.array(words, DTYPES[element], order="C")


def canonical_bits(words: np.ndarray) -> list[int]:
    """The bits of each word, with one NaN."""
    words = np.where(np.isnan(words), words.dtype.type(np.nan), words)
    return words.reshape(-1).view({8: np.uint64, 4: np.uint32}[words.itemsize]).tolist()


@dataclass
class Case:
    """A program, its inputs for so many samples or coordinates, and what it should give."""

    program: ProgramOp
    signature: Signature
    arguments: list[np.ndarray]
    wanted: list[np.ndarray]
    extents: list[int]

    @property
    def name(self) -> str:
        """The function's name."""
        return self.program.sym_name.data

    def results(self) -> list[np.ndarray]:
        """Arrays for the results, full of words that are wrong."""
        return [np.full(array.shape, 123.25, array.dtype) for array in self.wanted]


def static_arguments(program: ProgramOp, make: Any) -> list[np.ndarray]:
    """An array for every argument, in the shape of its type."""
    return [
        make(number, shape_of(value.type), element_name(value.type))
        for number, value in enumerate(program.body.block.args)
    ]


def contribution_case(program: ContributionOp, count: int, carrier: Carrier, make: Any) -> Case:
    """A contribution of so many samples."""
    signature = Signature.of(program)
    parameters = len(program.parameter_types())
    arguments = [
        make(number, shape if number < parameters else (count, *shape), element)
        for number, shape, element in (
            (n, shape_of(value.type), element_name(value.type))
            for n, value in enumerate(program.body.block.args)
        )
    ]
    types = program.function_type.outputs.data
    given = [Value(array, False) for array in arguments[:parameters]]
    runnable = Program(program, carrier)
    (sums,) = group_sums(carrier, runnable, given, arguments[parameters:], [count], types)
    return Case(program, signature, arguments, [np.array(each) for each in sums], [count])


def update_case(program: UpdateOp, count: int, carrier: Carrier, make: Any) -> Case:
    """An update of so many coordinates of each separable domain; others have their own number."""
    signature = Signature.of(program)
    domains = signature.domains
    assert domains is not None
    sizes = [int(np.prod(shape)) for shape in domains.shapes]
    extents = [count if n in domains.separable else sizes[n] for n in range(len(sizes))]
    arguments: list[np.ndarray] = []
    for number, value in enumerate(program.body.block.args):
        shape = [
            extents[extent.domain] if isinstance(extent, Dynamic) else extent
            for extent in signature.inputs[number]
        ]
        arguments.append(make(number, tuple(shape), element_name(value.type)))
    wanted = _update_wanted(program, signature, arguments, extents, sizes, carrier)
    return Case(program, signature, arguments, wanted, extents)


def _update_wanted(
    program: UpdateOp,
    signature: Signature,
    arguments: Sequence[np.ndarray],
    extents: Sequence[int],
    sizes: Sequence[int],
    carrier: Carrier,
) -> list[np.ndarray]:
    """The results of an update, whose coordinates are computed in pieces of its own size."""
    turns = max([1, *(-(-count // size) for count, size in zip(extents, sizes, strict=True))])
    pieces: list[list[np.ndarray]] = []
    runnable = Program(program, carrier)
    types = program.function_type
    for turn in range(turns):
        given: list[Value] = []
        for array, shape, type in zip(arguments, signature.inputs, types.inputs.data, strict=True):
            if shape and isinstance(shape[0], Dynamic):
                size = sizes[shape[0].domain]
                rows = array[turn * size : (turn + 1) * size]
                filler = carrier.constant(1.0, element_name(type))
                whole = np.full((size, *array.shape[1:]), filler, array.dtype)
                whole[: len(rows)] = rows
                array = whole
            given.append(Value(array.reshape(shape_of(type)), False))
        pieces.append([np.array(value.words) for value in runnable.run(given)])
    wanted: list[np.ndarray] = []
    for number, (shape, type) in enumerate(zip(signature.results, types.outputs.data, strict=True)):
        parts = [np.broadcast_to(piece[number], shape_of(type)) for piece in pieces]
        if shape and isinstance(shape[0], Dynamic):
            joined = np.concatenate([part.reshape(-1) for part in parts])
            wanted.append(joined[: extents[shape[0].domain]])
        else:
            wanted.append(parts[0])
    return wanted


def case(program: ProgramOp, count: int, carrier: Carrier, make: Any) -> Case:
    """The case of a program with so many samples or coordinates."""
    if isinstance(program, ContributionOp):
        return contribution_case(program, count, carrier, make)
    assert isinstance(program, UpdateOp)
    return update_case(program, count, carrier, make)


def in_place(case: Case) -> list[np.ndarray] | None:
    """Arrays for the results of an update, of which each is an input that it may overwrite.

    None for a contribution, and if no input fits a result. The arguments are copied first.
    """
    if isinstance(case.program, ContributionOp):
        return None
    case.arguments[:] = [array.copy() for array in case.arguments]
    results, used, found = case.results(), set[int](), False
    for position, shape in enumerate(case.signature.results):
        for number, each in enumerate(case.signature.inputs):
            fits = each == shape and case.arguments[number].dtype == results[position].dtype
            if fits and number not in used:
                results[position] = case.arguments[number]
                used.add(number)
                found = True
                break
    return results if found else None


def words_maker(seed: int, special: float) -> Any:
    """Makes arguments of random words."""
    generator = np.random.default_rng(seed)
    return lambda number, shape, element: random_words(generator, shape, element, special)


def terms_maker(terms: Terms) -> Any:
    """Makes arguments of free symbols."""
    return lambda number, shape, element: terms.symbol_array(f"x{number}", shape, element)


def run_code(code: Code, case: Case, results: Sequence[np.ndarray]) -> None:
    """Call the function of a program."""
    assert code.call(case.name, [*case.arguments, *results, *case.extents]) == []


def differences(case: Case, results: Sequence[np.ndarray]) -> Iterator[str]:
    """The first word of each result that isn't what it should be."""
    for number, (wanted, found) in enumerate(zip(case.wanted, results, strict=True)):
        if wanted.dtype == np.int64:
            pairs = list(zip(wanted.reshape(-1).tolist(), found.reshape(-1).tolist(), strict=True))
        else:
            pairs = list(zip(canonical_bits(wanted), canonical_bits(found), strict=True))
        for at, (one, other) in enumerate(pairs):
            if one != other:
                yield f"@{case.name} {case.extents}: result {number} word {at}: {one:#x} {other:#x}"
                break


def check_words(
    module: ModuleOp, forms: Sequence[ModuleOp], counts: Sequence[int], seed: int = 0
) -> None:
    """Compare every program of a module with each lowered form, also in place where that fits."""
    codes = [Code(form, Words()) for form in forms]
    for program in programs_of(module):
        counts = counts if varies(program) else counts[:1]
        for count in counts:
            special = 0.2 if (seed + count) % 3 == 0 else 0.0
            made = case(program, count, Words(), words_maker(seed * 1000 + count, special))
            for code in codes:
                results = made.results()
                run_code(code, made, results)
                assert not list(differences(made, results)), differences_text(made, results)
                given = list(made.arguments)
                results = in_place(made)
                if results is not None:
                    run_code(code, made, results)
                    assert not list(differences(made, results)), "in place: " + differences_text(
                        made, results
                    )
                made.arguments[:] = given


def differences_text(case: Case, results: Sequence[np.ndarray]) -> str:
    """All differences, for a message."""
    return "; ".join(differences(case, results))


def varies(program: ProgramOp) -> bool:
    """Whether the caller chooses an extent."""
    if isinstance(program, ContributionOp):
        return True
    domains = Signature.of(program).domains
    return domains is not None and bool(domains.separable)


def check_terms(module: ModuleOp, forms: Sequence[ModuleOp], counts: Sequence[int]) -> None:
    """See that every word of every result is the same term, before and after."""
    for program in programs_of(module):
        counts = counts if varies(program) else counts[:1]
        for count in counts:
            terms = Terms()
            made = case(program, count, terms, terms_maker(terms))
            for form in forms:
                results = [np.zeros(array.shape, np.int64) for array in made.wanted]
                run_code(Code(form, terms), made, results)
                assert not list(differences(made, results)), differences_text(made, results)
