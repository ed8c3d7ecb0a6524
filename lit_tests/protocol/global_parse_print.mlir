// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// What all roles of a group do together; a learner's protocol names the learner.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
#even = #protocol.group<universe = 6, epoch = 3, id = "", stride(0, 2, 3)>
// CHECK: protocol.global @nothing group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> {
// GENERIC: "protocol.global"() <{title = "nothing", group = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>}> ({
protocol.global @nothing group #all {
}

// CHECK: protocol.global @"a greeting" group #protocol.group<universe = 6, epoch = 3, id = "", stride(0, 2, 3)> attributes {note} {
// GENERIC: "protocol.global"() <{title = "a greeting", group = #protocol.group<universe = 6, epoch = 3, id = "", stride(0, 2, 3)>}> ({
protocol.global @"a greeting" group #even attributes {note} {
  // CHECK: %x = protocol.local at role 0 {
  // GENERIC: %x = "protocol.local"() <{roles = #region.select<stride(0, 1, 1)>}> ({
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    // CHECK: protocol.yield %a
    // GENERIC: "protocol.yield"(%a) : (f64) -> ()
    protocol.yield %a
  }
  // CHECK: %y = protocol.transfer %x from 0 to 4
  // GENERIC: %y = "protocol.transfer"(%x) <{sender = #builtin.int<0>, receiver = #builtin.int<4>}> : (!protocol.at<f64, role 0>) -> !protocol.at<f64, role 4>
  %y = protocol.transfer %x from 0 to 4
}

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
// CHECK: protocol.global @train of @keep group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> {
// GENERIC: "protocol.global"() <{title = "train", learner = @keep, group = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>}> ({
protocol.global @train of @keep group #all {
  // CHECK: protocol.publish at stride(0, 1, 4)
  // GENERIC: "protocol.publish"() <{roles = #region.select<stride(0, 1, 4)>}> : () -> ()
  protocol.publish at stride(0, 1, 4)
}
