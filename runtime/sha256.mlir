// SHA-256's block function (FIPS 180-4, section 6.2.2), once for every target.
//
// Contract: `state` are 8 words of 32 bits, the hash so far; `data` are `blocks` blocks of 64 bytes, at
// any address. Afterwards `state` is the hash of what it was and the blocks. Padding is the caller's.
// Nothing else is read or written, and nothing depends on the data but the state: the time doesn't.

"memref.global"() <{sym_name = "sha256_constants", type = memref<64xi32>, sym_visibility = "private",
  constant, initial_value = dense<[
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2]>
  : tensor<64xi32>}> : () -> ()

func.func @sha256_blocks(%state : memref<8xi32>, %data : memref<?x16xi32>, %blocks : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c14 = arith.constant 14 : index
  %c9 = arith.constant 9 : index
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %s2 = arith.constant 2 : i32
  %s3 = arith.constant 3 : i32
  %s6 = arith.constant 6 : i32
  %s7 = arith.constant 7 : i32
  %s8 = arith.constant 8 : i32
  %s10 = arith.constant 10 : i32
  %s11 = arith.constant 11 : i32
  %s13 = arith.constant 13 : i32
  %s14 = arith.constant 14 : i32
  %s15 = arith.constant 15 : i32
  %s17 = arith.constant 17 : i32
  %s18 = arith.constant 18 : i32
  %s19 = arith.constant 19 : i32
  %s21 = arith.constant 21 : i32
  %s22 = arith.constant 22 : i32
  %s24 = arith.constant 24 : i32
  %s25 = arith.constant 25 : i32
  %s26 = arith.constant 26 : i32
  %s30 = arith.constant 30 : i32
  %second = arith.constant 0xff00 : i32
  %n = arith.index_cast %blocks : i64 to index
  %a0 = memref.load %state[%c0] : memref<8xi32>
  %b0 = memref.load %state[%c1] : memref<8xi32>
  %c0w = memref.load %state[%c2] : memref<8xi32>
  %d0 = memref.load %state[%c3] : memref<8xi32>
  %e0 = memref.load %state[%c4] : memref<8xi32>
  %f0 = memref.load %state[%c5] : memref<8xi32>
  %g0 = memref.load %state[%c6] : memref<8xi32>
  %h0 = memref.load %state[%c7] : memref<8xi32>
  %r:8 = scf.for %block = %c0 to %n step %c1
      iter_args(%pa = %a0, %pb = %b0, %pc = %c0w, %pd = %d0, %pe = %e0, %pf = %f0, %pg = %g0, %ph = %h0)
      -> (i32, i32, i32, i32, i32, i32, i32, i32) {
    %w = memref.alloca() : memref<16xi32>
    %k = memref.get_global @sha256_constants : memref<64xi32>
    // The words of the block are big-endian.
    scf.for %t = %c0 to %c16 step %c1 {
      %x = memref.load %data[%block, %t] : memref<?x16xi32>
      %x0 = arith.shli %x, %s24 : i32
      %x1a = arith.andi %x, %second : i32
      %x1 = arith.shli %x1a, %s8 : i32
      %x2a = arith.shrui %x, %s8 : i32
      %x2 = arith.andi %x2a, %second : i32
      %x3 = arith.shrui %x, %s24 : i32
      %x01 = arith.ori %x0, %x1 : i32
      %x23 = arith.ori %x2, %x3 : i32
      %word = arith.ori %x01, %x23 : i32
      memref.store %word, %w[%t] : memref<16xi32>
    } {unroll}
    %q:8 = scf.for %t = %c0 to %c64 step %c1
        iter_args(%a = %pa, %b = %pb, %c = %pc, %d = %pd, %e = %pe, %f = %pf, %g = %pg, %h = %ph)
        -> (i32, i32, i32, i32, i32, i32, i32, i32) {
      %i = arith.andi %t, %c15 : index
      %wt = memref.load %w[%i] : memref<16xi32>
      %kt = memref.load %k[%t] : memref<64xi32>
      // Sigma1(e) + Ch(e, f, g)
      %e6l = arith.shrui %e, %s6 : i32
      %e6h = arith.shli %e, %s26 : i32
      %e6 = arith.ori %e6l, %e6h : i32
      %e11l = arith.shrui %e, %s11 : i32
      %e11h = arith.shli %e, %s21 : i32
      %e11 = arith.ori %e11l, %e11h : i32
      %e25l = arith.shrui %e, %s25 : i32
      %e25h = arith.shli %e, %s7 : i32
      %e25 = arith.ori %e25l, %e25h : i32
      %ee = arith.xori %e6, %e11 : i32
      %sigma1 = arith.xori %ee, %e25 : i32
      %fg = arith.xori %f, %g : i32
      %efg = arith.andi %e, %fg : i32
      %ch = arith.xori %efg, %g : i32
      %kw = arith.addi %kt, %wt : i32
      %hkw = arith.addi %h, %kw : i32
      %sc = arith.addi %hkw, %ch : i32
      %t1 = arith.addi %sc, %sigma1 : i32
      // Sigma0(a) + Maj(a, b, c)
      %a2l = arith.shrui %a, %s2 : i32
      %a2h = arith.shli %a, %s30 : i32
      %a2 = arith.ori %a2l, %a2h : i32
      %a13l = arith.shrui %a, %s13 : i32
      %a13h = arith.shli %a, %s19 : i32
      %a13 = arith.ori %a13l, %a13h : i32
      %a22l = arith.shrui %a, %s22 : i32
      %a22h = arith.shli %a, %s10 : i32
      %a22 = arith.ori %a22l, %a22h : i32
      %aa = arith.xori %a2, %a13 : i32
      %sigma0 = arith.xori %aa, %a22 : i32
      %ab = arith.xori %a, %b : i32
      %bc = arith.xori %b, %c : i32
      %abc = arith.andi %ab, %bc : i32
      %maj = arith.xori %abc, %b : i32
      %t1d = arith.addi %d, %t1 : i32
      %t2 = arith.addi %sigma0, %maj : i32
      %t12 = arith.addi %t1, %t2 : i32
      // W[t + 16] = sigma1(W[t + 14]) + W[t + 9] + sigma0(W[t + 1]) + W[t]; the last 16 go unused.
      %i1a = arith.addi %t, %c1 : index
      %i1 = arith.andi %i1a, %c15 : index
      %i9a = arith.addi %t, %c9 : index
      %i9 = arith.andi %i9a, %c15 : index
      %i14a = arith.addi %t, %c14 : index
      %i14 = arith.andi %i14a, %c15 : index
      %w1 = memref.load %w[%i1] : memref<16xi32>
      %w9 = memref.load %w[%i9] : memref<16xi32>
      %w14 = memref.load %w[%i14] : memref<16xi32>
      %m7l = arith.shrui %w1, %s7 : i32
      %m7h = arith.shli %w1, %s25 : i32
      %m7 = arith.ori %m7l, %m7h : i32
      %m18l = arith.shrui %w1, %s18 : i32
      %m18h = arith.shli %w1, %s14 : i32
      %m18 = arith.ori %m18l, %m18h : i32
      %m3 = arith.shrui %w1, %s3 : i32
      %m718 = arith.xori %m7, %m18 : i32
      %small0 = arith.xori %m718, %m3 : i32
      %n17l = arith.shrui %w14, %s17 : i32
      %n17h = arith.shli %w14, %s15 : i32
      %n17 = arith.ori %n17l, %n17h : i32
      %n19l = arith.shrui %w14, %s19 : i32
      %n19h = arith.shli %w14, %s13 : i32
      %n19 = arith.ori %n19l, %n19h : i32
      %n10 = arith.shrui %w14, %s10 : i32
      %n1719 = arith.xori %n17, %n19 : i32
      %small1 = arith.xori %n1719, %n10 : i32
      %sum0 = arith.addi %wt, %small0 : i32
      %sum9 = arith.addi %sum0, %w9 : i32
      %next = arith.addi %sum9, %small1 : i32
      memref.store %next, %w[%i] : memref<16xi32>
      scf.yield %t12, %a, %b, %c, %t1d, %e, %f, %g : i32, i32, i32, i32, i32, i32, i32, i32
    } {unroll}
    %na = arith.addi %pa, %q#0 : i32
    %nb = arith.addi %pb, %q#1 : i32
    %nc = arith.addi %pc, %q#2 : i32
    %nd = arith.addi %pd, %q#3 : i32
    %ne = arith.addi %pe, %q#4 : i32
    %nf = arith.addi %pf, %q#5 : i32
    %ng = arith.addi %pg, %q#6 : i32
    %nh = arith.addi %ph, %q#7 : i32
    scf.yield %na, %nb, %nc, %nd, %ne, %nf, %ng, %nh : i32, i32, i32, i32, i32, i32, i32, i32
  }
  memref.store %r#0, %state[%c0] : memref<8xi32>
  memref.store %r#1, %state[%c1] : memref<8xi32>
  memref.store %r#2, %state[%c2] : memref<8xi32>
  memref.store %r#3, %state[%c3] : memref<8xi32>
  memref.store %r#4, %state[%c4] : memref<8xi32>
  memref.store %r#5, %state[%c5] : memref<8xi32>
  memref.store %r#6, %state[%c6] : memref<8xi32>
  memref.store %r#7, %state[%c7] : memref<8xi32>
  func.return
}
