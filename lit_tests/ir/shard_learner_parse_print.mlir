// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// A distribution stands beside the learner of its name: places, and one round.
// Here four owners keep a quarter of @w each, and sum over their own samples.

// CHECK: region.learner @mean_step {
// CHECK-NEXT:   region.state @w : tensor<4xf64> = dense<0.000000e+00>
// CHECK-NEXT:   region.samples @data[6] : (tensor<4xf64>) = dense<1.000000e+00>
// CHECK-NEXT:   pointwise.contribution @pull(%w: tensor<4xf64>) sample(%x: tensor<4xf64>) -> (tensor<4xf64>) {
// CHECK-NEXT:     pointwise.return %x
// CHECK-NEXT:   }
// CHECK-NEXT:   pointwise.update @step(%w: tensor<4xf64>, %g: tensor<4xf64>) -> (tensor<4xf64>) {
// CHECK-NEXT:     pointwise.return %g
// CHECK-NEXT:   }
// CHECK-NEXT:   region.round {
// CHECK-NEXT:     %w = region.read @w : tensor<4xf64>
// CHECK-NEXT:     %sum, %count = pointwise.sum @pull(%w) over @data contract #region.contract<groups = [1, 2, 3, 0], combine = left> : tensor<4xf64>
// CHECK-NEXT:     %g = pointwise.mean %sum, %count
// CHECK-NEXT:     %w1 = pointwise.apply @step(%w, %g) : tensor<4xf64>
// CHECK-NEXT:     region.advance @w = %w1
// CHECK-NEXT:   }
// CHECK-NEXT: }
// GENERIC: "region.learner"() <{sym_name = "mean_step"}> ({
// GENERIC-NEXT:   "region.state"() <{sym_name = "w", type = tensor<4xf64>, initial = 0.000000e+00 : f64}> : () -> ()
// GENERIC-NEXT:   "region.samples"() <{sym_name = "data", count = 6 : i64, types = [tensor<4xf64>], sources = [1.000000e+00 : f64]}> : () -> ()
// GENERIC-NEXT:   "pointwise.contribution"() <{sym_name = "pull", function_type = (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>, sample_inputs = 1 : i64, observed = []}> ({
// GENERIC-NEXT:   ^bb0(%w: tensor<4xf64>, %x: tensor<4xf64>):
// GENERIC-NEXT:     "pointwise.return"(%x) : (tensor<4xf64>) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "pointwise.update"() <{sym_name = "step", function_type = (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>}> ({
// GENERIC-NEXT:   ^bb0(%w: tensor<4xf64>, %g: tensor<4xf64>):
// GENERIC-NEXT:     "pointwise.return"(%g) : (tensor<4xf64>) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "region.round"() ({
// GENERIC-NEXT:     %w = "region.read"() <{symbols = [@w]}> : () -> tensor<4xf64>
// GENERIC-NEXT:     %sum, %count = "pointwise.sum"(%w) <{callee = @pull, samples = @data, contract = #region.contract<groups = [1, 2, 3, 0], combine = left>}> : (tensor<4xf64>) -> (!region.sum<tensor<4xf64>, @data>, !region.count<@data>)
// GENERIC-NEXT:     %g = "pointwise.mean"(%sum, %count) : (!region.sum<tensor<4xf64>, @data>, !region.count<@data>) -> tensor<4xf64>
// GENERIC-NEXT:     %w1 = "pointwise.apply"(%w, %g) <{callee = @step}> : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
// GENERIC-NEXT:     "region.advance"(%w1) <{symbols = [@w]}> : (tensor<4xf64>) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT: }) : () -> ()
region.learner @mean_step {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.samples @data[6] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>) -> (tensor<4xf64>) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : tensor<4xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data contract #region.contract<groups = [1, 2, 3, 0], combine = left> : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<4xf64>
    region.advance @w = %w1
  }
}

