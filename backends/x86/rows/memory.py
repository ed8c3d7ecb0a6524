"""Addresses, and what goes from registers to memory and back.

Invariant: nothing but a non-temporal store needs an aligned address.
Why: a row `..._pool` loads as a row `..._load` does, and is a constant: its address is a symbol of
    the literal pool, which never changes, so it can be done again anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from alpha.backends.core.carriers import BYTES, MachineCarrier, Partial, Vector
from alpha.backends.core.meanings import (
    loaded,
    low,
    stored,
)
from alpha.backends.core.rows import Meaning, Row, row
from alpha.backends.x86.registers import VIEWS

_row = partial(row, VIEWS)
_by_k1 = partial(row, VIEWS, feature="avx512", clobbers=("k1",))

WORDS = {1: "byte", 2: "word", 4: "dword", 8: "qword", 16: "xmmword", 32: "ymmword", 64: "zmmword"}
"""What so many bytes of memory are called."""

PACKED = (("pd", "f64"), ("ps", "f32"))
"""How a mnemonic ends for vectors of an element."""

BY_K, BY_K1, ZEROED = "{{{k}}}", "{{k1}}", "{{z}}"
"""What follows an operand of which a mask says the lanes, be it the row's or one that the row makes
itself; and says that the other lanes become zeros instead of staying what they were."""


def feature_of(view: str) -> str:
    """What rows of this view need beyond the baseline."""
    return "avx512" if view in "zk" else ""


def _lea() -> Iterator[Row]:
    """An address; `lea_area` that of a symbol or of a part of the frame, without registers."""
    signature = "d:r64 = m:mem0"
    yield _row("lea", signature, "lea {d}, {m}", lambda c, m: m & low(64))
    yield _row("lea_32", signature, "lea {d:r32}, {m}", lambda c, m: m & low(32))
    yield _row("lea_area", signature, "lea {d}, {m}", lambda c, m: m & low(64), role="constant")


def _loads() -> Iterator[Row]:
    """Integers with zeros above, or with their sign up to 64 bits (`s`) or to 32 (`s`, `_32`)."""
    for bits, verb, view in (
        (8, "movzx", "r32"),
        (16, "movzx", "r32"),
        (32, "mov", "r32"),
        (64, "mov", "r64"),
    ):
        text = f"{verb} {{d:{view}}}, {WORDS[bits // 8]} ptr {{m}}"
        yield _row(f"load_{bits}", f"d:r64 = m:mem{bits // 8}", text, loaded(bits))
    for bits, verb, view, to in (
        (8, "movsx", "r64", 64),
        (8, "movsx", "r32", 32),
        (16, "movsx", "r64", 64),
        (16, "movsx", "r32", 32),
        (32, "movsxd", "r64", 64),
    ):
        name = f"load_s{bits}" if to == 64 else f"load_s{bits}_32"
        text = f"{verb} {{d:{view}}}, {WORDS[bits // 8]} ptr {{m}}"
        yield _row(name, f"d:r64 = m:mem{bits // 8}", text, loaded(bits, to))


def _stores() -> Iterator[Row]:
    """The low bits of a register, or an immediate."""
    for bits, view in ((8, "r8"), (16, "r16"), (32, "r32"), (64, "r64")):
        place, to = f"{WORDS[bits // 8]} ptr {{m}}", f"m:mem{bits // 8}"
        immediate = f"{to} = i:immS{min(bits, 32)}"
        yield _row(f"store_{bits}", f"{to} = s:r64", f"mov {place}, {{s:{view}}}", stored(bits))
        yield _row(f"store_{bits}_imm", immediate, f"mov {place}, {{i}}", stored(bits))


def _same(c: MachineCarrier, value: Any) -> Any:
    return value


def _transfers() -> Iterator[Row]:
    """Vectors, and floats in their lowest lane: loads, constants of the pool, stores."""
    for name, mnemonic, view in (
        ("vmovss", "vmovss", "s"),
        ("vmovsd", "vmovsd", "d"),
        ("vmovups_x", "vmovups", "x"),
        ("vmovups_y", "vmovups", "y"),
        ("vmovups_z", "vmovups", "z"),
    ):
        bytes, feature = VIEWS[view].bytes, feature_of(view)
        place = f"{WORDS[bytes]} ptr {{m}}"
        read, text = f"d:{view} = m:mem{bytes}", f"{mnemonic} {{d}}, {place}"
        yield _row(f"{name}_load", read, text, _same, feature=feature)
        yield _row(f"{name}_pool", read, text, _same, feature=feature, role="constant")
        to = f"m:mem{bytes} = s:{view}"
        yield _row(f"{name}_store", to, f"{mnemonic} {place}, {{s}}", _same, feature=feature)
    for name, text, signature in (
        ("kmovq_load", "kmovq {d}, qword ptr {m}", "d:k = m:mem8"),
        ("kmovq_pool", "kmovq {d}, qword ptr {m}", "d:k = m:mem8"),
        ("kmovq_store", "kmovq qword ptr {m}, {s}", "m:mem8 = s:k"),
    ):
        meaning = stored(64) if name == "kmovq_store" else loaded(64)
        role = "constant" if name == "kmovq_pool" else "plain"
        yield _row(name, signature, text, meaning, feature="avx512", role=role)


def _broadcasts() -> Iterator[Row]:
    """One float from memory, or from the pool, in every lane."""
    for view in "xyz":
        for mnemonic, element in (("vbroadcastsd", "f64"), ("vbroadcastss", "f32")):
            bytes = BYTES[element]
            # There is no such instruction with 2 lanes of f64, but one that does the same.
            verb = "vmovddup" if (view, element) == ("x", "f64") else mnemonic
            text = f"{verb} {{d}}, {WORDS[bytes]} ptr {{m}}"
            read = f"d:{view} = m:mem{bytes}"
            lanes = VIEWS[view].bytes // bytes
            for form, role in (("mem", "plain"), ("pool", "constant")):
                yield _row(
                    f"{mnemonic}_{view}_{form}",
                    read,
                    text,
                    lambda c, m, bytes=bytes, lanes=lanes: c.shuffle(m, bytes, [0] * lanes),
                    feature=feature_of(view),
                    role=role,
                )


def _non_temporal() -> Iterator[Row]:
    """Past the caches, to an address that is a multiple of the vector's bytes: else it traps."""
    for view in "xyz":
        bytes = VIEWS[view].bytes
        text = f"vmovntps {WORDS[bytes]} ptr {{m}}, {{s}}"
        to = f"m:mem{bytes} = s:{view}"
        yield _row(f"vmovntps_{view}_store", to, text, _same, feature=feature_of(view))


