// RUN: alpha-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// Another number of operands than the definition has.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[source-structure] expected 2 operands, found 1}}
  %b = "arith.addf"(%a) : (f64) -> f64
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = "arith.addf"(%a, %a) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
  pointwise.return %b
}

// -----

// A property that is missing.

// expected-error@+1 {{[source-structure] expected 'region.state' to hold its rules, found property 'initial' expected in operation 'region.state'}}
"region.state"() <{sym_name = "w", type = f64}> : () -> ()

// -----

// accepted:
"region.state"() <{sym_name = "w", type = f64, initial = 0.0 : f64}> : () -> ()

// -----

// A property of another kind.

// expected-error@+1 {{[source-structure] expected unit, found 1 : i64}}
"region.state"() <{sym_name = "w", type = f64, initial = 0.0 : f64, shared = 1 : i64}> : () -> ()

// -----

// accepted:
"region.state"() <{sym_name = "w", type = f64, initial = 0.0 : f64, shared}> : () -> ()

// -----

// A block without its terminator.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[source-structure] expected a terminator at the end of each block of 'pointwise.update', found 'arith.negf'}}
  %b = arith.negf %a : f64
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = arith.negf %a : f64
  pointwise.return %b
}

// -----

// An empty one.

region.learner @empty_round {
  region.state @w : f64 = 0.0
  // expected-error@+1 {{[source-structure] expected a terminator in the block of 'region.round', found an empty block}}
  region.round {
  }
}

// -----

// accepted:
region.learner @keep {
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

// A terminator before the end.

func.func @f() {
  // expected-error@+1 {{[source-structure] expected 'func.return' to hold its rules, found 'func.return' must be the last operation in its parent block}}
  func.return
  func.return
}

// -----

// accepted:
func.func @f() {
  func.return
}

// -----

// An operand of another type than the definition has.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[source-structure] expected 'arith.select' to hold its rules, found expected i1 as the condition, found f64}}
  %b = "arith.select"(%a, %a, %a) : (f64, f64, f64) -> f64
  pointwise.return %b
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %c = arith.cmpf olt, %a, %a : f64
  %b = "arith.select"(%c, %a, %a) : (i1, f64, f64) -> f64
  pointwise.return %b
}

// -----

// Two symbols of one name.

// expected-note@+1 {{it is defined here first}}
func.func private @f()
// expected-error@+1 {{[source-structure] expected one symbol of a name in 'builtin.module', found '@f' again}}
region.state @f : f64 = 0.0

// -----

// accepted:
func.func private @f()
region.state @w : f64 = 0.0

// -----

// An operation with successors stands at the end of its block.

func.func @f() {
  // expected-error@+1 {{[source-structure] expected an operation with successors at the end of its block, found}}
  "test.go"() [^next] : () -> ()
  func.return
^next:
  func.return
}

// -----

// accepted:
func.func @f() {
  "test.go"() [^next] : () -> ()
^next:
  func.return
}

// -----

// Where an operation's own syntax lists something, there is at least one; generic form.

// expected-error@+1 {{[source-structure] expected at least one name to read in 'region.read', found none}}
"region.read"() <{symbols = []}> : () -> ()

// -----

// expected-error@+1 {{[source-structure] expected at least one value that is read in 'region.read', found none}}
"region.read"() <{symbols = [@w]}> : () -> ()

// -----

// accepted:
%w = "region.read"() <{symbols = [@w]}> : () -> f64

// -----

region.learner @nothing {
  region.state @w : f64 = 0.0
  region.round {
    %w = region.read @w : f64
    // expected-error@+1 {{[source-structure] expected at least one state that advances in 'region.advance', found none}}
    "region.advance"() <{symbols = []}> : () -> ()
  }
}

// -----

