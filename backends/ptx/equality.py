"""Whether the kernels of programs compute what the programs say: on drawn words, by their bits.

The kernels are run from their text by the interpreter of kernels, in both orders of blocks and
threads, and with so few blocks that a thread works on several points.

Why: a kernel isn't followed on symbols, so that `equal` is said of the words that were tried alone.
Entry: `Emitted`, `emitted_kernels`, `equality_of`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from alpha.backends.ptx.emission import ptx_of, remaining_passes
from alpha.backends.ptx.interpreter.faults import Fault
from alpha.backends.ptx.interpreter.launcher import InterpretedLauncher
from alpha.backends.ptx.plans import Plan, plans_of
from alpha.backends.ptx.running import Buffers, run_plan
from alpha.interpreters.programs import Program, Value
from alpha.interpreters.sums import group_sums
from alpha.interpreters.words import DTYPES, Words
from alpha.ir.dialects.pointwise_programs import ContributionOp, ProgramOp, UpdateOp
from alpha.ir.shapes import element_name, shape_of
from alpha.passes.loops.signature import Signature

SAMPLES = (0, 1, 3, 33)
ORDERS = (("forward", 1024), ("backward", 2))
"""Orders, each with the most blocks of a launch."""

SPECIAL = (0.0, -0.0, 5e-324, 1e300, np.inf, -np.inf, np.nan)
SPECIAL_SHARE = 0.05


@dataclass(frozen=True)
class Emitted:
    """The text of a module's kernels, and how its programs are run."""

    text: str
    plans: dict[str, Plan]

    def plan(self, program: str) -> Plan:
        """The plan of a program; one whose results have no words has no kernels."""
        return self.plans.get(program) or Plan(program, (), {})


def emitted_kernels(module: ModuleOp) -> Emitted:
    """The kernels of a module, which stays as it is.

    Raises:
        Refusal: `target-unsupported` for a program that has no kernels.
    """
    copy = module.clone()
    for each in remaining_passes(copy):
        each.apply(Context(), copy)
    return Emitted(ptx_of(copy), plans_of(copy))


def equality_of(program: ProgramOp, emitted: Emitted) -> str:
    """`equal`, or `differs` with the first word that does, or the fault of a kernel."""
    for count in SAMPLES if isinstance(program, ContributionOp) else SAMPLES[:1]:
        arguments, wanted, extents = _drawn(program, count)
        for order, blocks in ORDERS:
            try:
                found = _run(program, emitted, arguments, wanted, extents, order, blocks)
            except Fault as fault:
                return f"differs: {fault}"
            for number, (one, other) in enumerate(zip(wanted, found, strict=True)):
                for at in _different(one, other):
                    return f"differs: result {number}, word {at}"
    return "equal"


def _drawn(program: ProgramOp, count: int) -> tuple[list[np.ndarray], list[np.ndarray], list[int]]:
    """Arguments, what the program makes of them, and the extents that the caller gives."""
    generator = np.random.default_rng(count)
    carrier = Words()
    assert isinstance(program, ContributionOp | UpdateOp)
    types = program.function_type
    parameters = len(types.inputs.data)
    if isinstance(program, ContributionOp):
        parameters = len(program.parameter_types())
    arguments: list[np.ndarray] = []
    for number, type in enumerate(types.inputs.data):
        shape = shape_of(type) if number < parameters else (count, *shape_of(type))
        arguments.append(_words(generator, shape, element_name(type)))
    given = [Value(array, False) for array in arguments[:parameters]]
    runnable = Program(program, carrier)
    if isinstance(program, ContributionOp):
        (sums,) = group_sums(
            carrier, runnable, given, arguments[parameters:], [count], types.outputs.data
        )
        return arguments, [np.array(each) for each in sums], [count]
    domains = Signature.of(program).domains
    assert domains is not None
    results = [
        np.array(np.broadcast_to(value.words, shape_of(type)))
        for value, type in zip(runnable.run(given), types.outputs.data, strict=True)
    ]
    return arguments, results, [int(np.prod(shape)) for shape in domains.shapes]


def _words(generator: np.random.Generator, shape: Sequence[int], element: str) -> np.ndarray:
    words = np.where(
        generator.random(shape) < SPECIAL_SHARE,
        generator.choice(SPECIAL, shape),
        generator.standard_normal(shape),
    )
    with np.errstate(all="ignore"):
        return np.array(words, DTYPES[element], order="C")  # pyright: ignore[reportArgumentType]


def _run(
    program: ProgramOp,
    emitted: Emitted,
    arguments: Sequence[np.ndarray],
    wanted: Sequence[np.ndarray],
    extents: Sequence[int],
    order: str,
    blocks: int,
) -> list[np.ndarray]:
    launcher = InterpretedLauncher(emitted.text, order)
    device = launcher.device
    inputs = [device.allocate(max(1, array.nbytes)) for array in arguments]
    for address, array in zip(inputs, arguments, strict=True):
        if array.size:
            device.write(address, array)
    results = [device.allocate(max(1, array.nbytes)) for array in wanted]
    buffers = Buffers(launcher, emitted.plan(program.sym_name.data), extents)
    run_plan(launcher, buffers, inputs, results, blocks)
    return [
        device.read(address, array.dtype, array.size) if array.size else array.reshape(-1)
        for address, array in zip(results, wanted, strict=True)
    ]


def _different(wanted: np.ndarray, found: np.ndarray) -> Iterator[int]:
    """Where bits differ; one NaN is as good as another."""
    one, other = wanted.reshape(-1), found.reshape(-1)
    bits = f"u{one.itemsize}"
    same = (one.view(bits) == other.view(bits)) | (np.isnan(one) & np.isnan(other))
    yield from np.flatnonzero(~same).tolist()
