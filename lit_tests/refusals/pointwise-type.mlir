// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// Words are f32 or f64: the type of a state ...

// expected-error@+1 {{[pointwise-type] expected f32, f64 or a static tensor of them as the type of @w, found i32}}
region.state @w : i32 = 0.0

// -----

// expected-error@+1 {{[pointwise-type] expected f32, f64 or a static tensor of them as the type of @w, found tensor<2xf16>}}
region.state @w : tensor<2xf16> = dense<0.0>

// -----

// expected-error@+1 {{[pointwise-type] expected f32, f64 or a static tensor of them as the type of @w, found tensor<?xf64>}}
region.state @w : tensor<?xf64> = dense<0.0>

// -----

// expected-error@+1 {{[pointwise-type] expected f32, f64 or a static tensor of them as the type of @w, found vector<2xf64>}}
region.state @w : vector<2xf64> = dense<0.0>

// -----

// accepted:
region.state @w : tensor<2xf64> = dense<0.0>

// -----

// ... in generic form ...

// expected-error@+1 {{[pointwise-type] expected f32, f64 or a static tensor of them as the type of @rate, found i64}}
"region.constant"() <{sym_name = "rate", type = i64, initial = 0.0 : f64}> : () -> ()

// -----

// accepted:
"region.constant"() <{sym_name = "rate", type = f64, initial = 0.0 : f64}> : () -> ()

// -----

// ... of a component of samples ...

// expected-error@+1 {{[pointwise-type] expected f32, f64 or a static tensor of them as the type of component 1 of @data, found i8}}
region.samples @data[2] : (f64, i8) = dense<0.0>, dense<0.0>

// -----

// accepted:
region.samples @data[2] : (f64, f32) = dense<0.0>, dense<0.0>

// -----

// expected-error@+1 {{[pointwise-type] expected f32, f64 or a static tensor of them as the type of component 0 of @data, found index}}
"region.samples"() <{sym_name = "data", count = 2 : i64, types = [index], sources = [0.0 : f64]}> : () -> ()

// -----

// accepted:
"region.samples"() <{sym_name = "data", count = 2 : i64, types = [f64], sources = [0.0 : f64]}> : () -> ()

// -----

// ... of an argument and of a result of a program ...

// expected-error@+1 {{[pointwise-type] expected f32, f64 or a static tensor of them as the type of argument 1 of @f, found i1}}
pointwise.update @f(%a : f64, %c : i1) -> (f64) {
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : f64, %c : f64) -> (f64) {
  pointwise.return %a
}

// -----

// expected-error@+1 {{[pointwise-type] expected f32, f64 or a static tensor of them as the type of result 0 of @f, found i1}}
pointwise.update @f(%a : f64) -> (i1) {
  %c = arith.cmpf olt, %a, %a : f64
  pointwise.return %c
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %c = arith.cmpf olt, %a, %a : f64
  pointwise.return %a
}

// -----

// ... of an operand of an operation over a domain, and of what it yields.

