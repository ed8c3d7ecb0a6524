"""Rows that load and store, and those that make an address.

Every row takes every address; see `syntax` for what the holes of a text give. A narrow integer is
loaded with zeros above, or with its sign: `load_s8` up to 64 bits, `load_s8_32` up to 32, and zeros
above.

Invariant: nothing is asked of alignment, but of literals: each lies at a multiple of its size.
Entry: `ROWS`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from alpha.backends.aarch64.rows.integers import a64
from alpha.backends.core.carriers import MachineCarrier, Vector
from alpha.backends.core.meanings import loaded, shuffled, stored
from alpha.backends.core.rows import Row

_VECTORS = (("s", 4), ("d", 8), ("q", 16))


def _same(c: MachineCarrier, a: Any) -> Any:
    return a


def _doubled(c: MachineCarrier, m: Vector) -> Vector:
    return c.join(m, m)


def _four_times(c: MachineCarrier, m: Vector) -> Vector:
    return c.join(m, m, m, m)


def _access(mnemonic: str, register: str, bytes: int) -> str:
    return f"{{m:reach{bytes}}}{mnemonic} {register}, {{m:{bytes}}}"


def _integers() -> Iterator[Row]:
    widths = ((64, "{}", "r"), (32, "{}:w", "r"), (16, "{}:w", "rh"), (8, "{}:w", "rb"))
    for bits, spelled, suffix in widths:
        bytes = bits // 8
        d, s = (f"{{{spelled.format(name)}}}" for name in "ds")
        yield a64(
            f"load_{bits}", f"d:x = m:mem{bytes}", _access(f"ld{suffix}", d, bytes), loaded(bits)
        )
        yield a64(
            f"store_{bits}", f"m:mem{bytes} = s:x", _access(f"st{suffix}", s, bytes), stored(bits)
        )
        zero = "xzr" if bits == 64 else "wzr"
        yield a64(
            f"store_zero_{bits}",
            f"m:mem{bytes} =",
            _access(f"st{suffix}", zero, bytes),
            lambda c, bits=bits: stored(bits)(c, 0),
        )
    for bits, mnemonic in ((8, "ldrsb"), (16, "ldrsh"), (32, "ldrsw")):
        bytes = bits // 8
        yield a64(
            f"load_s{bits}",
            f"d:x = m:mem{bytes}",
            _access(mnemonic, "{d}", bytes),
            loaded(bits, 64),
        )
        if bits < 32:
            yield a64(
                f"load_s{bits}_32",
                f"d:x = m:mem{bytes}",
                _access(mnemonic, "{d:w}", bytes),
                loaded(bits, 32),
            )


def _vectors() -> Iterator[Row]:
    for view, bytes in _VECTORS:
        yield a64(f"load_{view}", f"d:{view} = m:mem{bytes}", _access("ldr", "{d}", bytes), _same)
        yield a64(f"store_{view}", f"m:mem{bytes} = s:{view}", _access("str", "{s}", bytes), _same)
    for lanes, bytes, meaning in (("2d", 8, _doubled), ("4s", 4, _four_times)):
        yield a64(
            f"load_dup_{lanes}",
            f"d:q = m:mem{bytes}",
            f"{{m:reachbase}}ld1r {{{{{{d:v}}.{lanes}}}}}, {{m:base}}",
            meaning,
        )


def _lanes() -> Iterator[Row]:
    """One lane of a vector to and from memory; the others stay."""
    for view, bytes in (("s", 4), ("d", 8)):
        count = 16 // bytes
        number = f"i:immU{count.bit_length() - 1}"
        yield a64(
            f"load_lane_{view}",
            f"d:q/a = a:q, m:mem{bytes}, {number}",
            f"{{m:reachbase}}ld1 {{{{{{d:v}}.{view}}}}}[{{i}}], {{m:base}}",
            shuffled(
                bytes, lambda i, count=count: [count if at == i else at for at in range(count)], 2
            ),
        )
        yield a64(
            f"store_lane_{view}",
            f"m:mem{bytes} = s:q, {number}",
            f"{{m:reachbase}}st1 {{{{{{s:v}}.{view}}}}}[{{i}}], {{m:base}}",
            shuffled(bytes, lambda i: [i]),
        )


def _prefetches() -> Iterator[Row]:
    """A wish, without an effect on what is computed; the address need not be there."""
    yield a64("prefetch", "= m:mem0", _access("prfm", "pldl1keep", 8), lambda c, m: None)


def _literals() -> Iterator[Row]:
    """From the literal pool, which never changes: a value that can be loaded again at any place."""
    for view, bytes in (("x", 8), *_VECTORS):
        yield a64(
            f"literal_{view}",
            f"d:{view} = m:mem{bytes}",
            "adrp x16, {m:page}\nldr {d}, [x16, {m:low}]",
            loaded(64) if view == "x" else _same,
            role="constant",
        )


def _addresses() -> Iterator[Row]:
    yield a64("address", "d:x = m:mem0", "{m:reach0}add {d}, {m:0}", _same)
    text = "adrp {d}, {f}\nadd {d}, {d}, :lo12:{f}"
    yield a64("address_of_symbol", "d:x = f:symbol", text, _same, role="constant")


ROWS: tuple[Row, ...] = (
    *_integers(),
    *_vectors(),
    *_lanes(),
    *_prefetches(),
    *_literals(),
    *_addresses(),
)
