// RUN: alpha-opt --project-role="role=1" --lower-protocol-to-linux %s | filecheck %s
// RUN: alpha-opt --project-role --lower-protocol-to-linux="role=0" %s | filecheck %s --check-prefix=FIRST

// A role's memory is one piece; its edges and their addresses are written there.
// CHECK-NOT: protocol.
// CHECK: func.func @alpha_role() {
// CHECK: func.call @alpha_begin(%{{.*}}, %{{.*}}, %{{.*}}) : (i64, !ptr_xdsl.ptr, i64) -> ()
// CHECK: func.call @alpha_store_begin(%{{.*}}) : (i64) -> ()
// CHECK: func.call @alpha_set_spin(%{{.*}}) : (i64) -> ()
// CHECK: %[[BYTES:.*]] = arith.constant {{[0-9]+}} : i64
// CHECK-NEXT: func.call @alpha_arena(%[[BYTES]]) : (i64) -> !ptr_xdsl.ptr
// CHECK: arith.constant 2130706433 : i64
// CHECK: func.call @alpha_establish(

// What comes in is looked at by alpha_receive, and the word that decides by alpha_require_arm.
// CHECK: func.call @alpha_receive(
// CHECK: %[[WORD:.*]] = ptr_xdsl.load %{{.*}} : !ptr_xdsl.ptr -> i64
// CHECK: func.call @alpha_require_arm(%[[WORD]], %{{.*}}) : (i64, i64) -> ()
// CHECK: arith.cmpi eq
// CHECK: scf.if
// CHECK: func.call @alpha_send(
// CHECK: } else {
// CHECK: func.call @alpha_send(

// A repeat that a word may end counts, and every round begins with alpha_round.
// FIRST: scf.while
// FIRST: arith.cmpi ult
// FIRST: func.call @alpha_round() : () -> ()
// FIRST: func.call @alpha_require_arm(
// FIRST: arith.cmpi ne
// FIRST: scf.yield

// CHECK: func.call @alpha_finish(
// CHECK: func.call @alpha_report_end(
// CHECK-NEXT: func.return

// With a learner: its programs become functions beside the role's own. What is updated is made where
// it lies (%[[M]], %[[V]]), of its own coordinates alone; what is assembled comes to lie at home.
// RUN: alpha-opt %examples/least_squares_adam.mlir --distribute="owners=3 topology=star samples=2,2,2" --partition-optimizer --lower-shard-to-protocol="rounds=7" --project-role="role=1" -o %t.one 2>/dev/null
// RUN: alpha-opt --lower-protocol-to-linux %t.one -o %t.code
// RUN: filecheck %s --check-prefix=LEARNER < %t.code
// RUN: alpha-opt %t.code | diff %t.code -
// LEARNER-DAG: "memref.global"() <{sym_name = "role.words.0", type = memref<4xi64>, initial_value = dense<[{{.*}}]> : tensor<4xi64>, sym_visibility = "private", constant, alignment = 64 : i64}>
// LEARNER: func.func private @program.gradient(
// LEARNER: func.func private @program.adam(
// LEARNER: func.func @alpha_role() {
// LEARNER: func.call @alpha_fill_f64(
// LEARNER: arith.constant 7 : index
// LEARNER: scf.for
// LEARNER: func.call @alpha_round() : () -> ()
// LEARNER: func.call @program.gradient(
// LEARNER: func.call @alpha_agree(
// LEARNER: func.call @alpha_send(
// LEARNER: func.call @alpha_receive(
// LEARNER: func.call @alpha_require_agreed(
// LEARNER: func.call @alpha_divide_f64(
// LEARNER: %[[COUNT:.*]] = arith.constant 1 : i64
// LEARNER-NEXT: func.call @program.adam({{.*}}, %[[COUNT]])
// LEARNER: func.call @alpha_require_finite_f64(
// LEARNER: func.call @alpha_report_progress(
// LEARNER: func.call @alpha_report_state(
// LEARNER-NOT: shard.

