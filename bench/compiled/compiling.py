"""How long it takes to compile an update rule to an object, beside `jax.jit` of the same.

Ours is from the learner's text to the object of its update: parsing, all passes with the checks of
allocation and frames, and the assembler, which is a process of its own. The peer's is from the
Python function to what XLA has made, with its caches emptied. Both are warm: everything is
imported, and one compilation of each isn't counted.

Entry: `lines`.
"""

from __future__ import annotations

import gc
import importlib
import resource
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from alpha.backends.toolchain.assembling import assemble
from alpha.backends.toolchain.finding import find_toolchain
from alpha.backends.toolchain.machines import machine_of
from alpha.tools.driver.boundary import GARBAGE_OBJECTS
from compiled.learners import UPDATES, update_learner
from compiled.ours import assembly, host_features

PAIRS = 15
RULES = ("adam_folded", "adam")
WORDS = 8


def _cpu() -> float:
    """Seconds of processor time of this process and of those that have ended below it."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the clock, and of processor time."""
    cpu, start = _cpu(), time.perf_counter()
    work()
    return time.perf_counter() - start, _cpu() - cpu


def _ours(rule: str) -> Callable[[], object]:
    text, features = update_learner(rule, "f64", WORDS), host_features()
    toolchain = find_toolchain(machine_of("x86-64"))
    return lambda: assemble(assembly(text, features), toolchain)


def _rule(rule: str, jnp: Any) -> Callable[..., object]:
    """The rule as a function of arrays, in the order of its operations."""

    def adam(w: Any, m: Any, v: Any, g: Any, *constants: Any) -> object:
        named = dict(zip(UPDATES[rule].constants, constants, strict=True))
        m1 = named["b1"] * m + named["a1"] * g
        v1 = named["b2"] * v + named["a2"] * (g * g)
        m_hat, v_hat = m1, v1
        if rule == "adam":
            m_hat, v_hat = m1 / named["c1"], v1 / named["c2"]
        return w - (named["rate"] * m_hat) / (jnp.sqrt(v_hat) + named["eps"]), m1, v1

    return adam


def _theirs(rule: str, jax: Any) -> Callable[[], object]:
    jnp = importlib.import_module("jax.numpy")
    arrays = [jnp.zeros(WORDS)] * 4
    constants = [jnp.float64(0.5)] * len(UPDATES[rule].constants)

    def compile() -> object:
        jax.clear_caches()
        return jax.jit(_rule(rule, jnp)).lower(*arrays, *constants).compile()

    return compile


def lines() -> Iterator[str]:
    """A line a rule, or what has to be installed for it."""
    try:
        jax = importlib.import_module("jax")
    except ImportError:
        yield "compile: not compared, since jax isn't installed: pip install '.[bench]'"
        return
    jax.config.update("jax_enable_x64", True)
    gc.set_threshold(GARBAGE_OBJECTS)  # as the tools do
    for rule in RULES:
        ours, theirs = _ours(rule), _theirs(rule, jax)
        for warm_up in (ours, theirs):
            warm_up()
        pairs = [(_timed(ours), _timed(theirs)) for _ in range(PAIRS)]
        clock, cpu = (
            statistics.median(one[which] / other[which] for one, other in pairs) for which in (0, 1)
        )
        mine = statistics.median(one[0] for one, _ in pairs)
        peer = statistics.median(other[0] for _, other in pairs)
        yield (
            f"compile {rule} to an object: {1e3 * mine:.1f} ms; jax.jit {jax.__version__} "
            f"{1e3 * peer:.1f} ms; ratio {clock:.3f}, of processor time {cpu:.3f}"
        )
