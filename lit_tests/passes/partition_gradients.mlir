// RUN: alpha-opt %s --partition-gradients 2> %t.err | filecheck %s
// RUN: filecheck %s --check-prefix=WARNING < %t.err
// WARNING: warning: the learner takes no mean; --partition-gradients changes nothing
// WARNING-NOT: warning

// The learner stays as it is, before its distribution:
// RUN: alpha-opt %s | sed '/^  shard.learner/,/^  }/d' > %t.before
// RUN: alpha-opt %s --partition-gradients 2> %t.err | sed '/^  shard.learner/,/^  }/d' | diff %t.before -

// What is printed reads back to the same, in either form, and is right; a second time changes nothing:
// RUN: alpha-opt %s --partition-gradients -o %t 2> %t.err && alpha-opt %t 2> %t.err | diff %t -
// RUN: alpha-opt %t --print-op-generic | alpha-opt 2> %t.err | diff %t -
// RUN: alpha-opt %t --verify-shards 2> %t.err | diff %t -
// RUN: alpha-opt %t --partition-gradients 2> %t.err | diff %t -

// The map is cyclic, unless the option says another; where something is owned already, it is that one.
// RUN: alpha-opt %examples/least_squares_adam.mlir --partition-gradients="map=block_cyclic<2>" | filecheck %s --check-prefix=BLOCKS
// BLOCKS: deliver owners block_cyclic<2>
// RUN: alpha-opt %examples/least_squares_adam.mlir --partition-gradients="map=[0,4,0,0]" | filecheck %s --check-prefix=SIZES
// SIZES: deliver owners [0, 4, 0, 0]
// RUN: alpha-opt %examples/least_squares_adam.mlir --partition-gradients='map="[empty, stride(1, 2, 2), stride(0, 2, 2), empty]"' | filecheck %s --check-prefix=PIECES
// PIECES: deliver owners [empty, stride(1, 2, 2), stride(0, 2, 2), empty]
// RUN: alpha-opt %examples/least_squares_adam.mlir --partition-optimizer="map=rows<2,block>" --partition-gradients | filecheck %s --check-prefix=SAME
// SAME: deliver owners rows<2, block>
// RUN: not alpha-opt %examples/least_squares_adam.mlir --partition-optimizer="map=block" --partition-gradients="map=cyclic" 2>&1 | filecheck %s --check-prefix=CONFLICT
// CONFLICT: error: [shard-map-conflict] expected block, the map of the fields that are updated together, found cyclic
// RUN: not alpha-opt %examples/least_squares_adam.mlir --partition-gradients="map=[1,1,1]" 2>&1 | filecheck %s --check-prefix=THREE
// THREE: error: [shard-owner-range] expected one size for each owner of the results of @adam, found 3 sizes for 4 owners
// RUN: not alpha-opt %examples/least_squares_adam.mlir --partition-gradients="map=[1,1,1,0]" 2>&1 | filecheck %s --check-prefix=HOLE
// HOLE: error: [shard-coverage-missing] expected an owner for each of 4 coordinates of the results of @adam, found none for coordinate 3
// RUN: not alpha-opt %examples/least_squares_adam.mlir --partition-gradients="map=ring" 2>&1 | filecheck %s --check-prefix=RING
// RING: error: [source-syntax] expected cyclic, block, block_cyclic<B>, rows<W, ...> or a list in brackets, found 'ring'

// What isn't separable isn't partitioned, and the message says why.
// RUN: sed 's/%%c = %%g\[i\]/%%c = %%g[3 - i]/' %s > %t.crossed.mlir
// RUN: not alpha-opt %t.crossed.mlir --partition-gradients 2>&1 | filecheck %s --check-prefix=CROSSED
// CROSSED: error: [pointwise-not-separable] expected new words of @w[0] from words of coordinate [0], shared words and constants, found mean %g[3] through pointwise.map

// Without owners, and without a distribution, it isn't known among whom.
// RUN: sed 's/ attributes {owners.*} {/ {/' %examples/least_squares_sgd.mlir > %t.bare.mlir
// RUN: not alpha-opt %t.bare.mlir --partition-gradients 2>&1 | filecheck %s --check-prefix=NOBODY
// NOBODY: :7:1: error: [shard-owners-undeclared] expected owners: --distribute="owners=N topology=star" before --partition-gradients, found none declared

