// RUN: alpha-opt %s | filecheck %s
// RUN: %roundtrip
// RUN: alpha verify %s | filecheck %s --check-prefix=VERIFY

// A distribution brings along programs in which owners compute what the learner says: here the
// learner's step in two halves, and a contribution of two sums of which role 0 observes one.

region.learner @halves {
  region.state @w : f64 = 1.0
  region.samples @data[2] : (f64) = dense<[1.0, 2.0]>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64, observed "pull" : f64) {
    %d = arith.subf %w, %x : f64
    pointwise.return %d, %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %gg = arith.addf %g, %g : f64
    %w1 = arith.subf %w, %gg : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// VERIFY: as written  w                1      proved
// VERIFY-NEXT: as written  observed "pull"  1      proved

// CHECK: shard.learner @halves owners #shard.owners<2, pair> {
// CHECK-NEXT: shard.place @w by [0, 1]
// CHECK-NEXT: shard.place @data by [0, 2]
// CHECK-NEXT: pointwise.contribution @difference(%w: f64) sample(%x: f64) -> (f64, f64) {
// CHECK-NEXT: %d = arith.subf %w, %x : f64
// CHECK-NEXT: pointwise.return %d, %d
// CHECK-NEXT: }
// CHECK-NEXT: pointwise.update @double(%g: f64) -> (f64) {
// CHECK-NEXT: %gg = arith.addf %g, %g : f64
// CHECK-NEXT: pointwise.return %gg
// CHECK-NEXT: }
// CHECK: %part, %seen = shard.contribute @difference(%copy) over @data by [0, 2] : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
// CHECK: %gg = shard.update @double(%g) : !shard.owned<f64, [0, 1], +0>
// CHECK-NEXT: %w1 = shard.update @subtract(%w, %gg) : !shard.owned<f64, [0, 1], +1>

shard.learner @halves owners #shard.owners<2, pair> {
  shard.place @w by [0, 1]
  shard.place @data by [0, 2]
  pointwise.contribution @difference(%w : f64) sample(%x : f64) -> (f64, f64) {
    %d = arith.subf %w, %x : f64
    pointwise.return %d, %d
  }
  pointwise.update @double(%g : f64) -> (f64) {
    %gg = arith.addf %g, %g : f64
    pointwise.return %gg
  }
  pointwise.update @subtract(%w : f64, %gg : f64) -> (f64) {
    %w1 = arith.subf %w, %gg : f64
    pointwise.return %w1
  }
  shard.round {
    %w = shard.read @w : !shard.owned<f64, [0, 1], +0>
    %copy = shard.replicate %w : !shard.replica<f64, +0>
    %part, %seen = shard.contribute @difference(%copy) over @data by [0, 2]
      : !shard.contribution<f64, @data, +0>, !shard.contribution<f64, @data, +0>
    shard.release %copy
    %pull = shard.combine sum %seen contract #region.contract<groups = [2], combine = left>
      deliver role 0 : !shard.total<f64, @data, role 0, +0>
    shard.observe "pull" %pull over @data
    %sum = shard.combine sum %part contract #region.contract<groups = [2], combine = left>
      deliver owners [0, 1] : !shard.total<f64, @data, owners [0, 1], +0>
    %g = shard.mean %sum : !shard.owned<f64, [0, 1], +0>
    %gg = shard.update @double(%g) : !shard.owned<f64, [0, 1], +0>
    %w1 = shard.update @subtract(%w, %gg) : !shard.owned<f64, [0, 1], +1>
    shard.advance @w = %w1
  }
}
