// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// expected-error@+2 {{[source-operation-unknown] expected the name of an operation, found 'region.sate'}}
// expected-note@+1 {{did you mean 'region.state'}}
region.sate @w : f64 = 0.0

// -----

// accepted:
region.state @w : f64 = 0.0

// -----

// A dialect that isn't known, with the one that is nearest.

// expected-error@+2 {{[source-operation-unknown] expected the name of an operation, found 'regions.state'}}
// expected-note@+1 {{no dialect is named 'regions'; did you mean 'region'?}}
regions.state @w : f64 = 0.0

// -----

// xDSL's own dialects of other names aren't read.

// expected-error@+2 {{[source-operation-unknown] expected the name of an operation, found 'affine.load'}}
// expected-note@+1 {{no dialect is named 'affine'}}
%m = affine.load %a[%i] : memref<4xf64>

// -----

// The generic form, and inside other operations.

module {
  // expected-error@+2 {{[source-operation-unknown] expected the name of an operation, found 'pointwise.folds'}}
  // expected-note@+1 {{did you mean 'pointwise.fold'}}
  "pointwise.folds"() : () -> ()
}

// -----

// accepted:
module {
  "func.func"() <{sym_name = "f", function_type = () -> ()}> ({}) : () -> ()
}
