"""Floats in the lowest lane of a vector register; what packed rows share with them is here too.

Invariant: what a row leaves in the lanes above isn't part of its result, and no row reads it.
Why: instructions that can't name registers 16 to 31 stand here twice under one name and signature,
    the second time for targets with AVX-512; such a form makes its condition in k1.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from alpha.backends.core.carriers import BYTES, MachineCarrier, Vector
from alpha.backends.core.meanings import (
    FLOATS,
    bitwise,
    broadcast,
    lanewise,
    loaded,
    low,
    of_words,
    on_words,
    signed,
    stored,
)
from alpha.backends.core.rows import Meaning, Row, row
from alpha.backends.x86.meanings import (
    fused,
    rounded,
    selected,
    truncated,
)
from alpha.backends.x86.registers import VIEWS
from alpha.backends.x86.rows.memory import BY_K1, WORDS, feature_of

_row = partial(row, VIEWS)
_by_k1 = partial(row, VIEWS, feature="avx512", clobbers=("k1",))


class Form(NamedTuple):
    """Views of one element: how mnemonics end, the element, the view, how rows are named."""

    ending: str
    element: str
    view: str
    packed: bool

    @property
    def bytes(self) -> int:
        """The bytes of the view."""
        return VIEWS[self.view].bytes

    @property
    def feature(self) -> str:
        """What its rows need."""
        return feature_of(self.view)

    @property
    def lanes(self) -> str:
        """How mnemonics end that treat all lanes alike."""
        return "pd" if self.element == "f64" else "ps"

    def named(self, mnemonic: str) -> str:
        """The name of a row: `vaddsd`, `vaddpd_y`."""
        return f"{mnemonic}{self.ending}_{self.view}" if self.packed else mnemonic + self.ending


SD, SS = Form("sd", "f64", "d", False), Form("ss", "f32", "s", False)
SCALARS = (SD, SS)


class Source(NamedTuple):
    """Where an operand comes from: its slot, its text, what else that needs."""

    suffix: str
    slot: str
    text: str
    feature: str
    broadcast: bool

    def meaning(self, plain: Meaning, form: Form, at: int) -> Meaning:
        """What a row means if its operand with number `at` comes from here."""
        return broadcast(plain, form.bytes, BYTES[form.element], at) if self.broadcast else plain


def sources(form: Form, slot: str) -> Iterator[Source]:
    """A register, memory, and for vectors with AVX-512 one word of memory in every lane."""
    yield Source("", f"{slot}:{form.view}", f"{{{slot}}}", form.feature, False)
    place = f"{WORDS[form.bytes]} ptr {{m}}"
    yield Source("_mem", f"m:mem{form.bytes}", place, form.feature, False)
    if form.packed:
        size = BYTES[form.element]
        place = f"{WORDS[size]} ptr {{m}}{{{{1to{form.bytes // size}}}}}"
        yield Source("_bcast", f"m:mem{size}", place, "avx512", True)


ARITHMETIC = {
    "vadd": "arith.addf",
    "vdiv": "arith.divf",
    "vmax": "pointwise.max",
    "vmin": "pointwise.min",
    "vmul": "arith.mulf",
    "vsub": "arith.subf",
}
"""What each mnemonic is; vmax is a > b ? a : b, of NaNs and zeros too, as `pointwise.max` is."""

FUSED = {"vfmadd": (1, 1), "vfmsub": (1, -1), "vfnmadd": (-1, 1), "vfnmsub": (-1, -1)}
"""The signs of the product and of what is added to it."""


def arithmetic(form: Form) -> Iterator[Row]:
    """Operations on two operands."""
    for mnemonic, operation in ARITHMETIC.items():
        for source in sources(form, "b"):
            commutes = "a b" if mnemonic in ("vadd", "vmul") and source.suffix == "" else ""
            yield _row(
                form.named(mnemonic) + source.suffix,
                f"d:{form.view} = a:{form.view}, {source.slot}",
                f"{mnemonic}{form.ending} {{d}}, {{a}}, {source.text}",
                source.meaning(lanewise(operation, form.element), form, 1),
                feature=source.feature,
                commutes=commutes,
            )


def fused_arithmetic(form: Form) -> Iterator[Row]:
    """± a * b ± c: 213 in the place of a, 231 in the place of c."""
    registers = {name: f"{name}:{form.view}" for name in "abc"}
    for mnemonic, signs in FUSED.items():
        for order, tied, first, last in (("213", "a", "b", "c"), ("231", "c", "a", "b")):
            for source in sources(form, last):
                read = ", ".join((registers | {last: source.slot}).values())
                yield _row(
                    form.named(mnemonic + order) + source.suffix,
                    f"d:{form.view}/{tied} = {read}",
                    f"{mnemonic}{order}{form.ending} {{d}}, {{{first}}}, {source.text}",
                    source.meaning(fused(signs, form.element), form, "abc".index(last)),
                    feature=source.feature,
                    commutes="a b" if source.suffix == "" else "",
                )


LOGIC = {"vand": "and", "vandn": "andnot", "vor": "or", "vxor": "xor"}


def logic(form: Form) -> Iterator[Row]:
    """All bits, whatever they say: of signs, of masks."""
    ending, view, bytes = form.lanes, form.view, max(16, form.bytes)
    for mnemonic, operation in LOGIC.items():
        verb, whole = f"{mnemonic}{ending}", bitwise(operation)
        yield _row(
            f"{verb}_{view}",
            f"d:{view} = a:{view}, b:{view}",
            f"{verb} {{d}}, {{a}}, {{b}}",
            whole,
            feature=form.feature,
            commutes="" if operation == "andnot" else "a b",
        )
        yield _row(
            f"{verb}_{view}_mem",
            f"d:{view} = a:{view}, m:mem{bytes}",
            f"{verb} {{d}}, {{a}}, {WORDS[bytes]} ptr {{m}}",
            lambda c, a, m, whole=whole, size=form.bytes: whole(c, a, c.resized(m, size)),
            feature=form.feature,
        )


def copies(view: str) -> Iterator[Row]:
    """A register to another one, and zeros out of nothing."""
    bytes, feature = VIEWS[view].bytes, feature_of(view)
    yield _row(
        f"vmovaps_{view}",
        f"d:{view} = s:{view}",
        "vmovaps {d}, {s}",
        lambda c, s: s,
        feature=feature,
        role="move",
    )
    yield _row(
        f"vxorps_zero_{view}",
        f"d:{view} =",
        "vxorps {d}, {d}, {d}",
        lambda c: c.of_integers(np.zeros(bytes, np.uint8)),
        feature=feature,
        role="constant",
    )


def selections(form: Form) -> Iterator[Row]:
    """x where a comparison of a and b holds, else y; the immediate is one of `PREDICATES`."""
    view = form.view
    name = form.named("vcmp") + "_select"
    signature = f"d:{view}! = a:{view}, b:{view}, x:{view}, y:{view}, p:immU5"
    meaning, packed = selected(form.element), form.lanes
    if view != "z":
        text = (
            f"vcmp{form.ending} {{d}}, {{a}}, {{b}}, {{p}}\n"
            f"vblendv{packed} {{d}}, {{y}}, {{x}}, {{d}}"
        )
        yield _row(name, signature, text, meaning)
    text = f"vcmp{form.ending} k1, {{a}}, {{b}}, {{p}}\nvblendm{packed} {{d}}{BY_K1}, {{y}}, {{x}}"
    yield _by_k1(name, signature, text, meaning)


def _selections_by_integer(form: Form) -> Iterator[Row]:
    """x where the lowest bit of t is set, else y."""
    name, packed = f"select_{form.ending}", form.lanes
    signature = f"d:{form.view}! = t:r64, x:{form.view}, y:{form.view}"
    verb = "vpsllq" if form.element == "f64" else "vpslld"

    def meaning(c: MachineCarrier, t: int, x: Vector, y: Vector) -> Vector:
        return x if t & 1 else y

    text = (
        f"vmovq {{d}}, {{t}}\n{verb} {{d}}, {{d}}, {8 * form.bytes - 1}\n"
        f"vblendv{packed} {{d}}, {{y}}, {{x}}, {{d}}"
    )
    yield _row(name, signature, text, meaning)
    text = f"kmovd k1, {{t:r32}}\nvblendm{packed} {{d}}{BY_K1}, {{y}}, {{x}}"
    yield _by_k1(name, signature, text, meaning)


def _conversions(form: Form) -> Iterator[Row]:
    """Integers, read as signed, to floats and back; between the two kinds of floats."""
    ending, view, element = form.ending, form.view, form.element
    for suffix, bits, wide in (("", 64, "r64"), ("_32", 32, "r32")):
        yield _row(
            f"vcvtsi2{ending}{suffix}",
            f"d:{view} = a:r64",
            f"vxorps {{d}}, {{d}}, {{d}}\nvcvtsi2{ending} {{d}}, {{d}}, {{a:{wide}}}",
            lambda c, a, bits=bits: of_words(
                c, np.array([signed(a & low(bits), bits)], np.int64).astype(FLOATS[element])
            ),
        )
    for suffix, bits, wide in (("", 64, "r64"), ("_32", 32, "r32")):
        name, d = f"vcvtt{ending}2si", f"{{d:{wide}}}"
        convert = f"{name} {d}, {{a}}"
        signature = f"d:r64 = a:{view}"
        yield _row(f"{name}{suffix}", signature, convert, truncated(bits, element, False))
        # Only the least integer, which also stands for all that doesn't fit, overflows less 1.
        # Then the sign gives the nearest integer, and a NaN, which isn't equal to itself, 0.
        sign = {
            "d": "vmovq {d}, {a}\nshr {d}, 63",
            "s": "vmovd {d:r32}, {a}\nshr {d:r32}, 31",
        }[view]
        text = (
            f"{convert}\ncmp {d}, 1\njno 2f\n{sign}\nbtc {d}, {bits - 1}\ndec {d}\n"
            f"vucomi{ending} {{a}}, {{a}}\njnp 2f\nxor {{d:r32}}, {{d:r32}}\n2:"
        )
        yield _row(f"{name}_sat{suffix}", signature, text, truncated(bits, element, True))
    other = SS if form == SD else SD
    name = f"vcvt{ending}2{other.ending}"
    yield _row(
        name,
        f"d:{other.view} = a:{view}",
        f"{name} {{d}}, {{a}}, {{a}}",
        on_words(lambda a: a.astype(FLOATS[other.element]), element),
    )


def _rounding(form: Form) -> Iterator[Row]:
    """To an integer: 8 nearest even, 9 down, 10 up, 11 toward zero, and no flag of inexactness."""
    signature = f"d:{form.view} = a:{form.view}, i:immU4"
    meaning = rounded(form.element)
    for verb, feature in (("vround", ""), ("vrndscale", "avx512")):
        text = f"{verb}{form.ending} {{d}}, {{a}}, {{a}}, {{i}}"
        yield _row(form.named("vround"), signature, text, meaning, feature=feature)


def _root(form: Form) -> Row:
    return _row(
        form.named("vsqrt"),
        f"d:{form.view} = a:{form.view}",
        f"vsqrt{form.ending} {{d}}, {{a}}, {{a}}",
        lanewise("math.sqrt", form.element),
    )


def _bits() -> Iterator[Row]:
    """The bits of a float as an integer, and back."""
    for mnemonic, view, wide, bits in (("vmovd", "s", "r32", 32), ("vmovq", "d", "r64", 64)):
        yield _row(
            f"{mnemonic}_from_r64",
            f"d:{view} = a:r64",
            f"{mnemonic} {{d}}, {{a:{wide}}}",
            stored(bits),
        )
        yield _row(
            f"{mnemonic}_to_r64",
            f"d:r64 = a:{view}",
            f"{mnemonic} {{d:{wide}}}, {{a}}",
            loaded(bits),
        )


def _all(form: Form) -> Iterator[Row]:
    yield from arithmetic(form)
    yield from selections(form)
    yield from _conversions(form)
    yield from fused_arithmetic(form)
    yield from logic(form)
    yield from copies(form.view)
    yield from _rounding(form)
    yield _root(form)
    yield from _selections_by_integer(form)


ROWS: tuple[Row, ...] = (*_all(SD), *_all(SS), *_bits())
