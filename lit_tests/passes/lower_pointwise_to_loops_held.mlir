// RUN: alpha-opt --lower-pointwise-to-loops="registers=32 bits=512" --split-input-file %s | filecheck %s
// RUN: alpha-opt --lower-pointwise-to-loops="registers=0 bits=512" --split-input-file %s | filecheck %s --check-prefix=UNKNOWN
// RUN: not alpha-opt --lower-pointwise-to-loops="registers=32 bits=100" --split-input-file %s 2>&1 | filecheck %s --check-prefix=BITS
// RUN: not alpha-opt --lower-pointwise-to-loops="registers=32" --split-input-file %s 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not alpha-opt --lower-pointwise-to-loops="bits=7" --split-input-file %s 2>&1 | filecheck %s --check-prefix=ALONE
// RUN: not alpha-opt --lower-pointwise-to-loops="registers=0 bits=1024" --split-input-file %s 2>&1 | filecheck %s --check-prefix=WIDE

// BITS: [target-unsupported] expected registers of 64, 128, 256, 512 bits, found 32 of 100
// NONE: [target-unsupported] expected registers of 64, 128, 256, 512 bits, found 32 of 0
// ALONE: [target-unsupported] expected registers of 64, 128, 256, 512 bits, found 0 of 7
// WIDE: [target-unsupported] expected registers of 64, 128, 256, 512 bits, found 0 of 1024

// Rows of two samples stay in registers from the fold to the products, and the sums all the time.
// CHECK-LABEL: func.func @held
// CHECK: [[ZERO:%.*]] = arith.constant {{.*}} dense<-0.000000e+00> : vector<8xf64>
// CHECK: %a = vector.load %w
// CHECK: [[SOME:%.*]] = arith.cmpi slt
// CHECK: [[SECOND:%.*]] = arith.select [[SOME]]
// The first two samples, up to what their sums get.
// CHECK: [[ROW:%.*]], {{%.*}}, {{%.*}}, {{%.*}} = scf.for {{%.*}} = {{%.*}} to [[SECOND]]
// CHECK-COUNT-2: vector.load %x
// CHECK-COUNT-2: arith.subf
// CHECK: scf.yield
// Sums of two samples beside the loads of the next two.
// CHECK: scf.for {{%.*}} = [[SECOND]] to {{.*}} iter_args([[G:%.*]] = [[ZERO]], [[B:%.*]] = [[ROW]]
// CHECK: [[R:%.*]] = vector.broadcast
// CHECK: [[P:%.*]] = arith.mulf [[R]], [[B]]
// CHECK: vector.load %x
// CHECK: [[S:%.*]] = arith.addf [[G]], [[P]]
// CHECK-NEXT: arith.addf [[S]]
// CHECK-NOT: vector.store
// The last two of whole pairs, then the sample that may be left.
// CHECK: scf.for {{%.*}} = {{%.*}} to [[SECOND]]
// CHECK-NOT: vector.load
// CHECK: scf.for %s =
// CHECK: vector.load %x
// CHECK: scf.yield
// CHECK: vector.store {{.*}}, %g
// CHECK-NEXT: func.return
// UNKNOWN-LABEL: func.func @held
// UNKNOWN: memref.store {{.*}}, %g
// UNKNOWN-NOT: iter_args
// UNKNOWN: memref.store {{.*}}, %g
pointwise.contribution @held(%w : tensor<8xf64>) sample(%x : tensor<8xf64>, %y : f64) -> (tensor<8xf64>) {
  %p = pointwise.fold add lanes<8> along [k : 8] (%a = %w[k], %b = %x[k]) {
    %ab = arith.mulf %a, %b : f64
    pointwise.yield %ab
  } : f64
  %r = arith.subf %p, %y : f64
  %g = pointwise.map over [i : 8] (%xi = %x[i], %ri = %r) {
    %gi = arith.mulf %ri, %xi : f64
    pointwise.yield %gi
  } : tensor<8xf64>
  pointwise.return %g
}

// -----

// Rows that don't fit are read again, long ones from their ends.
// CHECK-LABEL: func.func @long
// CHECK: scf.for %s
// CHECK: } {origin = "long: %g = pointwise.map", parallel, backwards}
// UNKNOWN-LABEL: func.func @long
// UNKNOWN-NOT: backwards
pointwise.contribution @long(%w : tensor<1100xf64>) sample(%x : tensor<1100xf64>) -> (tensor<1100xf64>) {
  %p = pointwise.fold add lanes<8> along [k : 1100] (%a = %w[k], %b = %x[k]) {
    %ab = arith.mulf %a, %b : f64
    pointwise.yield %ab
  } : f64
  %g = pointwise.map over [i : 1100] (%xi = %x[i], %pi = %p) {
    %gi = arith.mulf %pi, %xi : f64
    pointwise.yield %gi
  } : tensor<1100xf64>
  pointwise.return %g
}

// -----

// Rows of moderate length: the map over one sample's row and the fold of the next are one loop.
// CHECK-LABEL: func.func @fused
// CHECK: [[SECOND:%.*]] = arith.select
// CHECK: [[P:%.*]] = scf.for {{%.*}} = {{%.*}} to [[SECOND]]
// CHECK: scf.for
// CHECK: scf.for [[S:%.*]] = [[SECOND]] to {{.*}} iter_args([[Q:%.*]] = [[P]])
// CHECK: [[BEFORE:%.*]] = arith.addi [[S]]
// CHECK: vector.broadcast [[Q]]
// CHECK: scf.for
// CHECK: vector.load %x{{\[}}[[BEFORE]],
// CHECK: vector.store {{.*}}, %g
// CHECK: vector.load %w
// CHECK: vector.load %x{{\[}}[[S]],
// CHECK: [[LAST:%.*]] = arith.subi {{%.*}}, [[SECOND]]
// CHECK: scf.for {{%.*}} = [[LAST]] to
// UNKNOWN-LABEL: func.func @fused
// UNKNOWN-NOT: arith.select
pointwise.contribution @fused(%w : tensor<1000xf64>) sample(%x : tensor<1000xf64>) -> (tensor<1000xf64>) {
  %p = pointwise.fold add lanes<8> along [k : 1000] (%a = %w[k], %b = %x[k]) {
    %ab = arith.mulf %a, %b : f64
    pointwise.yield %ab
  } : f64
  %g = pointwise.map over [i : 1000] (%xi = %x[i], %pi = %p) {
    %gi = arith.mulf %pi, %xi : f64
    pointwise.yield %gi
  } : tensor<1000xf64>
  pointwise.return %g
}
