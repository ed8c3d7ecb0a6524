/* The peers: what a careful programmer writes in C, one loop a function, pointers restricted.

   Compiled with -O3 -march=native -ffp-contract=off -fno-math-errno, by every compiler that is
   there. T is the type of a word. The arithmetic and its order are those of the learners. */

#include <math.h>
#include <stddef.h>

#ifdef SINGLE
typedef float T;
#define ROOT sqrtf
#else
typedef double T;
#define ROOT sqrt
#endif

void sgd(T *restrict w, const T *restrict g, const T *restrict rate, T *w1, long n) {
  (void)w1;
  const T r = *rate;
  for (long i = 0; i < n; i++) w[i] = w[i] - r * g[i];
}

void momentum(T *restrict w, T *restrict m, const T *restrict g, const T *restrict rate,
              const T *restrict b1, T *w1, T *m1, long n) {
  (void)w1, (void)m1;
  const T r = *rate, b = *b1;
  for (long i = 0; i < n; i++) {
    const T next = b * m[i] + g[i];
    m[i] = next;
    w[i] = w[i] - r * next;
  }
}

void adam_folded(T *restrict w, T *restrict m, T *restrict v, const T *restrict g,
                 const T *restrict rate, const T *restrict eps, const T *restrict b1,
                 const T *restrict a1, const T *restrict b2, const T *restrict a2, T *w1, T *m1,
                 T *v1, long n) {
  (void)w1, (void)m1, (void)v1;
  const T r = *rate, e = *eps, k1 = *b1, n1 = *a1, k2 = *b2, n2 = *a2;
  for (long i = 0; i < n; i++) {
    const T gi = g[i];
    const T mi = k1 * m[i] + n1 * gi;
    const T vi = k2 * v[i] + n2 * (gi * gi);
    m[i] = mi;
    v[i] = vi;
    w[i] = w[i] - (r * mi) / (ROOT(vi) + e);
  }
}

void adam(T *restrict w, T *restrict m, T *restrict v, const T *restrict g, const T *restrict rate,
          const T *restrict eps, const T *restrict b1, const T *restrict a1, const T *restrict b2,
          const T *restrict a2, const T *restrict c1, const T *restrict c2, T *w1, T *m1, T *v1,
          long n) {
  (void)w1, (void)m1, (void)v1;
  const T r = *rate, e = *eps, k1 = *b1, n1 = *a1, k2 = *b2, n2 = *a2, d1 = *c1, d2 = *c2;
  for (long i = 0; i < n; i++) {
    const T gi = g[i];
    const T mi = k1 * m[i] + n1 * gi;
    const T vi = k2 * v[i] + n2 * (gi * gi);
    m[i] = mi;
    v[i] = vi;
    w[i] = w[i] - (r * (mi / d1)) / (ROOT(vi / d2) + e);
  }
}

/* Least squares: the dot product in 8 lanes that are folded in halves, gradients in order. */
void gradient(const T *restrict w, const T *restrict x, const T *restrict y, T *restrict out,
              long n) {
  for (long k = 0; k < FEATURES; k++) out[k] = -(T)0;
  for (long s = 0; s < n; s++) {
    const T *restrict row = x + s * FEATURES;
    T lane[8] = {-(T)0, -(T)0, -(T)0, -(T)0, -(T)0, -(T)0, -(T)0, -(T)0};
    long k = 0;
    for (; k + 8 <= FEATURES; k += 8)
      for (int l = 0; l < 8; l++) lane[l] += w[k + l] * row[k + l];
    for (int l = 0; k + l < FEATURES; l++) lane[l] += w[k + l] * row[k + l];
    for (int half = 4; half; half /= 2)
      for (int l = 0; l < half; l++) lane[l] += lane[l + half];
    const T r = lane[0] - y[s];
    for (long i = 0; i < FEATURES; i++) out[i] += r * row[i];
  }
}

/* The bandwidth of the memory: what nothing that reads and writes as much can beat. */
void copy(T *restrict to, const T *restrict from, long n) {
  for (long i = 0; i < n; i++) to[i] = from[i];
}
