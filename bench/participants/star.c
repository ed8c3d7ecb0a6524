/* The peer that is written by hand: processes around role 0 over TCP, blocking, in the order of the
   roles. It trains least squares by Adam, or only adds words; frames are sealed by SHA-256 or not.

   star ROLE ROLES PORT ROUNDS train|add WORDS ROWS SEALED X Y
   Role 0 prints the seconds of a round, then the words of the state in hexadecimal. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <immintrin.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../compiled/sha256.c"

enum { LANES = 8, HEAD = 88, SEAL = 32, MANY = 64 };

static void fail(const char *what) {
  perror(what);
  exit(1);
}

#ifdef __SHA__
/* Blocks of SHA-256 by the processor's instructions, one stream. */
static void blocks(uint32_t state[8], const uint8_t *data, size_t count) {
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(low, high, 8), cdgh = _mm_blend_epi16(high, low, 0xf0);
  for (; count; count--, data += 64) {
    const __m128i abef0 = abef, cdgh0 = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; i++)
      w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(data + 16 * i)), order);
#pragma GCC unroll 16
    for (int i = 0; i < 16; i++) {
      if (i >= 4) {
        __m128i next = _mm_sha256msg1_epu32(w[i & 3], w[(i + 1) & 3]);
        next = _mm_add_epi32(next, _mm_alignr_epi8(w[(i + 3) & 3], w[(i + 2) & 3], 4));
        w[i & 3] = _mm_sha256msg2_epu32(next, w[(i + 3) & 3]);
      }
      __m128i k = _mm_add_epi32(w[i & 3], _mm_loadu_si128((const __m128i *)(K + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, k);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(k, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef0);
    cdgh = _mm_add_epi32(cdgh, cdgh0);
  }
  low = _mm_shuffle_epi32(abef, 0x1b);
  high = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(high, low, 8));
}
#else
static void blocks(uint32_t state[8], const uint8_t *data, size_t count) {
  sha256_blocks(state, data, (long)count);
}
#endif

/* The digest of a frame's header and words, which lie one behind the other. */
static void digest(const uint8_t *data, size_t bytes, uint8_t out[SEAL]) {
  uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint8_t last[128] = {0};
  const size_t whole = bytes / 64, rest = bytes % 64, end = rest < 56 ? 64 : 128;
  blocks(state, data, whole);
  memcpy(last, data + 64 * whole, rest);
  last[rest] = 0x80;
  const uint64_t bits = __builtin_bswap64(8 * (uint64_t)bytes);
  memcpy(last + end - 8, &bits, 8);
  blocks(state, last, end / 64);
  for (int i = 0; i < 8; i++) state[i] = __builtin_bswap32(state[i]);
  memcpy(out, state, SEAL);
}

static long words, rows, sealed;

/* A frame in memory: a header, words, and a digest if frames are sealed. */
static uint8_t *frame_of(double **held) {
  uint8_t *frame = aligned_alloc(64, (HEAD + 8 * words + SEAL + 127) / 64 * 64 + 64);
  if (!frame) fail("memory");
  memset(frame, 0, HEAD);
  *held = (double *)(frame + HEAD);
  return frame;
}

static void put(int to, uint8_t *frame, uint64_t round) {
  const size_t payload = HEAD + 8 * words, size = payload + (sealed ? SEAL : 0);
  memcpy(frame + 56, &round, 8);
  if (sealed) digest(frame, payload, frame + payload);
  for (size_t done = 0; done < size;) {
    const ssize_t some = send(to, frame + done, size - done, MSG_NOSIGNAL);
    if (some <= 0) fail("send");
    done += some;
  }
}

static void take(int from, uint8_t *frame, uint64_t round) {
  const size_t payload = HEAD + 8 * words, size = payload + (sealed ? SEAL : 0);
  uint64_t found;
  uint8_t seal[SEAL];
  for (size_t done = 0; done < size;) {
    const ssize_t some = recv(from, frame + done, size - done, 0);
    if (some <= 0) fail("recv");
    done += some;
  }
  memcpy(&found, frame + 56, 8);
  if (found != round) fail("round");
  if (!sealed) return;
  digest(frame, payload, seal);
  if (memcmp(seal, frame + payload, SEAL)) fail("digest");
}

