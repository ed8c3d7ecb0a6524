// Loops over words in memory: what a role does with words between its programs and its frames.
//
// Words are f64 or f32, one behind another; their number `n` is 0 or more, and a place needn't be
// aligned. Results are those of one operation of IEEE 754 a word, rounded to nearest, ties to even,
// whatever vectors a processor does them in; which NaN a result is depends on the processor. Only
// what a contract names is written. Nothing here fails.

// Contract: the `bytes` bytes, 0 or more, at `from` stand at `to` as well. The two places have none
// in common.
func.func @alpha_copy(%from : !ptr_xdsl.ptr, %to : !ptr_xdsl.ptr, %bytes : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i64
  %long = arith.shrui %bytes, %three : i64
  %words = arith.index_cast %long : i64 to index
  %read = ptr_xdsl.from_ptr %from : !ptr_xdsl.ptr -> memref<?xi64>
  %written = ptr_xdsl.from_ptr %to : !ptr_xdsl.ptr -> memref<?xi64>
  scf.for %i = %c0 to %words step %c1 {
    %word = memref.load %read[%i] : memref<?xi64>
    memref.store %word, %written[%i] : memref<?xi64>
  } {parallel}
  %done = arith.shli %long, %three : i64
  %first = arith.index_cast %done : i64 to index
  %last = arith.index_cast %bytes : i64 to index
  %ends = ptr_xdsl.from_ptr %from : !ptr_xdsl.ptr -> memref<?xi8>
  %end = ptr_xdsl.from_ptr %to : !ptr_xdsl.ptr -> memref<?xi8>
  scf.for %i = %first to %last step %c1 {
    %byte = memref.load %ends[%i] : memref<?xi8>
    memref.store %byte, %end[%i] : memref<?xi8>
  }
  func.return
}

// Contract: word i of `n` at `out` is the sum of word i at `a` and word i at `b`. `out` is `a`, or
// `b`, or has nothing in common with them.
func.func @alpha_add_f64(%a : !ptr_xdsl.ptr, %b : !ptr_xdsl.ptr, %out : !ptr_xdsl.ptr, %n : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.index_cast %n : i64 to index
  %left = ptr_xdsl.from_ptr %a : !ptr_xdsl.ptr -> memref<?xf64>
  %right = ptr_xdsl.from_ptr %b : !ptr_xdsl.ptr -> memref<?xf64>
  %sums = ptr_xdsl.from_ptr %out : !ptr_xdsl.ptr -> memref<?xf64>
  scf.for %i = %c0 to %count step %c1 {
    %x = memref.load %left[%i] : memref<?xf64>
    %y = memref.load %right[%i] : memref<?xf64>
    %sum = arith.addf %x, %y : f64
    memref.store %sum, %sums[%i] : memref<?xf64>
  } {parallel}
  func.return
}

// Contract: word i of `n` at `out` is the quotient of word i at `a` and `by`. `out` is `a` or has
// nothing in common with it.
func.func @alpha_divide_f64(%a : !ptr_xdsl.ptr, %by : f64, %out : !ptr_xdsl.ptr, %n : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.index_cast %n : i64 to index
  %words = ptr_xdsl.from_ptr %a : !ptr_xdsl.ptr -> memref<?xf64>
  %quotients = ptr_xdsl.from_ptr %out : !ptr_xdsl.ptr -> memref<?xf64>
  scf.for %i = %c0 to %count step %c1 {
    %x = memref.load %words[%i] : memref<?xf64>
    %quotient = arith.divf %x, %by : f64
    memref.store %quotient, %quotients[%i] : memref<?xf64>
  } {parallel}
  func.return
}

// Contract: each of the `n` words at `to` is `value`, bit for bit.
func.func @alpha_fill_f64(%to : !ptr_xdsl.ptr, %n : i64, %value : f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.index_cast %n : i64 to index
  %words = ptr_xdsl.from_ptr %to : !ptr_xdsl.ptr -> memref<?xf64>
  scf.for %i = %c0 to %count step %c1 {
    memref.store %value, %words[%i] : memref<?xf64>
  } {parallel}
  func.return
}

