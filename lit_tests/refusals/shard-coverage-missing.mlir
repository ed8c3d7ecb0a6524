// RUN: alpha-opt %s --split-input-file --verify-diagnostics --verify-shards

// Every coordinate has an owner: those of explicit pieces are decided from the pieces ...

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
  // expected-error@+1 {{[shard-coverage-missing] expected an owner for each of 6 coordinates of @w, found none for coordinate 4}}
  shard.place @w by [stride(0, 1, 2), stride(2, 1, 2)]
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<6xf64>, [stride(0, 1, 2), stride(2, 1, 2)], +0>
    %w1 = shard.update @halve(%w) : !shard.owned<tensor<6xf64>, [stride(0, 1, 2), stride(2, 1, 2)], +1>
    shard.advance @w = %w1
  }
}

// -----

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
  // expected-error@+1 {{[shard-coverage-missing] expected an owner for each of 6 coordinates of @w, found none for coordinate 5}}
  shard.place @w by [stride(0, 2, 3), stride(1, 2, 2)]
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<6xf64>, [stride(0, 2, 3), stride(1, 2, 2)], +0>
    %w1 = shard.update @halve(%w) : !shard.owned<tensor<6xf64>, [stride(0, 2, 3), stride(1, 2, 2)], +1>
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
  shard.place @w by [stride(0, 1, 2), stride(2, 1, 4)]
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<6xf64>, [stride(0, 1, 2), stride(2, 1, 4)], +0>
    %w1 = shard.update @halve(%w) : !shard.owned<tensor<6xf64>, [stride(0, 1, 2), stride(2, 1, 4)], +1>
    shard.advance @w = %w1
  }
}

// -----

// ... blocks of sizes from their total ...

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
  // expected-error@+1 {{[shard-coverage-missing] expected an owner for each of 6 coordinates of @w, found none for coordinate 5}}
  shard.place @w by [2, 3]
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<6xf64>, [2, 3], +0>
    %w1 = shard.update @halve(%w) : !shard.owned<tensor<6xf64>, [2, 3], +1>
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
  shard.place @w by [2, 4]
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<6xf64>, [2, 4], +0>
    %w1 = shard.update @halve(%w) : !shard.owned<tensor<6xf64>, [2, 4], +1>
    shard.advance @w = %w1
  }
}

// -----

// ... families from their steps, for as many owners as there are ...

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
  // expected-error@+1 {{[shard-coverage-missing] expected an owner for each of 6 coordinates of @w, found none for coordinate 2}}
  shard.place @w by [family(2, 3, stride(0, 1, 2))]
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<6xf64>, [family(2, 3, stride(0, 1, 2))], +0>
    %w1 = shard.update @halve(%w) : !shard.owned<tensor<6xf64>, [family(2, 3, stride(0, 1, 2))], +1>
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
  shard.place @w by [family(2, 3, stride(0, 1, 3))]
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<6xf64>, [family(2, 3, stride(0, 1, 3))], +0>
    %w1 = shard.update @halve(%w) : !shard.owned<tensor<6xf64>, [family(2, 3, stride(0, 1, 3))], +1>
    shard.advance @w = %w1
  }
}

// -----

// ... and rows have all their words.

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
  // expected-error@+1 {{[shard-coverage-missing] expected a domain of whole rows of 4 words of @w, found 6 words}}
  shard.place @w by rows<4, block>
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<6xf64>, rows<4, block>, +0>
    %w1 = shard.update @halve(%w) : !shard.owned<tensor<6xf64>, rows<4, block>, +1>
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
  shard.place @w by rows<2, block>
  shard.round {
    %w = shard.read @w : !shard.owned<tensor<6xf64>, rows<2, block>, +0>
    %w1 = shard.update @halve(%w) : !shard.owned<tensor<6xf64>, rows<2, block>, +1>
    shard.advance @w = %w1
  }
}

// -----

// A map that places a value on the way is looked at as well.

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
    // expected-error@+1 {{[shard-coverage-missing] expected an owner for each of 6 coordinates of %o, found none for coordinate 5}}
    %o = shard.partition %w by [3, 2] : !shard.owned<tensor<6xf64>, [3, 2], +0>
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
    %o = shard.partition %w by [3, 3] : !shard.owned<tensor<6xf64>, [3, 3], +0>
    %w1 = shard.update @halve(%w) : !shard.replica<tensor<6xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// A state has a place, whether a round reads it or not.

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
// expected-error@+1 {{[shard-coverage-missing] expected a place of @w: shard.place @w replicated, or by a map, found none}}
shard.learner @keep owners #shard.owners<2, pair> {
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

// -----

// So have samples that are summed or read.

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
// expected-error@+1 {{[shard-coverage-missing] expected a place of @data: shard.place @data replicated, or by a map, found none}}
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<4xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
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
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all : !shard.total<tensor<4xf64>, @data, all, +0>
    %g = shard.mean %t : !shard.replica<tensor<4xf64>, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<4xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// All words of a replicated state are with every owner: owned ones are assembled.

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
    %o = shard.partition %w by cyclic : !shard.owned<tensor<6xf64>, cyclic, +0>
    %w1 = shard.update @halve(%o) : !shard.owned<tensor<6xf64>, cyclic, +1>
    // expected-error@+1 {{[shard-coverage-missing] expected all words of @w with every owner, since it is replicated, found owned words by cyclic, assembled by no combine}}
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
    %o = shard.partition %w by cyclic : !shard.owned<tensor<6xf64>, cyclic, +0>
    %w1 = shard.update @halve(%o) : !shard.owned<tensor<6xf64>, cyclic, +1>
    %all = shard.combine select %w1 deliver all : !shard.replica<tensor<6xf64>, +1>
    shard.advance @w = %all
  }
}
