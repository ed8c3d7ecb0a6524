// RUN: alpha-opt %s --project-role -o %t && filecheck %s < %t
// RUN: alpha-opt %t --check-schedules | diff %t -
// RUN: alpha-opt %s --project-role="role=1" | filecheck %s --check-prefix=ONE
// RUN: sed -e 's/universe = 7/universe = 1/; s/owners<7/owners<1/; s/stride(0, 1, 7)/stride(0, 1, 1)/' %s | alpha-opt --project-role | filecheck %s --check-prefix=ALONE

// Bytes and digests go up, that it is published comes down. A role that is alone stores its words too.

// CHECK: protocol.role @keep role 0 of @keep group {{.*}} resumed #protocol.start<7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> protocol "{{[0-9a-f]*}}" edges [1, 4] {
// CHECK: protocol.perform checkpoint site 1 over stride(0, 1, 7) {
// CHECK-NEXT: protocol.receive from 1 words 5 : i64
// CHECK-NEXT: protocol.receive from 4 words 5 : i64
// CHECK-NEXT: protocol.send to 1 part 1 words 1 : i64
// CHECK-NEXT: protocol.send to 4 part 1 words 1 : i64
// CHECK-NEXT: }
// CHECK: protocol.role @keep role 1 of @keep group {{.*}} resumed #protocol.start<7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> protocol "{{[0-9a-f]*}}" edges [0, 2, 3] {
// CHECK: protocol.perform checkpoint site 1 over stride(0, 1, 7) {
// CHECK-NEXT: protocol.receive from 2 words 5 : i64
// CHECK-NEXT: protocol.receive from 3 words 5 : i64
// CHECK-NEXT: protocol.send to 0 words 5 : i64
// CHECK-NEXT: protocol.receive from 0 part 1 words 1 : i64
// CHECK-NEXT: protocol.send to 2 part 1 words 1 : i64
// CHECK-NEXT: protocol.send to 3 part 1 words 1 : i64
// CHECK-NEXT: }
// CHECK: protocol.role @keep role 2
// CHECK: protocol.perform checkpoint site 1 over stride(0, 1, 7) {
// CHECK-NEXT: protocol.send to 1 words 5 : i64
// CHECK-NEXT: protocol.receive from 1 part 1 words 1 : i64
// CHECK-NEXT: }
// ONE-NOT: protocol.role @keep role 0
// ONE: protocol.role @keep role 1 of @keep group {{.*}} resumed #protocol.start<7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03">
// ONE: protocol.perform checkpoint site 1 over stride(0, 1, 7) {
// ONE-NEXT: protocol.receive from 2 words 5 : i64
// ONE-NOT: protocol.role @keep role 2
// ALONE: protocol.perform checkpoint site 1 over role 0 {
// ALONE-NEXT: }

region.learner @keep {
  region.state @w : f64 = 1.0
  region.state @v : tensor<3xf64> = dense<1.0>
  pointwise.update @halve(%w : f64, %v : tensor<3xf64>) -> (f64, tensor<3xf64>) {
    %half = arith.constant 0.5 : f64
    %w1 = arith.mulf %w, %half : f64
    %v1 = pointwise.map over [i : 3] (%a = %v[i]) {
      %b = arith.addf %a, %a : f64
      pointwise.yield %b
    } : tensor<3xf64>
    pointwise.return %w1, %v1
  }
  region.round {
    %w, %v = region.read @w, @v : f64, tensor<3xf64>
    %w1, %v1 = pointwise.apply @halve(%w, %v) : f64, tensor<3xf64>
    region.advance @w = %w1, @v = %v1
  }
}
shard.learner @keep owners #shard.owners<7, tree<2>> {
  shard.place @w replicated
  shard.place @v by cyclic
  shard.round {
    %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
    %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
    shard.agree %w1
    shard.advance @w = %w1, @v = %v1
  }
}
protocol.global @keep of @keep group #protocol.group<universe = 7, epoch = 0, id = "", stride(0, 1, 7)> resumed #protocol.start<7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> {
  protocol.repeat 3 {
    protocol.local at stride(0, 1, 7) {
      %w, %v = shard.read @w, @v : !shard.replica<f64, +0>, !shard.owned<tensor<3xf64>, cyclic, +0>
      %w1, %v1 = shard.update @halve(%w, %v) : !shard.replica<f64, +1>, !shard.owned<tensor<3xf64>, cyclic, +1>
      shard.advance @w = %w1, @v = %v1
    }
    protocol.checkpoint at stride(0, 1, 7) along tree<2>
  }
  protocol.publish at stride(0, 1, 7)
}
