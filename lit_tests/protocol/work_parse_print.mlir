// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// What roles do by themselves: local work on what they have, words of copies, and publication.

region.learner @keep {
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
shard.learner @keep owners #shard.owners<4, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
#all = #protocol.group<universe = 4, epoch = 0, id = "6b656570", stride(0, 1, 4)>
#some = #region.select<join(stride(0, 1, 2), stride(3, 1, 1))>
// CHECK: protocol.global @train of @keep group #protocol.group<universe = 4, epoch = 0, id = "6b656570", stride(0, 1, 4)> {
// GENERIC: "protocol.global"() <{title = "train", learner = @keep, group = #protocol.group<universe = 4, epoch = 0, id = "6b656570", stride(0, 1, 4)>}> ({
protocol.global @train of @keep group #all {
  // Of several values; the roles by an alias.
  // CHECK: %w, %x = protocol.local at join(stride(0, 1, 2), stride(3, 1, 1)) {
  // GENERIC: %w, %x = "protocol.local"() <{roles = #region.select<join(stride(0, 1, 2), stride(3, 1, 1))>}> ({
  %w, %x = protocol.local at #some {
    %w_0 = shard.read @w : !shard.replica<f64, +0>
    // CHECK: %x_1 = protocol.words %w_1
    // GENERIC: %x_1 = "protocol.words"(%w_1) : (!shard.replica<f64, +0>) -> f64
    %x_0 = protocol.words %w_0
    // CHECK: protocol.yield %w_1, %x_1
    // GENERIC: "protocol.yield"(%w_1, %x_1) : (!shard.replica<f64, +0>, f64) -> ()
    protocol.yield %w_0, %x_0
  }
  // With what was made before; all roles that do it have it.
  // CHECK: %s = protocol.local at role 3 (%a = %x, %b = %x) attributes {note} {
  // GENERIC: %s = "protocol.local"(%x, %x) <{roles = #region.select<stride(3, 1, 1)>}> ({
  %s = protocol.local at role 3 (%a = %x, %b = %x) attributes {note} {
    %c = arith.cmpf olt, %a, %b : f64
    %d = arith.extui %c : i1 to i64
    // CHECK: protocol.yield %d attributes {note}
    // GENERIC: "protocol.yield"(%d) {note} : (i64) -> ()
    protocol.yield %d attributes {note}
  }
  // CHECK: protocol.local at stride(0, 1, 2) (%w_1 = %w) {
  // GENERIC: "protocol.local"(%w) <{roles = #region.select<stride(0, 1, 2)>}> ({
  protocol.local at stride(0, 1, 2) (%w_1 = %w) {
    // CHECK: %x_1 = protocol.words %w_1 attributes {note = "kept"}
    // GENERIC: %x_1 = "protocol.words"(%w_1) {note = "kept"} : (!shard.replica<f64, +0>) -> f64
    %x_1 = protocol.words %w_1 attributes {note = "kept"}
    // CHECK: protocol.yield
    // GENERIC: "protocol.yield"() : () -> ()
    protocol.yield
  }
  // The states become those of the next version.
  // CHECK: protocol.local at stride(0, 1, 4) {
  // GENERIC: "protocol.local"() <{roles = #region.select<stride(0, 1, 4)>}> ({
  protocol.local at stride(0, 1, 4) {
    %w_2 = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w_2) : !shard.replica<f64, +1>
    shard.advance @w = %w1
  }
  // CHECK: protocol.publish at role 0 attributes {note}
  // GENERIC: "protocol.publish"() <{roles = #region.select<stride(0, 1, 1)>}> {note} : () -> ()
  protocol.publish at role 0 attributes {note}
  // CHECK: protocol.publish at stride(1, 1, 3)
  // GENERIC: "protocol.publish"() <{roles = #region.select<stride(1, 1, 3)>}> : () -> ()
  protocol.publish at stride(1, 1, 3)
}
