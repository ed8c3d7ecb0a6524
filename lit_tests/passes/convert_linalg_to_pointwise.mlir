// RUN: alpha-opt %s --convert-linalg-to-pointwise --split-input-file --verify-diagnostics -o %t
// RUN: filecheck %s < %t
// RUN: alpha-opt %t --convert-linalg-to-pointwise --split-input-file | diff %t -

// A sum from -0.0 on is a fold in the order `left`: the init leaves nothing behind.
// CHECK-LABEL: pointwise.update @matvec(%A: tensor<3x4xf64>, %x: tensor<4xf64>) -> (tensor<3xf64>) {
// CHECK-NEXT:   %p = pointwise.fold add left over [i : 3] along [j : 4] (%in = %A[i, j], %in_1 = %x[j]) {
// CHECK-NEXT:     %0 = arith.mulf %in, %in_1 : f64
// CHECK-NEXT:     pointwise.yield %0
// CHECK-NEXT:   } : tensor<3xf64>
// CHECK-NEXT:   pointwise.return %p
// CHECK-NEXT: }
pointwise.update @matvec(%A : tensor<3x4xf64>, %x : tensor<4xf64>) -> (tensor<3xf64>) {
  %zero = arith.constant -0.0 : f64
  %e = tensor.empty() : tensor<3xf64>
  %i = linalg.fill ins(%zero : f64) outs(%e : tensor<3xf64>) -> tensor<3xf64>
  %p = linalg.matvec ins(%A, %x : tensor<3x4xf64>, tensor<4xf64>) outs(%i : tensor<3xf64>) -> tensor<3xf64>
  pointwise.return %p
}

// From +0.0 on, 0.0 is added to the fold, which makes 0.0 of -0.0 as the loops do.
// CHECK-LABEL: pointwise.update @from_zero(%A: tensor<3x4xf64>, %x: tensor<4xf64>) -> (tensor<3xf64>) {
// CHECK-NEXT:   %sum = pointwise.fold add left over [i : 3] along [j : 4] (%in = %A[i, j], %in_1 = %x[j]) {
// CHECK-NEXT:     %0 = arith.mulf %in, %in_1 : f64
// CHECK-NEXT:     pointwise.yield %0
// CHECK-NEXT:   } : tensor<3xf64>
// CHECK-NEXT:   %p = pointwise.map over [i : 3] (%word = %sum[i]) {
// CHECK-NEXT:     %zero = arith.constant 0.000000e+00 : f64
// CHECK-NEXT:     %total = arith.addf %zero, %word : f64
// CHECK-NEXT:     pointwise.yield %total
// CHECK-NEXT:   } : tensor<3xf64>
// CHECK-NEXT:   pointwise.return %p
pointwise.update @from_zero(%A : tensor<3x4xf64>, %x : tensor<4xf64>) -> (tensor<3xf64>) {
  %i = arith.constant dense<0.0> : tensor<3xf64>
  %p = linalg.matvec ins(%A, %x : tensor<3x4xf64>, tensor<4xf64>) outs(%i : tensor<3xf64>) -> tensor<3xf64>
  pointwise.return %p
}

// A tensor without axes has become a scalar, which is what tensor.extract gives; other constants stay.
// CHECK-LABEL: pointwise.update @dot(%x: tensor<4xf32>, %y: tensor<4xf32>, %b: tensor<f32>) -> (f32, f32, f32) {
// CHECK-NEXT:   %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:   %sum = pointwise.fold add left along [i : 4] (%in = %x[i], %in_1 = %y[i]) {
// CHECK:        } : f32
// CHECK-NEXT:   %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:   %d = arith.addf %zero, %sum : f32
// CHECK-NEXT:   %t = pointwise.map over [] (%word = %b) {
// CHECK-NEXT:     pointwise.yield %word
// CHECK-NEXT:   } : f32
// CHECK-NEXT:   %u = arith.mulf %d, %two : f32
// CHECK-NEXT:   pointwise.return %u, %t, %two
pointwise.update @dot(%x : tensor<4xf32>, %y : tensor<4xf32>, %b : tensor<f32>) -> (f32, f32, f32) {
  %two = arith.constant 2.0 : f32
  %i = arith.constant dense<0.0> : tensor<f32>
  %d = linalg.dot ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%i : tensor<f32>) -> tensor<f32>
  %s = tensor.extract %d[] : tensor<f32>
  %t = tensor.extract %b[] : tensor<f32>
  %u = arith.mulf %s, %two : f32
  pointwise.return %u, %t, %two
}

