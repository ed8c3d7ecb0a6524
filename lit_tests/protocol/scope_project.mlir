// RUN: alpha-opt %s --project-role=role=0 | filecheck %s --check-prefix=ROLE0
// RUN: alpha-opt %s --project-role=role=2 | filecheck %s --check-prefix=ROLE2
// RUN: alpha-opt %s --project-role=role=3 | filecheck %s --check-prefix=ROLE3
// RUN: alpha-opt %s --project-role=role=0,2,3 -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %t --print-op-generic | alpha-opt | diff %t -

// What is in a scope stands in the program of its roles as if there were none.

// Of the outer scope.
// ROLE0: protocol.role @train role 0 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "{{[0-9a-f]+}}" edges [2] {
// ROLE0-NEXT: %x, %s = protocol.local at role 0 {
// ROLE0-NEXT: %a = arith.constant 1.500000e+00 : f64
// ROLE0-NEXT: %b = arith.constant 1 : i64
// ROLE0-NEXT: protocol.yield %a, %b
// ROLE0-NEXT: }
// ROLE0-NEXT: %q = protocol.perform transfer site 1 {
// ROLE0-NEXT: protocol.receive from 2 words 1 : f64
// ROLE0-NEXT: } : !protocol.at<f64, role 0>
// ROLE0-NEXT: protocol.local at role 0 (%a = %q) {
// ROLE0-NEXT: protocol.yield
// ROLE0-NEXT: }
// ROLE0-NEXT: }

// Of both.
// ROLE2: protocol.role @train role 2 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "{{[0-9a-f]+}}" edges [0, 1] {
// ROLE2-NEXT: %x, %s = protocol.local at role 2 {
// ROLE2-NEXT: %a = arith.constant 1.500000e+00 : f64
// ROLE2-NEXT: %b = arith.constant 1 : i64
// ROLE2-NEXT: protocol.yield %a, %b
// ROLE2-NEXT: }
// ROLE2-NEXT: %z = protocol.perform transfer site 0 {
// ROLE2-NEXT: protocol.receive from 1 words 1 : f64
// ROLE2-NEXT: } : !protocol.at<f64, role 2>
// ROLE2-NEXT: protocol.perform transfer site 1 %z {
// ROLE2-NEXT: protocol.send to 0 words 1 : f64
// ROLE2-NEXT: }
// ROLE2-NEXT: }

// Of neither.
// ROLE3: protocol.role @train role 3 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "{{[0-9a-f]+}}" edges [] {
// ROLE3-NEXT: %x, %s = protocol.local at role 3 {
// ROLE3-NEXT: %a = arith.constant 1.500000e+00 : f64
// ROLE3-NEXT: %b = arith.constant 1 : i64
// ROLE3-NEXT: protocol.yield %a, %b
// ROLE3-NEXT: }
// ROLE3-NEXT: }

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at stride(0, 1, 4) {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  %r = protocol.scope stride(0, 1, 3) {
    %y = protocol.scope stride(1, 1, 2) {
      %z = protocol.transfer %x from 1 to 2
      protocol.yield %z
    }
    %q = protocol.transfer %y from 2 to 0
    protocol.yield %q
  }
  protocol.local at role 0 (%a = %r) {
    protocol.yield
  }
}
