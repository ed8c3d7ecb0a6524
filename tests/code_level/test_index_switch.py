"""`scf.index_switch`: the arm of the case, or the default; interpreted, as branches, on terms."""

from __future__ import annotations

import numpy as np
import pytest
from code_level.running import parsed
from xdsl.context import Context

from alpha.interpreters.carriers import Carrier
from alpha.interpreters.code import Code
from alpha.interpreters.terms.carrier import Terms
from alpha.interpreters.words import Words
from alpha.passes.convert_scf_to_cf import ConvertScfToCfPass

TEXT = """
func.func @f(%k : index, %x : i64) -> (i64, index) {
  %r, %s = scf.index_switch %k -> i64, index
  case 2 {
    %one = arith.constant 1 : i64
    %y = arith.addi %x, %one : i64
    scf.yield %y, %k : i64, index
  }
  case -3 {
    %zero = arith.constant 0 : index
    scf.yield %x, %zero : i64, index
  }
  default {
    %two = arith.constant 2 : i64
    %z = arith.muli %x, %two : i64
    scf.yield %z, %k : i64, index
  }
  func.return %r, %s : i64, index
}
func.func @g(%k : index, %to : memref<1xi8>) {
  scf.index_switch %k
  case 0 {
    %zero = arith.constant 0 : index
    %seven = arith.constant 7 : i8
    memref.store %seven, %to[%zero] : memref<1xi8>
    scf.yield
  }
  default {
    scf.yield
  }
  func.return
}
"""
LAST = (1 << 64) - 1
CASES = {0: (20, 0), 1: (20, 1), 2: (11, 2), LAST - 2: (10, 0), LAST: (20, LAST)}


@pytest.mark.parametrize("carrier", [Words, Terms])
@pytest.mark.parametrize("branches", [False, True])
def test_the_arm_of_the_case_is_run(branches: bool, carrier: type[Carrier]) -> None:
    module = parsed(TEXT)
    if branches:
        ConvertScfToCfPass().apply(Context(), module)
    code = Code(module, carrier())
    for flag, wanted in CASES.items():
        assert tuple(code.call("f", [flag, 10])) == wanted


def test_an_arm_without_results_is_run_for_what_it_does() -> None:

    code = Code(parsed(TEXT), Words())
    for flag, wanted in ((0, 7), (1, 3)):
        word = np.array([3], np.uint8)
        assert code.call("g", [flag, word]) == []
        assert word[0] == wanted
