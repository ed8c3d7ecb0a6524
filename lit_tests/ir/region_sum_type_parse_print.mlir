// RUN: alpha-opt %s | filecheck %s
// RUN: %roundtrip

// A sum says in its type which samples it is over, and so does its count.

// CHECK: func.func private @sums(!region.sum<tensor<4xf64>, @data>, !region.count<@data>) -> !region.sum<f32, @"more data">
func.func private @sums(!region.sum<tensor<4xf64>, @data>, !region.count<@data>) -> !region.sum<f32, @"more data">
