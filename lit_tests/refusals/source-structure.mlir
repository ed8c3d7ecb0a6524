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

// -----

// A lane that is taken or replaced is one that the vector has, in every axis of it.

func.func @f(%a : vector<4xf64>) -> f64 {
  // expected-error@+1 {{[source-structure] expected a position from 0 to 3 in axis 0 of vector<4xf64>, found 4}}
  %b = vector.extract %a[4] : f64 from vector<4xf64>
  func.return %b : f64
}

// -----

// accepted:
func.func @f(%a : vector<4xf64>) -> f64 {
  %b = vector.extract %a[3] : f64 from vector<4xf64>
  func.return %b : f64
}

// -----

func.func @f(%a : vector<4xf64>) -> f64 {
  // expected-error@+1 {{[source-structure] expected a position from 0 to 3 in axis 0 of vector<4xf64>, found -1}}
  %b = vector.extract %a[-1] : f64 from vector<4xf64>
  func.return %b : f64
}

// -----

// accepted:
func.func @f(%a : vector<4xf64>) -> f64 {
  %b = vector.extract %a[0] : f64 from vector<4xf64>
  func.return %b : f64
}

// -----

func.func @f(%a : vector<2x3xf64>, %at : index) -> f64 {
  // expected-error@+1 {{[source-structure] expected a position from 0 to 2 in axis 1 of vector<2x3xf64>, found 3}}
  %b = vector.extract %a[%at, 3] : f64 from vector<2x3xf64>
  func.return %b : f64
}

// -----

// accepted:
func.func @f(%a : vector<2x3xf64>, %at : index) -> f64 {
  %b = vector.extract %a[%at, 2] : f64 from vector<2x3xf64>
  func.return %b : f64
}

// -----

func.func @f(%a : vector<4xf64>, %w : f64) -> vector<4xf64> {
  // expected-error@+1 {{[source-structure] expected a position from 0 to 3 in axis 0 of vector<4xf64>, found 7}}
  %b = vector.insert %w, %a [7] : f64 into vector<4xf64>
  func.return %b : vector<4xf64>
}

// -----

// accepted:
func.func @f(%a : vector<4xf64>, %w : f64) -> vector<4xf64> {
  %b = vector.insert %w, %a [3] : f64 into vector<4xf64>
  func.return %b : vector<4xf64>
}

// -----

func.func @f(%a : vector<2x3xf64>, %row : vector<3xf64>) -> vector<2x3xf64> {
  // expected-error@+1 {{[source-structure] expected a position from 0 to 1 in axis 0 of vector<2x3xf64>, found 2}}
  %b = vector.insert %row, %a [2] : vector<3xf64> into vector<2x3xf64>
  func.return %b : vector<2x3xf64>
}

// -----

// accepted:
func.func @f(%a : vector<2x3xf64>, %row : vector<3xf64>) -> vector<2x3xf64> {
  %b = vector.insert %row, %a [1] : vector<3xf64> into vector<2x3xf64>
  func.return %b : vector<2x3xf64>
}

// -----

// Masks and words of other floats have as many lanes as what they are for.

func.func @f(%w : memref<?xf64>, %at : index, %m : vector<3xi1>, %p : vector<4xf64>) {
  // expected-error@+1 {{[source-structure] expected as many lanes as vector<4xf64> has in 'vector.maskedload', found vector<3xi1>}}
  %a = vector.maskedload %w[%at], %m, %p : memref<?xf64>, vector<3xi1>, vector<4xf64> into vector<4xf64>
  func.return
}

// -----

func.func @f(%w : memref<?xf64>, %at : index, %m : vector<4xi1>, %p : vector<3xf64>) {
  // expected-error@+1 {{[source-structure] expected as many lanes as vector<4xf64> has in 'vector.maskedload', found vector<3xf64>}}
  %a = vector.maskedload %w[%at], %m, %p : memref<?xf64>, vector<4xi1>, vector<3xf64> into vector<4xf64>
  func.return
}

// -----

func.func @f(%w : memref<?xf64>, %at : index, %m : vector<3xi1>, %p : vector<4xf64>) {
  // expected-error@+1 {{[source-structure] expected as many lanes as vector<4xf64> has in 'vector.maskedstore', found vector<3xi1>}}
  vector.maskedstore %w[%at], %m, %p : memref<?xf64>, vector<3xi1>, vector<4xf64>
  func.return
}

// -----