pointwise.update @f(%a : f64) -> (f64) {
  %c = arith.cmpf olt, %a, %a : f64
  // expected-error@+1 {{[pointwise-type] expected f32, f64 or a static tensor of them as the type of operand 1, found i1}}
  %b = pointwise.map over [i : 2] (%x = %a, %y = %c) {
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  %b = pointwise.map over [i : 2] (%x = %a) {
    %c = arith.cmpf olt, %x, %x : f64
    // expected-error@+1 {{[pointwise-type] expected f32, f64 or a static tensor of them as the type of yielded value 0, found i1}}
    pointwise.yield %c
  } : tensor<2xi1>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = pointwise.map over [i : 2] (%x = %a) {
    %c = arith.cmpf olt, %x, %x : f64
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %a
}

// -----

// The result of an operation over a domain has the shape of the domain.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected (tensor<2xf64>), found (tensor<3xf64>)}}
  %b = pointwise.map over [i : 2] (%x = %a) {
    pointwise.yield %x
  } : tensor<3xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected (tensor<2xf64>), found (tensor<2xf32>)}}
  %b = pointwise.map over [i : 2] (%x = %a) {
    pointwise.yield %x
  } : tensor<2xf32>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = pointwise.map over [i : 2] (%x = %a) {
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : tensor<2x3xf64>) -> (tensor<2x3xf64>) {
  // expected-error@+1 {{[pointwise-type] expected (tensor<2xf64>), found (tensor<3xf64>)}}
  %b = pointwise.fold add left over [i : 2] along [j : 3] (%x = %a[i, j]) {
    pointwise.yield %x
  } : tensor<3xf64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<2x3xf64>) -> (tensor<2x3xf64>) {
  %b = pointwise.fold add left over [i : 2] along [j : 3] (%x = %a[i, j]) {
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %a
}

// -----

// A map has as many results as its body yields, a fold one.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected (tensor<2xf64>, tensor<2xf64>), found (tensor<2xf64>)}}
  %b = pointwise.map over [i : 2] (%x = %a) {
    pointwise.yield %x, %x
  } : tensor<2xf64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b, %c = pointwise.map over [i : 2] (%x = %a) {
    pointwise.yield %x, %x
  } : tensor<2xf64>, tensor<2xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  %b, %c = pointwise.fold add left along [i : 2] (%x = %a[i]) {
    // expected-error@+1 {{[pointwise-type] expected 1 yielded value, found 2}}
    pointwise.yield %x, %x
  } : f64, f64
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  %b = pointwise.fold add left along [i : 2] (%x = %a[i]) {
    pointwise.yield %x
  } : f64
  pointwise.return %a
}

// -----

// The arguments of a body are the words of its operands.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected (f64), found (f32)}}
  %b = "pointwise.map"(%a) <{domain = array<i64: 2>, indexing_maps = [affine_map<(i) -> ()>]}> ({
  ^bb0(%x : f32):
    "pointwise.yield"(%x) : (f32) -> ()
  }) : (f64) -> tensor<2xf32>
  pointwise.return %a
}

// -----

// A body is one block that ends in a yield.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected pointwise.yield as the last operation, found pointwise.return}}
  %b = pointwise.map over [i : 2] (%x = %a) {
    pointwise.return %x
  } : tensor<2xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected a body of one block, found 2}}
  %b = pointwise.map over [i : 2] (%x = %a) {
    pointwise.yield %x
  ^bb1:
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected a body of one block, found 0}}
  %b = "pointwise.map"(%a) <{domain = array<i64: 2>, indexing_maps = [affine_map<(i) -> ()>]}> ({
  }) : (f64) -> tensor<2xf64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = pointwise.map over [i : 2] (%x = %a) {
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %a
}

// -----

// A fold adds or takes the larger.

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-type] expected a fold by add or max, found mul}}
  %b = "pointwise.fold"(%a) <{kind = "mul", order = #pointwise.order<left>, along = 1 : i64, domain = array<i64: 2>, indexing_maps = [affine_map<(i) -> (i)>]}> ({
  ^bb0(%x : f64):
    "pointwise.yield"(%x) : (f64) -> ()
  }) : (tensor<2xf64>) -> f64
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  %b = "pointwise.fold"(%a) <{kind = "max", order = #pointwise.order<left>, along = 1 : i64, domain = array<i64: 2>, indexing_maps = [affine_map<(i) -> (i)>]}> ({
  ^bb0(%x : f64):
    "pointwise.yield"(%x) : (f64) -> ()
  }) : (tensor<2xf64>) -> f64
  pointwise.return %a
}

// -----

// A field of one word is a scalar.

// expected-error@+1 {{[pointwise-type] expected f64, not a tensor without axes, as the type of @w, found tensor<f64>}}
region.state @w : tensor<f64> = dense<0.5>

// -----

// expected-error@+1 {{[pointwise-type] expected f32, not a tensor without axes, as the type of @rate, found tensor<f32>}}
"region.constant"() <{sym_name = "rate", type = tensor<f32>, initial = 0.5 : f32}> : () -> ()

// -----

// expected-error@+1 {{[pointwise-type] expected f64, not a tensor without axes, as the type of component 1 of @data, found tensor<f64>}}
region.samples @data[2] : (tensor<3xf64>, tensor<f64>) = dense<0.0>, dense<0.0>

// -----

// accepted:
region.state @w : f64 = 0.5
region.constant @rate : f32 = 0.5
region.samples @data[2] : (tensor<3xf64>, f64) = dense<0.0>, dense<0.0>

