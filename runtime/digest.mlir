// SHA-256 of messages that lie in pieces (FIPS 180-4, sections 5 and 6.2), with the block function
// that the processor does best.
//
// A message that is being read is a record of 26 words of 64 bits: in words 0 to 3 the hash so far, from
// word 4 on the 128 bytes of a block that crosses a border of pieces, and at last of the padding, of
// which 20 says how many are held; 21 how many bytes have been seen; 22 where the next piece is said,
// and 23 how many are to come; 24 where the rest of this piece is, and 25 how many bytes it has.

"memref.global"() <{sym_name = "alpha_fast", type = memref<1xi64>, sym_visibility = "private",
  initial_value = dense<0> : tensor<1xi64>}> : () -> ()

func.func private @sha256_blocks(memref<8xi32>, memref<?x16xi32>, i64) -> ()
func.func private @alpha_sha256_blocks_fast(memref<8xi32>, memref<?x16xi32>, i64) -> ()
func.func private @alpha_sha256_blocks_pair(memref<8xi32>, memref<?x16xi32>, memref<8xi32>,
                                            memref<?x16xi32>, i64) -> ()

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
  %none = arith.constant 0 : i64
  %message = memref.alloca() : memref<26xi64>
  func.call @begin(%message, %pieces, %count) : (memref<26xi64>, !ptr_xdsl.ptr, i64) -> ()
  cf.br ^next
^next:
  %blocks = func.call @ready(%message) : (memref<26xi64>) -> i64
  %any = arith.cmpi ne, %blocks, %none : i64
  cf.cond_br %any, ^read, ^end
^read:
  func.call @read(%message, %blocks) : (memref<26xi64>, i64) -> ()
  cf.br ^next
^end:
  func.call @finish(%message, %out) : (memref<26xi64>, !ptr_xdsl.ptr) -> ()
  func.return
}

// Contract: the same of two messages at once, which is hardly slower than of one where the processor
// has the instructions. They may have pieces in common; both are read before anything is written.
func.func @alpha_digest_pair(%pieces_a : !ptr_xdsl.ptr, %count_a : i64, %out_a : !ptr_xdsl.ptr,
    %pieces_b : !ptr_xdsl.ptr, %count_b : i64, %out_b : !ptr_xdsl.ptr) {
  %none = arith.constant 0 : i64
  %a = memref.alloca() : memref<26xi64>
  %b = memref.alloca() : memref<26xi64>
  func.call @begin(%a, %pieces_a, %count_a) : (memref<26xi64>, !ptr_xdsl.ptr, i64) -> ()
  func.call @begin(%b, %pieces_b, %count_b) : (memref<26xi64>, !ptr_xdsl.ptr, i64) -> ()
  cf.br ^next
^next:
  %blocks_a = func.call @ready(%a) : (memref<26xi64>) -> i64
  %blocks_b = func.call @ready(%b) : (memref<26xi64>) -> i64
  %either = arith.ori %blocks_a, %blocks_b : i64
  %any = arith.cmpi ne, %either, %none : i64
  cf.cond_br %any, ^some, ^end
^some:
  %both = arith.minui %blocks_a, %blocks_b : i64
  %alone = arith.cmpi eq, %both, %none : i64
  cf.cond_br %alone, ^alone, ^both
^alone:
  func.call @read(%a, %blocks_a) : (memref<26xi64>, i64) -> ()
  func.call @read(%b, %blocks_b) : (memref<26xi64>, i64) -> ()
  cf.br ^next
^both:
  func.call @read_pair(%a, %b, %both) : (memref<26xi64>, memref<26xi64>, i64) -> ()
  cf.br ^next
^end:
  func.call @finish(%a, %out_a) : (memref<26xi64>, !ptr_xdsl.ptr) -> ()
  func.call @finish(%b, %out_b) : (memref<26xi64>, !ptr_xdsl.ptr) -> ()
  func.return
}

// Contract: nothing is read of the message in these pieces.
func.func private @begin(%message : memref<26xi64>, %pieces : !ptr_xdsl.ptr, %count : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c20 = arith.constant 20 : index
  %c21 = arith.constant 21 : index
  %c23 = arith.constant 23 : index
  %c25 = arith.constant 25 : index
  %none = arith.constant 0 : i64
  %next = arith.constant 176 : i64
  // FIPS 180-4, 5.3.3: the second of two words stands above the first.
  %ab = arith.constant 0xbb67ae856a09e667 : i64
  %cd = arith.constant 0xa54ff53a3c6ef372 : i64
  %ef = arith.constant 0x9b05688c510e527f : i64
  %gh = arith.constant 0x5be0cd191f83d9ab : i64
  memref.store %ab, %message[%c0] : memref<26xi64>
  memref.store %cd, %message[%c1] : memref<26xi64>
  memref.store %ef, %message[%c2] : memref<26xi64>
  memref.store %gh, %message[%c3] : memref<26xi64>
  memref.store %none, %message[%c20] : memref<26xi64>
  memref.store %none, %message[%c21] : memref<26xi64>
  memref.store %count, %message[%c23] : memref<26xi64>
  memref.store %none, %message[%c25] : memref<26xi64>
  %at = ptr_xdsl.to_ptr %message : memref<26xi64> -> !ptr_xdsl.ptr
  %place = ptr_xdsl.ptradd %at, %next : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  ptr_xdsl.store %pieces, %place : !ptr_xdsl.ptr, !ptr_xdsl.ptr
  func.return
}

