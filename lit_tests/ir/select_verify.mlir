// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// The words of a selection.

// expected-error@+1 {{[source-syntax] expected one of 'empty', 'join', 'repeat', 'stride', found 'range'}}
module attributes {s = #region.select<range(0, 1, 1)>} {}

// -----

// expected-error@+1 {{[source-syntax] expected ',', found ')'}}
module attributes {s = #region.select<stride(0, 1)>} {}

// -----

// expected-error@+1 {{[source-syntax] expected integer literal, found '-'}}
module attributes {s = #region.select<stride(0, 1, -1)>} {}

// -----

// expected-error@+1 {{[source-syntax] expected one of 'empty', 'join', 'repeat', 'stride', found '4'}}
module attributes {s = #region.select<repeat(2, 4, 4)>} {}

// -----

// expected-error@+1 {{[source-syntax] expected integer literal, found 'true'}}
module attributes {s = #region.select<stride(0, 1, true)>} {}

// -----

// expected-error@+1 {{[source-syntax] expected one of 'empty', 'join', 'repeat', 'stride', found '>'}}
module attributes {s = #region.select<>} {}

// -----

// accepted: sets that are as large as can be, and as deep.
module attributes {s = #region.select<join(stride(0, 1, 9223372036854775806), stride(9223372036854775807, 5, 1))>} {}

// -----

module attributes {s = #region.select<repeat(2, 4611686018427387904, repeat(2, 2305843009213693952, stride(0, 1, 2305843009213693951)))>} {}
