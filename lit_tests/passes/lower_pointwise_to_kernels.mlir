// RUN: alpha-opt --lower-pointwise-to-kernels --split-input-file %s | filecheck %s
// RUN: not alpha-opt --lower-pointwise-to-kernels %S/Inputs/two_programs.mlir 2>&1 | filecheck %s --check-prefix=NAMES
// RUN: not alpha-opt --lower-pointwise-to-kernels %S/Inputs/many_lanes.mlir 2>&1 | filecheck %s --check-prefix=LANES
// RUN: sed 's/lanes<2048>/lanes<1024>/' %S/Inputs/many_lanes.mlir | alpha-opt --lower-pointwise-to-kernels | filecheck %s --check-prefix=FEWER
// RUN: alpha-opt %examples/least_squares_sgd.mlir --distribute="owners=2" --lower-pointwise-to-kernels | filecheck %s --check-prefix=SHARD

// NAMES: two_programs.mlir:4:3: error: [region-identity] expected programs and functions of different names, found two of @same
// NAMES: two_programs.mlir:1:1: note: the first is here

// LANES: many_lanes.mlir:3:3: error: [target-unsupported] expected a fold in at most 1024 lanes, as many as a block has threads, found 2048
// FEWER: lanes = 1024 : i64
// FEWER: memref.alloca() {{.*}} : memref<1024xf64, "workgroup">

// Who does what isn't among what programs do.
// SHARD: builtin.module {
// SHARD-NEXT: func.func @
// SHARD-NOT: shard.
// SHARD-NOT: region.

// Two points at once where memory allows it, then one: each thread takes every so many. What is
// shared is computed by every thread; where it is stored, one thread does it at the end.
// CHECK-LABEL: func.func @step(%w: memref<?xf64>, %g: memref<?xf64>, %r: memref<f64>, %w1: memref<?xf64>, %0: i64, %1: i64)
// CHECK-SAME: arguments = ["input 0 %w : n0xf64", "input 1 %g : n0xf64", "input 2 %r : f64", "result 0 %w1 : n0xf64", "extent 0", "wide 2"]
// CHECK: [[R:%.+]] = memref.load %r[]
// CHECK: [[H:%.+]] = arith.mulf [[R]]
// CHECK: scf.for
// CHECK: vector.load %w
// CHECK: vector.load %g
// CHECK: arith.mulf [[H]]
// CHECK: vector.store {{.*}}, %w1
// CHECK: } {{.*}}parallel
// CHECK: scf.for [[I:%.+]] =
// CHECK-NEXT: memref.load %w{{\[}}[[I]]]
// CHECK: memref.store {{.*}}, %w1{{\[}}[[I]]]
// CHECK: func.return
// CHECK-LABEL: func.func @step$1(%r: memref<f64>, %h: memref<f64>)
// CHECK: scf.for
// CHECK-NEXT: memref.load %r[]
// CHECK: memref.store {{.*}}, %h[]
pointwise.update @step(%w : tensor<9xf64>, %g : tensor<9xf64>, %r : f64) -> (tensor<9xf64>, f64) {
  %half = arith.constant 0.5 : f64
  %h = arith.mulf %r, %half : f64
  %w1 = pointwise.map over [i : 9] (%x = %w[i], %y = %g[i], %s = %h) {
    %t = arith.mulf %s, %y : f64
    %x1 = arith.subf %x, %t : f64
    pointwise.yield %x1
  } : tensor<9xf64>
  pointwise.return %w1, %h
}

// -----

// Words that other threads read are stored when all of them have: behind the last kernel that reads.
// CHECK-LABEL: func.func @turn(%w: memref<4xf32>, %w1: memref<4xf32>)
// CHECK-SAME: "buffer 0 %w1 : 4xf32"
// CHECK-LABEL: func.func @turn$1
// CHECK-SAME: arguments = ["result 0 %w1 : 4xf32", "buffer 0 %w1 : 4xf32", "wide 4"]
pointwise.update @turn(%w : tensor<4xf32>) -> (tensor<4xf32>) {
  %w1 = pointwise.map over [i : 4] (%x = %w[3 - i]) {
    pointwise.yield %x
  } : tensor<4xf32>
  pointwise.return %w1
}

// -----