// Contract: how many whole blocks lie where the message goes on; 0 if none is to come. What crosses a
// border of pieces is read up to there, or held.
func.func private @ready(%message : memref<26xi64>) -> i64 {
  %c20 = arith.constant 20 : index
  %c21 = arith.constant 21 : index
  %c23 = arith.constant 23 : index
  %c25 = arith.constant 25 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %six = arith.constant 6 : i64
  %eight = arith.constant 8 : i64
  %pair = arith.constant 16 : i64
  %block = arith.constant 64 : i64
  %of_buffer = arith.constant 32 : i64
  %of_next = arith.constant 176 : i64
  %of_rest = arith.constant 192 : i64
  %start = ptr_xdsl.to_ptr %message : memref<26xi64> -> !ptr_xdsl.ptr
  %buffer = ptr_xdsl.ptradd %start, %of_buffer : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %next_at = ptr_xdsl.ptradd %start, %of_next : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %rest_at = ptr_xdsl.ptradd %start, %of_rest : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  cf.br ^again
^again:
  %left = memref.load %message[%c25] : memref<26xi64>
  %empty = arith.cmpi eq, %left, %none : i64
  cf.cond_br %empty, ^piece, ^within
^piece:
  %more = memref.load %message[%c23] : memref<26xi64>
  %last = arith.cmpi eq, %more, %none : i64
  cf.cond_br %last, ^end(%none : i64), ^open
^open:
  %fewer = arith.subi %more, %one : i64
  memref.store %fewer, %message[%c23] : memref<26xi64>
  %piece = ptr_xdsl.load %next_at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
  %behind = ptr_xdsl.ptradd %piece, %pair : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  ptr_xdsl.store %behind, %next_at : !ptr_xdsl.ptr, !ptr_xdsl.ptr
  %at = ptr_xdsl.load %piece : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
  ptr_xdsl.store %at, %rest_at : !ptr_xdsl.ptr, !ptr_xdsl.ptr
  %size = ptr_xdsl.ptradd %piece, %eight : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %bytes = ptr_xdsl.load %size : !ptr_xdsl.ptr -> i64
  memref.store %bytes, %message[%c25] : memref<26xi64>
  %seen = memref.load %message[%c21] : memref<26xi64>
  %sum = arith.addi %seen, %bytes : i64
  memref.store %sum, %message[%c21] : memref<26xi64>
  cf.br ^again
^within:
  %held = memref.load %message[%c20] : memref<26xi64>
  %begun = arith.cmpi ne, %held, %none : i64
  %short = arith.cmpi ult, %left, %block : i64
  %crosses = arith.ori %begun, %short : i1
  %whole = arith.shrui %left, %six : i64
  cf.cond_br %crosses, ^hold, ^end(%whole : i64)
^hold:
  %missing = arith.subi %block, %held : i64
  %some = arith.minui %missing, %left : i64
  %from = ptr_xdsl.load %rest_at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
  %to = ptr_xdsl.ptradd %buffer, %held : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  func.call @copy(%from, %to, %some) : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64) -> ()
  func.call @pass(%message, %some) : (memref<26xi64>, i64) -> ()
  %filled = arith.addi %held, %some : i64
  memref.store %filled, %message[%c20] : memref<26xi64>
  %full = arith.cmpi eq, %filled, %block : i64
  cf.cond_br %full, ^full, ^again
^full:
  memref.store %none, %message[%c20] : memref<26xi64>
  func.call @blocks(%message, %buffer, %one) : (memref<26xi64>, !ptr_xdsl.ptr, i64) -> ()
  cf.br ^again
^end(%blocks : i64):
  func.return %blocks : i64
}

// Contract: the message goes on `bytes` bytes further in its piece, which has as many.
func.func private @pass(%message : memref<26xi64>, %bytes : i64) {
  %c25 = arith.constant 25 : index
  %of_rest = arith.constant 192 : i64
  %start = ptr_xdsl.to_ptr %message : memref<26xi64> -> !ptr_xdsl.ptr
  %rest_at = ptr_xdsl.ptradd %start, %of_rest : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %from = ptr_xdsl.load %rest_at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
  %later = ptr_xdsl.ptradd %from, %bytes : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  ptr_xdsl.store %later, %rest_at : !ptr_xdsl.ptr, !ptr_xdsl.ptr
  %left = memref.load %message[%c25] : memref<26xi64>
  %fewer = arith.subi %left, %bytes : i64
  memref.store %fewer, %message[%c25] : memref<26xi64>
  func.return
}

