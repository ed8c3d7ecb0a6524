// RUN: alpha-opt %s --project-role=role=0 | filecheck %s --check-prefix=ROLE0
// RUN: alpha-opt %s --project-role=role=1 | filecheck %s --check-prefix=ROLE1
// RUN: alpha-opt %s --project-role=role=2 | filecheck %s --check-prefix=ROLE2
// RUN: alpha-opt %s --project-role=role=3 | filecheck %s --check-prefix=ROLE3
// RUN: alpha-opt %s --project-role=role=0,1,2,3 -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %t --print-op-generic | alpha-opt | diff %t -

// A repeat is projected once, with the values that the role carries; its end with those who hear of it.

// Who decides, and carries two values.
// ROLE0: protocol.role @train role 0 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "{{[0-9a-f]+}}" edges [1, 2] {
// ROLE0-NEXT: %x = protocol.local at role 0 {
// ROLE0-NEXT: %a = arith.constant 1.500000e+00 : f64
// ROLE0-NEXT: protocol.yield %a
// ROLE0-NEXT: }
// ROLE0-NEXT: %s = protocol.local at role 0 {
// ROLE0-NEXT: %b = arith.constant 1 : i64
// ROLE0-NEXT: protocol.yield %b
// ROLE0-NEXT: }
// ROLE0-NEXT: %z = protocol.local at role 0 {
// ROLE0-NEXT: %a = arith.constant 1.500000e+00 : f64
// ROLE0-NEXT: protocol.yield %a
// ROLE0-NEXT: }
// ROLE0-NEXT: %r, %q = protocol.repeat 1000000 site 0 (%u = %x, %v = %z) {
// ROLE0-NEXT: protocol.perform transfer site 1 %u {
// ROLE0-NEXT: protocol.send to 2 words 1 : f64
// ROLE0-NEXT: }
// ROLE0-NEXT: %s_1 = protocol.perform decide site 2 %s arms 2 {
// ROLE0-NEXT: protocol.send to 1 words 1 : i64
// ROLE0-NEXT: } : !protocol.at<i64, role 0>
// ROLE0-NEXT: protocol.until %s_1 yields %u, %v
// ROLE0-NEXT: }
// ROLE0-NEXT: protocol.repeat 3 site 3 {
// ROLE0-NEXT: protocol.repeat 5 site 4 {
// ROLE0-NEXT: %y = protocol.perform transfer site 5 {
// ROLE0-NEXT: protocol.receive from 1 words 1 : f64
// ROLE0-NEXT: } : !protocol.at<f64, role 0>
// ROLE0-NEXT: }
// ROLE0-NEXT: }
// ROLE0-NEXT: }

// Who carries one.
// ROLE1: protocol.role @train role 1 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "{{[0-9a-f]+}}" edges [0, 2] {
// ROLE1-NEXT: %z = protocol.local at role 1 {
// ROLE1-NEXT: %a = arith.constant 1.500000e+00 : f64
// ROLE1-NEXT: protocol.yield %a
// ROLE1-NEXT: }
// ROLE1-NEXT: %q = protocol.repeat 1000000 site 0 (%v = %z) {
// ROLE1-NEXT: %s = protocol.perform decide site 2 arms 2 {
// ROLE1-NEXT: protocol.receive from 0 words 1 : i64
// ROLE1-NEXT: protocol.send to 2 words 1 : i64
// ROLE1-NEXT: } : !protocol.at<i64, role 1>
// ROLE1-NEXT: protocol.until %s yields %v
// ROLE1-NEXT: }
// ROLE1-NEXT: protocol.repeat 3 site 3 {
// ROLE1-NEXT: protocol.repeat 5 site 4 {
// ROLE1-NEXT: protocol.perform transfer site 5 %q {
// ROLE1-NEXT: protocol.send to 0 words 1 : f64
// ROLE1-NEXT: }
// ROLE1-NEXT: }
// ROLE1-NEXT: }
// ROLE1-NEXT: }

// Who receives in every iteration.
// ROLE2: protocol.role @train role 2 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "{{[0-9a-f]+}}" edges [0, 1] {
// ROLE2-NEXT: protocol.repeat 1000000 site 0 {
// ROLE2-NEXT: %y = protocol.perform transfer site 1 {
// ROLE2-NEXT: protocol.receive from 0 words 1 : f64
// ROLE2-NEXT: } : !protocol.at<f64, role 2>
// ROLE2-NEXT: %s = protocol.perform decide site 2 arms 2 {
// ROLE2-NEXT: protocol.receive from 1 words 1 : i64
// ROLE2-NEXT: } : !protocol.at<i64, role 2>
// ROLE2-NEXT: protocol.until %s
// ROLE2-NEXT: }
// ROLE2-NEXT: }

// Who takes no part in any, although it has the selector.
// ROLE3: protocol.role @train role 3 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "{{[0-9a-f]+}}" edges [] {
// ROLE3-NEXT: %s = protocol.local at role 3 {
// ROLE3-NEXT: %b = arith.constant 1 : i64
// ROLE3-NEXT: protocol.yield %b
// ROLE3-NEXT: }
// ROLE3-NEXT: }

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %s = protocol.local at stride(0, 3, 2) {
    %b = arith.constant 1 : i64
    protocol.yield %b
  }
  %z = protocol.local at stride(0, 1, 2) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %r, %q = protocol.repeat 1000000 (%u = %x, %v = %z) {
    %y = protocol.transfer %u from 0 to 2
    protocol.until %s by 0 along [0 -> 1, 1 -> 2] yields %u, %v
  }
  protocol.repeat 3 {
    protocol.repeat 5 {
      %y = protocol.transfer %q from 1 to 0
    }
  }
}
