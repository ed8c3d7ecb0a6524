// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// How owners exchange words: partition, replicate, release, transfer, combine.

// CHECK: %w, %m, %k = shard.read @w, @m, @k : !shard.replica<tensor<4xf64>, +0>, !shard.owned<tensor<4xf64>, cyclic, +0>, !shard.owned<tensor<4x3xf32>, rows<3, block>, +0>
// GENERIC: %w, %m, %k = "shard.read"() <{symbols = [@w, @m, @k]}> : () -> (!shard.replica<tensor<4xf64>, +0>, !shard.owned<tensor<4xf64>, cyclic, +0>, !shard.owned<tensor<4x3xf32>, rows<3, block>, +0>)
%w, %m, %k = shard.read @w, @m, @k : !shard.replica<tensor<4xf64>, +0>, !shard.owned<tensor<4xf64>, cyclic, +0>, !shard.owned<tensor<4x3xf32>, rows<3, block>, +0>

// CHECK: %c, %l = shard.contribute @gradient(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>, !shard.contribution<f64, @data, +0>
// GENERIC: %c, %l = "shard.contribute"(%w) <{callee = @gradient, samples = @data, map = #shard.map<[1, 2, 3, 0]>}> : (!shard.replica<tensor<4xf64>, +0>) -> (!shard.contribution<tensor<4xf64>, @data, +0>, !shard.contribution<f64, @data, +0>)
%c, %l = shard.contribute @gradient(%w) over @data by [1, 2, 3, 0] : !shard.contribution<tensor<4xf64>, @data, +0>, !shard.contribution<f64, @data, +0>

// Each owner keeps the words of its own coordinates of a replica.
// CHECK: %w_own = shard.partition %w by cyclic : !shard.owned<tensor<4xf64>, cyclic, +0>
// GENERIC: %w_own = "shard.partition"(%w) <{map = #shard.map<cyclic>}> : (!shard.replica<tensor<4xf64>, +0>) -> !shard.owned<tensor<4xf64>, cyclic, +0>
%w_own = shard.partition %w by cyclic : !shard.owned<tensor<4xf64>, cyclic, +0>

// CHECK: %w_sized = shard.partition %w by [0, 4] : !shard.owned<tensor<4xf64>, [0, 4], +0> attributes {note}
// GENERIC: %w_sized = "shard.partition"(%w) <{map = #shard.map<[0, 4]>}> {note} : (!shard.replica<tensor<4xf64>, +0>) -> !shard.owned<tensor<4xf64>, [0, 4], +0>
%w_sized = shard.partition %w by [0, 4] : !shard.owned<tensor<4xf64>, [0, 4], +0> attributes {note}

// CHECK: %w_rest = shard.partition %w by [stride(1, 1, 3), stride(0, 1, 1)] : !shard.owned<tensor<4xf64>, [stride(1, 1, 3), stride(0, 1, 1)], +0>
// GENERIC: %w_rest = "shard.partition"(%w) <{map = #shard.map<[stride(1, 1, 3), stride(0, 1, 1)]>}> : (!shard.replica<tensor<4xf64>, +0>) -> !shard.owned<tensor<4xf64>, [stride(1, 1, 3), stride(0, 1, 1)], +0>
%w_rest = shard.partition %w by [stride(1, 1, 3), stride(0, 1, 1)] : !shard.owned<tensor<4xf64>, [stride(1, 1, 3), stride(0, 1, 1)], +0>

// Every owner offers its words, and all get a copy until its release.
// CHECK: %m_all = shard.replicate %m : !shard.replica<tensor<4xf64>, +0>
// GENERIC: %m_all = "shard.replicate"(%m) : (!shard.owned<tensor<4xf64>, cyclic, +0>) -> !shard.replica<tensor<4xf64>, +0>
%m_all = shard.replicate %m : !shard.replica<tensor<4xf64>, +0>

// CHECK: %k_all = shard.replicate %k : !shard.replica<tensor<4x3xf32>, +0> attributes {note = "kept"}
// GENERIC: %k_all = "shard.replicate"(%k) {note = "kept"} : (!shard.owned<tensor<4x3xf32>, rows<3, block>, +0>) -> !shard.replica<tensor<4x3xf32>, +0>
%k_all = shard.replicate %k : !shard.replica<tensor<4x3xf32>, +0> attributes {note = "kept"}

// CHECK: shard.release %m_all
// GENERIC: "shard.release"(%m_all) : (!shard.replica<tensor<4xf64>, +0>) -> ()
shard.release %m_all

// CHECK: shard.release %k_all attributes {note}
// GENERIC: "shard.release"(%k_all) {note} : (!shard.replica<tensor<4x3xf32>, +0>) -> ()
shard.release %k_all attributes {note}

// Words move to the owners of another map.
// CHECK: %m_block = shard.transfer %m to block : !shard.owned<tensor<4xf64>, block, +0>
// GENERIC: %m_block = "shard.transfer"(%m) <{map = #shard.map<block>}> : (!shard.owned<tensor<4xf64>, cyclic, +0>) -> !shard.owned<tensor<4xf64>, block, +0>
%m_block = shard.transfer %m to block : !shard.owned<tensor<4xf64>, block, +0>

