// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// A distribution's own programs have names that the learner and the others don't have.

// accepted: programs that no round runs.

region.learner @doubling {
  region.state @w : tensor<2xf64> = dense<[1.0, 2.0]>
  region.samples @data[2] : (f64) = dense<[1.0, 2.0]>
  region.samples @other[1] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<2xf64>) sample(%x : f64) -> (f64, observed "pull" : f64) {
    pointwise.return %x, %x
  }
  pointwise.update @step(%w : tensor<2xf64>, %g : f64) -> (tensor<2xf64>) {
    %w1 = pointwise.map over [i : 2] (%wi = %w[i], %d = %g) {
      %next = arith.addf %wi, %d : f64
      pointwise.yield %next
    } : tensor<2xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<2xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<2xf64>
    region.advance @w = %w1
  }
}

shard.learner @doubling owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [1, 1]
  shard.place @other replicated
  pointwise.update @keep(%g : f64) -> (f64) {
    pointwise.return %g
  }
  pointwise.update @pass(%g : f64) -> (f64) {
    pointwise.return %g
  }
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<2xf64>, +0>
    %part, %seen = shard.contribute @pull(%w) over @data by [2, 0]
      : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %part contract #region.contract<groups = [2], combine = left>
      deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %pull = shard.combine sum %seen contract #region.contract<groups = [2], combine = left>
      deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "pull" %pull over @data
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<2xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @doubling {
  region.state @w : tensor<2xf64> = dense<[1.0, 2.0]>
  region.samples @data[2] : (f64) = dense<[1.0, 2.0]>
  region.samples @other[1] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<2xf64>) sample(%x : f64) -> (f64, observed "pull" : f64) {
    pointwise.return %x, %x
  }
  // expected-note@+1 {{@step is first defined here}}
  pointwise.update @step(%w : tensor<2xf64>, %g : f64) -> (tensor<2xf64>) {
    %w1 = pointwise.map over [i : 2] (%wi = %w[i], %d = %g) {
      %next = arith.addf %wi, %d : f64
      pointwise.yield %next
    } : tensor<2xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<2xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<2xf64>
    region.advance @w = %w1
  }
}

shard.learner @doubling owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [1, 1]
  shard.place @other replicated
  // expected-error@+1 {{[region-identity] expected one definition of @step, found two}}
  pointwise.update @step(%g : f64) -> (f64) {
    pointwise.return %g
  }
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<2xf64>, +0>
    %part, %seen = shard.contribute @pull(%w) over @data by [2, 0]
      : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %part contract #region.contract<groups = [2], combine = left>
      deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %pull = shard.combine sum %seen contract #region.contract<groups = [2], combine = left>
      deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "pull" %pull over @data
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<2xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @doubling {
  region.state @w : tensor<2xf64> = dense<[1.0, 2.0]>
  // expected-note@+1 {{@data is first defined here}}
  region.samples @data[2] : (f64) = dense<[1.0, 2.0]>
  region.samples @other[1] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<2xf64>) sample(%x : f64) -> (f64, observed "pull" : f64) {
    pointwise.return %x, %x
  }
  pointwise.update @step(%w : tensor<2xf64>, %g : f64) -> (tensor<2xf64>) {
    %w1 = pointwise.map over [i : 2] (%wi = %w[i], %d = %g) {
      %next = arith.addf %wi, %d : f64
      pointwise.yield %next
    } : tensor<2xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<2xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<2xf64>
    region.advance @w = %w1
  }
}

shard.learner @doubling owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [1, 1]
  shard.place @other replicated
  // expected-error@+1 {{[region-identity] expected one definition of @data, found two}}
  pointwise.update @data(%g : f64) -> (f64) {
    pointwise.return %g
  }
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<2xf64>, +0>
    %part, %seen = shard.contribute @pull(%w) over @data by [2, 0]
      : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %part contract #region.contract<groups = [2], combine = left>
      deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %pull = shard.combine sum %seen contract #region.contract<groups = [2], combine = left>
      deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "pull" %pull over @data
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<2xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @doubling {
  region.state @w : tensor<2xf64> = dense<[1.0, 2.0]>
  region.samples @data[2] : (f64) = dense<[1.0, 2.0]>
  region.samples @other[1] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<2xf64>) sample(%x : f64) -> (f64, observed "pull" : f64) {
    pointwise.return %x, %x
  }
  pointwise.update @step(%w : tensor<2xf64>, %g : f64) -> (tensor<2xf64>) {
    %w1 = pointwise.map over [i : 2] (%wi = %w[i], %d = %g) {
      %next = arith.addf %wi, %d : f64
      pointwise.yield %next
    } : tensor<2xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<2xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<2xf64>
    region.advance @w = %w1
  }
}

shard.learner @doubling owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [1, 1]
  shard.place @other replicated
  // expected-note@+1 {{@keep is first defined here}}
  pointwise.update @keep(%g : f64) -> (f64) {
    pointwise.return %g
  }
  // expected-error@+1 {{[region-identity] expected one definition of @keep, found two}}
  pointwise.update @keep(%g : f64) -> (f64) {
    pointwise.return %g
  }
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<2xf64>, +0>
    %part, %seen = shard.contribute @pull(%w) over @data by [2, 0]
      : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %part contract #region.contract<groups = [2], combine = left>
      deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %pull = shard.combine sum %seen contract #region.contract<groups = [2], combine = left>
      deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "pull" %pull over @data
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<2xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @doubling {
  region.state @w : tensor<2xf64> = dense<[1.0, 2.0]>
  region.samples @data[2] : (f64) = dense<[1.0, 2.0]>
  region.samples @other[1] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<2xf64>) sample(%x : f64) -> (f64, observed "pull" : f64) {
    pointwise.return %x, %x
  }
  pointwise.update @step(%w : tensor<2xf64>, %g : f64) -> (tensor<2xf64>) {
    %w1 = pointwise.map over [i : 2] (%wi = %w[i], %d = %g) {
      %next = arith.addf %wi, %d : f64
      pointwise.yield %next
    } : tensor<2xf64>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<2xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<2xf64>
    region.advance @w = %w1
  }
}

shard.learner @doubling owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [1, 1]
  shard.place @other replicated
  pointwise.update @keep(%g : f64) -> (f64) {
    pointwise.return %g
  }
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<2xf64>, +0>
    %read = shard.read @w : !shard.replica<tensor<2xf64>, +0>
    // expected-error@+1 {{[pointwise-type] expected (f64) as arguments, found (tensor<2xf64>)}}
    %kept = shard.update @keep(%read) : !shard.replica<f64, +0>
    %part, %seen = shard.contribute @pull(%w) over @data by [2, 0]
      : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %part contract #region.contract<groups = [2], combine = left>
      deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %pull = shard.combine sum %seen contract #region.contract<groups = [2], combine = left>
      deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "pull" %pull over @data
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<2xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
