// RUN: alpha-opt --convert-pointwise-to-ptx %s | filecheck %s
// RUN: alpha-opt --convert-pointwise-to-ptx %s | alpha-opt | filecheck %s
// RUN: alpha-opt --convert-pointwise-to-ptx %s | alpha-translate --emit-ptx | filecheck %s --check-prefix=TEXT
// RUN: alpha-opt --lower-pointwise-to-kernels %s | alpha-opt --convert-pointwise-to-ptx | filecheck %s
// RUN: not alpha-opt --convert-pointwise-to-ptx %examples/choice_gate.mlir 2>&1 | filecheck %s --check-prefix=GATE

// What the passes between leave, also of what some of them have done already.
// CHECK: ptx.func @root in () slots [] out 0 attributes {kernel = {program = "root", step = 0 : i64, arguments = ["input 0 %w : n0xf32", "result 0 %w1 : n0xf32", "extent 0", "wide 4"]
// CHECK: ptx.load_global_s4 [%{{.+}}]
// CHECK-COUNT-4: ptx.sqrt_s
// CHECK: ptx.store_global_s4 [%{{.+}}]
// CHECK: ptx.load_global_s
// CHECK-NEXT: ptx.sqrt_s
// CHECK: ptx.return

// TEXT: // @root, step 0: the extent points, a thread for each, blocks of 256
// TEXT: .visible .entry root(
// TEXT: sqrt.rn.f32

// GATE: choice_gate.mlir:3:1: error: [target-unsupported] expected functions and globals in a module that is to be selected, found protocol.global
pointwise.update @root(%w : tensor<9xf32>) -> (tensor<9xf32>) {
  %w1 = pointwise.map over [i : 9] (%x = %w[i]) {
    %r = math.sqrt %x : f32
    pointwise.yield %r
  } : tensor<9xf32>
  pointwise.return %w1
}
