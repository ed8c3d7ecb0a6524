// RUN: alpha-opt %s --distribute | filecheck %s

// The learner stays as it is, before its distribution:
// RUN: alpha-opt %s -o %t.before
// RUN: alpha-opt %s --distribute | sed '/^  shard.learner/,/^  }/d' | diff %t.before -

// What is printed reads back to the same, in either form, and is right:
// RUN: alpha-opt %s --distribute -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %t --print-op-generic | alpha-opt | diff %t -
// RUN: alpha-opt %t --verify-shards | diff %t -

// Options take the place of what is declared; the samples that are declared for as many owners stay.
// RUN: alpha-opt %examples/least_squares_sgd.mlir --distribute="owners=3 topology=tree<1>" 2>&1 | filecheck %s --check-prefix=OWNERS
// OWNERS: :42:5: warning: the bits change: the order of this sum was groups = [1, 2, 3, 0], combine = left, now groups = [2, 2, 2], combine = tree<1>
// OWNERS: region.learner @least_squares_sgd attributes {owners = #shard.owners<3, tree<1>>} {
// OWNERS: pointwise.sum @gradient(%w) over @data contract #region.contract<groups = [2, 2, 2], combine = tree<1>> : tensor<4xf64>
// OWNERS: shard.learner @least_squares_sgd owners #shard.owners<3, tree<1>> {
// OWNERS: shard.place @data by block
// OWNERS: shard.combine sum %0 contract #region.contract<groups = [2, 2, 2], combine = tree<1>> deliver all
// RUN: alpha-opt %examples/least_squares_sgd.mlir --distribute="samples=0,0,1,5" 2>&1 | filecheck %s --check-prefix=SAMPLES
// SAMPLES: warning: the bits change: the order of this sum was groups = [1, 2, 3, 0], combine = left, now groups = [0, 0, 1, 5], combine = left
// SAMPLES: shard.learner @least_squares_sgd owners #shard.owners<4, star, samples = [0, 0, 1, 5]> {
// SAMPLES: shard.place @data by [0, 0, 1, 5]
// RUN: alpha-opt %examples/least_squares_sgd.mlir --distribute="topology=tree<2>" 2>&1 | filecheck %s --check-prefix=TREE
// TREE: warning: the bits change
// TREE: shard.learner @least_squares_sgd owners #shard.owners<4, tree<2>, samples = [1, 2, 3, 0]> {

// No bit changes, and nothing is said, where the options say what is declared, or where the contract is
// written out: with fixed groups the owners are free.
// RUN: alpha-opt %examples/least_squares_sgd.mlir --distribute -o %t.declared
// RUN: alpha-opt %examples/least_squares_sgd.mlir --distribute="owners=4 topology=star samples=1,2,3,0" 2> %t.err | diff %t.declared -
// RUN: diff /dev/null %t.err
// RUN: alpha-opt %examples/least_squares_sgd.mlir --resolve-contract --distribute="owners=2 topology=pair" 2> %t.err | filecheck %s --check-prefix=FREE
// RUN: diff /dev/null %t.err
// FREE: shard.learner @least_squares_sgd owners #shard.owners<2, pair> {
// FREE: shard.place @data by block
// FREE: shard.combine sum %0 contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all

// A learner that declares nothing is distributed among the owners of the options.
// RUN: sed 's/ attributes {owners.*} {/ {/' %examples/least_squares_sgd.mlir > %t.bare.mlir
// RUN: alpha-opt %t.bare.mlir --distribute="owners=2" 2>&1 | filecheck %s --check-prefix=GIVEN
// GIVEN: warning: the bits change: the order of this sum was groups = [6], combine = left, now groups = [3, 3], combine = left
// GIVEN: region.learner @least_squares_sgd attributes {owners = #shard.owners<2, star>} {
// GIVEN: shard.learner @least_squares_sgd owners #shard.owners<2, star> {

// A learner that is distributed already stays so, unless other owners are wanted.
// RUN: alpha-opt %t.declared --distribute 2> %t.err | diff %t.declared -
// RUN: filecheck %s --check-prefix=ALREADY < %t.err
// ALREADY: warning: the learner is distributed already; nothing changes
// RUN: sed 's/ attributes {owners.*} {/ {/' %t.declared > %t.only.mlir
// RUN: alpha-opt %t.only.mlir --distribute 2>&1 | filecheck %s --check-prefix=ALREADY
// RUN: not alpha-opt %t.declared --distribute="owners=3" 2>&1 | filecheck %s --check-prefix=OTHERS
// OTHERS: error: [shard-learner-count] expected a learner that isn't distributed, to distribute it among #shard.owners<3, star>, found #shard.owners<4, star, samples = [1, 2, 3, 0]>
// OTHERS: note: it is distributed here

