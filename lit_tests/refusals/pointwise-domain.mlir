// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// There is one index for each axis of an operand.

pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected 1 index on %a, one for each axis of tensor<4xf64>, found 2 indices}}
  %b = pointwise.map over [i : 4, j : 1] (%x = %a[i, j]) {
    pointwise.yield %x
  } : tensor<4x1xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected 1 index on %a, one for each axis of tensor<4xf64>, found no indices}}
  %b = pointwise.map over [i : 4, j : 1] (%x = %a) {
    pointwise.yield %x
  } : tensor<4x1xf64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  %b = pointwise.map over [i : 4, j : 1] (%x = %a[i]) {
    pointwise.yield %x
  } : tensor<4x1xf64>
  pointwise.return %a
}

// -----

// An operand without a name is called by its number.

pointwise.update @f(%0 : tensor<2x4xf64>) -> (f64) {
  // expected-error@+1 {{[pointwise-domain] expected 2 indices on operand 0, one for each axis of tensor<2x4xf64>, found 1 index}}
  %b = pointwise.fold add left along [k : 4] (%x = %0[k]) {
    pointwise.yield %x
  } : f64
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%0 : tensor<2x4xf64>) -> (f64) {
  %b = pointwise.fold add left along [k : 4] (%x = %0[1, k]) {
    pointwise.yield %x
  } : f64
  pointwise.return %b
}

// -----

// A scalar has no index.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-domain] expected no index on %a, which is a scalar, found 1 index}}
  %b = pointwise.map over [i : 1] (%x = %a[i]) {
    pointwise.yield %x
  } : tensor<1xf64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = pointwise.map over [i : 1] (%x = %a) {
    pointwise.yield %x
  } : tensor<1xf64>
  pointwise.return %a
}

// -----

// An index names the operation's own axes.

pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected one of the axes i, k, found 'j'}}
  %b = pointwise.map over [i : 4, k : 2] (%x = %a[j]) {
    pointwise.yield %x
  } : tensor<4x2xf64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  %b = pointwise.map over [j : 4, k : 2] (%x = %a[j]) {
    pointwise.yield %x
  } : tensor<4x2xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected no axis in an index, found 'j'}}
  %b = pointwise.map over [] (%x = %a[j]) {
    pointwise.yield %x
  } : f64
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<4xf64>) -> (tensor<4xf64>) {
  %b = pointwise.map over [] (%x = %a[3]) {
    pointwise.yield %x
  } : f64
  pointwise.return %a
}

// -----

// Axes have different names.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-domain] expected axes of different names, found i, i}}
  %b = pointwise.map over [i : 2, i : 3] (%x = %a) {
    pointwise.yield %x
  } : tensor<2x3xf64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = pointwise.map over [i : 2, j : 3] (%x = %a) {
    pointwise.yield %x
  } : tensor<2x3xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : tensor<2x2xf64>) -> (tensor<2x2xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected axes of different names, found i, i}}
  %b = pointwise.fold add left over [i : 2] along [i : 2] (%x = %a[i, i]) {
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %a
}

// -----

// A fold reduces at least one axis.

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected at least 1 axis to reduce along, found 0}}
  %b = pointwise.fold add left over [i : 2] along [] (%x = %a[i]) {
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<2x2xf64>) -> (tensor<2x2xf64>) {
  %b = pointwise.fold add left over [i : 2] along [j : 2] (%x = %a[i, j]) {
    pointwise.yield %x
  } : tensor<2xf64>
  pointwise.return %a
}

// -----

// Also where it has no axes at all.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[pointwise-domain] expected at least 1 axis to reduce along, found 0}}
  %b = pointwise.fold add left along [] (%x = %a) {
    pointwise.yield %x
  } : f64
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = pointwise.fold add left along [i : 1] (%x = %a) {
    pointwise.yield %x
  } : f64
  pointwise.return %a
}

// -----

// What only the generic form can say: more reduced axes than there are ...

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected no more axes to reduce along than the 1 of the domain, found 2}}
  %b = "pointwise.fold"(%a) <{kind = "add", order = #pointwise.order<left>, along = 2 : i64, domain = array<i64: 2>, indexing_maps = [affine_map<(i) -> (i)>]}> ({
  ^bb0(%x : f64):
    "pointwise.yield"(%x) : (f64) -> ()
  }) : (tensor<2xf64>) -> f64
  pointwise.return %a
}

// -----

// ... a negative extent ...

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected extents of 0 or more, found [-2]}}
  %b = "pointwise.fold"(%a) <{kind = "add", order = #pointwise.order<left>, along = 1 : i64, domain = array<i64: -2>, indexing_maps = [affine_map<(i) -> (i)>]}> ({
  ^bb0(%x : f64):
    "pointwise.yield"(%x) : (f64) -> ()
  }) : (tensor<2xf64>) -> f64
  pointwise.return %a
}

// -----

// ... another number of maps than of operands ...

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected 1 index maps, one an operand, found 2}}
  %b = "pointwise.fold"(%a) <{kind = "add", order = #pointwise.order<left>, along = 1 : i64, domain = array<i64: 2>, indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>]}> ({
  ^bb0(%x : f64):
    "pointwise.yield"(%x) : (f64) -> ()
  }) : (tensor<2xf64>) -> f64
  pointwise.return %a
}

// -----

// ... maps of other axes, or with symbols.

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected an index map of 1 axes, as the domain, and 0 symbols for %a, found 2 axes and 0 symbols}}
  %b = "pointwise.fold"(%a) <{kind = "add", order = #pointwise.order<left>, along = 1 : i64, domain = array<i64: 2>, indexing_maps = [affine_map<(i, j) -> (i)>]}> ({
  ^bb0(%x : f64):
    "pointwise.yield"(%x) : (f64) -> ()
  }) : (tensor<2xf64>) -> f64
  pointwise.return %a
}

// -----

pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  // expected-error@+1 {{[pointwise-domain] expected an index map of 1 axes, as the domain, and 0 symbols for %a, found 1 axes and 1 symbols}}
  %b = "pointwise.fold"(%a) <{kind = "add", order = #pointwise.order<left>, along = 1 : i64, domain = array<i64: 2>, indexing_maps = [affine_map<(i)[s] -> (i)>]}> ({
  ^bb0(%x : f64):
    "pointwise.yield"(%x) : (f64) -> ()
  }) : (tensor<2xf64>) -> f64
  pointwise.return %a
}

// -----

// accepted:
pointwise.update @f(%a : tensor<2xf64>) -> (tensor<2xf64>) {
  %b = "pointwise.fold"(%a) <{kind = "add", order = #pointwise.order<left>, along = 1 : i64, domain = array<i64: 2>, indexing_maps = [affine_map<(i) -> (i)>]}> ({
  ^bb0(%x : f64):
    "pointwise.yield"(%x) : (f64) -> ()
  }) : (tensor<2xf64>) -> f64
  pointwise.return %a
}
