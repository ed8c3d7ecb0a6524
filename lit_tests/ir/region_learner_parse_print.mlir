// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// The smallest learner: a state, an update, a round.

// CHECK: region.learner @small {
// CHECK-NEXT:   region.state @w : f64 = 5.000000e-01
// CHECK-NEXT:   pointwise.update @halve(%w: f64) -> (f64) {
// CHECK-NEXT:     %half = arith.constant 5.000000e-01 : f64
// CHECK-NEXT:     %w1 = arith.mulf %w, %half : f64
// CHECK-NEXT:     pointwise.return %w1
// CHECK-NEXT:   }
// CHECK-NEXT:   region.round {
// CHECK-NEXT:     %w = region.read @w : f64
// CHECK-NEXT:     %w1 = pointwise.apply @halve(%w) : f64
// CHECK-NEXT:     region.advance @w = %w1
// CHECK-NEXT:   }
// CHECK-NEXT: }
// GENERIC: "region.learner"() <{sym_name = "small"}> ({
// GENERIC-NEXT:   "region.state"() <{sym_name = "w", type = f64, initial = 5.000000e-01 : f64}> : () -> ()
// GENERIC-NEXT:   "pointwise.update"() <{sym_name = "halve", function_type = (f64) -> f64}> ({
// GENERIC-NEXT:   ^bb0(%w: f64):
// GENERIC-NEXT:     %half = "arith.constant"() <{value = 5.000000e-01 : f64}> : () -> f64
// GENERIC-NEXT:     %w1 = "arith.mulf"(%w, %half) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
// GENERIC-NEXT:     "pointwise.return"(%w1) : (f64) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "region.round"() ({
// GENERIC-NEXT:     %w = "region.read"() <{symbols = [@w]}> : () -> f64
// GENERIC-NEXT:     %w1 = "pointwise.apply"(%w) <{callee = @halve}> : (f64) -> f64
// GENERIC-NEXT:     "region.advance"(%w1) <{symbols = [@w]}> : (f64) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT: }) : () -> ()
region.learner @small {
  region.state @w : f64 = 0.5
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

// Everything that a round can hold, and attributes that mean nothing here on each operation.
// CHECK: region.learner @"every operation" attributes {owners = #shard.owners<2, tree<2>, samples = [1, 1]>, author = "none"} {
// CHECK-NEXT:   region.state @w : tensor<2xf64> = dense<0.000000e+00>
// CHECK-NEXT:   region.state @p : f64 = 1.000000e+00 {shared}
// CHECK-NEXT:   region.constant @rate : f64 = 5.000000e-01
// CHECK-NEXT:   region.samples @data[2] : (tensor<2xf64>, f64) = dense<1.000000e+00>, dense<[1.000000e+00, 2.000000e+00]>
// CHECK-NEXT:   region.samples @more[3] : (tensor<2xf64>, f64) from "x.npy", "y.npy"
// CHECK-NEXT:   region.samples @beside[2] : (f64, tensor<3xf64>) = dense<1.000000e+00>, dense<0.000000e+00>
// CHECK-NEXT:   pointwise.contribution @gradient(%w: tensor<2xf64>, %r: f64) sample(%x: tensor<2xf64>, %y: f64) -> (tensor<2xf64>, f64, observed "loss" : f64) {
// CHECK-NEXT:     pointwise.return %x, %y, %r
// CHECK-NEXT:   }
// CHECK-NEXT:   pointwise.contribution @watch() sample(%x: tensor<2xf64>, %y: f64) -> (observed "y" : f64) {
// CHECK-NEXT:     pointwise.return %y
// CHECK-NEXT:   }
// CHECK-NEXT:   pointwise.update @step(%w: tensor<2xf64>, %g: tensor<2xf64>, %b: tensor<2xf64>) -> (tensor<2xf64>) {
// CHECK-NEXT:     pointwise.return %w
// CHECK-NEXT:   }
// CHECK-NEXT:   pointwise.update @count(%p: f64) -> (f64) {
// CHECK-NEXT:     pointwise.return %p
// CHECK-NEXT:   }
// CHECK-NEXT:   region.round attributes {note = "round"} {
// CHECK-NEXT:     %w, %p = region.read @w, @p : tensor<2xf64>, f64 {note = "read"}
// CHECK-NEXT:     %rate, %b, %c = region.read @rate, @beside : f64, tensor<2xf64>, tensor<2x3xf64>
// CHECK-NEXT:     %s, %t, %n = pointwise.sum @gradient(%w, %rate) over @data : tensor<2xf64>, f64 attributes {note = "sum"}
// CHECK-NEXT:     %s2, %t2, %n2 = pointwise.sum @gradient(%w, %rate) over @more contract #region.contract<groups = [0, 3], combine = tree<1>> : tensor<2xf64>, f64
// CHECK-NEXT:     %n3 = pointwise.sum @watch() over @more contract #region.contract<groups = [3], combine = left> attributes {note = "observe"}
// CHECK-NEXT:     %g = pointwise.mean %s, %n attributes {note = "mean"}
// CHECK-NEXT:     %g2 = pointwise.mean %t2, %n2
// CHECK-NEXT:     %w1 = pointwise.apply @step(%w, %g, %b) : tensor<2xf64> attributes {note = "apply"}
// CHECK-NEXT:     %w2 = pointwise.apply @step(%w1, %g, %b) : tensor<2xf64>
// CHECK-NEXT:     %p1 = pointwise.apply @count(%p) : f64
// CHECK-NEXT:     region.advance @w = %w2, @p = %p1 {note = "advance"}
// CHECK-NEXT:   }
// CHECK-NEXT: }
// GENERIC: "region.learner"() <{sym_name = "every operation", owners = #shard.owners<2, tree<2>, samples = [1, 1]>}> ({
// GENERIC-NEXT:   "region.state"() <{sym_name = "w", type = tensor<2xf64>, initial = 0.000000e+00 : f64}> : () -> ()
// GENERIC-NEXT:   "region.state"() <{sym_name = "p", type = f64, initial = 1.000000e+00 : f64, shared}> : () -> ()
// GENERIC-NEXT:   "region.constant"() <{sym_name = "rate", type = f64, initial = 5.000000e-01 : f64}> : () -> ()
// GENERIC-NEXT:   "region.samples"() <{sym_name = "data", count = 2 : i64, types = [tensor<2xf64>, f64], sources = [1.000000e+00 : f64, dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf64>]}> : () -> ()
// GENERIC-NEXT:   "region.samples"() <{sym_name = "more", count = 3 : i64, types = [tensor<2xf64>, f64], sources = [#region.file<"x.npy">, #region.file<"y.npy">]}> : () -> ()
// GENERIC-NEXT:   "region.samples"() <{sym_name = "beside", count = 2 : i64, types = [f64, tensor<3xf64>], sources = [1.000000e+00 : f64, 0.000000e+00 : f64]}> : () -> ()
// GENERIC-NEXT:   "pointwise.contribution"() <{sym_name = "gradient", function_type = (tensor<2xf64>, f64, tensor<2xf64>, f64) -> (tensor<2xf64>, f64, f64), sample_inputs = 2 : i64, observed = ["loss"]}> ({
// GENERIC-NEXT:   ^bb0(%w: tensor<2xf64>, %r: f64, %x: tensor<2xf64>, %y: f64):
// GENERIC-NEXT:     "pointwise.return"(%x, %y, %r) : (tensor<2xf64>, f64, f64) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "pointwise.contribution"() <{sym_name = "watch", function_type = (tensor<2xf64>, f64) -> f64, sample_inputs = 2 : i64, observed = ["y"]}> ({
// GENERIC-NEXT:   ^bb0(%x: tensor<2xf64>, %y: f64):
// GENERIC-NEXT:     "pointwise.return"(%y) : (f64) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "pointwise.update"() <{sym_name = "step", function_type = (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>}> ({
// GENERIC-NEXT:   ^bb0(%w: tensor<2xf64>, %g: tensor<2xf64>, %b: tensor<2xf64>):
// GENERIC-NEXT:     "pointwise.return"(%w) : (tensor<2xf64>) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "pointwise.update"() <{sym_name = "count", function_type = (f64) -> f64}> ({
// GENERIC-NEXT:   ^bb0(%p: f64):
// GENERIC-NEXT:     "pointwise.return"(%p) : (f64) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "region.round"() ({
// GENERIC-NEXT:     %w, %p = "region.read"() <{symbols = [@w, @p]}> {note = "read"} : () -> (tensor<2xf64>, f64)
// GENERIC-NEXT:     %rate, %b, %c = "region.read"() <{symbols = [@rate, @beside]}> : () -> (f64, tensor<2xf64>, tensor<2x3xf64>)
// GENERIC-NEXT:     %s, %t, %n = "pointwise.sum"(%w, %rate) <{callee = @gradient, samples = @data}> {note = "sum"} : (tensor<2xf64>, f64) -> (!region.sum<tensor<2xf64>, @data>, !region.sum<f64, @data>, !region.count<@data>)
// GENERIC-NEXT:     %s2, %t2, %n2 = "pointwise.sum"(%w, %rate) <{callee = @gradient, samples = @more, contract = #region.contract<groups = [0, 3], combine = tree<1>>}> : (tensor<2xf64>, f64) -> (!region.sum<tensor<2xf64>, @more>, !region.sum<f64, @more>, !region.count<@more>)
// GENERIC-NEXT:     %n3 = "pointwise.sum"() <{callee = @watch, samples = @more, contract = #region.contract<groups = [3], combine = left>}> {note = "observe"} : () -> !region.count<@more>
// GENERIC-NEXT:     %g = "pointwise.mean"(%s, %n) {note = "mean"} : (!region.sum<tensor<2xf64>, @data>, !region.count<@data>) -> tensor<2xf64>
// GENERIC-NEXT:     %g2 = "pointwise.mean"(%t2, %n2) : (!region.sum<f64, @more>, !region.count<@more>) -> f64
// GENERIC-NEXT:     %w1 = "pointwise.apply"(%w, %g, %b) <{callee = @step}> {note = "apply"} : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// GENERIC-NEXT:     %w2 = "pointwise.apply"(%w1, %g, %b) <{callee = @step}> : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// GENERIC-NEXT:     %p1 = "pointwise.apply"(%p) <{callee = @count}> : (f64) -> f64
// GENERIC-NEXT:     "region.advance"(%w2, %p1) <{symbols = [@w, @p]}> {note = "advance"} : (tensor<2xf64>, f64) -> ()
// GENERIC-NEXT:   }) {note = "round"} : () -> ()
// GENERIC-NEXT: }) {author = "none"} : () -> ()
region.learner @"every operation" attributes {author = "none", owners = #shard.owners<2, tree<2>, samples = [1, 1]>} {
  region.state @w : tensor<2xf64> = dense<0.0>
  region.state @p : f64 = 1.0 {shared}
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<2xf64>, f64) = dense<1.0>, dense<[1.0, 2.0]>
  region.samples @more[3] : (tensor<2xf64>, f64) from "x.npy", "y.npy"
  region.samples @beside[2] : (f64, tensor<3xf64>) = dense<1.0>, dense<0.0>
  pointwise.contribution @gradient(%w : tensor<2xf64>, %r : f64) sample(%x : tensor<2xf64>, %y : f64)
      -> (tensor<2xf64>, f64, observed "loss" : f64) {
    pointwise.return %x, %y, %r
  }
  pointwise.contribution @watch() sample(%x : tensor<2xf64>, %y : f64) -> (observed "y" : f64) {
    pointwise.return %y
  }
  pointwise.update @step(%w : tensor<2xf64>, %g : tensor<2xf64>, %b : tensor<2xf64>) -> (tensor<2xf64>) {
    pointwise.return %w
  }
  pointwise.update @count(%p : f64) -> (f64) {
    pointwise.return %p
  }
  region.round attributes {note = "round"} {
    %w, %p = region.read @w, @p : tensor<2xf64>, f64 {note = "read"}
    %rate, %b, %c = region.read @rate, @beside : f64, tensor<2xf64>, tensor<2x3xf64>
    %s, %t, %n = pointwise.sum @gradient(%w, %rate) over @data : tensor<2xf64>, f64 attributes {note = "sum"}
    %s2, %t2, %n2 = pointwise.sum @gradient(%w, %rate) over @more
      contract #region.contract<groups = [0, 3], combine = tree<1>> : tensor<2xf64>, f64
    %n3 = pointwise.sum @watch() over @more contract #region.contract<groups = [3], combine = left> attributes {note = "observe"}
    %g = pointwise.mean %s, %n attributes {note = "mean"}
    %g2 = pointwise.mean %t2, %n2
    %w1 = pointwise.apply @step(%w, %g, %b) : tensor<2xf64> attributes {note = "apply"}
    %w2 = pointwise.apply @step(%w1, %g, %b) : tensor<2xf64>
    %p1 = pointwise.apply @count(%p) : f64
    region.advance @w = %w2, @p = %p1 {note = "advance"}
  }
}

