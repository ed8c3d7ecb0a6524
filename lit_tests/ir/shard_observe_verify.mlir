// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// What a round reports is an observation of the learner, once, and a word that role 0 has.

// accepted: a total with role 0.

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

// accepted: a replica, which role 0 has too.

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
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<2xf64>, +0>
    %part, %seen = shard.contribute @pull(%w) over @data by [2, 0]
      : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %part contract #region.contract<groups = [2], combine = left>
      deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %pull = shard.combine sum %seen contract #region.contract<groups = [2], combine = left>
      deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "pull" %g over @data
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<2xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// accepted: a word that role 0 owns.

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
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<2xf64>, +0>
    %part, %seen = shard.contribute @pull(%w) over @data by [2, 0]
      : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %part contract #region.contract<groups = [2], combine = left>
      deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %pull = shard.combine sum %seen contract #region.contract<groups = [2], combine = left>
      deliver role 0 : !shard.total<f64, @data, role 0, +0>
    %own = shard.partition %g by [1, 0] : !shard.owned<f64, [1, 0], +0>
    shard.observe "pull" %own over @data
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<2xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// Another owner has the word.

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
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<2xf64>, +0>
    %part, %seen = shard.contribute @pull(%w) over @data by [2, 0]
      : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %part contract #region.contract<groups = [2], combine = left>
      deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %pull = shard.combine sum %seen contract #region.contract<groups = [2], combine = left>
      deliver role 0 : !shard.total<f64, @data, role 0, +0>
    %own = shard.partition %g by [0, 1] : !shard.owned<f64, [0, 1], +0>
    // expected-error@+1 {{[pointwise-type] expected a word that role 0 owns, to observe, found !shard.owned<f64, [0, 1], +0>}}
    shard.observe "pull" %own over @data
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<2xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// A tensor is no number.

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
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<2xf64>, +0>
    %part, %seen = shard.contribute @pull(%w) over @data by [2, 0]
      : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %part contract #region.contract<groups = [2], combine = left>
      deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %pull = shard.combine sum %seen contract #region.contract<groups = [2], combine = left>
      deliver role 0 : !shard.total<f64, @data, role 0, +0>
    // expected-error@+1 {{[pointwise-type] expected a scalar to observe, found tensor<2xf64>}}
    shard.observe "pull" %w over @data
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<2xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// All owners have this total; an observation is delivered to role 0 alone.

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
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<2xf64>, +0>
    %part, %seen = shard.contribute @pull(%w) over @data by [2, 0]
      : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %part contract #region.contract<groups = [2], combine = left>
      deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %pull = shard.combine sum %seen contract #region.contract<groups = [2], combine = left>
      deliver role 1 : !shard.total<f64, @data, role 1, +0>
    // expected-error@+1 {{[pointwise-type] expected a total over @data delivered to role 0, to observe, found !shard.total<f64, @data, role 1, +0>}}
    shard.observe "pull" %pull over @data
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<2xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// A sum in parts.

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
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<2xf64>, +0>
    %part, %seen = shard.contribute @pull(%w) over @data by [2, 0]
      : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %part contract #region.contract<groups = [2], combine = left>
      deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %pull = shard.combine sum %seen contract #region.contract<groups = [2], combine = left>
      deliver role 0 : !shard.total<f64, @data, role 0, +0>
    // expected-error@+1 {{[pointwise-type] expected a total delivered to role 0, a word that role 0 owns, or a replica, to observe, found !shard.contribution<f64, @data, +0>}}
    shard.observe "pull" %seen over @data
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<2xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// The learner observes no such thing.

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
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<2xf64>, +0>
    %part, %seen = shard.contribute @pull(%w) over @data by [2, 0]
      : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %part contract #region.contract<groups = [2], combine = left>
      deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %pull = shard.combine sum %seen contract #region.contract<groups = [2], combine = left>
      deliver role 0 : !shard.total<f64, @data, role 0, +0>
    // expected-error@+1 {{[region-symbol-unknown] expected the name of an observation of the learner (there is: "pull"), found "loss"}}
    shard.observe "loss" %pull over @data
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<2xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// The learner observes it over other samples, of which there are more.

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
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<2xf64>, +0>
    %part, %seen = shard.contribute @pull(%w) over @data by [2, 0]
      : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %part contract #region.contract<groups = [2], combine = left>
      deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %pull = shard.combine sum %seen contract #region.contract<groups = [2], combine = left>
      deliver role 0 : !shard.total<f64, @data, role 0, +0>
    // expected-error@+1 {{[pointwise-type] expected "pull" over @data, as the learner observes it, found over @other}}
    shard.observe "pull" %pull over @other
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<2xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// Once a round.

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
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<2xf64>, +0>
    %part, %seen = shard.contribute @pull(%w) over @data by [2, 0]
      : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %sum = shard.combine sum %part contract #region.contract<groups = [2], combine = left>
      deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %sum : !shard.replica<f64, +0>
    %pull = shard.combine sum %seen contract #region.contract<groups = [2], combine = left>
      deliver role 0 : !shard.total<f64, @data, role 0, +0>
    // expected-note@+1 {{"pull" is first observed here}}
    shard.observe "pull" %pull over @data
    // expected-error@+1 {{[region-identity] expected one observation "pull" in a round, found two}}
    shard.observe "pull" %g over @data
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<2xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
