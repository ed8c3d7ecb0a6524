"""What the loops are like: passes over memory, work outside of loops, vectors, and signatures."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from code_level.running import lowered, parsed, vectorized
from xdsl.dialects import func, memref, scf
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Block

from alpha.interpreters.code import Code
from alpha.interpreters.words import Words
from alpha.ir.refusals import Refusal
from alpha.passes.lower_pointwise_to_loops import LowerPointwiseToLoopsPass
from alpha.passes.vectorize import VectorizePass

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def functions(module: ModuleOp) -> dict[str, func.FuncOp]:
    """The functions of a module by name."""
    return {op.sym_name.data: op for op in module.walk() if isinstance(op, func.FuncOp)}


def loops(block: Block) -> list[scf.ForOp]:
    """The loops that stand directly in a block."""
    return [op for op in block.ops if isinstance(op, scf.ForOp)]


def counts(block: Block) -> Counter[str]:
    """How many operations of each name stand directly in a block."""
    return Counter(op.name for op in block.ops)


def dot_product(length: int, order: str = "lanes<8>") -> ModuleOp:
    """The contribution of a linear predictor."""
    return parsed(f"""
pointwise.contribution @gradient(%w : tensor<{length}xf64>)
    sample(%x : tensor<{length}xf64>, %y : f64) -> (tensor<{length}xf64>, observed "loss" : f64) {{
  %p = pointwise.fold add {order} along [k : {length}] (%a = %w[k], %b = %x[k]) {{
    %ab = arith.mulf %a, %b : f64
    pointwise.yield %ab
  }} : f64
  %r = arith.subf %p, %y : f64
  %g = pointwise.map over [i : {length}] (%xi = %x[i], %ri = %r) {{
    %gi = arith.mulf %ri, %xi : f64
    pointwise.yield %gi
  }} : tensor<{length}xf64>
  %l = arith.mulf %r, %r : f64
  pointwise.return %g, %l
}}
""")


def test_adam_is_one_loop_that_loads_nothing_twice() -> None:
    module = parsed((EXAMPLES / "diabetes_adam.mlir").read_text(encoding="utf-8"), "adam.mlir")
    (loop,) = loops(functions(lowered(module))["adam"].body.block)
    found = counts(loop.body.block)
    assert found["memref.load"] == 4 and found["memref.store"] == 3
    assert found["arith.divf"] == 3 and found["math.sqrt"] == 1
    assert found["arith.constant"] == 0
    # The corrections of the bias and the shared words are outside.
    body = functions(lowered(module))["adam"].body.block
    assert counts(body)["memref.load"] == 6 and counts(body)["arith.subf"] == 4

    main, one, rest = loops(functions(vectorized(lowered(module), 512))["adam"].body.block)
    for loop, each in ((main, 2), (one, 1)):
        found = counts(loop.body.block)
        assert found["vector.load"] == 4 * each and found["vector.store"] == 3 * each
        assert found["memref.load"] == found["vector.broadcast"] == found["arith.constant"] == 0
    assert counts(rest.body.block)["memref.load"] == 4


def test_a_contribution_passes_over_a_block_of_samples_once() -> None:
    function = functions(vectorized(lowered(dot_product(1000)), 512))["gradient"]
    samples = [op for op in loops(function.body.block) if loops(op.body.block)]
    block, single = samples
    dot, add = loops(block.body.block)[:2]
    found = counts(dot.body.block)
    # One row of parameters and a row of each of four samples; never fused.
    assert found["vector.load"] == 5
    assert found["arith.mulf"] == found["arith.addf"] == 4
    assert found["math.fma"] == found["vector.fma"] == 0
    assert len(dot.iter_args) == 4
    found = counts(add.body.block)
    assert found["vector.load"] == 2 * 5 and found["vector.store"] == 2
    assert found["arith.addf"] == 2 * 4
    # The sums are added one after another.
    chain = [op for op in add.body.block.ops if op.name == "arith.addf"][:4]
    assert all(b.operands[0] is a.results[0] for a, b in pairwise(chain))
    assert counts(loops(single.body.block)[0].body.block)["vector.load"] == 2


def test_what_is_used_where_it_is_made_has_no_memory() -> None:
    text = """
