// Kernels of what a role on a device does beside its programs, for words of f64; those for f32 are
// the same with that type. Each thread takes every so many-th word; no two threads write one word.

// own[i] = whole[places[i]] for all i below count.
func.func @alpha_select_f64(%whole: memref<?xf64>, %own: memref<?xf64>, %places: memref<?xi64>, %count: i64) attributes {kernel = {program = "alpha_select_f64", step = 0 : i64, arguments = ["input 0 %whole : n0xf64", "result 0 %own : n1xf64", "input 1 %places : n1xi64", "extent 1"], points = [-1 : i64], threads = 256 : i64, lanes = 1 : i64, extent = 1 : i64}} {
  %thread = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %threads = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
  %block = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
  %blocks = "gpu.grid_dim"() <{dimension = #gpu<dim x>}> : () -> index
  %before = arith.muli %block, %threads : index
  %first = arith.addi %before, %thread : index
  %step = arith.muli %blocks, %threads : index
  %end = arith.index_cast %count : i64 to index
  scf.for %i = %first to %end step %step {
    %place = memref.load %places[%i] : memref<?xi64>
    %at = arith.index_cast %place : i64 to index
    %word = memref.load %whole[%at] : memref<?xf64>
    memref.store %word, %own[%i] : memref<?xf64>
  }
  func.return
}

// whole[places[i]] = own[i] for all i below count; the places differ.
func.func @alpha_place_f64(%own: memref<?xf64>, %whole: memref<?xf64>, %places: memref<?xi64>, %count: i64) attributes {kernel = {program = "alpha_place_f64", step = 0 : i64, arguments = ["input 0 %own : n1xf64", "result 0 %whole : n0xf64", "input 1 %places : n1xi64", "extent 1"], points = [-1 : i64], threads = 256 : i64, lanes = 1 : i64, extent = 1 : i64}} {
  %thread = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %threads = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
  %block = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
  %blocks = "gpu.grid_dim"() <{dimension = #gpu<dim x>}> : () -> index
  %before = arith.muli %block, %threads : index
  %first = arith.addi %before, %thread : index
  %step = arith.muli %blocks, %threads : index
  %end = arith.index_cast %count : i64 to index
  scf.for %i = %first to %end step %step {
    %place = memref.load %places[%i] : memref<?xi64>
    %at = arith.index_cast %place : i64 to index
    %word = memref.load %own[%i] : memref<?xf64>
    memref.store %word, %whole[%at] : memref<?xf64>
  }
  func.return
}

// flags[t] of thread t: 0 if one of its words isn't finite, else -1.
func.func @alpha_finite_f64(%words: memref<?xf64>, %flags: memref<?xi64>, %count: i64) attributes {kernel = {program = "alpha_finite_f64", step = 0 : i64, arguments = ["input 0 %words : n0xf64", "result 0 %flags : n1xi64", "extent 0"], points = [-1 : i64], threads = 256 : i64, lanes = 1 : i64, extent = 0 : i64}} {
  %thread = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %threads = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
  %block = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
  %blocks = "gpu.grid_dim"() <{dimension = #gpu<dim x>}> : () -> index
  %before = arith.muli %block, %threads : index
  %first = arith.addi %before, %thread : index
  %step = arith.muli %blocks, %threads : index
  %end = arith.index_cast %count : i64 to index
  %none = arith.constant -1 : i64
  %zero = arith.constant 0 : i64
  %found = scf.for %i = %first to %end step %step iter_args(%known = %none) -> (i64) {
    %word = memref.load %words[%i] : memref<?xf64>
    %nothing = arith.subf %word, %word : f64
    %finite = arith.cmpf oeq, %nothing, %nothing : f64
    %next = arith.select %finite, %known, %zero : i64
    scf.yield %next : i64
  }
  memref.store %found, %flags[%first] : memref<?xi64>
  func.return
}

// both[t] of thread t: 0 if one of its flags is, else -1.
func.func @alpha_both(%flags: memref<?xi64>, %both: memref<?xi64>, %count: i64) attributes {kernel = {program = "alpha_both", step = 0 : i64, arguments = ["input 0 %flags : n0xi64", "result 0 %both : n1xi64", "extent 0"], points = [-1 : i64], threads = 256 : i64, lanes = 1 : i64, extent = 0 : i64}} {
  %thread = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %step = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
  %none = arith.constant -1 : i64
  %end = arith.index_cast %count : i64 to index
  %found = scf.for %i = %thread to %end step %step iter_args(%known = %none) -> (i64) {
    %flag = memref.load %flags[%i] : memref<?xi64>
    %next = arith.andi %flag, %known : i64
    scf.yield %next : i64
  }
  memref.store %found, %both[%thread] : memref<?xi64>
  func.return
}
