// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// What the first member of a group gives to all of them: the same words, or to each its own.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
// CHECK: protocol.global @downwards group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> {
// GENERIC: "protocol.global"() <{title = "downwards", group = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>}> ({
protocol.global @downwards group #all {
  // CHECK: %x = protocol.local at role 0 {
  // GENERIC: %x = "protocol.local"() <{roles = #region.select<stride(0, 1, 1)>}> ({
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    // CHECK: protocol.yield %a
    // GENERIC: "protocol.yield"(%a) : (f64) -> ()
    protocol.yield %a
  }
  // CHECK: %y = protocol.replicate %x along star over stride(0, 1, 4)
  // GENERIC: %y = "protocol.replicate"(%x) <{way = "star", members = #region.select<stride(0, 1, 4)>}> : (!protocol.at<f64, role 0>) -> !protocol.at<f64, stride(0, 1, 4)>
  %y = protocol.replicate %x along star over stride(0, 1, 4)
  // CHECK: %z = protocol.replicate %x along tree<2> over join(stride(0, 1, 1), stride(2, 1, 2)) attributes {note}
  // GENERIC: %z = "protocol.replicate"(%x) <{way = "tree<2>", members = #region.select<join(stride(0, 1, 1), stride(2, 1, 2))>}> {note} : (!protocol.at<f64, role 0>) -> !protocol.at<f64, join(stride(0, 1, 1), stride(2, 1, 2))>
  %z = protocol.replicate %x along tree<2> over join(stride(0, 1, 1), stride(2, 1, 2)) attributes {note}
  // CHECK: %p = protocol.replicate %x along pair over stride(0, 3, 2)
  // GENERIC: %p = "protocol.replicate"(%x) <{way = "pair", members = #region.select<stride(0, 3, 2)>}> : (!protocol.at<f64, role 0>) -> !protocol.at<f64, stride(0, 3, 2)>
  %p = protocol.replicate %x along pair over stride(0, 3, 2)
  // The verdict on copies that were compared goes along.
  // CHECK: %t, %verdict = protocol.reduce sum %y contract #region.contract<groups = [1, 1, 1, 1], combine = left> along star agreeing %y
  // GENERIC: %t, %verdict = "protocol.reduce"(%y, %y) <{contract = #region.contract<groups = [1, 1, 1, 1], combine = left>, way = "star"}> : (!protocol.at<f64, stride(0, 1, 4)>, !protocol.at<f64, stride(0, 1, 4)>) -> (!protocol.at<f64, role 0>, !protocol.at<i64, role 0>)
  %t, %verdict = protocol.reduce sum %y contract #region.contract<groups = [1, 1, 1, 1], combine = left> along star agreeing %y
  // CHECK: %u = protocol.replicate %t along star over stride(0, 1, 4) with %verdict attributes {note}
  // GENERIC: %u = "protocol.replicate"(%t, %verdict) <{way = "star", members = #region.select<stride(0, 1, 4)>}> {note} : (!protocol.at<f64, role 0>, !protocol.at<i64, role 0>) -> !protocol.at<f64, stride(0, 1, 4)>
  %u = protocol.replicate %t along star over stride(0, 1, 4) with %verdict attributes {note}
  // CHECK: %piece = protocol.reduce sum %y contract #region.contract<groups = [1, 1, 1, 1], combine = left> direct to owners block
  // GENERIC: %piece = "protocol.reduce"(%y) <{contract = #region.contract<groups = [1, 1, 1, 1], combine = left>, way = "direct", deliver = #shard.map<block>}> : (!protocol.at<f64, stride(0, 1, 4)>) -> !protocol.at<!shard.owned<f64, block, +0>, stride(0, 1, 4)>
  %piece = protocol.reduce sum %y contract #region.contract<groups = [1, 1, 1, 1], combine = left> direct to owners block
  // CHECK: %whole = protocol.gather %piece along star
  // GENERIC: %whole = "protocol.gather"(%piece) <{way = "star"}> : (!protocol.at<!shard.owned<f64, block, +0>, stride(0, 1, 4)>) -> !protocol.at<!shard.replica<f64, +0>, role 0>
  %whole = protocol.gather %piece along star
  // CHECK: %own = protocol.scatter %whole by cyclic along star over stride(0, 1, 4)
  // GENERIC: %own = "protocol.scatter"(%whole) <{map = #shard.map<cyclic>, way = "star", members = #region.select<stride(0, 1, 4)>}> : (!protocol.at<!shard.replica<f64, +0>, role 0>) -> !protocol.at<!shard.owned<f64, cyclic, +0>, stride(0, 1, 4)>
  %own = protocol.scatter %whole by cyclic along star over stride(0, 1, 4)
  // CHECK: %half = protocol.scatter %whole by [0, 1, 0, 0] along tree<1> over stride(0, 1, 2) attributes {note = "kept"}
  // GENERIC: %half = "protocol.scatter"(%whole) <{map = #shard.map<[0, 1, 0, 0]>, way = "tree<1>", members = #region.select<stride(0, 1, 2)>}> {note = "kept"} : (!protocol.at<!shard.replica<f64, +0>, role 0>) -> !protocol.at<!shard.owned<f64, [0, 1, 0, 0], +0>, stride(0, 1, 2)>
  %half = protocol.scatter %whole by [0, 1, 0, 0] along tree<1> over stride(0, 1, 2) attributes {note = "kept"}
}