// What is refused: no owners, owners that can't be, a split that doesn't fit or cuts a group.
// RUN: not alpha-opt %t.bare.mlir --distribute 2>&1 | filecheck %s --check-prefix=NOBODY
// NOBODY: error: [shard-owners-undeclared] expected owners, declared by the learner or by --distribute="owners=N topology=star", found none
// RUN: not alpha-opt %examples/least_squares_sgd.mlir --distribute="owners=0" 2>&1 | filecheck %s --check-prefix=ZERO
// ZERO: error: [shard-owner-range] expected at least 1 owner, found 0
// RUN: not alpha-opt %examples/least_squares_sgd.mlir --distribute="owners=3 topology=pair" 2>&1 | filecheck %s --check-prefix=PAIR
// PAIR: error: [shard-owner-range] expected 2 owners in a pair, found 3
// RUN: not alpha-opt %examples/least_squares_sgd.mlir --distribute="topology=ring" 2>&1 | filecheck %s --check-prefix=RING
// RING: error: [source-syntax] expected pair, star or tree<F>, found ring
// RUN: not alpha-opt %examples/least_squares_sgd.mlir --distribute="topology=tree<0>" 2>&1 | filecheck %s --check-prefix=FAN-OUT
// FAN-OUT: error: [region-tree-fan-out] expected a fan-out from 1 to 16777216 in tree<F>, found 0
// RUN: not alpha-opt %examples/least_squares_sgd.mlir --distribute="samples=1,2,3" 2>&1 | filecheck %s --check-prefix=THREE
// THREE: error: [shard-owner-range] expected 4 numbers of samples, one an owner, found 3
// RUN: not alpha-opt %examples/least_squares_sgd.mlir --distribute="samples=1,2,3,4" 2>&1 | filecheck %s --check-prefix=TEN
// TEN: :42:5: error: [region-contract-groups] expected owners' samples that add up to 6, found 10
// RUN: not alpha-opt %examples/least_squares_sgd.mlir --resolve-contract --distribute="samples=1,1,4,0" 2>&1 | filecheck %s --check-prefix=CUT
// CUT: :42:5: error: [region-contract-groups] expected owners with whole groups of groups = [1, 2, 3, 0], combine = left, found owner 1 ends at sample 2, inside a group

// Every owner keeps all state and sums over its own samples; the round is the learner's, operation by
// operation. What all owners compute is compared before the version advances.
// CHECK-LABEL: shard.learner @momentum owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
// CHECK-NEXT:   shard.place @w replicated
// CHECK-NEXT:   shard.place @u replicated
// CHECK-NEXT:   shard.place @data by [1, 2, 3, 0]
// CHECK-NEXT:   shard.round {
// CHECK-NEXT:     %w, %u, %mu = shard.read @w, @u, @mu : !shard.replica<tensor<4xf64>, +0>, !shard.replica<tensor<4xf64>, +0>, !shard.replica<f64, +0>
// CHECK-NEXT:     %0, %1 = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>, !shard.contribution<f64, @data, +0>
// CHECK-NEXT:     %sum = shard.combine sum %0 contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all : !shard.total<tensor<4xf64>, @data, all, +0>
// CHECK-NEXT:     %2 = shard.combine sum %1 contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
// CHECK-NEXT:     shard.observe "loss" %2 over @data
// CHECK-NEXT:     %g = shard.mean %sum : !shard.replica<tensor<4xf64>, +0>
// CHECK-NEXT:     %w1, %u1 = shard.update @step(%w, %u, %g, %mu) : !shard.replica<tensor<4xf64>, +1>, !shard.replica<tensor<4xf64>, +1>
// CHECK-NEXT:     shard.agree %w1, %u1
// CHECK-NEXT:     shard.advance @w = %w1, @u = %u1
// CHECK-NEXT:   }
// CHECK-NEXT: }
region.learner @momentum attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.state @u : tensor<4xf64> = dense<0.0>
  region.constant @mu : f64 = 0.9
  region.samples @data[6] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>, observed "loss" : f64) {
    %l = arith.constant 1.0 : f64
    pointwise.return %x, %l
  }
  pointwise.update @step(%w : tensor<4xf64>, %u : tensor<4xf64>, %g : tensor<4xf64>, %mu : f64) -> (tensor<4xf64>, tensor<4xf64>) {
    pointwise.return %u, %g
  }
  region.round {
    %w, %u, %mu = region.read @w, @u, @mu : tensor<4xf64>, tensor<4xf64>, f64
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1, %u1 = pointwise.apply @step(%w, %u, %g, %mu) : tensor<4xf64>, tensor<4xf64>
    region.advance @w = %w1, @u = %u1
  }
}

