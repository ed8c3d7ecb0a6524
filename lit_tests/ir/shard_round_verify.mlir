// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// What is read is a state, a constant or samples, with its own type.

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    // expected-error@+1 {{[region-symbol-unknown] expected the name of a part of the learner that fits (there is: @rate, @w), found @step}}
    %w = shard.read @step : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    // expected-error@+1 {{[pointwise-type] expected (f64) for what is read, found (f32)}}
    %w = shard.read @w : !shard.replica<f32, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    // expected-error@+1 {{[pointwise-type] expected (f64) for what is read, found (f64, f64)}}
    %w, %more = shard.read @w : !shard.replica<f64, +0>, !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// The components of samples have the samples as first axis.

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "x" %l over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    // expected-error@+1 {{[pointwise-type] expected (tensor<2xf64>, tensor<2xf64>) for what is read, found (f64, f64)}}
    %p, %q = shard.read @pairs : !shard.replica<f64, +0>, !shard.replica<f64, +0>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "x" %l over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    %p, %q = shard.read @pairs : !shard.replica<tensor<2xf64>, +0>, !shard.replica<tensor<2xf64>, +0>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// A contribution is one of the learner, of samples that it takes, with its arguments and results.

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    // expected-error@+1 {{[region-symbol-unknown] expected the name of a part of the learner that fits (there is: @away), found @step}}
    %c, %x = shard.contribute @step(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "x" %l over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    // expected-error@+1 {{[region-symbol-unknown] expected the name of a part of the learner that fits (there is: @data, @pairs), found @w}}
    %c, %x = shard.contribute @away(%w) over @w by [2, 1] : !shard.contribution<f64, @w, +0>, !shard.contribution<f64, @w, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @w, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @w, role 0, +0>
    shard.observe "x" %l over @w
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    // expected-error@+1 {{[pointwise-type] expected samples of (f64), found (f64, f64)}}
    %c, %x = shard.contribute @away(%w) over @pairs by [2, 1] : !shard.contribution<f64, @pairs, +0>, !shard.contribution<f64, @pairs, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @pairs, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @pairs, role 0, +0>
    shard.observe "x" %l over @pairs
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    // expected-error@+1 {{[pointwise-type] expected (f64) as arguments, found ()}}
    %c, %x = shard.contribute @away() over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "x" %l over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    // expected-error@+1 {{[pointwise-type] expected (f64) as arguments, found (f64, f64)}}
    %c, %x = shard.contribute @away(%w, %w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "x" %l over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    // expected-error@+1 {{[pointwise-type] expected (f64, f64) as parts, found (f64)}}
    %c = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    // expected-error@+1 {{[pointwise-type] expected contributions over @data, found !shard.contribution<f64, @pairs, +0>}}
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @pairs, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "x" %l over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "x" %l over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// Sums are delivered to an owner that there is.

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    // expected-error@+1 {{[shard-owner-range] expected a role from 0 to 1 to deliver to, found 2}}
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 2 : !shard.total<f64, @data, role 2, +0>
    shard.observe "x" %l over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// So is an update.

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    // expected-error@+1 {{[region-symbol-unknown] expected the name of a part of the learner that fits (there is: @step), found @stop}}
    %w1 = shard.update @stop(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "x" %l over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    // expected-error@+1 {{[pointwise-type] expected (f64, f64) as arguments, found (f64)}}
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "x" %l over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    // expected-error@+1 {{[pointwise-type] expected (f64) as results, found (f32)}}
    %w1 = shard.update @step(%w, %g) : !shard.replica<f32, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "x" %l over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    // expected-error@+1 {{[pointwise-type] expected owned words or replicas in an update, found !shard.contribution<f64, @data, +0>}}
    %w1 = shard.update @step(%w, %c) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "x" %l over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    // expected-error@+1 {{[pointwise-type] expected owned words or replicas in an update, found !shard.total<f64, @data, all, +0>}}
    %w1 = shard.update @step(%w, %t) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// Role 0 observes a total over the samples that are named, or words that all have.

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    // expected-error@+1 {{[pointwise-type] expected "x" over @data, as the learner observes it, found over @dada}}
    shard.observe "x" %l over @dada
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 1 : !shard.total<f64, @data, role 1, +0>
    // expected-error@+1 {{[pointwise-type] expected a total over @data delivered to role 0, to observe, found !shard.total<f64, @data, role 1, +0>}}
    shard.observe "x" %l over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    // expected-error@+1 {{[pointwise-type] expected "x" over @data, as the learner observes it, found over @pairs}}
    shard.observe "x" %l over @pairs
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 1 : !shard.total<f64, @data, role 1, +0>
    // expected-error@+1 {{[pointwise-type] expected a total over @data delivered to role 0, to observe, found !shard.total<f64, @data, role 1, +0>}}
    shard.observe "x" %l over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    // expected-error@+1 {{[pointwise-type] expected a total delivered to role 0, a word that role 0 owns, or a replica, to observe, found !shard.contribution<f64, @data, +0>}}
    shard.observe "x" %c over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "x" %w over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    // expected-error@+1 {{[region-symbol-unknown] expected the name of an observation of the learner (there is: "x"), found "y"}}
    shard.observe "y" %l over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

region.learner @pull {
  region.state @w : f64 = 0.0
  region.samples @data[3] : (f64) = dense<1.0>
  region.samples @pairs[2] : (f64, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @away(%w : f64) sample(%x : f64) -> (f64, observed "x" : f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d, %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @away(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
shard.learner @pull owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @data by [2, 1]
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %c, %x = shard.contribute @away(%w) over @data by [2, 1] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 1], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %l = shard.combine sum %x contract #region.contract<groups = [2, 1], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
    // expected-note@+1 {{"x" is first observed here}}
    shard.observe "x" %l over @data
    // expected-error@+1 {{[region-identity] expected one observation "x" in a round, found two}}
    shard.observe "x" %w over @data
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// A distribution may have programs of its own, beside those of the learner.

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  // expected-note@+1 {{@step is first defined here}}
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  // expected-error@+1 {{[region-identity] expected one definition of @step, found two}}
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  pointwise.update @halt(%w : f64) -> (f64) {
    pointwise.return %w
  }
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halt(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}

// -----

// What advances is a state, once, with words of its type.

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    // expected-error@+1 {{[region-symbol-unknown] expected the name of a part of the learner that fits (there is: @w), found @rate}}
    shard.advance @rate = %w1
  }
}

// -----

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    // expected-error@+1 {{[region-identity] expected one new value for @w, found two}}
    shard.advance @w = %w1, @w = %w1
  }
}

// -----

region.learner @keep {
  region.state @w : f64 = 0.0
  region.state @rate : f32 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.place @rate replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    // expected-error@+1 {{[pointwise-type] expected (f32) for @rate, found (f64)}}
    shard.advance @rate = %w1
  }
}

// -----

region.learner @keep {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @step(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}
shard.learner @keep owners #shard.owners<2, pair> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @step(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    // expected-error@+1 {{[region-identity] expected one value for each of 1 states, found 2}}
    "shard.advance"(%w, %w1) <{symbols = [@w]}> : (!shard.replica<f64, +0>, !shard.replica<f64, +1>) -> ()
  }
}