// Names that aren't identifiers.
// CHECK: region.learner @"1" {
// CHECK-NEXT:   region.state @"a b" : f64 = 0.000000e+00
// CHECK-NEXT:   pointwise.update @"c, d"(%w: f64) -> (f64) {
// CHECK-NEXT:     pointwise.return %w
// CHECK-NEXT:   }
// CHECK-NEXT:   region.round {
// CHECK-NEXT:     %0 = region.read @"a b" : f64
// CHECK-NEXT:     %1 = pointwise.apply @"c, d"(%0) : f64
// CHECK-NEXT:     region.advance @"a b" = %1
// CHECK-NEXT:   }
// CHECK-NEXT: }
// GENERIC: "region.learner"() <{sym_name = "1"}> ({
// GENERIC-NEXT:   "region.state"() <{sym_name = "a b", type = f64, initial = 0.000000e+00 : f64}> : () -> ()
// GENERIC-NEXT:   "pointwise.update"() <{sym_name = "c, d", function_type = (f64) -> f64}> ({
// GENERIC-NEXT:   ^bb0(%w: f64):
// GENERIC-NEXT:     "pointwise.return"(%w) : (f64) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "region.round"() ({
// GENERIC-NEXT:     %0 = "region.read"() <{symbols = [@"a b"]}> : () -> f64
// GENERIC-NEXT:     %1 = "pointwise.apply"(%0) <{callee = @"c, d"}> : (f64) -> f64
// GENERIC-NEXT:     "region.advance"(%1) <{symbols = [@"a b"]}> : (f64) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT: }) : () -> ()
region.learner @"1" {
  region.state @"a b" : f64 = 0.0
  pointwise.update @"c, d"(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %0 = region.read @"a b" : f64
    %1 = pointwise.apply @"c, d"(%0) : f64
    region.advance @"a b" = %1
  }
}
