// RUN: alpha-opt %s --resolve-contract -p 'builtin.module(resolve-contract,check-separability)' --print-ir-after-all -o /dev/null 2>&1 | filecheck %s

// CHECK: // -----// IR diff after resolve-contract //----- //
// CHECK-NEXT: --- before
// CHECK-NEXT: +++ after
// CHECK: -      %sum, %count = pointwise.sum @pull(%w) over @data : f64
// CHECK-NEXT: +      %sum, %count = pointwise.sum @pull(%w) over @data contract #region.contract<groups = [2], combine = left> : f64
// CHECK: // -----// IR diff after resolve-contract //----- //
// CHECK-NEXT: (no change)
// CHECK: // -----// IR diff after check-separability //----- //
// CHECK-NEXT: (no change)
region.learner @pulled {
  region.state @w : f64 = 0.0
  region.samples @data[2] : (f64) = dense<[1.0, 2.0]>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    %d = arith.subf %x, %w : f64
    pointwise.return %d
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
