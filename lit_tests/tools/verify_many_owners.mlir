// Of many owners the first ones and the last have a row, as in `inspect`.
// RUN: alpha verify %examples/least_squares_adam.mlir --owners 40 --carrier bits --rounds 1 | filecheck %s
// CHECK:      each owner, replicated
// CHECK-NEXT: role {{ *}}words kept
// CHECK-NEXT: 0 {{ *}}14
// CHECK:      {{^}}  6 {{ *}}14
// CHECK-NEXT: ... {{ *}}...
// CHECK-NEXT: 39 {{ *}}14
// CHECK:      each owner, partitioned

// Eight all have one.
// RUN: alpha verify %examples/least_squares_adam.mlir --owners 8 --carrier bits --rounds 1 | filecheck %s --check-prefix=EIGHT
// EIGHT: {{^}}  6 {{ *}}14
// EIGHT-NEXT: {{^}}  7 {{ *}}14
