"""A learner of which one word becomes infinite or no number, in a state of two axes by any map.

Entry: `overflowing`, `SUMS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from native_faults.casts import Play

from alpha.tools.distributing import run_pass
from alpha.tools.learner_file import LearnerFile

LARGE = {"f64": "1.0e308", "f32": "3.0e38"}
DOUBLED = ("%c = arith.addf %l, %l : ELEMENT",)
SUMS = {
    "inf": ("", DOUBLED),
    "-inf": ("-", DOUBLED),
    "nan": ("", ("%t = arith.addf %l, %l : ELEMENT", "%c = arith.subf %t, %t : ELEMENT")),
}
"""By what becomes of the word: the sign of the large word, and what is computed of it."""

MODES = ("optimizer", "parameters", "gradients")
ROWS, COLUMNS = 3, 4
TEXT = """
region.learner @overflowing {
  region.state @words : tensor<3x4xELEMENT> = dense<INITIAL>
  region.samples @data[3] : (ELEMENT) = dense<[1.5, 0.25, -1.0]>
  pointwise.contribution @pull(%w : tensor<3x4xELEMENT>) sample(%x : ELEMENT)
      -> (tensor<3x4xELEMENT>) {
    %d = pointwise.map over [i : 3, j : 4] (%a = %w[i, j], %b = %x) {
      %zero = arith.constant 0.0 : ELEMENT
      %c = arith.mulf %a, %zero : ELEMENT
      pointwise.yield %c
    } : tensor<3x4xELEMENT>
    pointwise.return %d
  }
  pointwise.update @step(%w : tensor<3x4xELEMENT>, %g : tensor<3x4xELEMENT>)
      -> (tensor<3x4xELEMENT>) {
    %w1 = pointwise.map over [i : 3, j : 4] (%a = %w[i, j], %b = %g[i, j]) {
      %l = arith.addf %a, %b : ELEMENT
      COMPUTED
      pointwise.yield %c
    } : tensor<3x4xELEMENT>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @words : tensor<3x4xELEMENT>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<3x4xELEMENT>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<3x4xELEMENT>
    region.advance @words = %w1
  }
}
"""


def overflowing(element: str, what: str, place: int, map: str | None) -> Play:
    """Three roles, each with a copy or with its own words by the map; word `place` is the one."""
    sign, computed = SUMS[what]
    words = [f"{0.5 * (at + 1)}" for at in range(ROWS * COLUMNS)]
    words[place] = sign + LARGE[element]
    rows = [words[at : at + COLUMNS] for at in range(0, len(words), COLUMNS)]
    initial = "[" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "]"
    text = TEXT.replace("COMPUTED", "\n      ".join(computed)).replace("INITIAL", initial)
    return _play(text.replace("ELEMENT", element), map)


def _play(text: str, map: str | None) -> Play:
    with TemporaryDirectory(prefix="alpha-tests-") as folder:
        path = Path(folder) / "overflowing.mlir"
        path.write_text(text, encoding="utf-8")
        file = LearnerFile.read(str(path))
    run_pass(file.context, file.module, "distribute", owners=3, topology="star")
    modes: Sequence[str] = () if map is None else MODES
    for mode in modes:
        run_pass(file.context, file.module, f"partition_{mode}", map=map)
    run_pass(file.context, file.module, "lower_shard_to_protocol", rounds=3)
    run_pass(file.context, file.module, "project_role")
    return Play(file.module, file.words)
