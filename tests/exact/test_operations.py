"""The exact operations where they are the plain ones: interpreted, as terms, and as rows mean."""

from __future__ import annotations

import numpy as np
import pytest
from exact.machine import QUOTIENTS, ROOTS
from exact.points import SPECIAL

from alpha.backends.core.carriers import MachineWords, NotModelled
from alpha.backends.core.emission import remaining_passes
from alpha.backends.core.exact import ROOT_CONSTANTS, helpers_of
from alpha.backends.core.symbolic import MachineTerms
from alpha.backends.x86.rows.table import ROWS
from alpha.interpreters.code import Code
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.words import Words
from alpha.ir.frontend.located_parser import parse_text
from alpha.ir.frontend.registry import make_context
from alpha.ir.frontend.verifier import verify_module

ROOT, QUOTIENT = ROWS["exact_sqrt_pd_z"], ROWS["exact_divide_pd_z"]
BASE = np.full(8, ROOT_CONSTANTS.base)

ONE = """
func.func @f(%x : T, %c : T) -> (T, T) {
  %s = exact.sqrt %x : T
  %h, %l, %m = exact.reciprocal %c : T
  %q = exact.divide %x, %c, %h, %l, %m : T
  func.return %s, %q : T, T
}
"""


def code(text: str, carrier: Words | Terms) -> Code:
    module = parse_text(make_context(), text, "exact.mlir")
    verify_module(module)
    return Code(module, carrier)


@pytest.mark.parametrize("element", ["f64", "f32"])
def test_scalars_are_interpreted_as_roots_and_quotients(element: str):
    dtype = {"f64": np.float64, "f32": np.float32}[element]
    run = code(ONE.replace("T", element), Words())
    for x in SPECIAL[:30].tolist():
        for c in (3.0, -0.0, 0.1, np.inf):
            with np.errstate(all="ignore"):
                word, divisor = dtype(x), dtype(c)
                wanted = [np.sqrt(word), word / divisor]
            np.testing.assert_array_equal(run.call("f", [word, divisor]), wanted)


def test_vectors_are_interpreted_as_roots_and_quotients():
    x = np.linspace(0.1, 9.0, 16)
    roots, quotients = np.empty(16), np.empty(16)
    code(ROOTS, Words()).call("f", [x, roots, 16])
    code(QUOTIENTS, Words()).call("f", [x, x[::-1].copy(), quotients, 16])
    assert roots.tobytes() == np.sqrt(x).tobytes()
    assert quotients.tobytes() == (x / x[::-1]).tobytes()


def test_terms_are_those_of_the_plain_operations():
    carrier = Terms()
    found: dict[str, list[int]] = {}
    for name, text in (
        ("exact", ONE),
        ("plain", ONE.replace("exact.sqrt", "math.sqrt").replace("exact.divide %x, %c, %h, %l, %m",
                                                                "arith.divf %x, %c")),
    ):  # fmt: skip
        text = text.replace("T", "f64")
        if name == "plain":
            text = "\n".join(line for line in text.splitlines() if "reciprocal" not in line)
        symbols = [carrier.symbol_array(each, (), "f64").item() for each in "xc"]
        found[name] = code(text, carrier).call("f", symbols)
    assert found["exact"] == found["plain"]


@pytest.mark.parametrize("dialect, features", [("x64", ""), ("x64", "avx512"), ("a64", "")])
def test_every_target_selects_scalars(dialect: str, features: str):
    context = make_context()
    module = parse_text(context, ONE.replace("-> (T, T)", "-> T").replace("%s, %q : T, T", "%q : T")
                        .replace("T", "f64"), "exact.mlir")  # fmt: skip
    for each in remaining_passes(module, dialect, features):
        each.apply(context, module)
    rows = [op.name for op in module.walk()]
    assert sum("div" in name for name in rows) == 1


def splat(bits: int) -> np.ndarray:
    return np.full(8, bits, np.uint64)


def test_a_root_means_nothing_with_another_constant():
    words = MachineWords()
    x = np.linspace(0.1, 9.0, 8)
    constants = [splat(each) for each in ROOT_CONSTANTS]
    assert ROOT.meaning(words, x, *constants).tobytes() == np.sqrt(x).tobytes()
    for at in range(len(constants)):
        other = list(constants)
        other[at] = splat(ROOT_CONSTANTS[at] ^ 1)
        with pytest.raises(NotModelled):
            ROOT.meaning(words, x, *other)
    # Where no lane is in range, the instruction does it.
    nothing = [splat(0)] * len(constants)
    assert ROOT.meaning(words, x, *nothing).tobytes() == np.sqrt(x).tobytes()


def test_a_quotient_means_nothing_with_the_reciprocal_of_another_divisor():
    words = MachineWords()
    x, c = np.linspace(0.1, 9.0, 8), np.full(8, 3.0)
    helpers, others = helpers_of(words, c), helpers_of(words, np.full(8, 5.0))
    assert QUOTIENT.meaning(words, x, c, *helpers, BASE).tobytes() == (x / c).tobytes()
    for at in range(2):
        mixed = list(helpers)
        mixed[at] = others[at]
        with pytest.raises(NotModelled):
            QUOTIENT.meaning(words, x, c, *mixed, BASE)
    with pytest.raises(NotModelled):
        QUOTIENT.meaning(words, x, c, *helpers, BASE + 1)
    outside = helpers_of(words, np.full(8, -3.0))
    assert not outside[2].view(np.uint64).any()
    assert QUOTIENT.meaning(words, x, c, *outside, BASE).tobytes() == (x / c).tobytes()


def test_a_quotient_of_terms_takes_the_reciprocal_of_its_divisor_alone():
    terms = MachineTerms()
    symbols = {name: terms.logic.symbol_array(name, (8,), "f64") for name in "xcd"}
    x, c, d = (terms.vector(symbols[name], "f64") for name in "xcd")
    base = terms.of_integers(splat(ROOT_CONSTANTS.base))
    found = QUOTIENT.meaning(terms, x, c, *helpers_of(terms, c), base)
    assert found == terms.apply("arith.divf", "f64", x, c)
    with pytest.raises(NotModelled):
        QUOTIENT.meaning(terms, x, c, *helpers_of(terms, d), base)
