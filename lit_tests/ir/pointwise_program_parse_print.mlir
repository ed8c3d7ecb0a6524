// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// A contribution: its parameters, the components of one sample, and what it writes.

// CHECK: pointwise.contribution @gradient(%w: f64) sample(%x: f64, %y: f64) -> (f64, observed "loss" : f64) {
// CHECK-NEXT:   %p = arith.mulf %w, %x : f64
// CHECK-NEXT:   %r = arith.subf %p, %y : f64
// CHECK-NEXT:   pointwise.return %r, %p
// CHECK-NEXT: }
// GENERIC: "pointwise.contribution"() <{sym_name = "gradient", function_type = (f64, f64, f64) -> (f64, f64), sample_inputs = 2 : i64, observed = ["loss"]}> ({
// GENERIC-NEXT: ^bb0(%w: f64, %x: f64, %y: f64):
// GENERIC-NEXT:   %p = "arith.mulf"(%w, %x) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:   %r = "arith.subf"(%p, %y) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:   "pointwise.return"(%r, %p) : (f64, f64) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.contribution @gradient(%w : f64) sample(%x : f64, %y : f64) -> (f64, observed "loss" : f64) {
  %p = arith.mulf %w, %x : f64
  %r = arith.subf %p, %y : f64
  pointwise.return %r, %p
}

// No parameters, no components, only observations.
// CHECK: pointwise.contribution @sample_alone() sample(%x: tensor<4xf32>) -> (tensor<4xf32>) {
// CHECK-NEXT:   pointwise.return %x
// CHECK-NEXT: }
// GENERIC: "pointwise.contribution"() <{sym_name = "sample_alone", function_type = (tensor<4xf32>) -> tensor<4xf32>, sample_inputs = 1 : i64, observed = []}> ({
// GENERIC-NEXT: ^bb0(%x: tensor<4xf32>):
// GENERIC-NEXT:   "pointwise.return"(%x) : (tensor<4xf32>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.contribution @sample_alone() sample(%x : tensor<4xf32>) -> (tensor<4xf32>) {
  pointwise.return %x
}

// CHECK: pointwise.contribution @parameter_alone(%w: f64) sample() -> (f64, f64) {
// CHECK-NEXT:   pointwise.return %w, %w
// CHECK-NEXT: }
// GENERIC: "pointwise.contribution"() <{sym_name = "parameter_alone", function_type = (f64) -> (f64, f64), sample_inputs = 0 : i64, observed = []}> ({
// GENERIC-NEXT: ^bb0(%w: f64):
// GENERIC-NEXT:   "pointwise.return"(%w, %w) : (f64, f64) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.contribution @parameter_alone(%w : f64) sample() -> (f64, f64) {
  pointwise.return %w, %w
}

// CHECK: pointwise.contribution @observer(%w: f64) sample(%x: f64) -> (observed "a" : f64, observed "b, \22quoted\22" : f64) {
// CHECK-NEXT:   pointwise.return %w, %x
// CHECK-NEXT: }
// GENERIC: "pointwise.contribution"() <{sym_name = "observer", function_type = (f64, f64) -> (f64, f64), sample_inputs = 1 : i64, observed = ["a", "b, \22quoted\22"]}> ({
// GENERIC-NEXT: ^bb0(%w: f64, %x: f64):
// GENERIC-NEXT:   "pointwise.return"(%w, %x) : (f64, f64) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.contribution @observer(%w : f64) sample(%x : f64) -> (observed "a" : f64, observed "b, \22quoted\22" : f64) {
  pointwise.return %w, %x
}

