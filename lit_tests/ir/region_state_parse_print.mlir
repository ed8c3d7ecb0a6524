// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// A state has a name, a type and initial words.

// CHECK: region.state @scalar : f64 = 5.000000e-01
// GENERIC: "region.state"() <{sym_name = "scalar", type = f64, initial = 5.000000e-01 : f64}> : () -> ()
region.state @scalar : f64 = 0.5

// CHECK: region.state @single : f32 = -1.250000e+00
// GENERIC: "region.state"() <{sym_name = "single", type = f32, initial = -1.250000e+00 : f32}> : () -> ()
region.state @single : f32 = -1.25

// CHECK: region.state @splat : tensor<4xf64> = dense<0.000000e+00>
// GENERIC: "region.state"() <{sym_name = "splat", type = tensor<4xf64>, initial = 0.000000e+00 : f64}> : () -> ()
region.state @splat : tensor<4xf64> = dense<0.0>

// CHECK: region.state @dense : tensor<3xf64> = dense<[1.000000e+00, 2.000000e+00, -3.000000e+00]>
// GENERIC: "region.state"() <{sym_name = "dense", type = tensor<3xf64>, initial = dense<[1.000000e+00, 2.000000e+00, -3.000000e+00]> : tensor<3xf64>}> : () -> ()
region.state @dense : tensor<3xf64> = dense<[1.0, 2.0, -3.0]>

// CHECK: region.state @nested : tensor<2x3xf32> = dense<{{\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]>
// GENERIC: "region.state"() <{sym_name = "nested", type = tensor<2x3xf32>, initial = dense<{{\[\[}}1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>}> : () -> ()
region.state @nested : tensor<2x3xf32> = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]>

// CHECK: region.state @deep : tensor<2x1x2xf64> = dense<{{\[\[\[}}1.000000e+00, 2.000000e+00]], {{\[\[}}3.000000e+00, 4.000000e+00]]]>
// GENERIC: "region.state"() <{sym_name = "deep", type = tensor<2x1x2xf64>, initial = dense<{{\[\[\[}}1.000000e+00, 2.000000e+00]], {{\[\[}}3.000000e+00, 4.000000e+00]]]> : tensor<2x1x2xf64>}> : () -> ()
region.state @deep : tensor<2x1x2xf64> = dense<[[[1.0, 2.0]], [[3.0, 4.0]]]>

// Words that are all alike are a splat, however they are written.
// CHECK: region.state @alike : tensor<3xf64> = dense<2.500000e+00>
// GENERIC: "region.state"() <{sym_name = "alike", type = tensor<3xf64>, initial = 2.500000e+00 : f64}> : () -> ()
region.state @alike : tensor<3xf64> = dense<[2.5, 2.5, 2.5]>

// CHECK: region.state @one : tensor<1x1xf64> = dense<2.500000e+00>
// GENERIC: "region.state"() <{sym_name = "one", type = tensor<1x1xf64>, initial = 2.500000e+00 : f64}> : () -> ()
region.state @one : tensor<1x1xf64> = dense<[[2.5]]>

// A splat costs one word, whatever the size of the tensor.
// CHECK: region.state @huge : tensor<1000000000000xf64> = dense<5.000000e-01>
// GENERIC: "region.state"() <{sym_name = "huge", type = tensor<1000000000000xf64>, initial = 5.000000e-01 : f64}> : () -> ()
region.state @huge : tensor<1000000000000xf64> = dense<0.5>

// A tensor without words.
// CHECK: region.state @empty : tensor<0xf64> = dense<>
// GENERIC: "region.state"() <{sym_name = "empty", type = tensor<0xf64>, initial = dense<> : tensor<0xf64>}> : () -> ()
region.state @empty : tensor<0xf64> = dense<>

// CHECK: region.state @empty_rows : tensor<3x0xf32> = dense<>
// GENERIC: "region.state"() <{sym_name = "empty_rows", type = tensor<3x0xf32>, initial = dense<> : tensor<3x0xf32>}> : () -> ()
region.state @empty_rows : tensor<3x0xf32> = dense<[[], [], []]>

// CHECK: region.state @empty_splat : tensor<0x4xf64> = dense<0.000000e+00>
// GENERIC: "region.state"() <{sym_name = "empty_splat", type = tensor<0x4xf64>, initial = 0.000000e+00 : f64}> : () -> ()
region.state @empty_splat : tensor<0x4xf64> = dense<0.0>

// A tensor with as many axes as there may be.
// CHECK: region.state @axes : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xf64> = dense<5.000000e-01>
// GENERIC: "region.state"() <{sym_name = "axes", type = tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xf64>, initial = 5.000000e-01 : f64}> : () -> ()
region.state @axes : tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2xf64> = dense<0.5>

// A name has letters of any script.
// CHECK: region.state @"gewöhnlich λ₁ 重み" : f64 = 1.000000e+00
// GENERIC: "region.state"() <{sym_name = "gewöhnlich λ₁ 重み", type = f64, initial = 1.000000e+00 : f64}> : () -> ()
region.state @"gewöhnlich λ₁ 重み" : f64 = 1.0

// Shared words serve all coordinates.
// CHECK: region.state @power : f64 = 1.000000e+00 {shared}
// GENERIC: "region.state"() <{sym_name = "power", type = f64, initial = 1.000000e+00 : f64, shared}> : () -> ()
region.state @power : f64 = 1.0 {shared}

// A symbol that isn't an identifier stands in quotes.
// CHECK: region.state @"learning rate, \22first\22" : f64 = 1.000000e+00
// GENERIC: "region.state"() <{sym_name = "learning rate, \22first\22", type = f64, initial = 1.000000e+00 : f64}> : () -> ()
region.state @"learning rate, \22first\22" : f64 = 1.0

// Attributes that mean nothing here are kept.
// CHECK: region.state @noted : f64 = 1.000000e+00 {shared, note = "by hand", rank = 3 : i32}
// GENERIC: "region.state"() <{sym_name = "noted", type = f64, initial = 1.000000e+00 : f64, shared}> {note = "by hand", rank = 3 : i32} : () -> ()
region.state @noted : f64 = 1.0 {note = "by hand", shared, rank = 3 : i32}

// CHECK: region.state @described : tensor<2xf64> from "w.npy" {note = "by hand"}
// GENERIC: "region.state"() <{sym_name = "described", type = tensor<2xf64>, initial = #region.file<"w.npy">}> {note = "by hand"} : () -> ()
region.state @described : tensor<2xf64> from "w.npy" {note = "by hand"}
