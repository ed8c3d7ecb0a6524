/* A flag's round trip through shared memory between two threads, in nanoseconds: how near two
   processors of this machine are to one another. */

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum { TRIPS = 1000000 };

static _Alignas(128) atomic_long flag;

static void *answer(void *unused) {
  for (long i = 0; i < TRIPS; i++) {
    while (atomic_load_explicit(&flag, memory_order_acquire) != 2 * i + 1) continue;
    atomic_store_explicit(&flag, 2 * i + 2, memory_order_release);
  }
  return unused;
}

static void stay(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

int main(void) {
  struct timespec begun, ended;
  pthread_t other;
  stay(1);
  pthread_create(&other, NULL, answer, NULL);
  stay(0);
  clock_gettime(CLOCK_MONOTONIC, &begun);
  for (long i = 0; i < TRIPS; i++) {
    atomic_store_explicit(&flag, 2 * i + 1, memory_order_release);
    while (atomic_load_explicit(&flag, memory_order_acquire) != 2 * i + 2) continue;
  }
  clock_gettime(CLOCK_MONOTONIC, &ended);
  pthread_join(other, NULL);
  printf("%.0f\n", ((ended.tv_sec - begun.tv_sec) * 1e9 + ended.tv_nsec - begun.tv_nsec) / TRIPS);
  return 0;
}
