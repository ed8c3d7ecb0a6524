// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// What is legal although it does little: fields that aren't read, programs that aren't applied,
// states that keep their words, and one value for several states.
region.learner @idle {
  region.state @w : f64 = 0.0
  region.state @v : f64 = 0.0
  region.state @unread : tensor<4xf32> = dense<0.0>
  region.constant @unused : f64 = 0.0
  region.samples @untouched[0] : (f64) = dense<>
  pointwise.contribution @unsummed(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @unapplied(%w : f64) -> (f64) {
    pointwise.return %w
  }
  pointwise.update @reset() -> (f64) {
    %zero = arith.constant 0.0 : f64
    pointwise.return %zero
  }
  region.round {
    %w, %again = region.read @w, @w : f64, f64
    %zero = pointwise.apply @reset() : f64
    region.advance @v = %zero, @w = %zero
  }
}

// -----

// Sums over several sets of samples, means that are used twice or not at all, updates one after the
// other, and constants as arguments of both kinds of program.
region.learner @busy attributes {owners = #shard.owners<8, tree<3>>} {
  region.state @w : f64 = 0.0
  region.constant @rate : f64 = 0.5
  region.samples @few[3] : (f64) = dense<1.0>
  region.samples @many[1000000000000] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64, %rate : f64) sample(%x : f64) -> (f64, f64) {
    pointwise.return %x, %w
  }
  pointwise.contribution @count() sample(%x : f64) -> (observed "x" : f64) {
    pointwise.return %x
  }
  pointwise.update @step(%w : f64, %g : f64, %h : f64, %rate : f64) -> (f64) {
    pointwise.return %g
  }
  region.round {
    %w, %rate = region.read @w, @rate : f64, f64
    %a, %b, %n = pointwise.sum @pull(%w, %rate) over @few : f64, f64
    %c, %d, %m = pointwise.sum @pull(%rate, %w) over @many : f64, f64
    %only = pointwise.sum @count() over @few
    %g = pointwise.mean %a, %n
    %h = pointwise.mean %c, %m
    %unused = pointwise.mean %d, %m
    %w1 = pointwise.apply @step(%w, %g, %h, %rate) : f64
    %w2 = pointwise.apply @step(%w1, %g, %g, %rate) : f64
    region.advance @w = %w2
  }
}

// -----

// A sum belongs to the count of its own samples, also where there are as many of the others.
region.learner @crossed {
  region.state @w : f64 = 0.0
  region.samples @one[3] : (f64) = dense<1.0>
  region.samples @other[3] : (f64) = dense<1.0>
  pointwise.contribution @pull(%w : f64) sample(%x : f64) -> (f64) {
    pointwise.return %x
  }
  pointwise.update @step(%g : f64) -> (f64) {
    pointwise.return %g
  }
  region.round {
    %w = region.read @w : f64
    %a, %n = pointwise.sum @pull(%w) over @one : f64
    %b, %m = pointwise.sum @pull(%w) over @other : f64
    // expected-error@+1 {{[pointwise-type] expected the count of @one, found the count of @other}}
    %g = pointwise.mean %a, %m
    %w1 = pointwise.apply @step(%g) : f64
    region.advance @w = %w1
  }
}

// -----

// Learners stand beside one another, and names are those of one learner.
region.learner @first {
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

region.learner @second {
  region.state @w : tensor<2xf32> = dense<0.0>
  pointwise.update @keep(%w : tensor<2xf32>) -> (tensor<2xf32>) {
    pointwise.return %w
  }
  region.round {
    %w = region.read @w : tensor<2xf32>
    %w1 = pointwise.apply @keep(%w) : tensor<2xf32>
    region.advance @w = %w1
  }
}

// -----

// Two learners of one name are two symbols of one name.
// expected-note@+1 {{it is defined here first}}
region.learner @same {
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
// expected-error@+1 {{[source-structure] expected one symbol of a name in 'builtin.module', found '@same' again}}
region.learner @same {
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

// Both kinds of word in one learner; a state advances to its own kind.
region.learner @two_kinds {
  region.state @w : f64 = 0.0
  region.state @s : tensor<3xf32> = dense<0.0>
  pointwise.update @keep(%w : f64, %s : tensor<3xf32>) -> (f64, tensor<3xf32>) {
    pointwise.return %w, %s
  }
  region.round {
    %w, %s = region.read @w, @s : f64, tensor<3xf32>
    %w1, %s1 = pointwise.apply @keep(%w, %s) : f64, tensor<3xf32>
    region.advance @s = %s1, @w = %w1
  }
}

// -----

// Order within a learner doesn't matter: what a round names may be defined after it.
region.learner @backwards {
  region.round {
    %w = region.read @w : f64
    %w1 = pointwise.apply @keep(%w) : f64
    region.advance @w = %w1
  }
  pointwise.update @keep(%w : f64) -> (f64) {
    pointwise.return %w
  }
  region.state @w : f64 = 0.0
}
