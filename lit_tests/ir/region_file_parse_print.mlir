// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// Words in files; the files aren't opened here, so they needn't be there.

// CHECK: region.state @w : tensor<4xf64> from "w.npy"
// GENERIC: "region.state"() <{sym_name = "w", type = tensor<4xf64>, initial = #region.file<"w.npy">}> : () -> ()
region.state @w : tensor<4xf64> from "w.npy"

// CHECK: region.state @v : tensor<4x2xf32> from "state/all.safetensors"["layers.0.weight"]
// GENERIC: "region.state"() <{sym_name = "v", type = tensor<4x2xf32>, initial = #region.file<"state/all.safetensors"["layers.0.weight"]>}> : () -> ()
region.state @v : tensor<4x2xf32> from "state/all.safetensors"["layers.0.weight"]

// CHECK: region.constant @c : f64 from "../c.npy"
// GENERIC: "region.constant"() <{sym_name = "c", type = f64, initial = #region.file<"../c.npy">}> : () -> ()
region.constant @c : f64 from "../c.npy"

// Any name, and any key.
// CHECK: region.state @odd : tensor<4xf64> from "a \22b\22 \\ é.safetensors"["k\0A"]
// GENERIC: "region.state"() <{sym_name = "odd", type = tensor<4xf64>, initial = #region.file<"a \22b\22 \\ é.safetensors"["k\0A"]>}> : () -> ()
region.state @odd : tensor<4xf64> from "a \22b\22 \\ \C3\A9.safetensors"["k\0A"]

// CHECK: region.state @letters : tensor<4xf64> from "é.npy"
// GENERIC: "region.state"() <{sym_name = "letters", type = tensor<4xf64>, initial = #region.file<"é.npy">}> : () -> ()
region.state @letters : tensor<4xf64> from "é.npy"

// Samples: one file a component.
// CHECK: region.samples @data[1000000000000] : (tensor<10xf64>, f64) from "x.npy", "y.npy"
// GENERIC: "region.samples"() <{sym_name = "data", count = 1000000000000 : i64, types = [tensor<10xf64>, f64], sources = [#region.file<"x.npy">, #region.file<"y.npy">]}> : () -> ()
region.samples @data[1000000000000] : (tensor<10xf64>, f64) from "x.npy", "y.npy"

// CHECK: region.samples @tensors[442] : (tensor<10xf64>, f64) from "all.safetensors"["x"], "all.safetensors"["y"]
// GENERIC: "region.samples"() <{sym_name = "tensors", count = 442 : i64, types = [tensor<10xf64>, f64], sources = [#region.file<"all.safetensors"["x"]>, #region.file<"all.safetensors"["y"]>]}> : () -> ()
region.samples @tensors[442] : (tensor<10xf64>, f64) from "all.safetensors"["x"], "all.safetensors"["y"]

// The attribute by itself.
// CHECK: builtin.module attributes {a = #region.file<"w.npy">, b = #region.file<"w.safetensors"["w"]>} {
// CHECK-NEXT: }
// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: ^bb0:
// GENERIC-NEXT: }) {a = #region.file<"w.npy">, b = #region.file<"w.safetensors"["w"]>} : () -> ()
module attributes {a = #region.file<"w.npy">, b = #region.file<"w.safetensors"["w"]>} {}
