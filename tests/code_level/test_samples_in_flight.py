"""How contributions go through their samples: rows in registers, overlapped, or backwards.

The interpreter of programs is the reference, by words and by terms.
"""

from __future__ import annotations

from collections import Counter

import pytest
from code_level.random_programs import random_program
from code_level.random_rows import random_rows
from code_level.running import (
    TARGETS,
    check_terms,
    check_words,
    expanded,
    parsed,
    vectorized,
    with_room,
)
from code_level.test_loops import counts, dot_product, functions, loops
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ModuleOp, UnitAttr

from alpha.ir.refusals import Refusal


def is_held(function: func.FuncOp) -> bool:
    """Whether the sums of a contribution are carried by its loops over samples."""
    return any(op.iter_args and not loops(op.body.block) for op in loops(function.body.block))


def is_fused(function: func.FuncOp) -> bool:
    """Whether a loop over samples hands over words of some to the next."""
    return any(op.iter_args and loops(op.body.block) for op in loops(function.body.block))


def of_many_kinds(length: int, element: str, lanes: int) -> ModuleOp:
    """A contribution with what rows in registers may have in it, and a choice by a truth."""
    return parsed(
        """
pointwise.contribution @rows(%w : tensor<NxT>, %b : tensor<NxT>, %c : T)
    sample(%x : tensor<NxT>, %y : T, %z : tensor<NxT>)
    -> (tensor<NxT>, T, T, tensor<NxT>, observed "most" : T) {
  %half = arith.constant 0.5 : T
  %s = arith.mulf %c, %half : T
  %scaled = pointwise.map over [i : N] (%wi = %w[i], %si = %s) {
    %v = arith.mulf %wi, %si : T
    pointwise.yield %v
  } : tensor<NxT>
  %p = pointwise.fold add lanes<L> along [k : N] (%a = %scaled[k], %q = %x[k], %d = %b[k]) {
    %aq = arith.mulf %a, %q : T
    %v = arith.subf %aq, %d : T
    pointwise.yield %v
  } : T
  %most = pointwise.fold max lanes<L> along [k : N] (%q = %z[k]) {
    pointwise.yield %q
  } : T
  %r = arith.subf %p, %y : T
  %g = pointwise.map over [i : N] (%xi = %x[i], %zi = %z[i], %ri = %r, %h = %half) {
    %gi = arith.mulf %ri, %xi : T
    %above = arith.cmpf ogt, %zi, %h : T
    %v = arith.select %above, %gi, %zi : T
    pointwise.yield %v
  } : tensor<NxT>
  %r2 = arith.mulf %r, %r : T
  pointwise.return %g, %r2, %s, %z, %most
}
""".replace("tensor<NxT>", f"tensor<{length}x{element}>")
        .replace("[k : N]", f"[k : {length}]")
        .replace("[i : N]", f"[i : {length}]")
        .replace("lanes<L>", f"lanes<{lanes}>")
        .replace(": T", f": {element}")
        .replace("T,", f"{element},")
    )


@pytest.mark.parametrize("registers, bits", TARGETS)
@pytest.mark.parametrize("element", ["f64", "f32"])
def test_words_of_rows_of_every_length(element: str, registers: int, bits: int) -> None:
    held: Counter[str] = Counter()
    for length in (1, 3, 8, 9, 16, 23, 57):
        for module in (
            of_many_kinds(length, element, 8 if length % 2 else 4),
            parsed(str(dot_product(length)).replace("f64", element)),
        ):
            code = with_room(module, registers, bits, 2 + length % 3)
            held += Counter(name for name, each in functions(code).items() if is_held(each))
            forms = [code, vectorized(code, bits)]
            check_words(module, forms, (0, 1, 2, 3, 6), length)
            if length == (9 if element == "f64" else 3):
                check_terms(module, forms, (0, 1, 2, 5))
    assert held["rows"] >= 1 and held["gradient"] >= 2


def test_random_programs_with_room() -> None:
    for seed in range(16):
        module = parsed(random_program(seed))
        registers, bits = TARGETS[seed % len(TARGETS)]
        code = with_room(module, registers, bits)
        check_words(module, [code, vectorized(code, bits)], (0, 1, 4, 9), seed)


def test_random_rows() -> None:
    plans: Counter[str] = Counter()
    for seed in range(24):
        module = parsed(random_rows(seed))
        registers, bits = TARGETS[seed % len(TARGETS)]
        code = with_room(module, registers, bits)
        (function,) = functions(code).values()
        plans["held"] += is_held(function)
        plans["fused"] += is_fused(function)
        check_words(module, [code, vectorized(code, bits)], (0, 1, 3, 9), seed)
    assert plans["held"] >= 4 and plans["fused"] >= 2


