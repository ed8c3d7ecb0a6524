// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// Tensors are static, of f32 or f64.

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-type] expected f32, f64 or a static tensor of them as the type of the result of tensor.empty, found tensor<?xf64>}}
  %e = tensor.empty() : tensor<?xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : tensor<2xf64>, %n : f64) -> (tensor<2xf64>) {
  // expected-error@+1 {{[target-unsupported] expected no operand in tensor.empty, since shapes are static, found a dynamic size}}
  %e = tensor.empty(%n) : tensor<?xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-type] expected f32, f64 or a static tensor of them as the type of the result of tensor.empty, found tensor<2xi64>}}
  %e = tensor.empty() : tensor<2xi64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  %e = tensor.empty() : tensor<2xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-type] expected f32, f64 or a static tensor of them as the type of operand or result 0 of arith.constant, found tensor<2xi64>}}
  %c = arith.constant dense<1> : tensor<2xi64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  %c = arith.constant dense<1.0> : tensor<2xf64>
  pointwise.return %a
}

// -----

// There are no buffers.

func.func @f(%m : memref<2xf64>, %s : f64) {
  // expected-error@+1 {{[pointwise-type] expected f32, f64 or a static tensor of them as the type of operand 1 of linalg.fill, found memref<2xf64>}}
  linalg.fill ins(%s : f64) outs(%m : memref<2xf64>)
  func.return
}

// -----

// accepted:
func.func @f(%m : tensor<2xf64>, %s : f64) {
  %f = linalg.fill ins(%s : f64) outs(%m : tensor<2xf64>) -> tensor<2xf64>
  func.return
}

// -----

// Inits are tensors, and each has a result of its type.

func.func @f(%m : f64, %s : f64) {
  // expected-error@+1 {{[pointwise-type] expected tensors after outs in linalg.fill, found f64}}
  %f = linalg.fill ins(%s : f64) outs(%m : f64) -> f64
  func.return
}

// -----

func.func @f(%m : tensor<2xf64>, %s : f64) {
  // expected-error@+1 {{[pointwise-type] expected (tensor<2xf64>), found ()}}
  linalg.fill ins(%s : f64) outs(%m : tensor<2xf64>)
  func.return
}

// -----

func.func @f(%m : tensor<2xf64>, %s : f64) {
  // expected-error@+1 {{[pointwise-type] expected a tensor after outs in linalg.fill, found none}}
  linalg.fill ins(%s : f64)
  func.return
}

// -----

// A named operation has the operands of its row, with words of one type.

func.func @f(%a : tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-type] expected 2 after ins and 1 after outs in linalg.add, found 1 and 1}}
  %s = linalg.add ins(%a : tensor<2xf64>) outs(%a : tensor<2xf64>) -> tensor<2xf64>
  func.return
}

// -----

func.func @f(%a : tensor<2xf64>, %b : tensor<2xf32>) {
  // expected-error@+1 {{[pointwise-type] expected words of one type in linalg.add, found (tensor<2xf64>, tensor<2xf32>, tensor<2xf64>)}}
  %s = linalg.add ins(%a, %b : tensor<2xf64>, tensor<2xf32>) outs(%a : tensor<2xf64>) -> tensor<2xf64>
  func.return
}

// -----

// accepted:
func.func @f(%a : tensor<2xf64>, %b : tensor<2xf64>) {
  %s = linalg.add ins(%a, %b : tensor<2xf64>, tensor<2xf64>) outs(%a : tensor<2xf64>) -> tensor<2xf64>
  func.return
}

// -----

// Shapes agree along each loop, and ranks with the indices.

func.func @f(%a : tensor<3x4xf64>, %x : tensor<5xf64>, %i : tensor<3xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected 4 words along axis 0 of operand 1, as along axis 1 of operand 0, found 5}}
  %r = linalg.matvec ins(%a, %x : tensor<3x4xf64>, tensor<5xf64>) outs(%i : tensor<3xf64>) -> tensor<3xf64>
  func.return
}

// -----

func.func @f(%a : tensor<3x4xf64>, %x : tensor<4x1xf64>, %i : tensor<3xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected a map of 2 loops to 2 indices for operand 1, found 2 loops, 0 symbols, 1 indices}}
  %r = linalg.matvec ins(%a, %x : tensor<3x4xf64>, tensor<4x1xf64>) outs(%i : tensor<3xf64>) -> tensor<3xf64>
  func.return
}

// -----

