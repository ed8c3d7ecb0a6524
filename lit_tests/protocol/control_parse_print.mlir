// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// Repeats with a bound, which may end early, and scopes in which fewer roles act.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
// CHECK: protocol.global @control group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> {
// GENERIC: "protocol.global"() <{title = "control", group = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>}> ({
protocol.global @control group #all {
  // CHECK: %x, %s = protocol.local at stride(0, 1, 2) {
  // GENERIC: %x, %s = "protocol.local"() <{roles = #region.select<stride(0, 1, 2)>}> ({
  %x, %s = protocol.local at stride(0, 1, 2) {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 0 : i64
    // CHECK: protocol.yield %a, %b
    // GENERIC: "protocol.yield"(%a, %b) : (f64, i64) -> ()
    protocol.yield %a, %b
  }
  // CHECK: protocol.repeat 9223372036854775807 {
  // GENERIC: "protocol.repeat"() <{bound = #builtin.int<9223372036854775807>}> ({
  protocol.repeat 9223372036854775807 {
  }
  // Values are carried round it.
  // CHECK: %y, %z = protocol.repeat 5 (%u = %x, %v = %x) attributes {note} {
  // GENERIC: %y, %z = "protocol.repeat"(%x, %x) <{bound = #builtin.int<5>}> ({
  %y, %z = protocol.repeat 5 (%u = %x, %v = %x) attributes {note} {
    // CHECK: protocol.yield %v, %u
    // GENERIC: "protocol.yield"(%v, %u) : (!protocol.at<f64, stride(0, 1, 2)>, !protocol.at<f64, stride(0, 1, 2)>) -> ()
    protocol.yield %v, %u
  }
  // It ends on the word 1; all roles have the word, or one tells the others.
  // CHECK: protocol.repeat 5 {
  // GENERIC: "protocol.repeat"() <{bound = #builtin.int<5>}> ({
  protocol.repeat 5 {
    // CHECK: protocol.until %s
    // GENERIC: "protocol.until"(%s) : (!protocol.at<i64, stride(0, 1, 2)>) -> ()
    protocol.until %s
  }
  // CHECK: %q = protocol.repeat 5 (%u_1 = %x) {
  // GENERIC: %q = "protocol.repeat"(%x) <{bound = #builtin.int<5>}> ({
  %q = protocol.repeat 5 (%u = %x) {
    // CHECK: protocol.until %s by 0 along [0 -> 1] yields %u_1 attributes {note}
    // GENERIC: "protocol.until"(%s, %u_1) <{authority = #builtin.int<0>, routes = #protocol.routes<[0 -> 1]>}> {note} : (!protocol.at<i64, stride(0, 1, 2)>, !protocol.at<f64, stride(0, 1, 2)>) -> ()
    protocol.until %s by 0 along [0 -> 1] yields %u attributes {note}
  }
  // CHECK: protocol.repeat 5 {
  // GENERIC: "protocol.repeat"() <{bound = #builtin.int<5>}> ({
  protocol.repeat 5 {
    // CHECK: %t = protocol.replicate %x along tree<64> over stride(0, 1, 4)
    // GENERIC: %t = "protocol.replicate"(%x) <{way = "tree<64>", members = #region.select<stride(0, 1, 4)>}> : (!protocol.at<f64, stride(0, 1, 2)>) -> !protocol.at<f64, stride(0, 1, 4)>
    %t = protocol.replicate %x along tree<64> over stride(0, 1, 4)
    // CHECK: protocol.until %s by 0 along tree<64> over stride(0, 1, 4)
    // GENERIC: "protocol.until"(%s) <{authority = #builtin.int<0>, routes = #protocol.routes<tree<64> over stride(0, 1, 4)>}> : (!protocol.at<i64, stride(0, 1, 2)>) -> ()
    protocol.until %s by 0 along tree<64> over stride(0, 1, 4)
  }
  // In a scope, some roles act.
  // CHECK: protocol.scope role 2 {
  // GENERIC: "protocol.scope"() <{roles = #region.select<stride(2, 1, 1)>}> ({
  protocol.scope role 2 {
  }
  // CHECK: %t_1, %r = protocol.scope stride(0, 1, 2) attributes {note = "kept"} {
  // GENERIC: %t_1, %r = "protocol.scope"() <{roles = #region.select<stride(0, 1, 2)>}> ({
  %t, %r = protocol.scope stride(0, 1, 2) attributes {note = "kept"} {
    // CHECK: %d = protocol.transfer %x from 0 to 1
    // GENERIC: %d = "protocol.transfer"(%x) <{sender = #builtin.int<0>, receiver = #builtin.int<1>}> : (!protocol.at<f64, stride(0, 1, 2)>) -> !protocol.at<f64, role 1>
    %d = protocol.transfer %x from 0 to 1
    // CHECK: protocol.yield %d, %x
    // GENERIC: "protocol.yield"(%d, %x) : (!protocol.at<f64, role 1>, !protocol.at<f64, stride(0, 1, 2)>) -> ()
    protocol.yield %d, %x
  }
}