// -----

// A program writes something.

// expected-error@+1 {{[pointwise-type] expected a program that writes something, found no result}}
"pointwise.update"() <{sym_name = "f", function_type = (f64) -> ()}> ({
^bb0(%a : f64):
  "pointwise.return"(%a) : (f64) -> ()
}) : () -> ()

// -----

// accepted:
"pointwise.update"() <{sym_name = "f", function_type = (f64) -> f64}> ({
^bb0(%a : f64):
  "pointwise.return"(%a) : (f64) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{[pointwise-type] expected a program that writes something, found no result}}
pointwise.contribution @f(%a : f64) sample(%x : f64) -> () {
  "pointwise.return"(%a) : (f64) -> ()
}

// -----

// accepted:
pointwise.contribution @f(%a : f64) sample(%x : f64) -> (f64) {
  "pointwise.return"(%a) : (f64) -> ()
}

// -----

// A program is one block that ends in its return.

// expected-error@+1 {{[pointwise-type] expected a program of one block, found 2 blocks}}
pointwise.update @f(%a : f64) -> (f64) {
  pointwise.return %a
^bb1:
  pointwise.return %a
}

// -----

// expected-error@+1 {{[pointwise-type] expected pointwise.return as the last operation, found pointwise.yield}}
pointwise.update @f(%a : f64) -> (f64) {
  pointwise.yield %a
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  pointwise.return %a
}

// -----

// The arguments and results of a program are those of its signature.

// expected-error@+1 {{[pointwise-type] expected (f64), found (f32)}}
"pointwise.update"() <{sym_name = "f", function_type = (f64) -> f64}> ({
^bb0(%a : f32):
  "pointwise.return"(%a) : (f32) -> ()
}) : () -> ()

// -----

pointwise.update @f(%a : f64) -> (f32) {
  // expected-error@+1 {{[pointwise-type] expected (f32), found (f64)}}
  pointwise.return %a
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected (f64), found (f64, f64)}}
  pointwise.return %a, %a
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64, f64) {
  pointwise.return %a, %a
}

// -----

// Observations are scalars with names of their own.

// expected-error@+1 {{[pointwise-type] expected a scalar as observation 'loss', found tensor<2xf64>}}
pointwise.contribution @f(%a : f64) sample(%x : tensor<2xf64>) -> (f64, observed "loss" : tensor<2xf64>) {
  pointwise.return %a, %x
}

// -----

// accepted:
pointwise.contribution @f(%a : f64) sample(%x : tensor<2xf64>) -> (f64, observed "loss" : f64) {
  pointwise.return %a, %a
}

// -----

// expected-error@+1 {{[pointwise-type] expected observations of different names, found ('loss', 'loss')}}
pointwise.contribution @f(%a : f64) sample(%x : f64) -> (f64, observed "loss" : f64, observed "loss" : f64) {
  pointwise.return %a, %x, %x
}

// -----

// expected-error@+1 {{[pointwise-type] expected observations of different names, found ('loss', '')}}
pointwise.contribution @f(%a : f64) sample(%x : f64) -> (f64, observed "loss" : f64, observed "" : f64) {
  pointwise.return %a, %x, %x
}

// -----

// accepted:
pointwise.contribution @f(%a : f64) sample(%x : f64) -> (f64, observed "loss" : f64, observed "error" : f64) {
  pointwise.return %a, %x, %x
}

// -----

