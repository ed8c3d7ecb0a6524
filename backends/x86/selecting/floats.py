"""Floats: scalars in the lowest lane, vectors of 2 to 16 lanes, and what converts them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.ir import Operation

from alpha.backends.core.selection.builder import Builder
from alpha.backends.core.selection.common_rules import literal
from alpha.backends.core.selection.matching import Match, Matcher, Matching, Rule, rule

VIEWS = {16: "x", 32: "y", 64: "z"}

ORDERED = 7
"""The immediate of `vcmp` for what can be compared (Intel SDM, `CMPPD`)."""


class Form(NamedTuple):
    """A type of the code level and how its rows are named: `vaddsd`, `vaddpd_y`.

    Rows that move or choose lanes of integers are those for floats of their width.
    """

    key: str
    element: str
    view: str
    ending: str
    lanes: int

    def named(self, mnemonic: str) -> str:
        """The name of a row."""
        name = mnemonic + self.ending
        return name if self.lanes == 1 else f"{name}_{self.view}"

    def logical(self, mnemonic: str) -> str:
        """The name of a row on all bits."""
        return f"{mnemonic}p{self.ending[-1]}_{self.view}"

    @property
    def lane_bytes(self) -> int:
        """The bytes of a lane."""
        return 8 if self.ending[-1] == "d" else 4

    @property
    def letter(self) -> str:
        """How mnemonics end for integers as wide as a lane."""
        return "q" if self.lane_bytes == 8 else "d"

    @property
    def of_integers(self) -> bool:
        """Whether its lanes are integers."""
        return self.element[0] == "i"


SCALARS = (Form("f64", "f64", "d", "sd", 1), Form("f32", "f32", "s", "ss", 1))


def _vectors(*elements: tuple[str, int, str]) -> tuple[Form, ...]:
    return tuple(
        Form(f"{bytes // size}x{element}", element, view, f"p{ending}", bytes // size)
        for element, size, ending in elements
        for bytes, view in VIEWS.items()
    )


VECTORS = _vectors(("f64", 8, "d"), ("f32", 4, "s"))
INTEGER_VECTORS = _vectors(("i64", 8, "d"), ("i32", 4, "s"))

FORMS = SCALARS + VECTORS

BINARY = (
    ("arith.addf", "vadd", True),
    ("arith.subf", "vsub", False),
    ("arith.mulf", "vmul", True),
    ("arith.divf", "vdiv", False),
)
"""Operations, mnemonics, and whether the operands may change places."""


def floats() -> Iterator[Rule]:
    """Rules for arithmetic on floats."""
    for form in FORMS:
        for op, mnemonic, commutes in BINARY:
            yield rule(op, form.key, f"{form.named(mnemonic)}_mem", "a m:load")
            if commutes:
                yield rule(op, form.key, f"{form.named(mnemonic)}_mem", "m:load a")
            yield rule(op, form.key, form.named(mnemonic), "a b")
        for op in ("math.fma", "vector.fma"):
            yield rule(op, form.key, form.named("vfmadd231"), "a b c")
        yield rule("math.sqrt", form.key, form.named("vsqrt"), "a")
        yield Rule("arith.negf", form.key, _with_signs("vxor", form, True))
        yield Rule("math.absf", form.key, _with_signs("vand", form, False))
        yield Rule("math.copysign", form.key, _copysign(form))


def sign_mask(form: Form, sign: bool) -> bytes:
    """Every lane's sign bit, or every other bit; scalars have them in all lanes of 16 bytes."""
    bits = 8 * form.lane_bytes
    top = 1 << (bits - 1)
    word = (top if sign else top - 1).to_bytes(form.lane_bytes, "little")
    bytes = 16 if form.lanes == 1 else form.lanes * len(word)
    return word * (bytes // len(word))


def _with_signs(mnemonic: str, form: Form, sign: bool) -> Matching:
    """All bits with a mask of signs."""
    name = f"{form.logical(mnemonic)}_mem"

    def match(matcher: Matcher, op: Operation) -> Match | None:
        def emit(builder: Builder) -> None:
            mask = literal(sign_mask(form, sign))
            (made,) = builder.emit(name, builder.value(op.operands[0]), mask)
            builder.bind(op.results[0], made)

        return Match([op.operands[0]], emit) if name in matcher.target.rows else None

    return match


def _copysign(form: Form) -> Matching:
    """Everything but the sign of the first, the sign of the second; a NaN counts as positive."""
    logical, choice = f"{form.logical('vand')}_mem", f"{form.named('vcmp')}_select"

    def match(matcher: Matcher, op: Operation) -> Match | None:
        if logical not in matcher.target.rows:
            return None

        def emit(builder: Builder) -> None:
            size, sign = (builder.value(value) for value in op.operands)
            zero = builder.constant(f"vxorps_zero_{form.view}")
            (known,) = builder.emit(choice, sign, sign, sign, zero, extras=(ORDERED,))
            (rest,) = builder.emit(logical, size, literal(sign_mask(form, False)))
            (bit,) = builder.emit(logical, known, literal(sign_mask(form, True)))
            (made,) = builder.emit(form.logical("vor"), rest, bit)
            builder.bind(op.results[0], made)

        return Match(list(op.operands), emit)

    return match
