// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// A dense attribute is written out in memory, whoever uses it.

// expected-error@+1 {{[source-tensor-limit] expected a dense attribute of at most 65,536 elements, found 16,777,216}}
module attributes {a = dense<0.0> : tensor<16777216xf64>} {}

// -----

// accepted:
module attributes {a = dense<0.0> : tensor<65536xf64>} {}

// -----

// expected-error@+1 {{[source-tensor-limit] expected a dense attribute of at most 65,536 elements, found 65,537}}
module attributes {a = dense<1> : tensor<1x65537xi8>} {}

// -----

// accepted:
module attributes {a = dense<1> : tensor<4x16384xi8>} {}

// -----

// Many of them, too.

#a = dense<1> : tensor<65536xi8>
#b = dense<2> : tensor<65536xi8>
// expected-error@+1 {{[source-tensor-limit] expected dense attributes of at most 131,072 elements in all, found 131,073}}
#e = dense<5> : tensor<1xi8>

// -----

// accepted:
#a = dense<1> : tensor<65536xi8>
#b = dense<2> : tensor<65536xi8>

// -----

// accepted: a splat of a state isn't written out.
region.state @w : tensor<16777216xf64> = dense<0.0>
