"""Control flow of code: branches, loops, switches, calls, budgets, system calls, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from code_level.running import parsed

from alpha.interpreters.code import Code, DepthExceeded, StepsExceeded, UndefinedResult
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.words import Words
from alpha.ir.refusals import Refusal


def code(text: str, **options: Any) -> Code:
    """The functions of a text, on words."""
    return Code(parsed(text), Words(), **options)


def call(text: str, *arguments: Any, name: str = "f") -> list[Any]:
    """What a function of a text returns."""
    return code(text).call(name, arguments)


COLLATZ = """
func.func @f(%n : i64) -> i64 {
  %0 = arith.constant 0 : i64
  cf.br ^head(%n, %0 : i64, i64)
^head(%x : i64, %steps : i64):
  %1 = arith.constant 1 : i64
  %done = arith.cmpi eq, %x, %1 : i64
  cf.cond_br %done, ^end(%steps : i64), ^step(%x, %steps : i64, i64)
^step(%y : i64, %s : i64):
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %low = arith.andi %y, %one : i64
  %odd = arith.trunci %low : i64 to i1
  %next = scf.if %odd -> (i64) {
    %a = arith.muli %y, %three : i64
    %b = arith.addi %a, %one : i64
    scf.yield %b : i64
  } else {
    %c = arith.shrui %y, %one : i64
    scf.yield %c : i64
  }
  %t = arith.addi %s, %one : i64
  cf.br ^head(%next, %t : i64, i64)
^end(%result : i64):
  func.return %result : i64
}
"""


def test_branches_and_blocks_with_arguments() -> None:
    assert call(COLLATZ, 27) == [111]


def test_a_loop_without_end_is_stopped() -> None:
    with pytest.raises(StepsExceeded):
        code(COLLATZ, steps_max=1000).call("f", [0])


def test_while() -> None:
    text = """
func.func @f(%a : i64, %b : i64) -> i64 {
  %0 = arith.constant 0 : i64
  %x, %y = scf.while (%p = %a, %q = %b) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %q, %0 : i64
    scf.condition(%more) %p, %q : i64, i64
  } do {
  ^next(%p : i64, %q : i64):
    %r = arith.remui %p, %q : i64
    scf.yield %q, %r : i64, i64
  }
  func.return %x : i64
}
"""
    assert call(text, 1071, 462) == [21]


def test_switch() -> None:
    text = """
func.func @f(%k : i32) -> i64 {
  %a = arith.constant 10 : i64
  %b = arith.constant 20 : i64
  cf.switch %k : i32, [
    default: ^other,
    3: ^one(%a : i64),
    4294967295: ^one(%b : i64)
  ]
^one(%x : i64):
  func.return %x : i64
^other:
  %c = arith.constant 30 : i64
  func.return %c : i64
}
"""
    assert [call(text, k) for k in (3, 2**32 - 1, 0)] == [[10], [20], [30]]


def test_loops_swap_what_they_carry_and_count_signed() -> None:
    text = """
func.func @f(%n : i64) -> (i64, i64, i64) {
  %first = arith.constant -2 : i64
  %1 = arith.constant 1 : i64
  %0 = arith.constant 0 : i64
  %a, %b, %s = scf.for %i = %first to %n step %1 iter_args(%x = %0, %y = %1, %t = %0)
      -> (i64, i64, i64) : i64 {
    %u = arith.addi %t, %i : i64
    scf.yield %y, %x, %u : i64, i64, i64
  }
  func.return %a, %b, %s : i64, i64, i64
}
"""
    assert call(text, 3) == [1, 0, 0]
    assert call(text, 2**64 - 5) == [0, 1, 0]


def test_a_step_that_isn_t_positive_is_a_fault() -> None:
    text = """
func.func @f(%s : i64) {
  %0 = arith.constant 0 : i64
  scf.for %i = %0 to %0 step %s : i64 {
  }
  func.return
}
"""
    assert call(text, 1) == []
    with pytest.raises(UndefinedResult):
        call(text, 0)


COUNTS = {
    "i8": ((100, 127, 9), 3, (100, 127, 20)),
    "i64": ((2**63 - 5, 2**63 - 1, 2), 2, (2**63 - 5, 2**63 - 1, 3)),
    "index": ((-(2**63), 0, 2**62), 2, (0, 2**63 - 1, 2**62)),
}
"""By type: bounds and step of a loop, how often it runs, and those of one that counts too far."""


@pytest.mark.parametrize("type", COUNTS)
def test_a_count_that_passes_the_largest_number_is_a_fault(type: str) -> None:
    typed = "" if type == "index" else f" : {type}"
    text = f"""