// CHECK: shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
// CHECK-NEXT:   shard.place @w by cyclic
// CHECK-NEXT:   shard.place @data by [1, 2, 3, 0]
// CHECK-NEXT:   shard.round {
// CHECK-NEXT:     %w_own = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
// CHECK-NEXT:     %w = shard.replicate %w_own : !shard.replica<tensor<4xf64>, +0>
// CHECK-NEXT:     %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
// CHECK-NEXT:     shard.release %w
// CHECK-NEXT:     %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<4xf64>, @data, owners cyclic, +0>
// CHECK-NEXT:     %g = shard.mean %t : !shard.owned<tensor<4xf64>, cyclic, +0>
// CHECK-NEXT:     %w1 = shard.update @step(%w_own, %g) : !shard.owned<tensor<4xf64>, cyclic, +1>
// CHECK-NEXT:     shard.advance @w = %w1
// CHECK-NEXT:   }
// CHECK-NEXT: }
// GENERIC: "shard.learner"() <{learner = @mean_step, owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>}> ({
// GENERIC-NEXT:   "shard.place"() <{symbol = @w, where = #shard.where<owners cyclic>}> : () -> ()
// GENERIC-NEXT:   "shard.place"() <{symbol = @data, where = #shard.where<owners [1, 2, 3, 0]>}> : () -> ()
// GENERIC-NEXT:   "shard.round"() ({
// GENERIC-NEXT:     %w_own = "shard.read"() <{symbols = [@w]}> : () -> !shard.owned<tensor<4xf64>, cyclic, +0>
// GENERIC-NEXT:     %w = "shard.replicate"(%w_own) : (!shard.owned<tensor<4xf64>, cyclic, +0>) -> !shard.replica<tensor<4xf64>, +0>
// GENERIC-NEXT:     %c = "shard.contribute"(%w) <{callee = @pull, samples = @data, map = #shard.map<[1, 2, 3, 0]>}> : (!shard.replica<tensor<4xf64>, +0>) -> !shard.contribution<tensor<4xf64>, @data, +0>
// GENERIC-NEXT:     "shard.release"(%w) : (!shard.replica<tensor<4xf64>, +0>) -> ()
// GENERIC-NEXT:     %t = "shard.combine"(%c) <{kind = "sum", contract = #region.contract<groups = [1, 2, 3, 0], combine = left>, deliver = #shard.where<owners cyclic>}> : (!shard.contribution<tensor<4xf64>, @data, +0>) -> !shard.total<tensor<4xf64>, @data, owners cyclic, +0>
// GENERIC-NEXT:     %g = "shard.mean"(%t) : (!shard.total<tensor<4xf64>, @data, owners cyclic, +0>) -> !shard.owned<tensor<4xf64>, cyclic, +0>
// GENERIC-NEXT:     %w1 = "shard.update"(%w_own, %g) <{callee = @step}> : (!shard.owned<tensor<4xf64>, cyclic, +0>, !shard.owned<tensor<4xf64>, cyclic, +0>) -> !shard.owned<tensor<4xf64>, cyclic, +1>
// GENERIC-NEXT:     "shard.advance"(%w1) <{symbols = [@w]}> : (!shard.owned<tensor<4xf64>, cyclic, +1>) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT: }) : () -> ()
shard.learner @mean_step owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w by cyclic
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %w_own = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w = shard.replicate %w_own : !shard.replica<tensor<4xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
    shard.release %w
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<4xf64>, @data, owners cyclic, +0>
    %g = shard.mean %t : !shard.owned<tensor<4xf64>, cyclic, +0>
    %w1 = shard.update @step(%w_own, %g) : !shard.owned<tensor<4xf64>, cyclic, +1>
    shard.advance @w = %w1
  }
}

