"""Each row's meaning against the instruction as this processor executes it."""

from __future__ import annotations

import ctypes
import faulthandler
import mmap
import os
import signal
import warnings
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from x86.choices import TARGETS, all_instances
from x86.comparison import differences
from x86.execution import STATE, Library, executable, has
from x86.instances import Instance, instances_of, lane_bytes

from alpha.backends.core.carriers import MachineWords, NotModelled, Trap
from alpha.backends.core.program import Address, Extra
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Immediate, Memory, Row, Slot, Word
from alpha.backends.x86.rows.table import ALL

INSTANCES, STATES = 2, 6

BASE, WIDE, SHA = TARGETS


def run_all(instances: list[Instance], states: int, seed: int) -> list[str]:
    """The differences of all instances that this processor can execute."""
    executed = [each for each in instances if executable(each)]
    library = Library(executed)
    return [
        difference
        for number, instance in enumerate(executed)
        for difference in differences(instance, library, number, states, seed + number)
    ]


def test_every_row_does_what_it_means():
    found = run_all(list(all_instances(INSTANCES, seed=1)), STATES, seed=0)
    assert not found


def test_what_this_processor_lacks_is_said():
    unverified = sorted({row.feature for row in ALL if not has(row.feature)})
    for feature in unverified:
        rows = [row.name for row in ALL if row.feature == feature]
        text = f"unverified, since there is no {feature or 'x86-64-v3'} here: {len(rows)} rows"
        warnings.warn(text, stacklevel=1)
    assert {row.feature for row in ALL} == {"", "avx512", "sha"}


UNMODELLED = (
    frozenset(
        f"{verb}{ending}_{view}"
        for verb in ("vrcp14", "vrsqrt14")
        for ending in ("pd", "ps")
        for view in "xyz"
    )
    | {"call", "call_reg", "cpuid", "rsp_add", "vstmxcsr", "xgetbv"}
    | {f"syscall_{count}" for count in range(7)}
)


def _anything(slot: Slot) -> object:
    """A value that a slot may have."""
    kind = slot.kind
    if isinstance(kind, View):
        return np.zeros(kind.bytes, np.uint8) if kind.of.name == "vec" else 1
    if isinstance(kind, Memory):
        return np.zeros(kind.bytes, np.uint8) if kind.bytes else 0
    return kind.low if isinstance(kind, Immediate) else "ae"


def _has_a_meaning(row: Row) -> bool:
    values = [_anything(slot) for slot in row.reads if slot.kind != Word("label")]
    if row.name == "vldmxcsr":
        values = [np.array([0x1F80], np.uint32)]
    try:
        row.meaning(MachineWords(), *values)
    except NotModelled:
        return False
    except Trap:
        pass
    return True


def test_no_other_row_is_without_a_meaning():
    assert {row.name for row in ALL if not _has_a_meaning(row)} == UNMODELLED


def test_operands_that_may_be_exchanged_may():
    words = MachineWords()
    for row in ALL:
        if row.commutes is None:
            continue
        names = [slot.name for slot in row.reads if slot.kind != Word("label")]
        first, second = (names.index(name) for name in row.commutes)
        for seed in range(8):
            values = _ordinary(row, seed)
            other = list(values)
            other[first], other[second] = values[second], values[first]
            one, two = (row.meaning(words, *each) for each in (values, other))
            assert np.array_equal(one, two), row.name


def _ordinary(row: Row, seed: int) -> list[object]:
    """Values without NaNs for what a row reads."""
    rng = np.random.default_rng(seed)
    dtype = np.float32 if lane_bytes(row) == 4 else np.float64
    found: list[object] = []
    for slot in row.reads:
        if isinstance(slot.kind, View) and slot.kind.of.name == "vec":
            count = slot.kind.bytes // np.dtype(dtype).itemsize
            found.append(rng.standard_normal(count).astype(dtype).view(np.uint8))
        elif isinstance(slot.kind, View):
            found.append(int(rng.integers(1 << 63)))
        elif slot.kind != Word("label"):
            found.append("e")
    return found