// expected-error@+1 {{[pointwise-type] expected at most 1 observations, found 2}}
"pointwise.contribution"() <{sym_name = "f", function_type = (f64) -> f64, sample_inputs = 1 : i64, observed = ["a", "b"]}> ({
^bb0(%x : f64):
  "pointwise.return"(%x) : (f64) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{[pointwise-type] expected 0 to 1 components of a sample, found 2}}
"pointwise.contribution"() <{sym_name = "f", function_type = (f64) -> f64, sample_inputs = 2 : i64, observed = []}> ({
^bb0(%x : f64):
  "pointwise.return"(%x) : (f64) -> ()
}) : () -> ()

// -----

// expected-error@+1 {{[pointwise-type] expected 0 to 1 components of a sample, found -1}}
"pointwise.contribution"() <{sym_name = "f", function_type = (f64) -> f64, sample_inputs = -1 : i64, observed = []}> ({
^bb0(%x : f64):
  "pointwise.return"(%x) : (f64) -> ()
}) : () -> ()

// -----

// accepted:
"pointwise.contribution"() <{sym_name = "f", function_type = (f64) -> f64, sample_inputs = 1 : i64, observed = ["a"]}> ({
^bb0(%x : f64):
  "pointwise.return"(%x) : (f64) -> ()
}) : () -> ()

// -----

// Operations are exact ones of IEEE 754, on scalars.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected a scalar operation of exact meaning, found math.floor}}
  %b = math.floor %a : f64
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = math.absf %a : f64
  pointwise.return %b
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected pointwise.max (a > b ? a : b), found arith.maximumf}}
  %b = arith.maximumf %a, %a : f64
  pointwise.return %b
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected pointwise.max (a > b ? a : b), found arith.maxnumf}}
  %b = arith.maxnumf %a, %a : f64
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = pointwise.max %a, %a : f64
  pointwise.return %b
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected pointwise.min (a < b ? a : b), found arith.minimumf}}
  %b = arith.minimumf %a, %a : f64
  pointwise.return %b
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected pointwise.min (a < b ? a : b), found arith.minnumf}}
  %b = arith.minnumf %a, %a : f64
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = pointwise.min %a, %a : f64
  pointwise.return %b
}

// -----

// A body over a domain is scalar too: no operation over a domain in it.

pointwise.update @f(%a : f64) -> (f64) {
  %b = pointwise.map over [i : 2] (%x = %a) {
    // expected-error@+1 {{[pointwise-type] expected a scalar operation of exact meaning, found pointwise.map}}
    %c = pointwise.map over [j : 2] (%y = %x) {
      pointwise.yield %y
    } : tensor<2xf64>
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = pointwise.map over [i : 2, j : 2] (%x = %a) {
    pointwise.yield %x
  } : tensor<2x2xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-type] expected f32, f64 or i1 scalars in arith.addf, found tensor<2xf64>}}
  %b = arith.addf %a, %a : tensor<2xf64>
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  %b = pointwise.map over [i : 2] (%x = %a[i]) {
    %y = arith.addf %x, %x : f64
    pointwise.yield %y
  } : tensor<2xf64>
  pointwise.return %b
}

// -----

// No fast-math flag is set.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected no fast-math flag, found arith.addf with contract,reassoc}}
  %b = arith.addf %a, %a fastmath<reassoc,contract> : f64
  pointwise.return %b
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected no fast-math flag, found math.sqrt with nnan}}
  %b = math.sqrt %a fastmath<nnan> : f64
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = arith.addf %a, %a fastmath<none> : f64
  %c = math.sqrt %b fastmath<none> : f64
  pointwise.return %c
}

// -----

// Constants are words.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected f32, f64 or i1 scalars in arith.constant, found i32}}
  %b = arith.constant 1 : i32
  pointwise.return %a
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected an f32 or f64 constant, found i1}}
  %b = arith.constant true
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = arith.constant 1.0 : f64
  pointwise.return %a
}

// -----

// A truth decides, and isn't computed with.

pointwise.update @f(%a : f64) -> (f64) {
  %c = arith.cmpf olt, %a, %a : f64
  // expected-error@+1 {{[pointwise-type] expected f32 or f64 from arith.select, found i1}}
  %d = arith.select %c, %c, %c : i1
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %c = arith.cmpf olt, %a, %a : f64
  %d = arith.select %c, %a, %a : f64
  pointwise.return %d
}

// -----

// min and max take two scalars of one type.

pointwise.update @f(%a : f16) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected f32 or f64 scalars of one type, found f16, f16 to f16}}
  %b = pointwise.min %a, %a : f16
  pointwise.return %a
}

// -----

pointwise.update @f(%a : f16) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected f32 or f64 scalars of one type, found f16 to f16}}
  %b = pointwise.sigmoid %a : f16
  pointwise.return %a
}

// -----