pointwise.contribution @c(%w : tensor<6x5xf64>) sample(%x : tensor<5xf64>) -> (tensor<6xf64>) {
  %a = pointwise.fold add left over [i : 6] along [j : 5] (%p = %w[i, j], %q = %x[j]) {
    %pq = arith.mulf %p, %q : f64
    pointwise.yield %pq
  } : tensor<6xf64>
  %b = pointwise.map over [i : 6] (%ai = %a[i]) {
    %n = arith.negf %ai : f64
    pointwise.yield %n
  } : tensor<6xf64>
  %c = pointwise.map over [i : 6] (%bi = %b[INDEX]) {
    %r = math.sqrt %bi : f64
    pointwise.yield %r
  } : tensor<6xf64>
  pointwise.return %c
}
"""
    fused = functions(lowered(parsed(text.replace("INDEX", "i")), 1))["c"]
    apart = functions(lowered(parsed(text.replace("INDEX", "5 - i")), 1))["c"]
    assert [counts(f.body.block)["memref.alloca"] for f in (fused, apart)] == [0, 1]
    (samples,) = [op for op in loops(fused.body.block) if loops(op.body.block)]
    assert len(loops(samples.body.block)) == 1


def test_large_buffers_are_private_globals() -> None:
    text = """
pointwise.update @u(%w : tensor<3000xf64>) -> (tensor<3000xf64>) {
  %a = pointwise.map over [i : 3000] (%x = %w[i]) {
    %r = math.sqrt %x : f64
    pointwise.yield %r
  } : tensor<3000xf64>
  %b = pointwise.map over [i : 3000] (%x = %a[2999 - i]) {
    pointwise.yield %x
  } : tensor<3000xf64>
  pointwise.return %b
}
"""
    module = lowered(parsed(text))
    (buffer,) = [op for op in module.walk() if isinstance(op, memref.GlobalOp)]
    assert buffer.sym_visibility.data == "private"
    assert counts(functions(module)["u"].body.block)["memref.alloca"] == 0


def types_of(text: str) -> list[str]:
    """The types of the arguments of a text's only function."""
    (function,) = functions(lowered(parsed(text))).values()
    return [str(type) for type in function.function_type.inputs]


def test_a_domain_that_isn_t_separable_has_its_shape() -> None:
    text = """
pointwise.update @u(%w : tensor<4xf64>, %s : tensor<4x3xf64>, %b : tensor<2xf64>, %r : f64)
    -> (tensor<4xf64>, tensor<2xf64>, f64) {
  %t = pointwise.fold add left over [i : 4] along [k : 3] (%x = %s[i, k]) {
    pointwise.yield %x
  } : tensor<4xf64>
  %a = pointwise.map over [i : 4] (%x = %w[i], %y = %t[WORD]) {
    %z = arith.addf %x, %y : f64
    pointwise.yield %z
  } : tensor<4xf64>
  %c = pointwise.map over [i : 2] (%x = %b[i], %y = %r) {
    %z = arith.mulf %x, %y : f64
    pointwise.yield %z
  } : tensor<2xf64>
  pointwise.return %a, %c, %r
}
"""
    rest = ["memref<f64>", "memref<?xf64>", "memref<?xf64>", "memref<f64>", "i64", "i64"]
    separable = types_of(text.replace("WORD", "i"))
    assert separable == ["memref<?xf64>", "memref<?x3xf64>", "memref<?xf64>", *rest]
    whole = types_of(text.replace("WORD", "3 - i"))
    rest[1] = "memref<4xf64>"
    assert whole == ["memref<4xf64>", "memref<4x3xf64>", "memref<?xf64>", *rest]


@pytest.mark.parametrize("name", ["diabetes_adam", "perceptron_mixed"])
def test_every_operation_says_where_it_comes_from(name: str) -> None:
    module = parsed((EXAMPLES / f"{name}.mlir").read_text(encoding="utf-8"), f"{name}.mlir")
    for form in (lowered(module), vectorized(lowered(module), 256)):
        for name, function in functions(form).items():
            for op in function.walk():
                if op is function or isinstance(op, func.ReturnOp | scf.YieldOp):
                    continue
                origin = op.attributes.get("origin")
                assert isinstance(origin, StringAttr), op
                assert origin.data.startswith(f"{name}: "), origin.data


