"""The runs in which something fails: small learners, built for both targets, and how they end.

Invariant: what a run should come to is told by the interpreter of the learner, and the words of its
    generations by a reader that knows nothing of the package.
Entry: `PLAYS`, `Play`, `Prepared`, `prepared`, `VERSIONS`.
"""

from __future__ import annotations

import atexit
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from checkpoints.plain_reader import read_generation
from levels.natively import CACHE
from native_runs.folders import command

from alpha.tools.building.cache import VARIABLE

X86, ARM, INTERPRETED = "x86-64", "aarch64", "interpreted"
TARGETS = (X86, ARM)

VERSIONS = (2, 4)
"""Those of the generations."""

ROUNDS, EVERY = VERSIONS[-1], 2

_LEARNER = """
region.learner @failing {
  region.state @w : tensor<SIZExf64> = dense<0.5>
  region.state @k : tensor<3xf32> = dense<1.5>
  region.state @u : tensor<SIZExf64> = dense<0.0>
  region.samples @data[6] : (f64) = dense<[1.5, 0.1, -7.0, 3.25, 0.7, -0.3]>
  pointwise.contribution @pull(%w : tensor<SIZExf64>) sample(%x : f64)
      -> (tensor<SIZExf64>, observed "loss" : f64) {
    %d = pointwise.map over [i : SIZE] (%a = %w[i], %b = %x) {
      %c = arith.subf %b, %a : f64
      pointwise.yield %c
    } : tensor<SIZExf64>
    %l = arith.mulf %x, %x : f64
    pointwise.return %d, %l
  }
  pointwise.update @step(%w : tensor<SIZExf64>, %k : tensor<3xf32>, %u : tensor<SIZExf64>,
      %g : tensor<SIZExf64>) -> (tensor<SIZExf64>, tensor<3xf32>, tensor<SIZExf64>) {
    %w1, %u1 = pointwise.map over [i : SIZE] (%a = %w[i], %m = %u[i], %b = %g[i]) {
      %tenth = arith.constant 0.1 : f64
      %s = arith.addf %m, %b : f64
      %t = arith.mulf %s, %tenth : f64
      %c = arith.addf %a, %t : f64
      pointwise.yield %c, %s
    } : tensor<SIZExf64>, tensor<SIZExf64>
    %k1 = pointwise.map over [i : 3] (%a = %k[i]) {
      %c = arith.mulf %a, %a : f32
      pointwise.yield %c
    } : tensor<3xf32>
    pointwise.return %w1, %k1, %u1
  }
  region.round {
    %w, %k, %u = region.read @w, @k, @u : tensor<SIZExf64>, tensor<3xf32>, tensor<SIZExf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<SIZExf64>
    %g = pointwise.mean %sum, %count
    %w1, %k1, %u1 = pointwise.apply @step(%w, %k, %u, %g)
      : tensor<SIZExf64>, tensor<3xf32>, tensor<SIZExf64>
    region.advance @w = %w1, @k = %k1, @u = %u1
  }
}
"""


@dataclass(frozen=True)
class Play:
    """A distribution of the learner; `size` words in each of its larger states."""

    owners: int
    topology: str
    partition: str
    size: int = 5

    @property
    def learner(self) -> str:
        """The text of the learner."""
        return _LEARNER.replace("SIZE", str(self.size))

    @property
    def flags(self) -> Sequence[str]:
        """How it is distributed."""
        how = ("--owners", str(self.owners), "--topology", self.topology)
        return (*how, "--partition", self.partition)


PLAYS: Mapping[str, Play] = {
    "star": Play(3, "star", "optimizer"),
    "tree": Play(4, "tree<2>", "parameters,optimizer"),
    "wide": Play(2, "pair", "optimizer", size=1500),
}
"""In the tree role 1 is between role 0 and role 2. The files of the wide one have several pages."""


class Prepared:
    """The folders of a play, which are built when they are first asked for."""

    def __init__(self, play: Play) -> None:
        held = TemporaryDirectory(prefix="alpha-tests-")
        atexit.register(held.cleanup)
        self.play, self.folder = play, Path(held.name)
        self.file = self.folder / "learner.mlir"
        self.file.write_text(play.learner, encoding="utf-8")
        self._built: dict[tuple[str, int], Path] = {}

    def built(self, target: str = X86, version: int = 0) -> Path:
        """A folder of executables that begin at a version, of which there is a generation."""
        key = (target, version)
        if key not in self._built:
            flags = ["--rounds", str(ROUNDS), "--checkpoint-every", str(EVERY)]
            if version:
                flags += ["--resume", str(self.generations / f"gen-{version}")]
            path = self.folder / f"{target}-{version}"
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv(VARIABLE, str(CACHE))
                made = command(
                    *("build", self.file, *self.play.flags, *flags),
                    *("--targets", target, "-o", path),
                )
            assert made.status == 0, made
            self._built[key] = path
        return self._built[key]

    @cached_property
    def generations(self) -> Path:
        """The generations of a run in which nothing failed."""
        path = self.folder / "generations"
        done = command("run", self.built(), "--checkpoint", path)
        assert (done.status, done.out.splitlines()[-1]) == (0, self.end), done
        assert sorted(each.name for each in path.iterdir()) == [f"gen-{n}" for n in VERSIONS]
        for version in VERSIONS:
            assert read_generation(path / f"gen-{version}").root["version"] == version
        return path

    @cached_property
    def digests(self) -> Mapping[int, str]:
        """What names each of them: the SHA-256 of its root's manifest."""
        return {
            version: hashlib.sha256(
                (self.generations / f"gen-{version}" / "manifest.json").read_bytes()
            ).hexdigest()
            for version in VERSIONS
        }

    @cached_property
    def end(self) -> str:
        """The last line of a run, which says the digest of the state."""
        done = command(
            *("run", self.file, *self.play.flags, "--rounds", str(ROUNDS)), "--interpret=shard"
        )
        assert done.status == 0, done
        line = done.out.splitlines()[-1]
        assert line.startswith("state sha256:")
        return line


@cache
def prepared(name: str) -> Prepared:
    """One of `PLAYS`."""
    return Prepared(PLAYS[name])