// The axes after `over` are those of the result, those after `along` the reduction loops in their
// order. What stands around the body comes in as an operand, and attributes stay.
// CHECK-LABEL: pointwise.contribution @axes(%A: tensor<2x3x4x5xf64>, %s: f64) sample() -> (tensor<4x2xf64>) {
// CHECK-NEXT:   %g = pointwise.fold add left over [i : 4, j : 2] along [k : 3, l : 5] (%in = %A[j, k, i, l], %s_1 = %s) attributes {note = "kept"} {
// CHECK-NEXT:     %t = arith.mulf %s_1, %in : f64
// CHECK-NEXT:     pointwise.yield %t
// CHECK-NEXT:   } : tensor<4x2xf64>
pointwise.contribution @axes(%A : tensor<2x3x4x5xf64>, %s : f64) sample() -> (tensor<4x2xf64>) {
  %i = arith.constant dense<-0.0> : tensor<4x2xf64>
  %g = linalg.generic {
    indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (c, a)>],
    iterator_types = ["parallel", "reduction", "parallel", "reduction"]
  } ins(%A : tensor<2x3x4x5xf64>) outs(%i : tensor<4x2xf64>) attrs = {note = "kept"} {
  ^bb0(%in: f64, %out: f64):
    %t = arith.mulf %s, %in : f64
    %u = arith.addf %t, %out : f64
    linalg.yield %u : f64
  } -> tensor<4x2xf64>
  pointwise.return %g
}

// Results of a reduction are a fold each; results in one order of axes are one map.
// CHECK-LABEL: pointwise.update @results(%A: tensor<2x3xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2x3xf64>, tensor<3x2xf64>, tensor<2x3xf64>) {
// CHECK-NEXT:   %a = pointwise.fold add left over [i : 2] along [j : 3] (%in = %A[i, j]) {
// CHECK-NEXT:     pointwise.yield %in
// CHECK-NEXT:   } : tensor<2xf64>
// CHECK-NEXT:   %b = pointwise.fold add left over [i : 2] along [j : 3] (%in = %A[i, j]) {
// CHECK-NEXT:     %t = math.absf %in : f64
// CHECK-NEXT:     pointwise.yield %t
// CHECK-NEXT:   } : tensor<2xf64>
// CHECK-NEXT:   %c, %e = pointwise.map over [i : 2, j : 3] (%in = %A[i, j]) {
// CHECK-NEXT:     %t = math.absf %in : f64
// CHECK-NEXT:     pointwise.yield %t, %in
// CHECK-NEXT:   } : tensor<2x3xf64>, tensor<2x3xf64>
// CHECK-NEXT:   %d = pointwise.map over [i : 3, j : 2] (%in = %A[j, i]) {
// CHECK-NEXT:     %u = arith.negf %in : f64
// CHECK-NEXT:     pointwise.yield %u
// CHECK-NEXT:   } : tensor<3x2xf64>
pointwise.update @results(%A : tensor<2x3xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2x3xf64>, tensor<3x2xf64>, tensor<2x3xf64>) {
  %i = arith.constant dense<-0.0> : tensor<2xf64>
  %a, %b = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i, %i : tensor<2xf64>, tensor<2xf64>) {
  ^bb0(%in: f64, %o: f64, %p: f64):
    %t = math.absf %in : f64
    %u = arith.addf %o, %in : f64
    %v = arith.addf %p, %t : f64
    linalg.yield %u, %v : f64, f64
  } -> (tensor<2xf64>, tensor<2xf64>)
  %e0 = tensor.empty() : tensor<2x3xf64>
  %e1 = tensor.empty() : tensor<3x2xf64>
  %c, %d, %e = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%A : tensor<2x3xf64>) outs(%e0, %e1, %e0 : tensor<2x3xf64>, tensor<3x2xf64>, tensor<2x3xf64>) {
  ^bb0(%in: f64, %o: f64, %p: f64, %q: f64):
    %t = math.absf %in : f64
    %u = arith.negf %in : f64
    linalg.yield %t, %u, %in : f64, f64, f64
  } -> (tensor<2x3xf64>, tensor<3x2xf64>, tensor<2x3xf64>)
  pointwise.return %a, %b, %c, %d, %e
}

// exp, log and tanh, by their names and in bodies.
// CHECK-LABEL: pointwise.update @functions(%A: tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2xf64>) {
// CHECK-NEXT:   %e = pointwise.map over [i : 2, j : 3] (%in = %A[i, j]) {
// CHECK-NEXT:     %{{.*}} = math.exp %in : f64
// CHECK:        %l = pointwise.map over [i : 2, j : 3] (%in = %e[i, j]) {
// CHECK-NEXT:     %{{.*}} = math.log %in : f64
// CHECK:        %t = pointwise.map over [i : 2, j : 3] (%in = %l[i, j]) {
// CHECK-NEXT:     %{{.*}} = math.tanh %in : f64
// CHECK:        %r = pointwise.fold add left over [i : 2] along [j : 3] (%in = %t[i, j]) {
// CHECK-NEXT:     %v = math.exp %in : f64
// CHECK-NEXT:     pointwise.yield %v
pointwise.update @functions(%A : tensor<2x3xf64>) -> (tensor<2x3xf64>, tensor<2xf64>) {
  %n = tensor.empty() : tensor<2x3xf64>
  %e = linalg.exp ins(%A : tensor<2x3xf64>) outs(%n : tensor<2x3xf64>) -> tensor<2x3xf64>
  %l = linalg.log ins(%e : tensor<2x3xf64>) outs(%n : tensor<2x3xf64>) -> tensor<2x3xf64>
  %t = linalg.tanh ins(%l : tensor<2x3xf64>) outs(%n : tensor<2x3xf64>) -> tensor<2x3xf64>
  %i = arith.constant dense<-0.0> : tensor<2xf64>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%t : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %v = math.exp %in : f64
    %u = arith.addf %out, %v : f64
    linalg.yield %u : f64
  } -> tensor<2xf64>
  pointwise.return %t, %r
}