def test_a_marked_loop_that_can_t_run_on_vectors_is_left_alone() -> None:
    text = """
func.func @f(%a : memref<?xf64>, %b : memref<?xf64>, %n : index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  scf.for %i = %0 to %n step %1 {
    BODY
  } {parallel}
  func.return
}
"""
    bodies = {
        "strided": "%j = arith.muli %i, %2 : index\n%x = memref.load %a[%j] : memref<?xf64>\n"
        "memref.store %x, %b[%i] : memref<?xf64>",
        "scattered": "%j = arith.divui %i, %2 : index\n%x = memref.load %a[%i] : memref<?xf64>\n"
        "memref.store %x, %b[%j] : memref<?xf64>",
        "changed": "%x = memref.load %a[%0] : memref<?xf64>\n"
        "memref.store %x, %a[%i] : memref<?xf64>",
        "called": "func.call @g() : () -> ()",
    }
    private = "func.func private @g() -> ()\n"
    for name, body in bodies.items():
        module = parsed(private + text.replace("BODY", body))
        assert "vector" not in str(vectorized(module, 256)), name
    row = (
        "%j = arith.addi %i, %2 : index\n%x = memref.load %a[%j] : memref<?xf64>\n"
        "memref.store %x, %b[%i] : memref<?xf64>"
    )
    module = parsed(private + text.replace("BODY", row))
    assert "vector.load" in str(vectorized(module, 256))
    assert "vector" not in str(vectorized(parsed(str(module).replace("{parallel}", "")), 256))


@pytest.mark.parametrize("bits", [128, 256, 512])
@pytest.mark.parametrize("element", ["f64", "f32"])
def test_no_vector_is_wider_or_narrower_than_the_target_s(bits: int, element: str) -> None:
    text = str(dot_product(100, "lanes<16>")).replace("f64", element)
    code = vectorized(lowered(parsed(text)), bits)
    widths = {"f64": 64, "f32": 32}
    seen = set()
    for op in code.walk():
        for value in op.results:
            if str(value.type).startswith("vector<") and "i1" not in str(value.type):
                lanes, of = str(value.type)[7:-1].split("x")
                seen.add(int(lanes) * widths[of])
    assert max(seen) == bits and min(seen) >= 128


def test_options_that_aren_t_built_are_refused() -> None:
    module = dot_product(3)
    for wrong in (VectorizePass(96), VectorizePass(256, 3), LowerPointwiseToLoopsPass(0)):
        with pytest.raises(Refusal) as caught:
            wrong.apply(None, module)  # pyright: ignore[reportArgumentType]
        assert caught.value.code == "target-unsupported"


def test_an_index_that_leaves_64_bits_is_refused() -> None:
    text = """
pointwise.update @u(%w : tensor<3xf64>) -> (tensor<3xf64>) {
  %a = pointwise.map over [i : 3] (%x = %w[(i * 3074457345618258603) mod 3]) {
    pointwise.yield %x
  } : tensor<3xf64>
  pointwise.return %a
}
"""
    lowered(parsed(text))  # its normal form is small
    wide = text.replace("mod 3", "floordiv 4611686018427387905")
    with pytest.raises(Refusal):
        lowered(parsed(wide))


ANNOTATED = {"i32": ": i32", "i64": ": i64", "index": ""}
"""How the type of a loop's index is written."""


@pytest.mark.parametrize("type", ANNOTATED)
def test_loops_keep_the_type_of_their_index(type: str) -> None:
    """Also one that says that its iterations may run at once, and one with vectors to split."""
    module = parsed(f"""
func.func @f(%m : memref<8xf64>, %n : {type}) -> {type} {{
  %zero = arith.constant 0 : {type}
  %one = arith.constant 1 : {type}
  %c0 = arith.constant 0 : index
  %x = vector.load %m[%c0] : memref<8xf64>, vector<8xf64>
  vector.store %x, %m[%c0] : memref<8xf64>, vector<8xf64>
  scf.for %i = %zero to %n step %one {ANNOTATED[type]} {{
    %w = memref.load %m[%c0] : memref<8xf64>
    %y = arith.addf %w, %w : f64
    memref.store %y, %m[%c0] : memref<8xf64>
  }} {{parallel}}
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %zero) -> ({type}) {ANNOTATED[type]} {{
    %t = arith.addi %s, %i : {type}
    scf.yield %t : {type}
  }}
  func.return %sum : {type}
}}""")
    for bits in (64, 128, 256):
        code = vectorized(module, bits)
        words = np.arange(8.0)
        assert Code(code, Words()).call("f", [words, 5]) == [10]
        assert words.tolist() == [0.0, *range(1, 8)]
