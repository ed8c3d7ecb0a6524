// SHA-256 of messages that lie in pieces (FIPS 180-4, sections 5 and 6.2), with the block function
// that the processor does best.

"memref.global"() <{sym_name = "alpha_fast", type = memref<1xi64>, sym_visibility = "private",
  initial_value = dense<0> : tensor<1xi64>}> : () -> ()

func.func private @sha256_blocks(memref<8xi32>, memref<?x16xi32>, i64) -> ()
func.func private @alpha_sha256_blocks_fast(memref<8xi32>, memref<?x16xi32>, i64) -> ()

// Contract: with 1, digests are computed by the processor's instructions for SHA-256 from now on;
// with 0, as at the start, without. Who gives 1 has seen that the processor has them. Digests are
// the same.
func.func @alpha_use_fast(%yes : i64) {
  %c0 = arith.constant 0 : index
  %fast = memref.get_global @alpha_fast : memref<1xi64>
  memref.store %yes, %fast[%c0] : memref<1xi64>
  func.return
}

// Contract: the 32 bytes at `out` become the digest of the pieces, one behind another. At `pieces`
// are `count` pairs of words of 64 bits, an address and a number of bytes, as in `struct iovec` of
// Linux (linux/uio.h). An address of no bytes isn't used, and none has to be aligned. `out` may lie
// in a piece or on the pairs; nothing else is written. There are fewer than 2^61 bytes in all. How
// long it takes depends on `count` and on the numbers of bytes alone.
func.func @alpha_digest(%pieces : !ptr_xdsl.ptr, %count : i64, %out : !ptr_xdsl.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %eight = arith.constant 8 : i64
  %four = arith.constant 4 : i64
  %six = arith.constant 6 : i64
  %block = arith.constant 64 : i64
  %within = arith.constant 63 : i64
  %s8 = arith.constant 8 : i32
  %s24 = arith.constant 24 : i32
  %second = arith.constant 0xff00 : i32
  %a = arith.constant 0x6a09e667 : i32
  %b = arith.constant 0xbb67ae85 : i32
  %c = arith.constant 0x3c6ef372 : i32
  %d = arith.constant 0xa54ff53a : i32
  %e = arith.constant 0x510e527f : i32
  %f = arith.constant 0x9b05688c : i32
  %g = arith.constant 0x1f83d9ab : i32
  %h = arith.constant 0x5be0cd19 : i32
  %state = memref.alloca() : memref<8xi32>
  memref.store %a, %state[%c0] : memref<8xi32>
  memref.store %b, %state[%c1] : memref<8xi32>
  memref.store %c, %state[%c2] : memref<8xi32>
  memref.store %d, %state[%c3] : memref<8xi32>
  memref.store %e, %state[%c4] : memref<8xi32>
  memref.store %f, %state[%c5] : memref<8xi32>
  memref.store %g, %state[%c6] : memref<8xi32>
  memref.store %h, %state[%c7] : memref<8xi32>
  // What crosses a border of pieces is gathered here, and at last the padding.
  %buffer = memref.alloca() : memref<128xi8>
  %start = ptr_xdsl.to_ptr %buffer : memref<128xi8> -> !ptr_xdsl.ptr
  %n = arith.index_cast %count : i64 to index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%held = %none, %total = %none) -> (i64, i64) {
    %number = arith.index_cast %i : index to i64
    %offset = arith.shli %number, %four : i64
    %piece = ptr_xdsl.ptradd %pieces, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %at = ptr_xdsl.load %piece : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
    %size = ptr_xdsl.ptradd %piece, %eight : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %bytes = ptr_xdsl.load %size : !ptr_xdsl.ptr -> i64
    %sum = arith.addi %total, %bytes : i64
    // A block that has begun is filled as far as the piece goes.
    %missing = arith.subi %block, %held : i64
    %least = arith.minui %missing, %bytes : i64
    %nothing = arith.cmpi eq, %held, %none : i64
    %first = arith.select %nothing, %none, %least : i64
    %to = ptr_xdsl.ptradd %start, %held : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    func.call @copy(%at, %to, %first) : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64) -> ()
    %filled = arith.addi %held, %first : i64
    %full = arith.cmpi eq, %filled, %block : i64
    scf.if %full {
      func.call @blocks(%state, %start, %one) : (memref<8xi32>, !ptr_xdsl.ptr, i64) -> ()
    }
    %kept = arith.select %full, %none, %filled : i64
    // Unless the piece has ended, nothing is held any more, and whole blocks are read in place.
    %behind = ptr_xdsl.ptradd %at, %first : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %rest = arith.subi %bytes, %first : i64
    %whole = arith.shrui %rest, %six : i64
    %any = arith.cmpi ne, %whole, %none : i64
    scf.if %any {
      func.call @blocks(%state, %behind, %whole) : (memref<8xi32>, !ptr_xdsl.ptr, i64) -> ()
    }
    %done = arith.shli %whole, %six : i64
    %last = ptr_xdsl.ptradd %behind, %done : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %left = arith.andi %rest, %within : i64
    %next = ptr_xdsl.ptradd %start, %kept : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    func.call @copy(%last, %next, %left) : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64) -> ()
    %holds = arith.addi %kept, %left : i64
    scf.yield %holds, %sum : i64, i64
  }
  %padded = func.call @pad(%start, %r#0, %r#1) : (!ptr_xdsl.ptr, i64, i64) -> i64
  func.call @blocks(%state, %start, %padded) : (memref<8xi32>, !ptr_xdsl.ptr, i64) -> ()
  // The words of a digest are big-endian.
  %digest = ptr_xdsl.from_ptr %out : !ptr_xdsl.ptr -> memref<8xi32>
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %state[%i] : memref<8xi32>
    %x0 = arith.shli %x, %s24 : i32
    %x1a = arith.andi %x, %second : i32
    %x1 = arith.shli %x1a, %s8 : i32
    %x2a = arith.shrui %x, %s8 : i32
    %x2 = arith.andi %x2a, %second : i32
    %x3 = arith.shrui %x, %s24 : i32
    %x01 = arith.ori %x0, %x1 : i32
    %x23 = arith.ori %x2, %x3 : i32
    %word = arith.ori %x01, %x23 : i32
    memref.store %word, %digest[%i] : memref<8xi32>
  } {unroll}
  func.return
}