// A maximum from -infinity on, in the form of pointwise.max.
// CHECK-LABEL: pointwise.update @most(%A: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
// CHECK-NEXT:   %a = pointwise.fold max left over [i : 2] along [j : 3] (%in = %A[i, j]) {
// CHECK-NEXT:     pointwise.yield %in
// CHECK-NEXT:   } : tensor<2xf32>
// CHECK-NEXT:   %b = pointwise.fold max left over [i : 2] along [j : 3] (%in = %A[i, j]) {
// CHECK-NEXT:     %t = arith.mulf %in, %in : f32
// CHECK-NEXT:     pointwise.yield %t
// CHECK-NEXT:   } : tensor<2xf32>
pointwise.update @most(%A : tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %i = arith.constant dense<0xFF800000> : tensor<2xf32>
  %a = linalg.reduce ins(%A : tensor<2x3xf32>) outs(%i : tensor<2xf32>) dimensions = [1] (%in: f32, %out: f32) {
    %g = arith.cmpf ogt, %out, %in : f32
    %m = arith.select %g, %out, %in : f32
    linalg.yield %m : f32
  }
  %b = linalg.reduce ins(%A : tensor<2x3xf32>) outs(%i : tensor<2xf32>) dimensions = [1] (%in: f32, %out: f32) {
    %t = arith.mulf %in, %in : f32
    %m = pointwise.max %out, %t : f32
    linalg.yield %m : f32
  }
  pointwise.return %a, %b
}

// What is read and not only written is an operand: words of outs, a fill, a constant of equal words.
// CHECK-LABEL: pointwise.update @reads(%w: tensor<4xf64>, %s: f64) -> (tensor<4xf64>, tensor<4xf64>) {
// CHECK-NEXT:   %f = pointwise.map over [i : 4] (%in = %s) {
// CHECK-NEXT:     pointwise.yield %in
// CHECK-NEXT:   } : tensor<4xf64>
// CHECK-NEXT:   %word = arith.constant 5.000000e-01 : f64
// CHECK-NEXT:   %c = pointwise.map over [i : 4] (%word_1 = %word) {
// CHECK-NEXT:     pointwise.yield %word_1
// CHECK-NEXT:   } : tensor<4xf64>
// CHECK-NEXT:   %g = pointwise.map over [i : 4] (%in = %f[i], %half = %c[i], %out = %w[i]) {
// CHECK-NEXT:     %t = math.fma %in, %half, %out : f64
// CHECK-NEXT:     pointwise.yield %t
// CHECK-NEXT:   } : tensor<4xf64>
// CHECK-NEXT:   %h = pointwise.map over [i : 4] (%x = %g[i], %y = %f[i * -1 + 3]) {
pointwise.update @reads(%w : tensor<4xf64>, %s : f64) -> (tensor<4xf64>, tensor<4xf64>) {
  %e = tensor.empty() : tensor<4xf64>
  %f = linalg.fill ins(%s : f64) outs(%e : tensor<4xf64>) -> tensor<4xf64>
  %c = arith.constant dense<0.5> : tensor<4xf64>
  %g = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]
  } ins(%f, %c : tensor<4xf64>, tensor<4xf64>) outs(%w : tensor<4xf64>) {
  ^bb0(%in: f64, %half: f64, %out: f64):
    %t = math.fma %in, %half, %out : f64
    linalg.yield %t : f64
  } -> tensor<4xf64>
  %h = pointwise.map over [i : 4] (%x = %g[i], %y = %f[3 - i]) {
    %t = arith.addf %x, %y : f64
    pointwise.yield %t
  } : tensor<4xf64>
  pointwise.return %g, %h
}

