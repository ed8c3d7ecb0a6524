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

// -----

// The observations of a round are told apart by their names ...

region.learner @labels {
  region.state @w : f64 = 0.0
  region.samples @train[2] : (f64) = dense<1.0>
  region.samples @test[2] : (f64) = dense<2.0>
  pointwise.contribution @one() sample(%x : f64) -> (observed "loss" : f64) {
    pointwise.return %x
  }
  pointwise.contribution @other() sample(%x : f64) -> (f64, observed "loss" : f64) {
    pointwise.return %x, %x
  }
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    // expected-note@+1 {{'loss' is first observed here}}
    %count = pointwise.sum @one() over @train
    // expected-error@+1 {{[region-identity] expected one observation 'loss' in a round, found two}}
    %sum, %n = pointwise.sum @other() over @train : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// ... or, where a name is observed over several samples, by theirs.

region.learner @labels {
  region.state @w : f64 = 0.0
  region.samples @train[2] : (f64) = dense<1.0>
  region.samples @test[2] : (f64) = dense<2.0>
  pointwise.contribution @one() sample(%x : f64) -> (observed "loss" : f64) {
    pointwise.return %x
  }
  pointwise.contribution @other() sample(%x : f64) -> (f64, observed "error" : f64) {
    pointwise.return %x, %x
  }
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %count = pointwise.sum @one() over @test
    // expected-note@+1 {{'loss @train' is first observed here}}
    %again = pointwise.sum @one() over @train
    // expected-error@+1 {{[region-identity] expected one observation 'loss @train' in a round, found two}}
    %third = pointwise.sum @one() over @train
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}

// -----

region.learner @labels {
  region.state @w : f64 = 0.0
  region.samples @train[2] : (f64) = dense<1.0>
  region.samples @test[2] : (f64) = dense<2.0>
  pointwise.contribution @one() sample(%x : f64) -> (observed "loss" : f64) {
    pointwise.return %x
  }
  pointwise.contribution @other() sample(%x : f64) -> (f64, observed "loss @test" : f64) {
    pointwise.return %x, %x
  }
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    // expected-note@+1 {{'loss @test' is first observed here}}
    %count = pointwise.sum @one() over @test
    %again = pointwise.sum @one() over @train
    // expected-error@+1 {{[region-identity] expected one observation 'loss @test' in a round, found two}}
    %sum, %n = pointwise.sum @other() over @train : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// accepted:
region.learner @labels {
  region.state @w : f64 = 0.0
  region.samples @train[2] : (f64) = dense<1.0>
  region.samples @test[2] : (f64) = dense<2.0>
  pointwise.contribution @one() sample(%x : f64) -> (observed "loss" : f64) {
    pointwise.return %x
  }
  pointwise.contribution @other() sample(%x : f64) -> (f64, observed "error" : f64) {
    pointwise.return %x, %x
  }
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : f64
    %count = pointwise.sum @one() over @train
    %again = pointwise.sum @one() over @test
    %sum, %n = pointwise.sum @other() over @train : f64
    %sum2, %n2 = pointwise.sum @other() over @test : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
}

// -----

// A name has no NUL, which ends it in a digest, and no other control character ...

// expected-error@+1 {{[region-identity] expected a name of a state without control characters, found a control character, U+0000, at position 1 of 'w\x00f64'}}
region.state @"w\00f64" : f64 = 0.0

// -----

// expected-error@+1 {{[region-identity] expected a name of a constant without control characters, found a control character, U+000A, at position 0 of '\n'}}
region.constant @"\n" : f64 = 0.0

// -----

// expected-error@+1 {{[region-identity] expected a name of samples without control characters, found a control character, U+007F, at position 1 of 'x\x7f'}}
region.samples @"x\7F"[1] : (f64) = dense<0.0>

// -----

// expected-error@+1 {{[region-identity] expected a name of a program without control characters, found a control character, U+0009, at position 0 of '\t'}}
pointwise.update @"\t"(%w : f64) -> (f64) {
  pointwise.return %w
}

// -----

// expected-error@+1 {{[region-identity] expected a name of a learner without control characters, found a control character, U+001B, at position 0 of '\x1b[2J'}}
region.learner @"\1B[2J" {
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

// ... and no other end of a line.

// expected-error@+1 {{[region-identity] expected a name of an observation without control characters, found an end of a line, U+2028, at position 4 of 'loss\u2028'}}
pointwise.contribution @f() sample(%x : f64) -> (observed "loss\E2\80\A8" : f64) {
  pointwise.return %x
}

// -----

// expected-error@+1 {{[region-identity] expected a name of an observation without control characters, found a control character, U+0085, at position 0 of '\x85'}}
pointwise.contribution @f() sample(%x : f64) -> (observed "\C2\85" : f64) {
  pointwise.return %x
}

// -----

// accepted: letters of every script, blanks and marks
pointwise.contribution @"größer als 重み"() sample(%x : f64) -> (observed "Verlust (‰), 損失" : f64) {
  pointwise.return %x
}

// -----

// A state can be saved under its name.

// expected-error@+1 {{[region-identity] expected another name of a state, since .safetensors files keep this one for themselves, found @__metadata__}}
region.state @__metadata__ : f64 = 0.0

// -----

// accepted:
region.state @_metadata_ : f64 = 0.0
region.constant @__metadata__ : f64 = 0.0
