/* Calls a function many times and says how long a call took, without Python in between. */

#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef void function(long, long, long, long, long, long, long, long, long, long, long, long, long,
                      long, long, long, long, long, long, long);

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at); /* not what other programs take of the processor */
  return at.tv_sec * 1e9 + at.tv_nsec;
}

static void call(function *f, const long *a) {
  f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14],
    a[15], a[16], a[17], a[18], a[19]);
}

/* Nanoseconds of this processor a call, the mean over `times`; 20 arguments are passed, however many there are. */
double nanoseconds(function *f, const long *arguments, long times) {
  const double start = now();
  for (long i = 0; i < times; i++) call(f, arguments);
  return (now() - start) / times;
}

/* Instructions of one call, by the processor's counter; -1 where there is none. */
long instructions(function *f, const long *arguments) {
  struct perf_event_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = attributes.exclude_hv = attributes.disabled = 1;
  const int fd = syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
  if (fd < 0) return -1;
  ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
  call(f, arguments);
  ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
  uint64_t count = 0;
  const long read_bytes = read(fd, &count, sizeof count);
  close(fd);
  return read_bytes == sizeof count ? (long)count : -1;
}