// Named operations on words and on axes. An operand that only lends its shape isn't read.
// CHECK-LABEL: pointwise.update @named(%a: tensor<2x3xf64>, %v: tensor<3xf64>) -> (tensor<3x2xf64>) {
// CHECK-NEXT:   %b = pointwise.map over [i : 2, j : 3] (%in = %v[j]) {
// CHECK:        %c = pointwise.map over [i : 2, j : 3] (%in = %a[i, j], %in_1 = %b[i, j]) {
// CHECK-NEXT:     %0 = arith.divf %in, %in_1 : f64
// CHECK:        %d = pointwise.map over [i : 2, j : 3] (%in = %c[i, j]) {
// CHECK-NEXT:     %0 = math.sqrt %in : f64
// CHECK:        %t = pointwise.map over [i : 3, j : 2] (%in = %d[j, i]) {
// CHECK-NEXT:     pointwise.yield %in
// CHECK:        %n = pointwise.map over [i : 3, j : 2] (%s = %t[i, j]) {
// CHECK-NEXT:     %0 = arith.negf %s : f64
pointwise.update @named(%a : tensor<2x3xf64>, %v : tensor<3xf64>) -> (tensor<3x2xf64>) {
  %e = tensor.empty() : tensor<2x3xf64>
  %u = tensor.empty() : tensor<3x2xf64>
  %b = linalg.broadcast ins(%v : tensor<3xf64>) outs(%e : tensor<2x3xf64>) dimensions = [0]
  %shape = tensor.empty() : tensor<3xf64>
  %c = linalg.div ins(%a, %b : tensor<2x3xf64>, tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
  %d = linalg.sqrt ins(%c : tensor<2x3xf64>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>
  %t = linalg.transpose ins(%d : tensor<2x3xf64>) outs(%u : tensor<3x2xf64>) permutation = [1, 0]
  %n = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%shape, %t : tensor<3xf64>, tensor<3x2xf64>) outs(%u : tensor<3x2xf64>) {
  ^bb0(%in: f64, %s: f64, %out: f64):
    %0 = arith.negf %s : f64
    linalg.yield %0 : f64
  } -> tensor<3x2xf64>
  pointwise.return %n
}

// Where there are no words, an init has every word.
// CHECK-LABEL: pointwise.update @wordless(%A: tensor<0x3xf64>) -> (tensor<0xf64>) {
// CHECK-NEXT:   %r = pointwise.fold add left over [i : 0] along [j : 3] (%in = %A[i, j]) {
// CHECK-NEXT:     pointwise.yield %in
// CHECK-NEXT:   } : tensor<0xf64>
// CHECK-NEXT:   pointwise.return %r
pointwise.update @wordless(%A : tensor<0x3xf64>) -> (tensor<0xf64>) {
  %i = arith.constant dense<> : tensor<0xf64>
  %r = linalg.reduce { arith.addf } ins(%A : tensor<0x3xf64>) outs(%i : tensor<0xf64>) dimensions = [1]
  pointwise.return %r
}

// Pointwise programs, and `linalg` outside of programs, stay as they are.
// CHECK-LABEL: pointwise.update @pointwise(%a: tensor<2xf64>) -> (tensor<2xf64>) {
// CHECK-NEXT:   %unused = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:   %b = pointwise.map over [i : 2] (%x = %a[i * -1 + 1]) {
pointwise.update @pointwise(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  %unused = arith.constant 1.0 : f64
  %b = pointwise.map over [i : 2] (%x = %a[1 - i]) {
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %b
}
// CHECK-LABEL: func.func @f(%a: tensor<2xf64>) {
// CHECK-NEXT:   %b = linalg.negf ins(%a : tensor<2xf64>) outs(%a : tensor<2xf64>) -> tensor<2xf64>
func.func @f(%a : tensor<2xf64>) {
  %b = linalg.negf ins(%a : tensor<2xf64>) outs(%a : tensor<2xf64>) -> tensor<2xf64>
  func.return
}

// -----

// A sum that starts at another word is rounded with its first element already.

pointwise.update @f(%x : tensor<4xf64>, %b : tensor<f64>, %s : f64) -> (f64) {
  %i = arith.constant dense<1.0> : tensor<f64>
  // expected-error@+1 {{[target-unsupported] expected an init whose words are all -0.0 or all 0.0, so that a fold has the same bits, found 1.0}}
  %d = linalg.dot ins(%x, %x : tensor<4xf64>, tensor<4xf64>) outs(%i : tensor<f64>) -> tensor<f64>
  %r = tensor.extract %d[] : tensor<f64>
  pointwise.return %r
}

// -----

pointwise.update @f(%x : tensor<4xf64>, %b : tensor<f64>, %s : f64) -> (f64) {
  %i = arith.constant dense<0x7FF8000000000000> : tensor<f64>
  // expected-error@+1 {{[target-unsupported] expected an init whose words are all -0.0 or all 0.0, so that a fold has the same bits, found nan}}
  %d = linalg.dot ins(%x, %x : tensor<4xf64>, tensor<4xf64>) outs(%i : tensor<f64>) -> tensor<f64>
  %r = tensor.extract %d[] : tensor<f64>
  pointwise.return %r
}

// -----

// accepted:
pointwise.update @f(%x : tensor<4xf64>, %b : tensor<f64>, %s : f64) -> (f64) {
  %i = arith.constant dense<0.0> : tensor<f64>
  %d = linalg.dot ins(%x, %x : tensor<4xf64>, tensor<4xf64>) outs(%i : tensor<f64>) -> tensor<f64>
  %r = tensor.extract %d[] : tensor<f64>
  pointwise.return %r
}

// -----

pointwise.update @f(%x : tensor<4xf64>, %b : tensor<f64>, %s : f64) -> (f64) {
  %e = tensor.empty() : tensor<f64>
  %i = linalg.fill ins(%s : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // expected-error@+1 {{[target-unsupported] expected an init whose words are all -0.0 or all 0.0, so that a fold has the same bits, found words that aren't known here}}
  %d = linalg.dot ins(%x, %x : tensor<4xf64>, tensor<4xf64>) outs(%i : tensor<f64>) -> tensor<f64>
  %r = tensor.extract %d[] : tensor<f64>
  pointwise.return %r
}

// -----

// accepted:
pointwise.update @f(%x : tensor<4xf64>, %b : tensor<f64>, %s : f64) -> (f64) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %i = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  %d = linalg.dot ins(%x, %x : tensor<4xf64>, tensor<4xf64>) outs(%i : tensor<f64>) -> tensor<f64>
  %r = tensor.extract %d[] : tensor<f64>
  pointwise.return %r
}

// -----

pointwise.update @f(%x : tensor<4xf64>, %b : tensor<f64>, %s : f64) -> (f64) {
  %i = linalg.copy ins(%b : tensor<f64>) outs(%b : tensor<f64>) -> tensor<f64>
  // expected-error@+1 {{[target-unsupported] expected an init whose words are all -0.0 or all 0.0, so that a fold has the same bits, found words that aren't known here}}
  %d = linalg.dot ins(%x, %x : tensor<4xf64>, tensor<4xf64>) outs(%i : tensor<f64>) -> tensor<f64>
  %r = tensor.extract %d[] : tensor<f64>
  pointwise.return %r
}

// -----

// Nothing has written the words of tensor.empty.

pointwise.update @f(%x : tensor<4xf64>, %b : tensor<f64>, %s : f64) -> (f64) {
  // expected-note@+1 {{it is made here}}
  %i = tensor.empty() : tensor<f64>
  // expected-error@+1 {{[pointwise-footprint] expected words that something wrote in linalg.dot, found those of tensor.empty}}
  %d = linalg.dot ins(%x, %x : tensor<4xf64>, tensor<4xf64>) outs(%i : tensor<f64>) -> tensor<f64>
  %r = tensor.extract %d[] : tensor<f64>
  pointwise.return %r
}

// -----

// All words of an init are one.

pointwise.update @f(%A : tensor<2x3xf64>) -> (tensor<2xf64>) {
  %i = arith.constant dense<[0.0, -0.0]> : tensor<2xf64>
  // expected-error@+1 {{[target-unsupported] expected an init whose words are all -0.0 or all 0.0, so that a fold has the same bits, found words that differ}}
  %r = linalg.reduce { arith.addf } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) dimensions = [1]
  pointwise.return %r
}

// -----

// accepted:
pointwise.update @f(%A : tensor<2x3xf64>) -> (tensor<2xf64>) {
  %i = arith.constant dense<[-0.0, -0.0]> : tensor<2xf64>
  %r = linalg.reduce { arith.addf } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) dimensions = [1]
  pointwise.return %r
}

