// RUN: alpha-opt %s --project-role=role=0 | filecheck %s --check-prefix=ROLE0
// RUN: alpha-opt %s --project-role=role=1 | filecheck %s --check-prefix=ROLE1
// RUN: alpha-opt %s --project-role=role=2 | filecheck %s --check-prefix=ROLE2
// RUN: alpha-opt %s --project-role=role=4 | filecheck %s --check-prefix=ROLE4
// RUN: alpha-opt %s --project-role=role=0,1,2,4 -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %t --print-op-generic | alpha-opt | diff %t -

// Who is told of a choice has it in its program; who does the same in every arm has that.

// Who decides.
// ROLE0: protocol.role @train role 0 group #protocol.group<universe = 5, epoch = 0, id = "6c73", stride(0, 1, 5)> protocol "{{[0-9a-f]+}}" edges [1] {
// ROLE0-NEXT: %x, %s = protocol.local at role 0 {
// ROLE0-NEXT: %a = arith.constant 1.500000e+00 : f64
// ROLE0-NEXT: %b = arith.constant 1 : i64
// ROLE0-NEXT: protocol.yield %a, %b
// ROLE0-NEXT: }
// ROLE0-NEXT: %s_1 = protocol.perform decide site 0 %s arms 2 {
// ROLE0-NEXT: protocol.send to 1 words 1 : i64
// ROLE0-NEXT: } : !protocol.at<i64, role 0>
// ROLE0-NEXT: protocol.choice %s_1 site 0 {
// ROLE0-NEXT: protocol.perform transfer site 1 %x {
// ROLE0-NEXT: protocol.send to 1 words 1 : f64
// ROLE0-NEXT: }
// ROLE0-NEXT: } {
// ROLE0-NEXT: }
// ROLE0-NEXT: }

// Who is told.
// ROLE1: protocol.role @train role 1 group #protocol.group<universe = 5, epoch = 0, id = "6c73", stride(0, 1, 5)> protocol "{{[0-9a-f]+}}" edges [0] {
// ROLE1-NEXT: %s = protocol.perform decide site 0 arms 2 {
// ROLE1-NEXT: protocol.receive from 0 words 1 : i64
// ROLE1-NEXT: } : !protocol.at<i64, role 1>
// ROLE1-NEXT: %r = protocol.choice %s site 0 {
// ROLE1-NEXT: %y = protocol.perform transfer site 1 {
// ROLE1-NEXT: protocol.receive from 0 words 1 : f64
// ROLE1-NEXT: } : !protocol.at<f64, role 1>
// ROLE1-NEXT: protocol.yield %y
// ROLE1-NEXT: } {
// ROLE1-NEXT: %y_1 = protocol.local at role 1 {
// ROLE1-NEXT: %e = arith.constant 2.500000e+00 : f64
// ROLE1-NEXT: protocol.yield %e
// ROLE1-NEXT: }
// ROLE1-NEXT: protocol.yield %y_1
// ROLE1-NEXT: }
// ROLE1-NEXT: }

// Who does the same in every arm.
// ROLE2: protocol.role @train role 2 group #protocol.group<universe = 5, epoch = 0, id = "6c73", stride(0, 1, 5)> protocol "{{[0-9a-f]+}}" edges [] {
// ROLE2-NEXT: %z = protocol.local at role 2 {
// ROLE2-NEXT: %a = arith.constant 1.500000e+00 : f64
// ROLE2-NEXT: protocol.yield %a
// ROLE2-NEXT: }
// ROLE2-NEXT: protocol.local at role 2 (%b = %z) {
// ROLE2-NEXT: %c = arith.addf %b, %b : f64
// ROLE2-NEXT: protocol.yield
// ROLE2-NEXT: }
// ROLE2-NEXT: }

// Who does nothing.
// ROLE4: protocol.role @train role 4 group #protocol.group<universe = 5, epoch = 0, id = "6c73", stride(0, 1, 5)> protocol "{{[0-9a-f]+}}" edges [] {
// ROLE4-NEXT: }

#all = #protocol.group<universe = 5, epoch = 0, id = "6c73", stride(0, 1, 5)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  %z = protocol.local at stride(2, 1, 2) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %r = protocol.choice %s by 0 along [0 -> 1] {
    %y = protocol.transfer %x from 0 to 1
    protocol.local at stride(2, 1, 2) (%b = %z) {
      %c = arith.addf %b, %b : f64
      protocol.yield
    }
    protocol.yield %y
  } {
    protocol.local at stride(2, 1, 2) (%b = %z) {
      %d = arith.addf %b, %b : f64
      protocol.yield
    }
    %y = protocol.local at role 1 {
      %e = arith.constant 2.5 : f64
      protocol.yield %e
    }
    protocol.yield %y
  }
}
