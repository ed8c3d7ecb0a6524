// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// What owners do by themselves: read, contribute, take a mean, update, observe, agree.

// States where they are placed, and constants, which every owner has.
// CHECK: %w, %m, %rate = shard.read @w, @m, @rate : !shard.replica<tensor<4xf64>, +0>, !shard.owned<tensor<4xf64>, cyclic, +0>, !shard.replica<f64, +0>
// GENERIC: %w, %m, %rate = "shard.read"() <{symbols = [@w, @m, @rate]}> : () -> (!shard.replica<tensor<4xf64>, +0>, !shard.owned<tensor<4xf64>, cyclic, +0>, !shard.replica<f64, +0>)
%w, %m, %rate = shard.read @w, @m, @rate : !shard.replica<tensor<4xf64>, +0>, !shard.owned<tensor<4xf64>, cyclic, +0>, !shard.replica<f64, +0>

// Samples by component, with the samples as first axis.
// CHECK: %a, %b = shard.read @signals : !shard.owned<tensor<5x3xf64>, rows<3, cyclic>, +0>, !shard.owned<tensor<5xf64>, cyclic, +0>
// GENERIC: %a, %b = "shard.read"() <{symbols = [@signals]}> : () -> (!shard.owned<tensor<5x3xf64>, rows<3, cyclic>, +0>, !shard.owned<tensor<5xf64>, cyclic, +0>)
%a, %b = shard.read @signals : !shard.owned<tensor<5x3xf64>, rows<3, cyclic>, +0>, !shard.owned<tensor<5xf64>, cyclic, +0>

// The version before is read by a wrong distribution alone; extra attributes are kept.
// CHECK: %old = shard.read @"the weights" : !shard.replica<tensor<4xf64>, -1> attributes {note = "stale"}
// GENERIC: %old = "shard.read"() <{symbols = [@"the weights"]}> {note = "stale"} : () -> !shard.replica<tensor<4xf64>, -1>
%old = shard.read @"the weights" : !shard.replica<tensor<4xf64>, -1> attributes {note = "stale"}

