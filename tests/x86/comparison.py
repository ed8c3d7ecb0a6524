"""What a row means against what the processor does.

NaNs that arithmetic makes are one value; everything else is compared by its bits: what is written,
and that nothing else changes but what the row clobbers.

Entry: `differences`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
from x86.execution import OPERAND_AT, PASSED, STATE, TAKEN, Library
from x86.instances import Instance, lane_bytes

from alpha.backends.core.carriers import MachineWords, NotModelled, Partial, Trap
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Memory, Slot, Word

CARRIER = MachineWords()
ARITHMETIC = re.compile(r"v(add|sub|mul|div|sqrt|fn?m|round|cvt)")

_BOTH = (0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, np.inf, -np.inf, np.nan)
_EDGES = (2.0**31, -(2.0**31), 2.0**31 - 1, 2.0**63, -(2.0**63), 2.0**64)
SPECIAL = {
    8: (*_BOTH, *_EDGES, 5e-324, -2.2e-308, 1.7e308, 4503599627370497.5),
    4: (*_BOTH, *_EDGES, 1e-45, -1.1e-38, 3.4e38, 8388607.5),
}
POOL = 512
INTEGERS = (0, 1, 2, 7, 8, 63, 127, 128, 255, 1 << 31, (1 << 31) - 1, 1 << 63, (1 << 63) - 1)


def _lanes(rng: np.random.Generator, shape: tuple[int, ...], element: int) -> np.ndarray:
    """Words of 8 or 4 bytes: any bits, special values, ordinary ones."""
    words, floats = {8: (np.uint64, np.float64), 4: (np.uint32, np.float32)}[element]
    made = rng.integers(0, 1 << 64, shape, np.uint64).astype(words)
    special = rng.choice(np.array(SPECIAL[element], floats), shape).view(words)
    plain = (rng.standard_normal(shape) * 10.0 ** rng.integers(-3, 4, shape)).astype(floats)
    kind = rng.integers(0, 3, shape)
    return np.where(kind == 0, made, np.where(kind == 1, special, plain.view(words)))


@cache
def _pool(element: int, seed: int) -> np.ndarray:
    """States to draw from, with lanes of so many bytes."""
    rng = np.random.default_rng(seed)
    states = np.zeros(POOL, STATE)
    states["vec"] = _lanes(rng, (POOL, 32, 64 // element), element).view(np.uint8)
    states["memory"] = _lanes(rng, (POOL, 256 // element), element).view(np.uint8)
    small = rng.choice(np.array(INTEGERS, np.uint64), (POOL, 16))
    small = np.where(rng.random((POOL, 16)) < 0.5, small, -small.view(np.int64).view(np.uint64))
    shifts = rng.integers(0, 64, (POOL, 16), np.uint64)
    whole = rng.integers(0, 1 << 64, (POOL, 16), np.uint64) >> shifts
    states["gpr"] = np.where(rng.random((POOL, 16)) < 0.4, small, whole)
    masks = rng.integers(0, 1 << 64, (POOL, 8), np.uint64)
    states["mask"] = masks & rng.choice(np.array([0, 0xFFFF, (1 << 64) - 1], np.uint64), (POOL, 8))
    states["mask"][::7] = (1 << 64) - 1
    # Now and then all is equal, or all is one of a few values: comparisons have to tell them apart.
    for state in states[: POOL // 4]:
        state["vec"][:] = state["vec"][0]
        state["memory"][64:128] = state["memory"][72:136] = state["vec"][0]
        state["gpr"][:] = state["gpr"][0]
    few = np.array([0.0, -0.0, 1.0, np.nan], np.float64 if element == 8 else np.float32)
    for state in states[POOL // 4 : POOL // 2]:
        state["vec"] = rng.choice(few, (32, 64 // element)).view(np.uint8)
        state["memory"] = rng.choice(few, 256 // element).view(np.uint8)
    return states


def _states(instance: Instance, library: Library, count: int, seed: int) -> np.ndarray:
    """So many states, with lanes of the element that the row's name says."""
    pool = _pool(lane_bytes(instance.row), seed >> 24)
    states = pool[np.random.default_rng(seed).integers(0, POOL, count)]
    _prepare(instance, library, states)
    return states


def _prepare(instance: Instance, library: Library, states: np.ndarray) -> None:
    """What some rows need: addresses that lead somewhere, system calls without effects."""
    row = instance.row
    rax, rcx = 0, 1
    if row.name.startswith("syscall"):
        states["gpr"][:, rax] = 39  # getpid
    elif row.name == "cpuid":
        states["gpr"][:, rax] = 1
    elif row.name == "xgetbv":
        states["gpr"][:, rcx] = 0
    elif row.name == "call_reg":
        states["gpr"][:, instance.registers["a"]] = library.called
    elif row.name == "vldmxcsr":
        states["memory"][:, OPERAND_AT : OPERAND_AT + 8] = [0x80, 0x1F, 0, 0, 0, 0, 0, 0]
        states["memory"][:, OPERAND_AT + 8 : OPERAND_AT + 12] = [0x80, 0x1F, 0, 0]
    address = instance.address
    if address is None or address.area:
        return
    target = np.uint64((library.memory - address.offset) % (1 << 64))
    places = list(instance.places)
    gpr = states["gpr"]
    if address.based:
        base = places[0]
        scaled = gpr[:, places[1]] * np.uint64(address.scale) if address.indexed else np.uint64(0)
        gpr[:, base] = target - scaled
    else:
        gpr[:, places[0]] = target // np.uint64(address.scale)