// Several states, of which one isn't advanced, and a program of the distribution's own; extra
// attributes are kept everywhere.
// CHECK: region.learner @two_states {
// CHECK-NEXT:   region.state @a : f64 = 1.000000e+00
// CHECK-NEXT:   region.state @b : f32 = 2.000000e+00
// CHECK-NEXT:   region.state @"left alone" : f64 = 3.000000e+00
// CHECK-NEXT:   pointwise.update @keep(%a: f64, %b: f32) -> (f64, f32) {
// CHECK-NEXT:     pointwise.return %a, %b
// CHECK-NEXT:   }
// CHECK-NEXT:   region.round {
// CHECK-NEXT:     %a, %b = region.read @a, @b : f64, f32
// CHECK-NEXT:     %a1, %b1 = pointwise.apply @keep(%a, %b) : f64, f32
// CHECK-NEXT:     region.advance @a = %a1, @b = %b1
// CHECK-NEXT:   }
// CHECK-NEXT: }
// GENERIC: "region.learner"() <{sym_name = "two_states"}> ({
// GENERIC-NEXT:   "region.state"() <{sym_name = "a", type = f64, initial = 1.000000e+00 : f64}> : () -> ()
// GENERIC-NEXT:   "region.state"() <{sym_name = "b", type = f32, initial = 2.000000e+00 : f32}> : () -> ()
// GENERIC-NEXT:   "region.state"() <{sym_name = "left alone", type = f64, initial = 3.000000e+00 : f64}> : () -> ()
// GENERIC-NEXT:   "pointwise.update"() <{sym_name = "keep", function_type = (f64, f32) -> (f64, f32)}> ({
// GENERIC-NEXT:   ^bb0(%a: f64, %b: f32):
// GENERIC-NEXT:     "pointwise.return"(%a, %b) : (f64, f32) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "region.round"() ({
// GENERIC-NEXT:     %a, %b = "region.read"() <{symbols = [@a, @b]}> : () -> (f64, f32)
// GENERIC-NEXT:     %a1, %b1 = "pointwise.apply"(%a, %b) <{callee = @keep}> : (f64, f32) -> (f64, f32)
// GENERIC-NEXT:     "region.advance"(%a1, %b1) <{symbols = [@a, @b]}> : (f64, f32) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT: }) : () -> ()
region.learner @two_states {
  region.state @a : f64 = 1.0
  region.state @b : f32 = 2.0
  region.state @"left alone" : f64 = 3.0
  pointwise.update @keep(%a : f64, %b : f32) -> (f64, f32) {
    pointwise.return %a, %b
  }
  region.round {
    %a, %b = region.read @a, @b : f64, f32
    %a1, %b1 = pointwise.apply @keep(%a, %b) : f64, f32
    region.advance @a = %a1, @b = %b1
  }
}

// CHECK: shard.learner @two_states owners #shard.owners<3, tree<2>> attributes {note = "of a distribution"} {
// CHECK-NEXT:   shard.place @a replicated
// CHECK-NEXT:   pointwise.update @keep_too(%a: f64, %b: f32) -> (f64, f32) {
// CHECK-NEXT:     pointwise.return %a, %b
// CHECK-NEXT:   }
// CHECK-NEXT:   shard.place @b by [empty, stride(0, 1, 1), empty] attributes {note = "of a place"}
// CHECK-NEXT:   shard.place @"left alone" replicated
// CHECK-NEXT:   shard.round attributes {note = "of a round"} {
// CHECK-NEXT:     %a, %b = shard.read @a, @b : !shard.replica<f64, +0>, !shard.owned<f32, [empty, stride(0, 1, 1), empty], +0>
// CHECK-NEXT:     %a1, %b1 = shard.update @keep_too(%a, %b) : !shard.replica<f64, +1>, !shard.owned<f32, [empty, stride(0, 1, 1), empty], +1>
// CHECK-NEXT:     shard.agree %a1
// CHECK-NEXT:     shard.advance @a = %a1, @b = %b1 attributes {note = "of an advance"}
// CHECK-NEXT:   }
// CHECK-NEXT: }
// GENERIC: "shard.learner"() <{learner = @two_states, owners = #shard.owners<3, tree<2>>}> ({
// GENERIC-NEXT:   "shard.place"() <{symbol = @a, where = #shard.where<all>}> : () -> ()
// GENERIC-NEXT:   "pointwise.update"() <{sym_name = "keep_too", function_type = (f64, f32) -> (f64, f32)}> ({
// GENERIC-NEXT:   ^bb0(%a: f64, %b: f32):
// GENERIC-NEXT:     "pointwise.return"(%a, %b) : (f64, f32) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "shard.place"() <{symbol = @b, where = #shard.where<owners [empty, stride(0, 1, 1), empty]>}> {note = "of a place"} : () -> ()
// GENERIC-NEXT:   "shard.place"() <{symbol = @"left alone", where = #shard.where<all>}> : () -> ()
// GENERIC-NEXT:   "shard.round"() ({
// GENERIC-NEXT:     %a, %b = "shard.read"() <{symbols = [@a, @b]}> : () -> (!shard.replica<f64, +0>, !shard.owned<f32, [empty, stride(0, 1, 1), empty], +0>)
// GENERIC-NEXT:     %a1, %b1 = "shard.update"(%a, %b) <{callee = @keep_too}> : (!shard.replica<f64, +0>, !shard.owned<f32, [empty, stride(0, 1, 1), empty], +0>) -> (!shard.replica<f64, +1>, !shard.owned<f32, [empty, stride(0, 1, 1), empty], +1>)
// GENERIC-NEXT:     "shard.agree"(%a1) : (!shard.replica<f64, +1>) -> ()
// GENERIC-NEXT:     "shard.advance"(%a1, %b1) <{symbols = [@a, @b]}> {note = "of an advance"} : (!shard.replica<f64, +1>, !shard.owned<f32, [empty, stride(0, 1, 1), empty], +1>) -> ()
// GENERIC-NEXT:   }) {note = "of a round"} : () -> ()
// GENERIC-NEXT: }) {note = "of a distribution"} : () -> ()
shard.learner @two_states owners #shard.owners<3, tree<2>> attributes {note = "of a distribution"} {
  shard.place @a replicated
  pointwise.update @keep_too(%a : f64, %b : f32) -> (f64, f32) {
    pointwise.return %a, %b
  }
  shard.place @b by [empty, stride(0, 1, 1), empty] attributes {note = "of a place"}
  shard.place @"left alone" replicated
  shard.round attributes {note = "of a round"} {
    %a, %b = shard.read @a, @b : !shard.replica<f64, +0>, !shard.owned<f32, [empty, stride(0, 1, 1), empty], +0>
    %a1, %b1 = shard.update @keep_too(%a, %b) : !shard.replica<f64, +1>, !shard.owned<f32, [empty, stride(0, 1, 1), empty], +1>
    shard.agree %a1
    shard.advance @a = %a1, @b = %b1 attributes {note = "of an advance"}
  }
}

