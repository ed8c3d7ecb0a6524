// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// Each component has one file ...

// expected-error@+1 {{[region-samples-components] expected one source for each of 2 components of @data, found 1}}
region.samples @data[6] : (tensor<4xf64>, f64) from "x.npy"

// -----

// expected-error@+1 {{[region-samples-components] expected one source for each of 2 components of @data, found 3}}
region.samples @data[6] : (tensor<4xf64>, f64) from "x.npy", "y.npy", "z.npy"

// -----

// accepted:
region.samples @data[6] : (tensor<4xf64>, f64) from "x.npy", "y.npy"

// -----

// ... or one inline value.

// expected-error@+1 {{[region-samples-components] expected one source for each of 2 components of @data, found 1}}
region.samples @data[2] : (f64, f64) = dense<[1.0, 2.0]>

// -----

// expected-error@+1 {{[region-samples-components] expected one source for each of 2 components of @data, found another}}
region.samples @data[2] : (f64, f64) = dense<[1.0, 2.0]>, dense<0.0>, dense<0.0>

// -----

// accepted:
region.samples @data[2] : (f64, f64) = dense<[1.0, 2.0]>, dense<0.0>

// -----

// A sample has something in it.

// expected-error@+1 {{[region-samples-components] expected one source for each of 0 components of @data, found 1}}
region.samples @data[2] : () from "x.npy"

// -----

// expected-error@+1 {{[region-samples-components] expected one source for each of 0 components of @data, found another}}
region.samples @data[2] : () = dense<0.0>

// -----

// expected-error@+1 {{[region-samples-components] expected one source for each of 0 components of @data, found 0}}
"region.samples"() <{sym_name = "data", count = 2 : i64, types = [], sources = []}> : () -> ()

// -----

// accepted:
region.samples @data[2] : (f64) from "x.npy"

// -----

// All components are inline, or all are in files; generic form.

// expected-error@+1 {{[region-samples-components] expected all components of @data inline or all from files, found 1 of 2 from files}}
"region.samples"() <{sym_name = "data", count = 2 : i64, types = [f64, f64], sources = [#region.file<"x.npy">, 0.0 : f64]}> : () -> ()

// -----

// accepted:
"region.samples"() <{sym_name = "data", count = 2 : i64, types = [f64, f64], sources = [#region.file<"x.npy">, #region.file<"y.npy">]}> : () -> ()
