// RUN: alpha-opt %s | filecheck %s
// RUN: alpha-opt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: %roundtrip

// What a piece of logical state is, wherever it lies.

// CHECK: region.state @w : tensor<4xf64> = dense<0.000000e+00> {identity = #region.identity<schema = "linear", field = "w", domain = stride(0, 1, 4), representation = f64, version = 0>}
// GENERIC: "region.state"() <{sym_name = "w", type = tensor<4xf64>, initial = 0.000000e+00 : f64, identity = #region.identity<schema = "linear", field = "w", domain = stride(0, 1, 4), representation = f64, version = 0>}> : () -> ()
region.state @w : tensor<4xf64> = dense<0.0> {identity = #region.identity<schema = "linear", field = "w", domain = stride(0, 1, 4), representation = f64, version = 0>}

// CHECK: region.state @m : tensor<2x4xf32> = dense<0.000000e+00> {shared, identity = #region.identity<schema = "a \22b\22", field = "m", domain = repeat(2, 4, stride(0, 1, 4)), representation = f32, version = 0>, note}
// GENERIC: "region.state"() <{sym_name = "m", type = tensor<2x4xf32>, initial = 0.000000e+00 : f32, shared, identity = #region.identity<schema = "a \22b\22", field = "m", domain = repeat(2, 4, stride(0, 1, 4)), representation = f32, version = 0>}> {note} : () -> ()
region.state @m : tensor<2x4xf32> = dense<0.0> {identity = #region.identity<schema = "a \22b\22", field = "m", domain = repeat(2, 4, stride(0, 1, 4)), representation = f32, version = 0>, shared, note}

// CHECK: region.state @empty : tensor<0xf64> = dense<> {identity = #region.identity<schema = "", field = "empty", domain = empty, representation = f64, version = 0>}
// GENERIC: "region.state"() <{sym_name = "empty", type = tensor<0xf64>, initial = dense<> : tensor<0xf64>, identity = #region.identity<schema = "", field = "empty", domain = empty, representation = f64, version = 0>}> : () -> ()
region.state @empty : tensor<0xf64> = dense<> {identity = #region.identity<schema = "", field = "empty", domain = empty, representation = f64, version = 0>}

// CHECK: region.state @huge : tensor<1000000000000xf64> = dense<0.000000e+00> {identity = #region.identity<schema = "s", field = "huge", domain = stride(0, 1, 1000000000000), representation = f64, version = 0>}
// GENERIC: "region.state"() <{sym_name = "huge", type = tensor<1000000000000xf64>, initial = 0.000000e+00 : f64, identity = #region.identity<schema = "s", field = "huge", domain = stride(0, 1, 1000000000000), representation = f64, version = 0>}> : () -> ()
region.state @huge : tensor<1000000000000xf64> = dense<0.0> {identity = #region.identity<schema = "s", field = "huge", domain = stride(0, 1, 1000000000000), representation = f64, version = 0>}

// By itself an identity may be of any version and domain.
// CHECK: builtin.module attributes {id = #region.identity<schema = "s", field = "w", domain = join(stride(0, 2, 2), stride(7, 1, 3)), representation = f64, version = 12>} {
// CHECK-NEXT: }
// GENERIC: "builtin.module"() ({
// GENERIC-NEXT: ^bb0:
// GENERIC-NEXT: }) {id = #region.identity<schema = "s", field = "w", domain = join(stride(0, 2, 2), stride(7, 1, 3)), representation = f64, version = 12>} : () -> ()
module attributes {id = #region.identity<schema = "s", field = "w", domain = join(stride(0, 2, 2), stride(7, 1, 3)), representation = f64, version = 12>} {}