MUTANTS = {
    "swapped operands": ("sub", lambda m: lambda c, a, b: m(c, b, a)),
    "swapped operands of min": ("vminsd", lambda m: lambda c, a, b: m(c, b, a)),
    "a condition that is turned round": ("cmp_set", lambda m: lambda c, *v: 1 - m(c, *v)),
    "the other label": ("vucomisd_branch", lambda m: lambda c, *v: 1 - m(c, *v)),
    "a bit above 32": ("add_32", lambda m: BASE.rows["add"].meaning),
    "a mask that isn't looked at": (
        "vaddpd_y_k",
        lambda m: lambda c, k, w, a, b: WIDE.rows["vaddpd_y"].meaning(c, a, b),
    ),
    "lanes of a masked store": ("vmaskmovps_y_store", lambda m: lambda c, w, s: s),
    "a rounding more": (
        "vfmadd231sd",
        lambda m: (
            lambda c, a, b, d: c.apply("arith.addf", "f64", c.apply("arith.mulf", "f64", a, b), d)
        ),
    ),
    "too many bytes": ("store_32", lambda m: BASE.rows["store_64"].meaning),
    "lanes in another order": ("vunpckhpd_z", lambda m: lambda c, a, b: m(c, b, a)),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_meaning_is_caught(name):
    row_name, mutate = MUTANTS[name]
    row = WIDE.rows[row_name]
    wrong = replace(row, meaning=mutate(row.meaning))
    assert bool(run_all(list(instances_of(wrong, WIDE, 6, 1)), 16, seed=0)) == has(row.feature)
    assert not run_all(list(instances_of(row, WIDE, 6, 1)), 16, seed=0)


def _without_early(row: Row) -> Row:
    return replace(row, writes=tuple(replace(slot, early=False) for slot in row.writes))


@pytest.mark.parametrize("name", ["vcmpsd_select", "vcmpps_y_select", "select_ss", "sraq_y"])
def test_a_result_that_is_written_early_and_not_said_to_be_is_caught(name):
    row = BASE.rows[name]
    wrong = list(instances_of(_without_early(row), BASE, 24, 1))
    assert bool(run_all(wrong, 16, seed=0)) == has("")
    assert not run_all(list(instances_of(row, BASE, 24, 1)), 16, seed=0)


@pytest.mark.parametrize("name", ["syscall_1", "vcmppd_y", "vzeroupper"])
def test_a_clobber_that_is_left_out_is_caught(name):
    row = WIDE.rows[name]
    wrong = replace(row, clobbers=())
    assert bool(run_all(list(instances_of(wrong, WIDE, 3, 1)), 8, seed=0)) == has(row.feature)


def ends_by(library: Library, number: int, states: np.ndarray) -> int:
    """The signal that ends a process which executes an instance, 0 if none does."""
    child = os.fork()
    if child == 0:
        faulthandler.disable()
        library.run(number, states)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


TRAPS = {
    "div": ((1, 0), signal.SIGFPE),
    "idiv": ((1 << 63, (1 << 64) - 1), signal.SIGFPE),
    "idiv_32": ((1 << 31, (1 << 32) - 1), signal.SIGFPE),
    "ud2": ((), signal.SIGILL),
}


@pytest.mark.parametrize("name", TRAPS)
def test_what_traps_is_said_to_trap(name):
    values, expected = TRAPS[name]
    row = BASE.rows[name]
    with pytest.raises(Trap):
        row.meaning(MachineWords(), *values)
    states = np.zeros(1, STATE)
    registers = {"a": 0, "b": 3, "q": 0, "r": 2} if values else {}
    for register, value in zip((0, 3), values, strict=False):
        states["gpr"][0, register] = value
    if has(""):
        assert ends_by(Library([Instance(row, registers)]), 0, states) == expected


def _masked_instances() -> Iterator[Instance]:
    """Every masked access, with its address in rax and its mask in k2 or xmm3."""
    for target in (BASE, WIDE):
        for row in target.rows.values():
            if row.memory is not None and row.memory.partial and has(row.feature):
                extras: dict[str, Extra] = {row.memory.name: Address()}
                yield Instance(row, {"d": 5, "s": 5, "w": 3, "k": 2}, extras, (0,))


@pytest.mark.parametrize("all_lanes", [False, True])
def test_a_masked_access_touches_only_the_lanes_of_its_mask(all_lanes):
    """The lowest lane lies at the end of memory; what is behind it isn't there."""
    held = mmap.mmap(-1, 2 * mmap.PAGESIZE)
    end = ctypes.addressof(ctypes.c_char.from_buffer(held)) + mmap.PAGESIZE
    assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(end), mmap.PAGESIZE, 0) == 0
    instances = list(_masked_instances())
    library = Library(instances)
    for number, instance in enumerate(instances):
        lane = 8 if "pd" in instance.row.name else 4
        states = np.zeros(1, STATE)
        states["gpr"][0, 0] = end - lane
        states["mask"][0, 2] = (1 << 64) - 1 if all_lanes else 1
        states["vec"][0, 3, : 64 if all_lanes else lane] = 255
        expected = signal.SIGSEGV if all_lanes else 0
        assert ends_by(library, number, states) == expected, instance.row.name
