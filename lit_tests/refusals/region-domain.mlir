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
