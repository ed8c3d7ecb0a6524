"""The printer: what it writes parses back to the same IR, where xDSL's own doesn't."""

from __future__ import annotations

import struct

import pytest
from xdsl.dialects.builtin import AnyFloat, FloatAttr, ModuleOp, f32, f64
from xdsl.utils.hints import isa

from alpha.ir.frontend.float_literals import float_text, float_value
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.printer import print_module
from alpha.ir.frontend.registry import make_context
from alpha.ir.refusals import Refusal


def parse(text: str) -> ModuleOp:
    return parse_text(make_context(allow_unregistered=True), text, "in.mlir")


def round_trip(text: str) -> str:
    """What is printed, after it has been shown to be a fixed point in both forms."""
    module = parse(text)
    printed = print_module(module)
    assert print_module(parse(printed)) == printed
    generic = print_module(module, generic=True)
    assert print_module(parse(generic), generic=True) == generic
    assert print_module(parse(generic)) == printed
    return printed


TYPES = """bf16 f16 f32 f64 f80 f128 tf32 f8E5M2 f8E4M3 f8E4M3FN f8E5M2FNUZ f8E4M3FNUZ
    f8E4M3B11FNUZ f8E3M4 f8E8M0FNU f6E2M3FN f6E3M2FN f4E2M1FN"""
LITERALS = """0.0 -0.0 1.0 -1.0 0.1 1.0e-5 123456789.0 1.0e22 3.0e38 1.0e-310 5.0e-324 1.0e300 7
    0x0 0x1 0x2 0x7F 0xFF 0x7F800001 0x7FF0000000000001 0xFFF0000000000000"""
FORMS = (
    "{value} : {type}",
    "dense<{value}> : tensor<2x{type}>",
    "dense<[{value}, 0.5]> : tensor<2x{type}>",
    "array<{type}: {value}, 0.5>",
    "dense<({value}, 0.5)> : tensor<2xcomplex<{type}>>",
)


@pytest.mark.parametrize("type", TYPES.split())
def test_floats_of_every_type(type: str) -> None:
    accepted = 0
    for literal in LITERALS.split():
        for form in FORMS:
            value = form.format(value=literal, type=type)
            try:
                module = parse(f"builtin.module attributes {{a = {value}}} {{}}")
            except Refusal:
                continue
            accepted += 1
            printed = print_module(module)
            again = parse(printed)
            assert print_module(again) == printed
            assert module.is_structurally_equivalent(again), value
    assert accepted > 10


def value_of(text: str) -> float:
    module = parse(f"builtin.module attributes {{a = {text}}} {{}}")
    attribute = module.attributes["a"]
    assert isa(attribute, FloatAttr)
    return attribute.value.data


def test_hexadecimal_is_bits_everywhere() -> None:
    for form in FORMS[1:]:
        text = form.format(value="0x3FC00000", type="f32")
        assert "1.500000e+00" in round_trip(f"builtin.module attributes {{a = {text}}} {{}}")


def test_floats_keep_their_bits() -> None:
    for bits in (0x0, 1 << 63, 1, 0x7FF0000000000000, 0x7FF8000000000001, 0xFFF8000000000000):
        data = struct.pack("<d", value_of(f"0x{bits:016X} : f64"))
        assert struct.unpack("<Q", data) == (bits,)
    for value in (0.1, 123456789.0, 1e22, 1 / 3, 5e-324, 1.7976931348623157e308):
        assert value_of(f"{float_text(value, f64)} : f64") == value
        rounded = f32.round(value)
        if rounded < float("inf"):
            assert value_of(f"{float_text(rounded, f32)} : f32") == rounded


@pytest.mark.parametrize(("text", "type"), [("1.0e39", f32), ("0x1FFFFFFFF", f32), ("-0x1", f64)])
def test_literals_without_a_value(text: str, type: AnyFloat) -> None:
    with pytest.raises(ValueError, match="f32|f64"):
        float_value(text, type)


def test_text_of_any_script() -> None:
    text = '"caf\\C3\\A9 é 𝔸 \\22\\\\\\0A\\00"'
    printed = round_trip(f'"t.x"() {{a = {text}, b = "\\FF"}} : () -> ()')
    assert '"café é 𝔸 \\22\\\\\\0A\\00"' in printed
    assert '"\\FF"' in printed
    assert '@"é b"' in round_trip('func.func private @"\\C3\\A9 b"()')
    # A control sequence of a terminal isn't printed as it is, nor what reads from right to left.
    assert '"\\C2\\9B\\E2\\80\\AE"' in round_trip('"t.x"() {a = "\x9b\u202e"} : () -> ()')


def test_names_stay_apart() -> None:
    arguments = "%a: f64, %a_2: f64, %a_1_2: f64, %_1: f64, %__1: f64, %x.y$-z: f64, %0: f64"
    printed = round_trip(
        f"func.func @f({arguments}) {{\n  %a_1 = arith.addf %a_2, %a_1_2 : f64\n  func.return\n}}"
    )
    assert "%a_3 = arith.addf %a_1, %a_2 : f64" in printed


def test_blocks_stay_apart() -> None:
    names = ("^a(%c: i1):", "^a_1:", "^a_1_2:", "^bb7:", "^bb_3:", "^bb0:", "^bb0_1:")
    body = "\n".join(f"{name}\n  func.return" for name in names)
    printed = round_trip(
        '"func.func"() <{function_type = (i1) -> (), sym_name = "f"}> ({\n'
        + body
        + "\n}) : () -> ()"
    )
    labels = [line.strip() for line in printed.splitlines() if line.strip().startswith("^")]
    assert len(labels) == len(set(labels)) == len(names) - 1


def test_unregistered_bodies_stay_as_they_are() -> None:
    round_trip('"t.x"() {a = #t.a<x\n   y "s" [1]\n >, b = !t<b\n c <d>>, c = #t.e} : () -> ()')
