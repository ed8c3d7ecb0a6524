// RUN: alpha-opt %s --project-role=role=0 | filecheck %s --check-prefix=ROLE0
// RUN: alpha-opt %s --project-role=role=1 | filecheck %s --check-prefix=ROLE1
// RUN: alpha-opt %s --project-role=role=2 | filecheck %s --check-prefix=ROLE2
// RUN: alpha-opt %s --project-role=role=0,1,2 -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %t --print-op-generic | alpha-opt | diff %t -

// Who is told along a tree tells others.

// Who decides.
// ROLE0: protocol.role @train role 0 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "{{[0-9a-f]+}}" edges [1, 2] {
// ROLE0-NEXT: %x, %s = protocol.local at role 0 {
// ROLE0-NEXT: %a = arith.constant 1.500000e+00 : f64
// ROLE0-NEXT: %b = arith.constant 1 : i64
// ROLE0-NEXT: protocol.yield %a, %b
// ROLE0-NEXT: }
// ROLE0-NEXT: %s_1 = protocol.perform decide site 0 %s arms 3 {
// ROLE0-NEXT: protocol.send to 1 words 1 : i64
// ROLE0-NEXT: } : !protocol.at<i64, role 0>
// ROLE0-NEXT: protocol.choice %s_1 site 0 {
// ROLE0-NEXT: %y = protocol.perform replicate site 1 %x {
// ROLE0-NEXT: protocol.send to 1 words 1 : f64
// ROLE0-NEXT: protocol.send to 2 words 1 : f64
// ROLE0-NEXT: } : !protocol.at<f64, role 0>
// ROLE0-NEXT: } {
// ROLE0-NEXT: } {
// ROLE0-NEXT: %y_1 = protocol.perform replicate site 2 %x {
// ROLE0-NEXT: protocol.send to 1 words 1 : f64
// ROLE0-NEXT: } : !protocol.at<f64, role 0>
// ROLE0-NEXT: }
// ROLE0-NEXT: }

// Who is told, and tells.
// ROLE1: protocol.role @train role 1 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "{{[0-9a-f]+}}" edges [0, 2] {
// ROLE1-NEXT: %s = protocol.perform decide site 0 arms 3 {
// ROLE1-NEXT: protocol.receive from 0 words 1 : i64
// ROLE1-NEXT: protocol.send to 2 words 1 : i64
// ROLE1-NEXT: } : !protocol.at<i64, role 1>
// ROLE1-NEXT: protocol.choice %s site 0 {
// ROLE1-NEXT: %y = protocol.perform replicate site 1 {
// ROLE1-NEXT: protocol.receive from 0 words 1 : f64
// ROLE1-NEXT: } : !protocol.at<f64, role 1>
// ROLE1-NEXT: } {
// ROLE1-NEXT: } {
// ROLE1-NEXT: %y_1 = protocol.perform replicate site 2 {
// ROLE1-NEXT: protocol.receive from 0 words 1 : f64
// ROLE1-NEXT: protocol.send to 2 words 1 : f64
// ROLE1-NEXT: } : !protocol.at<f64, role 1>
// ROLE1-NEXT: }
// ROLE1-NEXT: }

// Who is told.
// ROLE2: protocol.role @train role 2 group #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)> protocol "{{[0-9a-f]+}}" edges [0, 1] {
// ROLE2-NEXT: %s = protocol.perform decide site 0 arms 3 {
// ROLE2-NEXT: protocol.receive from 1 words 1 : i64
// ROLE2-NEXT: } : !protocol.at<i64, role 2>
// ROLE2-NEXT: protocol.choice %s site 0 {
// ROLE2-NEXT: %y = protocol.perform replicate site 1 {
// ROLE2-NEXT: protocol.receive from 0 words 1 : f64
// ROLE2-NEXT: } : !protocol.at<f64, role 2>
// ROLE2-NEXT: } {
// ROLE2-NEXT: } {
// ROLE2-NEXT: %y_1 = protocol.perform replicate site 2 {
// ROLE2-NEXT: protocol.receive from 1 words 1 : f64
// ROLE2-NEXT: } : !protocol.at<f64, role 2>
// ROLE2-NEXT: }
// ROLE2-NEXT: }

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  protocol.choice %s by 0 along tree<1> over stride(0, 1, 3) {
    %y = protocol.replicate %x along star over stride(0, 1, 3)
  } {
  } {
    %y = protocol.replicate %x along tree<1> over stride(0, 1, 3)
  }
}
