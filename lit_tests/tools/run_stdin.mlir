// A learner from standard input gives what it gives from a file.
// RUN: alpha run %s --interpret --rounds 3 > %t.file
// RUN: alpha run - --interpret --rounds 3 < %s | diff %t.file -
// RUN: alpha-opt %s | alpha run - --interpret --rounds 3 | diff %t.file -
// RUN: alpha-opt %s --print-op-generic | alpha run - --interpret --rounds 3 | diff %t.file -
// RUN: filecheck %s < %t.file
// CHECK: {{^}}state sha256:93672a2bbff86ccfaf55a7d57f4115de298ffa9cac1efb6af76b6187463898fc

region.learner @geometric {
  region.state @w : f64 = 1.0
  pointwise.update @halve(%w : f64) -> (f64) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @halve(%w) : f64
    region.advance @w = %w1
  }
}
