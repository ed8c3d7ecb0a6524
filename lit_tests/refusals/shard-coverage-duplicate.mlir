// RUN: alpha-opt %s --split-input-file --verify-diagnostics --verify-shards

// No coordinate has two owners; the message names the first one that has, the notes both owners.

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
  // expected-error@+3 {{[shard-coverage-duplicate] expected one owner for each of 6 coordinates of @w, found owners 0 and 1 for coordinate 3}}
  // expected-note@+2 {{owner 0 has 4 coordinates from 0 to 3}}
  // expected-note@+1 {{owner 1 has 3 coordinates from 3 to 5}}
  shard.place @w by [stride(0, 1, 4), stride(3, 1, 3)]
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<6xf64>, [stride(0, 1, 4), stride(3, 1, 3)], +0>
    %w1 = shard.update @halve(%w) : !shard.owned<tensor<6xf64>, [stride(0, 1, 4), stride(3, 1, 3)], +1>
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
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w by [stride(0, 1, 4), stride(4, 1, 2)]
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<6xf64>, [stride(0, 1, 4), stride(4, 1, 2)], +0>
    %w1 = shard.update @halve(%w) : !shard.owned<tensor<6xf64>, [stride(0, 1, 4), stride(4, 1, 2)], +1>
    shard.advance @w = %w1
  }
}

// -----

// Pieces that interleave may still meet.

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
  // expected-error@+3 {{[shard-coverage-duplicate] expected one owner for each of 6 coordinates of @w, found owners 0 and 1 for coordinate 2}}
  // expected-note@+2 {{owner 0 has 3 coordinates from 0 to 4}}
  // expected-note@+1 {{owner 1 has 4 coordinates from 1 to 5}}
  shard.place @w by [stride(0, 2, 3), join(stride(1, 1, 3), stride(5, 1, 1))]
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<6xf64>, [stride(0, 2, 3), join(stride(1, 1, 3), stride(5, 1, 1))], +0>
    %w1 = shard.update @halve(%w) : !shard.owned<tensor<6xf64>, [stride(0, 2, 3), join(stride(1, 1, 3), stride(5, 1, 1))], +1>
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
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w by [stride(0, 2, 3), join(stride(1, 2, 2), stride(5, 1, 1))]
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<6xf64>, [stride(0, 2, 3), join(stride(1, 2, 2), stride(5, 1, 1))], +0>
    %w1 = shard.update @halve(%w) : !shard.owned<tensor<6xf64>, [stride(0, 2, 3), join(stride(1, 2, 2), stride(5, 1, 1))], +1>
    shard.advance @w = %w1
  }
}

// -----

// The members of a family meet as well.

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
shard.learner @keep owners #shard.owners<4, star> {
  // expected-error@+3 {{[shard-coverage-duplicate] expected one owner for each of 6 coordinates of @w, found owners 0 and 1 for coordinate 2}}
  // expected-note@+2 {{owner 0 has 4 coordinates from 0 to 3}}
  // expected-note@+1 {{owner 1 has 4 coordinates from 2 to 5}}
  shard.place @w by [family(2, 2, stride(0, 1, 4)), empty, empty]
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<6xf64>, [family(2, 2, stride(0, 1, 4)), empty, empty], +0>
    %w1 = shard.update @halve(%w) : !shard.owned<tensor<6xf64>, [family(2, 2, stride(0, 1, 4)), empty, empty], +1>
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
shard.learner @keep owners #shard.owners<4, star> {
  shard.place @w by [family(2, 3, stride(0, 1, 3)), empty, empty]
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<6xf64>, [family(2, 3, stride(0, 1, 3)), empty, empty], +0>
    %w1 = shard.update @halve(%w) : !shard.owned<tensor<6xf64>, [family(2, 3, stride(0, 1, 3)), empty, empty], +1>
    shard.advance @w = %w1
  }
}

// -----

// No sample is summed by two owners.

region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.samples @data[6] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>) -> (tensor<4xf64>) {
    %w1 = pointwise.map over [i : 4] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<4xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<4xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w replicated
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<4xf64>, +0>
    // expected-error@+3 {{[shard-coverage-duplicate] expected each of 6 samples of @data once, found owners 1 and 2 for sample 2}}
    // expected-note@+2 {{owner 1 has 2 coordinates from 1 to 2}}
    // expected-note@+1 {{owner 2 has 4 coordinates from 2 to 5}}
    %c = shard.contribute @pull(%w) over @data by [stride(0, 1, 1), stride(1, 1, 2), stride(2, 1, 4), empty] : !shard.contribution<tensor<4xf64>, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all : !shard.total<tensor<4xf64>, @data, all, +0>
    %g = shard.mean %t : !shard.replica<tensor<4xf64>, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<4xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @mean_step attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.samples @data[6] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>) -> (tensor<4xf64>) {
    %w1 = pointwise.map over [i : 4] (%a = %w[i], %b = %g[i]) {
      %c = arith.addf %a, %b : f64
      pointwise.yield %c
    } : tensor<4xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<4xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<4xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w replicated
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<4xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [stride(0, 1, 1), stride(1, 1, 2), stride(3, 1, 3), empty] : !shard.contribution<tensor<4xf64>, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all : !shard.total<tensor<4xf64>, @data, all, +0>
    %g = shard.mean %t : !shard.replica<tensor<4xf64>, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<4xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// A state has one place.

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
  // expected-note@+1 {{@w is first placed here}}
  shard.place @w replicated
  // expected-error@+1 {{[shard-coverage-duplicate] expected one place of @w, found two}}
  shard.place @w by cyclic
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
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<6xf64>, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<tensor<6xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