// Each owner gets the sums of its coordinates and no others; observations still go to role 0, and no
// state lies elsewhere than before.
// CHECK-LABEL: shard.learner @small_adam owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
// CHECK-NEXT:   shard.place @w replicated
// CHECK-NEXT:   shard.place @m replicated
// CHECK-NEXT:   shard.place @q replicated
// CHECK-NEXT:   shard.place @data by [1, 2, 3, 0]
// CHECK-NEXT:   shard.round {
// CHECK-NEXT:     %w, %m, %q, %beta = shard.read @w, @m, @q, @beta : !shard.replica<tensor<4xf64>, +0>, !shard.replica<tensor<4xf64>, +0>, !shard.replica<f64, +0>, !shard.replica<f64, +0>
// CHECK-NEXT:     %0, %1 = shard.contribute @gradient(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>, !shard.contribution<f64, @data, +0>
// CHECK-NEXT:     %sum = shard.combine sum %0 contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<4xf64>, @data, owners cyclic, +0>
// CHECK-NEXT:     %2 = shard.combine sum %1 contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
// CHECK-NEXT:     shard.observe "y" %2 over @data
// CHECK-NEXT:     %g = shard.mean %sum : !shard.owned<tensor<4xf64>, cyclic, +0>
// CHECK-NEXT:     %w_own = shard.partition %w by cyclic : !shard.owned<tensor<4xf64>, cyclic, +0>
// CHECK-NEXT:     %m_own = shard.partition %m by cyclic : !shard.owned<tensor<4xf64>, cyclic, +0>
// CHECK-NEXT:     %w1, %m1, %q1 = shard.update @step(%w_own, %m_own, %q, %g, %beta) : !shard.owned<tensor<4xf64>, cyclic, +1>, !shard.owned<tensor<4xf64>, cyclic, +1>, !shard.replica<f64, +1>
// CHECK-NEXT:     %w1_all = shard.combine select %w1 deliver all : !shard.replica<tensor<4xf64>, +1>
// CHECK-NEXT:     %m1_all = shard.combine select %m1 deliver all : !shard.replica<tensor<4xf64>, +1>
// CHECK-NEXT:     shard.agree %q1
// CHECK-NEXT:     shard.advance @w = %w1_all, @m = %m1_all, @q = %q1
// CHECK-NEXT:   }
// CHECK-NEXT: }
region.learner @small_adam attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.state @m : tensor<4xf64> = dense<0.0>
  region.state @q : f64 = 1.0 {shared}
  region.constant @beta : f64 = 0.5
  region.samples @data[6] : (tensor<4xf64>, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @gradient(%w : tensor<4xf64>) sample(%x : tensor<4xf64>, %y : f64) -> (tensor<4xf64>, observed "y" : f64) {
    %d = pointwise.map over [i : 4] (%a = %w[i], %b = %x[i]) {
      %s = arith.subf %a, %b : f64
      pointwise.yield %s
    } : tensor<4xf64>
    pointwise.return %d, %y
  }
  pointwise.update @step(%w : tensor<4xf64>, %m : tensor<4xf64>, %q : f64, %g : tensor<4xf64>, %beta : f64) -> (tensor<4xf64>, tensor<4xf64>, f64) {
    %q1 = arith.mulf %q, %beta : f64
    %w1, %m1 = pointwise.map over [i : 4] (%a = %w[i], %b = %m[i], %c = %g[i], %d = %q1) {
      %e = arith.mulf %b, %d : f64
      %f = arith.addf %e, %c : f64
      %h = arith.subf %a, %f : f64
      pointwise.yield %h, %f
    } : tensor<4xf64>, tensor<4xf64>
    pointwise.return %w1, %m1, %q1
  }
  region.round {
    %w, %m, %q, %beta = region.read @w, @m, @q, @beta : tensor<4xf64>, tensor<4xf64>, f64, f64
    %sum, %count = pointwise.sum @gradient(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1, %m1, %q1 = pointwise.apply @step(%w, %m, %q, %g, %beta) : tensor<4xf64>, tensor<4xf64>, f64
    region.advance @w = %w1, @m = %m1, @q = %q1
  }
}

// CHECK-LABEL: shard.learner @plain owners #shard.owners<2, pair> {
// CHECK-NEXT:   shard.place @w replicated
// CHECK-NEXT:   shard.place @data by block
// CHECK-NEXT:   shard.round {
// CHECK-NEXT:     %w = shard.read @w : !shard.replica<f64, +0>
// CHECK-NEXT:     %0 = shard.contribute @pull(%w) over @data by block : !shard.contribution<f64, @data, +0>
// CHECK-NEXT:     %sum = shard.combine sum %0 contract #region.contract<groups = [3, 3], combine = left> deliver owners cyclic : !shard.total<f64, @data, owners cyclic, +0>
// CHECK-NEXT:     %g = shard.mean %sum : !shard.owned<f64, cyclic, +0>
// CHECK-NEXT:     %w_own = shard.partition %w by cyclic : !shard.owned<f64, cyclic, +0>
// CHECK-NEXT:     %w1 = shard.update @step(%w_own, %g) : !shard.owned<f64, cyclic, +1>
// CHECK-NEXT:     %w1_all = shard.combine select %w1 deliver all : !shard.replica<f64, +1>
// CHECK-NEXT:     shard.advance @w = %w1_all
// CHECK-NEXT:   }
// CHECK-NEXT: }
region.learner @plain attributes {owners = #shard.owners<2, pair>} {
  region.state @w : f64 = 0.0
  region.samples @data[6] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
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

// A learner without a mean stays replicated.
// CHECK-LABEL: shard.learner @local owners #shard.owners<3, star> {
// CHECK-NEXT:   shard.place @c replicated
// CHECK-NEXT:   shard.place @signals replicated
// CHECK-NEXT:   shard.round {
// CHECK-NEXT:     %c = shard.read @c : !shard.replica<tensor<5xf64>, +0>
// CHECK-NEXT:     %a, %b = shard.read @signals : !shard.replica<tensor<5x3xf64>, +0>, !shard.replica<tensor<5xf64>, +0>
// CHECK-NEXT:     %c1 = shard.update @trace(%c, %a, %b) : !shard.replica<tensor<5xf64>, +1>
// CHECK-NEXT:     shard.agree %c1
// CHECK-NEXT:     shard.advance @c = %c1
// CHECK-NEXT:   }
// CHECK-NEXT: }
region.learner @local attributes {owners = #shard.owners<3, star>} {
  region.state @c : tensor<5xf64> = dense<0.0>
  region.samples @signals[5] : (tensor<3xf64>, f64) = dense<1.0>, dense<2.0>
  pointwise.update @trace(%c : tensor<5xf64>, %a : tensor<5x3xf64>, %b : tensor<5xf64>) -> (tensor<5xf64>) {
    %s = pointwise.fold add left over [i : 5] along [t : 3] (%x = %a[i, t]) {
      pointwise.yield %x
    } : tensor<5xf64>
    %c1 = pointwise.map over [i : 5] (%x = %c[i], %y = %s[i], %z = %b[i]) {
      %p = arith.mulf %y, %z : f64
      %q = arith.addf %x, %p : f64
      pointwise.yield %q
    } : tensor<5xf64>
    pointwise.return %c1
  }
  region.round {
    %c = region.read @c : tensor<5xf64>
    %a, %b = region.read @signals : tensor<5x3xf64>, tensor<5xf64>
    %c1 = pointwise.apply @trace(%c, %a, %b) : tensor<5xf64>
    region.advance @c = %c1
  }
}

// A distribution that is there already is changed; one that isn't is made first.
// CHECK-LABEL: shard.learner @placed owners #shard.owners<2, pair> attributes {note = "kept"} {
// CHECK-NEXT:   shard.place @w replicated
// CHECK-NEXT:   shard.place @m replicated
// CHECK-NEXT:   shard.place @data by [2, 4]
// CHECK-NEXT:   shard.round {
// CHECK-NEXT:     %w, %m = shard.read @w, @m : !shard.replica<f64, +0>, !shard.replica<f64, +0>
// CHECK-NEXT:     %c = shard.contribute @pull(%w) over @data by [2, 4] : !shard.contribution<f64, @data, +0>
// CHECK-NEXT:     %t = shard.combine sum %c contract #region.contract<groups = [2, 4], combine = left> deliver owners cyclic : !shard.total<f64, @data, owners cyclic, +0>
// CHECK-NEXT:     %g = shard.mean %t : !shard.owned<f64, cyclic, +0>
// CHECK-NEXT:     %w_own = shard.partition %w by cyclic : !shard.owned<f64, cyclic, +0>
// CHECK-NEXT:     %m_own = shard.partition %m by cyclic : !shard.owned<f64, cyclic, +0>
// CHECK-NEXT:     %w1, %m1 = shard.update @step(%w_own, %m_own, %g) : !shard.owned<f64, cyclic, +1>, !shard.owned<f64, cyclic, +1>
// CHECK-NEXT:     %w1_all = shard.combine select %w1 deliver all : !shard.replica<f64, +1>
// CHECK-NEXT:     %m1_all = shard.combine select %m1 deliver all : !shard.replica<f64, +1>
// CHECK-NEXT:     shard.advance @w = %w1_all, @m = %m1_all
// CHECK-NEXT:   }
// CHECK-NEXT: }
region.learner @placed {
  region.state @w : f64 = 0.0
  region.state @m : f64 = 1.0
  region.samples @data[6] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %m : f64, %g : f64) -> (f64, f64) {
    %m1 = arith.addf %m, %g : f64
    %w1 = arith.addf %w, %m1 : f64
    pointwise.return %w1, %m1
  }
  region.round {
    %w, %m = region.read @w, @m : f64, f64
    %sum, %count = pointwise.sum @pull(%w) over @data contract #region.contract<groups = [2, 4], combine = left> : f64
    %g = pointwise.mean %sum, %count
    %w1, %m1 = pointwise.apply @step(%w, %m, %g) : f64, f64
    region.advance @w = %w1, @m = %m1
  }
}
shard.learner @placed owners #shard.owners<2, pair> attributes {note = "kept"} {
  shard.place @w replicated
  shard.place @m replicated
  shard.place @data by [2, 4]
  shard.round {
    %w, %m = shard.read @w, @m : !shard.replica<f64, +0>, !shard.replica<f64, +0>
    %c = shard.contribute @pull(%w) over @data by [2, 4] : !shard.contribution<f64, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [2, 4], combine = left> deliver all : !shard.total<f64, @data, all, +0>
    %g = shard.mean %t : !shard.replica<f64, +0>
    %w1, %m1 = shard.update @step(%w, %m, %g) : !shard.replica<f64, +1>, !shard.replica<f64, +1>
    shard.agree %w1, %m1
    shard.advance @w = %w1, @m = %m1
  }
}
