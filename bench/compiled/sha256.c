/* The peer of runtime/sha256.mlir: the block function as FIPS 180-4 says it, unrolled by 16 rounds. */

#include <stdint.h>
#include <string.h>

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#define ROTATE(x, n) ((x) >> (n) | (x) << (32 - (n)))
#define ROUND(a, b, c, d, e, f, g, h, i)                                                          \
  do {                                                                                            \
    const uint32_t t1 = h + (ROTATE(e, 6) ^ ROTATE(e, 11) ^ ROTATE(e, 25)) + (g ^ (e & (f ^ g))) + \
                        K[t + i] + w[i];                                                          \
    const uint32_t t2 =                                                                           \
        (ROTATE(a, 2) ^ ROTATE(a, 13) ^ ROTATE(a, 22)) + ((a & b) | (c & (a | b)));               \
    d += t1;                                                                                      \
    h = t1 + t2;                                                                                  \
  } while (0)

#define EIGHT(i)                          \
  do {                                    \
    ROUND(a, b, c, d, e, f, g, h, i);     \
    ROUND(h, a, b, c, d, e, f, g, i + 1); \
    ROUND(g, h, a, b, c, d, e, f, i + 2); \
    ROUND(f, g, h, a, b, c, d, e, i + 3); \
    ROUND(e, f, g, h, a, b, c, d, i + 4); \
    ROUND(d, e, f, g, h, a, b, c, i + 5); \
    ROUND(c, d, e, f, g, h, a, b, i + 6); \
    ROUND(b, c, d, e, f, g, h, a, i + 7); \
  } while (0)

#define SCHEDULE(i)                                                                         \
  w[i] += (ROTATE(w[(i + 1) & 15], 7) ^ ROTATE(w[(i + 1) & 15], 18) ^ w[(i + 1) & 15] >> 3) + \
          w[(i + 9) & 15] +                                                                 \
          (ROTATE(w[(i + 14) & 15], 17) ^ ROTATE(w[(i + 14) & 15], 19) ^ w[(i + 14) & 15] >> 10)

void sha256_blocks(uint32_t *state, const unsigned char *data, long blocks) {
  for (; blocks > 0; blocks--, data += 64) {
    uint32_t w[16];
    for (int t = 0; t < 16; t++) {
      uint32_t x;
      memcpy(&x, data + 4 * t, 4);
      w[t] = __builtin_bswap32(x);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5],
             g = state[6], h = state[7];
    for (int t = 0; t < 64; t += 16) {
      EIGHT(0);
      EIGHT(8);
      SCHEDULE(0), SCHEDULE(1), SCHEDULE(2), SCHEDULE(3), SCHEDULE(4), SCHEDULE(5);
      SCHEDULE(6), SCHEDULE(7), SCHEDULE(8), SCHEDULE(9), SCHEDULE(10), SCHEDULE(11);
      SCHEDULE(12), SCHEDULE(13), SCHEDULE(14), SCHEDULE(15);
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
  }
}
