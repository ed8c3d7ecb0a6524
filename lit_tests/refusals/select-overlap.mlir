// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// expected-error@+3 {{[select-overlap] expected disjoint parts of a join, found member 2 in parts 0 and 1}}
// expected-note@+2 {{part 0 has members from 0 to 2}}
// expected-note@+1 {{part 1 has members from 2 to 4}}
module attributes {s = #region.select<join(stride(0, 1, 3), stride(2, 1, 3))>} {}

// -----

// accepted:
module attributes {s = #region.select<join(stride(0, 1, 3), stride(3, 1, 3))>} {}

// -----

// The same part twice.

// expected-error@+3 {{[select-overlap] expected disjoint parts of a join, found member 7 in parts 1 and 2}}
// expected-note@+2 {{part 1 has members from 7 to 7}}
// expected-note@+1 {{part 2 has members from 7 to 7}}
module attributes {s = #region.select<join(stride(0, 1, 3), stride(7, 1, 1), stride(7, 1, 1))>} {}

// -----

// accepted:
module attributes {s = #region.select<join(stride(0, 1, 3), stride(7, 1, 1), stride(8, 1, 1))>} {}

// -----

// Of 10^12 members one is common: the cost is that of a few index nodes.

// expected-error@+3 {{[select-overlap] expected disjoint parts of a join, found member 1999999999998 in parts 0 and 1}}
// expected-note@+2 {{part 0 has members from 0 to 1999999999998}}
// expected-note@+1 {{part 1 has members from 1999999999998 to 1999999999998}}
module attributes {s = #region.select<join(stride(0, 2, 1000000000000), stride(1999999999998, 1, 1))>} {}

// -----

// accepted:
module attributes {s = #region.select<join(stride(0, 2, 1000000000000), stride(1999999999999, 1, 1))>} {}