// -----

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-note@+1 {{it is made here}}
  %e = tensor.empty() : tensor<2xf64>
  // expected-error@+1 {{[pointwise-footprint] expected words that something wrote in linalg.negf, found those of tensor.empty}}
  %r = linalg.negf ins(%e : tensor<2xf64>) outs(%e : tensor<2xf64>) -> tensor<2xf64>
  pointwise.return %r
}

// -----

// accepted:
pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  %e = tensor.empty() : tensor<2xf64>
  %r = linalg.negf ins(%a : tensor<2xf64>) outs(%e : tensor<2xf64>) -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-note@+1 {{it is made here}}
  %e = tensor.empty() : tensor<2xf64>
  // expected-error@+1 {{[pointwise-footprint] expected words that something wrote in pointwise.return, found those of tensor.empty}}
  pointwise.return %e
}

// -----

// accepted:
pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  %e = tensor.empty() : tensor<2xf64>
  pointwise.return %a
}

// -----

// A fold is by add or max. An fma rounds once where a fold would round twice.

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  // expected-error@+1 {{[target-unsupported] expected out + f(ins) or pointwise.max out, f(ins) as what a reduction yields, found arith.mulf}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = arith.mulf %out, %in : f64
    linalg.yield %t : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  // expected-error@+1 {{[target-unsupported] expected out + f(ins) or pointwise.max out, f(ins) as what a reduction yields, found arith.subf}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = arith.subf %out, %in : f64
    linalg.yield %t : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  // expected-error@+1 {{[target-unsupported] expected out + f(ins) or pointwise.max out, f(ins) as what a reduction yields, found math.fma}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = math.fma %in, %in, %out : f64
    linalg.yield %t : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  // expected-error@+1 {{[target-unsupported] expected out + f(ins) or pointwise.max out, f(ins) as what a reduction yields, found a word that the loops overwrite}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    linalg.yield %in : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  // expected-error@+1 {{[target-unsupported] expected out + f(ins) or pointwise.max out, f(ins) as what a reduction yields, found out, unchanged}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    linalg.yield %out : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  // expected-error@+1 {{[target-unsupported] expected out + f(ins) or pointwise.max out, f(ins) as what a reduction yields, found a word that the loops overwrite}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    linalg.yield %s : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  // expected-error@+1 {{[target-unsupported] expected out + f(ins) or pointwise.max out, f(ins) as what a reduction yields, found arith.addf}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = arith.addf %in, %in : f64
    linalg.yield %t : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

// accepted:
pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = arith.addf %out, %in : f64
    linalg.yield %t : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

// f computes from words of ins alone.

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  // expected-error@+1 {{[target-unsupported] expected out + f(ins) or pointwise.max out, f(ins) as what a reduction yields, found an f that reads a word of outs}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %u = arith.mulf %out, %in : f64
    %t = arith.addf %out, %u : f64
    linalg.yield %t : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  // expected-error@+1 {{[target-unsupported] expected out + f(ins) or pointwise.max out, f(ins) as what a reduction yields, found an f that reads a word of outs}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = arith.addf %out, %out : f64
    linalg.yield %t : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

