// RUN: alpha-opt --lower-pointwise-to-loops="samples=2" --split-input-file %s | filecheck %s
// RUN: not alpha-opt --lower-pointwise-to-loops %S/Inputs/two_programs.mlir 2>&1 | filecheck %s --check-prefix=NAMES
// RUN: not alpha-opt --lower-pointwise-to-loops="samples=0" --split-input-file %s 2>&1 | filecheck %s --check-prefix=SAMPLES
// RUN: not alpha-opt --lower-pointwise-to-loops %S/Inputs/buffer_name.mlir 2>&1 | filecheck %s --check-prefix=BUFFER
// RUN: sed 's/grad.buffer0/grad.buffer9/' %S/Inputs/buffer_name.mlir | alpha-opt --lower-pointwise-to-loops | filecheck %s --check-prefix=OTHER
// RUN: alpha-opt %examples/least_squares_sgd.mlir --distribute="owners=2" --lower-shard-to-protocol="rounds=2" --lower-pointwise-to-loops | filecheck %s --check-prefix=PROTOCOL
// RUN: alpha-opt %examples/least_squares_sgd.mlir --distribute="owners=2" --lower-shard-to-protocol="rounds=2" --project-role="role=1" --lower-pointwise-to-loops | filecheck %s --check-prefix=PROTOCOL

// BUFFER: buffer_name.mlir:15:1: error: [region-identity] expected globals of other names than the buffers of programs, found @grad.buffer0
// OTHER: sym_name = "grad.buffer0"
// OTHER: sym_name = "grad.buffer9"

// Who does what isn't among what programs do.
// PROTOCOL: builtin.module {
// PROTOCOL-NEXT: func.func @
// PROTOCOL-NOT: protocol.
// PROTOCOL-NOT: region.

// NAMES: two_programs.mlir:4:3: error: [region-identity] expected programs and functions of different names, found two of @same
// NAMES: two_programs.mlir:1:1: note: the first is here

// SAMPLES: [target-unsupported] expected 1 to 16 samples in flight, found 0

// One loop over as many coordinates as the caller has; what is shared is computed before it.
// CHECK-LABEL: func.func @step(%w: memref<?xf64>, %g: memref<?xf64>, %r: memref<f64>, %w1: memref<?xf64>, %n: i64) attributes {extents = ["coordinates of 9"]}
// CHECK: [[R:%.*]] = memref.load %r[]
// CHECK: [[H:%.*]] = arith.mulf
// CHECK: scf.for [[I:%.*]] =
// CHECK-NEXT: memref.load %w{{\[}}[[I]]] {origin = "step: %w1 = pointwise.map"}
// CHECK-NEXT: memref.load %g{{\[}}[[I]]]
// CHECK-NEXT: arith.mulf [[H]]
// CHECK-NEXT: arith.subf {{.*}} {origin = "step: %x1 = arith.subf"}
// CHECK-NEXT: memref.store {{.*}}, %w1{{\[}}[[I]]]
// CHECK-NEXT: } {origin = "step: %w1 = pointwise.map", parallel}
// CHECK-NEXT: func.return
pointwise.update @step(%w : tensor<9xf64>, %g : tensor<9xf64>, %r : f64) -> (tensor<9xf64>) {
  %half = arith.constant 0.5 : f64
  %h = arith.mulf %r, %half : f64
  %w1 = pointwise.map over [i : 9] (%x = %w[i], %y = %g[i], %s = %h) {
    %t = arith.mulf %s, %y : f64
    %x1 = arith.subf %x, %t : f64
    pointwise.yield %x1
  } : tensor<9xf64>
  pointwise.return %w1
}

// -----

// A domain that isn't separable has its shape, and is stored when all of it was read.
// CHECK-LABEL: func.func @turn(%w: memref<4xf64>, %w1: memref<4xf64>, %n: i64) attributes {extents = ["4, not read"]}
// CHECK: [[B:%.*]] = memref.alloca() {origin = "turn: memory of %w1"} : memref<4xf64>
// CHECK: scf.for
// CHECK: memref.load %w
// CHECK: memref.store {{.*}}, [[B]]
// CHECK: } {origin = "turn: %w1 = pointwise.map", parallel}
// CHECK: scf.for
// CHECK: memref.load [[B]]
// CHECK: memref.store {{.*}}, %w1
pointwise.update @turn(%w : tensor<4xf64>) -> (tensor<4xf64>) {
  %w1 = pointwise.map over [i : 4] (%x = %w[3 - i]) {
    pointwise.yield %x
  } : tensor<4xf64>
  pointwise.return %w1
}

// -----

// Two samples at once, then the rest one by one; lanes are vectors, the rest of them is masked.
// CHECK-LABEL: func.func @sum(%w: memref<7xf32>, %x: memref<?x7xf32>, %p: memref<f32>, %n: i64) attributes {learner = "l", extents = ["samples"]}
// CHECK: memref.store {{.*}}, %p[]
// CHECK: scf.for [[S:%.*]] =
// CHECK: [[T:%.*]] = arith.addi [[S]]
// CHECK: vector.load %x{{\[}}[[S]], {{.*}} vector<4xf32>
// CHECK: vector.load %x{{\[}}[[T]]
// CHECK: vector.maskedload %x{{\[}}[[S]]
// CHECK: arith.select {{.*}} : vector<4xi1>, vector<4xf32>
// CHECK: vector.shuffle {{.*}} [0, 1]
// CHECK: vector.extract
// CHECK: [[A:%.*]] = memref.load %p[]
// CHECK-NEXT: [[B:%.*]] = arith.addf [[A]]
// CHECK-NEXT: [[C:%.*]] = arith.addf [[B]]
// CHECK-NEXT: memref.store [[C]], %p[]
// CHECK: scf.for
// CHECK: memref.load %p[]
// CHECK: func.func @add(%w: memref<?xf32>, %m: memref<f32>, %w1: memref<?xf32>, %n: i64) attributes {learner = "l"
// CHECK-NOT: region.learner
region.learner @l {
  region.state @w : tensor<7xf32> = dense<0.0>
  region.samples @data[2] : (tensor<7xf32>) = dense<1.0>
  pointwise.contribution @sum(%w : tensor<7xf32>) sample(%x : tensor<7xf32>) -> (f32) {
    %p = pointwise.fold add lanes<4> along [k : 7] (%a = %w[k], %b = %x[k]) {
      %ab = arith.mulf %a, %b : f32
      pointwise.yield %ab
    } : f32
    pointwise.return %p
  }
  pointwise.update @add(%w : tensor<7xf32>, %m : f32) -> (tensor<7xf32>) {
    %w1 = pointwise.map over [i : 7] (%x = %w[i], %y = %m) {
      %z = arith.addf %x, %y : f32
      pointwise.yield %z
    } : tensor<7xf32>
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : tensor<7xf32>
    %s, %c = pointwise.sum @sum(%w) over @data : f32
    %m = pointwise.mean %s, %c
    %w1 = pointwise.apply @add(%w, %m) : tensor<7xf32>
    region.advance @w = %w1
  }
}

// -----

// Other functions, and a module without programs, are left alone.
// CHECK-LABEL: func.func @f(%x: f64) -> f64 {
// CHECK-NEXT: func.return %x : f64
func.func @f(%x : f64) -> f64 {
  func.return %x : f64
}
