// What is right is printed as it was read: --verify-shards changes nothing.
// RUN: alpha-opt %s -o %t.read && alpha-opt %s --verify-shards | diff %t.read -

// So is what the passes make, for owners and topologies as they come.
// RUN: alpha-opt %examples/least_squares_adam.mlir --distribute="owners=7 topology=tree<2>" -o %t.seven 2> %t.err
// RUN: alpha-opt %t.seven --verify-shards | diff %t.seven -
// RUN: alpha-opt %t.seven --partition-optimizer --partition-parameters --partition-gradients -o %t.owned && alpha-opt %t.owned --verify-shards | diff %t.owned -
// RUN: alpha-opt %examples/local_correlation.mlir --partition-optimizer="map=block" -o %t.local && alpha-opt %t.local --verify-shards | diff %t.local -
// RUN: alpha-opt %examples/digits_perceptron.mlir --partition-parameters="map=block" -o %t.digits && alpha-opt %t.digits --verify-shards | diff %t.digits -

// Data files aren't opened.
// RUN: sed 's/data.diabetes_x.npy/absent.npy/' %examples/diabetes_adam.mlir > %t.absent.mlir
// RUN: alpha-opt %t.absent.mlir --partition-optimizer --verify-shards -o %t.out

// The first coordinate that has no owner, among 10^12 coordinates of 200,000 owners:
// RUN: sed 's/stride(0, 1, 5000000)/stride(0, 1, 4999999)/' %s > %t.hole.mlir
// RUN: not alpha-opt %t.hole.mlir --verify-shards 2>&1 | filecheck %s --check-prefix=HOLE
// HOLE: error: [shard-coverage-missing] expected an owner for each of 1000000000000 coordinates of @w, found none for coordinate 4999999
// RUN: sed 's/family(200000, 5000000, /family(200000, 4999999, /' %s > %t.twice.mlir
// RUN: not alpha-opt %t.twice.mlir --verify-shards 2>&1 | filecheck %s --check-prefix=TWICE
// TWICE: error: [shard-coverage-duplicate] expected one owner for each of 1000000000000 coordinates of @w, found owners 0 and 1 for coordinate 4999999
// TWICE: note: owner 0 has 5000000 coordinates from 0 to 4999999
// TWICE: note: owner 1 has 5000000 coordinates from 4999999 to 9999998

// Places and maps are looked at before the round, so of several faults a place's is told.
// RUN: sed 's/place @w by .family(200000, 5000000, /place @w by [family(200000, 4999999, /' %s > %t.both.mlir
// RUN: not alpha-opt %t.both.mlir --verify-shards 2>&1 | filecheck %s --check-prefix=TWICE

// A distribution is looked at wherever it stands.
// RUN: echo "module { module {" > %t.nested.mlir && cat %t.hole.mlir >> %t.nested.mlir && echo "} }" >> %t.nested.mlir
// RUN: not alpha-opt %t.nested.mlir --verify-shards 2>&1 | filecheck %s --check-prefix=HOLE

// A module that holds a distribution is verified as well without the pass, as far as its types go; what
// the round means is looked at by the pass.
// RUN: alpha-opt %t.hole.mlir -o %t.out

region.learner @huge {
  region.state @w : tensor<1000000000000xf64> = dense<1.0>
  pointwise.update @halve(%w : tensor<1000000000000xf64>) -> (tensor<1000000000000xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = pointwise.map over [i : 1000000000000] (%a = %w[i], %h = %half) {
      %b = arith.mulf %a, %h : f64
      pointwise.yield %b
    } : tensor<1000000000000xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<1000000000000xf64>
    %w1 = pointwise.apply @halve(%w) : tensor<1000000000000xf64>
    region.advance @w = %w1
  }
}
shard.learner @huge owners #shard.owners<200000, tree<64>> {
  shard.place @w by [family(200000, 5000000, stride(0, 1, 5000000))]
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<1000000000000xf64>, [family(200000, 5000000, stride(0, 1, 5000000))], +0>
    %w1 = shard.update @halve(%w) : !shard.owned<tensor<1000000000000xf64>, [family(200000, 5000000, stride(0, 1, 5000000))], +1>
    shard.advance @w = %w1
  }
}

// A learner that isn't distributed is left alone.
region.learner @alone {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}
