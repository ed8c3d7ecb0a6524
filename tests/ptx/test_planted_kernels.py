"""Faults planted in emitted kernels: each is caught, and the kernel without it isn't."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from code_level.running import case, differences, parsed, programs_of, words_maker
from ptx.kernels import ORDERS, run_case

from alpha.backends.ptx.equality import emitted_kernels
from alpha.backends.ptx.interpreter.faults import Fault, UnknownText
from alpha.backends.ptx.interpreter.launcher import InterpretedLauncher
from alpha.interpreters.words import Words

UPDATE = """
pointwise.update @f(%w : tensor<40xf64>, %g : tensor<40xf64>, %r : f64) -> (tensor<40xf64>) {
  %w1 = pointwise.map over [i : 40] (%x = %w[i], %y = %g[i], %s = %r) {
    %t = arith.mulf %s, %y : f64
    %x1 = arith.subf %x, %t : f64
    pointwise.yield %x1
  } : tensor<40xf64>
  pointwise.return %w1
}
"""
LANES = """
pointwise.contribution @f() sample(%x : tensor<200xf64>) -> (f64) {
  %s = pointwise.fold add lanes<128> along [k : 200] (%a = %x[k]) {
    pointwise.yield %a
  } : f64
  pointwise.return %s
}
"""


def run(text: str, change: Callable[[str], str], order: str, count: int, offset: int) -> str:
    """What is found in a program whose kernels are changed: a fault, a refusal, other bits."""
    module = parsed(text)
    kernels = emitted_kernels(module)
    changed = change(kernels.text)
    (program,) = programs_of(module)
    made = case(program, count, Words(), words_maker(7, 0.0))
    try:
        device = InterpretedLauncher(changed, order)
        given = run_case(kernels, made, made.results(), device, offset, 3)
    except Fault as fault:
        return fault.kind
    except UnknownText:
        return "refused"
    return "bits" if list(differences(made, given)) else "right"


def once(pattern: str, replacement: str, number: int = 0) -> Callable[[str], str]:
    """Replaces one of the places of a pattern."""

    def change(text: str) -> str:
        places = list(re.finditer(pattern, text, re.MULTILINE))
        assert len(places) > number, pattern
        place = places[number]
        return text[: place.start()] + place.expand(replacement) + text[place.end() :]

    return change


def nothing(text: str) -> str:
    """The text as it is."""
    return text


def unguarded(text: str) -> str:
    """Threads without a point go on all the same, and so work on one behind the last."""
    return re.sub(r"setp\.lt\.s64 (%p\d+, %rd\d+, %rd4);", r"setp.le.s64 \1;", text)


EARLY = {"race-shared", "uninitialized-memory"}
"""What reading too early is: which depends on who runs first."""

CASES = (
    ("off by one", UPDATE, unguarded, 33, 0, {"out-of-bounds"}),
    ("no rounding", UPDATE, once(r"mul\.rn\.f64", "mul.f64"), 33, 0, {"refused"}),
    ("approximate", UPDATE, once(r"sub\.rn\.f64", "sub.rz.f64"), 33, 0, {"refused"}),
    (
        "uninitialized",
        UPDATE,
        once(r"^ +mul\.rn\.f64 .*\n", ""),
        33,
        0,
        {"uninitialized-register"},
    ),
    ("wrong operation", UPDATE, once(r"sub\.rn\.f64", "add.rn.f64"), 33, 0, {"bits"}),
    ("first barrier", LANES, once(r"^ +bar\.sync 0;\n", ""), 9, 0, EARLY),
    ("second barrier", LANES, once(r"^ +bar\.sync 0;\n", "", 1), 9, 0, {"race-shared"}),
    ("wrong tree", LANES, once(r"(%r\d+), 16, 31, -1;", r"\1, 8, 31, -1;"), 9, 0, {"bits"}),
    (
        "divergent barrier",
        LANES,
        once(
            r"^ +bar\.sync 0;\n",
            "    setp.lt.s32 %p0, %r0, 3;\n    @!%p0 bra $GO;\n    ret;\n$GO:\n    bar.sync 0;\n",
        ),
        9,
        0,
        {"divergent-barrier"},
    ),
)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("row", CASES, ids=[row[0] for row in CASES])
def test_a_planted_fault_is_caught(row: tuple, order: str) -> None:
    _, text, change, count, offset, wanted = row
    assert run(text, change, order, count, offset) in wanted
    assert run(text, nothing, order, count, offset) == "right"


@pytest.mark.parametrize("order", ORDERS)
def test_words_that_are_not_aligned_are_not_accessed_two_at_once(
    order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(UPDATE, nothing, order, 33, 8) == "right"
    monkeypatch.setattr("alpha.backends.ptx.running.ACCESS_BYTES", 8)
    assert run(UPDATE, nothing, order, 33, 8) == "misaligned"


def test_every_word_of_a_result_is_written() -> None:
    """A result that no thread stores is a fault when it is read."""
    change = once(r"^ +st\.global\.f64 .*\n", "")
    assert run(UPDATE, change, "forward", 33, 0) == "uninitialized-memory"
