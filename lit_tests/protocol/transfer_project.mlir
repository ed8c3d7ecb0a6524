// RUN: alpha-opt %s --project-role=role=1 | filecheck %s --check-prefix=ROLE1
// RUN: alpha-opt %s --project-role=role=3 | filecheck %s --check-prefix=ROLE3
// RUN: alpha-opt %s --project-role=role=0 | filecheck %s --check-prefix=ROLE0
// RUN: alpha-opt %s --project-role=role=2 | filecheck %s --check-prefix=ROLE2
// RUN: alpha-opt %s --project-role=role=1,3,0,2 -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %t --print-op-generic | alpha-opt | diff %t -

// A frame is sent by one role and received by another; whoever takes no part has nothing of it.

// Who sends.
// ROLE1: protocol.role @train role 1 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "{{[0-9a-f]+}}" edges [3] {
// ROLE1-NEXT: %x = protocol.local at role 1 {
// ROLE1-NEXT: %a = arith.constant 1.500000e+00 : f64
// ROLE1-NEXT: protocol.yield %a
// ROLE1-NEXT: }
// ROLE1-NEXT: protocol.perform transfer site 0 %x {
// ROLE1-NEXT: protocol.send to 3 words 1 : f64
// ROLE1-NEXT: }
// ROLE1-NEXT: }

// Who receives.
// ROLE3: protocol.role @train role 3 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "{{[0-9a-f]+}}" edges [1] {
// ROLE3-NEXT: %y = protocol.perform transfer site 0 {
// ROLE3-NEXT: protocol.receive from 1 words 1 : f64
// ROLE3-NEXT: } : !protocol.at<f64, role 3>
// ROLE3-NEXT: protocol.local at role 3 (%a = %y) {
// ROLE3-NEXT: protocol.yield
// ROLE3-NEXT: }
// ROLE3-NEXT: }

// Who does its local work alone.
// ROLE0: protocol.role @train role 0 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "{{[0-9a-f]+}}" edges [] {
// ROLE0-NEXT: %x = protocol.local at role 0 {
// ROLE0-NEXT: %a = arith.constant 1.500000e+00 : f64
// ROLE0-NEXT: protocol.yield %a
// ROLE0-NEXT: }
// ROLE0-NEXT: }

// Who does nothing.
// ROLE2: protocol.role @train role 2 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "{{[0-9a-f]+}}" edges [] {
// ROLE2-NEXT: }

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at stride(0, 1, 2) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.transfer %x from 1 to 3
  protocol.local at role 3 (%a = %y) {
    protocol.yield
  }
}
