// Two learners whose rounds mean the same have equal terms, whatever their data:
// RUN: sed 's/addf %%m_kept, %%m_new/addf %%m_new, %%m_kept/; s/-0.5, 0.25/-0.75, 0.25/' %examples/least_squares_adam.mlir > %t.same.mlir
// RUN: alpha inspect %examples/least_squares_adam.mlir --against %t.same.mlir | filecheck %s --check-prefix=SAME
// SAME: constant rate          equal
// SAME: samples data           differs
// SAME: update adam            differs
// SAME: one round, for every input
// SAME-NEXT: field     words  terms
// SAME-NEXT: b1_power  1      equal
// SAME-NEXT: b2_power  1      equal
// SAME-NEXT: m         4      equal
// SAME-NEXT: v         4      equal
// SAME-NEXT: w         4      equal
// SAME-NOT: differs

// Another contract is another order of additions; the first word that differs shows where:
// RUN: sed 's/samples = .1, 2, 3, 0./samples = [2, 2, 2, 0]/' %examples/least_squares_adam.mlir > %t.order.mlir
// RUN: not alpha inspect %examples/least_squares_adam.mlir --against %t.order.mlir | filecheck %s --check-prefix=ORDER
// ORDER: m         4      differs
// ORDER: m[0]: differs at .rhs.rhs.lhs: the same 6 addends in another order
// ORDER: t1 + (t2 + t3) + (t4 + t5 + t6)
// ORDER-NEXT: t1 + t2 + (t3 + t4) + (t5 + t6)
// ORDER: 4 of 4 words of m differ

// Learners of different fields aren't compared word by word:
// RUN: not alpha inspect %examples/least_squares_adam.mlir --against %examples/least_squares_sgd.mlir | filecheck %s --check-prefix=FIELDS
// FIELDS: @b1_power is f64 on the left and nothing on the right

// A comparison that is too large is given up, and says so:
// RUN: not alpha inspect %examples/least_squares_adam.mlir --against %t.same.mlir --terms-nodes-max 50 | filecheck %s --check-prefix=LARGE
// RUN: not alpha inspect %examples/least_squares_adam.mlir --against %t.same.mlir --terms-nodes-max 1 | filecheck %s --check-prefix=ONE
// ONE: {{^}}one round: not compared, more than 1 term{{$}}
// LARGE: one round: not compared, more than 50 terms
