"""A role's data file holds its own rows and words of the learner's files, and zeros between."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from checkpoint_tools.calling import held

from alpha.ir.sharding.distribution import Distribution, find_distribution
from alpha.tools.building.data import write_data
from alpha.tools.building.description import DataFile
from alpha.tools.distributing import run_pass
from alpha.tools.learner_file import LearnerFile

LEARNER = """
region.learner @l attributes {owners = #shard.owners<3, star, samples = [1, 4, 0]>} {
  region.state @w : tensor<5xf32> from "w.npy"
  region.state @v : tensor<5xf32> = dense<0.0>
  region.state @r : f64 from "r.npy"
  region.constant @c : tensor<3xf32> from "c.npy"
  region.samples @data[5] : (tensor<3xf32>, f64, f32) from "x.npy", "y.npy", "z.npy"
  pointwise.contribution @g(%w : tensor<5xf32>, %c : tensor<3xf32>)
      sample(%x : tensor<3xf32>, %y : f64, %z : f32) -> (tensor<5xf32>) {
    pointwise.return %w
  }
  pointwise.update @u(%w : tensor<5xf32>, %v : tensor<5xf32>, %g : tensor<5xf32>)
      -> (tensor<5xf32>, tensor<5xf32>) {
    %w1, %v1 = pointwise.map over [i : 5] (%a = %w[i], %b = %v[i], %d = %g[i]) {
      %e = arith.addf %b, %d : f32
      %f = arith.addf %a, %e : f32
      pointwise.yield %f, %e
    } : tensor<5xf32>, tensor<5xf32>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : tensor<5xf32>, tensor<5xf32>
    %c = region.read @c : tensor<3xf32>
    %sum, %count = pointwise.sum @g(%w, %c) over @data : tensor<5xf32>
    %m = pointwise.mean %sum, %count
    %w1, %v1 = pointwise.apply @u(%w, %v, %m) : tensor<5xf32>, tensor<5xf32>
    region.advance @w = %w1, @v = %v1
  }
}
"""

RANDOM = np.random.default_rng(7)
ARRAYS = {
    "w": RANDOM.standard_normal(5).astype(np.float32),
    "r": RANDOM.standard_normal(()),
    "c": RANDOM.standard_normal(3).astype(np.float32),
    "x": RANDOM.standard_normal((5, 3)).astype(np.float32),
    "y": RANDOM.standard_normal(5),
    "z": RANDOM.standard_normal(5).astype(np.float32),
}


def learner(folder: Path) -> LearnerFile:
    for name, array in ARRAYS.items():
        # As numpy writes what lies by columns, which changes no word.
        np.save(folder / f"{name}.npy", np.array(array, order="F"))
    (folder / "l.mlir").write_text(LEARNER)
    return LearnerFile.read(str(folder / "l.mlir"))


def written(given: LearnerFile, distribution: Distribution, folder: Path, role: int) -> bytes:
    path = folder / f"role-{role}.data"
    made = write_data(distribution, given.words, role, path)
    data = path.read_bytes()
    assert made == DataFile(path.name, len(data), hashlib.sha256(data).hexdigest())
    return data


def by_hand(*arrays: np.ndarray) -> bytes:
    """Arrays one behind the other, each padded to a multiple of 64 bytes."""
    data = b""
    for array in arrays:
        data += np.ascontiguousarray(array).tobytes()
        data += bytes(-len(data) % 64)
    return data


def test_each_role_has_its_rows_and_words(tmp_path: Path) -> None:
    given = learner(tmp_path)
    run_pass(given.context, given.module, "distribute")
    run_pass(given.context, given.module, "partition_parameters")
    distribution = find_distribution(given.module)
    assert distribution is not None
    w, r, c, x, y, z = ARRAYS.values()
    for role, rows in enumerate((slice(0, 1), slice(1, 5), slice(5, 5))):
        wanted = by_hand(w[role::3], r, c, x[rows], y[rows], z[rows])
        assert written(given, distribution, tmp_path, role) == wanted


def test_without_files_there_is_none(tmp_path: Path) -> None:
    examples = Path(__file__).resolve().parents[2] / "examples"
    given = LearnerFile.read(str(examples / "least_squares_adam.mlir"))
    run_pass(given.context, given.module, "distribute")
    distribution = find_distribution(given.module)
    assert distribution is not None
    path = tmp_path / "role-0.data"
    assert write_data(distribution, given.words, 0, path) is None
    assert not path.exists()


def test_a_role_without_rows_has_none(tmp_path: Path) -> None:
    examples = Path(__file__).resolve().parents[2] / "examples"
    given = LearnerFile.read(str(examples / "diabetes_adam.mlir"))
    run_pass(given.context, given.module, "distribute")
    distribution = find_distribution(given.module)
    assert distribution is not None
    x, y = (np.load(examples / "data" / f"diabetes_{name}.npy") for name in "xy")
    last = slice(265 + 133, 265 + 133 + 44)
    assert written(given, distribution, tmp_path, 2) == by_hand(x[last], y[last])
    path = tmp_path / "role-3.data"
    assert write_data(distribution, given.words, 3, path) is None


LARGE = """
region.learner @large attributes {owners = #shard.owners<2, star, samples = [1, 1]>} {
  region.state @w : tensor<1000x2000xf64> from "large.npy"
  region.state @c : f64 = 0.0
  region.samples @data[2] : (f64) = dense<[1.0, 2.0]>
  pointwise.contribution @g(%c : f64) sample(%x : f64) -> (f64) {
    %p = arith.mulf %c, %x : f64
    pointwise.return %p
  }
  pointwise.update @u(%w : tensor<1000x2000xf64>) -> (tensor<1000x2000xf64>) {
    %w1 = pointwise.map over [i : 1000, j : 2000] (%a = %w[i, j]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<1000x2000xf64>
    pointwise.return %w1
  }
  pointwise.update @keep(%c : f64, %g : f64) -> (f64) {
    %c1 = arith.addf %c, %g : f64
    pointwise.return %c1
  }
  region.round {
    %w, %c = region.read @w, @c : tensor<1000x2000xf64>, f64
    %sum, %count = pointwise.sum @g(%c) over @data : f64
    %m = pointwise.mean %sum, %count
    %w1 = pointwise.apply @u(%w) : tensor<1000x2000xf64>
    %c1 = pointwise.apply @keep(%c, %m) : f64
    region.advance @w = %w1, @c = %c1
  }
}
"""


@pytest.mark.parametrize("order", ["C", "F"])
def test_no_whole_array_is_in_memory(tmp_path: Path, order: Literal["C", "F"]) -> None:
    words = np.arange(2_000_000.0).reshape(1000, 2000)
    np.save(tmp_path / "large.npy", np.array(words, order=order))
    (tmp_path / "large.mlir").write_text(LARGE)
    given = LearnerFile.read(str(tmp_path / "large.mlir"))
    run_pass(given.context, given.module, "distribute")
    run_pass(given.context, given.module, "partition_optimizer")
    distribution = find_distribution(given.module)
    assert distribution is not None
    path = tmp_path / "role-1.data"
    peak = held(lambda: write_data(distribution, given.words, 1, path))
    assert path.read_bytes() == by_hand(words.reshape(-1)[1::2])
    assert peak < words.nbytes // 2
