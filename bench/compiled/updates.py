"""Update rules beside the same loops in C and numpy.

Entry: `rows`, `Row`, `address_of`, `counts`, `require_equal`.
"""

from __future__ import annotations

import ctypes
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from alpha.backends.toolchain.calling import Caller
from compiled.learners import UPDATES, VALUES, update_learner
from compiled.ours import library_of
from compiled.peers import Compiler
from compiled.placing import placed
from compiled.timing import Measurable, Timer

SIZES = (10_000, 1_000_000, 10_000_000)
DTYPES = {"f64": np.dtype(np.float64), "f32": np.dtype(np.float32)}
PAIRS_NUMPY = 7


class Row(NamedTuple):
    """A line of the table: seconds a call are in nanoseconds a word."""

    what: str
    peer: str
    ours: float
    theirs: float
    ratio: float
    instructions: str


def address_of(library: ctypes.CDLL | Caller, name: str) -> int:
    """Where a function is in this process."""
    if isinstance(library, Caller):
        function = library.library().function(name, [], None)
    else:
        function = getattr(library, name)
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return address


def _arguments(name: str, words: int, dtype: np.dtype) -> list[np.ndarray | int]:
    """Pointers in program order, results in place of what they replace, then the extent."""
    rule = UPDATES[name]
    source = np.random.default_rng(1)
    w = source.standard_normal(words).astype(dtype)
    states = [source.random(words).astype(dtype) * dtype.type(0.01) for _ in rule.states]
    g = source.standard_normal(words).astype(dtype)
    constants = [np.array([VALUES[each]], dtype) for each in rule.constants]
    return placed([w, *states, g, *constants, w, *states, words])


def rows(timer: Timer, compilers: Sequence[Compiler], folder: Path) -> Iterator[Row]:
    """Every rule, size and element type beside every peer."""
    for element, dtype in DTYPES.items():
        more = ("-DSINGLE",) if element == "f32" else ()
        peers = {
            each.command: each.library("kernels.c", folder, "-DFEATURES=8", *more)
            for each in compilers
        }
        for name in UPDATES:
            ours = library_of(update_learner(name, element))
            for words in SIZES:
                function = address_of(ours, name)
                what = f"{name} {element} N={words}"
                for command, peer in peers.items():
                    mine = (function, _arguments(name, words, dtype))
                    same = (address_of(peer, name), _arguments(name, words, dtype))
                    require_equal(timer, mine, same, what)
                    # On the same words: those of a pair wouldn't fit into the cache together.
                    theirs = (same[0], mine[1])
                    found = timer.compare(mine, theirs)
                    yield Row(
                        what,
                        command,
                        found.ours / words,
                        found.theirs / words,
                        found.ratio,
                        counts(timer, mine, theirs),
                    )
                mine = (function, _arguments(name, words, dtype))
                yield _beside_numpy(timer, mine, name, words, dtype, what)


def counts(timer: Timer, ours: Measurable, theirs: Measurable) -> str:
    """Instructions of a call of ours and of theirs."""
    counts = [timer.instructions(*each) for each in (ours, theirs)]
    if None in counts:
        return "not counted here"
    return f"{counts[0]} / {counts[1]}"


def require_equal(timer: Timer, ours: Measurable, theirs: Measurable, what: str) -> None:
    """After one call of each the words have the same bits."""
    for function, arguments in (ours, theirs):
        timer.nanoseconds(function, arguments, 1)
    for mine, same in zip(ours[1], theirs[1], strict=True):
        if np.asarray(mine).tobytes() != np.asarray(same).tobytes():
            raise SystemExit(f"{what}: the peer's words have other bits")


def _beside_numpy(
    timer: Timer, mine: Measurable, name: str, words: int, dtype: np.dtype, what: str
) -> Row:
    """Beside numpy, which writes into buffers that are there."""
    arguments = [each for each in _arguments(name, words, dtype) if isinstance(each, np.ndarray)]
    states = len(UPDATES[name].states)
    w, g = arguments[0], arguments[1 + states]
    held = arguments[1 : 1 + states]
    constants = dict(zip(UPDATES[name].constants, arguments[2 + states :], strict=False))
    scratch = [np.empty(words, dtype) for _ in range(3)]
    pairs: list[tuple[float, float]] = []
    times = max(1, round(2e6 / words / 5))
    for _ in range(PAIRS_NUMPY):
        ours = timer.nanoseconds(*mine, times)
        start = time.thread_time_ns()
        for _ in range(times):
            _numpy_update(name, w, held, g, constants, scratch)
        pairs.append((ours, (time.thread_time_ns() - start) / times))
    return Row(
        what,
        "numpy, in place",
        statistics.median(a for a, _ in pairs) / words,
        statistics.median(b for _, b in pairs) / words,
        statistics.median(a / b for a, b in pairs),
        "",
    )


def _numpy_update(
    name: str,
    w: np.ndarray,
    held: Sequence[np.ndarray],
    g: np.ndarray,
    c: Mapping[str, np.ndarray],
    scratch: Sequence[np.ndarray],
) -> None:
    """The rule in numpy, each step into a buffer that is there."""
    a, b, d = scratch
    if name == "sgd":
        np.multiply(c["rate"], g, out=a)
        np.subtract(w, a, out=w)
        return
    if name == "momentum":
        (m,) = held
        np.multiply(c["b1"], m, out=m)
        np.add(m, g, out=m)
        np.multiply(c["rate"], m, out=a)
        np.subtract(w, a, out=w)
        return
    m, v = held
    np.multiply(c["b1"], m, out=m)
    np.multiply(c["a1"], g, out=a)
    np.add(m, a, out=m)
    np.multiply(g, g, out=a)
    np.multiply(c["a2"], a, out=a)
    np.multiply(c["b2"], v, out=v)
    np.add(v, a, out=v)
    if name == "adam":
        np.divide(v, c["c2"], out=b)
        np.divide(m, c["c1"], out=d)
    else:
        b[:], d[:] = v, m
    np.sqrt(b, out=b)
    np.add(b, c["eps"], out=b)
    np.multiply(c["rate"], d, out=d)
    np.divide(d, b, out=d)
    np.subtract(w, d, out=w)
