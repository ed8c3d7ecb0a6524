// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// The words of a value don't fill its type.

// expected-error@+1 {{[region-domain] expected a dense value of shape [4], found [3]}}
region.state @w : tensor<4xf64> = dense<[1.0, 2.0, 3.0]>

// -----

// accepted:
region.state @w : tensor<4xf64> = dense<[1.0, 2.0, 3.0, 4.0]>

// -----

// expected-error@+1 {{[region-domain] expected a dense value of shape [2, 2], found [4]}}
region.constant @a : tensor<2x2xf32> = dense<[1.0, 2.0, 3.0, 4.0]>

// -----

// accepted:
region.constant @a : tensor<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>

// -----

// The rows of a value have different lengths.

// expected-error@+1 {{[region-domain] expected a row of shape [2], as before it, found [1]}}
region.state @w : tensor<2x2xf64> = dense<[[1.0, 2.0], [3.0]]>

// -----

// accepted:
region.state @w : tensor<2x2xf64> = dense<[[1.0, 2.0], [3.0, 4.0]]>

// -----

// A tensor without words has no word.

// expected-error@+1 {{[region-domain] expected a dense value of shape [0, 3], found [1, 3]}}
region.state @w : tensor<0x3xf64> = dense<[[1.0, 2.0, 3.0]]>

// -----

// accepted:
region.state @w : tensor<0x3xf64> = dense<>

// -----

// A component of samples has one value a sample.

// expected-error@+1 {{[region-domain] expected a dense value of shape [3], found [2]}}
region.samples @data[3] : (f64) = dense<[1.0, 2.0]>

// -----

// accepted:
region.samples @data[3] : (f64) = dense<[1.0, 2.0, 3.0]>

// -----

// The same in generic form, where the value brings a type of its own.

// expected-error@+1 {{[region-domain] expected 4 words of tensor<4xf64> in @w, found 3 words of tensor<3xf64>}}
"region.state"() <{sym_name = "w", type = tensor<4xf64>, initial = dense<[1.0, 2.0, 3.0]> : tensor<3xf64>}> : () -> ()

// -----

// accepted:
"region.state"() <{sym_name = "w", type = tensor<4xf64>, initial = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf64>}> : () -> ()

// -----

// expected-error@+1 {{[region-domain] expected 2 words of tensor<2x1xf64> in @w, found 2 words of tensor<2xf64>}}
"region.state"() <{sym_name = "w", type = tensor<2x1xf64>, initial = dense<[1.0, 2.0]> : tensor<2xf64>}> : () -> ()

// -----

// accepted:
"region.state"() <{sym_name = "w", type = tensor<2x1xf64>, initial = dense<[[1.0], [2.0]]> : tensor<2x1xf64>}> : () -> ()

// -----

// expected-error@+1 {{[region-domain] expected 0 or more samples in @data, found -1}}
"region.samples"() <{sym_name = "data", count = -1 : i64, types = [f64], sources = [0.0 : f64]}> : () -> ()

// -----

// accepted:
"region.samples"() <{sym_name = "data", count = 1 : i64, types = [f64], sources = [0.0 : f64]}> : () -> ()

// -----

// The domain of an identity has too few coordinates.

