"""Vectors of floats, the integers in their lanes, masks, and moves between lanes.

Invariant: as in `scalars`, a name that stands twice has its second form for targets with AVX-512,
    where any register up to 31 may be an operand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from alpha.backends.core.carriers import BYTES, MachineCarrier, Vector
from alpha.backends.core.exact import quotient, root
from alpha.backends.core.meanings import (
    FLOATS,
    UNSIGNED,
    bitwise,
    blended,
    lanewise,
    low,
    of_words,
    on_integers,
    part,
    placed,
    shuffled,
    unmodelled,
)
from alpha.backends.core.rows import Meaning, Row, row
from alpha.backends.x86.meanings import (
    Places,
    as_integer,
    compare_numbered,
    fused,
    merged,
    rounded,
    sha256_message1,
    sha256_message2,
    sha256_rounds,
)
from alpha.backends.x86.registers import VIEWS
from alpha.backends.x86.rows.memory import BY_K, BY_K1, WORDS, feature_of
from alpha.backends.x86.rows.scalars import (
    ARITHMETIC,
    FUSED,
    Form,
    arithmetic,
    copies,
    fused_arithmetic,
    logic,
    selections,
    sources,
)

_row = partial(row, VIEWS)
_wide = partial(row, VIEWS, feature="avx512")
_by_k1 = partial(row, VIEWS, feature="avx512", clobbers=("k1",))
_sha = partial(row, VIEWS, feature="sha")

PACKED = tuple(
    Form(ending, element, view, True)
    for view in "xyz"
    for ending, element in (("pd", "f64"), ("ps", "f32"))
)

_LETTER = {"f64": "q", "f32": "d"}
"""How mnemonics end for integers as wide as a float."""


# Arithmetic.


def _masked(form: Form) -> Iterator[Row]:
    """Arithmetic in the lanes that k names; the others keep what they were."""
    view = form.view
    for mnemonic, operation in ARITHMETIC.items():
        verb = f"{mnemonic}{form.ending}"
        yield _row(
            f"{verb}_{view}_k",
            f"d:{view}/w = k:k, w:{view}, a:{view}, b:{view}",
            f"{verb} {{d}}{BY_K}, {{a}}, {{b}}",
            merged(lanewise(operation, form.element), form.element),
            feature="avx512",
            commutes="a b" if mnemonic in ("vadd", "vmul") else "",
        )
    for mnemonic, signs in FUSED.items():
        verb = f"{mnemonic}231{form.ending}"
        plain = fused(signs, form.element)
        keep = merged(plain, form.element)
        yield _row(
            f"{verb}_{view}_k",
            f"d:{view}/c = k:k, a:{view}, b:{view}, c:{view}",
            f"{verb} {{d}}{BY_K}, {{a}}, {{b}}",
            lambda c, k, x, y, z, keep=keep: keep(c, k, z, x, y, z),
            feature="avx512",
            commutes="a b",
        )
    yield _row(
        f"vsqrt{form.ending}_{view}_k",
        f"d:{view}/w = k:k, w:{view}, a:{view}",
        f"vsqrt{form.ending} {{d}}{BY_K}, {{a}}",
        merged(lanewise("math.sqrt", form.element), form.element),
        feature="avx512",
    )


def _roots_and_roundings(form: Form) -> Iterator[Row]:
    """Square roots; roundings to an integer as `scalars` has them; estimates without a meaning."""
    view, ending = form.view, form.ending
    for source in sources(form, "a"):
        yield _row(
            form.named("vsqrt") + source.suffix,
            f"d:{view} = {source.slot}",
            f"vsqrt{ending} {{d}}, {source.text}",
            source.meaning(lanewise("math.sqrt", form.element), form, 0),
            feature=source.feature,
        )
    for verb, feature in (("vround", ""), ("vrndscale", "avx512")):
        if view != "z" or feature:
            signature, text = f"d:{view} = a:{view}, i:immU4", f"{verb}{ending} {{d}}, {{a}}, {{i}}"
            yield _row(
                form.named("vround"), signature, text, rounded(form.element), feature=feature
            )
    for verb in ("vrcp14", "vrsqrt14"):
        text = f"{verb}{ending} {{d}}, {{a}}"
        reason = "an estimate, whose bits the manual bounds and doesn't say"
        signature = f"d:{view} = a:{view}"
        yield _wide(form.named(verb), signature, text, unmodelled(reason))


def _exact_root() -> Row:
    """A square root on the multiply-add pipes: floor and midpoint, as docs/exact.md proves.

    k3 has the lanes out of range, k2 those whose estimate isn't good enough; if there is one that
    isn't +0, the instruction does it. g is kept in d, and y, h and the rest in zmm29 to zmm31.
    """
    text = """vpaddq zmm31, {x}, {base}