pointwise.update @f(%a : f64) -> (f32) {
  // expected-error@+1 {{[pointwise-type] expected f32 or f64 scalars of one type, found f64 to f32}}
  %b = "pointwise.sigmoid"(%a) : (f64) -> f32
  pointwise.return %b
}

// -----

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-type] expected f32 or f64 scalars of one type, found tensor<2xf64> to tensor<2xf64>}}
  %c = pointwise.sigmoid %a : tensor<2xf64>
  pointwise.return %c
}

// -----

// accepted:
pointwise.update @f(%a : f32) -> (f32) {
  %c = pointwise.sigmoid %a : f32
  pointwise.return %c
}

// -----

pointwise.update @f(%a : f64, %b : f32) -> (f64) {
  // expected-error@+1 {{[pointwise-type] expected f32 or f64 scalars of one type, found f64, f32 to f64}}
  %c = "pointwise.max"(%a, %b) : (f64, f32) -> f64
  pointwise.return %c
}

// -----

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-type] expected f32 or f64 scalars of one type, found tensor<2xf64>, tensor<2xf64> to tensor<2xf64>}}
  %c = pointwise.max %a, %a : tensor<2xf64>
  pointwise.return %c
}

// -----

// accepted:
pointwise.update @f(%a : f64, %b : f64) -> (f64) {
  %c = "pointwise.max"(%a, %b) : (f64, f64) -> f64
  pointwise.return %c
}

// -----

// What a read gives has the types of the fields.