// Contract: word i of `count` at `to` is word i * `step` at `from`, bit for bit. `step` is 0 or
// more, and the places have nothing in common.
func.func @alpha_take_f64(%from : !ptr_xdsl.ptr, %step : i64, %count : i64, %to : !ptr_xdsl.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %each = arith.index_cast %step : i64 to index
  %last = arith.index_cast %count : i64 to index
  %read = ptr_xdsl.from_ptr %from : !ptr_xdsl.ptr -> memref<?xi64>
  %written = ptr_xdsl.from_ptr %to : !ptr_xdsl.ptr -> memref<?xi64>
  scf.for %i = %c0 to %last step %c1 {
    %at = arith.muli %i, %each : index
    %word = memref.load %read[%at] : memref<?xi64>
    memref.store %word, %written[%i] : memref<?xi64>
  }
  func.return
}

// Contract: word i * `step` at `to` is word i of `count` at `from`, bit for bit; what lies between
// stays as it is. `step` is 1 or more, and the places have nothing in common.
func.func @alpha_put_f64(%from : !ptr_xdsl.ptr, %to : !ptr_xdsl.ptr, %step : i64, %count : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %each = arith.index_cast %step : i64 to index
  %last = arith.index_cast %count : i64 to index
  %read = ptr_xdsl.from_ptr %from : !ptr_xdsl.ptr -> memref<?xi64>
  %written = ptr_xdsl.from_ptr %to : !ptr_xdsl.ptr -> memref<?xi64>
  scf.for %i = %c0 to %last step %c1 {
    %at = arith.muli %i, %each : index
    %word = memref.load %read[%i] : memref<?xi64>
    memref.store %word, %written[%at] : memref<?xi64>
  }
  func.return
}

// Contract: the index of the first of `n` words at `at` that is infinite or NaN, -1 for none.
func.func @alpha_find_nonfinite_f64(%at : !ptr_xdsl.ptr, %n : i64) -> i64 {
  %none = arith.constant -1 : i64
  %zero = arith.constant 0.0 : f64
  %sum = func.call @zero_or_nan_f64(%at, %n) : (!ptr_xdsl.ptr, i64) -> f64
  %finite = arith.cmpf oeq, %sum, %zero : f64
  // One of them isn't: which one is looked for only now.
  %found = scf.if %finite -> (i64) {
    scf.yield %none : i64
  } else {
    %index = func.call @first_nonfinite_f64(%at, %n) : (!ptr_xdsl.ptr, i64) -> i64
    scf.yield %index : i64
  }
  func.return %found : i64
}

// Contract: 0 if the `n` words at `at` are finite, else NaN: a finite word less itself is 0, any
// other is NaN, and so is each sum with one in it.
func.func private @zero_or_nan_f64(%at : !ptr_xdsl.ptr, %n : i64) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lanes = arith.constant 16 : index
  %whole = arith.constant -16 : index
  %zero = arith.constant 0.0 : f64
  %zeros = arith.constant dense<0.0> : vector<16xf64>
  %words = ptr_xdsl.from_ptr %at : !ptr_xdsl.ptr -> memref<?xf64>
  %count = arith.index_cast %n : i64 to index
  %first = arith.andi %count, %whole : index
  %vectors = scf.for %i = %c0 to %first step %lanes iter_args(%all = %zeros) -> (vector<16xf64>) {
    %x = vector.load %words[%i] : memref<?xf64>, vector<16xf64>
    %either = arith.subf %x, %x : vector<16xf64>
    %next = arith.addf %all, %either : vector<16xf64>
    scf.yield %next : vector<16xf64>
  }
  %held = memref.alloca() : memref<16xf64>
  vector.store %vectors, %held[%c0] : memref<16xf64>, vector<16xf64>
  %sum = scf.for %i = %c0 to %lanes step %c1 iter_args(%all = %zero) -> (f64) {
    %lane = memref.load %held[%i] : memref<16xf64>
    %next = arith.addf %all, %lane : f64
    scf.yield %next : f64
  }
  %result = scf.for %i = %first to %count step %c1 iter_args(%all = %sum) -> (f64) {
    %x = memref.load %words[%i] : memref<?xf64>
    %either = arith.subf %x, %x : f64
    %next = arith.addf %all, %either : f64
    scf.yield %next : f64
  }
  func.return %result : f64
}

