// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{[select-repeat-span] expected a step above 3, the span (max - min) of what is repeated, found 3}}
module attributes {s = #region.select<repeat(2, 3, stride(0, 1, 4))>} {}

// -----

// accepted:
module attributes {s = #region.select<repeat(2, 4, stride(0, 1, 4))>} {}

// -----

// The rule holds for one copy as well, so that a count can be changed alone.

// expected-error@+1 {{[select-repeat-span] expected a step above 3, the span (max - min) of what is repeated, found 1}}
module attributes {s = #region.select<repeat(1, 1, stride(5, 1, 4))>} {}

// -----

// accepted:
module attributes {s = #region.select<repeat(1, 4, stride(5, 1, 4))>} {}

// -----

// The span of what is nested counts in full.

// expected-error@+1 {{[select-repeat-span] expected a step above 23, the span (max - min) of what is repeated, found 20}}
module attributes {s = #region.select<repeat(2, 20, repeat(2, 20, stride(0, 1, 4)))>} {}

// -----

// accepted:
module attributes {s = #region.select<repeat(2, 24, repeat(2, 20, stride(0, 1, 4)))>} {}

// -----

// One member has the span 0.

// expected-error@+1 {{[select-repeat-span] expected a step above 0, the span (max - min) of what is repeated, found 0}}
module attributes {s = #region.select<repeat(2, 0, stride(0, 1, 1))>} {}

// -----

// accepted:
module attributes {s = #region.select<repeat(2, 1, stride(0, 1, 1))>} {}
