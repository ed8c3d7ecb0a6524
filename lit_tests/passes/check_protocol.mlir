// What is right is printed as it was read: --check-protocol changes nothing.
// RUN: alpha-opt %s -o %t.read && alpha-opt %s --check-protocol | diff %t.read -

// So is what the passes make, in every partitioning and along every way.
// RUN: alpha-opt %examples/least_squares_adam.mlir --lower-shard-to-protocol -o %t.replicated && alpha-opt %t.replicated --check-protocol | diff %t.replicated -
// RUN: alpha-opt %examples/least_squares_adam.mlir --partition-optimizer --partition-parameters --partition-gradients --lower-shard-to-protocol="rounds=5 exchange=sharded" -o %t.owned && alpha-opt %t.owned --check-protocol | diff %t.owned -
// RUN: alpha-opt %examples/least_squares_adam.mlir --distribute="owners=7 topology=tree<2>" --lower-shard-to-protocol="exchange=gather" -o %t.tree 2> %t.err && alpha-opt %t.tree --check-protocol | diff %t.tree -
// RUN: alpha-opt %examples/local_correlation.mlir --lower-shard-to-protocol --check-protocol -o %t.out

// 200,000 roles: the first one that isn't told along the tree, in an arm of one role in three.
// RUN: sed 's/stride(0, 1, 200000) {/stride(0, 1, 199999) {/' %s > %t.short.mlir
// RUN: not alpha-opt %t.short.mlir --check-protocol 2>&1 | filecheck %s --check-prefix=SHORT
// SHORT: error: [protocol-choice-uninformed] expected role 199999 to know which arm is taken, found no selector and no route to it in tree<64> over stride(0, 1, 199999)
// SHORT: note: role 199999 doesn't do this in every arm
// SHORT: note: it hears of it with 'by 0 along tree<64> over join(stride(0, 1, 199999), stride(199999, 1, 1))'
// RUN: sed 's/protocol.replicate %x along tree<64> over stride(0, 1, 200000)/protocol.replicate %x along tree<64> over stride(0, 2, 100000)/' %s > %t.half.mlir
// RUN: not alpha-opt %t.half.mlir --check-protocol 2>&1 | filecheck %s --check-prefix=HALF
// HALF: error: [protocol-choice-excess] expected routes to roles whose arms differ, found role 1, whose arms are the same
// HALF: note: 'by 0 along tree<64> over join(stride(0, 1, 1), stride(2, 1, 199998))' leaves it out

// Decisions are looked at from the inside out, and a protocol wherever it stands.
// RUN: echo "module {" > %t.nested.mlir && alpha-opt %t.half.mlir >> %t.nested.mlir && echo "}" >> %t.nested.mlir
// RUN: not alpha-opt %t.nested.mlir --check-protocol 2>&1 | filecheck %s --check-prefix=HALF
// RUN: sed 's/by 0 along .1 ->/by 0 along [0 ->/; s/by 1 along .. {/by 1 along [1 -> 3] {/' %s > %t.inner.mlir
// RUN: not alpha-opt %t.inner.mlir --check-protocol 2>&1 | filecheck %s --check-prefix=INNER
// INNER: error: [protocol-choice-excess] expected routes to roles whose arms differ, found role 3, whose arms are the same
// INNER-NEXT: protocol.choice %t by 1 along [1 -> 3] {

// A map gives each word to one role, at the operation of the first value that it places.
// RUN: sed 's/owners .1, 0, 1, 1./owners [1, 0, 1, 0]/' %s > %t.hole.mlir
// RUN: not alpha-opt %t.hole.mlir --check-protocol 2>&1 | filecheck %s --check-prefix=HOLE
// HOLE: error: [shard-coverage-missing] expected an owner for each of 3 coordinates of %own, found none for coordinate 2
// RUN: sed 's/owners .1, 0, 1, 1./owners [1, 0, 2]/' %s > %t.three.mlir
// RUN: not alpha-opt %t.three.mlir --check-protocol 2>&1 | filecheck %s --check-prefix=OWNERS
// OWNERS: error: [shard-owner-range] expected one size for each owner of %own, found 3 sizes for 4 owners

// A sum has the parts that are contributed, in the order that the learner declares.
// RUN: sed 's/reduce sum %0 by .1, 2, 3, 0./reduce sum %0 by [1, 2, 0, 3]/' %t.replicated > %t.parts.mlir
// RUN: not alpha-opt %t.parts.mlir --check-protocol 2>&1 | filecheck %s --check-prefix=PARTS
// PARTS: error: [shard-contribution-missing] expected the samples by [1, 2, 3, 0], as they are contributed, found by [1, 2, 0, 3]
// PARTS: note: they are contributed here
// RUN: sed 's/reduce sum %0 by .1, 2, 3, 0. contract #region.contract<groups = .1, 2, 3, 0./reduce sum %0 by [1, 2, 3, 0] contract #region.contract<groups = [1, 2, 2, 1]/' %t.replicated > %t.groups.mlir
// RUN: not alpha-opt %t.groups.mlir --check-protocol 2>&1 | filecheck %s --check-prefix=ORDER
// ORDER: error: [shard-combine-order] expected groups = [1, 2, 3, 0], combine = left, found groups = [1, 2, 2, 1], combine = left
// RUN: sed 's/reduce sum %0 by .1, 2, 3, 0. contract #region.contract<groups = .1, 2, 3, 0./reduce sum %0 by [1, 2, 3, 0] contract #region.contract<groups = [2, 1, 3, 0]/' %t.replicated > %t.cut.mlir
// RUN: not alpha-opt %t.cut.mlir --check-protocol 2>&1 | filecheck %s --check-prefix=CUT
// CUT: error: [region-contract-groups]

#many = #protocol.group<universe = 200000, epoch = 0, id = "6c73", stride(0, 1, 200000)>
protocol.global @many group #many {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  protocol.choice %s by 0 along tree<64> over stride(0, 1, 200000) {
    %y = protocol.replicate %x along tree<64> over stride(0, 1, 200000)
  } {
    protocol.local at stride(0, 3, 66667) {
      protocol.yield
    }
  }
}

#few = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @few group #few {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  %t = protocol.transfer %s from 0 to 1
  protocol.choice %s by 0 along [0 -> 1] {
    protocol.choice %t by 1 along [] {
      protocol.local at role 1 {
        protocol.yield
      }
    } {
    }
  } {
    protocol.repeat 9223372036854775807 {
      protocol.choice %t by 1 along [] {
        protocol.local at role 1 {
          protocol.yield
        }
      } {
      }
    }
  }
  %y = protocol.local at stride(0, 1, 4) {
    %c = arith.constant 1.5 : f64
    %d = pointwise.map over [i : 3] (%e = %c) {
      pointwise.yield %e
    } : tensor<3xf64>
    protocol.yield %d
  }
  %own = protocol.reduce sum %y contract #region.contract<groups = [1, 1, 1, 1], combine = left> direct to owners [1, 0, 1, 1]
  protocol.agree %y along star
}

// A module without protocols is left alone, and so is a role's program.
protocol.role @few role 3 group #few protocol "00" edges [] {
}