def test_nothing_of_a_sample_is_read_before_it_is_there() -> None:
    """A scalar of each sample, in the map that two stages of samples in flight end with."""
    text = """
pointwise.contribution @p(%w : tensor<64xf64>) sample(%z : tensor<64xf64>, %y : f64)
    -> (tensor<64xf64>) {
  %s = pointwise.fold add lanes<4> along [k : 64] (%a = %z[k]) {
    pointwise.yield %a
  } : f64
  %g = pointwise.map over [i : 64] (%zi = %z[i], %yi = %y, %si = %s) {
    %m = arith.mulf %si, %zi : f64
    %r = arith.addf %m, %yi : f64
    pointwise.yield %r
  } : tensor<64xf64>
  pointwise.return %g
}
"""
    module = parsed(text)
    code = with_room(module, 16, 256)
    assert is_fused(functions(code)["p"])
    check_words(module, [code, vectorized(code, 256)], range(10), 1)


def test_long_rows_with_functions_behind_them() -> None:
    text = """
pointwise.contribution @logistic(%w : tensor<130xf64>) sample(%x : tensor<130xf64>, %y : f64)
    -> (tensor<130xf64>) {
  %p = pointwise.fold add lanes<8> along [k : 130] (%a = %w[k], %b = %x[k]) {
    %ab = arith.mulf %a, %b : f64
    pointwise.yield %ab
  } : f64
  %s = pointwise.sigmoid %p : f64
  %r = arith.subf %s, %y : f64
  %g = pointwise.map over [i : 130] (%xi = %x[i], %ri = %r) {
    %gi = arith.mulf %ri, %xi : f64
    pointwise.yield %gi
  } : tensor<130xf64>
  pointwise.return %g
}
"""
    module = parsed(text)
    code = with_room(module, 32, 512)
    assert is_fused(functions(code)["logistic"])
    check_words(module, [code, vectorized(expanded(code), 512)], (0, 1, 2, 5, 8), 1)


def test_a_row_that_fits_is_loaded_once_and_sums_are_stored_once() -> None:
    function = functions(vectorized(with_room(dot_product(100), 32, 512), 512))["gradient"]
    first, main, last = loops(function.body.block)
    found = counts(main.body.block)
    # Twelve whole vectors of the row and of parameters, and the rest of each under a mask.
    assert found["vector.load"] == 24 and found["vector.maskedload"] == 2
    assert found["vector.store"] == found["memref.store"] == 0
    assert found["arith.mulf"] == 2 * 13 + 1  # and the observed square
    assert counts(first.body.block)["vector.load"] == 24
    assert counts(last.body.block)["vector.load"] == 0
    assert counts(function.body.block)["vector.store"] == 12
    # Sums of the row before are added between the loads of the next.
    names = [op.name for op in main.body.block.ops]
    at = [number for number, name in enumerate(names) if name == "vector.load"]
    assert all("arith.addf" in names[a:b] for a, b in zip(at[1::2], at[3::2], strict=False))


def test_short_rows_are_held_by_twos_with_their_parameters() -> None:
    function = functions(with_room(dot_product(24), 32, 512))["gradient"]
    first, main, _, rest = loops(function.body.block)
    assert counts(main.body.block)["vector.load"] == 2 * 3
    assert counts(rest.body.block)["vector.load"] == 3
    assert counts(first.body.block)["arith.addf"] == 2 * (3 + 3)


@pytest.mark.parametrize("length, registers", [(1025, 32), (2000, 32), (100, 0)])
def test_rows_that_do_not_fit_are_read_again(length: int, registers: int) -> None:
    function = functions(with_room(dot_product(length), registers, 512))["gradient"]
    assert not is_held(function) and not is_fused(function)
    (block,) = [op for op in loops(function.body.block) if len(loops(op.body.block)) == 2][:1]
    dot, _ = loops(block.body.block)
    assert len(dot.iter_args) == 4


@pytest.mark.parametrize("length, copies", [(105, 4), (680, 2), (682, 2), (683, 1), (1024, 1)])
def test_two_stages_go_over_longer_rows_at_once(length: int, copies: int) -> None:
    module = dot_product(length)
    code = with_room(module, 32, 512)
    first, main, last, single = loops(functions(code)["gradient"].body.block)[1:]
    assert len(main.iter_args) == copies
    (both,) = loops(main.body.block)
    assert len(both.iter_args) == copies
    found = counts(both.body.block)
    # Parameters, sums, and a row of each sample of both stages.
    assert found["vector.load"] == 2 + 2 * copies and found["vector.store"] == 1
    assert found["arith.addf"] == found["arith.mulf"] == 2 * copies
    (fold,), (add,), alone = (loops(each.body.block) for each in (first, last, single))
    assert counts(fold.body.block)["vector.load"] == 1 + copies
    assert len(add.iter_args) == 0 and len(alone) == 2
    check_words(module, [code, vectorized(code, 512)], (0, 1, 2, 3, 7, 8, 9), length)


@pytest.mark.parametrize("registers, bits", TARGETS[:3])
def test_words_of_fused_stages(registers: int, bits: int) -> None:
    for length, element, lanes in ((111, "f64", 8), (130, "f32", 8), (64, "f64", 4)):
        module = of_many_kinds(length, element, lanes)
        code = with_room(module, registers, bits)
        assert is_fused(functions(code)["rows"])
        forms = [code, vectorized(code, bits)]
        check_words(module, forms, (0, 1, 4, 9), length)
        if element == "f64":
            check_terms(module, forms, (0, 5))