// accepted:
func.func @f(%w : memref<?xf64>, %at : index, %m : vector<4xi1>, %p : vector<4xf64>) {
  %a = vector.maskedload %w[%at], %m, %p : memref<?xf64>, vector<4xi1>, vector<4xf64> into vector<4xf64>
  vector.maskedstore %w[%at], %m, %a : memref<?xf64>, vector<4xi1>, vector<4xf64>
  func.return
}

// -----

func.func @f(%a : vector<4xf64>) -> vector<3xf32> {
  // expected-error@+1 {{[source-structure] expected as many lanes as vector<3xf32> has in 'arith.truncf', found vector<4xf64>}}
  %b = arith.truncf %a : vector<4xf64> to vector<3xf32>
  func.return %b : vector<3xf32>
}

// -----

func.func @f(%a : f32) -> vector<3xf64> {
  // expected-error@+1 {{[source-structure] expected as many lanes as vector<3xf64> has in 'arith.extf', found f32}}
  %b = arith.extf %a : f32 to vector<3xf64>
  func.return %b : vector<3xf64>
}

// -----

// accepted:
func.func @f(%a : vector<3xf32>) -> vector<3xf64> {
  %b = arith.extf %a : vector<3xf32> to vector<3xf64>
  func.return %b : vector<3xf64>
}

// -----

// A name in `memref.get_global` is that of a global of the module, with its type ...

// expected-note@+1 {{it is defined here}}
func.func private @g()
func.func @f() {
  // expected-error@+1 {{[source-structure] expected the name of a memref.global in 'memref.get_global', found '@g', which is a 'func.func'}}
  %m = memref.get_global @g : memref<2xf64>
  func.return
}

// -----

"memref.global"() <{sym_name = "g", sym_visibility = "private", type = memref<2xf64>, initial_value}> : () -> ()
func.func @f() {
  // expected-error@+1 {{[source-structure] expected the name of a memref.global in 'memref.get_global', found '@h', which nothing defines}}
  %m = memref.get_global @h : memref<2xf64>
  func.return
}

// -----

// expected-note@+1 {{it is defined here}}
"memref.global"() <{sym_name = "g", sym_visibility = "private", type = memref<2xf64>, initial_value}> : () -> ()
func.func @f() {
  // expected-error@+1 {{[source-structure] expected memref<2xf64>, the type of '@g', found memref<9xf64>}}
  %m = memref.get_global @g : memref<9xf64>
  func.return
}

// -----

"memref.global"() <{sym_name = "g", sym_visibility = "private", type = memref<2xf64>, initial_value}> : () -> ()
func.func @f() {
  // expected-error@+1 {{[source-structure] expected a symbol alone, found one with "h" behind it}}
  %m = memref.get_global @g::@h : memref<2xf64>
  func.return
}

// -----

// accepted:
"memref.global"() <{sym_name = "g", sym_visibility = "private", type = memref<2xf64>, initial_value}> : () -> ()
func.func @f() {
  %m = memref.get_global @g : memref<2xf64>
  func.return
}

// -----

// ... whose extents are known, and whose initial value, if it has one, has its shape and elements.

// expected-error@+1 {{[source-structure] expected an initial value of type tensor<4xf64>, found tensor<2xf64>}}
"memref.global"() <{sym_name = "g", sym_visibility = "private", type = memref<4xf64>, initial_value = dense<1.0> : tensor<2xf64>}> : () -> ()

// -----

// expected-error@+1 {{[source-structure] expected an initial value of type tensor<4xf64>, found tensor<4xi64>}}
"memref.global"() <{sym_name = "g", sym_visibility = "private", type = memref<4xf64>, initial_value = dense<1> : tensor<4xi64>}> : () -> ()

// -----

// expected-error@+1 {{[source-structure] expected a global of known extents, found memref<?xf64>}}
"memref.global"() <{sym_name = "g", sym_visibility = "private", type = memref<?xf64>, initial_value = dense<1.0> : tensor<4xf64>}> : () -> ()

// -----

// expected-error@+1 {{[source-structure] expected one of public, private, nested as the visibility of a global, found 'secret'}}
"memref.global"() <{sym_name = "g", sym_visibility = "secret", type = memref<4xf64>, initial_value = dense<1.0> : tensor<4xf64>}> : () -> ()

// -----

// accepted:
"memref.global"() <{sym_name = "g", sym_visibility = "private", type = memref<4xf64>, initial_value = dense<1.0> : tensor<4xf64>}> : () -> ()

