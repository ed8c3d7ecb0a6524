// RUN: alpha-opt %s --allow-unregistered-dialect | filecheck %s
// RUN: alpha-opt %s --allow-unregistered-dialect | alpha-opt --allow-unregistered-dialect | filecheck %s
// RUN: not alpha-opt %s 2>&1 | filecheck %s --check-prefix=UNKNOWN

// UNKNOWN: opt_unregistered.mlir:8:6: error: [source-operation-unknown] expected the name of an operation, found 'foreign.make'
// CHECK: %a = "foreign.make"() {kind = #foreign.kind<a "b" [1]>} : () -> !foreign.thing
// CHECK-NEXT: "foreign.use"(%a) : (!foreign.thing) -> ()
%a = "foreign.make"() {kind = #foreign.kind<a "b" [1]>} : () -> !foreign.thing
"foreign.use"(%a) : (!foreign.thing) -> ()