// accepted:
pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %u = arith.mulf %s, %in : f64
    %t = arith.addf %out, %u : f64
    linalg.yield %t : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

// A maximum has the form of pointwise.max: others differ for NaN or for the two zeros.

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0xFFF0000000000000> : tensor<2xf64>
  // expected-error@+1 {{[target-unsupported] expected out + f(ins) or pointwise.max out, f(ins) as what a reduction yields, found arith.select}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %g = arith.cmpf oge, %out, %in : f64
    %m = arith.select %g, %out, %in : f64
    linalg.yield %m : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0xFFF0000000000000> : tensor<2xf64>
  // expected-error@+1 {{[target-unsupported] expected out + f(ins) or pointwise.max out, f(ins) as what a reduction yields, found arith.select}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %g = arith.cmpf ugt, %out, %in : f64
    %m = arith.select %g, %out, %in : f64
    linalg.yield %m : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0xFFF0000000000000> : tensor<2xf64>
  // expected-error@+1 {{[target-unsupported] expected out + f(ins) or pointwise.max out, f(ins) as what a reduction yields, found arith.select}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %g = arith.cmpf ogt, %in, %out : f64
    %m = arith.select %g, %out, %in : f64
    linalg.yield %m : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0xFFF0000000000000> : tensor<2xf64>
  // expected-error@+1 {{[target-unsupported] expected out + f(ins) or pointwise.max out, f(ins) as what a reduction yields, found arith.select}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %g = arith.cmpf ogt, %out, %in : f64
    %m = arith.select %g, %in, %out : f64
    linalg.yield %m : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0xFFF0000000000000> : tensor<2xf64>
  // expected-error@+1 {{[target-unsupported] expected out + f(ins) or pointwise.max out, f(ins) as what a reduction yields, found pointwise.max}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %m = pointwise.max %in, %out : f64
    linalg.yield %m : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0xFFF0000000000000> : tensor<2xf64>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    // expected-error@+1 {{[pointwise-type] expected pointwise.max (a > b ? a : b), found arith.maximumf}}
    %m = arith.maximumf %out, %in : f64
    linalg.yield %m : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

// accepted:
pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0xFFF0000000000000> : tensor<2xf64>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %g = arith.cmpf ogt, %out, %in : f64
    %m = arith.select %g, %out, %in : f64
    linalg.yield %m : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

// It starts at -infinity, and at an element.

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  // expected-error@+1 {{[target-unsupported] expected an init whose words are all -infinity, so that a fold by max has the same bits, found 0.0}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %g = arith.cmpf ogt, %out, %in : f64
    %m = arith.select %g, %out, %in : f64
    linalg.yield %m : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%A : tensor<2x0xf64>) -> (tensor<2xf64>) {
  %i = arith.constant dense<0xFFF0000000000000> : tensor<2xf64>
  // expected-error@+1 {{[pointwise-fold-empty] expected at least one element along the axes of a fold by max, found 0}}
  %r = linalg.reduce ins(%A : tensor<2x0xf64>) outs(%i : tensor<2xf64>) dimensions = [1] (%in: f64, %out: f64) {
    %m = pointwise.max %out, %in : f64
    linalg.yield %m : f64
  }
  pointwise.return %r
}

// -----

// accepted:
pointwise.update @f(%A : tensor<2x1xf64>) -> (tensor<2xf64>) {
  %i = arith.constant dense<0xFFF0000000000000> : tensor<2xf64>
  %r = linalg.reduce ins(%A : tensor<2x1xf64>) outs(%i : tensor<2xf64>) dimensions = [1] (%in: f64, %out: f64) {
    %m = pointwise.max %out, %in : f64
    linalg.yield %m : f64
  }
  pointwise.return %r
}

// -----

// A body has the operations of a pointwise body, without flags; it doesn't ask where it is.

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    // expected-error@+1 {{[pointwise-type] expected no fast-math flag, found arith.mulf with contract}}
    %v = arith.mulf %in, %in fastmath<contract> : f64
    %t = arith.addf %out, %v : f64
    linalg.yield %t : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    // expected-error@+1 {{[target-unsupported] expected one of math.absf, math.copysign, math.exp, math.fma, math.log, math.sqrt, math.tanh, found math.sin, not built yet}}
    %v = math.sin %in : f64
    %t = arith.addf %out, %v : f64
    linalg.yield %t : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    // expected-error@+1 {{[pointwise-type] expected a scalar operation of exact meaning, found math.floor}}
    %v = math.floor %in : f64
    %t = arith.addf %out, %v : f64
    linalg.yield %t : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    // expected-error@+1 {{[target-unsupported] expected a body that computes on words alone, found linalg.index}}
    %k = linalg.index 1 : index
    %t = arith.addf %out, %in : f64
    linalg.yield %t : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

