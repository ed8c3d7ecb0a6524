"""Whether rows mean what a processor does: states before an instance, and what is true behind it.

A state has special values beside any others, and few different ones, so that operands are often
equal.
Nothing but what an instance writes, what its row clobbers and x16 and x17 may change. Two NaNs in
the place of an element that arithmetic made are equal; all else is compared by bits.

Entry: `Difference`, `states`, `differences`, `reachable`, `DOUBLES`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from aarch64.executed import FELL_THROUGH, PLACE, RECORD, REGION, REGION_BYTES, STACK, WINDOW
from aarch64.instances import Instance

from alpha.backends.aarch64.registers import STACK_POINTER
from alpha.backends.core.carriers import MachineWords, NotModelled
from alpha.backends.core.registers import View
from alpha.backends.core.rows import Memory, Slot, Word

CARRIER = MachineWords()

GENERAL = [
    *(0, 1, 2, 3, 5, 63, 64, 255, 256, 32767, 32768, 65535, 1 << 31, (1 << 31) - 1, 1 << 32),
    *((1 << 32) - 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, (1 << 64) - 2, (1 << 64) - 128),
    *(1 << 40, 0xFFFFFFFF << 32, 0x80000000_80000000, 0x7FFFFFFF_FFFFFFFF, 0x12345678 << 32),
]
NO_SYSTEM_CALL = 0xFFF
"""A number that no system call has: nothing happens but that x0 says so."""

DOUBLES = [
    *(
        0.0,
        -0.0,
        0.0,
        -0.0,
        float("nan"),
        float("nan"),
        1.0,
        -1.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        3.7,
        1e300,
        -1e300,
        1e-310,
        5e-324,
    ),
    *(2.2250738585072014e-308, 1.7976931348623157e308, 2.0**31, 2.0**32, 2.0**52 + 0.5, 2.0**53),
    *(2.0**63, -(2.0**63), 2.0**64, 1e10 + 0.5, float("inf"), float("-inf"), float("nan")),
    *(1 + 2.0**-52, 1 + 2.0**-24, 3.4028235677973366e38, 1e-46, 0.49999999999999994),
]
_DOUBLE_BITS = [*np.array(DOUBLES).view("<u8").tolist(), 0xFFF8 << 48, (0x7FF0 << 48) + 1]
_SINGLES = [*DOUBLES, 16777217.0, 8388608.5, 0.49999997, 1e-40, 1.4e-45, 1 + 2.0**-23]
with np.errstate(all="ignore"):
    _ROUNDED = np.array(_SINGLES).astype("<f4").view("<u4").tolist()
_SINGLE_BITS = [*_ROUNDED, 0xFFC00000, 0x7F800001]

_ARITHMETIC = re.compile(
    r"f(n?m(add|sub)|add|addp|sub|mul|div|sqrt|ml[as]|rint[a-z]|cvt(n2?|l2?)?)(_|$)"
)


@dataclass(frozen=True)
class Difference:
    """An instance that did something else than its row says: where, what was expected and found."""

    instance: Instance
    where: str
    expected: object
    found: object


def _vector(draw: random.Random) -> bytes:
    match draw.randrange(4):
        case 0:
            words = [draw.choice(_DOUBLE_BITS) for _ in range(2)]
            return b"".join(word.to_bytes(8, "little") for word in words)
        case 1:
            words = [draw.choice(_SINGLE_BITS) for _ in range(4)]
            return b"".join(word.to_bytes(4, "little") for word in words)
        case 2:
            # Floats near one another, so that results are not all infinite or alike.
            exponent = draw.randrange(1000, 1046) if draw.random() < 0.5 else None
            if exponent is None:
                words = [draw.getrandbits(24) | draw.randrange(100, 150) << 23 for _ in range(4)]
                return b"".join(word.to_bytes(4, "little") for word in words)
            words = [draw.getrandbits(52) | exponent << 52 for _ in range(2)]
            return b"".join(word.to_bytes(8, "little") for word in words)
        case _:
            return draw.randbytes(16)


def _general(draw: random.Random) -> int:
    if draw.random() < 0.4:
        return draw.choice(GENERAL)
    return draw.getrandbits(draw.choice((4, 8, 16, 32, 64, 64, 64, 64)))


def states(instances: Sequence[Instance], each: int, seed: int) -> np.ndarray:
    """So many records for each instance, all of the same seed alike."""
    draw = random.Random(seed)
    general = np.array([_general(draw) for _ in range(1500)], np.uint64)
    vectors = np.frombuffer(b"".join(_vector(draw) for _ in range(1500)), np.uint8)
    vectors = vectors.reshape(-1, 16)
    numbers = np.random.default_rng(seed)
    records = np.zeros(len(instances) * each, RECORD)
    count = len(records)
    # A few values in a record, so that operands are often equal.
    few = numbers.integers(0, len(general), (count, 12))
    picked = numbers.integers(0, 12, (count, 31))
    records["x"] = general[np.take_along_axis(few, picked, 1)]
    few = numbers.integers(0, len(vectors), (count, 16))
    picked = numbers.integers(0, 16, (count, 32))
    records["v"] = vectors[np.take_along_axis(few, picked, 1)]
    records["instance"] = np.repeat(np.arange(len(instances)), each)
    records["bytes"] = numbers.integers(0, 256, (count, WINDOW))
    fitting = numbers.random(count) < 0.5
    some = vectors[numbers.integers(0, len(vectors), count)]
    records["bytes"][fitting, 16:32] = some[fitting]
    for record in records:
        instance = instances[int(record["instance"])]
        record["window"] = REGION + 4096
        if instance.row.name.startswith("svc"):
            record["x"][8] = NO_SYSTEM_CALL
        if instance.address is not None:
            _aim(record, instance, draw)
    return records


def _aim(record: np.void, instance: Instance, draw: random.Random) -> None:
    """Choose registers so that the address lies in the region, and put the window around it."""
    address = instance.address
    assert address is not None
    start = PLACE if address.area == "symbol" else 0
    places = list(instance.places)
    base = places.pop(0) if address.based else None
    index = places.pop(0) if address.indexed else None
    fixed = start + address.offset + (STACK if base == STACK_POINTER else 0)
    goal = REGION + draw.randrange(8192, REGION_BYTES // 8)
    scaled = 0
    if base is None or base == STACK_POINTER:
        if index is None:
            goal = fixed
        else:
            scaled = (goal - fixed) // address.scale
            goal = fixed + scaled * address.scale
    elif index is not None:
        scaled = _general(draw)
        scaled -= scaled >> 63 << 64
    if index is not None:
        record["x"][index] = scaled % (1 << 64)
    if base is not None and base != STACK_POINTER:
        record["x"][base] = (goal - fixed - scaled * address.scale) % (1 << 64)
    if STACK - WINDOW < goal < STACK + RECORD.itemsize + WINDOW:
        goal = STACK + RECORD.itemsize  # left to `reachable`
    record["window"] = goal - 16


def reachable(instance: Instance) -> bool:
    """Whether its address can be put anywhere but where the record stands."""
    address = instance.address
    if address is None or address.indexed or address.area or not address.based:
        return True
    if instance.places[0] != STACK_POINTER:
        return True
    return not -WINDOW - 16 < address.offset < RECORD.itemsize + WINDOW


def differences(
    instances: Sequence[Instance], before: np.ndarray, after: np.ndarray
) -> Iterator[Difference]:
    """Where a processor did something else than the rows say."""
    for record, found in zip(before, after, strict=True):
        instance = instances[int(record["instance"])]
        yield from _compared(instance, record, found)


def _compared(instance: Instance, before: np.void, after: np.void) -> Iterator[Difference]:
    row = instance.row
    expected = before.copy()
    expected["went"] = FELL_THROUGH
    unknown: set[int] = {16, 17}
    unknown |= {each.number for each in row.clobbers if each.of == "gpr"}
    try:
        result = row.meaning(CARRIER, *_operands(instance, before))
    except NotModelled:
        unknown |= {instance.registers[slot.name] for slot in row.defs}
    else:
        _write(instance, expected, result)
    for number in unknown:
        if number < 31:
            expected["x"][number] = after["x"][number]
    if expected.tobytes() == after.tobytes():
        return
    arithmetic = _ARITHMETIC.match(row.name) is not None
    for name in ("x", "went", "v", "window", "instance", "bytes"):
        for number in np.ndindex(expected[name].shape[:1] if name in "xv" else ()):
            one, other = expected[name][number], after[name][number]
            if np.array_equal(one, other) or (
                arithmetic and name == "v" and _equal_but_for_nans(instance, one, other)
            ):
                continue
            where = f"{name}{number[0]}" if number else name
            yield Difference(instance, where, one.tolist(), other.tolist())


def _equal_but_for_nans(instance: Instance, one: np.ndarray, other: np.ndarray) -> bool:
    (slot,) = instance.row.defs
    assert isinstance(slot.kind, View)
    narrow = slot.kind.name == "s" or instance.row.name.endswith(("_4s", "fcvtn", "fcvtn2"))
    dtype = "<f4" if narrow else "<f8"
    bits = "<u4" if narrow else "<u8"
    both = np.isnan(one.view(dtype)) & np.isnan(other.view(dtype))
    return bool(np.all(both | (one.view(bits) == other.view(bits))))


def _operands(instance: Instance, record: np.void) -> list[Any]:
    found: list[Any] = []
    for slot in instance.row.reads:
        if slot.kind != Word("label"):
            found.append(_operand(instance, slot, record))
    return found


def _operand(instance: Instance, slot: Slot, record: np.void) -> Any:
    match slot.kind:
        case View():
            number = instance.registers[slot.name]
            if slot.kind.of.name == "vec":
                return record["v"][number][: slot.kind.bytes].copy()
            return int(record["x"][number])
        case Memory():
            if slot.kind.bytes == 0:
                return int(record["window"]) + 16
            return record["bytes"][16 : 16 + slot.kind.bytes].copy()
        case Word("symbol"):
            return PLACE
        case _:
            return instance.extras[slot.name]


def _write(instance: Instance, record: np.void, result: Any) -> None:
    """Put a meaning's results in their places."""
    row = instance.row
    if row.labels:
        record["went"] = FELL_THROUGH if result and row.role == "branch" else result
        return
    results = result if len(row.writes) > 1 else (result,)
    for slot, value in zip(row.writes, results, strict=False):
        if isinstance(slot.kind, View):
            number = instance.registers[slot.name]
            if slot.kind.of.name == "vec":
                held = CARRIER.resized(value, slot.kind.bytes)
                assert len(value.tobytes()) == slot.kind.bytes
                record["v"][number] = CARRIER.resized(held, 16)
            else:
                assert 0 <= value < 1 << 64
                record["x"][number] = value
        else:
            data = np.frombuffer(value.tobytes(), np.uint8)
            assert isinstance(slot.kind, Memory)
            assert len(data) == slot.kind.bytes
            record["bytes"][16 : 16 + len(data)] = data