// Contract: so many whole blocks, which lie where the message goes on, are read; 0 or more.
func.func private @read(%message : memref<26xi64>, %blocks : i64) {
  %none = arith.constant 0 : i64
  %six = arith.constant 6 : i64
  %of_rest = arith.constant 192 : i64
  %any = arith.cmpi ne, %blocks, %none : i64
  scf.if %any {
    %start = ptr_xdsl.to_ptr %message : memref<26xi64> -> !ptr_xdsl.ptr
    %rest_at = ptr_xdsl.ptradd %start, %of_rest : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %from = ptr_xdsl.load %rest_at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
    func.call @blocks(%message, %from, %blocks) : (memref<26xi64>, !ptr_xdsl.ptr, i64) -> ()
    %bytes = arith.shli %blocks, %six : i64
    func.call @pass(%message, %bytes) : (memref<26xi64>, i64) -> ()
  }
  func.return
}

// Contract: the same of two messages, so many blocks of each; 1 or more.
func.func private @read_pair(%a : memref<26xi64>, %b : memref<26xi64>, %blocks : i64) {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %six = arith.constant 6 : i64
  %of_rest = arith.constant 192 : i64
  %held = memref.get_global @alpha_fast : memref<1xi64>
  %yes = memref.load %held[%c0] : memref<1xi64>
  %fast = arith.cmpi ne, %yes, %none : i64
  scf.if %fast {
    %start_a = ptr_xdsl.to_ptr %a : memref<26xi64> -> !ptr_xdsl.ptr
    %start_b = ptr_xdsl.to_ptr %b : memref<26xi64> -> !ptr_xdsl.ptr
    %rest_a = ptr_xdsl.ptradd %start_a, %of_rest : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %rest_b = ptr_xdsl.ptradd %start_b, %of_rest : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %at_a = ptr_xdsl.load %rest_a : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
    %at_b = ptr_xdsl.load %rest_b : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
    %state_a = ptr_xdsl.from_ptr %start_a : !ptr_xdsl.ptr -> memref<8xi32>
    %state_b = ptr_xdsl.from_ptr %start_b : !ptr_xdsl.ptr -> memref<8xi32>
    %data_a = ptr_xdsl.from_ptr %at_a : !ptr_xdsl.ptr -> memref<?x16xi32>
    %data_b = ptr_xdsl.from_ptr %at_b : !ptr_xdsl.ptr -> memref<?x16xi32>
    func.call @alpha_sha256_blocks_pair(%state_a, %data_a, %state_b, %data_b, %blocks)
        : (memref<8xi32>, memref<?x16xi32>, memref<8xi32>, memref<?x16xi32>, i64) -> ()
    %bytes = arith.shli %blocks, %six : i64
    func.call @pass(%a, %bytes) : (memref<26xi64>, i64) -> ()
    func.call @pass(%b, %bytes) : (memref<26xi64>, i64) -> ()
  } else {
    func.call @read(%a, %blocks) : (memref<26xi64>, i64) -> ()
    func.call @read(%b, %blocks) : (memref<26xi64>, i64) -> ()
  }
  func.return
}

// Contract: the 32 bytes at `out` become the digest of a message that has been read.
func.func private @finish(%message : memref<26xi64>, %out : !ptr_xdsl.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c20 = arith.constant 20 : index
  %c21 = arith.constant 21 : index
  %s8 = arith.constant 8 : i32
  %s24 = arith.constant 24 : i32
  %second = arith.constant 0xff00 : i32
  %of_buffer = arith.constant 32 : i64
  %start = ptr_xdsl.to_ptr %message : memref<26xi64> -> !ptr_xdsl.ptr
  %buffer = ptr_xdsl.ptradd %start, %of_buffer : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %held = memref.load %message[%c20] : memref<26xi64>
  %total = memref.load %message[%c21] : memref<26xi64>
  %padded = func.call @pad(%buffer, %held, %total) : (!ptr_xdsl.ptr, i64, i64) -> i64
  func.call @blocks(%message, %buffer, %padded) : (memref<26xi64>, !ptr_xdsl.ptr, i64) -> ()
  // The words of a digest are big-endian.
  %state = ptr_xdsl.from_ptr %start : !ptr_xdsl.ptr -> memref<8xi32>
  %digest = ptr_xdsl.from_ptr %out : !ptr_xdsl.ptr -> memref<8xi32>
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

// Contract: that of `sha256_blocks` in sha256.mlir, of the hash of a message.
func.func private @blocks(%message : memref<26xi64>, %at : !ptr_xdsl.ptr, %blocks : i64) {
  %start = ptr_xdsl.to_ptr %message : memref<26xi64> -> !ptr_xdsl.ptr
  %state = ptr_xdsl.from_ptr %start : !ptr_xdsl.ptr -> memref<8xi32>
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