// accepted:
pointwise.update @f(%A : tensor<2x3xf64>, %s : f64) -> (tensor<2xf64>) {
  %i = arith.constant dense<0.0> : tensor<2xf64>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%A : tensor<2x3xf64>) outs(%i : tensor<2xf64>) {
  ^bb0(%in: f64, %out: f64):
    %v = arith.mulf %in, %in : f64
    %t = arith.addf %out, %v : f64
    linalg.yield %t : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

// The same holds for the bodies of named operations.

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  %e = tensor.empty() : tensor<2xf64>
  // expected-error@+1 {{[pointwise-type] expected pointwise.max (a > b ? a : b), found arith.maximumf}}
  %r = linalg.max ins(%a, %a : tensor<2xf64>, tensor<2xf64>) outs(%e : tensor<2xf64>) -> tensor<2xf64>
  pointwise.return %r
}

// -----

// accepted:
pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  %e = tensor.empty() : tensor<2xf64>
  %r = linalg.abs ins(%a : tensor<2xf64>) outs(%e : tensor<2xf64>) -> tensor<2xf64>
  pointwise.return %r
}

// -----

// What a body takes from around it are words.

pointwise.update @f(%a : tensor<2xf64>, %p : f64, %q : f64) -> (tensor<2xf64>) {
  %t = arith.cmpf olt, %p, %q : f64
  // expected-error@+1 {{[pointwise-type] expected f32 or f64 scalars from around linalg.generic, found i1}}
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a : tensor<2xf64>) {
  ^bb0(%out: f64):
    %s = arith.select %t, %out, %p : f64
    linalg.yield %s : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

// accepted:
pointwise.update @f(%a : tensor<2xf64>, %p : f64, %q : f64) -> (tensor<2xf64>) {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%a : tensor<2xf64>) {
  ^bb0(%out: f64):
    %t = arith.cmpf olt, %p, %q : f64
    %s = arith.select %t, %out, %p : f64
    linalg.yield %s : f64
  } -> tensor<2xf64>
  pointwise.return %r
}

// -----

// Each index of an operand is a loop of its own.

pointwise.update @f(%x : tensor<5xf64>, %k : tensor<3xf64>) -> (tensor<3xf64>) {
  %i = arith.constant dense<0.0> : tensor<3xf64>
  // expected-error@+1 {{[target-unsupported] expected different loops as the indices of operand 0 of linalg.generic, found (d0, d1) -> ((d0 + d1))}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%x, %k : tensor<5xf64>, tensor<3xf64>) outs(%i : tensor<3xf64>) {
  ^bb0(%in: f64, %w: f64, %out: f64):
    %t = arith.mulf %in, %w : f64
    %u = arith.addf %out, %t : f64
    linalg.yield %u : f64
  } -> tensor<3xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%a : tensor<3x3xf64>) -> (tensor<3xf64>) {
  %i = arith.constant dense<0.0> : tensor<3xf64>
  // expected-error@+1 {{[target-unsupported] expected different loops as the indices of operand 0 of linalg.generic, found (d0) -> (d0, d0)}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i, i)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]
  } ins(%a : tensor<3x3xf64>) outs(%i : tensor<3xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = arith.addf %in, %out : f64
    linalg.yield %t : f64
  } -> tensor<3xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%a : tensor<1x3xf64>) -> (tensor<3xf64>) {
  %i = arith.constant dense<0.0> : tensor<3xf64>
  // expected-error@+1 {{[target-unsupported] expected different loops as the indices of operand 0 of linalg.generic, found (d0) -> (0, d0)}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i) -> (0, i)>, affine_map<(i) -> (i)>],
    iterator_types = ["parallel"]
  } ins(%a : tensor<1x3xf64>) outs(%i : tensor<3xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = arith.addf %in, %out : f64
    linalg.yield %t : f64
  } -> tensor<3xf64>
  pointwise.return %r
}

// -----

// accepted:
pointwise.update @f(%a : tensor<1x3xf64>) -> (tensor<3xf64>) {
  %i = arith.constant dense<0.0> : tensor<3xf64>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
    iterator_types = ["reduction", "parallel"]
  } ins(%a : tensor<1x3xf64>) outs(%i : tensor<3xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = arith.addf %in, %out : f64
    linalg.yield %t : f64
  } -> tensor<3xf64>
  pointwise.return %r
}

// -----

// The indices of a result are the parallel loops: a reduction isn't declared parallel, nor the other way round.

pointwise.update @f(%a : tensor<2x3xf64>) -> (tensor<3xf64>) {
  %i = arith.constant dense<0.0> : tensor<3xf64>
  // expected-error@+1 {{[target-unsupported] expected the parallel loops (d0, d1) as the indices of result 0, found (d1)}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a : tensor<2x3xf64>) outs(%i : tensor<3xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = arith.addf %in, %out : f64
    linalg.yield %t : f64
  } -> tensor<3xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%a : tensor<2x3xf64>) -> (tensor<2x3xf64>) {
  %i = arith.constant dense<0.0> : tensor<2x3xf64>
  // expected-error@+1 {{[target-unsupported] expected the parallel loops (d1) as the indices of result 0, found (d0, d1)}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["reduction", "parallel"]
  } ins(%a : tensor<2x3xf64>) outs(%i : tensor<2x3xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = arith.addf %in, %out : f64
    linalg.yield %t : f64
  } -> tensor<2x3xf64>
  pointwise.return %r
}

// -----

