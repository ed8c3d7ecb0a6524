// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// A token that the grammar doesn't have here.

// expected-error@+1 {{[source-syntax] expected ':', found 'tensor'}}
region.state @w tensor<4xf64> = dense<0.0>

// -----

// accepted:
region.state @w : tensor<4xf64> = dense<0.0>

// -----

// The end of the text, where more is needed.

// expected-error@+3 {{[source-syntax] expected type, found the end of the text}}
region.state @w :

// -----

// accepted:
region.state @w : f64 = 0.0

// -----

// expected-error@+4 {{[source-syntax] expected an operation or the end of the region, found the end of the text}}
module {
  region.state @w : f64 = 0.0

// -----

// accepted:
module {
  region.state @w : f64 = 0.0
}

// -----

// A literal of a word: a decimal with a point, or the word's bits in hexadecimal.

// expected-error@+1 {{[source-syntax] expected a float literal such as 1.0, or its bits such as 0x3FF0, found '1'}}
region.state @w : f64 = 1

// -----

// accepted:
region.state @w : f64 = 1.0

// -----

// expected-error@+1 {{[source-syntax] expected a float literal such as 1.0, or its bits such as 0x3FF0, found '0x3FF0000000000000'}}
region.state @w : f64 = -0x3FF0000000000000

// -----

// accepted:
region.state @w : f64 = 0xBFF0000000000000

// -----

// expected-error@+1 {{[source-syntax] expected at most 32 bits without a sign, for f32, found '0x100000000'}}
region.state @w : f32 = 0x100000000

// -----

// accepted:
region.state @w : f32 = 0x00000001

// -----

// expected-error@+1 {{[source-syntax] expected a literal within the range of f32, found '3.5e38'}}
region.state @w : f32 = 3.5e38

// -----

// accepted:
region.state @w : f32 = 3.4e38

// -----

// A value is a binary64 number, in which a signaling f32 NaN would become a quiet one: it is refused
// in every form, and never changed.

// expected-error@+1 {{[source-syntax] expected a word that keeps its bits, as a signaling NaN doesn't, found '0x7F800001'}}
region.constant @c : f32 = 0x7F800001

// -----

// expected-error@+1 {{[source-syntax] expected a word that keeps its bits, as a signaling NaN doesn't, found '0x7F800001'}}
"region.constant"() <{sym_name = "c", type = f32, initial = 0x7F800001 : f32}> : () -> ()

// -----

// expected-error@+1 {{[source-syntax] expected a word that keeps its bits, as a signaling NaN doesn't, found '0xFFBFFFFF'}}
"region.constant"() <{sym_name = "c", type = tensor<2xf32>, initial = dense<[1.0, 0xFFBFFFFF]> : tensor<2xf32>}> : () -> ()

// -----

// expected-error@+1 {{[source-syntax] expected a word that keeps its bits, as a signaling NaN doesn't, found one in a dense attribute}}
"region.constant"() <{sym_name = "c", type = tensor<2xf32>, initial = dense<"0x0000803F0100807F"> : tensor<2xf32>}> : () -> ()

// -----

// expected-error@+1 {{[source-syntax] expected a word that keeps its bits, as a signaling NaN doesn't, found '0x7F800001'}}
module attributes {a = array<f32: 0x7F800001>} {}

// -----

// expected-error@+1 {{[source-syntax] expected a word that keeps its bits, as a signaling NaN doesn't, found one in a dense attribute}}
module attributes {a = dense<"0x0100807F0000803F"> : tensor<1xcomplex<f32>>} {}

// -----

// accepted: quiet NaNs, and every f64 word
region.constant @c : f32 = 0x7FC00001
"region.constant"() <{sym_name = "d", type = tensor<2xf32>, initial = dense<"0x0000803F0100C07F"> : tensor<2xf32>}> : () -> ()
region.constant @e : f64 = 0x7FF0000000000001
module attributes {a = array<f32: 0x7FC00001>} {}

// -----

// A word that isn't one of the operation's own.

pointwise.update @f(%a : tensor<4xf64>) -> (f64) {
  // expected-error@+1 {{[source-syntax] expected one of}}
  %b = pointwise.fold mul left along [k : 4] (%x = %a[k]) {
    pointwise.yield %x
  } : f64
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%a : tensor<4xf64>) -> (f64) {
  %b = pointwise.fold max left along [k : 4] (%x = %a[k]) {
    pointwise.yield %x
  } : f64
  pointwise.return %b
}

// -----

// Observations come last.

// expected-error@+1 {{[source-syntax] expected the observed results after all the others, found 'f64'}}
pointwise.contribution @c(%w : f64) sample(%x : f64) -> (observed "loss" : f64, f64) {
  pointwise.return %w, %x
}

// -----

// accepted:
pointwise.contribution @c(%w : f64) sample(%x : f64) -> (f64, observed "loss" : f64) {
  pointwise.return %w, %x
}

// -----

// Attributes of the right kind.

// expected-error@+1 {{[source-syntax] expected {shared} or {identity = #region.identity<...>}}}
region.state @w : f64 = 0.0 {shared = 1 : i64}

// -----

// accepted:
region.state @w : f64 = 0.0 {shared}

// -----

// A name is defined once.

pointwise.update @f(%a : f64) -> (f64) {
  %b = arith.negf %a : f64
  // expected-error@+1 {{[source-syntax] expected a new name, found %b, which is defined already}}
  %b = arith.negf %a : f64
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = arith.negf %a : f64
  %c = arith.negf %a : f64
  pointwise.return %c
}

// -----

// There are as many names as results.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[source-syntax] expected names for 1 results, found 2 names}}
  %b, %c = arith.negf %a : f64
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = arith.negf %a : f64
  pointwise.return %b
}

// -----

// A value is used with the type that it has.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[source-syntax] expected a value of type f32, found one that is used or defined with type f64 before}}
  %b = arith.negf %a : f32
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = arith.negf %a : f64
  pointwise.return %a
}
