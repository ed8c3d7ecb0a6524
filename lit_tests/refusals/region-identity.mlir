// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// A name is defined once.

region.learner @twice {
  // expected-note@+1 {{@w is first defined here}}
  region.state @w : f64 = 0.0
  // expected-error@+1 {{[region-identity] expected one definition of @w, found two}}
  region.constant @w : f64 = 0.5
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @once {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// Programs share the names of fields.

region.learner @program_and_state {
  // expected-note@+1 {{@w is first defined here}}
  region.state @w : f64 = 0.0
  // expected-error@+1 {{[region-identity] expected one definition of @w, found two}}
  pointwise.update @w(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @w(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @program_and_state {
  region.state @w : f64 = 0.0
  pointwise.update @u(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @u(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// What isn't part of a learner has no identity in it.

region.learner @foreign {
  region.state @w : f64 = 0.0
  // expected-error@+1 {{[region-identity] expected a state, constant, samples, program or round in a learner, found func.func}}
  func.func private @f()
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted:
func.func private @f()
region.learner @foreign {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// expected-error@+1 {{[region-identity] expected #shard.owners<...> as owners, found "four"}}
region.learner @owners attributes {owners = "four"} {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @owners attributes {owners = #shard.owners<4, star>} {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// A round gives each state at most one new value.

region.learner @two_values {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    // expected-error@+1 {{[region-identity] expected one new value for @w, found two}}
    region.advance @w = %w1, @w = %w1
  }
}

// -----

// accepted:
region.learner @two_values {
  region.state @w : f64 = 0.0
  region.state @v : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1, @v = %w1
  }
}

// -----

region.learner @count {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    // expected-error@+1 {{[region-identity] expected one value for each of 1 states, found 2}}
    "region.advance"(%w1, %w1) <{symbols = [@w]}> : (f64, f64) -> ()
  }
}

// -----

// accepted:
region.learner @count {
  region.state @w : f64 = 0.0
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    "region.advance"(%w1) <{symbols = [@w]}> : (f64) -> ()
  }
}

// -----

// An identity belongs to the field that it stands on: its name.

// expected-error@+1 {{[region-identity] expected the field 'w', found 'v'}}
region.state @w : f64 = 0.0 {identity = #region.identity<schema = "s", field = "v", domain = stride(0, 1, 1), representation = f64, version = 0>}

// -----

// accepted:
region.state @w : f64 = 0.0 {identity = #region.identity<schema = "s", field = "w", domain = stride(0, 1, 1), representation = f64, version = 0>}

// -----

// Its representation.

// expected-error@+1 {{[region-identity] expected the representation f32, found f64}}
region.state @w : f32 = 0.0 {identity = #region.identity<schema = "s", field = "w", domain = stride(0, 1, 1), representation = f64, version = 0>}

// -----

// accepted:
region.state @w : f32 = 0.0 {identity = #region.identity<schema = "s", field = "w", domain = stride(0, 1, 1), representation = f32, version = 0>}

// -----

// Its version.

// expected-error@+1 {{[region-identity] expected version 0 of an initial state, found 7}}
region.state @w : f64 = 0.0 {identity = #region.identity<schema = "s", field = "w", domain = stride(0, 1, 1), representation = f64, version = 7>}

// -----

// accepted:
region.state @w : f64 = 0.0 {identity = #region.identity<schema = "s", field = "w", domain = stride(0, 1, 1), representation = f64, version = 0>}

// -----

// The words of a value have the representation of the type; generic form.

// expected-error@+1 {{[region-identity] expected f64 words in @w, found f32}}
"region.state"() <{sym_name = "w", type = f64, initial = 0.0 : f32}> : () -> ()

// -----

// accepted:
"region.state"() <{sym_name = "w", type = f64, initial = 0.0 : f64}> : () -> ()

// -----

// expected-error@+1 {{[region-identity] expected f64 words in @w, found f32}}
"region.constant"() <{sym_name = "w", type = tensor<2xf64>, initial = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> ()

// -----

// accepted:
"region.constant"() <{sym_name = "w", type = tensor<2xf64>, initial = dense<[1.0, 2.0]> : tensor<2xf64>}> : () -> ()

// -----

// expected-error@+1 {{[region-identity] expected a float, a dense value or a file as the value of @w, found string}}
"region.state"() <{sym_name = "w", type = f64, initial = "w.npy"}> : () -> ()

// -----

// accepted:
"region.state"() <{sym_name = "w", type = f64, initial = #region.file<"w.npy">}> : () -> ()