pointwise.update @f(%a : tensor<2x3xf64>) -> (tensor<3xf64>) {
  %i = arith.constant dense<0.0> : tensor<3xf64>
  // expected-error@+1 {{[target-unsupported] expected parallel and reduction loops, found window}}
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
    iterator_types = ["window", "parallel"]
  } ins(%a : tensor<2x3xf64>) outs(%i : tensor<3xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = arith.addf %in, %out : f64
    linalg.yield %t : f64
  } -> tensor<3xf64>
  pointwise.return %r
}

// -----

// accepted:
pointwise.update @f(%a : tensor<2x3xf64>) -> (tensor<3xf64>) {
  %i = arith.constant dense<0.0> : tensor<3xf64>
  %r = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>],
    iterator_types = ["reduction", "parallel"]
  } ins(%a : tensor<2x3xf64>) outs(%i : tensor<3xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = arith.addf %in, %out : f64
    linalg.yield %t : f64
  } -> tensor<3xf64>
  pointwise.return %r
}

// -----

// Every result of a reduction is one, and reads its own word.

pointwise.update @f(%a : tensor<4xf64>) -> (f64, f64) {
  %i = arith.constant dense<0.0> : tensor<f64>
  // expected-error@+1 {{[target-unsupported] expected out + f(ins) or pointwise.max out, f(ins) as what a reduction yields, found a word that the loops overwrite}}
  %p, %q = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>],
    iterator_types = ["reduction"]
  } ins(%a : tensor<4xf64>) outs(%i, %i : tensor<f64>, tensor<f64>) {
  ^bb0(%in: f64, %o: f64, %u: f64):
    %s = arith.addf %o, %in : f64
    %t = arith.addf %u, %in : f64
    linalg.yield %s, %in : f64, f64
  } -> (tensor<f64>, tensor<f64>)
  %x = tensor.extract %p[] : tensor<f64>
  %y = tensor.extract %q[] : tensor<f64>
  pointwise.return %x, %y
}

// -----

pointwise.update @f(%a : tensor<4xf64>) -> (f64, f64) {
  %i = arith.constant dense<0.0> : tensor<f64>
  // expected-error@+1 {{[target-unsupported] expected out + f(ins) or pointwise.max out, f(ins) as what a reduction yields, found arith.addf}}
  %p, %q = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>],
    iterator_types = ["reduction"]
  } ins(%a : tensor<4xf64>) outs(%i, %i : tensor<f64>, tensor<f64>) {
  ^bb0(%in: f64, %o: f64, %u: f64):
    %s = arith.addf %o, %in : f64
    %t = arith.addf %u, %in : f64
    linalg.yield %s, %s : f64, f64
  } -> (tensor<f64>, tensor<f64>)
  %x = tensor.extract %p[] : tensor<f64>
  %y = tensor.extract %q[] : tensor<f64>
  pointwise.return %x, %y
}

// -----

// accepted:
pointwise.update @f(%a : tensor<4xf64>) -> (f64, f64) {
  %i = arith.constant dense<0.0> : tensor<f64>
  %p, %q = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> ()>],
    iterator_types = ["reduction"]
  } ins(%a : tensor<4xf64>) outs(%i, %i : tensor<f64>, tensor<f64>) {
  ^bb0(%in: f64, %o: f64, %u: f64):
    %s = arith.addf %o, %in : f64
    %t = arith.addf %u, %in : f64
    linalg.yield %s, %t : f64, f64
  } -> (tensor<f64>, tensor<f64>)
  %x = tensor.extract %p[] : tensor<f64>
  %y = tensor.extract %q[] : tensor<f64>
  pointwise.return %x, %y
}

// -----

// A constant that is read has equal words.

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-error@+1 {{[target-unsupported] expected equal words in a constant of a program; region.constant holds others, found words that differ}}
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %r = linalg.mul ins(%a, %c : tensor<2xf64>, tensor<2xf64>) outs(%a : tensor<2xf64>) -> tensor<2xf64>
  pointwise.return %r
}

// -----

// accepted:
pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  %c = arith.constant dense<[2.0, 2.0]> : tensor<2xf64>
  %r = linalg.mul ins(%a, %c : tensor<2xf64>, tensor<2xf64>) outs(%a : tensor<2xf64>) -> tensor<2xf64>
  pointwise.return %r
}

// -----

// No pointwise operation writes a tensor without axes.

pointwise.update @f(%x : tensor<4xf64>) -> (tensor<f64>) {
  %i = arith.constant dense<0.0> : tensor<f64>
  %d = linalg.dot ins(%x, %x : tensor<4xf64>, tensor<4xf64>) outs(%i : tensor<f64>) -> tensor<f64>
  // expected-error@+1 {{[target-unsupported] expected f64 as result 0, which tensor.extract gives, found tensor<f64>}}
  pointwise.return %d
}

// -----

// accepted:
pointwise.update @f(%x : tensor<4xf64>) -> (f64) {
  %i = arith.constant dense<0.0> : tensor<f64>
  %d = linalg.dot ins(%x, %x : tensor<4xf64>, tensor<4xf64>) outs(%i : tensor<f64>) -> tensor<f64>
  %r = tensor.extract %d[] : tensor<f64>
  pointwise.return %r
}
