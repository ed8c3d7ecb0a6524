// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// One role decides which arm is taken, and tells those for whom it makes a difference.

#all = #protocol.group<universe = 8, epoch = 0, id = "6c73", stride(0, 1, 8)>
// CHECK: protocol.global @choice group #protocol.group<universe = 8, epoch = 0, id = "6c73", stride(0, 1, 8)> {
// GENERIC: "protocol.global"() <{title = "choice", group = #protocol.group<universe = 8, epoch = 0, id = "6c73", stride(0, 1, 8)>}> ({
protocol.global @choice group #all {
  // CHECK: %x, %s = protocol.local at role 0 {
  // GENERIC: %x, %s = "protocol.local"() <{roles = #region.select<stride(0, 1, 1)>}> ({
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 0 : i64
    // CHECK: protocol.yield %a, %b
    // GENERIC: "protocol.yield"(%a, %b) : (f64, i64) -> ()
    protocol.yield %a, %b
  }
  // CHECK: protocol.choice %s by 0 along [] {
  // GENERIC: "protocol.choice"(%s) <{authority = #builtin.int<0>, routes = #protocol.routes<[]>}> ({
  protocol.choice %s by 0 along [] {
    // CHECK: protocol.local at role 0 {
    // GENERIC: "protocol.local"() <{roles = #region.select<stride(0, 1, 1)>}> ({
    protocol.local at role 0 {
      // CHECK: protocol.yield
      // GENERIC: "protocol.yield"() : () -> ()
      protocol.yield
    }
  } {
  }
  // Who is told can tell others.
  // CHECK: protocol.choice %s by 0 along [0 -> 1, 1 -> 2] attributes {note} {
  // GENERIC: "protocol.choice"(%s) <{authority = #builtin.int<0>, routes = #protocol.routes<[0 -> 1, 1 -> 2]>}> ({
  protocol.choice %s by 0 along [0 -> 1, 1 -> 2] attributes {note} {
    // CHECK: %y = protocol.replicate %x along star over stride(0, 1, 3)
    // GENERIC: %y = "protocol.replicate"(%x) <{way = "star", members = #region.select<stride(0, 1, 3)>}> : (!protocol.at<f64, role 0>) -> !protocol.at<f64, stride(0, 1, 3)>
    %y = protocol.replicate %x along star over stride(0, 1, 3)
  } {
  } {
    // CHECK: %y_1 = protocol.replicate %x along tree<1> over stride(0, 1, 3)
    // GENERIC: %y_1 = "protocol.replicate"(%x) <{way = "tree<1>", members = #region.select<stride(0, 1, 3)>}> : (!protocol.at<f64, role 0>) -> !protocol.at<f64, stride(0, 1, 3)>
    %y = protocol.replicate %x along tree<1> over stride(0, 1, 3)
  }
  // Many are told along a topology.
  // CHECK: protocol.choice %s by 0 along tree<2> over stride(0, 1, 8) {
  // GENERIC: "protocol.choice"(%s) <{authority = #builtin.int<0>, routes = #protocol.routes<tree<2> over stride(0, 1, 8)>}> ({
  protocol.choice %s by 0 along tree<2> over stride(0, 1, 8) {
  } {
    // CHECK: %y_2 = protocol.replicate %x along tree<2> over stride(0, 1, 8)
    // GENERIC: %y_2 = "protocol.replicate"(%x) <{way = "tree<2>", members = #region.select<stride(0, 1, 8)>}> : (!protocol.at<f64, role 0>) -> !protocol.at<f64, stride(0, 1, 8)>
    %y = protocol.replicate %x along tree<2> over stride(0, 1, 8)
  }
  // CHECK: protocol.choice %s by 0 along pair over join(stride(0, 1, 1), stride(5, 1, 1)) {
  // GENERIC: "protocol.choice"(%s) <{authority = #builtin.int<0>, routes = #protocol.routes<pair over join(stride(0, 1, 1), stride(5, 1, 1))>}> ({
  protocol.choice %s by 0 along pair over join(stride(0, 1, 1), stride(5, 1, 1)) {
    // CHECK: %y_3 = protocol.transfer %x from 0 to 5
    // GENERIC: %y_3 = "protocol.transfer"(%x) <{sender = #builtin.int<0>, receiver = #builtin.int<5>}> : (!protocol.at<f64, role 0>) -> !protocol.at<f64, role 5>
    %y = protocol.transfer %x from 0 to 5
  } {
  }
  // What roles have from every arm they have afterwards; nobody is told who has the selector.
  // CHECK: %r = protocol.choice %s {
  // GENERIC: %r = "protocol.choice"(%s) ({
  %r = protocol.choice %s {
    // CHECK: protocol.yield %x
    // GENERIC: "protocol.yield"(%x) : (!protocol.at<f64, role 0>) -> ()
    protocol.yield %x
  } {
    // CHECK: %y_4 = protocol.local at role 0 {
    // GENERIC: %y_4 = "protocol.local"() <{roles = #region.select<stride(0, 1, 1)>}> ({
    %y = protocol.local at role 0 {
      %c = arith.constant 2.5 : f64
      // CHECK: protocol.yield %c
      // GENERIC: "protocol.yield"(%c) : (f64) -> ()
      protocol.yield %c
    }
    // CHECK: protocol.yield %y_4
    // GENERIC: "protocol.yield"(%y_4) : (!protocol.at<f64, role 0>) -> ()
    protocol.yield %y
  }
  // A selector that is held can be used again.
  // CHECK: %t = protocol.replicate %s along star over stride(0, 1, 2)
  // GENERIC: %t = "protocol.replicate"(%s) <{way = "star", members = #region.select<stride(0, 1, 2)>}> : (!protocol.at<i64, role 0>) -> !protocol.at<i64, stride(0, 1, 2)>
  %t = protocol.replicate %s along star over stride(0, 1, 2)
  // CHECK: %u = protocol.choice %t {
  // GENERIC: %u = "protocol.choice"(%t) ({
  %u = protocol.choice %t {
    // CHECK: %y_5 = protocol.replicate %x along star over stride(0, 1, 2)
    // GENERIC: %y_5 = "protocol.replicate"(%x) <{way = "star", members = #region.select<stride(0, 1, 2)>}> : (!protocol.at<f64, role 0>) -> !protocol.at<f64, stride(0, 1, 2)>
    %y = protocol.replicate %x along star over stride(0, 1, 2)
    // CHECK: protocol.yield %y_5
    // GENERIC: "protocol.yield"(%y_5) : (!protocol.at<f64, stride(0, 1, 2)>) -> ()
    protocol.yield %y
  } {
    // CHECK: %y_6 = protocol.replicate %r along star over stride(0, 1, 2)
    // GENERIC: %y_6 = "protocol.replicate"(%r) <{way = "star", members = #region.select<stride(0, 1, 2)>}> : (!protocol.at<f64, role 0>) -> !protocol.at<f64, stride(0, 1, 2)>
    %y = protocol.replicate %r along star over stride(0, 1, 2)
    // CHECK: protocol.yield %y_6
    // GENERIC: "protocol.yield"(%y_6) : (!protocol.at<f64, stride(0, 1, 2)>) -> ()
    protocol.yield %y
  }
}