def zeros(c: MachineCarrier, bytes: int) -> Vector:
    """A vector of zeros."""
    return c.of_integers(np.zeros(bytes, np.uint8))


def _load_by_vector(bytes: int, element: str) -> Meaning:
    return lambda c, w, m: c.select(c.truths(w, element), m, zeros(c, bytes), element)


def _store_by_vector(element: str) -> Meaning:
    return lambda c, w, s: Partial(s, c.truths(w, element), 8 * BYTES[element])


def _load_by_mask(bytes: int, element: str) -> Meaning:
    lanes = bytes // BYTES[element]
    return lambda c, k, m: c.select(c.truths_of(k, lanes), m, zeros(c, bytes), element)


def _store_by_mask(bytes: int, element: str) -> Meaning:
    lanes = bytes // BYTES[element]
    return lambda c, k, s: Partial(s, c.truths_of(k, lanes), 8 * BYTES[element])


def _masked() -> Iterator[Row]:
    """Lanes whose mask, the highest bit of a lane of `w` or a bit of `k`, is set; no others."""
    for view in "xyz":
        bytes = VIEWS[view].bytes
        place = f"{WORDS[bytes]} ptr {{m}}"
        for ending, element in PACKED:
            load = f"d:{view} = w:{view}, m:mem{bytes}?", _load_by_vector(bytes, element)
            store = f"m:mem{bytes}? = w:{view}, s:{view}", _store_by_vector(element)
            name = f"vmaskmov{ending}_{view}"
            if view != "z":
                text = f"vmaskmov{ending} {{d}}, {{w}}, {place}"
                yield _row(f"{name}_load", load[0], text, load[1])
                text = f"vmaskmov{ending} {place}, {{w}}, {{s}}"
                yield _row(f"{name}_store", store[0], text, store[1])
            signs = f"vpmov{'q' if element == 'f64' else 'd'}2m k1, {{w}}"
            mov = f"vmovu{ending}"
            text = f"{signs}\n{mov} {{d}}{BY_K1}{ZEROED}, {place}"
            yield _by_k1(f"{name}_load", load[0], text, load[1])
            text = f"{signs}\n{mov} {place}{BY_K1}, {{s}}"
            yield _by_k1(f"{name}_store", store[0], text, store[1])
            yield _row(
                f"{mov}_{view}_kload",
                f"d:{view} = k:k, m:mem{bytes}?",
                f"{mov} {{d}}{BY_K}{ZEROED}, {place}",
                _load_by_mask(bytes, element),
                feature="avx512",
            )
            yield _row(
                f"{mov}_{view}_kstore",
                f"m:mem{bytes}? = k:k, s:{view}",
                f"{mov} {place}{BY_K}, {{s}}",
                _store_by_mask(bytes, element),
                feature="avx512",
            )


def _prefetches() -> Iterator[Row]:
    """A wish, without an effect on what is computed; the address need not be there."""
    for name in ("prefetchnta", "prefetcht0", "prefetcht1", "prefetcht2"):
        yield _row(name, "= m:mem0", f"{name} {{m}}", lambda c, m: None)


ROWS: tuple[Row, ...] = (
    *_lea(),
    *_loads(),
    *_prefetches(),
    _row("sfence", "=", "sfence", lambda c: None),
    *_stores(),
    *_broadcasts(),
    *_masked(),
    *_non_temporal(),
    *_transfers(),
)