// -----

func.func @f(%n : index) {
  // expected-error@+1 {{[source-structure] expected 0 symbols for the layout of memref<4xf64>, found 1}}
  %m = memref.alloca()[%n] : memref<4xf64>
  func.return
}

// -----

// accepted:
func.func @f(%n : index) {
  %m = memref.alloca() : memref<4xf64>
  func.return
}

// -----

// Instructions in registers are held to their rows: how many registers, ...

x64.func @f in () slots [] out 0 {
  // expected-error@+1 {{[source-structure] expected 2 registers that are read in 'x64.load_64', found 1}}
  x64.load_64 placed (0 = 7) [_ + _ * 8]
  x64.ret placed ( = 0)
}

// -----

// accepted:
x64.func @f in () slots [] out 0 {
  x64.load_64 placed (0 = 7, 1) [_ + _ * 8]
  x64.ret placed ( = 0)
}

// -----

x64.func @f in () slots [] out 0 {
  // expected-error@+1 {{[source-structure] expected 1 registers that are read in 'x64.mov', found 2}}
  x64.mov placed (0 = 1, 2)
  x64.ret placed ( = 0)
}

// -----

// accepted:
x64.func @f in () slots [] out 0 {
  x64.mov placed (0 = 1)
  x64.ret placed ( = 0)
}

// -----

// ... which ones, ...

x64.func @f in () slots [] out 0 {
  // expected-error@+1 {{[source-structure] expected a register of class gpr that may be allocated in 'x64.mov', found 4, rsp}}
  x64.mov placed (4 = 0)
  x64.ret placed ( = 0)
}

// -----

// accepted:
x64.func @f in () slots [] out 0 {
  x64.mov placed (3 = 0)
  x64.ret placed ( = 0)
}

// -----

a64.func @f in () slots [] out 0 {
  // expected-error@+1 {{[source-structure] expected a register of class gpr that may be allocated in 'a64.add', found 31, sp}}
  a64.add placed (31 = 0, 1)
  a64.ret placed ( = 0)
}

// -----

// accepted:
a64.func @f in () slots [] out 0 {
  a64.add placed (29 = 0, 1)
  a64.ret placed ( = 0)
}

// -----

x64.func @f in () slots [] out 0 {
  // expected-error@+1 {{[source-structure] expected q in register 0, rax, in 'x64.idiv', found 1}}
  x64.idiv placed (1, 2 = 0, 3)
  x64.ret placed ( = 0)
}

// -----

// accepted:
x64.func @f in () slots [] out 0 {
  x64.idiv placed (0, 2 = 0, 3)
  x64.ret placed ( = 0)
}

// -----

x64.func @f in () slots [] out 0 {
  // expected-error@+1 {{[source-structure] expected d in register 1 in 'x64.add', found 0}}
  x64.add placed (0 = 1, 2)
  x64.ret placed ( = 0)
}

// -----

// accepted:
x64.func @f in () slots [] out 0 {
  x64.add placed (1 = 1, 2)
  x64.ret placed ( = 0)
}

// -----

x64.func @f in () slots [] out 0 {
  // expected-error@+1 {{[source-structure] expected a register of class vec that may be allocated in 'x64.vaddsd', found 16, xmm16}}
  x64.vaddsd placed (16 = 0, 1)
  x64.ret placed ( = 0)
}

// -----

// accepted:
x64.func @f in () slots [] out 0 {
  x64.vaddsd placed (15 = 0, 1)
  x64.ret placed ( = 0)
}

// -----

// ... what an address holds, ...

x64.func @f in () slots [] out 0 {
  // expected-error@+1 {{[source-structure] expected m as load_64 can hold it in 'x64.load_64', found [_ + 2147483648]}}
  x64.load_64 placed (0 = 7) [_ + 2147483648]
  x64.ret placed ( = 0)
}

// -----

// accepted:
x64.func @f in () slots [] out 0 {
  x64.load_64 placed (0 = 7) [_ + 2147483647]
  x64.ret placed ( = 0)
}

// -----

a64.func @f in () slots [] out 0 {
  // expected-error@+1 {{[source-structure] expected m as load_64 can hold it in 'a64.load_64', found [_ + _ * 3]}}
  a64.load_64 placed (0 = 1, 2) [_ + _ * 3]
  a64.ret placed ( = 0)
}

// -----

