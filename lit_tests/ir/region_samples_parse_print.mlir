// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// Samples, in order; their number is in the text, and each component has them as first axis.

// CHECK: region.samples @data[3] : (f64) = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]>
// GENERIC: "region.samples"() <{sym_name = "data", count = 3 : i64, types = [f64], sources = [dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf64>]}> : () -> ()
region.samples @data[3] : (f64) = dense<[1.0, 2.0, 3.0]>

// CHECK: region.samples @pairs[2] : (tensor<2xf64>, f64) = dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]>, dense<[5.000000e+00, 6.000000e+00]>
// GENERIC: "region.samples"() <{sym_name = "pairs", count = 2 : i64, types = [tensor<2xf64>, f64], sources = [dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf64>, dense<[5.000000e+00, 6.000000e+00]> : tensor<2xf64>]}> : () -> ()
region.samples @pairs[2] : (tensor<2xf64>, f64) = dense<[[1.0, 2.0], [3.0, 4.0]]>, dense<[5.0, 6.0]>

// CHECK: region.samples @mixed[2] : (tensor<2x1xf32>, tensor<1xf64>, f32) = dense<{{\[\[\[}}1.000000e+00], [2.000000e+00]], {{\[\[}}3.000000e+00], [4.000000e+00]]]>, dense<{{\[\[}}5.000000e+00], [6.000000e+00]]>, dense<[7.000000e+00, 8.000000e+00]>
// GENERIC: "region.samples"() <{sym_name = "mixed", count = 2 : i64, types = [tensor<2x1xf32>, tensor<1xf64>, f32], sources = [dense<{{\[\[\[}}1.000000e+00], [2.000000e+00]], {{\[\[}}3.000000e+00], [4.000000e+00]]]> : tensor<2x2x1xf32>, dense<{{\[\[}}5.000000e+00], [6.000000e+00]]> : tensor<2x1xf64>, dense<[7.000000e+00, 8.000000e+00]> : tensor<2xf32>]}> : () -> ()
region.samples @mixed[2] : (tensor<2x1xf32>, tensor<1xf64>, f32) =
  dense<[[[1.0], [2.0]], [[3.0], [4.0]]]>, dense<[[5.0], [6.0]]>, dense<[7.0, 8.0]>

// CHECK: region.samples @splat[1000000] : (tensor<4xf64>, f64) = dense<5.000000e-01>, dense<1.000000e+00>
// GENERIC: "region.samples"() <{sym_name = "splat", count = 1000000 : i64, types = [tensor<4xf64>, f64], sources = [5.000000e-01 : f64, 1.000000e+00 : f64]}> : () -> ()
region.samples @splat[1000000] : (tensor<4xf64>, f64) = dense<0.5>, dense<1.0>

// No samples, and samples without words.
// CHECK: region.samples @none[0] : (tensor<4xf64>, f64) = dense<>, dense<>
// GENERIC: "region.samples"() <{sym_name = "none", count = 0 : i64, types = [tensor<4xf64>, f64], sources = [dense<> : tensor<0x4xf64>, dense<> : tensor<0xf64>]}> : () -> ()
region.samples @none[0] : (tensor<4xf64>, f64) = dense<>, dense<>

// CHECK: region.samples @wordless[2] : (tensor<0xf64>) = dense<>
// GENERIC: "region.samples"() <{sym_name = "wordless", count = 2 : i64, types = [tensor<0xf64>], sources = [dense<> : tensor<2x0xf64>]}> : () -> ()
region.samples @wordless[2] : (tensor<0xf64>) = dense<>

// Attributes that mean nothing here are kept.
// CHECK: region.samples @noted[1] : (f64) = dense<1.000000e+00> {source = "measured"}
// GENERIC: "region.samples"() <{sym_name = "noted", count = 1 : i64, types = [f64], sources = [1.000000e+00 : f64]}> {source = "measured"} : () -> ()
region.samples @noted[1] : (f64) = dense<1.0> {source = "measured"}

// CHECK: region.samples @noted_files[1] : (f64) from "x.npy" {source = "measured"}
// GENERIC: "region.samples"() <{sym_name = "noted_files", count = 1 : i64, types = [f64], sources = [#region.file<"x.npy">]}> {source = "measured"} : () -> ()
region.samples @noted_files[1] : (f64) from "x.npy" {source = "measured"}