/* The sum of the gradients of all rows, in their order; a dot product in LANES lanes. */
static void gradient(const double *w, const double *x, const double *y, double *sum) {
  for (long k = 0; k < words; k++) sum[k] = -0.0;
  for (long s = 0; s < rows; s++, x += words) {
    double lane[LANES], r;
    for (int l = 0; l < LANES; l++) lane[l] = -0.0;
    for (long k = 0; k < words; k += LANES)
      for (int l = 0; l < LANES; l++) lane[l] += w[k + l] * x[k + l];
    for (int wide = LANES / 2; wide; wide /= 2)
      for (int l = 0; l < wide; l++) lane[l] = lane[l] + lane[l + wide];
    r = lane[0] - y[s];
    for (long k = 0; k < words; k++) sum[k] += r * x[k];
  }
}

static void adam(double *w, double *m, double *v, const double *sum, double count, double p1, double p2) {
  const double rate = 0.001, b1 = 0.9, b2 = 0.999, eps = 1e-8;
  const double a1 = 1 - b1, a2 = 1 - b2, c1 = 1 - p1, c2 = 1 - p2;
  for (long k = 0; k < words; k++) {
    const double g = sum[k] / count;
    m[k] = b1 * m[k] + a1 * g;
    v[k] = b2 * v[k] + a2 * (g * g);
    w[k] = w[k] - rate * (m[k] / c1) / (sqrt(v[k] / c2) + eps);
  }
}

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec + at.tv_nsec * 1e-9;
}

static void quick(int socket) {
  const int one = 1;
  if (setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one)) fail("option");
}

static void connect_all(int role, int roles, int port, int edges[MANY]) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (role) {
    for (int tries = 0;; tries++) {
      edges[0] = socket(AF_INET, SOCK_STREAM, 0);
      if (!connect(edges[0], (struct sockaddr *)&at, sizeof at)) break;
      if (tries == 5000) fail("connect");
      close(edges[0]);
      usleep(1000);
    }
    quick(edges[0]);
    if (send(edges[0], &role, sizeof role, 0) != sizeof role) fail("send");
    return;
  }
  const int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, MANY)) fail("listen");
  for (int i = 1; i < roles; i++) {
    int peer = 0;
    const int edge = accept(listener, NULL, NULL);
    if (edge < 0 || recv(edge, &peer, sizeof peer, MSG_WAITALL) != sizeof peer) fail("accept");
    quick(edge);
    edges[peer] = edge;
  }
}

static double *read_words(const char *path, long skipped, long count) {
  double *held = aligned_alloc(64, (8 * count + 63) / 64 * 64);
  FILE *file = fopen(path, "rb");
  if (!held || !file || fseek(file, 8 * skipped, SEEK_SET)) fail(path);
  if (fread(held, 8, count, file) != (size_t)count) fail(path);
  fclose(file);
  return held;
}

int main(int argc, char **argv) {
  if (argc < 10) return 2;
  const int role = atoi(argv[1]), roles = atoi(argv[2]), port = atoi(argv[3]);
  const long rounds = atol(argv[4]);
  const int train = !strcmp(argv[5], "train");
  words = atol(argv[6]);
  rows = atol(argv[7]);
  sealed = atol(argv[8]);
  const double *x = read_words(argv[9], train ? role * rows * words : role * words, train ? rows * words : words);
  const double *y = train ? read_words(argv[10], role * rows, rows) : NULL;
  double *gone, *came, *m = calloc(words, 8), *v = calloc(words, 8), *total = calloc(words, 8);
  uint8_t *out = frame_of(&gone), *in = frame_of(&came);
  double *w = calloc(words, 8), p1 = 1, p2 = 1, begun = 0;
  int edges[MANY];
  connect_all(role, roles, port, edges);
  for (long round = 0; round < rounds; round++) {
    if (round == 1) begun = now();
    double *sum = role ? gone : total;
    if (train) gradient(w, x, y, sum);
    else memcpy(sum, x, 8 * words);
    if (role) {
      put(edges[0], out, round);
      take(edges[0], in, round);
      memcpy(w, came, 8 * words);
      continue;
    }
    for (int peer = 1; peer < roles; peer++) {
      take(edges[peer], in, round);
      for (long k = 0; k < words; k++) total[k] += came[k];
    }
    if (train) {
      p1 *= 0.9;
      p2 *= 0.999;
      adam(w, m, v, total, rows * roles, p1, p2);
    } else {
      for (long k = 0; k < words; k++) w[k] = total[k] / roles;
    }
    memcpy(gone, w, 8 * words);
    for (int peer = 1; peer < roles; peer++) put(edges[peer], out, round);
  }
  if (!role) {
    printf("%.9g\n", rounds > 1 ? (now() - begun) / (rounds - 1) : 0.0);
    for (long k = 0; k < words && k < 1000; k++) {
      uint64_t bits;
      memcpy(&bits, w + k, 8);
      printf("%016lx", bits);
    }
    printf("\n");
  }
  return 0;
}