// accepted:
region.learner @something {
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

// expected-error@+1 {{[source-structure] expected at least one result in 'pointwise.apply', found none}}
"pointwise.apply"() <{callee = @f}> : () -> ()

// -----

// accepted:
%w = "pointwise.apply"() <{callee = @f}> : () -> f64

// -----

pointwise.update @f(%a : f64) -> (f64) {
  "pointwise.map"(%a) <{domain = array<i64: 2>, indexing_maps = [affine_map<(i) -> ()>]}> ({
  ^bb0(%x : f64):
    // expected-error@+1 {{[source-structure] expected at least one value in 'pointwise.yield', found none}}
    "pointwise.yield"() : () -> ()
  }) : (f64) -> ()
  pointwise.return %a
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[source-structure] expected at least one value in 'pointwise.return', found none}}
  "pointwise.return"() : () -> ()
}

// -----

// accepted:
pointwise.update @f(%a : f64) -> (f64) {
  %b = "pointwise.map"(%a) <{domain = array<i64: 2>, indexing_maps = [affine_map<(i) -> ()>]}> ({
  ^bb0(%x : f64):
    "pointwise.yield"(%x) : (f64) -> ()
  }) : (f64) -> tensor<2xf64>
  pointwise.return %a
}

// -----

// Numbers are those of the operation's own syntax: 64-bit integers.

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[source-structure] expected i64, found i32}}
  %b = "pointwise.map"(%a) <{domain = array<i32: 2>, indexing_maps = [affine_map<(i) -> ()>]}> ({
  ^bb0(%x : f64):
    "pointwise.yield"(%x) : (f64) -> ()
  }) : (f64) -> tensor<2xf64>
  pointwise.return %a
}

// -----

pointwise.update @f(%a : f64) -> (f64) {
  // expected-error@+1 {{[source-structure] expected i64, found index}}
  %b = "pointwise.fold"(%a) <{kind = "add", order = #pointwise.order<left>, along = 1 : index, domain = array<i64: 2>, indexing_maps = [affine_map<(i) -> ()>]}> ({
  ^bb0(%x : f64):
    "pointwise.yield"(%x) : (f64) -> ()
  }) : (f64) -> f64
  pointwise.return %a
}

// -----

// expected-error@+1 {{[source-structure] expected i64, found i32}}
"region.samples"() <{sym_name = "data", count = 3 : i32, types = [f64], sources = [0.0 : f64]}> : () -> ()

// -----

// expected-error@+1 {{[source-structure] expected i64, found i8}}
"pointwise.contribution"() <{sym_name = "f", function_type = (f64) -> f64, sample_inputs = 1 : i8, observed = []}> ({
^bb0(%x : f64):
  "pointwise.return"(%x) : (f64) -> ()
}) : () -> ()

// -----

// accepted:
"region.samples"() <{sym_name = "data", count = 3 : i64, types = [f64], sources = [0.0 : f64]}> : () -> ()
"pointwise.contribution"() <{sym_name = "f", function_type = (f64) -> f64, sample_inputs = 1 : i64, observed = []}> ({
^bb0(%x : f64):
  "pointwise.return"(%x) : (f64) -> ()
}) : () -> ()

// -----

// A learner's names are symbols of its own, without a path.

// expected-error@+1 {{[source-structure] expected a symbol alone, found one with "w" behind it}}
%w = "region.read"() <{symbols = [@a::@w]}> : () -> f64

// -----

// expected-error@+1 {{[source-structure] expected a symbol alone, found one with "f" behind it}}
%w = "pointwise.apply"() <{callee = @a::@f}> : () -> f64

// -----

// accepted:
%w = "region.read"() <{symbols = [@"a.w"]}> : () -> f64

// -----

// The arms of a switch, of which one is taken.

func.func @f(%a : i8) -> i8 {
  // expected-error@+1 {{[source-structure] expected cases that differ in 'cf.switch', found -1 again}}
  cf.switch %a : i8, [
    default: ^bb1,
    -1: ^bb2,
    255: ^bb1
  ]
^bb1:
  func.return %a : i8
^bb2:
  func.return %a : i8
}

// -----

// accepted:
func.func @f(%a : i8) -> i8 {
  cf.switch %a : i8, [
    default: ^bb1,
    -1: ^bb2,
    254: ^bb1
  ]
^bb1:
  func.return %a : i8
^bb2:
  func.return %a : i8
}
