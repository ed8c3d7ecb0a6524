// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// What is repeated has members ...

// expected-error@+1 {{[select-empty] expected something to repeat, found empty}}
module attributes {s = #region.select<repeat(2, 3, empty)>} {}

// -----

// accepted:
module attributes {s = #region.select<repeat(2, 3, stride(0, 1, 1))>} {}

// -----

// ... a join has parts ...

// expected-error@+1 {{[select-empty] expected at least one part of a join, found none}}
module attributes {s = #region.select<join()>} {}

// -----

// accepted:
module attributes {s = #region.select<join(stride(0, 1, 1))>} {}

// -----

// ... and each of them has members.

// expected-error@+1 {{[select-empty] expected members in part 1 of a join, found none}}
module attributes {s = #region.select<join(stride(0, 1, 1), empty)>} {}

// -----

// accepted:
module attributes {s = #region.select<join(stride(0, 1, 1), stride(1, 1, 1))>} {}

// -----

// accepted: coordinates may be empty.
module attributes {s = #region.select<empty>} {}

// A group of roles may not.
// RUN: not python3 %S/Inputs/alpha_selections.py group empty 4 2>&1 | filecheck %s --check-prefix=GROUP
// GROUP: [select-empty] expected a group with at least one role, found empty
// RUN: python3 %S/Inputs/alpha_selections.py group 'stride(0, 1, 1)' 4
