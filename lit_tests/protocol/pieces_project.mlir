// RUN: alpha-opt %s --project-role=role=0 | filecheck %s --check-prefix=ROLE0
// RUN: alpha-opt %s --project-role=role=1 | filecheck %s --check-prefix=ROLE1
// RUN: alpha-opt %s --project-role=role=2 | filecheck %s --check-prefix=ROLE2
// RUN: alpha-opt %s --project-role=role=0,1,2 -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %t --print-op-generic | alpha-opt | diff %t -

// Pieces of four words, of which each of three roles owns some.

// The first role.
// ROLE0: protocol.role @train role 0 group #protocol.group<universe = 3, epoch = 0, id = "6c73", stride(0, 1, 3)> protocol "{{[0-9a-f]+}}" edges [1, 2] {
// ROLE0-NEXT: %x = protocol.local at role 0 {
// ROLE0-NEXT: %c = arith.constant 1.500000e+00 : f64
// ROLE0-NEXT: %a = pointwise.map over [i : 4] (%b = %c) {
// ROLE0-NEXT: pointwise.yield %b
// ROLE0-NEXT: } : tensor<4xf64>
// ROLE0-NEXT: protocol.yield %a
// ROLE0-NEXT: }
// ROLE0-NEXT: %own = protocol.perform reduce site 0 %x contract #region.contract<groups = [1, 1, 1], combine = left> owners [1, 3, 0] {
// ROLE0-NEXT: protocol.send to 1 count 1 words 3 : f64
// ROLE0-NEXT: protocol.receive from 1 part 1 count 1 words 1 : f64
// ROLE0-NEXT: protocol.add [1] into 0
// ROLE0-NEXT: protocol.receive from 2 part 2 count 1 words 1 : f64
// ROLE0-NEXT: protocol.add [2] into 0
// ROLE0-NEXT: } : !protocol.at<!shard.owned<tensor<4xf64>, [1, 3, 0], +0>, role 0>
// ROLE0-NEXT: %other = protocol.perform exchange site 1 %own by [1, 3, 0] owners cyclic over stride(0, 1, 3) {
// ROLE0-NEXT: protocol.receive from 1 words 1 : f64
// ROLE0-NEXT: } : !protocol.at<!shard.owned<tensor<4xf64>, cyclic, +0>, role 0>
// ROLE0-NEXT: %everywhere = protocol.perform gather site 2 %other by cyclic over stride(0, 1, 3) {
// ROLE0-NEXT: protocol.send to 1 words 2 : f64
// ROLE0-NEXT: protocol.receive from 1 words 1 : f64
// ROLE0-NEXT: protocol.send to 2 words 2 : f64
// ROLE0-NEXT: protocol.receive from 2 words 1 : f64
// ROLE0-NEXT: } : !protocol.at<!shard.replica<tensor<4xf64>, +0>, role 0>
// ROLE0-NEXT: %whole = protocol.perform gather site 3 %other by cyclic over stride(0, 1, 3) {
// ROLE0-NEXT: protocol.receive from 1 words 1 : f64
// ROLE0-NEXT: protocol.receive from 2 words 1 : f64
// ROLE0-NEXT: } : !protocol.at<!shard.replica<tensor<4xf64>, +0>, role 0>
// ROLE0-NEXT: %again = protocol.perform scatter site 4 %whole by block over stride(0, 1, 3) {
// ROLE0-NEXT: protocol.send to 1 words 2 : f64
// ROLE0-NEXT: } : !protocol.at<!shard.owned<tensor<4xf64>, block, +0>, role 0>
// ROLE0-NEXT: }

