// The monotonic clock, and the deadlines of waits.
//
// A moment is in nanoseconds of CLOCK_MONOTONIC, which no step of the wall clock moves. A result
// below 0 is the error of the kernel, from -4095 to -1; such a moment has passed for who waits
// until it.

// The moment that it is now.
func.func @alpha_now() -> i64 {
  // struct timespec (linux/time_types.h): seconds, nanoseconds.
  %time = memref.alloca() : memref<2xi64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %second = arith.constant 1000000000 : i64
  %clock = linux.constant "CLOCK_MONOTONIC"
  %at = ptr_xdsl.to_ptr %time : memref<2xi64> -> !ptr_xdsl.ptr
  %got = linux.syscall "clock_gettime"(%clock, %at) : (i64, !ptr_xdsl.ptr) -> i64
  %failed = arith.cmpi slt, %got, %zero : i64
  cf.cond_br %failed, ^end(%got : i64), ^known
^known:
  %seconds = memref.load %time[%c0] : memref<2xi64>
  %rest = memref.load %time[%c1] : memref<2xi64>
  %whole = arith.muli %seconds, %second : i64
  %now = arith.addi %whole, %rest : i64
  cf.br ^end(%now : i64)
^end(%result : i64):
  func.return %result : i64
}

// The moment `ns` from now (the last one that there is, if that is sooner), or `session` if that is
// sooner. `ns` is 0 or more.
func.func @alpha_sooner(%ns : i64, %session : i64) -> i64 {
  %zero = arith.constant 0 : i64
  %last = arith.constant 9223372036854775807 : i64
  %now = func.call @alpha_now() : () -> i64
  %failed = arith.cmpi slt, %now, %zero : i64
  cf.cond_br %failed, ^end(%now : i64), ^known
^known:
  %room = arith.subi %last, %now : i64
  %fits = arith.cmpi sle, %ns, %room : i64
  %sum = arith.addi %now, %ns : i64
  %until = arith.select %fits, %sum, %last : i64
  %earlier = arith.cmpi slt, %until, %session : i64
  %sooner = arith.select %earlier, %until, %session : i64
  cf.br ^end(%sooner : i64)
^end(%result : i64):
  func.return %result : i64
}
