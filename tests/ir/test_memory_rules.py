"""Globals and who names them: what is refused, where, and that its twin one edit away is legal."""

from __future__ import annotations

import pytest

from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module
from alpha.ir.refusals import Place, Refusal


def verified(text: str) -> None:
    verify_module(parse_text(make_context(), text, "in.mlir"))


def refusal_of(text: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        verified(text)
    assert caught.value.code == "source-structure"
    return caught.value


def global_of(type: str, value: str, visibility: str = "private") -> str:
    given = f"initial_value = {value}" if value else "initial_value"
    return (
        f'"memref.global"() <{{sym_name = "g", sym_visibility = "{visibility}", type = {type}, '
        f"{given}}}> : () -> ()\n"
    )


def reader(name: str, type: str) -> str:
    return f"func.func @f() {{\n  %m = memref.get_global {name} : {type}\n  func.return\n}}\n"


WORDS = global_of("memref<2xf64>", "")


def test_a_name_is_that_of_a_global_of_its_type() -> None:
    verified(WORDS + reader("@g", "memref<2xf64>"))
    missing = refusal_of(WORDS + reader("@h", "memref<2xf64>"))
    assert (missing.place, missing.found) == (
        Place("in.mlir", 3, 3),
        "'@h', which nothing defines",
    )
    other = refusal_of("func.func private @g()\n" + reader("@g", "memref<2xf64>"))
    assert other.found == "'@g', which is a 'func.func'"
    assert other.notes[0].place == Place("in.mlir", 1, 1)
    for type in ("memref<9xf64>", "memref<2xf32>", "memref<?xf64>"):
        wrong = refusal_of(WORDS + reader("@g", type))
        assert (wrong.expected, wrong.found) == ("memref<2xf64>, the type of '@g'", type)
        assert wrong.place == Place("in.mlir", 3, 3)
        assert wrong.notes[0].place == Place("in.mlir", 1, 1)


def test_a_name_stands_alone_and_is_of_the_nearest_table() -> None:
    assert refusal_of(WORDS + reader("@g::@k", "memref<2xf64>")).found == 'one with "k" behind it'
    inner = reader("@g", "memref<2xf64>")
    verified(f"builtin.module {{\n{WORDS}{inner}}}\n")
    nearest = refusal_of(f"{WORDS}builtin.module {{\n{inner}}}\n")
    assert nearest.found == "'@g', which nothing defines"


@pytest.mark.parametrize(
    ("type", "value", "wrong"),
    [
        ("memref<2xf64>", "dense<[1.0, 2.0]> : tensor<2xf64>", "dense<[1, 2]> : tensor<2xi32>"),
        ("memref<4xf64>", "dense<1.0> : tensor<4xf64>", "dense<1.0> : tensor<2xf64>"),
        ("memref<2x3xi8>", "dense<1> : tensor<2x3xi8>", "dense<1> : tensor<3x2xi8>"),
        ("memref<2xi64>", "dense<1> : tensor<2xi64>", "dense<1> : tensor<2xindex>"),
        ("memref<2xf64>", "dense<1.0> : tensor<2xf64>", "dense<1.0> : vector<2xf64>"),
        ("memref<f32>", "dense<1.0> : tensor<f32>", "dense<1.0> : tensor<1xf32>"),
    ],
)
def test_an_initial_value_has_the_shape_and_elements(type: str, value: str, wrong: str) -> None:
    verified(global_of(type, value))
    refusal = refusal_of(global_of(type, wrong))
    assert refusal.expected == f"an initial value of type {value.partition(' : ')[2]}"
    assert refusal.found == wrong.partition(" : ")[2]
    assert refusal.place == Place("in.mlir", 1, 1)


def test_a_global_has_known_extents_a_visibility_and_says_whether_it_has_words() -> None:
    assert refusal_of(global_of("memref<?xf64>", "")).expected == "a global of known extents"
    for visibility in ("public", "private", "nested"):
        verified(global_of("memref<2xf64>", "", visibility))
    assert refusal_of(global_of("memref<2xf64>", "", "secret")).found == "'secret'"
    # One that another file defines has no initial value at all.
    external = WORDS.replace(", initial_value", "")
    assert "initial_value" in refusal_of(external).found
    assert refusal_of(WORDS + WORDS).found == "'@g' again"


def test_an_array_has_as_many_symbols_as_its_layout() -> None:
    array = "  %m = memref.alloca(){0} : memref<4xf64{1}>\n"
    text = f"func.func @f(%n : index) {{{{\n{array}  func.return\n}}}}"
    shifted = ", affine_map<(i)[s] -> (i + s)>"
    verified(text.format("", ""))
    verified(text.format("[%n]", shifted))
    assert refusal_of(text.format("[%n]", "")).found == "1"
    assert refusal_of(text.format("", shifted)).found == "0"
