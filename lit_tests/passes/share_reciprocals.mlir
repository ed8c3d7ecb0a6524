// RUN: alpha-opt --lower-pointwise-to-kernels --share-reciprocals --split-input-file %s | filecheck %s
// RUN: alpha-opt --lower-pointwise-to-loops --share-reciprocals --split-input-file %s | filecheck %s --check-prefix=LOOPS

// By what doesn't vary: the reciprocal and what it lacks stand before the loop; the quotient is the
// division itself where a word is too large or too small.
// CHECK-LABEL: func.func @scaled(
// CHECK: [[C:%[^ ,]+]] = memref.load %c[]
// CHECK: [[N:%[^ ,]+]] = arith.negf [[C]]
// CHECK: [[H:%[^ ,]+]] = arith.divf %{{.+}}, [[C]]
// CHECK: [[T:%[^ ,]+]] = math.fma [[H]], [[N]], %{{.+}}
// CHECK: [[L:%[^ ,]+]] = arith.mulf [[T]], [[H]]
// CHECK: [[M:%[^ ,]+]] = arith.cmpi ult, %{{.+}}, %{{.+}}
// CHECK: scf.for
// CHECK: [[B:%[^ ,]+]] = arith.bitcast [[X:%[^ ,]+]] {{.*}}: f64 to i64
// CHECK: [[F:%[^ ,]+]] = arith.andi [[M]], %{{.+}} : i1
// CHECK: scf.if [[F]] -> (f64) {
// CHECK-NEXT: [[P:%[^ ,]+]] = arith.mulf [[X]], [[L]]
// CHECK-NEXT: [[Q:%[^ ,]+]] = math.fma [[X]], [[H]], [[P]]
// CHECK-NEXT: [[R:%[^ ,]+]] = math.fma [[Q]], [[N]], [[X]]
// CHECK-NEXT: [[S:%[^ ,]+]] = math.fma [[R]], [[H]], [[Q]]
// CHECK-NEXT: scf.yield [[S]]
// CHECK-NEXT: } else {
// CHECK-NEXT: [[D:%[^ ,]+]] = arith.divf [[X]], [[C]]
// CHECK-NEXT: scf.yield [[D]]

// Functions that are no kernels divide as before.
// LOOPS-LABEL: func.func @scaled(
// LOOPS-NOT: scf.if
// LOOPS-LABEL: func.func @each(
pointwise.update @scaled(%w : tensor<9xf64>, %c : f64) -> (tensor<9xf64>) {
  %w1 = pointwise.map over [i : 9] (%x = %w[i], %d = %c) {
    %q = arith.divf %x, %d : f64
    pointwise.yield %q
  } : tensor<9xf64>
  pointwise.return %w1
}

// -----

// By what varies with the point, and in f32, a division stays one.
// CHECK-LABEL: func.func @each(
// CHECK-NOT: scf.if
// CHECK: arith.divf
// CHECK-NOT: scf.if
// CHECK-LABEL: func.func @narrow(
// CHECK-NOT: scf.if
// CHECK: arith.divf
// CHECK-NOT: scf.if
pointwise.update @each(%w : tensor<9xf64>, %v : tensor<9xf64>) -> (tensor<9xf64>) {
  %w1 = pointwise.map over [i : 9] (%x = %w[i], %d = %v[i]) {
    %q = arith.divf %x, %d : f64
    pointwise.yield %q
  } : tensor<9xf64>
  pointwise.return %w1
}
pointwise.update @narrow(%w : tensor<9xf32>, %c : f32) -> (tensor<9xf32>) {
  %w1 = pointwise.map over [i : 9] (%x = %w[i], %d = %c) {
    %q = arith.divf %x, %d : f32
    pointwise.yield %q
  } : tensor<9xf32>
  pointwise.return %w1
}