func.func @f(%a : {type}, %b : {type}, %s : {type}) -> i64 {{
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %r = scf.for %i = %a to %b step %s iter_args(%n = %0) -> (i64){typed} {{
    %m = arith.addi %n, %1 : i64
    scf.yield %m : i64
  }}
  func.return %r : i64
}}
"""
    accepted, times, over = COUNTS[type]
    assert call(text, *accepted) == [times]
    with pytest.raises(UndefinedResult, match=f"in {8 if type == 'i8' else 64} bits"):
        call(text, *over)
    first, last, step = over
    assert call(text, last, first, step) == [0]


RECURSIVE = """
func.func @f(%n : i64) -> i64 {
  %0 = arith.constant 0 : i64
  %1 = arith.constant 1 : i64
  %end = arith.cmpi eq, %n, %0 : i64
  %r = scf.if %end -> (i64) {
    scf.yield %1 : i64
  } else {
    %m = arith.subi %n, %1 : i64
    %p = func.call @f(%m) : (i64) -> i64
    %q = arith.muli %p, %n : i64
    scf.yield %q : i64
  }
  func.return %r : i64
}
"""


def test_calls_nest_up_to_a_depth() -> None:
    assert call(RECURSIVE, 20) == [2432902008176640000]
    with pytest.raises(DepthExceeded):
        call(RECURSIVE, 1000)
    # What was stopped leaves the code usable.
    runner = code(RECURSIVE)
    with pytest.raises(DepthExceeded):
        runner.call("f", [1000])
    assert runner.call("f", [3]) == [6]


def test_an_operation_that_code_does_not_have_is_refused_by_name() -> None:
    text = """
func.func @f(%a : f64) -> f64 {
  %b = arith.maximumf %a, %a : f64
  func.return %b : f64
}
"""
    with pytest.raises(Refusal) as caught:
        call(text, 1.0)
    assert caught.value.code == "target-unsupported"
    assert "arith.maximumf" in caught.value.found


def test_a_branch_on_an_expression_is_refused() -> None:
    text = """
func.func @f(%a : memref<f64>, %b : memref<f64>) {
  %x = memref.load %a[] : memref<f64>
  %0 = arith.constant 0.0 : f64
  %less = arith.cmpf olt, %x, %0 : f64
  %known = arith.cmpf olt, %0, %0 : f64
  %y = arith.select %less, %0, %x : f64
  scf.if %known {
    memref.store %0, %b[] : memref<f64>
  }
  memref.store %y, %b[] : memref<f64>
  scf.if %less {
    memref.store %0, %b[] : memref<f64>
  }
  func.return
}
"""
    terms = Terms()
    result = np.zeros((), np.int64)
    with pytest.raises(Refusal) as caught:
        Code(parsed(text), terms).call("f", [terms.symbol_array("a", (), "f64"), result])
    assert caught.value.code == "target-unsupported"
    # All before the branch was done: the choice between two words is an expression.
    assert terms.describe(int(result)) == "select(cmpf.olt(a, 0.0), 0.0, a)"


SYSTEM = """
func.func @f(%a : i64) -> (i64, i64) {
  %nothing = linux.constant "AT_FDCWD"
  %flags = linux.constant "O_DIRECTORY"
  %r = linux.syscall "close"(%a) : (i64) -> i64
  func.return %r, %flags : i64, i64
}
"""


def test_a_system_call_is_handed_on() -> None:
    seen: list[Any] = []

    def syscall(op: Any, words: list[Any]) -> int:
        seen.append((op.call.data, words))
        return -22

    assert code(SYSTEM, syscall=syscall).call("f", [5]) == [2**64 - 22, 0x10000]
    assert code(SYSTEM, syscall=syscall, target="aarch64").call("f", [5])[1] == 0x4000
    assert seen == [("close", [5])] * 2
    with pytest.raises(Refusal):
        call(SYSTEM, 5)