// accepted:
a64.func @f in () slots [] out 0 {
  a64.load_64 placed (0 = 1, 2) [_ + _ * 4]
  a64.ret placed ( = 0)
}

// -----

x64.func @f in () slots [8 : 8] out 0 {
  // expected-error@+1 {{[source-structure] expected one of the function's 1 slots in 'x64.load_64', found [slot 1]}}
  x64.load_64 placed (0 = ) [slot 1]
  x64.ret placed ( = 0)
}

// -----

// accepted:
x64.func @f in () slots [8 : 8] out 0 {
  x64.load_64 placed (0 = ) [slot 0]
  x64.ret placed ( = 0)
}

// -----

x64.func @f in () slots [8 : 8] out 0 {
  // expected-error@+1 {{[source-structure] expected 8 bytes within the 8 of this part of the frame in 'x64.load_64', found [slot 0 + 1]}}
  x64.load_64 placed (0 = ) [slot 0 + 1]
  x64.ret placed ( = 0)
}

// -----

// accepted:
x64.func @f in () slots [9 : 8] out 0 {
  x64.load_64 placed (0 = ) [slot 0 + 1]
  x64.ret placed ( = 0)
}

// -----

// ... and conditions.

a64.func @f in () slots [] out 0 {
  // expected-error@+1 {{[source-structure] expected cc as one of eq, ne, hs, lo, mi, pl, vs, vc, hi, ls, ge, lt, gt, le in 'a64.cset_cmp', found z}}
  a64.cset_cmp placed (0 = 1, 2) "z"
  a64.ret placed ( = 0)
}

// -----

// accepted:
a64.func @f in () slots [] out 0 {
  a64.cset_cmp placed (0 = 1, 2) "eq"
  a64.ret placed ( = 0)
}

// -----

// Before allocation, values have the views that are read, and calls the registers of the convention.

x64.func @f in (7) slots [] out 0 {
^bb0(%0: !x64.reg<r64>):
  // expected-error@+1 {{[source-structure] expected a value of view d in 'x64.vaddsd', found !x64.reg<r64>}}
  %1 = x64.vaddsd %0, %0
  x64.ret with %1 in 0
}

// -----

// accepted:
x64.func @f in (7) slots [] out 0 {
^bb0(%0: !x64.reg<d>):
  %1 = x64.vaddsd %0, %0
  x64.ret with %1 in 0
}

// -----

a64.func @f in (0) slots [] out 0 {
^bb0(%0: !a64.reg<x>):
  // expected-error@+1 {{[source-structure] expected a register of its own that the convention has for x in 'a64.bl', found 19}}
  %1 = a64.bl "g" with %0 in 0 to x in 19
  a64.ret with %1 in 0
}

// -----

// accepted:
a64.func @f in (0) slots [] out 0 {
^bb0(%0: !a64.reg<x>):
  %1 = a64.bl "g" with %0 in 0 to x in 1
  a64.ret with %1 in 0
}

// -----

x64.func @f in () slots [] out 0 {
  // expected-error@+1 {{[source-structure] expected what ends a block at its end, and nowhere else, in 'x64.ret', found an instruction of role return}}
  x64.ret placed ( = )
  x64.ud2 placed ( = )
}

// -----

// accepted:
x64.func @f in () slots [] out 0 {
  x64.mov placed (0 = 1)
  x64.ud2 placed ( = )
}

// -----

// Only what a function asks for is there.

x64.func @f in () slots [] out 0 {
  // expected-error@+1 {{[source-structure] expected the feature avx512 of the function in 'x64.kmovq', found none}}
  x64.kmovq placed (1 = 2)
  x64.ret placed ( = )
}

// -----

// accepted:
x64.func @f in () slots [] out 0 attributes {features = "avx512"} {
  x64.kmovq placed (1 = 2)
  x64.ret placed ( = )
}

// -----

// expected-error@+1 {{[source-structure] expected features of a64: some of sha2, found "avx512"}}
a64.func @f in () slots [] out 0 attributes {features = "avx512"} {
  a64.ret placed ( = )
}

// -----

// accepted:
a64.func @f in () slots [] out 0 attributes {features = "sha2"} {
  a64.ret placed ( = )
}

// -----

// expected-error@+1 {{[source-structure] expected an alignment that is a power of two, at most 1048576, in 'x64.data', found 3}}
x64.data @d align 3 "00"

// -----

// accepted:
x64.data @d align 4 "00"
