// A table without rows isn't printed.
// RUN: alpha inspect %s | filecheck %s
// CHECK:      {{^}}learner small
// CHECK-NOT:  {{^}}constants
// CHECK-NOT:  {{^}}samples
// CHECK-NOT:  {{^}}sums
// CHECK:      {{^}}separable

// From standard input, and from either form.
// RUN: alpha inspect %s > %t
// RUN: alpha inspect - < %s | diff %t -
// RUN: alpha-opt %s --print-op-generic | alpha inspect - | diff %t -

region.learner @small {
  region.state @w : f64 = 0.5
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}