// The distribution may stand before its learner.
// CHECK: shard.learner @later owners #shard.owners<1, star> {
// CHECK-NEXT:   shard.place @w replicated
// CHECK-NEXT:   shard.round {
// CHECK-NEXT:     %w = shard.read @w : !shard.replica<f64, +0>
// CHECK-NEXT:     %w1 = shard.update @keep(%w) : !shard.replica<f64, +1>
// CHECK-NEXT:     shard.advance @w = %w1
// CHECK-NEXT:   }
// CHECK-NEXT: }
// GENERIC: "shard.learner"() <{learner = @later, owners = #shard.owners<1, star>}> ({
// GENERIC-NEXT:   "shard.place"() <{symbol = @w, where = #shard.where<all>}> : () -> ()
// GENERIC-NEXT:   "shard.round"() ({
// GENERIC-NEXT:     %w = "shard.read"() <{symbols = [@w]}> : () -> !shard.replica<f64, +0>
// GENERIC-NEXT:     %w1 = "shard.update"(%w) <{callee = @keep}> : (!shard.replica<f64, +0>) -> !shard.replica<f64, +1>
// GENERIC-NEXT:     "shard.advance"(%w1) <{symbols = [@w]}> : (!shard.replica<f64, +1>) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT: }) : () -> ()
shard.learner @later owners #shard.owners<1, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @keep(%w) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
}

// CHECK: region.learner @later {
// CHECK-NEXT:   region.state @w : f64 = 1.000000e+00
// CHECK-NEXT:   pointwise.update @keep(%w: f64) -> (f64) {
// CHECK-NEXT:     pointwise.return %w
// CHECK-NEXT:   }
// CHECK-NEXT:   region.round {
// CHECK-NEXT:     %w = region.read @w : f64
// CHECK-NEXT:     %w1 = pointwise.apply @keep(%w) : f64
// CHECK-NEXT:     region.advance @w = %w1
// CHECK-NEXT:   }
// CHECK-NEXT: }
// GENERIC: "region.learner"() <{sym_name = "later"}> ({
// GENERIC-NEXT:   "region.state"() <{sym_name = "w", type = f64, initial = 1.000000e+00 : f64}> : () -> ()
// GENERIC-NEXT:   "pointwise.update"() <{sym_name = "keep", function_type = (f64) -> f64}> ({
// GENERIC-NEXT:   ^bb0(%w: f64):
// GENERIC-NEXT:     "pointwise.return"(%w) : (f64) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT:   "region.round"() ({
// GENERIC-NEXT:     %w = "region.read"() <{symbols = [@w]}> : () -> f64
// GENERIC-NEXT:     %w1 = "pointwise.apply"(%w) <{callee = @keep}> : (f64) -> f64
// GENERIC-NEXT:     "region.advance"(%w1) <{symbols = [@w]}> : (f64) -> ()
// GENERIC-NEXT:   }) : () -> ()
// GENERIC-NEXT: }) : () -> ()
region.learner @later {
  region.state @w : f64 = 1.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}
