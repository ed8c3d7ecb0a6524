// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// Words of all roles that are stored, and a run that begins with what another one stored.

#all = #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)>
#seven = #protocol.start<7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03">
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
shard.learner @keep owners #shard.owners<3, star> {
  shard.place @w replicated
  shard.round {
    %w = shard.read @w : !shard.replica<f64, +0>
    %w1 = shard.update @halve(%w) : !shard.replica<f64, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
// CHECK: protocol.global @keep of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> resumed #protocol.start<7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> attributes {note} {
// GENERIC: "protocol.global"() <{title = "keep", learner = @keep, group = #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)>, resumed = #protocol.start<7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03">}> ({
protocol.global @keep of @keep group #all resumed #seven attributes {note} {
  // CHECK: protocol.checkpoint at stride(0, 1, 3) along star
  // GENERIC: "protocol.checkpoint"() <{members = #region.select<stride(0, 1, 3)>, way = "star"}> : () -> ()
  protocol.checkpoint at stride(0, 1, 3) along star
  // CHECK: protocol.checkpoint at role 2 along tree<64> attributes {note}
  // GENERIC: "protocol.checkpoint"() <{members = #region.select<stride(2, 1, 1)>, way = "tree<64>"}> {note} : () -> ()
  protocol.checkpoint at role 2 along tree<64> attributes {note}
  // CHECK: protocol.checkpoint at stride(0, 2, 2) along pair
  protocol.checkpoint at stride(0, 2, 2) along pair
}
// CHECK: protocol.role @keep role 1 of @keep group #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)> resumed #protocol.start<0, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> protocol "00" edges [0] {
// GENERIC: "protocol.role"() <{title = "keep", role = #builtin.int<1>, learner = @keep, group = #protocol.group<universe = 3, epoch = 0, id = "", stride(0, 1, 3)>, resumed = #protocol.start<0, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03">, protocol = "00", edges = [#builtin.int<0>]}> ({
protocol.role @keep role 1 of @keep group #all resumed #protocol.start<0, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> protocol "00" edges [0] {
  // CHECK: protocol.perform checkpoint site 4 over stride(0, 1, 3) attributes {note} {
  // CHECK-NEXT: protocol.send to 0 words 5 : i64
  // CHECK-NEXT: protocol.receive from 0 part 1 words 1 : i64
  // GENERIC: "protocol.perform"() <{kind = "checkpoint", site = #builtin.int<4>, members = #region.select<stride(0, 1, 3)>}> ({
  protocol.perform checkpoint site 4 over stride(0, 1, 3) attributes {note} {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
}