@pytest.mark.parametrize("places", ["%x[8 - i], %y[i]", "%x[i], %y[8 - i]", "%x[i], %y[i]"])
def test_what_is_read_in_other_places_is_not_held(places: str) -> None:
    """The second is a vector that has to lie in memory, the first is gathered word by word."""
    text = """
pointwise.contribution @turned(%w : tensor<9xf64>) sample(%x : tensor<9xf64>) -> (tensor<9xf64>) {
  %p = pointwise.fold add lanes<8> along [k : 9] (%a = %w[k], %b = %x[k]) {
    %ab = arith.mulf %a, %b : f64
    pointwise.yield %ab
  } : f64
  %y = pointwise.map over [i : 9] (%xi = %x[i], %pi = %p) {
    %v = arith.mulf %pi, %xi : f64
    pointwise.yield %v
  } : tensor<9xf64>
  %g = pointwise.map over [i : 9] (%xi = FIRST, %yi = SECOND) {
    %v = arith.subf %yi, %xi : f64
    pointwise.yield %v
  } : tensor<9xf64>
  pointwise.return %g
}
"""
    first, second = places.split(", ")
    module = parsed(text.replace("FIRST", first).replace("SECOND", second))
    code = with_room(module, 32, 512)
    assert is_held(functions(code)["turned"]) == ("8 - i" not in places)
    check_words(module, [code, vectorized(code, 512)], (0, 1, 4, 5), 0)


@pytest.mark.parametrize("length", [9, 130])
@pytest.mark.parametrize("last", ["%p1", "%y[k]"])
def test_a_fold_behind_a_fold_and_a_vector_that_is_read_again(last: str, length: int) -> None:
    """The first has two folds that wait for one another; the second keeps a vector in memory."""
    module = parsed(
        """
pointwise.contribution @two(%w : tensor<9xf64>) sample(%x : tensor<9xf64>) -> (tensor<9xf64>, f64) {
  %y = pointwise.map over [k : 9] (%a = %w[k], %b = %x[k]) {
    %ab = arith.mulf %a, %b : f64
    pointwise.yield %ab
  } : tensor<9xf64>
  %p1 = pointwise.fold add lanes<8> along [k : 9] (%a = %y[k]) {
    pointwise.yield %a
  } : f64
  %p2 = pointwise.fold add lanes<8> along [k : 9] (%a = %x[k], %p = %p1) {
    %v = arith.subf %a, %p : f64
    pointwise.yield %v
  } : f64
  %g = pointwise.map over [k : 9] (%a = %x[k], %b = LAST, %c = %p2) {
    %ab = arith.mulf %a, %b : f64
    %v = arith.subf %ab, %c : f64
    pointwise.yield %v
  } : tensor<9xf64>
  pointwise.return %g, %p2
}
""".replace("LAST", last)
        .replace("<9x", f"<{length}x")
        .replace("k : 9]", f"k : {length}]")
    )
    code = with_room(module, 32, 512)
    plain = last == "%y[k]"
    function = functions(code)["two"]
    assert (is_held(function) or is_fused(function)) != plain
    check_words(module, [code, vectorized(code, 512)], (0, 1, 4, 5, 9), length)


def test_a_fold_in_the_last_loop_is_not_fused() -> None:
    module = parsed(
        """
pointwise.contribution @last(%w : tensor<300xf64>) sample(%x : tensor<300xf64>) -> (f64) {
  %p = pointwise.fold add lanes<8> along [k : 300] (%a = %w[k], %b = %x[k]) {
    %ab = arith.mulf %a, %b : f64
    pointwise.yield %ab
  } : f64
  %q = pointwise.fold add lanes<8> along [k : 300] (%a = %x[k], %c = %p) {
    %v = arith.mulf %a, %c : f64
    pointwise.yield %v
  } : f64
  pointwise.return %q
}
"""
    )
    code = with_room(module, 32, 512)
    assert not is_fused(functions(code)["last"])
    check_words(module, [code, vectorized(code, 512)], (0, 1, 5), 0)


def test_long_rows_are_gone_through_backwards_the_second_time() -> None:
    for length, backwards in ((1025, True), (1100, True)):
        module = dot_product(length)
        code = with_room(module, 32, 512)
        wide = vectorized(code, 512)
        check_words(module, [code, wide], (0, 1, 5), length)
        before, after = (_second_loop(form) for form in (code, wide))
        assert isinstance(before.attributes.get("backwards"), UnitAttr) == backwards
        found = counts(after.body.block)
        assert found["vector.load"] == 2 * 5 and found["arith.subi"] == backwards


def _second_loop(code: ModuleOp) -> scf.ForOp:
    """The loop that adds up the rows of a block of samples."""
    body = functions(code)["gradient"].body.block
    block = next(op for op in loops(body) if loops(op.body.block))
    return loops(block.body.block)[1]


def test_what_is_no_vector_register_is_refused() -> None:
    for registers, bits in ((-1, 512), (32, 100), (32, 0)):
        with pytest.raises(Refusal, match="registers of 64, 128, 256, 512 bits"):
            with_room(dot_product(8), registers, bits)
