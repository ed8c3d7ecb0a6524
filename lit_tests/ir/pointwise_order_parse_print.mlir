// RUN: alpha-opt %s | filecheck %s
// RUN: %roundtrip

// The declared order of a reduction.

// CHECK: builtin.module attributes {o = [#pointwise.order<left>, #pointwise.order<pairs>, #pointwise.order<lanes<1>>, #pointwise.order<lanes<65536>>]} {
// CHECK-NEXT: }
module attributes {o = [#pointwise.order<left>, #pointwise.order<pairs>, #pointwise.order<lanes<1>>, #pointwise.order<lanes<65536>>]} {}