// expected-error@+1 {{[region-domain] expected the 4 coordinates of tensor<4xf64>, found stride(0, 1, 3), which has 3}}
region.state @w : tensor<4xf64> = dense<0.0> {identity = #region.identity<schema = "s", field = "w", domain = stride(0, 1, 3), representation = f64, version = 0>}

// -----

// accepted:
region.state @w : tensor<4xf64> = dense<0.0> {identity = #region.identity<schema = "s", field = "w", domain = stride(0, 1, 4), representation = f64, version = 0>}

// -----

// expected-error@+1 {{[region-domain] expected the 4 coordinates of tensor<2x2xf64>, found repeat(2, 2, stride(0, 1, 1)), which has 2}}
region.state @w : tensor<2x2xf64> = dense<0.0> {identity = #region.identity<schema = "s", field = "w", domain = repeat(2, 2, stride(0, 1, 1)), representation = f64, version = 0>}

// -----

// accepted:
region.state @w : tensor<2x2xf64> = dense<0.0> {identity = #region.identity<schema = "s", field = "w", domain = repeat(2, 2, stride(0, 1, 2)), representation = f64, version = 0>}

// -----

// expected-error@+1 {{[region-domain] expected the 4 coordinates of tensor<4xf64>, found join(stride(0, 1, 1), stride(2, 1, 2)), which has 3}}
region.state @w : tensor<4xf64> = dense<0.0> {identity = #region.identity<schema = "s", field = "w", domain = join(stride(0, 1, 1), stride(2, 1, 2)), representation = f64, version = 0>}

// -----

// accepted:
region.state @w : tensor<4xf64> = dense<0.0> {identity = #region.identity<schema = "s", field = "w", domain = join(stride(0, 1, 1), stride(1, 1, 3)), representation = f64, version = 0>}

// -----

// expected-error@+1 {{[region-domain] expected the 1 coordinates of f64, found empty, which has 0}}
region.state @w : f64 = 0.0 {identity = #region.identity<schema = "s", field = "w", domain = empty, representation = f64, version = 0>}

// -----

// accepted:
region.state @w : tensor<0xf64> = dense<> {identity = #region.identity<schema = "s", field = "w", domain = empty, representation = f64, version = 0>}

// -----

// A value has fewer words than an array's bytes can be counted in 63 bits.

// expected-error@+1 {{[region-domain] expected fewer than 2^60 words in @w, found 2^60}}
region.state @w : tensor<1152921504606846976xf64> = dense<0.0>

// -----

// accepted:
region.state @w : tensor<1152921504606846975xf64> = dense<0.0>

// -----

// expected-error@+1 {{[region-domain] expected fewer than 2^60 words in @w, found 2^63}}
region.state @w : tensor<9223372036854775808xf64> = dense<0.0>

// -----

// expected-error@+1 {{[region-domain] expected fewer than 2^60 words in @a, found 2^64}}
region.constant @a : tensor<4611686018427387904x4xf64> = dense<0.0>

// -----

// expected-error@+1 {{[region-domain] expected fewer than 2^60 words in @a, found 2^64}}
"region.constant"() <{sym_name = "a", type = tensor<4611686018427387904x4xf64>, initial = 0.0 : f64}> : () -> ()

// -----

// accepted:
region.constant @a : tensor<268435456x4294967295xf64> = dense<0.0>

// -----

// A tensor without words has extents, too, that an array must be able to have.

// expected-error@+1 {{[region-domain] expected fewer than 2^60 words in @w, an extent of 0 counted as 1, found more than 2^62}}
region.state @w : tensor<9223372036854775807x0xf64> = dense<>

// -----

// expected-error@+1 {{[region-domain] expected fewer than 2^60 words in @w, an extent of 0 counted as 1, found 2^64}}
region.state @w : tensor<0x18446744073709551616xf64> = dense<>

// -----

// accepted:
region.state @w : tensor<1152921504606846975x0xf64> = dense<>

// -----

// expected-error@+1 {{[region-domain] expected at most 32 axes in @w, found 33}}
region.state @w : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf64> = dense<0.0>

// -----

// accepted:
region.state @w : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf64> = dense<0.0>

// -----

// So have all samples together.

// expected-error@+1 {{[region-domain] expected fewer than 2^60 words in all samples of component 1 of @data, found 2^60}}
region.samples @data[288230376151711744] : (f64, tensor<4xf64>) = dense<0.0>, dense<0.0>

// -----

// expected-error@+1 {{[region-domain] expected fewer than 2^60 words in all samples of component 0 of @data, found 2^63}}
region.samples @data[9223372036854775808] : (f64) = dense<0.0>

// -----

// expected-error@+1 {{[region-domain] expected at most 32 axes in all samples of component 0 of @data, found 33}}
"region.samples"() <{sym_name = "data", count = 1 : i64, types = [tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf64>], sources = [0.0 : f64]}> : () -> ()

// -----

// accepted:
region.samples @data[288230376151711743] : (f64, tensor<4xf64>) = dense<0.0>, dense<0.0>

// -----

// And so have the values and domains of a program.

// expected-error@+1 {{[region-domain] expected fewer than 2^60 words in argument 0 of @f, found 2^60}}
pointwise.update @f(%a : tensor<1152921504606846976xf64>) -> (f64) {
  %b = arith.constant 0.0 : f64
  pointwise.return %b
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[region-domain] expected fewer than 2^60 words in a domain, found 2^64}}
  %b = pointwise.map over [i : 4294967296, j : 4294967296] (%x = %a) {
    pointwise.yield %x
  } : tensor<4294967296x4294967296xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[region-domain] expected fewer than 2^60 words in a domain, an extent of 0 counted as 1, found 2^63}}
  %b = pointwise.fold add left over [i : 9223372036854775808] along [k : 0] (%x = %a) {
    pointwise.yield %x
  } : tensor<9223372036854775808xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[region-domain] expected fewer than 2^60 words in the domain of pointwise.fold, found 2^60}}
  %b = "pointwise.fold"(%a) <{kind = "add", order = #pointwise.order<left>, along = 2 : i64, domain = array<i64: 1073741824, 1073741824>, indexing_maps = [affine_map<(i, j) -> ()>]}> ({
  ^bb0(%x : f64):
    "pointwise.yield"(%x) : (f64) -> ()
  }) : (f64) -> f64
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = pointwise.fold add left along [i : 1073741824, j : 1073741823] (%x = %a) {
    pointwise.yield %x
  } : f64
  pointwise.return %a
}