// An update: its arguments and the words it writes.
// CHECK: pointwise.update @keep(%w: tensor<4xf64>, %g: tensor<4xf64>, %rate: f64) -> (tensor<4xf64>) {
// CHECK-NEXT:   pointwise.return %w
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "keep", function_type = (tensor<4xf64>, tensor<4xf64>, f64) -> tensor<4xf64>}> ({
// GENERIC-NEXT: ^bb0(%w: tensor<4xf64>, %g: tensor<4xf64>, %rate: f64):
// GENERIC-NEXT:   "pointwise.return"(%w) : (tensor<4xf64>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @keep(%w : tensor<4xf64>, %g : tensor<4xf64>, %rate : f64) -> (tensor<4xf64>) {
  pointwise.return %w
}

// CHECK: pointwise.update @swap(%a: f32, %b: f64) -> (f64, f32) {
// CHECK-NEXT:   pointwise.return %b, %a
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "swap", function_type = (f32, f64) -> (f64, f32)}> ({
// GENERIC-NEXT: ^bb0(%a: f32, %b: f64):
// GENERIC-NEXT:   "pointwise.return"(%b, %a) : (f64, f32) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @swap(%a : f32, %b : f64) -> (f64, f32) {
  pointwise.return %b, %a
}

// From constants alone.
// CHECK: pointwise.update @reset() -> (f64) {
// CHECK-NEXT:   %zero = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:   pointwise.return %zero
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "reset", function_type = () -> f64}> ({
// GENERIC-NEXT:   %zero = "arith.constant"() <{value = 0.000000e+00 : f64}> : () -> f64
// GENERIC-NEXT:   "pointwise.return"(%zero) : (f64) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @reset() -> (f64) {
  %zero = arith.constant 0.0 : f64
  pointwise.return %zero
}

// Attributes that mean nothing here are kept.
// CHECK: pointwise.update @"noted update"(%w: f64) -> (f64) attributes {doc = "keeps", pure} {
// CHECK-NEXT:   pointwise.return %w
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "noted update", function_type = (f64) -> f64}> ({
// GENERIC-NEXT: ^bb0(%w: f64):
// GENERIC-NEXT:   "pointwise.return"(%w) : (f64) -> ()
// GENERIC-NEXT: }) {doc = "keeps", pure} : () -> ()
pointwise.update @"noted update"(%w : f64) -> (f64) attributes {doc = "keeps", pure} {
  pointwise.return %w
}

// CHECK: pointwise.contribution @noted(%w: f64) sample(%x: f64) -> (f64) attributes {doc = "first"} {
// CHECK-NEXT:   pointwise.return %x
// CHECK-NEXT: }
// GENERIC: "pointwise.contribution"() <{sym_name = "noted", function_type = (f64, f64) -> f64, sample_inputs = 1 : i64, observed = []}> ({
// GENERIC-NEXT: ^bb0(%w: f64, %x: f64):
// GENERIC-NEXT:   "pointwise.return"(%x) : (f64) -> ()
// GENERIC-NEXT: }) {doc = "first"} : () -> ()
pointwise.contribution @noted(%w : f64) sample(%x : f64) -> (f64) attributes {doc = "first"} {
  pointwise.return %x
}

// CHECK: pointwise.update @noted_end(%w: tensor<2xf64>) -> (tensor<2xf64>) {
// CHECK-NEXT:   %v = pointwise.map over [i : 2] (%x = %w[i]) {
// CHECK-NEXT:     pointwise.yield %x {note = "yield"}
// CHECK-NEXT:   } : tensor<2xf64>
// CHECK-NEXT:   pointwise.return %v {note = "return"}
// CHECK-NEXT: }
// GENERIC: "pointwise.update"() <{sym_name = "noted_end", function_type = (tensor<2xf64>) -> tensor<2xf64>}> ({
// GENERIC-NEXT: ^bb0(%w: tensor<2xf64>):
// GENERIC-NEXT:   %v = "pointwise.map"(%w) <{domain = array<i64: 2>, indexing_maps = [affine_map<(d0) -> (d0)>]}> ({
// GENERIC-NEXT:   ^bb0(%x: f64):
// GENERIC-NEXT:     "pointwise.yield"(%x) {note = "yield"} : (f64) -> ()
// GENERIC-NEXT:   }) : (tensor<2xf64>) -> tensor<2xf64>
// GENERIC-NEXT:   "pointwise.return"(%v) {note = "return"} : (tensor<2xf64>) -> ()
// GENERIC-NEXT: }) : () -> ()
pointwise.update @noted_end(%w : tensor<2xf64>) -> (tensor<2xf64>) {
  %v = pointwise.map over [i : 2] (%x = %w[i]) {
    pointwise.yield %x {note = "yield"}
  } : tensor<2xf64>
  pointwise.return %v {note = "return"}
}
