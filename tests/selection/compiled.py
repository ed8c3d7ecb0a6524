"""Functions of the code level compiled for every target, and called beside the interpreter.

The oracle is the interpreter of the code level on the source as it was written: it shares no pass,
no rule and no row with what is compiled.

Entry: `Compiled`, `TARGETS`, `compile_text`, `differences_of`, `check`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

import numpy as np
from selection.texts import Loops
from x86.execution import has
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from alpha.backends.core.emission import assembly_of, remaining_passes
from alpha.backends.toolchain.calling import Caller
from alpha.backends.toolchain.calls import BITS, Buffer, Call, Kind
from alpha.interpreters.code import Code
from alpha.interpreters.words import Words
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module


class Target(NamedTuple):
    """A machine, the dialect of its instructions, and the features that a text may use."""

    machine: str
    dialect: str
    features: str

    @property
    def name(self) -> str:
        """What a failure is reported by."""
        return f"{self.machine} {self.features}".strip()


X86, AVX512, ARM = (
    Target("x86-64", "x64", ""),
    Target("x86-64", "x64", "avx512"),
    Target("aarch64", "a64", ""),
)
BASELINES = (X86, ARM)
TARGETS = (*BASELINES, AVX512) if has("avx512") else BASELINES
"""All that this host can run, itself or under an emulator."""


class Difference(NamedTuple):
    """What a target did otherwise than the interpreter; `buffer` is None for what is returned."""

    target: str
    call: Call
    buffer: int | None
    what: str

    def __str__(self) -> str:
        given = [each for each in self.call.arguments if not isinstance(each, Buffer)]
        return f"{self.target} @{self.call.name}{given} buffer {self.buffer}: {self.what}"


def read(text: str, name: str = "functions.mlir") -> ModuleOp:
    """A module, verified."""
    module = parse_text(make_context(), text, name)
    verify_module(module)
    return module


def _run(passes: Iterable[ModulePass], module: ModuleOp) -> None:
    """Passes, with the verifier behind each."""
    for each in passes:
        each.apply(Context(), module)
        verify_module(module)


def compile_text(text: str, target: Target, name: str = "functions.mlir") -> str:
    """The assembly text of a module that is given as text."""
    module = read(text, name)
    _run(remaining_passes(module, target.dialect, target.features), module)
    return assembly_of(module, target.dialect)


def _compiled(module: ModuleOp, targets: Sequence[Target]) -> Iterator[tuple[Target, str]]:
    """A module of functions for each target; they share the passes up to selection."""
    lowered = module.clone()
    for number, target in enumerate(targets):
        passes = remaining_passes(module, target.dialect, target.features)
        names = [each.name for each in passes]
        split = names.index(f"select-{target.dialect}")
        if number == 0:
            _run(passes[:split], lowered)
        selected = lowered.clone()
        _run(passes[split:], selected)
        yield target, assembly_of(selected, target.dialect)


def canonical(words: np.ndarray) -> bytes:
    """The bits of words, with one NaN."""
    if words.dtype.kind == "f":
        words = np.where(np.isnan(words), words.dtype.type(np.nan), words)
    return words.tobytes()


class Compiled:
    """A module on some targets; a context that leaves nothing behind."""

    def __init__(self, text: str, targets: Sequence[Target] = TARGETS) -> None:
        module = read(text)
        self._code = Code(module, Words())
        with ExitStack() as stack:
            self._callers = [
                (target.name, stack.enter_context(Caller(made, target.machine)))
                for target, made in _compiled(module, targets)
            ]
            self._stack = stack.pop_all()

    def __enter__(self) -> Compiled:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def differences(self, calls: Sequence[Call]) -> Iterator[Difference]:
        """Each value or buffer of a call that differs from the interpreter's, for each target."""
        wanted = [self._interpreted(call) for call in calls]
        for target, caller in self._callers:
            results = caller.call(calls)
            for call, (value, buffers), result in zip(calls, wanted, results, strict=True):
                if call.returns is not None:
                    assert result.bits is not None
                    found = _word(result.bits, call.returns)
                    if found != _returned(value, call.returns):
                        yield Difference(target, call, None, f"{result.value}, not {value}")
                for number, pair in enumerate(zip(buffers, result.buffers, strict=True)):
                    if canonical(pair[0]) != canonical(pair[1]):
                        yield Difference(target, call, number, _first(*pair))

    def _interpreted(self, call: Call) -> tuple[Any, list[np.ndarray]]:
        held: dict[int, np.ndarray] = {}
        given: list[Any] = []
        for argument in call.arguments:
            if isinstance(argument, Buffer):
                given.append(held.setdefault(id(argument), argument.words.copy()))
            else:
                given.append(int(argument) if isinstance(argument, np.integer) else argument)
        returned = self._code.call(call.name, given)
        buffers = [each for each in given if isinstance(each, np.ndarray)]
        return (returned[0] if returned else None), buffers


def _word(bits: int, kind: Kind) -> bytes:
    data = bits.to_bytes(8, "little")[: max(1, BITS[kind] // 8)]
    return canonical(np.frombuffer(data, f"<f{BITS[kind] // 8}")) if kind[0] == "f" else data


def _returned(value: Any, kind: Kind) -> bytes:
    if kind[0] == "f":
        return canonical(np.array([value], f"<f{BITS[kind] // 8}"))
    return _word(int(value) & ((1 << BITS[kind]) - 1), kind)


def _first(wanted: np.ndarray, found: np.ndarray) -> str:
    pairs = list(zip(wanted.reshape(-1), found.reshape(-1), strict=True))
    places = [
        at
        for at, (a, b) in enumerate(pairs)
        if canonical(np.array([a])) != canonical(np.array([b]))
    ]
    a, b = pairs[places[0]]
    return f"word {places[0]}, of {len(places)}: {b!r}, not {a!r}"


def differences_of(loops: Loops, targets: Sequence[Target]) -> list[str]:
    """What differs between the interpreter and some targets, by operation."""
    with Compiled(loops.text, targets) as compiled:
        return [
            f"{loops.label(each.call.name, each.buffer)}: {each}"
            for each in compiled.differences(loops.calls)
            if each.buffer is not None
        ]


def check(text: str, calls: Sequence[Call]) -> None:
    """See that calls do on all targets what they do interpreted."""
    with Compiled(text) as compiled:
        assert not [str(each) for each in compiled.differences(calls)]