// Contract: that of `alpha_find_nonfinite_f64`, by one word after the other.
func.func private @first_nonfinite_f64(%at : !ptr_xdsl.ptr, %n : i64) -> i64 {
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %words = ptr_xdsl.from_ptr %at : !ptr_xdsl.ptr -> memref<?xf64>
  cf.br ^next(%zero : i64)
^next(%i : i64):
  %some = arith.cmpi slt, %i, %n : i64
  cf.cond_br %some, ^look, ^end(%none : i64)
^look:
  %place = arith.index_cast %i : i64 to index
  %x = memref.load %words[%place] : memref<?xf64>
  %none_or_nan = arith.subf %x, %x : f64
  %nonfinite = arith.cmpf uno, %none_or_nan, %none_or_nan : f64
  %behind = arith.addi %i, %one : i64
  cf.cond_br %nonfinite, ^end(%i : i64), ^next(%behind : i64)
^end(%index : i64):
  func.return %index : i64
}

// Contract: word i of `n` at `out` is the sum of word i at `a` and word i at `b`. `out` is `a`, or
// `b`, or has nothing in common with them.
func.func @alpha_add_f32(%a : !ptr_xdsl.ptr, %b : !ptr_xdsl.ptr, %out : !ptr_xdsl.ptr, %n : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.index_cast %n : i64 to index
  %left = ptr_xdsl.from_ptr %a : !ptr_xdsl.ptr -> memref<?xf32>
  %right = ptr_xdsl.from_ptr %b : !ptr_xdsl.ptr -> memref<?xf32>
  %sums = ptr_xdsl.from_ptr %out : !ptr_xdsl.ptr -> memref<?xf32>
  scf.for %i = %c0 to %count step %c1 {
    %x = memref.load %left[%i] : memref<?xf32>
    %y = memref.load %right[%i] : memref<?xf32>
    %sum = arith.addf %x, %y : f32
    memref.store %sum, %sums[%i] : memref<?xf32>
  } {parallel}
  func.return
}

// Contract: word i of `n` at `out` is the quotient of word i at `a` and `by`. `out` is `a` or has
// nothing in common with it.
func.func @alpha_divide_f32(%a : !ptr_xdsl.ptr, %by : f32, %out : !ptr_xdsl.ptr, %n : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.index_cast %n : i64 to index
  %words = ptr_xdsl.from_ptr %a : !ptr_xdsl.ptr -> memref<?xf32>
  %quotients = ptr_xdsl.from_ptr %out : !ptr_xdsl.ptr -> memref<?xf32>
  scf.for %i = %c0 to %count step %c1 {
    %x = memref.load %words[%i] : memref<?xf32>
    %quotient = arith.divf %x, %by : f32
    memref.store %quotient, %quotients[%i] : memref<?xf32>
  } {parallel}
  func.return
}

// Contract: each of the `n` words at `to` is `value`, bit for bit.
func.func @alpha_fill_f32(%to : !ptr_xdsl.ptr, %n : i64, %value : f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %count = arith.index_cast %n : i64 to index
  %words = ptr_xdsl.from_ptr %to : !ptr_xdsl.ptr -> memref<?xf32>
  scf.for %i = %c0 to %count step %c1 {
    memref.store %value, %words[%i] : memref<?xf32>
  } {parallel}
  func.return
}

// Contract: word i of `count` at `to` is word i * `step` at `from`, bit for bit. `step` is 0 or
// more, and the places have nothing in common.
func.func @alpha_take_f32(%from : !ptr_xdsl.ptr, %step : i64, %count : i64, %to : !ptr_xdsl.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %each = arith.index_cast %step : i64 to index
  %last = arith.index_cast %count : i64 to index
  %read = ptr_xdsl.from_ptr %from : !ptr_xdsl.ptr -> memref<?xi32>
  %written = ptr_xdsl.from_ptr %to : !ptr_xdsl.ptr -> memref<?xi32>
  scf.for %i = %c0 to %last step %c1 {
    %at = arith.muli %i, %each : index
    %word = memref.load %read[%at] : memref<?xi32>
    memref.store %word, %written[%i] : memref<?xi32>
  }
  func.return
}

