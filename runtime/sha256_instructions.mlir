// SHA-256's block function by the instructions that processors have for it, once for every target.
//
// Contract of `alpha_sha256_blocks_fast`: that of `sha256_blocks` in sha256.mlir. Who calls it has
// seen that the processor has the instructions: `sha` on x86-64, `sha2` on AArch64.
//
// Contract of `alpha_sha256_blocks_pair`: the same of two messages, so many blocks of each. Rounds wait
// for the rounds before; so two messages at once take hardly longer than one.

"memref.global"() <{sym_name = "sha256_constants_in_fours", type = memref<64xi32>,
  sym_visibility = "private", constant, initial_value = dense<[
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2]>
  : tensor<64xi32>}> : () -> ()

func.func @alpha_sha256_blocks_fast(
    %state : memref<8xi32>, %data : memref<?x16xi32>, %blocks : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %c20 = arith.constant 20 : index
  %c24 = arith.constant 24 : index
  %c28 = arith.constant 28 : index
  %c32 = arith.constant 32 : index
  %c36 = arith.constant 36 : index
  %c40 = arith.constant 40 : index
  %c44 = arith.constant 44 : index
  %c48 = arith.constant 48 : index
  %c52 = arith.constant 52 : index
  %c56 = arith.constant 56 : index
  %c60 = arith.constant 60 : index
  %n = arith.index_cast %blocks : i64 to index
  %abcd = vector.load %state[%c0] : memref<8xi32>, vector<4xi32>
  %efgh = vector.load %state[%c4] : memref<8xi32>, vector<4xi32>
  %first, %second = sha256.pack %abcd, %efgh
  %r:2 = scf.for %block = %c0 to %n step %c1 iter_args(%x0 = %first, %y0 = %second)
      -> (!sha256.first, !sha256.second) {
    %k = memref.get_global @sha256_constants_in_fours : memref<64xi32>
    // Rounds 0 to 15 are of the words of the block, which are big-endian.
    %m0 = vector.load %data[%block, %c0] : memref<?x16xi32>, vector<4xi32>
    %w0 = sha256.words %m0
    %k0 = vector.load %k[%c0] : memref<64xi32>, vector<4xi32>
    %s0 = arith.addi %w0, %k0 : vector<4xi32>
    %x4, %y4 = sha256.rounds %x0, %y0, %s0
    %m4 = vector.load %data[%block, %c4] : memref<?x16xi32>, vector<4xi32>
    %w4 = sha256.words %m4
    %k4 = vector.load %k[%c4] : memref<64xi32>, vector<4xi32>
    %s4 = arith.addi %w4, %k4 : vector<4xi32>
    %x8, %y8 = sha256.rounds %x4, %y4, %s4
    %m8 = vector.load %data[%block, %c8] : memref<?x16xi32>, vector<4xi32>
    %w8 = sha256.words %m8
    %k8 = vector.load %k[%c8] : memref<64xi32>, vector<4xi32>
    %s8 = arith.addi %w8, %k8 : vector<4xi32>
    %x12, %y12 = sha256.rounds %x8, %y8, %s8
    %m12 = vector.load %data[%block, %c12] : memref<?x16xi32>, vector<4xi32>
    %w12 = sha256.words %m12
    %k12 = vector.load %k[%c12] : memref<64xi32>, vector<4xi32>
    %s12 = arith.addi %w12, %k12 : vector<4xi32>
    %x16, %y16 = sha256.rounds %x12, %y12, %s12
    // Rounds 16 to 63 are of words that are made of those before.
    %w16 = sha256.schedule %w0, %w4, %w8, %w12
    %k16 = vector.load %k[%c16] : memref<64xi32>, vector<4xi32>
    %s16 = arith.addi %w16, %k16 : vector<4xi32>
    %x20, %y20 = sha256.rounds %x16, %y16, %s16
    %w20 = sha256.schedule %w4, %w8, %w12, %w16
    %k20 = vector.load %k[%c20] : memref<64xi32>, vector<4xi32>
    %s20 = arith.addi %w20, %k20 : vector<4xi32>
    %x24, %y24 = sha256.rounds %x20, %y20, %s20
    %w24 = sha256.schedule %w8, %w12, %w16, %w20
    %k24 = vector.load %k[%c24] : memref<64xi32>, vector<4xi32>
    %s24 = arith.addi %w24, %k24 : vector<4xi32>
    %x28, %y28 = sha256.rounds %x24, %y24, %s24
    %w28 = sha256.schedule %w12, %w16, %w20, %w24
    %k28 = vector.load %k[%c28] : memref<64xi32>, vector<4xi32>
    %s28 = arith.addi %w28, %k28 : vector<4xi32>
    %x32, %y32 = sha256.rounds %x28, %y28, %s28
    %w32 = sha256.schedule %w16, %w20, %w24, %w28
    %k32 = vector.load %k[%c32] : memref<64xi32>, vector<4xi32>
    %s32 = arith.addi %w32, %k32 : vector<4xi32>
    %x36, %y36 = sha256.rounds %x32, %y32, %s32
    %w36 = sha256.schedule %w20, %w24, %w28, %w32
    %k36 = vector.load %k[%c36] : memref<64xi32>, vector<4xi32>
    %s36 = arith.addi %w36, %k36 : vector<4xi32>
    %x40, %y40 = sha256.rounds %x36, %y36, %s36
    %w40 = sha256.schedule %w24, %w28, %w32, %w36
    %k40 = vector.load %k[%c40] : memref<64xi32>, vector<4xi32>
    %s40 = arith.addi %w40, %k40 : vector<4xi32>
    %x44, %y44 = sha256.rounds %x40, %y40, %s40
    %w44 = sha256.schedule %w28, %w32, %w36, %w40
    %k44 = vector.load %k[%c44] : memref<64xi32>, vector<4xi32>
    %s44 = arith.addi %w44, %k44 : vector<4xi32>
    %x48, %y48 = sha256.rounds %x44, %y44, %s44
    %w48 = sha256.schedule %w32, %w36, %w40, %w44
    %k48 = vector.load %k[%c48] : memref<64xi32>, vector<4xi32>
    %s48 = arith.addi %w48, %k48 : vector<4xi32>
    %x52, %y52 = sha256.rounds %x48, %y48, %s48
    %w52 = sha256.schedule %w36, %w40, %w44, %w48
    %k52 = vector.load %k[%c52] : memref<64xi32>, vector<4xi32>
    %s52 = arith.addi %w52, %k52 : vector<4xi32>
    %x56, %y56 = sha256.rounds %x52, %y52, %s52
    %w56 = sha256.schedule %w40, %w44, %w48, %w52
    %k56 = vector.load %k[%c56] : memref<64xi32>, vector<4xi32>
    %s56 = arith.addi %w56, %k56 : vector<4xi32>
    %x60, %y60 = sha256.rounds %x56, %y56, %s56
    %w60 = sha256.schedule %w44, %w48, %w52, %w56
    %k60 = vector.load %k[%c60] : memref<64xi32>, vector<4xi32>
    %s60 = arith.addi %w60, %k60 : vector<4xi32>
    %x64, %y64 = sha256.rounds %x60, %y60, %s60
    %x = sha256.add %x0, %x64 : !sha256.first
    %y = sha256.add %y0, %y64 : !sha256.second
    scf.yield %x, %y : !sha256.first, !sha256.second
  }
  %after:2 = sha256.unpack %r#0, %r#1
  vector.store %after#0, %state[%c0] : memref<8xi32>, vector<4xi32>
  vector.store %after#1, %state[%c4] : memref<8xi32>, vector<4xi32>
  func.return
}

