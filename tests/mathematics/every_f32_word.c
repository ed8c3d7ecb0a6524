/* Compares `ours` with a library's f64 function, REFERENCE, on the f32 words whose bits are from
   argv[1] to argv[2], exclusive. REFERENCE is wrong by at most 2^-50 of its value, which rounds to
   the right f32 word unless it is as close to the halfway point of two. Prints "wrong BITS" for each
   result that isn't REFERENCE rounded, "near BITS RESULT" where REFERENCE is too close to tell, and
   "done". NaNs are one word. */

enum { CHUNK = 4096 };

static double sigmoid(double x) {
  double e = exp(-fabs(x));
  return (x < 0 ? e : 1.0) / (1.0 + e);
}

static uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return bits;
}

static double as_wide(float x) { return isinf(x) ? copysign(0x1p128, x) : (double)x; }

static int near_halfway(double value, float rounded) {
  if (isnan(value) || isinf(value) || fabs(value) < 0x1p-151) return 0;
  for (int side = -1; side <= 1; side += 2) {
    float next = nextafterf(rounded, side * INFINITY);
    double halfway = (as_wide(rounded) + as_wide(next)) / 2;
    if (fabs(value - halfway) <= fabs(value) * 0x1p-50) return 1;
  }
  return 0;
}

/* Whether the bits of a normal f32 result below those of f32 are far from those of a halfway point. */
static int surely_far(double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  int64_t distance = (int64_t)(bits & 0x1fffffff) - 0x10000000;
  return fabs(value) >= 0x1p-126 && fabs(value) < 0x1p127 && (distance > 16 || distance < -16);
}

int main(int count, char **arguments) {
  static float words[CHUNK], results[CHUNK];
  if (count != 3) return 2;
  uint64_t end = strtoull(arguments[2], 0, 0);
  for (uint64_t start = strtoull(arguments[1], 0, 0); start < end; start += CHUNK) {
    for (int i = 0; i < CHUNK; i++) {
      uint32_t bits = (uint32_t)start + i;
      memcpy(&words[i], &bits, 4);
    }
    for (int i = 0; i < CHUNK; i++) results[i] = ours(words[i]);
    for (int i = 0; i < CHUNK; i++) {
      double value = REFERENCE((double)words[i]);
      float rounded = (float)value;
      if (!surely_far(value) && near_halfway(value, rounded))
        printf("near %08x %08x\n", bits_of(words[i]), bits_of(results[i]));
      else if (isnan(rounded) ? !isnan(results[i]) : bits_of(results[i]) != bits_of(rounded))
        printf("wrong %08x\n", bits_of(words[i]));
    }
  }
  printf("done\n");
  return 0;
}