// Each owner sums over its samples; the map says whose work which sample is.
// CHECK: %c, %l = shard.contribute @gradient(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>, !shard.contribution<f64, @data, +0>
// GENERIC: %c, %l = "shard.contribute"(%w) <{callee = @gradient, samples = @data, map = #shard.map<[1, 2, 3, 0]>}> : (!shard.replica<tensor<4xf64>, +0>) -> (!shard.contribution<tensor<4xf64>, @data, +0>, !shard.contribution<f64, @data, +0>)
%c, %l = shard.contribute @gradient(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>, !shard.contribution<f64, @data, +0>

// CHECK: %pulled = shard.contribute @pull() over @data by [stride(0, 1, 3), empty, empty, stride(3, 1, 3)] : !shard.contribution<f64, @data, +0> attributes {note}
// GENERIC: %pulled = "shard.contribute"() <{callee = @pull, samples = @data, map = #shard.map<[stride(0, 1, 3), empty, empty, stride(3, 1, 3)]>}> {note} : () -> !shard.contribution<f64, @data, +0>
%pulled = shard.contribute @pull() over @data by [stride(0, 1, 3), empty, empty, stride(3, 1, 3)] : !shard.contribution<f64, @data, +0> attributes {note}

// CHECK: %both = shard.contribute @compare(%w, %rate) over @data by block : !shard.contribution<f64, @data, +0>
// GENERIC: %both = "shard.contribute"(%w, %rate) <{callee = @compare, samples = @data, map = #shard.map<block>}> : (!shard.replica<tensor<4xf64>, +0>, !shard.replica<f64, +0>) -> !shard.contribution<f64, @data, +0>
%both = shard.contribute @compare(%w, %rate) over @data by block : !shard.contribution<f64, @data, +0>

// A total with its count is the sum of the parts.
// CHECK: %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all : !shard.total<tensor<4xf64>, @data, all, +0>
// GENERIC: %t = "shard.combine"(%c) <{kind = "sum", contract = #region.contract<groups = [1, 2, 3, 0], combine = left>, deliver = #shard.where<all>}> : (!shard.contribution<tensor<4xf64>, @data, +0>) -> !shard.total<tensor<4xf64>, @data, all, +0>
%t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all : !shard.total<tensor<4xf64>, @data, all, +0>

// CHECK: %t_own = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<4xf64>, @data, owners cyclic, +0>
// GENERIC: %t_own = "shard.combine"(%c) <{kind = "sum", contract = #region.contract<groups = [1, 2, 3, 0], combine = left>, deliver = #shard.where<owners cyclic>}> : (!shard.contribution<tensor<4xf64>, @data, +0>) -> !shard.total<tensor<4xf64>, @data, owners cyclic, +0>
%t_own = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver owners cyclic : !shard.total<tensor<4xf64>, @data, owners cyclic, +0>

// CHECK: %loss = shard.combine sum %l contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
// GENERIC: %loss = "shard.combine"(%l) <{kind = "sum", contract = #region.contract<groups = [1, 2, 3, 0], combine = left>, deliver = #shard.where<role 0>}> : (!shard.contribution<f64, @data, +0>) -> !shard.total<f64, @data, role 0, +0>
%loss = shard.combine sum %l contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>

// The mean of a total is where the total is.
// CHECK: %g = shard.mean %t : !shard.replica<tensor<4xf64>, +0>
// GENERIC: %g = "shard.mean"(%t) : (!shard.total<tensor<4xf64>, @data, all, +0>) -> !shard.replica<tensor<4xf64>, +0>
%g = shard.mean %t : !shard.replica<tensor<4xf64>, +0>

// CHECK: %g_own = shard.mean %t_own : !shard.owned<tensor<4xf64>, cyclic, +0> attributes {note}
// GENERIC: %g_own = "shard.mean"(%t_own) {note} : (!shard.total<tensor<4xf64>, @data, owners cyclic, +0>) -> !shard.owned<tensor<4xf64>, cyclic, +0>
%g_own = shard.mean %t_own : !shard.owned<tensor<4xf64>, cyclic, +0> attributes {note}

// The mean of a sum that is still in parts is in parts; --verify-shards refuses it.
// CHECK: %means = shard.mean %c : !shard.contribution<tensor<4xf64>, @data, +0>
// GENERIC: %means = "shard.mean"(%c) : (!shard.contribution<tensor<4xf64>, @data, +0>) -> !shard.contribution<tensor<4xf64>, @data, +0>
%means = shard.mean %c : !shard.contribution<tensor<4xf64>, @data, +0>

// New words are of version +1, values on the way of version +0; an update has one result or more.
// CHECK: %m1 = shard.update @keep(%m, %g_own, %rate) : !shard.owned<tensor<4xf64>, cyclic, +1>
// GENERIC: %m1 = "shard.update"(%m, %g_own, %rate) <{callee = @keep}> : (!shard.owned<tensor<4xf64>, cyclic, +0>, !shard.owned<tensor<4xf64>, cyclic, +0>, !shard.replica<f64, +0>) -> !shard.owned<tensor<4xf64>, cyclic, +1>
%m1 = shard.update @keep(%m, %g_own, %rate) : !shard.owned<tensor<4xf64>, cyclic, +1>

// CHECK: %w1, %q1 = shard.update @step(%w, %g, %rate) : !shard.replica<tensor<4xf64>, +1>, !shard.replica<f64, +1>
// GENERIC: %w1, %q1 = "shard.update"(%w, %g, %rate) <{callee = @step}> : (!shard.replica<tensor<4xf64>, +0>, !shard.replica<tensor<4xf64>, +0>, !shard.replica<f64, +0>) -> (!shard.replica<tensor<4xf64>, +1>, !shard.replica<f64, +1>)
%w1, %q1 = shard.update @step(%w, %g, %rate) : !shard.replica<tensor<4xf64>, +1>, !shard.replica<f64, +1>

// CHECK: %z = shard.update @zero() : !shard.replica<f64, +0> attributes {note}
// GENERIC: %z = "shard.update"() <{callee = @zero}> {note} : () -> !shard.replica<f64, +0>
%z = shard.update @zero() : !shard.replica<f64, +0> attributes {note}

// Role 0 reports a total that it has, or what every owner has.
// CHECK: shard.observe "loss" %loss over @data
// GENERIC: "shard.observe"(%loss) <{label = "loss", samples = @data}> : (!shard.total<f64, @data, role 0, +0>) -> ()
shard.observe "loss" %loss over @data

// CHECK: shard.observe "a \22rate\22" %rate over @data attributes {note = "kept"}
// GENERIC: "shard.observe"(%rate) <{label = "a \22rate\22", samples = @data}> {note = "kept"} : (!shard.replica<f64, +0>) -> ()
shard.observe "a \22rate\22" %rate over @data attributes {note = "kept"}

// Owners compare what several of them computed.
// CHECK: shard.agree %w1
// GENERIC: "shard.agree"(%w1) : (!shard.replica<tensor<4xf64>, +1>) -> ()
shard.agree %w1

// CHECK: shard.agree %w1, %q1 attributes {note = "kept"}
// GENERIC: "shard.agree"(%w1, %q1) {note = "kept"} : (!shard.replica<tensor<4xf64>, +1>, !shard.replica<f64, +1>) -> ()
shard.agree %w1, %q1 attributes {note = "kept"}