// Contract: word i * `step` at `to` is word i of `count` at `from`, bit for bit; what lies between
// stays as it is. `step` is 1 or more, and the places have nothing in common.
func.func @alpha_put_f32(%from : !ptr_xdsl.ptr, %to : !ptr_xdsl.ptr, %step : i64, %count : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %each = arith.index_cast %step : i64 to index
  %last = arith.index_cast %count : i64 to index
  %read = ptr_xdsl.from_ptr %from : !ptr_xdsl.ptr -> memref<?xi32>
  %written = ptr_xdsl.from_ptr %to : !ptr_xdsl.ptr -> memref<?xi32>
  scf.for %i = %c0 to %last step %c1 {
    %at = arith.muli %i, %each : index
    %word = memref.load %read[%i] : memref<?xi32>
    memref.store %word, %written[%at] : memref<?xi32>
  }
  func.return
}

// Contract: the index of the first of `n` words at `at` that is infinite or NaN, -1 for none.
func.func @alpha_find_nonfinite_f32(%at : !ptr_xdsl.ptr, %n : i64) -> i64 {
  %none = arith.constant -1 : i64
  %zero = arith.constant 0.0 : f32
  %sum = func.call @zero_or_nan_f32(%at, %n) : (!ptr_xdsl.ptr, i64) -> f32
  %finite = arith.cmpf oeq, %sum, %zero : f32
  // One of them isn't: which one is looked for only now.
  %found = scf.if %finite -> (i64) {
    scf.yield %none : i64
  } else {
    %index = func.call @first_nonfinite_f32(%at, %n) : (!ptr_xdsl.ptr, i64) -> i64
    scf.yield %index : i64
  }
  func.return %found : i64
}

// Contract: 0 if the `n` words at `at` are finite, else NaN: a finite word less itself is 0, any
// other is NaN, and so is each sum with one in it.
func.func private @zero_or_nan_f32(%at : !ptr_xdsl.ptr, %n : i64) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lanes = arith.constant 32 : index
  %whole = arith.constant -32 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : vector<32xf32>
  %words = ptr_xdsl.from_ptr %at : !ptr_xdsl.ptr -> memref<?xf32>
  %count = arith.index_cast %n : i64 to index
  %first = arith.andi %count, %whole : index
  %vectors = scf.for %i = %c0 to %first step %lanes iter_args(%all = %zeros) -> (vector<32xf32>) {
    %x = vector.load %words[%i] : memref<?xf32>, vector<32xf32>
    %either = arith.subf %x, %x : vector<32xf32>
    %next = arith.addf %all, %either : vector<32xf32>
    scf.yield %next : vector<32xf32>
  }
  %held = memref.alloca() : memref<32xf32>
  vector.store %vectors, %held[%c0] : memref<32xf32>, vector<32xf32>
  %sum = scf.for %i = %c0 to %lanes step %c1 iter_args(%all = %zero) -> (f32) {
    %lane = memref.load %held[%i] : memref<32xf32>
    %next = arith.addf %all, %lane : f32
    scf.yield %next : f32
  }
  %result = scf.for %i = %first to %count step %c1 iter_args(%all = %sum) -> (f32) {
    %x = memref.load %words[%i] : memref<?xf32>
    %either = arith.subf %x, %x : f32
    %next = arith.addf %all, %either : f32
    scf.yield %next : f32
  }
  func.return %result : f32
}

// Contract: that of `alpha_find_nonfinite_f32`, by one word after the other.
func.func private @first_nonfinite_f32(%at : !ptr_xdsl.ptr, %n : i64) -> i64 {
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %words = ptr_xdsl.from_ptr %at : !ptr_xdsl.ptr -> memref<?xf32>
  cf.br ^next(%zero : i64)
^next(%i : i64):
  %some = arith.cmpi slt, %i, %n : i64
  cf.cond_br %some, ^look, ^end(%none : i64)
^look:
  %place = arith.index_cast %i : i64 to index
  %x = memref.load %words[%place] : memref<?xf32>
  %none_or_nan = arith.subf %x, %x : f32
  %nonfinite = arith.cmpf uno, %none_or_nan, %none_or_nan : f32
  %behind = arith.addi %i, %one : i64
  cf.cond_br %nonfinite, ^end(%i : i64), ^next(%behind : i64)
^end(%index : i64):
  func.return %index : i64
}
