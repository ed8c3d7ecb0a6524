// RUN: alpha-opt %s --split-input-file --verify-diagnostics --distribute="owners=4"

// A learner that is distributed among others keeps its one distribution.

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
// expected-error@+2 {{[shard-learner-count] expected a learner that isn't distributed, to distribute it among #shard.owners<4, star>, found #shard.owners<2, pair>}}
// expected-note@+1 {{it is distributed here}}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<6xf64>, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<tensor<6xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// accepted:
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
// expected-warning@+1 {{the learner is distributed already; nothing changes}}
shard.learner @keep owners #shard.owners<4, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<6xf64>, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<tensor<6xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// accepted: so does one beside another learner.
region.learner @other {
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
// expected-warning@+1 {{the learner is distributed already; nothing changes}}
shard.learner @keep owners #shard.owners<4, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<6xf64>, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<tensor<6xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
