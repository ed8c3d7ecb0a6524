"""Runs programs in four ways and compares the words by their bits.

The interpreter of programs is the reference. Beside it are run: the emitted code by what its rows
mean, and the assembled code by the processor or its emulator, on every instruction set that the
host can run. Updates are also run in place.

Entry: `Compared`, `compare`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from code_level.running import (
    Case,
    canonical_bits,
    case,
    differences,
    in_place,
    programs_of,
    varies,
    words_maker,
)
from functions.executions import Built, Change, Rows, built
from selection.compiled import TARGETS, Target
from xdsl.dialects.builtin import ModuleOp

from alpha.backends.toolchain.calling import Caller
from alpha.backends.toolchain.calls import Buffer, Call, Fence
from alpha.interpreters.words import Words
from alpha.ir.dialects.pointwise_programs import ProgramOp

OFFSETS = (0, 8, 4, 24)
"""Bytes by which buffers lie behind a multiple of 64; 4 only where a word has 4 bytes."""

FENCES: tuple[Fence | None, ...] = ("behind", None, "before", None, None)

SECONDS_MAX = 600.0
STEPS_MAX = 1_000_000_000
"""Instructions of one run, so that what goes on for ever ends."""

WORDS_TOGETHER = 1_000_000
"""The words of calls that are done by one process; one call may have more."""


@dataclass
class Compared:
    """How many runs were compared, and what differed."""

    runs: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def count(self, what: str) -> None:
        """One more run of a kind."""
        self.runs[what] = self.runs.get(what, 0) + 1


@dataclass
class _Run:
    """A case with the call that it becomes; `kept` are copies of the inputs that may not change."""

    case: Case
    call: Call
    suffix: str
    kept: dict[int, np.ndarray]

    @property
    def words(self) -> int:
        """How many words are read and written."""
        return sum(array.size for array in (*self.case.arguments, *self.case.wanted))

    def wrong(self, buffers: Sequence[np.ndarray]) -> Iterator[str]:
        """What is wrong with the words after the call."""
        first = len(self.case.arguments)
        yield from differences(self.case, buffers[first : first + len(self.case.wanted)])
        for number, words in self.kept.items():
            if canonical_bits(words) != canonical_bits(buffers[number]):
                yield f"@{self.case.name} {self.case.extents}: input {number} is changed"


def compare(
    name: str,
    module: ModuleOp,
    counts: Sequence[int],
    steps_max: int,
    seed: int | Callable[[ProgramOp], int] = 0,
    targets: Sequence[Target] = TARGETS,
    change: Change | None = None,
    seconds: float = SECONDS_MAX,
) -> Compared:
    """Every program of a module with each number of samples or coordinates, in all ways.

    Rows are interpreted where that takes about `steps_max` steps or fewer, which is estimated from
    the words that are read and written. `seed` may depend on the program.
    """
    found = Compared()
    runs: list[_Run] = []
    for program in programs_of(module):
        of_program = seed if isinstance(seed, int) else seed(program)
        for count in counts if varies(program) else counts[:1]:
            special = 0.2 if (of_program + count) % 3 == 0 else 0.0
            words = words_maker(of_program * 1000 + count, special)
            runs += _runs(case(program, count, Words(), words), len(runs))
    for made in built(module, targets, change):
        what = f"{name} {made.machinery.dialect} {made.machinery.features}".rstrip()
        _compare_rows(found, what, made, [each for each in runs if each.words <= steps_max])
        with Caller(made.text, made.machinery.machine) as caller:
            for some in _together(runs):
                results = caller.call([each.call for each in some], seconds)
                for each, result in zip(some, results, strict=True):
                    _note(found, what + each.suffix, each.wrong(result.buffers))
    return found


def _runs(made: Case, position: int) -> Iterator[_Run]:
    """A case as a call, and as one in place if it can be run so."""
    yield _run(made, position, made.results(), "")
    again = Case(made.program, made.signature, list(made.arguments), made.wanted, made.extents)
    results = in_place(again)
    if results is not None:
        yield _run(again, position, results, " in place")


def _run(made: Case, position: int, results: Sequence[np.ndarray], suffix: str) -> _Run:
    """Buffers at odd places, or at an end of a page; a result that is an input is one buffer."""
    buffers: dict[int, Buffer] = {}
    arrays = [*made.arguments, *results]
    for number, array in enumerate(arrays):
        offset = OFFSETS[(position + number) % len(OFFSETS)]
        offset = offset if offset % array.itemsize == 0 else 0
        fence = FENCES[(position + number) % len(FENCES)]
        buffer = Buffer(np.ascontiguousarray(array), 0 if fence else offset, fence)
        buffers.setdefault(id(array), buffer)
    call = Call(made.name, [*(buffers[id(array)] for array in arrays), *made.extents])
    written = {id(array) for array in results}
    kept = {at: each for at, each in enumerate(made.arguments) if id(each) not in written}
    return _Run(made, call, suffix, kept)


def _together(runs: Sequence[_Run]) -> Iterator[list[_Run]]:
    """The runs in their order, as many in a list as one process is given."""
    some: list[_Run] = []
    for each in runs:
        if some and sum(one.words for one in some) + each.words > WORDS_TOGETHER:
            yield some
            some = []
        some.append(each)
    if some:
        yield some


def _compare_rows(found: Compared, what: str, made: Built, runs: Sequence[_Run]) -> None:
    rows = Rows(made, STEPS_MAX)
    for each in runs:
        kind = f"{what} by rows{each.suffix}"
        try:
            _, buffers = rows.call(each.call)
        except Exception as error:  # a fault is a finding, whatever its class
            notes = "; ".join(getattr(error, "__notes__", ()))
            text = f"@{each.case.name} {each.case.extents}: {type(error).__name__}: {error} {notes}"
            _note(found, kind, [text])
            continue
        _note(found, kind, each.wrong(buffers))


def _note(found: Compared, what: str, wrong: Iterator[str] | Sequence[str]) -> None:
    found.count(what)
    found.wrong += [f"{what}: {text}" for text in wrong]