// Contract: that of `sha256_blocks` in sha256.mlir.
func.func private @blocks(%state : memref<8xi32>, %at : !ptr_xdsl.ptr, %blocks : i64) {
  %data = ptr_xdsl.from_ptr %at : !ptr_xdsl.ptr -> memref<?x16xi32>
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %held = memref.get_global @alpha_fast : memref<1xi64>
  %yes = memref.load %held[%c0] : memref<1xi64>
  %fast = arith.cmpi ne, %yes, %none : i64
  scf.if %fast {
    func.call @alpha_sha256_blocks_fast(%state, %data, %blocks)
        : (memref<8xi32>, memref<?x16xi32>, i64) -> ()
  } else {
    func.call @sha256_blocks(%state, %data, %blocks)
        : (memref<8xi32>, memref<?x16xi32>, i64) -> ()
  }
  func.return
}

// Contract: `bytes` bytes, 0 or more, are copied; the two places have none in common.
func.func private @copy(%from : !ptr_xdsl.ptr, %to : !ptr_xdsl.ptr, %bytes : i64) {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %eight = arith.constant 8 : i64
  %eighths = arith.constant 0xfffffffffffffff8 : i64
  %long = arith.andi %bytes, %eighths : i64
  scf.for %i = %none to %long step %eight : i64 {
    %source = ptr_xdsl.ptradd %from, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %target = ptr_xdsl.ptradd %to, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %word = ptr_xdsl.load %source : !ptr_xdsl.ptr -> i64
    ptr_xdsl.store %word, %target : i64, !ptr_xdsl.ptr
  }
  scf.for %i = %long to %bytes step %one : i64 {
    %source = ptr_xdsl.ptradd %from, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %target = ptr_xdsl.ptradd %to, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %byte = ptr_xdsl.load %source : !ptr_xdsl.ptr -> i8
    ptr_xdsl.store %byte, %target : i8, !ptr_xdsl.ptr
  }
  func.return
}

// Contract: the `held` bytes at `start`, fewer than 64, become the last blocks of a message of
// `total` bytes: behind them come a bit that is 1, zeros, and the number of bits, 64 bits of it,
// big-endian. Gives the number of blocks, 1 or 2. What was behind the bytes doesn't matter.
func.func private @pad(%start : !ptr_xdsl.ptr, %held : i64, %total : i64) -> i64 {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %six = arith.constant 6 : i64
  %eight = arith.constant 8 : i64
  %room = arith.constant 55 : i64
  %bit = arith.constant 0x80 : i8
  %zero = arith.constant 0 : i8
  %first = ptr_xdsl.ptradd %start, %held : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  ptr_xdsl.store %bit, %first : i8, !ptr_xdsl.ptr
  %crowded = arith.cmpi ugt, %held, %room : i64
  %more = arith.extui %crowded : i1 to i64
  %blocks = arith.addi %more, %one : i64
  %end = arith.shli %blocks, %six : i64
  %length = arith.subi %end, %eight : i64
  %behind = arith.addi %held, %one : i64
  // Bytes up to a multiple of eight, then words.
  %above = arith.constant 7 : i64
  %eighths = arith.constant 0xfffffffffffffff8 : i64
  %over = arith.addi %behind, %above : i64
  %even = arith.andi %over, %eighths : i64
  scf.for %i = %behind to %even step %one : i64 {
    %at = ptr_xdsl.ptradd %start, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    ptr_xdsl.store %zero, %at : i8, !ptr_xdsl.ptr
  }
  scf.for %i = %even to %length step %eight : i64 {
    %at = ptr_xdsl.ptradd %start, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    ptr_xdsl.store %none, %at : i64, !ptr_xdsl.ptr
  }
  %bits = arith.shli %total, %three : i64
  // Neighbours change places: bytes, pairs of them, fours of them.
  %s16 = arith.constant 16 : i64
  %s32 = arith.constant 32 : i64
  %ones = arith.constant 0x00ff00ff00ff00ff : i64
  %pairs = arith.constant 0x0000ffff0000ffff : i64
  %b1a = arith.shrui %bits, %eight : i64
  %b1 = arith.andi %b1a, %ones : i64
  %b2a = arith.andi %bits, %ones : i64
  %b2 = arith.shli %b2a, %eight : i64
  %bytes = arith.ori %b1, %b2 : i64
  %p1a = arith.shrui %bytes, %s16 : i64
  %p1 = arith.andi %p1a, %pairs : i64
  %p2a = arith.andi %bytes, %pairs : i64
  %p2 = arith.shli %p2a, %s16 : i64
  %twos = arith.ori %p1, %p2 : i64
  %f1 = arith.shrui %twos, %s32 : i64
  %f2 = arith.shli %twos, %s32 : i64
  %word = arith.ori %f1, %f2 : i64
  %place = ptr_xdsl.ptradd %start, %length : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  ptr_xdsl.store %word, %place : i64, !ptr_xdsl.ptr
  func.return %blocks : i64
}
