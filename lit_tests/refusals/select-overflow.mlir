// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// Members and sizes fit 63 bits.

// expected-error@+1 {{[select-overflow] expected the greatest member of a stride from 0 to 2^63 - 1, found 18446744073709551614}}
module attributes {s = #region.select<stride(0, 9223372036854775807, 3)>} {}

// -----

// accepted:
module attributes {s = #region.select<stride(0, 9223372036854775807, 2)>} {}

// -----

// expected-error@+1 {{[select-overflow] expected the start of a stride from 0 to 2^63 - 1, found 9223372036854775808}}
module attributes {s = #region.select<stride(9223372036854775808, 1, 1)>} {}

// -----

// accepted:
module attributes {s = #region.select<stride(9223372036854775807, 1, 1)>} {}

// -----

// Steps and counts are at least 1.

// expected-error@+1 {{[select-overflow] expected the step of a stride from 1 to 2^63 - 1, found 0}}
module attributes {s = #region.select<stride(0, 0, 1)>} {}

// -----

// expected-error@+1 {{[select-overflow] expected the count of a stride from 1 to 2^63 - 1, found 0}}
module attributes {s = #region.select<stride(0, 1, 0)>} {}

// -----

// accepted:
module attributes {s = #region.select<stride(0, 1, 1)>} {}

// -----

// expected-error@+1 {{[select-overflow] expected the step of a stride from 1 to 2^63 - 1, found 9223372036854775808}}
module attributes {s = #region.select<stride(0, 9223372036854775808, 1)>} {}

// -----

// expected-error@+1 {{[select-overflow] expected the count of a stride from 1 to 2^63 - 1, found 9223372036854775808}}
module attributes {s = #region.select<stride(0, 1, 9223372036854775808)>} {}

// -----

// accepted:
module attributes {s = #region.select<stride(0, 1, 9223372036854775807)>} {}

// -----

// The same of a repeat.

// expected-error@+1 {{[select-overflow] expected the count of a repeat from 1 to 2^63 - 1, found 0}}
module attributes {s = #region.select<repeat(0, 3, stride(0, 1, 2))>} {}

// -----

// expected-error@+1 {{[select-overflow] expected the count of a repeat from 1 to 2^63 - 1, found 9223372036854775808}}
module attributes {s = #region.select<repeat(9223372036854775808, 3, stride(0, 1, 2))>} {}

// -----

// expected-error@+1 {{[select-overflow] expected the step of a repeat from 1 to 2^63 - 1, found 9223372036854775808}}
module attributes {s = #region.select<repeat(1, 9223372036854775808, stride(0, 1, 2))>} {}

// -----

// expected-error@+1 {{[select-overflow] expected the greatest member of a repeat from 0 to 2^63 - 1, found 9223372036854775809}}
module attributes {s = #region.select<repeat(4611686018427387905, 2, stride(0, 1, 2))>} {}

// -----

// expected-error@+1 {{[select-overflow] expected the size of a repeat from 1 to 2^63 - 1, found 9223372036854775808}}
module attributes {s = #region.select<repeat(4611686018427387904, 2, stride(0, 1, 2))>} {}

// -----

// accepted:
module attributes {s = #region.select<repeat(4611686018427387903, 2, stride(0, 1, 2))>} {}