region.learner @round {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  region.samples @other[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : tensor<3xf64>, %y : f64) -> (f64, observed "loss" : f64) {
    %d = arith.subf %y, %w : f64
    pointwise.return %d, %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    // expected-error@+1 {{[pointwise-type] expected (f64) from this read, found (f32)}}
    %w = region.read @w : f32
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// Of samples it gives each component, with the samples as first axis.

region.learner @round {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  region.samples @other[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : tensor<3xf64>, %y : f64) -> (f64, observed "loss" : f64) {
    %d = arith.subf %y, %w : f64
    pointwise.return %d, %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    // expected-error@+1 {{[pointwise-type] expected (f64, tensor<2x3xf64>, tensor<2xf64>) from this read, found (f64, tensor<3xf64>, f64)}}
    %w, %x, %y = region.read @w, @data : f64, tensor<3xf64>, f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// A sum passes the parameters of its contribution ...

region.learner @round {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  region.samples @other[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : tensor<3xf64>, %y : f64) -> (f64, observed "loss" : f64) {
    %d = arith.subf %y, %w : f64
    pointwise.return %d, %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    // expected-error@+1 {{[pointwise-type] expected (f64) as parameters of @pull, found (f64, f64)}}
    %sum, %count = pointwise.sum @pull(%w, %w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// ... and the components of its samples ...

region.learner @round {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (f64, f64) = dense<1.0>, dense<1.0>
  region.samples @other[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : tensor<3xf64>, %y : f64) -> (f64, observed "loss" : f64) {
    %d = arith.subf %y, %w : f64
    pointwise.return %d, %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    // expected-error@+1 {{[pointwise-type] expected (tensor<3xf64>, f64) as components of @data for @pull, found (f64, f64)}}
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// ... and has one sum for each result that isn't observed.

region.learner @round {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  region.samples @other[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : tensor<3xf64>, %y : f64) -> (f64, observed "loss" : f64) {
    %d = arith.subf %y, %w : f64
    pointwise.return %d, %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    // expected-error@+1 {{[pointwise-type] expected (f64) as sums of @pull, found (f32)}}
    %sum, %count = pointwise.sum @pull(%w) over @data : f32
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// An observation is never fed back.

region.learner @round {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  region.samples @other[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : tensor<3xf64>, %y : f64) -> (f64, observed "loss" : f64) {
    %d = arith.subf %y, %w : f64
    pointwise.return %d, %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    // expected-error@+1 {{[pointwise-type] expected (f64) as sums of @pull, found (f64, f64)}}
    %sum, %loss, %count = pointwise.sum @pull(%w) over @data : f64, f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// An update is applied to its arguments ...

region.learner @round {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  region.samples @other[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : tensor<3xf64>, %y : f64) -> (f64, observed "loss" : f64) {
    %d = arith.subf %y, %w : f64
    pointwise.return %d, %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    // expected-error@+1 {{[pointwise-type] expected (f64, f64) as arguments of @step, found (f64)}}
    %w1 = pointwise.apply @step(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// ... and gives its results.

region.learner @round {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  region.samples @other[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : tensor<3xf64>, %y : f64) -> (f64, observed "loss" : f64) {
    %d = arith.subf %y, %w : f64
    pointwise.return %d, %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    // expected-error@+1 {{[pointwise-type] expected (f64) as results of @step, found (f32)}}
    %w1 = pointwise.apply @step(%w, %g) : f32
    region.advance @w = %w1
  }
}

// -----

// A state advances to words of its own type.

region.learner @round {
  region.state @w : f64 = 0.0
  region.state @m : f32 = 0.0
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  region.samples @other[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : tensor<3xf64>, %y : f64) -> (f64, observed "loss" : f64) {
    %d = arith.subf %y, %w : f64
    pointwise.return %d, %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    // expected-error@+1 {{[pointwise-type] expected (f32) for @m, found (f64)}}
    region.advance @w = %w1, @m = %w1
  }
}

// -----

// A sum is divided by its count before an update reads it.

region.learner @round {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  region.samples @other[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : tensor<3xf64>, %y : f64) -> (f64, observed "loss" : f64) {
    %d = arith.subf %y, %w : f64
    pointwise.return %d, %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    // expected-error@+1 {{[pointwise-type] expected f32, f64 or a static tensor of them as the type of operand or result 1, found !region.sum<f64, @data>}}
    %w1 = pointwise.apply @step(%w, %sum) : f64
    region.advance @w = %w1
  }
}

// -----

// A mean is of a sum and its count ...

region.learner @round {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  region.samples @other[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : tensor<3xf64>, %y : f64) -> (f64, observed "loss" : f64) {
    %d = arith.subf %y, %w : f64
    pointwise.return %d, %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    // expected-error@+1 {{[pointwise-type] expected a sum and its count, found (!region.count<@data>, !region.sum<f64, @data>)}}
    %g = pointwise.mean %count, %sum
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// ... over the same samples ...

region.learner @round {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  region.samples @other[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : tensor<3xf64>, %y : f64) -> (f64, observed "loss" : f64) {
    %d = arith.subf %y, %w : f64
    pointwise.return %d, %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %s, %n = pointwise.sum @pull(%w) over @other : f64
    // expected-error@+1 {{[pointwise-type] expected the count of @data, found the count of @other}}
    %g = pointwise.mean %sum, %n
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// ... and has the type of the sum.

region.learner @round {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  region.samples @other[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : tensor<3xf64>, %y : f64) -> (f64, observed "loss" : f64) {
    %d = arith.subf %y, %w : f64
    pointwise.return %d, %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    // expected-error@+1 {{[pointwise-type] expected f64, found f32}}
    %g = "pointwise.mean"(%sum, %count) : (!region.sum<f64, @data>, !region.count<@data>) -> f32
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// A sum says in its type which samples it is over.

region.learner @round {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  region.samples @other[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : tensor<3xf64>, %y : f64) -> (f64, observed "loss" : f64) {
    %d = arith.subf %y, %w : f64
    pointwise.return %d, %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    // expected-error@+1 {{[pointwise-type] expected a sum and a count over @data, found @other}}
    %sum, %count = "pointwise.sum"(%w) <{callee = @pull, samples = @data}> : (f64) -> (!region.sum<f64, @other>, !region.count<@data>)
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @round {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  region.samples @data[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  region.samples @other[2] : (tensor<3xf64>, f64) = dense<1.0>, dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : tensor<3xf64>, %y : f64) -> (f64, observed "loss" : f64) {
    %d = arith.subf %y, %w : f64
    pointwise.return %d, %d
  }
  pointwise.update @step(%w : f64, %g : f64) -> (f64) {
    %w1 = arith.addf %w, %g : f64
    pointwise.return %w1
  }
  region.round {
    %w = region.read @w : f64
    %sum, %count = pointwise.sum @pull(%w) over @data : f64
    %g = pointwise.mean %sum, %count
    %w1 = pointwise.apply @step(%w, %g) : f64
    region.advance @w = %w1
  }
}