// accepted:
func.func @f(%a : tensor<3x4xf64>, %x : tensor<4xf64>, %i : tensor<3xf64>) {
  %r = linalg.matvec ins(%a, %x : tensor<3x4xf64>, tensor<4xf64>) outs(%i : tensor<3xf64>) -> tensor<3xf64>
  func.return
}

// -----

// In the generic form the body is the one that the name says.

func.func @f(%a : tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-type] expected the body of linalg.add, found another one}}
  %0 = "linalg.add"(%a, %a, %a) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%x : f64, %y : f64, %z : f64):
    %s = arith.mulf %x, %y : f64
    linalg.yield %s : f64
  }) : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  func.return
}

// -----

// accepted:
func.func @f(%a : tensor<2xf64>) {
  %0 = "linalg.add"(%a, %a, %a) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%x : f64, %y : f64, %z : f64):
    %s = arith.addf %x, %y : f64
    linalg.yield %s : f64
  }) : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  func.return
}

// -----

// Of a generic operation: one map an operand, of all loops; a body on one word of each.

func.func @f(%a : tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected 2 index maps, one an operand, found 1}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<2xf64>) outs(%a : tensor<2xf64>) {
  ^bb0(%x : f64, %y : f64):
    linalg.yield %x : f64
  } -> tensor<2xf64>
  func.return
}

// -----

func.func @f(%a : tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected a map of 1 loops to 1 indices for operand 1, found 2 loops, 0 symbols, 1 indices}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<2xf64>) outs(%a : tensor<2xf64>) {
  ^bb0(%x : f64, %y : f64):
    linalg.yield %x : f64
  } -> tensor<2xf64>
  func.return
}

// -----

func.func @f(%a : tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected an index that is loop d1 alone, which says how often it runs, found none}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<2xf64>) outs(%a : tensor<2xf64>) {
  ^bb0(%x : f64, %y : f64):
    linalg.yield %x : f64
  } -> tensor<2xf64>
  func.return
}

// -----

func.func @f(%a : tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-type] expected (f64, f64), found (f64, f32)}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<2xf64>) outs(%a : tensor<2xf64>) {
  ^bb0(%x : f64, %y : f32):
    linalg.yield %x : f64
  } -> tensor<2xf64>
  func.return
}

// -----

func.func @f(%a : tensor<2xf64>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<2xf64>) outs(%a : tensor<2xf64>) {
  ^bb0(%x : f64, %y : f64):
    // expected-error@+1 {{[pointwise-type] expected (f64), found (f64, f64)}}
    linalg.yield %x, %y : f64, f64
  } -> tensor<2xf64>
  func.return
}

// -----

func.func @f(%a : tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-type] expected linalg.yield as the last operation, found pointwise.yield}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<2xf64>) outs(%a : tensor<2xf64>) {
  ^bb0(%x : f64, %y : f64):
    pointwise.yield %x
  } -> tensor<2xf64>
  func.return
}

// -----

func.func @f(%a : tensor<2xf64>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<2xf64>) outs(%a : tensor<2xf64>) {
  ^bb0(%x : f64, %y : f64):
    // expected-error@+1 {{[pointwise-domain] expected the number of one of 1 loops, found 1}}
    %i = linalg.index 1 : index
    linalg.yield %x : f64
  } -> tensor<2xf64>
  func.return
}

// -----

// accepted:
func.func @f(%a : tensor<2xf64>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<2xf64>) outs(%a : tensor<2xf64>) {
  ^bb0(%x : f64, %y : f64):
    %i = linalg.index 0 : index
    linalg.yield %x : f64
  } -> tensor<2xf64>
  func.return
}

// -----

// What stands before the operands is a dictionary of maps and iterators.

func.func @f(%a : tensor<2xf64>) {
  // expected-error@+1 {{[source-syntax] expected a list as iterator_types, found none}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>]} outs(%a : tensor<2xf64>) {
  ^bb0(%y : f64):
    linalg.yield %y : f64
  } -> tensor<2xf64>
  func.return
}

// -----

func.func @f(%a : tensor<2xf64>) {
  // expected-error@+1 {{[source-syntax] expected "parallel" or "reduction" or "window", found "serial"}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["serial"]} outs(%a : tensor<2xf64>) {
  ^bb0(%y : f64):
    linalg.yield %y : f64
  } -> tensor<2xf64>
  func.return
}

// -----

func.func @f(%a : tensor<2xf64>) {
  // expected-error@+1 {{[source-syntax] expected an affine map, found 1 : i64}}
  %0 = linalg.generic {indexing_maps = [1], iterator_types = ["parallel"]} outs(%a : tensor<2xf64>) {
  ^bb0(%y : f64):
    linalg.yield %y : f64
  } -> tensor<2xf64>
  func.return
}