vptestnmq k3, zmm31, {mask}
vrsqrt14pd zmm29, {x}
vpaddq zmm30, zmm29, {exponent}
vmulpd {d}, {x}, zmm29
vmovapd zmm29, {half}
vfnmadd231pd zmm29, {d}, zmm30
vaddpd zmm31, zmm29, {magic}
vfmadd231pd {d}, {d}, zmm29
vfmadd231pd zmm30, zmm30, zmm29
vsubpd zmm31, zmm31, {magic}
vmovapd zmm29, {x}
vfnmadd231pd zmm29, {d}, {d}
vptestmq k2, zmm31, zmm31
vfmadd231pd {d}, zmm29, zmm30, {{rd-sae}}
vpsubq zmm30, {d}, {ones}
vfmsub213pd zmm30, {d}, {x}
vpsraq zmm30, zmm30, 63
vpsubq {d}, {d}, zmm30
kortestb k2, k3
je 2f
korb k2, k2, k3
vptestmq k3{{k2}}, {x}, {x}
vmovapd {d}{{k2}}, {x}
kortestb k3, k3
je 2f
vsqrtpd {d}, {x}
2:"""
    signature = "d:z! = x:z, half:z, magic:z, exponent:z, ones:z, base:z, mask:z"
    clobbers = ("k2", "k3", "zmm29", "zmm30", "zmm31")
    return _wide("exact_sqrt_pd_z", signature, text, root, clobbers=clobbers)


def _exact_quotient() -> Row:
    """A quotient by Markstein's theorem, of what `helpers_of` makes of the divisor.

    k2 has the lanes out of range, k3 those whose divisor is; if there is one whose dividend isn't
    +0, the instruction does it.
    """
    text = """vpaddq zmm31, {x}, {base}