// CHECK: %m_one = shard.transfer %m_block to [empty, stride(0, 1, 4)] : !shard.owned<tensor<4xf64>, [empty, stride(0, 1, 4)], +0> attributes {note}
// GENERIC: %m_one = "shard.transfer"(%m_block) <{map = #shard.map<[empty, stride(0, 1, 4)]>}> {note} : (!shard.owned<tensor<4xf64>, block, +0>) -> !shard.owned<tensor<4xf64>, [empty, stride(0, 1, 4)], +0>
%m_one = shard.transfer %m_block to [empty, stride(0, 1, 4)] : !shard.owned<tensor<4xf64>, [empty, stride(0, 1, 4)], +0> attributes {note}

// Sums are combined by the contract and delivered to all, to one role or to the owners.
// CHECK: %all = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all : !shard.total<tensor<4xf64>, @data, all, +0>
// GENERIC: %all = "shard.combine"(%c) <{kind = "sum", contract = #region.contract<groups = [1, 2, 3, 0], combine = left>, deliver = #shard.where<all>}> : (!shard.contribution<tensor<4xf64>, @data, +0>) -> !shard.total<tensor<4xf64>, @data, all, +0>
%all = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> deliver all : !shard.total<tensor<4xf64>, @data, all, +0>

// CHECK: %one = shard.combine sum %l contract #region.contract<groups = [1, 2, 3, 0], combine = tree<2>> deliver role 3 : !shard.total<f64, @data, role 3, +0>
// GENERIC: %one = "shard.combine"(%l) <{kind = "sum", contract = #region.contract<groups = [1, 2, 3, 0], combine = tree<2>>, deliver = #shard.where<role 3>}> : (!shard.contribution<f64, @data, +0>) -> !shard.total<f64, @data, role 3, +0>
%one = shard.combine sum %l contract #region.contract<groups = [1, 2, 3, 0], combine = tree<2>> deliver role 3 : !shard.total<f64, @data, role 3, +0>

// CHECK: %own = shard.combine sum %c contract #region.contract<groups = [6], combine = left> deliver owners block_cyclic<2> : !shard.total<tensor<4xf64>, @data, owners block_cyclic<2>, +0>
// GENERIC: %own = "shard.combine"(%c) <{kind = "sum", contract = #region.contract<groups = [6], combine = left>, deliver = #shard.where<owners block_cyclic<2>>}> : (!shard.contribution<tensor<4xf64>, @data, +0>) -> !shard.total<tensor<4xf64>, @data, owners block_cyclic<2>, +0>
%own = shard.combine sum %c contract #region.contract<groups = [6], combine = left> deliver owners block_cyclic<2> : !shard.total<tensor<4xf64>, @data, owners block_cyclic<2>, +0>

// Another order of the groups than 0, 1, 2, ... is written out.
// CHECK: %ordered = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> order [1, 0, 2, 3] deliver all : !shard.total<tensor<4xf64>, @data, all, +0> attributes {note}
// GENERIC: %ordered = "shard.combine"(%c) <{kind = "sum", contract = #region.contract<groups = [1, 2, 3, 0], combine = left>, order = [#builtin.int<1>, #builtin.int<0>, #builtin.int<2>, #builtin.int<3>], deliver = #shard.where<all>}> {note} : (!shard.contribution<tensor<4xf64>, @data, +0>) -> !shard.total<tensor<4xf64>, @data, all, +0>
%ordered = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> order [1, 0, 2, 3] deliver all : !shard.total<tensor<4xf64>, @data, all, +0> attributes {note}

// CHECK: %ordered_own = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> order [0, 1, 3, 2] deliver owners [1, 3] : !shard.total<tensor<4xf64>, @data, owners [1, 3], +0>
// GENERIC: %ordered_own = "shard.combine"(%c) <{kind = "sum", contract = #region.contract<groups = [1, 2, 3, 0], combine = left>, order = [#builtin.int<0>, #builtin.int<1>, #builtin.int<3>, #builtin.int<2>], deliver = #shard.where<owners [1, 3]>}> : (!shard.contribution<tensor<4xf64>, @data, +0>) -> !shard.total<tensor<4xf64>, @data, owners [1, 3], +0>
%ordered_own = shard.combine sum %c contract #region.contract<groups = [1, 2, 3, 0], combine = left> order [0, 1, 3, 2] deliver owners [1, 3] : !shard.total<tensor<4xf64>, @data, owners [1, 3], +0>

// Disjoint pieces are assembled without arithmetic.
// CHECK: %selected = shard.combine select %m deliver all : !shard.replica<tensor<4xf64>, +0>
// GENERIC: %selected = "shard.combine"(%m) <{kind = "select", deliver = #shard.where<all>}> : (!shard.owned<tensor<4xf64>, cyclic, +0>) -> !shard.replica<tensor<4xf64>, +0>
%selected = shard.combine select %m deliver all : !shard.replica<tensor<4xf64>, +0>

// CHECK: %assembled = shard.combine select %k deliver all : !shard.replica<tensor<4x3xf32>, +0> attributes {note = "kept"}
// GENERIC: %assembled = "shard.combine"(%k) <{kind = "select", deliver = #shard.where<all>}> {note = "kept"} : (!shard.owned<tensor<4x3xf32>, rows<3, block>, +0>) -> !shard.replica<tensor<4x3xf32>, +0>
%assembled = shard.combine select %k deliver all : !shard.replica<tensor<4x3xf32>, +0> attributes {note = "kept"}
