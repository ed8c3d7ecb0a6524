// RUN: alpha-opt %s --split-input-file --verify-diagnostics --partition-optimizer

// Nobody said among whom the optimizer state is to be partitioned.

// expected-error@+1 {{[shard-owners-undeclared] expected owners: --distribute="owners=N topology=star" before --partition-optimizer, found none declared}}
region.learner @keep {
  region.state @m : tensor<6xf64> = dense<1.0>
  pointwise.update @halve(%m : tensor<6xf64>) -> (tensor<6xf64>) {
    %half = arith.constant 0.5 : f64
    %m1 = pointwise.map over [i : 6] (%a = %m[i], %h = %half) {
      %b = arith.mulf %a, %h : f64
      pointwise.yield %b
    } : tensor<6xf64>
    pointwise.return %m1
  }
  region.round {
    %m = region.read @m : tensor<6xf64>
    %m1 = pointwise.apply @halve(%m) : tensor<6xf64>
    region.advance @m = %m1
  }
}

// -----

// accepted:
region.learner @keep attributes {owners = #shard.owners<2, pair>} {
  region.state @m : tensor<6xf64> = dense<1.0>
  pointwise.update @halve(%m : tensor<6xf64>) -> (tensor<6xf64>) {
    %half = arith.constant 0.5 : f64
    %m1 = pointwise.map over [i : 6] (%a = %m[i], %h = %half) {
      %b = arith.mulf %a, %h : f64
      pointwise.yield %b
    } : tensor<6xf64>
    pointwise.return %m1
  }
  region.round {
    %m = region.read @m : tensor<6xf64>
    %m1 = pointwise.apply @halve(%m) : tensor<6xf64>
    region.advance @m = %m1
  }
}

// -----

// accepted: a learner that is distributed already says it there.
region.learner @keep {
  region.state @w : tensor<6xf64> = dense<1.0>
  pointwise.update @halve(%w : tensor<6xf64>) -> (tensor<6xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = pointwise.map over [i : 6] (%a = %w[i], %h = %half) {
      %b = arith.mulf %a, %h : f64
      pointwise.yield %b
    } : tensor<6xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<6xf64>
    %w1 = pointwise.apply @halve(%w) : tensor<6xf64>
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<6xf64>, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<tensor<6xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
