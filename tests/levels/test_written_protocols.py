"""Protocols of a learner that are written by hand end as its distribution, at both levels."""

from __future__ import annotations

from pathlib import Path

import pytest
from levels.endings import at_shard_level, difference, over_sockets, over_the_network, projected
from oracle_comparison.running import learner_file

from alpha.ir.sharding.distribution import find_distribution

ROUNDS = 2
LEARNER = """
region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<3xf64> = dense<[0.5, 0.25, 3.0]>
  region.samples @data[6] : (tensor<3xf64>) = dense<[
    [1.5, 2.0, 3.0], [0.1, 0.2, 0.3], [7.0, 1.0, 2.0],
    [0.7, 0.6, 0.5], [4.0, 4.5, 4.25], [1000.0, 0.001, 1.0]]>
  pointwise.contribution @pull(%w : tensor<3xf64>) sample(%x : tensor<3xf64>) -> (tensor<3xf64>) {
    %d = pointwise.map over [i : 3] (%a = %w[i], %b = %x[i]) {
      %c = arith.subf %b, %a : f64
      pointwise.yield %c
    } : tensor<3xf64>
    pointwise.return %d
  }
  pointwise.update @step(%w : tensor<3xf64>, %g : tensor<3xf64>) -> (tensor<3xf64>) {
    %w1 = pointwise.map over [i : 3] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<3xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<3xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<3xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<3xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %own = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w = shard.replicate %own : !shard.replica<tensor<3xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0]
        : !shard.contribution<tensor<3xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left>
        deliver owners cyclic : !shard.total<tensor<3xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1 = shard.update @step(%own, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}
#all = #protocol.group<universe = 4, epoch = 0, id = "", stride(0, 1, 4)>
protocol.global @mean_step of @mean_step group #all {
  protocol.repeat 2 {
    %own = protocol.local at stride(0, 1, 4) {
      %w = shard.read @w : !shard.owned<tensor<3xf64>, cyclic, +0>
      protocol.yield %w
    }
    %whole = protocol.gather %own along star
    %copy = protocol.replicate %whole along star over stride(0, 1, 4)
    %c = protocol.local at stride(0, 1, 4) (%w = %copy) {
      %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0]
          : !shard.contribution<tensor<3xf64>, @data, +0>
      shard.release %w
      protocol.yield %c
    }
    ON_THE_WAY
    %t = protocol.reduce sum %u by [1, 2, 3, 0]
        contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
    %mine = protocol.scatter %t by cyclic along star over stride(0, 1, 4)
    protocol.local at stride(0, 1, 4) (%total = %mine, %words = %own) {
      %g = shard.mean %total : !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1 = shard.update @step(%words, %g) : !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1
    }
  }
  PUBLISH
}
"""
SELECTOR = """
    %s = protocol.local at stride(0, 1, 4) {
      %one = arith.constant 1 : i64
      protocol.yield %one
    }
"""
WAYS = {
    "a scope": "%u = protocol.scope stride(0, 1, 4) { protocol.yield %c }",
    "a repeat": "%u = protocol.repeat 2 (%x = %c) { protocol.yield %x }",
    "an until": f"{SELECTOR} %u = protocol.repeat 2 (%x = %c) {{ protocol.until %s yields %x }}",
    "a choice": SELECTOR + "%u = protocol.choice %s { protocol.yield %c } { protocol.yield %c }",
    "local work": "%u = protocol.local at stride(0, 1, 4) (%x = %c) { protocol.yield %x }",
}
PUBLISHED = {
    "together": "protocol.publish at stride(0, 1, 4)",
    "one behind the other": "protocol.publish at stride(1, 1, 3) protocol.publish at role 0",
    "in a repeat": "protocol.repeat 1 { protocol.publish at stride(0, 1, 4) }",
    "in every arm": SELECTOR + "protocol.choice %s { protocol.publish at stride(0, 1, 4) } "
    "{ protocol.publish at role 0 protocol.publish at stride(1, 1, 3) }",
}


def check(text: str, folder: Path) -> None:
    file = learner_file(text, folder)
    distribution = find_distribution(file.module)
    assert distribution is not None
    wanted = at_shard_level(distribution, file.words, ROUNDS)
    for buffer in (0, None):
        found = over_the_network(file.module, file.words, 3, buffer)
        assert difference(found, wanted) is None
    found = over_sockets(projected(file.context, file.module), file.words)
    assert difference(found, wanted) is None


@pytest.mark.parametrize("way", WAYS)
def test_a_contribution_that_is_handed_on(way: str, tmp_path: Path) -> None:
    text = LEARNER.replace("ON_THE_WAY", WAYS[way])
    check(text.replace("PUBLISH", PUBLISHED["together"]), tmp_path)


@pytest.mark.parametrize("published", PUBLISHED)
def test_words_that_are_published(published: str, tmp_path: Path) -> None:
    text = LEARNER.replace("ON_THE_WAY", WAYS["a scope"])
    check(text.replace("PUBLISH", PUBLISHED[published]), tmp_path)