// -----

func.func @f(%a : tensor<2xf64>) {
  // expected-error@+1 {{[source-syntax] expected a dictionary with indexing_maps and iterator_types, found "trait"}}
  %0 = linalg.generic "trait" outs(%a : tensor<2xf64>) {
  ^bb0(%y : f64):
    linalg.yield %y : f64
  } -> tensor<2xf64>
  func.return
}

// -----

func.func @f(%a : tensor<2xf64>) {
  // expected-error@+1 {{[source-syntax] expected a string as doc, found 1 : i64}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"], doc = 1} outs(%a : tensor<2xf64>) {
  ^bb0(%y : f64):
    linalg.yield %y : f64
  } -> tensor<2xf64>
  func.return
}

// -----

// accepted:
func.func @f(%a : tensor<2xf64>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"], doc = "same"} outs(%a : tensor<2xf64>) {
  ^bb0(%y : f64):
    linalg.yield %y : f64
  } -> tensor<2xf64>
  func.return
}

// -----

// Axes are permuted, added and dropped.

func.func @f(%a : tensor<2x3xf64>, %e : tensor<3x2xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected a permutation of all axes, found [1, 1] from 2 axes to 2}}
  %0 = linalg.transpose ins(%a : tensor<2x3xf64>) outs(%e : tensor<3x2xf64>) permutation = [1, 1]
  func.return
}

// -----

func.func @f(%a : tensor<2x3xf64>, %e : tensor<3x2xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected 2 words along axis 0 of operand 1, as along axis 0 of operand 0, found 3}}
  %0 = linalg.transpose ins(%a : tensor<2x3xf64>) outs(%e : tensor<3x2xf64>) permutation = [0, 1]
  func.return
}

// -----

// accepted:
func.func @f(%a : tensor<2x3xf64>, %e : tensor<3x2xf64>) {
  %0 = linalg.transpose ins(%a : tensor<2x3xf64>) outs(%e : tensor<3x2xf64>) permutation = [1, 0]
  func.return
}

// -----

func.func @f(%a : tensor<3xf64>, %e : tensor<2x3xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected different dimensions, as many as the ranks differ by, found [0, 1] from 1 axes to 2}}
  %0 = linalg.broadcast ins(%a : tensor<3xf64>) outs(%e : tensor<2x3xf64>) dimensions = [0, 1]
  func.return
}

// -----

func.func @f(%a : f64, %e : tensor<2x3xf64>) {
  // expected-error@+1 {{[pointwise-type] expected a tensor after ins in linalg.broadcast, found f64}}
  %0 = linalg.broadcast ins(%a : f64) outs(%e : tensor<2x3xf64>) dimensions = [0, 1]
  func.return
}

// -----

// accepted:
func.func @f(%a : tensor<3xf64>, %e : tensor<2x3xf64>) {
  %0 = linalg.broadcast ins(%a : tensor<3xf64>) outs(%e : tensor<2x3xf64>) dimensions = [0]
  func.return
}

// -----

func.func @f(%a : tensor<2x3xf64>, %e : tensor<2xf64>) {
  // expected-error@+1 {{[source-syntax] expected one of arith.addf, arith.mulf, arith.maximumf, arith.minimumf, arith.maxnumf, arith.minnumf, found arith.negf}}
  %0 = linalg.reduce { arith.negf } ins(%a : tensor<2x3xf64>) outs(%e : tensor<2xf64>) dimensions = [1]
  func.return
}

// -----

// accepted:
func.func @f(%a : tensor<2x3xf64>, %e : tensor<2xf64>) {
  %0 = linalg.reduce { arith.mulf } ins(%a : tensor<2x3xf64>) outs(%e : tensor<2xf64>) dimensions = [1]
  func.return
}

// -----

// One word is extracted by an index for each axis.

func.func @f(%a : tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected an index for each of 1 axes, found 0}}
  %0 = tensor.extract %a[] : tensor<2xf64>
  func.return
}

// -----

func.func @f(%a : tensor<2xf64>, %i : index) {
  // expected-error@+1 {{[pointwise-type] expected tensor<2xf64>, found tensor<2xf32>}}
  %0 = tensor.extract %a[%i] : tensor<2xf32>
  func.return
}

// -----

func.func @f(%a : f64) {
  // expected-error@+1 {{[source-structure]}}
  %0 = tensor.extract %a[] : f64
  func.return
}

// -----

// accepted:
func.func @f(%a : tensor<f64>) {
  %0 = tensor.extract %a[] : tensor<f64>
  func.return
}
