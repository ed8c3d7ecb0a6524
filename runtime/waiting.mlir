// Waiting for events of a descriptor, until a deadline.
//
// Events are those of poll (POLLIN, POLLOUT, POLLRDHUP); POLLERR, POLLHUP and POLLNVAL come
// unasked. A result below 0 is the error of the kernel, from -4095 to -1 and never -EINTR, or
// -5000: the deadline has passed. Signals, and being stopped and continued, don't move the end of a
// wait.

func.func private @alpha_now() -> i64

// Wait for one of the events: those that are there, or -5000 if none came before the deadline. If it
// has passed already, events aren't looked at. With descriptor -1 it waits for the deadline.
func.func @alpha_wait(%descriptor : i64, %events : i64, %deadline : i64) -> i64 {
  %zero = arith.constant 0 : i64
  %overdue = arith.constant -5000 : i64
  %eintr = linux.constant "EINTR"
  cf.br ^again
^again:
  %now = func.call @alpha_now() : () -> i64
  %known = arith.cmpi sge, %now, %zero : i64
  cf.cond_br %known, ^measured, ^end(%now : i64)
^measured:
  %over = arith.cmpi sge, %now, %deadline : i64
  cf.cond_br %over, ^end(%overdue : i64), ^ask
^ask:
  %left = arith.subi %deadline, %now : i64
  %happened = func.call @polled(%descriptor, %events, %left) : (i64, i64, i64) -> i64
  %none = arith.cmpi eq, %happened, %zero : i64
  %sum = arith.addi %happened, %eintr : i64
  %interrupted = arith.cmpi eq, %sum, %zero : i64
  %more = arith.ori %none, %interrupted : i1
  cf.cond_br %more, ^again, ^end(%happened : i64)
^end(%result : i64):
  func.return %result : i64
}

// Those of the events that are there now, 0 for none.
func.func @alpha_glance(%descriptor : i64, %events : i64) -> i64 {
  %zero = arith.constant 0 : i64
  %eintr = linux.constant "EINTR"
  cf.br ^again
^again:
  %happened = func.call @polled(%descriptor, %events, %zero) : (i64, i64, i64) -> i64
  %sum = arith.addi %happened, %eintr : i64
  %interrupted = arith.cmpi eq, %sum, %zero : i64
  cf.cond_br %interrupted, ^again, ^end
^end:
  func.return %happened : i64
}

// The events that are there within some nanoseconds (0 or more), 0 for none; also -EINTR. The
// kernel changes the time that it is given, so each call writes it anew.
func.func private @polled(%descriptor : i64, %events : i64, %nanoseconds : i64) -> i64 {
  // struct pollfd (asm-generic/poll.h), the low byte first: descriptor in bytes 0 to 3, events that
  // are asked for in 4 and 5, those that are there in 6 and 7.
  %poll = memref.alloca() : memref<1xi64>
  // struct timespec (linux/time_types.h): seconds, nanoseconds.
  %time = memref.alloca() : memref<2xi64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %second = arith.constant 1000000000 : i64
  %low = arith.constant 0xffffffff : i64
  %asked = arith.constant 32 : i64
  %there = arith.constant 48 : i64
  %signals_bytes = arith.constant 8 : i64
  %number = arith.andi %descriptor, %low : i64
  %shifted = arith.shli %events, %asked : i64
  %word = arith.ori %number, %shifted : i64
  memref.store %word, %poll[%c0] : memref<1xi64>
  %seconds = arith.divui %nanoseconds, %second : i64
  %rest = arith.remui %nanoseconds, %second : i64
  memref.store %seconds, %time[%c0] : memref<2xi64>
  memref.store %rest, %time[%c1] : memref<2xi64>
  %at = ptr_xdsl.to_ptr %poll : memref<1xi64> -> !ptr_xdsl.ptr
  %until = ptr_xdsl.to_ptr %time : memref<2xi64> -> !ptr_xdsl.ptr
  %count = linux.syscall "ppoll"(%at, %one, %until, %zero, %signals_bytes)
    : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64, i64) -> i64
  %some = arith.cmpi sgt, %count, %zero : i64
  cf.cond_br %some, ^events, ^end(%count : i64)
^events:
  %after = memref.load %poll[%c0] : memref<1xi64>
  %happened = arith.shrui %after, %there : i64
  cf.br ^end(%happened : i64)
^end(%result : i64):
  func.return %result : i64
}
