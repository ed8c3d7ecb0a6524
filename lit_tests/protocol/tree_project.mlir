// RUN: alpha-opt %s --project-role=role=0 | filecheck %s --check-prefix=ROLE0
// RUN: alpha-opt %s --project-role=role=1 | filecheck %s --check-prefix=ROLE1
// RUN: alpha-opt %s --project-role=role=5 | filecheck %s --check-prefix=ROLE5
// RUN: alpha-opt %s --project-role=role=0,1,5 -o %t && alpha-opt %t | diff %t -
// RUN: alpha-opt %t --print-op-generic | alpha-opt | diff %t -

// Upwards a role hears from its children and then tells its parent; downwards the other way round.

// The root.
// ROLE0: protocol.role @train role 0 group #protocol.group<universe = 6, epoch = 0, id = "6c73", stride(0, 1, 6)> protocol "{{[0-9a-f]+}}" edges [1, 2, 3, 4, 5] {
// ROLE0-NEXT: %x = protocol.local at role 0 {
// ROLE0-NEXT: %a = arith.constant 1.500000e+00 : f64
// ROLE0-NEXT: protocol.yield %a
// ROLE0-NEXT: }
// ROLE0-NEXT: %t, %v = protocol.perform reduce site 0 %x, %x contract #region.contract<groups = [1, 1, 1, 1, 1, 1], combine = tree<2>> {
// ROLE0-NEXT: protocol.receive from 1 part 1 count 3 words 1 riding 5 : f64
// ROLE0-NEXT: protocol.add [1] into 0
// ROLE0-NEXT: protocol.receive from 4 part 4 count 2 words 1 riding 5 : f64
// ROLE0-NEXT: protocol.add [4] into 0
// ROLE0-NEXT: } : !protocol.at<f64, role 0>, !protocol.at<i64, role 0>
// ROLE0-NEXT: %y = protocol.perform replicate site 1 %t, %v {
// ROLE0-NEXT: protocol.send to 1 words 1 riding 1 : f64
// ROLE0-NEXT: protocol.send to 4 words 1 riding 1 : f64
// ROLE0-NEXT: } : !protocol.at<f64, role 0>
// ROLE0-NEXT: protocol.perform agree site 2 %y {
// ROLE0-NEXT: protocol.receive from 1 words 5 : i64
// ROLE0-NEXT: protocol.receive from 2 words 5 : i64
// ROLE0-NEXT: protocol.receive from 3 words 5 : i64
// ROLE0-NEXT: protocol.receive from 4 words 5 : i64
// ROLE0-NEXT: protocol.receive from 5 words 5 : i64
// ROLE0-NEXT: protocol.send to 1 part 1 words 1 : i64
// ROLE0-NEXT: protocol.send to 2 part 1 words 1 : i64
// ROLE0-NEXT: protocol.send to 3 part 1 words 1 : i64
// ROLE0-NEXT: protocol.send to 4 part 1 words 1 : i64
// ROLE0-NEXT: protocol.send to 5 part 1 words 1 : i64
// ROLE0-NEXT: }
// ROLE0-NEXT: }

// A role with a parent and children.
// ROLE1: protocol.role @train role 1 group #protocol.group<universe = 6, epoch = 0, id = "6c73", stride(0, 1, 6)> protocol "{{[0-9a-f]+}}" edges [0, 2, 3] {
// ROLE1-NEXT: %x = protocol.local at role 1 {
// ROLE1-NEXT: %a = arith.constant 1.500000e+00 : f64
// ROLE1-NEXT: protocol.yield %a
// ROLE1-NEXT: }
// ROLE1-NEXT: protocol.perform reduce site 0 %x, %x contract #region.contract<groups = [1, 1, 1, 1, 1, 1], combine = tree<2>> part 1 {
// ROLE1-NEXT: protocol.receive from 2 part 2 count 1 words 1 riding 5 : f64
// ROLE1-NEXT: protocol.add [2] into 1
// ROLE1-NEXT: protocol.receive from 3 part 3 count 1 words 1 riding 5 : f64
// ROLE1-NEXT: protocol.add [3] into 1
// ROLE1-NEXT: protocol.send to 0 part 1 count 3 words 1 riding 5 : f64
// ROLE1-NEXT: }
// ROLE1-NEXT: %y = protocol.perform replicate site 1 {
// ROLE1-NEXT: protocol.receive from 0 words 1 riding 1 : f64
// ROLE1-NEXT: protocol.send to 2 words 1 riding 1 : f64
// ROLE1-NEXT: protocol.send to 3 words 1 riding 1 : f64
// ROLE1-NEXT: } : !protocol.at<f64, role 1>
// ROLE1-NEXT: protocol.perform agree site 2 %y {
// ROLE1-NEXT: protocol.send to 0 words 5 : i64
// ROLE1-NEXT: protocol.receive from 0 part 1 words 1 : i64
// ROLE1-NEXT: }
// ROLE1-NEXT: }

// A leaf.
// ROLE5: protocol.role @train role 5 group #protocol.group<universe = 6, epoch = 0, id = "6c73", stride(0, 1, 6)> protocol "{{[0-9a-f]+}}" edges [0, 4] {
// ROLE5-NEXT: %x = protocol.local at role 5 {
// ROLE5-NEXT: %a = arith.constant 1.500000e+00 : f64
// ROLE5-NEXT: protocol.yield %a
// ROLE5-NEXT: }
// ROLE5-NEXT: protocol.perform reduce site 0 %x, %x contract #region.contract<groups = [1, 1, 1, 1, 1, 1], combine = tree<2>> part 5 {
// ROLE5-NEXT: protocol.send to 4 part 5 count 1 words 1 riding 5 : f64
// ROLE5-NEXT: }
// ROLE5-NEXT: %y = protocol.perform replicate site 1 {
// ROLE5-NEXT: protocol.receive from 4 words 1 riding 1 : f64
// ROLE5-NEXT: } : !protocol.at<f64, role 5>
// ROLE5-NEXT: protocol.perform agree site 2 %y {
// ROLE5-NEXT: protocol.send to 0 words 5 : i64
// ROLE5-NEXT: protocol.receive from 0 part 1 words 1 : i64
// ROLE5-NEXT: }
// ROLE5-NEXT: }

#all = #protocol.group<universe = 6, epoch = 0, id = "6c73", stride(0, 1, 6)>
protocol.global @train group #all {
  %x = protocol.local at stride(0, 1, 6) {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %t, %v = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1, 1, 1, 1], combine = tree<2>> along tree<2> agreeing %x
  %y = protocol.replicate %t along tree<2> over stride(0, 1, 6) with %v
  protocol.agree %y along star
}