def differences(
    instance: Instance, library: Library, number: int, count: int, seed: int
) -> list[str]:
    """How the row differs from its instance with this number in the library, on so many states."""
    states = _states(instance, library, count, seed)
    kept, expected, matters = [], [], []
    for at, state in enumerate(states):
        try:
            made, cared = _applied(instance, state, _meant(instance, library, state))
        except Trap:
            continue
        except _WrongSize as size:
            return [f"{instance.row.name}: {size}"]
        kept.append(at)
        expected.append(made)
        matters.append(cared)
    if not kept:
        return []
    wanted, found = np.array(expected, STATE), library.run(number, states[kept])
    _take_nans_as_one(instance, wanted)
    _take_nans_as_one(instance, found)
    wrong = (_bytes(wanted) ^ _bytes(found)) & _bytes(np.array(matters, STATE))
    return [_described(instance, each) for each in wrong if each.any()]


def _bytes(states: np.ndarray) -> np.ndarray:
    return states.view(np.uint8).reshape(len(states), STATE.itemsize)


def _meant(instance: Instance, library: Library, state: np.ndarray) -> Any:
    """What the row gives, None where it has no meaning."""
    values: list[Any] = []
    for slot in instance.row.reads:
        kind = slot.kind
        if isinstance(kind, View):
            values.append(_value(state, kind, instance.registers[slot.name]))
        elif isinstance(kind, Memory):
            start = _start(instance)
            held = state["memory"][start : start + kind.bytes].copy()
            values.append(held if kind.bytes else library.memory + start - OPERAND_AT)
        elif kind != Word("label"):
            values.append(instance.extras[slot.name])
    try:
        result = instance.row.meaning(CARRIER, *values)
    except NotModelled:
        return NotModelled
    return result


def _value(state: np.ndarray, view: View, number: int) -> Any:
    if view.of.name == "vec":
        return state["vec"][number][: view.bytes].copy()
    field = "gpr" if view.of.name == "gpr" else "mask"
    return int(state[field][number]) & ((1 << 8 * view.bytes) - 1)


def _start(instance: Instance) -> int:
    address = instance.address
    return OPERAND_AT + (address.offset if address is not None and address.area else 0)


def _applied(instance: Instance, state: np.ndarray, result: Any) -> tuple[np.ndarray, np.ndarray]:
    """The state afterwards, and for each of its bytes whether it is known (0xff)."""
    row = instance.row
    made: Any = state.copy()
    cared: Any = np.full(STATE.itemsize, 255, np.uint8).view(STATE)[0]
    for register in row.clobbers:
        cared[register.of][register.number] = 0
    if row.role == "return":
        cared["vec"][:16, 16:] = 0  # vzeroupper
        cared["way"] = 0
    elif row.role in ("branch", "jump"):
        made["way"] = PASSED if result == 1 else TAKEN
    else:
        made["way"] = PASSED
    results: Any = (result,)
    if len(row.writes) > 1:
        results = [NotModelled for _ in row.writes] if result is NotModelled else result
    for slot, value in zip(row.writes, results, strict=False):
        _write(instance, slot, value, made, cared)
    return made, cared


class _WrongSize(Exception):
    """A meaning gives more or fewer bytes than its slot has."""


def _of_size(value: np.ndarray, bytes: int) -> np.ndarray:
    if value.nbytes != bytes:
        raise _WrongSize(f"{value.nbytes} bytes, not {bytes}")
    return value.view(np.uint8)


def _write(instance: Instance, slot: Slot, value: Any, made: np.ndarray, cared: np.ndarray) -> None:
    kind = slot.kind
    if isinstance(kind, Memory):
        start = _start(instance)
        place = slice(start, start + kind.bytes)
        if value is NotModelled:
            cared["memory"][place] = 0
        elif isinstance(value, Partial):
            lanes = made["memory"][place].copy().view(f"u{value.bits // 8}")
            lanes[value.truths] = value.vector.view(lanes.dtype)[value.truths]
            made["memory"][place] = lanes.view(np.uint8)
        else:
            made["memory"][place] = _of_size(value, kind.bytes)
        return
    assert isinstance(kind, View)
    number = instance.registers[slot.name]
    if kind.of.name == "vec":
        cared["vec"][number] = 0
        if value is not NotModelled:
            made["vec"][number][: kind.bytes] = _of_size(value, kind.bytes)
            cared["vec"][number][: kind.bytes] = 255
        return
    field = "gpr" if kind.of.name == "gpr" else "mask"
    if value is NotModelled:
        cared[field][number] = 0
    else:
        made[field][number] = value


def _take_nans_as_one(instance: Instance, states: np.ndarray) -> None:
    """Give all NaNs that arithmetic has made the same bits."""
    row = instance.row
    ending = row.name.split("_")[0][-2:]
    if not ARITHMETIC.match(row.name) or ending not in ("pd", "sd", "ps", "ss"):
        return
    for slot in row.defs:
        if isinstance(slot.kind, View) and slot.kind.of.name == "vec":
            number = instance.registers[slot.name]
            lanes = states["vec"][:, number].view(np.float64 if ending[1] == "d" else np.float32)
            lanes[np.isnan(lanes)] = np.nan
            states["vec"][:, number] = lanes.view(np.uint8)


def _described(instance: Instance, wrong: np.ndarray) -> str:
    """Which parts of the state differ."""
    state = wrong.view(STATE)[0]
    parts = [
        f"{field} {sorted({int(at[0]) for at in np.argwhere(np.atleast_1d(state[field]))})}"
        for field in ("vec", "gpr", "mask", "memory", "way")
        if np.any(state[field])
    ]
    return f"{instance.row.name} {instance.registers} {instance.extras}: {', '.join(parts)}"
