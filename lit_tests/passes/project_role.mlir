// RUN: alpha-opt %s --project-role="role=1" | filecheck %s

// The program of a role stands in the place of its protocol; everything else stays.
// CHECK: region.state @w : f64 = 1.000000e+00
// CHECK-NEXT: protocol.role @greet role 1 group #protocol.group<universe = 3, epoch = 0, id = "6c73", stride(0, 1, 3)> protocol "{{[0-9a-f]+}}" edges [0] {
// CHECK-NEXT: %y = protocol.perform replicate site 0 {
// CHECK-NEXT: protocol.receive from 0 words 1 : f64
// CHECK-NEXT: } : !protocol.at<f64, role 1>
// CHECK-NEXT: }
// CHECK-NEXT: region.state @v : f64 = 2.000000e+00
// CHECK-NOT: protocol.global

// Several roles, in their order; without roles, all of the group. The digest is the same in all of them.
// RUN: alpha-opt %s --project-role="role=2,0" | filecheck %s --check-prefix=SOME
// SOME: protocol.role @greet role 2 {{.*}} protocol "[[DIGEST:[0-9a-f]+]]" edges [0] {
// SOME: protocol.role @greet role 0 {{.*}} protocol "[[DIGEST]]" edges [1, 2] {
// SOME-NOT: role 1 group
// RUN: alpha-opt %s --project-role | filecheck %s --check-prefix=EACH
// EACH: protocol.role @greet role 0
// EACH: protocol.role @greet role 1
// EACH: protocol.role @greet role 2

// A learner's protocol: the learner and its distribution stay, and so does local work.
// RUN: alpha-opt %examples/least_squares_adam.mlir --lower-shard-to-protocol="rounds=5" -o %t.all
// RUN: sed '/^  protocol.global/,/^  }/d' %t.all > %t.shards
// RUN: alpha-opt %t.all --project-role="role=3" -o %t.three
// RUN: sed '/^  protocol.role/,/^  }/d' %t.three | diff %t.shards -
// RUN: filecheck %s --check-prefix=LEARNER < %t.three
// LEARNER: protocol.role @least_squares_adam role 3 of @least_squares_adam
// LEARNER: protocol.repeat 5 site 0 {
// LEARNER: shard.contribute @gradient
// LEARNER: protocol.perform reduce site 1
// LEARNER: protocol.send to 0 part 3
// LEARNER: protocol.perform replicate site 2
// LEARNER: protocol.receive from 0 count 6
// LEARNER-NOT: shard.observe
// LEARNER: shard.advance
// LEARNER: protocol.publish at role 3

// What is printed reads back to the same, in either form.
// RUN: alpha-opt %t.three | diff %t.three -
// RUN: alpha-opt %t.three --print-op-generic | alpha-opt | diff %t.three -

// 200,000 roles cost what one has to do.
// RUN: sed 's/universe = 3/universe = 200000/; s/stride(0, 1, 3)/stride(0, 1, 200000)/g; s/along star/along tree<64>/' %s > %t.many.mlir
// RUN: alpha-opt %t.many.mlir --project-role="role=123456" | filecheck %s --check-prefix=MANY
// MANY: protocol.role @greet role 123456 group #protocol.group<universe = 200000, epoch = 0, id = "6c73", stride(0, 1, 200000)> protocol "{{[0-9a-f]+}}" edges [{{[0-9]+}}] {

// Refused: roles that there aren't or that are of no group, and what can't be projected.
// RUN: not alpha-opt %s --project-role="role=3" 2>&1 | filecheck %s --check-prefix=RANGE
// RANGE: error: [protocol-role-range] expected a role from 0 to 2, found 3
// RUN: sed 's/universe = 3, epoch = 0, id = "6c73", stride(0, 1, 3)/universe = 9, epoch = 0, id = "6c73", stride(0, 1, 3)/' %s > %t.part.mlir
// RUN: not alpha-opt %t.part.mlir --project-role="role=3" 2>&1 | filecheck %s --check-prefix=MEMBER
// MEMBER: error: [protocol-group-scope] expected a member of stride(0, 1, 3), found role 3
// RUN: not alpha-opt %S/Inputs/uninformed.mlir --project-role="role=0" 2>&1 | filecheck %s --check-prefix=UNTOLD
// UNTOLD: error: [protocol-choice-uninformed] expected role 1 to know which arm is taken, found no selector and no route to it in []

region.state @w : f64 = 1.0
#all = #protocol.group<universe = 3, epoch = 0, id = "6c73", stride(0, 1, 3)>
protocol.global @greet group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.replicate %x along star over stride(0, 1, 3)
}
region.state @v : f64 = 2.0
