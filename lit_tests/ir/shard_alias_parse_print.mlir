// RUN: alpha-opt %s | filecheck %s
// RUN: %roundtrip

// An alias stands for a map wherever a map is read, also inside another; it is printed in full.

#units = #shard.map<[3, 2, 1]>
#words = #shard.map<rows<5, #units>>
!weights = !shard.owned<tensor<6x5xf64>, #words, +0>

// CHECK: a = #shard.map<[3, 2, 1]>
// CHECK-SAME: b = #shard.map<rows<2, rows<5, [3, 2, 1]>>>
// CHECK-SAME: c = !shard.owned<tensor<6x5xf64>, rows<5, [3, 2, 1]>, +0>
// CHECK-SAME: d = #shard.where<owners [3, 2, 1]>
// CHECK-SAME: e = !shard.total<f64, @data, owners rows<5, [3, 2, 1]>, +0>
// CHECK-SAME: f = #shard.map<cyclic>
module attributes {
  a = #units,
  b = #shard.map<rows<2, #words>>,
  c = !weights,
  d = #shard.where<owners #units>,
  e = !shard.total<f64, @data, owners #words, +0>,
  f = #shard.map<#shard.map<cyclic>>
} {}
