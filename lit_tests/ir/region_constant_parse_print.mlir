// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// A constant is written as a state is, and never changes.

// CHECK: region.constant @rate : f64 = 5.000000e-02
// GENERIC: "region.constant"() <{sym_name = "rate", type = f64, initial = 5.000000e-02 : f64}> : () -> ()
region.constant @rate : f64 = 0.05

// CHECK: region.constant @mask : tensor<2x2xf32> = dense<{{\[\[}}1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00]]>
// GENERIC: "region.constant"() <{sym_name = "mask", type = tensor<2x2xf32>, initial = dense<{{\[\[}}1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00]]> : tensor<2x2xf32>}> : () -> ()
region.constant @mask : tensor<2x2xf32> = dense<[[1.0, 0.0], [0.0, 1.0]]>

// CHECK: region.constant @ones : tensor<1000000x1000000xf64> = dense<1.000000e+00>
// GENERIC: "region.constant"() <{sym_name = "ones", type = tensor<1000000x1000000xf64>, initial = 1.000000e+00 : f64}> : () -> ()
region.constant @ones : tensor<1000000x1000000xf64> = dense<1.0>

// CHECK: region.constant @table : tensor<256xf32> from "table.npy"
// GENERIC: "region.constant"() <{sym_name = "table", type = tensor<256xf32>, initial = #region.file<"table.npy">}> : () -> ()
region.constant @table : tensor<256xf32> from "table.npy"

// It may be what a state may not.
// CHECK: region.constant @most : f64 = 0x7FF0000000000000
// GENERIC: "region.constant"() <{sym_name = "most", type = f64, initial = 0x7FF0000000000000 : f64}> : () -> ()
region.constant @most : f64 = 0x7FF0000000000000

// CHECK: region.constant @least : f32 = 0xFF800000
// GENERIC: "region.constant"() <{sym_name = "least", type = f32, initial = 0xFF800000 : f32}> : () -> ()
region.constant @least : f32 = 0xFF800000

// CHECK: region.constant @unknown : tensor<2xf64> = dense<[0x7FF8000000000000, 0xFFF8000000000001]>
// GENERIC: "region.constant"() <{sym_name = "unknown", type = tensor<2xf64>, initial = dense<[0x7FF8000000000000, 0xFFF8000000000001]> : tensor<2xf64>}> : () -> ()
region.constant @unknown : tensor<2xf64> = dense<[0x7FF8000000000000, 0xFFF8000000000001]>

// Attributes that mean nothing here are kept.
// CHECK: region.constant @noted : f64 = 5.000000e-02 {unit = "per round", shared}
// GENERIC: "region.constant"() <{sym_name = "noted", type = f64, initial = 5.000000e-02 : f64}> {unit = "per round", shared} : () -> ()
region.constant @noted : f64 = 0.05 {unit = "per round", shared}