// Where no split is declared, the samples are dealt as evenly as they go; a tree combines by itself.
// CHECK-LABEL: shard.learner @tree owners #shard.owners<4, tree<2>> {
// CHECK-NEXT:   shard.place @w replicated
// CHECK-NEXT:   shard.place @data by block
// CHECK-NEXT:   shard.round {
// CHECK-NEXT:     %w = shard.read @w : !shard.replica<f64, +0>
// CHECK-NEXT:     %0 = shard.contribute @pull(%w) over @data by block : !shard.contribution<f64, @data, +0>
// CHECK-NEXT:     %sum = shard.combine sum %0 contract #region.contract<groups = [2, 2, 1, 1], combine = tree<2>> deliver all : !shard.total<f64, @data, all, +0>
// CHECK-NEXT:     %g = shard.mean %sum : !shard.replica<f64, +0>
// CHECK-NEXT:     %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
// CHECK-NEXT:     shard.agree %w1
// CHECK-NEXT:     shard.advance @w = %w1
// CHECK-NEXT:   }
// CHECK-NEXT: }
region.learner @tree attributes {owners = #shard.owners<4, tree<2>>} {
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

// A contract that is written stays: owners get whole groups of it, and the bits are those of one owner.
// CHECK-LABEL: shard.learner @written owners #shard.owners<2, pair> {
// CHECK-NEXT:   shard.place @w replicated
// CHECK-NEXT:   shard.place @data by [2, 4]
// CHECK-NEXT:   shard.round {
// CHECK-NEXT:     %w = shard.read @w : !shard.replica<f64, +0>
// CHECK-NEXT:     %0 = shard.contribute @pull(%w) over @data by [2, 4] : !shard.contribution<f64, @data, +0>
// CHECK-NEXT:     %sum = shard.combine sum %0 contract #region.contract<groups = [1, 1, 4], combine = tree<2>> deliver all : !shard.total<f64, @data, all, +0>
// CHECK-NEXT:     %g = shard.mean %sum : !shard.replica<f64, +0>
// CHECK-NEXT:     %w1 = shard.update @step(%w, %g) : !shard.replica<f64, +1>
// CHECK-NEXT:     shard.agree %w1
// CHECK-NEXT:     shard.advance @w = %w1
// CHECK-NEXT:   }
// CHECK-NEXT: }
region.learner @written attributes {owners = #shard.owners<2, pair>} {
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
    %sum, %count = pointwise.sum @pull(%w) over @data contract #region.contract<groups = [1, 1, 4], combine = tree<2>> : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// Samples that an update reads are with every owner, also where they are summed too; states that
// don't advance are placed as the others.
// CHECK-LABEL: shard.learner @local owners #shard.owners<3, star> {
// CHECK-NEXT:   shard.place @c replicated
// CHECK-NEXT:   shard.place @still replicated
// CHECK-NEXT:   shard.place @signals replicated
// CHECK-NEXT:   shard.round {
// CHECK-NEXT:     %c = shard.read @c : !shard.replica<tensor<5xf64>, +0>
// CHECK-NEXT:     %a, %b = shard.read @signals : !shard.replica<tensor<5x3xf64>, +0>, !shard.replica<tensor<5xf64>, +0>
// CHECK-NEXT:     %0 = shard.contribute @watch() over @signals by block : !shard.contribution<f64, @signals, +0>
// CHECK-NEXT:     %1 = shard.combine sum %0 contract #region.contract<groups = [2, 2, 1], combine = left> deliver role 0 : !shard.total<f64, @signals, role 0, +0>
// CHECK-NEXT:     shard.observe "b" %1 over @signals
// CHECK-NEXT:     %c1 = shard.update @keep(%c, %a, %b) : !shard.replica<tensor<5xf64>, +1>
// CHECK-NEXT:     shard.agree %c1
// CHECK-NEXT:     shard.advance @c = %c1
// CHECK-NEXT:   }
// CHECK-NEXT: }
region.learner @local attributes {owners = #shard.owners<3, star>} {
  region.state @c : tensor<5xf64> = dense<0.0>
  region.state @still : f64 = 1.0
  region.samples @signals[5] : (tensor<3xf64>, f64) = dense<1.0>, dense<2.0>
  pointwise.contribution @watch() sample(%a : tensor<3xf64>, %b : f64) -> (observed "b" : f64) {
    pointwise.return %b
  }
  pointwise.update @keep(%c : tensor<5xf64>, %a : tensor<5x3xf64>, %b : tensor<5xf64>) -> (tensor<5xf64>) {
    pointwise.return %b
  }
  region.round {
    %c = region.read @c : tensor<5xf64>
    %a, %b = region.read @signals : tensor<5x3xf64>, tensor<5xf64>
    %n = pointwise.sum @watch() over @signals
    %c1 = pointwise.apply @keep(%c, %a, %b) : tensor<5xf64>
    region.advance @c = %c1
  }
}

// What one owner alone computes is compared as well: the round is the same for every number of owners.
// CHECK-LABEL: shard.learner @alone owners #shard.owners<1, star> {
// CHECK-NEXT:   shard.place @w replicated
// CHECK-NEXT:   shard.round {
// CHECK-NEXT:     %w = shard.read @w : !shard.replica<f64, +0>
// CHECK-NEXT:     %w1 = shard.update @keep(%w) : !shard.replica<f64, +1>
// CHECK-NEXT:     shard.agree %w1
// CHECK-NEXT:     shard.advance @w = %w1
// CHECK-NEXT:   }
// CHECK-NEXT: }
region.learner @alone attributes {owners = #shard.owners<1, star>} {
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
