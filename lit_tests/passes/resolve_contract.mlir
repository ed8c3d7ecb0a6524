// RUN: alpha-opt %s --resolve-contract | filecheck %s
// RUN: alpha-opt %s --resolve-contract -o %t && alpha-opt %t --resolve-contract | diff %t -

// Without owners there is one group of all samples.
// CHECK-LABEL: region.learner @alone {
// CHECK: pointwise.sum @pull(%w) over @data contract #region.contract<groups = [6], combine = left> : f64
region.learner @alone {
  region.state @w : f64 = 0.0
  region.samples @data[6] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// The owners' samples are the groups; a star combines them from left to right.
// CHECK-LABEL: region.learner @star attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
// CHECK: pointwise.sum @pull(%w) over @data contract #region.contract<groups = [1, 2, 3, 0], combine = left> : f64
region.learner @star attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : f64 = 0.0
  region.samples @data[6] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// Where the split isn't declared, the parts differ by at most one, larger first; a tree combines by
// itself. Extra attributes stay.
// CHECK-LABEL: region.learner @tree attributes {owners = #shard.owners<4, tree<2>>} {
// CHECK: pointwise.sum @pull(%w) over @data contract #region.contract<groups = [2, 2, 1, 1], combine = tree<2>> : f64 attributes {note = "kept"}
// CHECK: pointwise.sum @watch() over @few contract #region.contract<groups = [1, 1, 0, 0], combine = tree<2>>{{$}}
region.learner @tree attributes {owners = #shard.owners<4, tree<2>>} {
  region.state @w : f64 = 0.0
  region.samples @data[6] : (f64) = dense<1.0>
  region.samples @few[2] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.contribution @watch() sample(%x : f64) -> (observed "x" : f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64 attributes {note = "kept"}
    %few = pointwise.sum @watch() over @few
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// A pair combines from left to right.
// CHECK-LABEL: region.learner @pair attributes {owners = #shard.owners<2, pair>} {
// CHECK: pointwise.sum @pull(%w) over @data contract #region.contract<groups = [3, 2], combine = left> : f64
region.learner @pair attributes {owners = #shard.owners<2, pair>} {
  region.state @w : f64 = 0.0
  region.samples @data[5] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// A contract that is written stays as it is, whatever the owners are.
// CHECK-LABEL: region.learner @written attributes {owners = #shard.owners<2, pair>} {
// CHECK: pointwise.sum @pull(%w) over @data contract #region.contract<groups = [0, 1, 4], combine = tree<1>> : f64
region.learner @written attributes {owners = #shard.owners<2, pair>} {
  region.state @w : f64 = 0.0
  region.samples @data[5] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data contract #region.contract<groups = [0, 1, 4], combine = tree<1>> : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// A learner without a sum has nothing to write.
// CHECK-LABEL: region.learner @no_sum attributes {owners = #shard.owners<3, star>} {
// CHECK-NOT: contract
region.learner @no_sum attributes {owners = #shard.owners<3, star>} {
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
