// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// expected-error@+3 {{[select-order] expected part 1 of a join to begin after 5, found its first member 0}}
// expected-note@+2 {{part 0 has members from 4 to 5}}
// expected-note@+1 {{part 1 has members from 0 to 1}}
module attributes {s = #region.select<join(stride(4, 1, 2), stride(0, 1, 2))>} {}

// -----

// accepted:
module attributes {s = #region.select<join(stride(0, 1, 2), stride(4, 1, 2))>} {}

// -----

// Parts that have no common member may not interleave either.

// expected-error@+3 {{[select-order] expected part 1 of a join to begin after 4, found its first member 1}}
// expected-note@+2 {{part 0 has members from 0 to 4}}
// expected-note@+1 {{part 1 has members from 1 to 5}}
module attributes {s = #region.select<join(stride(0, 2, 3), stride(1, 2, 3))>} {}

// -----

// accepted:
module attributes {s = #region.select<join(stride(0, 2, 3), stride(5, 2, 3))>} {}