// The second.
// ROLE1: protocol.role @train role 1 group #protocol.group<universe = 3, epoch = 0, id = "6c73", stride(0, 1, 3)> protocol "{{[0-9a-f]+}}" edges [0, 2] {
// ROLE1-NEXT: %x = protocol.local at role 1 {
// ROLE1-NEXT: %c = arith.constant 1.500000e+00 : f64
// ROLE1-NEXT: %a = pointwise.map over [i : 4] (%b = %c) {
// ROLE1-NEXT: pointwise.yield %b
// ROLE1-NEXT: } : tensor<4xf64>
// ROLE1-NEXT: protocol.yield %a
// ROLE1-NEXT: }
// ROLE1-NEXT: %own = protocol.perform reduce site 0 %x contract #region.contract<groups = [1, 1, 1], combine = left> part 1 owners [1, 3, 0] {
// ROLE1-NEXT: protocol.receive from 2 part 2 count 1 words 3 : f64
// ROLE1-NEXT: protocol.receive from 0 count 1 words 3 : f64
// ROLE1-NEXT: protocol.add [1, 2] into 0
// ROLE1-NEXT: protocol.send to 0 part 1 count 1 words 1 : f64
// ROLE1-NEXT: } : !protocol.at<!shard.owned<tensor<4xf64>, [1, 3, 0], +0>, role 1>
// ROLE1-NEXT: %other = protocol.perform exchange site 1 %own by [1, 3, 0] owners cyclic over stride(0, 1, 3) {
// ROLE1-NEXT: protocol.send to 2 words 1 : f64
// ROLE1-NEXT: protocol.send to 0 words 1 : f64
// ROLE1-NEXT: } : !protocol.at<!shard.owned<tensor<4xf64>, cyclic, +0>, role 1>
// ROLE1-NEXT: %everywhere = protocol.perform gather site 2 %other by cyclic over stride(0, 1, 3) {
// ROLE1-NEXT: protocol.send to 2 words 1 : f64
// ROLE1-NEXT: protocol.receive from 2 words 1 : f64
// ROLE1-NEXT: protocol.receive from 0 words 2 : f64
// ROLE1-NEXT: protocol.send to 0 words 1 : f64
// ROLE1-NEXT: } : !protocol.at<!shard.replica<tensor<4xf64>, +0>, role 1>
// ROLE1-NEXT: protocol.perform gather site 3 %other by cyclic over stride(0, 1, 3) {
// ROLE1-NEXT: protocol.send to 0 words 1 : f64
// ROLE1-NEXT: }
// ROLE1-NEXT: %again = protocol.perform scatter site 4 by block over stride(0, 1, 3) {
// ROLE1-NEXT: protocol.receive from 0 words 2 : f64
// ROLE1-NEXT: protocol.send to 2 words 1 : f64
// ROLE1-NEXT: } : !protocol.at<!shard.owned<tensor<4xf64>, block, +0>, role 1>
// ROLE1-NEXT: }

// The third, which owns nothing at first.
// ROLE2: protocol.role @train role 2 group #protocol.group<universe = 3, epoch = 0, id = "6c73", stride(0, 1, 3)> protocol "{{[0-9a-f]+}}" edges [0, 1] {
// ROLE2-NEXT: %x = protocol.local at role 2 {
// ROLE2-NEXT: %c = arith.constant 1.500000e+00 : f64
// ROLE2-NEXT: %a = pointwise.map over [i : 4] (%b = %c) {
// ROLE2-NEXT: pointwise.yield %b
// ROLE2-NEXT: } : tensor<4xf64>
// ROLE2-NEXT: protocol.yield %a
// ROLE2-NEXT: }
// ROLE2-NEXT: %own = protocol.perform reduce site 0 %x contract #region.contract<groups = [1, 1, 1], combine = left> part 2 owners [1, 3, 0] {
// ROLE2-NEXT: protocol.send to 1 part 2 count 1 words 3 : f64
// ROLE2-NEXT: protocol.send to 0 part 2 count 1 words 1 : f64
// ROLE2-NEXT: } : !protocol.at<!shard.owned<tensor<4xf64>, [1, 3, 0], +0>, role 2>
// ROLE2-NEXT: %other = protocol.perform exchange site 1 %own by [1, 3, 0] owners cyclic over stride(0, 1, 3) {
// ROLE2-NEXT: protocol.receive from 1 words 1 : f64
// ROLE2-NEXT: } : !protocol.at<!shard.owned<tensor<4xf64>, cyclic, +0>, role 2>
// ROLE2-NEXT: %everywhere = protocol.perform gather site 2 %other by cyclic over stride(0, 1, 3) {
// ROLE2-NEXT: protocol.receive from 1 words 1 : f64
// ROLE2-NEXT: protocol.send to 1 words 1 : f64
// ROLE2-NEXT: protocol.receive from 0 words 2 : f64
// ROLE2-NEXT: protocol.send to 0 words 1 : f64
// ROLE2-NEXT: } : !protocol.at<!shard.replica<tensor<4xf64>, +0>, role 2>
// ROLE2-NEXT: protocol.perform gather site 3 %other by cyclic over stride(0, 1, 3) {
// ROLE2-NEXT: protocol.send to 0 words 1 : f64
// ROLE2-NEXT: }
// ROLE2-NEXT: %again = protocol.perform scatter site 4 by block over stride(0, 1, 3) {
// ROLE2-NEXT: protocol.receive from 1 words 1 : f64
// ROLE2-NEXT: } : !protocol.at<!shard.owned<tensor<4xf64>, block, +0>, role 2>
// ROLE2-NEXT: }

#all = #protocol.group<universe = 3, epoch = 0, id = "6c73", stride(0, 1, 3)>
protocol.global @train group #all {
  %x = protocol.local at stride(0, 1, 3) {
    %c = arith.constant 1.5 : f64
    %a = pointwise.map over [i : 4] (%b = %c) {
      pointwise.yield %b
    } : tensor<4xf64>
    protocol.yield %a
  }
  %own = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1], combine = left> direct to owners [1, 3, 0]
  %other = protocol.exchange %own to cyclic direct
  %everywhere = protocol.gather %other direct
  %whole = protocol.gather %other along star
  %again = protocol.scatter %whole by block along tree<1> over stride(0, 1, 3)
}