func.func @alpha_sha256_blocks_pair(%state_a : memref<8xi32>, %data_a : memref<?x16xi32>,
    %state_b : memref<8xi32>, %data_b : memref<?x16xi32>, %blocks : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %n = arith.index_cast %blocks : i64 to index
  %k = memref.get_global @sha256_constants_in_fours : memref<64xi32>
  %abcd_a = vector.load %state_a[%c0] : memref<8xi32>, vector<4xi32>
  %efgh_a = vector.load %state_a[%c4] : memref<8xi32>, vector<4xi32>
  %first_a, %second_a = sha256.pack %abcd_a, %efgh_a
  %abcd_b = vector.load %state_b[%c0] : memref<8xi32>, vector<4xi32>
  %efgh_b = vector.load %state_b[%c4] : memref<8xi32>, vector<4xi32>
  %first_b, %second_b = sha256.pack %abcd_b, %efgh_b
  %r:4 = scf.for %block = %c0 to %n step %c1
      iter_args(%xa = %first_a, %ya = %second_a, %xb = %first_b, %yb = %second_b)
      -> (!sha256.first, !sha256.second, !sha256.first, !sha256.second) {
    // Rounds 0 to 15 are of the words of the blocks, which are big-endian.
    %m0a = vector.load %data_a[%block, %c0] : memref<?x16xi32>, vector<4xi32>
    %w0a = sha256.words %m0a
    %k0a = vector.load %k[%c0] : memref<64xi32>, vector<4xi32>
    %s0a = arith.addi %w0a, %k0a : vector<4xi32>
    %x4a, %y4a = sha256.rounds %xa, %ya, %s0a
    %m0b = vector.load %data_b[%block, %c0] : memref<?x16xi32>, vector<4xi32>
    %w0b = sha256.words %m0b
    %k0b = vector.load %k[%c0] : memref<64xi32>, vector<4xi32>
    %s0b = arith.addi %w0b, %k0b : vector<4xi32>
    %x4b, %y4b = sha256.rounds %xb, %yb, %s0b
    %m4a = vector.load %data_a[%block, %c4] : memref<?x16xi32>, vector<4xi32>
    %w4a = sha256.words %m4a
    %k4a = vector.load %k[%c4] : memref<64xi32>, vector<4xi32>
    %s4a = arith.addi %w4a, %k4a : vector<4xi32>
    %x8a, %y8a = sha256.rounds %x4a, %y4a, %s4a
    %m4b = vector.load %data_b[%block, %c4] : memref<?x16xi32>, vector<4xi32>
    %w4b = sha256.words %m4b
    %k4b = vector.load %k[%c4] : memref<64xi32>, vector<4xi32>
    %s4b = arith.addi %w4b, %k4b : vector<4xi32>
    %x8b, %y8b = sha256.rounds %x4b, %y4b, %s4b
    %m8a = vector.load %data_a[%block, %c8] : memref<?x16xi32>, vector<4xi32>
    %w8a = sha256.words %m8a
    %k8a = vector.load %k[%c8] : memref<64xi32>, vector<4xi32>
    %s8a = arith.addi %w8a, %k8a : vector<4xi32>
    %x12a, %y12a = sha256.rounds %x8a, %y8a, %s8a
    %m8b = vector.load %data_b[%block, %c8] : memref<?x16xi32>, vector<4xi32>
    %w8b = sha256.words %m8b
    %k8b = vector.load %k[%c8] : memref<64xi32>, vector<4xi32>
    %s8b = arith.addi %w8b, %k8b : vector<4xi32>
    %x12b, %y12b = sha256.rounds %x8b, %y8b, %s8b
    %m12a = vector.load %data_a[%block, %c12] : memref<?x16xi32>, vector<4xi32>
    %w12a = sha256.words %m12a
    %k12a = vector.load %k[%c12] : memref<64xi32>, vector<4xi32>
    %s12a = arith.addi %w12a, %k12a : vector<4xi32>
    %x16a, %y16a = sha256.rounds %x12a, %y12a, %s12a
    %m12b = vector.load %data_b[%block, %c12] : memref<?x16xi32>, vector<4xi32>
    %w12b = sha256.words %m12b
    %k12b = vector.load %k[%c12] : memref<64xi32>, vector<4xi32>
    %s12b = arith.addi %w12b, %k12b : vector<4xi32>
    %x16b, %y16b = sha256.rounds %x12b, %y12b, %s12b
    // Rounds 16 to 63 are of words that are made of those before.
    %q:12 = scf.for %t = %c16 to %c64 step %c4
        iter_args(%ua = %x16a, %va = %y16a, %ub = %x16b, %vb = %y16b,
            %a0 = %w0a, %a4 = %w4a, %a8 = %w8a, %a12 = %w12a,
            %b0 = %w0b, %b4 = %w4b, %b8 = %w8b, %b12 = %w12b)
        -> (!sha256.first, !sha256.second, !sha256.first, !sha256.second,
            vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>,
            vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>) {
      %a16 = sha256.schedule %a0, %a4, %a8, %a12
      %ka = vector.load %k[%t] : memref<64xi32>, vector<4xi32>
      %sa = arith.addi %a16, %ka : vector<4xi32>
      %ua4, %va4 = sha256.rounds %ua, %va, %sa
      %b16 = sha256.schedule %b0, %b4, %b8, %b12
      %kb = vector.load %k[%t] : memref<64xi32>, vector<4xi32>
      %sb = arith.addi %b16, %kb : vector<4xi32>
      %ub4, %vb4 = sha256.rounds %ub, %vb, %sb
      scf.yield %ua4, %va4, %ub4, %vb4, %a4, %a8, %a12, %a16, %b4, %b8, %b12, %b16
        : !sha256.first, !sha256.second, !sha256.first, !sha256.second,
          vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>,
          vector<4xi32>, vector<4xi32>, vector<4xi32>, vector<4xi32>
    }
    %x_a = sha256.add %xa, %q#0 : !sha256.first
    %y_a = sha256.add %ya, %q#1 : !sha256.second
    %x_b = sha256.add %xb, %q#2 : !sha256.first
    %y_b = sha256.add %yb, %q#3 : !sha256.second
    scf.yield %x_a, %y_a, %x_b, %y_b
      : !sha256.first, !sha256.second, !sha256.first, !sha256.second
  }
  %after_a:2 = sha256.unpack %r#0, %r#1
  vector.store %after_a#0, %state_a[%c0] : memref<8xi32>, vector<4xi32>
  vector.store %after_a#1, %state_a[%c4] : memref<8xi32>, vector<4xi32>
  %after_b:2 = sha256.unpack %r#2, %r#3
  vector.store %after_b#0, %state_b[%c0] : memref<8xi32>, vector<4xi32>
  vector.store %after_b#1, %state_b[%c4] : memref<8xi32>, vector<4xi32>
  func.return
}
