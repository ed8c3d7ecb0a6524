// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// One frame from a role to another, words that go to other owners, and words that are compared.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
// CHECK: protocol.global @exchange group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> {
// GENERIC: "protocol.global"() <{title = "exchange", group = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>}> ({
protocol.global @exchange group #all {
  // CHECK: %x = protocol.local at stride(0, 1, 4) {
  // GENERIC: %x = "protocol.local"() <{roles = #region.select<stride(0, 1, 4)>}> ({
  %x = protocol.local at stride(0, 1, 4) {
    %a = arith.constant 1.5 : f64
    // CHECK: protocol.yield %a
    // GENERIC: "protocol.yield"(%a) : (f64) -> ()
    protocol.yield %a
  }
  // CHECK: %y = protocol.transfer %x from 2 to 0
  // GENERIC: %y = "protocol.transfer"(%x) <{sender = #builtin.int<2>, receiver = #builtin.int<0>}> : (!protocol.at<f64, stride(0, 1, 4)>) -> !protocol.at<f64, role 0>
  %y = protocol.transfer %x from 2 to 0
  // CHECK: %z = protocol.transfer %y from 0 to 3 attributes {note}
  // GENERIC: %z = "protocol.transfer"(%y) <{sender = #builtin.int<0>, receiver = #builtin.int<3>}> {note} : (!protocol.at<f64, role 0>) -> !protocol.at<f64, role 3>
  %z = protocol.transfer %y from 0 to 3 attributes {note}
  // Pieces: each role has the words of its own coordinates.
  // CHECK: %own = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1, 1], combine = left> direct to owners [empty, stride(0, 1, 1), empty, empty]
  // GENERIC: %own = "protocol.reduce"(%x) <{contract = #region.contract<groups = [1, 1, 1, 1], combine = left>, way = "direct", deliver = #shard.map<[empty, stride(0, 1, 1), empty, empty]>}> : (!protocol.at<f64, stride(0, 1, 4)>) -> !protocol.at<!shard.owned<f64, [empty, stride(0, 1, 1), empty, empty], +0>, stride(0, 1, 4)>
  %own = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1, 1], combine = left> direct to owners [empty, stride(0, 1, 1), empty, empty]
  // CHECK: %other = protocol.exchange %own to [1, 0, 0, 0] direct
  // GENERIC: %other = "protocol.exchange"(%own) <{map = #shard.map<[1, 0, 0, 0]>}> : (!protocol.at<!shard.owned<f64, [empty, stride(0, 1, 1), empty, empty], +0>, stride(0, 1, 4)>) -> !protocol.at<!shard.owned<f64, [1, 0, 0, 0], +0>, stride(0, 1, 4)>
  %other = protocol.exchange %own to [1, 0, 0, 0] direct
  // CHECK: %again = protocol.exchange %other to cyclic direct attributes {note = "kept"}
  // GENERIC: %again = "protocol.exchange"(%other) <{map = #shard.map<cyclic>}> {note = "kept"} : (!protocol.at<!shard.owned<f64, [1, 0, 0, 0], +0>, stride(0, 1, 4)>) -> !protocol.at<!shard.owned<f64, cyclic, +0>, stride(0, 1, 4)>
  %again = protocol.exchange %other to cyclic direct attributes {note = "kept"}
  // CHECK: protocol.agree %x along star
  // GENERIC: "protocol.agree"(%x) <{way = "star"}> : (!protocol.at<f64, stride(0, 1, 4)>) -> ()
  protocol.agree %x along star
  // CHECK: protocol.agree %x, %x along tree<2> attributes {note}
  // GENERIC: "protocol.agree"(%x, %x) <{way = "tree<2>"}> {note} : (!protocol.at<f64, stride(0, 1, 4)>, !protocol.at<f64, stride(0, 1, 4)>) -> ()
  protocol.agree %x, %x along tree<2> attributes {note}
}