// A contribution: what a sample gives by one thread, then each word's sum in the samples' order.
// The addends of the gradient are computed where they are added.
// CHECK-LABEL: func.func @gradient(%w: memref<5xf64>, %x: memref<?x5xf64>, %r: memref<?xf64>, %0: i64)
// CHECK-SAME: points = [-1 : i64]
// CHECK: scf.for [[S:%.+]] =
// CHECK: scf.for {{.*}} iter_args
// CHECK: memref.store {{.*}}, %r{{\[}}[[S]]]
// CHECK-LABEL: func.func @gradient$1(%x: memref<?x5xf64>, %g: memref<5xf64>, %r: memref<?xf64>, %0: i64)
// CHECK-SAME: points = [5 : i64]
// CHECK: scf.for [[I:%.+]] =
// CHECK: scf.for [[S:%.+]] = {{.*}} iter_args
// CHECK: memref.load %x{{\[}}[[S]], [[I]]]
// CHECK: memref.load %r{{\[}}[[S]]]
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: memref.store {{.*}}, %g{{\[}}[[I]]]
pointwise.contribution @gradient(%w : tensor<5xf64>) sample(%x : tensor<5xf64>) -> (tensor<5xf64>) {
  %r = pointwise.fold add left along [k : 5] (%a = %w[k], %b = %x[k]) {
    %ab = arith.mulf %a, %b : f64
    pointwise.yield %ab
  } : f64
  %g = pointwise.map over [i : 5] (%xi = %x[i], %ri = %r) {
    %gi = arith.mulf %ri, %xi : f64
    pointwise.yield %gi
  } : tensor<5xf64>
  pointwise.return %g
}

// -----

// Eight threads for each sample, which hand their words on from lane to lane.
// CHECK-LABEL: func.func @lanes(
// CHECK-SAME: points = [-1 : i64], threads = 256 : i64, lanes = 8 : i64
// CHECK: gpu.shuffle down %{{.+}}, 4 width 32
// CHECK: gpu.shuffle down %{{.+}}, 2 width 32
// CHECK: gpu.shuffle down %{{.+}}, 1 width 32
// CHECK-NOT: gpu.shuffle
// CHECK-LABEL: func.func @lanes$1(
pointwise.contribution @lanes() sample(%x : tensor<20xf64>) -> (f64) {
  %s = pointwise.fold add lanes<8> along [k : 20] (%a = %x[k]) {
    pointwise.yield %a
  } : f64
  pointwise.return %s
}

// -----

// Beyond a warp, through memory that the threads of a block share, between two barriers.
// CHECK-LABEL: func.func @block(
// CHECK-SAME: lanes = 64 : i64
// CHECK: memref.alloca() {{.*}} : memref<256xf32, "workgroup">
// CHECK: memref.store {{.*}} : memref<256xf32, "workgroup">
// CHECK-NEXT: "gpu.barrier"()
// CHECK: memref.load {{.*}} : memref<256xf32, "workgroup">
// CHECK-NEXT: "gpu.barrier"()
// CHECK: gpu.shuffle down %{{.+}}, 16 width 32
pointwise.contribution @block() sample(%x : tensor<70xf32>) -> (f32) {
  %s = pointwise.fold add lanes<64> along [k : 70] (%a = %x[k]) {
    pointwise.yield %a
  } : f32
  pointwise.return %s
}

// -----

// Each level of many pairs is a kernel: 33, 17, 9, 5, 3 and 2 words, then one.
// CHECK: points = [-1 : i64, 17 : i64]
// CHECK: points = [-1 : i64, 9 : i64]
// CHECK: points = [-1 : i64, 5 : i64]
// CHECK: points = [-1 : i64, 3 : i64]
// CHECK: points = [-1 : i64, 2 : i64]
// CHECK: points = [-1 : i64, 1 : i64]
// CHECK: func.func @pairs$6
pointwise.contribution @pairs() sample(%x : tensor<33xf64>) -> (f64) {
  %s = pointwise.fold add pairs along [k : 33] (%a = %x[k]) {
    pointwise.yield %a
  } : f64
  pointwise.return %s
}

// -----

// Results of one shape that are only handed on are stored by one kernel, when it has read them all:
// each may lie where the input is that another one is made of.
// CHECK-LABEL: func.func @swapped(
// CHECK: [[B:%[^ ]+]] = memref.load %b[]
// CHECK: [[A:%[^ ]+]] = memref.load %a[]
// CHECK: memref.store [[B]],
// CHECK: memref.store [[A]],
// CHECK-LABEL: func.func @swapped$1(
// CHECK-NOT: func.func
pointwise.update @swapped(%a : f32, %v : tensor<3xf32>, %b : f32) -> (f32, tensor<3xf32>, f32) {
  pointwise.return %b, %v, %a
}