vmulpd {d}, {x}, {low}
vptestnmq k2, zmm31, {mask}
vfmadd231pd {d}, {x}, {high}
vmovapd zmm31, {x}
vfnmadd231pd zmm31, {d}, {c}
vfmadd231pd {d}, zmm31, {high}
kortestb k2, k2
je 2f
vptestnmq k3, {mask}, {mask}
vptestmq k2{{k2}}, {x}, {x}
kortestb k2, k3
je 2f
vdivpd {d}, {x}, {c}
2:"""
    signature = "d:z! = x:z, c:z, high:z, low:z, mask:z, base:z"
    clobbers = ("k2", "k3", "zmm31")
    return _wide("exact_divide_pd_z", signature, text, quotient, clobbers=clobbers)


# Comparisons and choices.


def _comparisons(form: Form) -> Iterator[Row]:
    """To lanes of ones and zeros, and to bits; the immediate is one of `PREDICATES`."""
    view, ending, element = form.view, form.ending, form.element

    def to_lanes(c: MachineCarrier, a: Vector, b: Vector, p: int) -> Vector:
        return c.mask(compare_numbered(c, a, b, p, element), element)

    def to_bits(c: MachineCarrier, a: Vector, b: Vector, p: int) -> object:
        return c.bits(compare_numbered(c, a, b, p, element))

    for source in sources(form, "b"):
        read, compare = f"a:{view}, {source.slot}, p:immU5", f"{{a}}, {source.text}, {{p}}"
        name = form.named("vcmp") + source.suffix
        meaning = source.meaning(to_lanes, form, 1)
        if view != "z" and not source.broadcast:
            yield _row(name, f"d:{view} = {read}", f"vcmp{ending} {{d}}, {compare}", meaning)
        text = f"vcmp{ending} k1, {compare}\nvpmovm2{_LETTER[element]} {{d}}, k1"
        yield _by_k1(name, f"d:{view} = {read}", text, meaning)
        meaning = source.meaning(to_bits, form, 1)
        text = f"vcmp{ending} {{d}}, {compare}"
        yield _wide(f"{name}_to_k", f"d:k = {read}", text, meaning)


def _choices(form: Form) -> Iterator[Row]:
    """b where the highest bit of the lane of w, or the bit of k, is set, else a."""
    view, ending, element = form.view, form.ending, form.element
    name, signature = form.named("vblendv"), f"d:{view} = a:{view}, b:{view}, w:{view}"
    if view != "z":
        text = f"vblendv{ending} {{d}}, {{a}}, {{b}}, {{w}}"
        yield _row(name, signature, text, blended(element))
    text = f"vpmov{_LETTER[element]}2m k1, {{w}}\nvblendm{ending} {{d}}{BY_K1}, {{a}}, {{b}}"
    yield _by_k1(name, signature, text, blended(element))
    lanes = form.bytes // BYTES[element]
    yield _row(
        form.named("vblendm"),
        f"d:{view} = k:k, a:{view}, b:{view}",
        f"vblendm{ending} {{d}}{BY_K}, {{a}}, {{b}}",
        lambda c, k, a, b: c.select(c.truths_of(k, lanes), b, a, element),
        feature="avx512",
    )


def _signs(form: Form) -> Iterator[Row]:
    """The highest bit of each lane in a general register, or in a mask; masks as lanes."""
    view, element, letter = form.view, form.element, _LETTER[form.element]
    lanes = form.bytes // BYTES[element]

    def to_bits(c: MachineCarrier, a: Vector) -> object:
        return c.bits(c.truths(a, element))

    def to_number(c: MachineCarrier, a: Vector) -> int:
        return as_integer(to_bits(c, a))

    name = form.named("vmovmsk")
    if view != "z":
        text = f"vmovmsk{form.ending} {{d:r32}}, {{a}}"
        yield _row(name, f"d:r64 = a:{view}", text, to_number)
    text = f"vpmov{letter}2m k1, {{a}}\nkmovw {{d:r32}}, k1"
    yield _by_k1(name, f"d:r64 = a:{view}", text, to_number)
    to_mask, to_lanes = f"vpmov{letter}2m", f"vpmovm2{letter}"
    text = f"{to_mask} {{d}}, {{a}}"
    yield _wide(f"{to_mask}_{view}", f"d:k = a:{view}", text, to_bits)
    yield _row(
        f"{to_lanes}_{view}",
        f"d:{view} = a:k",
        f"{to_lanes} {{d}}, {{a}}",
        lambda c, a: c.mask(c.truths_of(a, lanes), element),
        feature="avx512",
    )


def _masks() -> Iterator[Row]:
    """Masks of 8, 16 or 64 lanes, with zeros above."""

    def joined(compute: Callable[..., Any], bits: int) -> Meaning:
        return lambda c, *masks: compute(*(mask & low(bits) for mask in masks)) & low(bits)

    yield _wide("kmovq", "d:k = s:k", "kmovq {d}, {s}", lambda c, s: s, role="move")
    for letter, bits in (("b", 8), ("w", 16), ("q", 64)):
        wide = "r64" if bits == 64 else "r32"
        text = f"kmov{letter} {{d}}, {{a:{wide}}}"
        from_integer, to_integer = joined(lambda a: a, bits), joined(as_integer, bits)
        yield _wide(f"kmov{letter}_from_r64", "d:k = a:r64", text, from_integer)
        text = f"kmov{letter} {{d:{wide}}}, {{a}}"
        yield _wide(f"kmov{letter}_to_r64", "d:r64 = a:k", text, to_integer)
        for verb, compute in (
            ("kand", lambda a, b: a & b),
            ("kandn", lambda a, b: ~a & b),
            ("kor", lambda a, b: a | b),
            ("kxor", lambda a, b: a ^ b),
        ):
            yield _row(
                f"{verb}{letter}",
                "d:k = a:k, b:k",
                f"{verb}{letter} {{d}}, {{a}}, {{b}}",
                joined(compute, bits),
                feature="avx512",
                commutes="" if verb == "kandn" else "a b",
            )
        text = f"knot{letter} {{d}}, {{a}}"
        yield _wide(f"knot{letter}", "d:k = a:k", text, joined(lambda a: ~a, bits))
    swap = "kxorq {c}, {c}, {d}\nkxorq {d}, {d}, {c}\nkxorq {c}, {c}, {d}"
    signature = "c:k/a, d:k/b = a:k, b:k"
    yield _wide("kxorq_swap", signature, swap, lambda c, a, b: (b, a), role="swap")


# Lanes from one place to another.


def _conversions_of_views() -> Iterator[Row]:
    """The lowest bytes as a narrower view; a wider one with zeros above."""
    order = "sdxyz"
    for at, narrow in enumerate(order):
        for wide in order[max(at + 1, 2) :]:
            size, feature = VIEWS[narrow].bytes, feature_of(wide)
            yield _row(
                f"vmovaps_{narrow}_{wide}",
                f"d:{narrow} = a:{wide}",
                f"vmovaps {{d}}, {{a:{narrow}}}",
                lambda c, a, size=size: c.resized(a, size),
                feature=feature,
            )
    for narrow, verb in (("d", "vmovq"), ("x", "vmovaps"), ("y", "vmovaps")):
        for wide in order[max(order.index(narrow) + 1, 2) :]:
            size = VIEWS[wide].bytes
            yield _row(
                f"{verb}_zero_{wide}_{narrow}",
                f"d:{wide} = a:{narrow}",
                f"{verb} {{d:{narrow}}}, {{a}}",
                lambda c, a, size=size: c.resized(a, size),
                feature=feature_of(wide),
            )


def _broadcasts(form: Form) -> Iterator[Row]:
    """The lowest lane in every lane."""
    scalar = "d" if form.element == "f64" else "s"
    size = BYTES[form.element]
    count = form.bytes // size
    verb = "vbroadcastsd" if scalar == "d" else "vbroadcastss"
    name = f"{verb}_{form.view}"
    # There is no such instruction with 2 lanes of f64, but one that does the same.
    said = "vmovddup" if name == "vbroadcastsd_x" else verb
    yield _row(
        name,
        f"d:{form.view} = a:{scalar}",
        f"{said} {{d}}, {{a:x}}",
        lambda c, a: c.shuffle(a, size, [0] * count),
        feature=form.feature,
    )
    letter, bits = _LETTER[form.element], 8 * size
    yield _row(
        f"vpbroadcast{letter}_{form.view}_r64",
        f"d:{form.view} = a:r64",
        f"vpbroadcast{letter} {{d}}, {{a:{'r64' if bits == 64 else 'r32'}}}",
        lambda c, a: c.of_integers(np.full(count, a & low(bits), UNSIGNED[bits])),
        feature="avx512",
    )


def _halves() -> Iterator[Row]:
    """A half of a vector, or a quarter; one put in the place of another."""
    for wide, narrow, base, evex in (
        ("y", "x", "f128", "f64x2"),
        ("z", "x", "", "f64x2"),
        ("z", "y", "", "f64x4"),
    ):
        bytes, parts = VIEWS[narrow].bytes, VIEWS[wide].bytes // VIEWS[narrow].bytes
        immediate = f"i:immU{parts.bit_length() - 1}"
        for kind, feature in ((base, ""), (evex, "avx512")):
            if not kind:
                continue
            yield _row(
                f"vextract{base or evex}_{narrow}_{wide}",
                f"d:{narrow} = a:{wide}, {immediate}",
                f"vextract{kind} {{d}}, {{a}}, {{i}}",
                part(bytes),
                feature=feature,
            )
            yield _row(
                f"vinsert{base or evex}_{wide}_{narrow}",
                f"d:{wide} = a:{wide}, b:{narrow}, {immediate}",
                f"vinsert{kind} {{d}}, {{a}}, {{b}}, {{i}}",
                placed(bytes, VIEWS[wide].bytes),
                feature=feature,
            )


def _of_pairs(form: Form) -> Iterator[Row]:
    """Moves inside each 16 bytes, and of whole parts of 16 bytes."""
    view, ending, size = form.view, form.ending, BYTES[form.element]
    places = Places(form.bytes // size, 16 // size)
    two = f"d:{view} = a:{view}, b:{view}"
    for verb, high in (("vunpckh", True), ("vunpckl", False)):
        meaning = shuffled(size, partial(places.interleaved, high), 2)
        text = f"{verb}{ending} {{d}}, {{a}}, {{b}}"
        yield _row(form.named(verb), two, text, meaning, feature=form.feature)
    bits = 8 if size == 4 else places.lanes
    meaning = shuffled(size, places.permuted, 1)
    signature, text = f"d:{view} = a:{view}, i:immU{bits}", f"vpermil{ending} {{d}}, {{a}}, {{i}}"
    yield _row(form.named("vpermil"), signature, text, meaning, feature=form.feature)
    meaning = shuffled(size, places.shuffled, 2)
    text = f"vshuf{ending} {{d}}, {{a}}, {{b}}, {{i}}"
    yield _row(form.named("vshuf"), f"{two}, i:immU{bits}", text, meaning, feature=form.feature)


def _across() -> Iterator[Row]:
    """Moves of pairs of lanes, and of lanes of 8 bytes over a whole vector."""
    two = "d:x = a:x, b:x"
    yield _row("vmovhlps", two, "vmovhlps {d}, {a}, {b}", shuffled(8, lambda: (3, 1), 2))
    yield _row("vmovlhps", two, "vmovlhps {d}, {a}, {b}", shuffled(8, lambda: (0, 2), 2))
    for view in "yz":
        groups = VIEWS[view].bytes // 32

        def quarters(i: int, groups: int = groups) -> Sequence[int]:
            return [4 * g + (i >> 2 * at & 3) for g in range(groups) for at in range(4)]

        signature, text = f"d:{view} = a:{view}, i:immU8", "vpermpd {d}, {a}, {i}"
        feature = feature_of(view)
        yield _row(f"vpermpd_{view}", signature, text, shuffled(8, quarters), feature=feature)
    for view, count in (("y", 2), ("z", 4)):

        def parts(i: int, count: int = count) -> Sequence[int]:
            width = 1 if count == 2 else 2
            chosen = [i >> width * at & (count - 1) for at in range(count)]
            first = [2 * each + half for each in chosen[: count // 2] for half in (0, 1)]
            second = [2 * (each + count) + half for each in chosen[count // 2 :] for half in (0, 1)]
            return first + second

        yield _row(
            f"vshuff64x2_{view}",
            f"d:{view} = a:{view}, b:{view}, i:immU{count if count == 2 else 8}",
            "vshuff64x2 {d}, {a}, {b}, {i}",
            shuffled(8, parts, 2),
            feature="avx512",
        )


def _single_lanes() -> Iterator[Row]:
    """A lane of 16 bytes as a scalar or an integer; a scalar or an integer in a lane."""
    for ending, view, size in (("pd", "d", 8), ("ps", "s", 4)):
        yield _row(
            f"vpermil{ending}_lane",
            f"d:{view} = a:x, i:immU{(16 // size).bit_length() - 1}",
            f"vpermil{ending} {{d}}, {{a}}, {{i}}",
            shuffled(size, lambda i: (i,)),
        )
    for letter, view, size in (("q", "r64", 8), ("d", "r32", 4)):
        immediate = f"i:immU{(16 // size).bit_length() - 1}"
        yield _row(
            f"vpextr{letter}",
            f"d:r64 = a:x, {immediate}",
            f"vpextr{letter} {{d:{view}}}, {{a}}, {{i}}",
            lambda c, a, i, bits=8 * size: int(c.integers(a, bits)[i]),
        )
        yield _row(
            f"vpinsr{letter}",
            f"d:x = a:x, b:r64, {immediate}",
            f"vpinsr{letter} {{d}}, {{a}}, {{b:{view}}}, {{i}}",
            partial(_integer_in_lane, 8 * size),
        )
    both = shuffled(8, lambda: (0, 1), 2)
    yield _row("vmovlhps_d", "d:x = a:x, b:d", "vmovlhps {d}, {a}, {b}", _with_lane(8, lambda: 1))
    yield _row("vmovsd_d", "d:x = a:x, b:d", "vmovsd {d}, {a}, {b}", _with_lane(8, lambda: 0))
    yield _row("vunpcklpd_d", "d:x = a:d, b:d", "vunpcklpd {d}, {a}, {b}", both)
    yield _row(
        "vinsertps",
        "d:x = a:x, b:s, i:immU2x16",
        "vinsertps {d}, {a}, {b}, {i}",
        _with_lane(4, lambda i: i >> 4),
    )


def _integer_in_lane(bits: int, c: MachineCarrier, a: Vector, b: int, i: int) -> Vector:
    lanes = c.integers(a, bits).copy()
    lanes[i] = b & low(bits)
    return c.of_integers(lanes)


def _with_lane(size: int, at: Callable[..., int]) -> Meaning:
    """a with the scalar b in a lane; `at` gets the immediate."""

    def places(*immediate: int) -> Sequence[int]:
        lane = at(*immediate)
        return [16 // size if each == lane else each for each in range(16 // size)]

    return shuffled(size, places, 2)


# Integers in lanes.

_INTEGERS = (("d", 32), ("q", 64))


def _integer_arithmetic(view: str) -> Iterator[Row]:
    """Sums, differences and products modulo the width; comparisons, signed, to ones and zeros."""
    bytes, feature = VIEWS[view].bytes, feature_of(view)
    two = f"d:{view} = a:{view}, b:{view}"
    for letter, bits in _INTEGERS:
        for verb, compute in (("vpadd", np.add), ("vpsub", np.subtract)):
            name, meaning = f"{verb}{letter}_{view}", on_integers(compute, bits)
            text = f"{verb}{letter} {{d}}, {{a}}, "
            commutes = "a b" if verb == "vpadd" else ""
            yield _row(name, two, text + "{b}", meaning, feature=feature, commutes=commutes)
            read = f"d:{view} = a:{view}, m:mem{bytes}"
            text += f"{WORDS[bytes]} ptr {{m}}"
            yield _row(f"{name}_mem", read, text, meaning, feature=feature)
        for verb, compare in (
            ("vpcmpeq", lambda a, b: a == b),
            ("vpcmpgt", lambda a, b: a.view(f"i{a.itemsize}") > b.view(f"i{b.itemsize}")),
        ):
            ones = on_integers(lambda a, b, compare=compare: -compare(a, b).astype(np.int64), bits)
            name = f"{verb}{letter}_{view}"
            if view != "z":
                yield _row(name, two, f"{verb}{letter} {{d}}, {{a}}, {{b}}", ones)
            text = f"{verb}{letter} k1, {{a}}, {{b}}\nvpmovm2{letter} {{d}}, k1"
            yield _by_k1(name, two, text, ones)
            yield _row(
                f"{name}_to_k",
                f"d:k = a:{view}, b:{view}",
                f"{verb}{letter} {{d}}, {{a}}, {{b}}",
                partial(_bits_of, compare, bits),
                feature="avx512",
            )
    text = "vpmulld {d}, {a}, {b}"
    meaning = on_integers(np.multiply, 32)
    yield _row(f"vpmulld_{view}", two, text, meaning, feature=feature, commutes="a b")
    text = "vpmuludq {d}, {a}, {b}"
    meaning = on_integers(lambda a, b: (a & low(32)) * (b & low(32)), 64)
    yield _row(f"vpmuludq_{view}", two, text, meaning, feature=feature, commutes="a b")


def _bits_of(
    compare: Callable[..., np.ndarray], bits: int, c: MachineCarrier, a: Vector, b: Vector
) -> int:
    truths = compare(c.integers(a, bits), c.integers(b, bits))
    return sum(1 << lane for lane, truth in enumerate(truths.tolist()) if truth)


def _integer_logic(view: str) -> Iterator[Row]:
    """All bits; on integers these cost less than `vandpd` and its kin."""
    two = f"d:{view} = a:{view}, b:{view}"
    for verb, operation in (
        ("vpand", "and"),
        ("vpandn", "andnot"),
        ("vpor", "or"),
        ("vpxor", "xor"),
    ):
        commutes = "" if operation == "andnot" else "a b"
        for letter, feature in (("", ""), ("q", "avx512")):
            if view != "z" or letter:
                text = f"{verb}{letter} {{d}}, {{a}}, {{b}}"
                meaning = bitwise(operation)
                yield _row(f"{verb}_{view}", two, text, meaning, feature=feature, commutes=commutes)


def _integer_shifts(view: str) -> Iterator[Row]:
    """By an immediate; `sraq` stands for an instruction that AVX2 lacks and gives the signs too."""
    feature = feature_of(view)
    for letter, bits in _INTEGERS:
        signature = f"d:{view} = a:{view}, i:immU{bits.bit_length() - 1}"
        for verb, compute in (
            ("vpsll", lambda a, i: a << a.dtype.type(i)),
            ("vpsra", lambda a, i: a.view(f"i{a.itemsize}") >> i),
            ("vpsrl", lambda a, i: a >> a.dtype.type(i)),
        ):
            needed = "avx512" if verb + letter == "vpsraq" else feature
            text = f"{verb}{letter} {{d}}, {{a}}, {{i}}"
            meaning = on_integers(compute, bits, 1)
            yield _row(f"{verb}{letter}_{view}", signature, text, meaning, feature=needed)
    # Where s is all ones, ~a is shifted, and what comes in from above turns into ones again.
    text = (
        "vpsrad {s}, {a}, 31\nvpshufd {s}, {s}, 245\nvxorpd {d}, {a}, {s}\n"
        "vpsrlq {d}, {d}, {i}\nvxorpd {d}, {d}, {s}"
    )
    signature = f"d:{view}, s:{view}! = a:{view}, i:immU6"
    yield _row(f"sraq_{view}", signature, text, _shifted_and_signs, feature=feature)


def _shifted_and_signs(c: MachineCarrier, a: Vector, i: int) -> tuple[Vector, Vector]:
    lanes = c.integers(a, 64).view(np.int64)
    return of_words(c, lanes >> i), of_words(c, lanes >> 63)


def _numbers() -> Iterator[Row]:
    """Between floats of both widths, and between floats and integers of 4 or 8 bytes.

    An integer that doesn't fit, or a NaN, gives the least integer.
    """
    for narrow, wide in (("d", "x"), ("x", "y"), ("y", "z")):
        feature = feature_of(wide)
        lanes = VIEWS[wide].bytes // 8
        for verb, target, source, read, text in (
            ("vcvtps2pd", wide, narrow, FLOATS["f32"], "{a:x}" if narrow == "d" else "{a}"),
            ("vcvtdq2pd", wide, narrow, np.int32, "{a:x}" if narrow == "d" else "{a}"),
            ("vcvtpd2ps", narrow, wide, FLOATS["f64"], "{a}"),
            ("vcvttpd2dq", narrow, wide, FLOATS["f64"], "{a}"),
        ):
            to = {"pd": np.float64, "ps": np.float32, "dq": np.int32}[verb[-2:]]
            yield _row(
                f"{verb}_{wide}",
                f"d:{target} = a:{source}",
                f"{verb} {{d}}, {text}",
                partial(_converted, read, to, lanes),
                feature=feature,
            )
    for view in "xyz":
        for verb, read, to, feature in (
            ("vcvtdq2ps", np.int32, np.float32, feature_of(view)),
            ("vcvtqq2pd", np.int64, np.float64, "avx512"),
            ("vcvttpd2qq", np.float64, np.int64, "avx512"),
            ("vcvttps2dq", np.float32, np.int32, feature_of(view)),
        ):
            lanes = VIEWS[view].bytes // np.dtype(read).itemsize
            yield _row(
                f"{verb}_{view}",
                f"d:{view} = a:{view}",
                f"{verb} {{d}}, {{a}}",
                partial(_converted, read, to, lanes),
                feature=feature,
            )


def _converted(read: type, to: type, lanes: int, c: MachineCarrier, a: Vector) -> Vector:
    source = c.integers(a, 8 * np.dtype(read).itemsize).view(read)[:lanes]
    with np.errstate(all="ignore"):
        if np.dtype(to).kind == "f":
            return of_words(c, source.astype(to))
        least = np.iinfo(to).min
        whole = np.trunc(source)
        fits = (whole >= least) & (whole < -float(least))
        return of_words(c, np.where(fits, np.where(fits, whole, 0).astype(to), to(least)))


# Bytes and words, as SHA-256 needs them.


def _shuffled_bytes(c: MachineCarrier, a: Vector, b: Vector) -> Vector:
    data, places = c.integers(a, 8), c.integers(b, 8)
    return c.of_integers(np.where(places & 0x80, np.uint8(0), data[places & 15]))


def _blended_words(i: int) -> Sequence[int]:
    return [lane + 8 * (i >> lane & 1) for lane in range(8)]


def _aligned(i: int) -> Sequence[int]:
    return range(i, i + 16)


def _bytes() -> Iterator[Row]:
    two = "d:x = a:x, b:x"
    # What is shifted in from above 32 bytes would be zeros, which nobody needs.
    yield _row(
        "vpalignr_x",
        "d:x = a:x, b:x, i:immU4",
        "vpalignr {d}, {a}, {b}, {i}",
        lambda c, a, b, i: c.shuffle(c.join(b, a), 1, _aligned(i)),
    )
    text, meaning = "vpblendw {d}, {a}, {b}, {i}", shuffled(2, _blended_words, 2)
    yield _sha("vpblendw_x", f"{two}, i:immU8", text, meaning)
    yield _row("vpshufb_x", two, "vpshufb {d}, {a}, {b}", _shuffled_bytes)
    for view in "xyz":
        places = Places(VIEWS[view].bytes // 4, 4)
        signature, text = f"d:{view} = a:{view}, i:immU8", "vpshufd {d}, {a}, {i}"
        meaning = shuffled(4, places.permuted)
        yield _row(f"vpshufd_{view}", signature, text, meaning, feature=feature_of(view))
    tied = "d:x/a = a:x, b:x"
    yield _sha("sha256msg1", tied, "sha256msg1 {d}, {b}", sha256_message1)
    yield _sha("sha256msg2", tied, "sha256msg2 {d}, {b}", sha256_message2)
    text = "sha256rnds2 {d}, {b}, xmm0"
    yield _sha("sha256rnds2", f"{tied}, w:x@xmm0", text, sha256_rounds)


def _swaps() -> Iterator[Row]:
    """Two vectors exchanged, as far as a view has them."""
    for view in "xyz":
        yield _row(
            f"vxorps_swap_{view}",
            f"c:{view}/a, d:{view}/b = a:{view}, b:{view}",
            "vxorps {c}, {c}, {d}\nvxorps {d}, {d}, {c}\nvxorps {c}, {c}, {d}",
            lambda c, a, b: (b, a),
            feature=feature_of(view),
            role="swap",
        )


def _ones() -> Iterator[Row]:
    """All bits set, out of nothing."""
    for view in "xyz":
        bytes = VIEWS[view].bytes
        for text, feature in (
            ("vpcmpeqd {d}, {d}, {d}", ""),
            ("vpternlogd {d}, {d}, {d}, 255", "avx512"),
        ):
            if view != "z" or feature:
                yield _row(
                    f"vpcmpeqd_ones_{view}",
                    f"d:{view} =",
                    text,
                    lambda c, bytes=bytes: c.of_integers(np.full(bytes, 255, np.uint8)),
                    feature=feature,
                    role="constant",
                )


_ZEROED = tuple(f"ymm{number}" for number in range(16))

ROWS: tuple[Row, ...] = (
    *(each for form in PACKED for each in arithmetic(form)),
    *(each for form in PACKED for each in fused_arithmetic(form)),
    *(each for form in PACKED for each in _masked(form)),
    *(each for form in PACKED for each in _roots_and_roundings(form)),
    _exact_root(),
    _exact_quotient(),
    *(each for form in PACKED for each in logic(form)),
    *(each for view in "xyz" for each in copies(view)),
    *_ones(),
    *_swaps(),
    *(each for form in PACKED for each in _comparisons(form)),
    *(each for form in PACKED for each in selections(form)),
    *(each for form in PACKED for each in _choices(form)),
    *(each for form in PACKED for each in _signs(form)),
    *_masks(),
    *_conversions_of_views(),
    *(each for form in PACKED for each in _broadcasts(form)),
    *_halves(),
    *(each for form in PACKED for each in _of_pairs(form)),
    *_across(),
    *_single_lanes(),
    *(each for view in "xyz" for each in _integer_arithmetic(view)),
    *(each for view in "xyz" for each in _integer_logic(view)),
    *(each for view in "xyz" for each in _integer_shifts(view)),
    *_numbers(),
    *_bytes(),
    # It leaves the low 16 bytes of each register as they were, which no view of 32 bytes can say.
    _row("vzeroupper", "=", "vzeroupper", lambda c: None, clobbers=_ZEROED),
)
