// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// What the members of a group give to the first of them, or directly to owners and to each other.

region.learner @mean attributes {owners = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {
  region.state @w : tensor<4xf64> = dense<0.0>
  region.samples @data[6] : (tensor<4xf64>) = dense<1.0>
  pointwise.contribution @pull(%w : tensor<4xf64>) sample(%x : tensor<4xf64>) -> (tensor<4xf64>) {
    pointwise.return %x
  }
  pointwise.update @step(%w : tensor<4xf64>, %g : tensor<4xf64>) -> (tensor<4xf64>) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : tensor<4xf64>
    %sum, %count = pointwise.sum @pull(%w) over @data : tensor<4xf64>
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : tensor<4xf64>
    region.advance @w = %w1
  }
}
shard.learner @mean owners #shard.owners<4, star, samples = [1, 2, 3, 0]> {
  shard.place @w replicated
  shard.place @data by [1, 2, 3, 0]
  shard.round {
    %w = shard.read @w : !shard.replica<tensor<4xf64>, +0>
    %c = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
    %t = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all : !shard.total<tensor<4xf64>, @data, all, +0>
    %g = shard.mean %t : !shard.replica<tensor<4xf64>, +0>
    %w1 = shard.update @step(%w, %g) : !shard.replica<tensor<4xf64>, +1>
    shard.agree %w1
    shard.advance @w = %w1
  }
}
#all = #protocol.group<universe = 4, epoch = 0, id = "6d65616e", stride(0, 1, 4)>
// CHECK: protocol.global @upwards of @mean group #protocol.group<universe = 4, epoch = 0, id = "6d65616e", stride(0, 1, 4)> {
// GENERIC: "protocol.global"() <{title = "upwards", learner = @mean, group = #protocol.group<universe = 4, epoch = 0, id = "6d65616e", stride(0, 1, 4)>}> ({
protocol.global @upwards of @mean group #all {
  // CHECK: %c, %x = protocol.local at stride(0, 1, 4) {
  // GENERIC: %c, %x = "protocol.local"() <{roles = #region.select<stride(0, 1, 4)>}> ({
  %c, %x = protocol.local at stride(0, 1, 4) {
    %w = shard.read @w : !shard.replica<tensor<4xf64>, +0>
    %c_0 = shard.contribute @pull(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>
    %x_0 = arith.constant 1.5 : f64
    // CHECK: protocol.yield %c_1, %x_1
    // GENERIC: "protocol.yield"(%c_1, %x_1) : (!shard.contribution<tensor<4xf64>, @data, +0>, f64) -> ()
    protocol.yield %c_0, %x_0
  }
  // Contributions, whose samples are those of the map: the first member has the total ...
  // CHECK: %t = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
  // GENERIC: %t = "protocol.reduce"(%c) <{contract = #region.contract<groups = [1, 2, 3, 0], combine = left>, map = #shard.map<[1, 2, 3, 0]>, way = "star"}> : (!protocol.at<!shard.contribution<tensor<4xf64>, @data, +0>, stride(0, 1, 4)>) -> !protocol.at<!shard.total<tensor<4xf64>, @data, role 0, +0>, role 0>
  %t = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star
  // CHECK: %u = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along tree<2> attributes {note}
  // GENERIC: %u = "protocol.reduce"(%c) <{contract = #region.contract<groups = [1, 2, 3, 0], combine = left>, map = #shard.map<[1, 2, 3, 0]>, way = "tree<2>"}> {note} : (!protocol.at<!shard.contribution<tensor<4xf64>, @data, +0>, stride(0, 1, 4)>) -> !protocol.at<!shard.total<tensor<4xf64>, @data, role 0, +0>, role 0>
  %u = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along tree<2> attributes {note}
  // On the way copies are compared: the first member has a verdict as well.
  // CHECK: %v, %verdict = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star agreeing %x
  // GENERIC: %v, %verdict = "protocol.reduce"(%c, %x) <{contract = #region.contract<groups = [1, 2, 3, 0], combine = left>, map = #shard.map<[1, 2, 3, 0]>, way = "star"}> : (!protocol.at<!shard.contribution<tensor<4xf64>, @data, +0>, stride(0, 1, 4)>, !protocol.at<f64, stride(0, 1, 4)>) -> (!protocol.at<!shard.total<tensor<4xf64>, @data, role 0, +0>, role 0>, !protocol.at<i64, role 0>)
  %v, %verdict = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> along star agreeing %x
  // CHECK: %q, %other = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1, 1], combine = left> along star agreeing %x, %x attributes {note}
  // GENERIC: %q, %other = "protocol.reduce"(%x, %x, %x) <{contract = #region.contract<groups = [1, 1, 1, 1], combine = left>, way = "star"}> {note} : (!protocol.at<f64, stride(0, 1, 4)>, !protocol.at<f64, stride(0, 1, 4)>, !protocol.at<f64, stride(0, 1, 4)>) -> (!protocol.at<f64, role 0>, !protocol.at<i64, role 0>)
  %q, %other = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1, 1], combine = left> along star agreeing %x, %x attributes {note}
  // ... or each owner that of its coordinates.
  // CHECK: %own = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> direct to owners cyclic
  // GENERIC: %own = "protocol.reduce"(%c) <{contract = #region.contract<groups = [1, 2, 3, 0], combine = left>, map = #shard.map<[1, 2, 3, 0]>, way = "direct", deliver = #shard.map<cyclic>}> : (!protocol.at<!shard.contribution<tensor<4xf64>, @data, +0>, stride(0, 1, 4)>) -> !protocol.at<!shard.total<tensor<4xf64>, @data, owners cyclic, +0>, stride(0, 1, 4)>
  %own = protocol.reduce sum %c by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 3, 0], combine = left> direct to owners cyclic
  // Words: one part a member.
  // CHECK: %s = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1, 1], combine = left> along tree<3>
  // GENERIC: %s = "protocol.reduce"(%x) <{contract = #region.contract<groups = [1, 1, 1, 1], combine = left>, way = "tree<3>"}> : (!protocol.at<f64, stride(0, 1, 4)>) -> !protocol.at<f64, role 0>
  %s = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1, 1], combine = left> along tree<3>
  // CHECK: %piece = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1, 1], combine = left> direct to owners block attributes {note = "kept"}
  // GENERIC: %piece = "protocol.reduce"(%x) <{contract = #region.contract<groups = [1, 1, 1, 1], combine = left>, way = "direct", deliver = #shard.map<block>}> {note = "kept"} : (!protocol.at<f64, stride(0, 1, 4)>) -> !protocol.at<!shard.owned<f64, block, +0>, stride(0, 1, 4)>
  %piece = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1, 1], combine = left> direct to owners block attributes {note = "kept"}
  // Pieces are put together at the first member or at every one.
  // CHECK: %whole = protocol.gather %own along star
  // GENERIC: %whole = "protocol.gather"(%own) <{way = "star"}> : (!protocol.at<!shard.total<tensor<4xf64>, @data, owners cyclic, +0>, stride(0, 1, 4)>) -> !protocol.at<!shard.total<tensor<4xf64>, @data, role 0, +0>, role 0>
  %whole = protocol.gather %own along star
  // CHECK: %everywhere = protocol.gather %own direct
  // GENERIC: %everywhere = "protocol.gather"(%own) <{way = "direct"}> : (!protocol.at<!shard.total<tensor<4xf64>, @data, owners cyclic, +0>, stride(0, 1, 4)>) -> !protocol.at<!shard.total<tensor<4xf64>, @data, all, +0>, stride(0, 1, 4)>
  %everywhere = protocol.gather %own direct
  // CHECK: %first = protocol.gather %piece along tree<2> attributes {note}
  // GENERIC: %first = "protocol.gather"(%piece) <{way = "tree<2>"}> {note} : (!protocol.at<!shard.owned<f64, block, +0>, stride(0, 1, 4)>) -> !protocol.at<!shard.replica<f64, +0>, role 0>
  %first = protocol.gather %piece along tree<2> attributes {note}
}