// Words of files lie in the role's data file, of which the code knows the size and the digest; the
// identity of the run follows from them, so who has read them says it.
// RUN: alpha-opt %examples/diabetes_sgd.mlir --distribute="owners=4" --lower-shard-to-protocol --project-role="role=2" -o %t.files 2>/dev/null
// RUN: alpha-opt %t.files --lower-protocol-to-linux="identity=1f825aa2f0020ef7cf91dfa30da4668d791c5d4824fc8e41354b89ec05795ab3" | filecheck %s --check-prefix=FILES
// FILES: linux.text "role-2.data"
// FILES: arith.constant 3904 : i64
// FILES: func.call @alpha_data(
// RUN: not alpha-opt %t.files --lower-protocol-to-linux 2>&1 | filecheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: [target-unsupported] expected identity=..., which follows from the words of the learner's files, found none
// RUN: not alpha-opt %t.files --lower-protocol-to-linux="identity=1f82" 2>&1 | filecheck %s --check-prefix=SHORT
// SHORT: error: [target-unsupported] expected identity=... with 64 hexadecimal digits in lower case, found '1f82'

// Refused: no role or several where one is wanted, and addresses that aren't those of the group.
// RUN: not alpha-opt --project-role --lower-protocol-to-linux %s 2>&1 | filecheck %s --check-prefix=SEVERAL
// SEVERAL: error: [protocol-role-range] expected the program of one role in the module, found those of roles 0, 1, 2
// RUN: not alpha-opt --project-role --lower-protocol-to-linux="role=3" %s 2>&1 | filecheck %s --check-prefix=ABSENT
// ABSENT: error: [protocol-role-range] expected that of role 3 in the module, found those of roles 0, 1, 2
// RUN: not alpha-opt --project-role="role=1" --lower-protocol-to-linux="addresses=127.0.0.1" %s 2>&1 | filecheck %s --check-prefix=FEW
// FEW: error: [protocol-role-range] expected 3 addresses, one a role of the group, found 1
// RUN: not alpha-opt --project-role="role=1" --lower-protocol-to-linux="addresses=127.0.0.1,127.0.0.2,localhost" %s 2>&1 | filecheck %s --check-prefix=NAME
// NAME: error: [target-unsupported] expected IPv4 addresses in dotted form, found 'localhost'
// RUN: alpha-opt --project-role="role=1" --lower-protocol-to-linux="addresses=127.0.0.1,127.0.0.2,127.0.0.3" %s | filecheck %s --check-prefix=ADDRESSES
// ADDRESSES: arith.constant 2130706435 : i64
// ADDRESSES: arith.constant 2130706434 : i64
// ADDRESSES: func.call @alpha_establish(

protocol.global @choice_gate group #protocol.group<universe = 3, epoch = 0, id = "67617465", stride(0, 1, 3)> {
  %arm, %x, %y = protocol.local at role 0 {
    %x = arith.constant 1.5 : f64
    %y = arith.constant 2.5 : f64
    %less = arith.cmpf olt, %x, %y : f64
    %arm = arith.extui %less : i1 to i64
    protocol.yield %arm, %x, %y
  }
  %z = protocol.choice %arm by 0 along [0 -> 1, 1 -> 2] {
    %a = protocol.transfer %y from 0 to 1
    %b = protocol.transfer %a from 1 to 2
    protocol.yield %b
  } {
    %a = protocol.transfer %x from 0 to 1
    %b = protocol.transfer %a from 1 to 2
    protocol.yield %b
  }
  // What role 2 got may decide again: who acts in the repeat hears whether it goes on.
  protocol.repeat 10 {
    %stop = protocol.local at role 2 (%z = %z) {
      %limit = arith.constant 2.0 : f64
      %small = arith.cmpf olt, %z, %limit : f64
      %stop = arith.extui %small : i1 to i64
      protocol.yield %stop
    }
    %c = protocol.transfer %z from 2 to 0
    protocol.until %stop by 2 along [2 -> 0]
  }
}
