// RUN: alpha-opt %s --split-input-file --verify-diagnostics | filecheck %s
// RUN: not alpha-opt %S/Inputs/wrong_expectations.mlir --split-input-file --verify-diagnostics 2>&1 | filecheck %s --check-prefix=WRONG

// What is accepted is printed all the same.
// CHECK: func.func private @accepted()
func.func private @accepted()

// -----

func.func private @f no // expected-error {{[source-syntax] expected '('}}

// -----

// expected-error@+1 {{[source-operation-unknown] expected the name of an operation}}
func.fun private @f() // expected-note {{did you mean 'func.func'}}

// -----

// expected-error @below {{found 'func.fun'}}
// expected-note @below {{func.func}}
func.fun private @f()

// -----

func.fun private @f()
// expected-error @above {{func.fun}}
// expected-note @-2 {{func.func}}

// WRONG: wrong_expectations.mlir:1:22: error: unexpected error: [source-syntax] expected '(', found 'no'
// WRONG: wrong_expectations.mlir:5:4: error: expected error "missing" on line 6 was not produced
// WRONG: wrong_expectations.mlir:10:1: error: expected 'expected{{-}}error [@+N|@-N|@above|@below]
