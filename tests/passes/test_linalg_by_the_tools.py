"""Learners written in `linalg`, through `alpha-opt` and `alpha run`, against loops in Python.

Each is also compared, by `alpha inspect --against`, with a learner that is written by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from linalg_oracle import loops
from linalg_oracle.running import DTYPES, SPECIAL, type_of, update_learner, words
from numpy.typing import NDArray
from safetensors.numpy import load_file

from alpha.tools import alpha, alpha_opt

ZEROS = ("0.0", "-0.0")


class Case(NamedTuple):
    """Inputs with their shapes, the shape of the result, two bodies, and the loops in Python.

    In the bodies @ stands for the element type and ZERO for the word of the init; the body by hand
    has PLUS where 0.0 is added if that is the init.
    """

    inputs: tuple[tuple[str, tuple[int, ...]], ...]
    shape: tuple[int, ...]
    linalg: str
    by_hand: str
    oracle: Callable[..., NDArray]


def _init(shape: Sequence[int]) -> str:
    type = type_of(shape, "@")
    return f"""
    %zero = arith.constant ZERO : @
    %e = tensor.empty() : {type}
    %init = linalg.fill ins(%zero : @) outs(%e : {type}) -> {type}"""


def _sum_of_columns(a: NDArray, init: NDArray) -> NDArray:
    (result,) = loops.run_loops(
        a.shape, [(a, (0, 1))], [(init, (1,))], lambda x, out: (out + x * x,)
    )
    return result


def _outer(x: NDArray, y: NDArray, s: NDArray, init: NDArray) -> NDArray:
    scale = s[()]
    (result,) = loops.run_loops(
        (len(y), len(x)),
        [(x, (1,)), (y, (0,))],
        [(init, (1, 0))],
        lambda a, b, out: (scale * a - b,),
    )
    return result


def _all(a: NDArray, init: NDArray) -> NDArray:
    (result,) = loops.run_loops(
        a.shape, [(a, (0, 1, 2))], [(init, (2,))], lambda x, out: (x + out,)
    )
    return result


CASES = {
    "dot": Case(
        (("x", (5,)), ("y", (5,))),
        (),
        _init(())
        + """
    %d = linalg.dot ins(%x, %y : tensor<5x@>, tensor<5x@>) outs(%init : tensor<@>) -> tensor<@>
    %r = tensor.extract %d[] : tensor<@>""",
        """
    %f = pointwise.fold add left along [k : 5] (%a = %x[k], %b = %y[k]) {
      %p = arith.mulf %a, %b : @
      pointwise.yield %p
    } : @
    PLUS""",
        loops.dot,
    ),
    "matvec": Case(
        (("a", (3, 4)), ("x", (4,))),
        (3,),
        _init((3,))
        + """
    %r = linalg.matvec ins(%a, %x : tensor<3x4x@>, tensor<4x@>) outs(%init : tensor<3x@>)
        -> tensor<3x@>""",
        """
    %f = pointwise.fold add left over [i : 3] along [k : 4] (%p = %a[i, k], %q = %x[k]) {
      %t = arith.mulf %p, %q : @
      pointwise.yield %t
    } : tensor<3x@>
    PLUS""",
        loops.matvec,
    ),
    "vecmat": Case(
        (("x", (4,)), ("a", (4, 3))),
        (3,),
        _init((3,))
        + """
    %r = linalg.vecmat ins(%x, %a : tensor<4x@>, tensor<4x3x@>) outs(%init : tensor<3x@>)
        -> tensor<3x@>""",
        """
    %f = pointwise.fold add left over [i : 3] along [k : 4] (%p = %x[k], %q = %a[k, i]) {
      %t = arith.mulf %p, %q : @
      pointwise.yield %t
    } : tensor<3x@>
    PLUS""",
        loops.vecmat,
    ),
    "matmul": Case(
        (("a", (2, 5)), ("b", (5, 3))),
        (2, 3),
        _init((2, 3))
        + """
    %r = linalg.matmul ins(%a, %b : tensor<2x5x@>, tensor<5x3x@>) outs(%init : tensor<2x3x@>)
        -> tensor<2x3x@>""",
        """
    %f = pointwise.fold add left over [i : 2, j : 3] along [k : 5] (%p = %a[i, k], %q = %b[k, j]) {
      %t = arith.mulf %p, %q : @
      pointwise.yield %t
    } : tensor<2x3x@>
    PLUS""",
        loops.matmul,
    ),
    "sum of columns": Case(
        (("a", (6, 3)),),
        (3,),
        _init((3,))
        + """
    %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
      iterator_types = ["reduction", "parallel"]
    } ins(%a : tensor<6x3x@>) outs(%init : tensor<3x@>) {
    ^bb0(%in: @, %out: @):
      %s = arith.mulf %in, %in : @
      %t = arith.addf %out, %s : @
      linalg.yield %t : @
    } -> tensor<3x@>""",
        """
    %f = pointwise.fold add left over [j : 3] along [i : 6] (%p = %a[i, j]) {
      %s = arith.mulf %p, %p : @
      pointwise.yield %s
    } : tensor<3x@>
    PLUS""",
        _sum_of_columns,
    ),
    "two axes": Case(
        (("a", (3, 2, 3)),),
        (3,),
        _init((3,))
        + """
    %r = linalg.reduce { arith.addf } ins(%a : tensor<3x2x3x@>) outs(%init : tensor<3x@>)
        dimensions = [0, 1]""",
        """
    %f = pointwise.fold add left over [k : 3] along [i : 3, j : 2] (%p = %a[i, j, k]) {
      pointwise.yield %p
    } : tensor<3x@>
    PLUS""",
        _all,
    ),
    "outer product": Case(
        (("x", (3,)), ("y", (2,)), ("s", ())),
        (3, 2),
        """
    %init = tensor.empty() : tensor<3x2x@>
    %r = linalg.generic {
      indexing_maps = [
        affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1, d0)>
      ],
      iterator_types = ["parallel", "parallel"]
    } ins(%x, %y : tensor<3x@>, tensor<2x@>) outs(%init : tensor<3x2x@>) {
    ^bb0(%a: @, %b: @, %out: @):
      %p = arith.mulf %s, %a : @
      %d = arith.subf %p, %b : @
      linalg.yield %d : @
    } -> tensor<3x2x@>""",
        """
    %r = pointwise.map over [i : 3, j : 2] (%a = %x[i], %b = %y[j], %c = %s) {
      %p = arith.mulf %c, %a : @
      %d = arith.subf %p, %b : @
      pointwise.yield %d
    } : tensor<3x2x@>""",
        _outer,
    ),
}


def _by_hand(case: Case, element: str, zero: str) -> str:
    """The body by hand, where the result of a fold is %f, and %r after 0.0 is added."""
    body = case.by_hand
    if "PLUS" not in body:
        return body.replace("@", element)
    if zero == "-0.0":
        return body.replace("%f =", "%r =").replace("PLUS", "").replace("@", element)
    if case.shape:
        axes = ", ".join(f"{axis} : {size}" for axis, size in zip("ij", case.shape, strict=False))
        index = ", ".join("ij"[: len(case.shape)])
        plus = f"""%r = pointwise.map over [{axes}] (%w = %f[{index}]) {{
      %z = arith.constant 0.0 : @
      %t = arith.addf %z, %w : @
      pointwise.yield %t
    }} : {type_of(case.shape, "@")}"""
    else:
        plus = "%z = arith.constant 0.0 : @\n    %r = arith.addf %z, %f : @"
    return body.replace("PLUS", plus).replace("@", element)


def _write(case: Case, element: str, zero: str, folder: Path) -> tuple[str, str]:
    """The learner after the pass, and the one by hand, as files."""
    body = case.linalg.replace("ZERO", zero).replace("@", element)
    source = folder / "linalg.mlir"
    source.write_text(update_learner(body, case.inputs, case.shape, element))
    by_hand = _by_hand(case, element, zero)
    (folder / "hand.mlir").write_text(update_learner(by_hand, case.inputs, case.shape, element))
    target = str(folder / "converted.mlir")
    assert alpha_opt.main(["--convert-linalg-to-pointwise", str(source), "-o", target]) == 0
    return target, str(folder / "hand.mlir")


def _result(file: str, shape: Sequence[int], folder: Path) -> NDArray:
    saved = str(folder / "state.safetensors")
    assert alpha.main(["run", file, "--interpret=learner", "--save", saved]) == 0
    return load_file(saved)["r"].reshape(tuple(shape))


@pytest.mark.parametrize("zero", ZEROS)
@pytest.mark.parametrize("element", DTYPES)
@pytest.mark.parametrize("name", CASES)
def test_words_and_terms(name: str, element: str, zero: str, tmp_path: Path) -> None:
    case, random = CASES[name], np.random.default_rng(7)
    compared = 0
    for trial in range(20):
        arrays = [words(random, element, shape) for _, shape in case.inputs]
        if trial == 0:
            # Sums of nothing but -0.0, of which a sum from 0.0 makes 0.0.
            signs = [-0.0, *(0.0 for _ in arrays[1:])]
            arrays = [np.full_like(each, sign) for each, sign in zip(arrays, signs, strict=True)]
        for (label, _), array in zip(case.inputs, arrays, strict=True):
            np.save(tmp_path / f"{label}.npy", array)
        init = np.full(case.shape, float(zero), DTYPES[element])
        wanted = case.oracle(*arrays, init)
        if not np.isfinite(wanted).all():
            continue
        compared += 1
        if trial == 0:
            converted, by_hand = _write(case, element, zero, tmp_path)
            assert alpha.main(["inspect", converted, "--against", by_hand]) == 0
        assert loops.same_words(
            _result(str(tmp_path / "converted.mlir"), case.shape, tmp_path), wanted
        )
        if compared == 4:
            return
    raise AssertionError("most results are infinite")


def test_the_two_zeros_mean_different_sums(tmp_path: Path) -> None:
    files = [tmp_path / "positive", tmp_path / "negative"]
    for folder, zero in zip(files, ZEROS, strict=True):
        folder.mkdir()
        for name, shape in CASES["matvec"].inputs:
            np.save(folder / f"{name}.npy", np.ones(shape))
        _write(CASES["matvec"], "f64", zero, folder)
    converted, by_hand = str(files[0] / "converted.mlir"), str(files[1] / "hand.mlir")
    assert alpha.main(["inspect", converted, "--against", by_hand]) == 1


def test_the_special_words_are_of_every_kind() -> None:
    single = np.array(SPECIAL, np.float32)
    assert np.signbit(single[single == 0]).tolist() == [False, True]
    assert (np.abs(single[single != 0]) < np.finfo(np.float32).tiny).any()


@pytest.mark.parametrize("element", DTYPES)
def test_a_sum_that_is_infinite_on_the_way(element: str, tmp_path: Path) -> None:
    """1 / the sum is a zero with the sign of the infinity, which a state may hold."""
    largest = np.finfo(DTYPES[element]).max
    inputs = (("x", (3,)), ("y", (3,)))
    body = CASES["dot"].linalg.replace("%r = ", "%p = ").replace("ZERO", "0.0")
    body += "\n    %one = arith.constant 1.0 : @\n    %r = arith.divf %one, %p : @"
    body = body.replace("5x", "3x").replace("@", element)
    text = update_learner(body, inputs, (), element, "constant")
    (tmp_path / "in.mlir").write_text(text)
    target = str(tmp_path / "converted.mlir")
    source = str(tmp_path / "in.mlir")
    assert alpha_opt.main(["--convert-linalg-to-pointwise", source, "-o", target]) == 0
    for xs in ([largest, largest, -1.0], [-largest, -largest, 1.0], [1.0, np.inf, 2.0]):
        np.save(tmp_path / "x.npy", np.array(xs, DTYPES[element]))
        np.save(tmp_path / "y.npy", np.array([1.0, 1.0, 1.0], DTYPES[element]))
        x, y = (np.load(tmp_path / f"{name}.npy") for name in "xy")
        total = loops.dot(x, y, np.zeros((), DTYPES[element]))
        assert np.isinf(total)
        wanted = np.asarray(DTYPES[element](1.0) / total[()])
        assert loops.same_words(_result(target, (), tmp_path), wanted)
