// Bytes to and from a stream that isn't a socket, as standard output and input are: pipes and
// files.
//
// A result below 0 is the error of the kernel, from -4095 to -1 and neither -EINTR nor -EAGAIN, or
// -5000: the deadline has passed. Nothing is waited for but by a deadline, whether the descriptor
// blocks or not.

func.func private @alpha_wait(i64, i64, i64) -> i64

// Write `bytes` bytes (0 or more): their number, once all are written. So few at a time (PIPE_BUF)
// that a pipe that can be written takes them without blocking. -EPIPE if nobody will read them,
// where SIGPIPE is ignored; some may be written when an error is returned.
func.func @alpha_write(%descriptor : i64, %at : !ptr_xdsl.ptr, %bytes : i64, %deadline : i64)
    -> i64 {
  %zero = arith.constant 0 : i64
  %most = linux.constant "PIPE_BUF"
  %out = linux.constant "POLLOUT"
  cf.br ^next(%zero : i64)
^next(%done : i64):
  %some = arith.cmpi slt, %done, %bytes : i64
  cf.cond_br %some, ^wait, ^end(%done : i64)
^wait:
  %happened = func.call @alpha_wait(%descriptor, %out, %deadline) : (i64, i64, i64) -> i64
  %ready = arith.cmpi sgt, %happened, %zero : i64
  cf.cond_br %ready, ^write, ^end(%happened : i64)
^write:
  %left = arith.subi %bytes, %done : i64
  %few = arith.cmpi slt, %left, %most : i64
  %size = arith.select %few, %left, %most : i64
  %from = ptr_xdsl.ptradd %at, %done : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %written = linux.syscall "write"(%descriptor, %from, %size) : (i64, !ptr_xdsl.ptr, i64) -> i64
  %sum = arith.addi %done, %written : i64
  %failed = arith.cmpi slt, %written, %zero : i64
  cf.cond_br %failed, ^failed, ^next(%sum : i64)
^failed:
  %again = func.call @is_retried(%written) : (i64) -> i1
  cf.cond_br %again, ^next(%done : i64), ^end(%written : i64)
^end(%result : i64):
  func.return %result : i64
}

// Read `bytes` bytes (0 or more), and not one more: how many came before the end of the stream.
// Some may be read when an error is returned.
func.func @alpha_read(%descriptor : i64, %at : !ptr_xdsl.ptr, %bytes : i64, %deadline : i64)
    -> i64 {
  %zero = arith.constant 0 : i64
  %in = linux.constant "POLLIN"
  cf.br ^next(%zero : i64)
^next(%done : i64):
  %some = arith.cmpi slt, %done, %bytes : i64
  cf.cond_br %some, ^wait, ^end(%done : i64)
^wait:
  %happened = func.call @alpha_wait(%descriptor, %in, %deadline) : (i64, i64, i64) -> i64
  %ready = arith.cmpi sgt, %happened, %zero : i64
  cf.cond_br %ready, ^read, ^end(%happened : i64)
^read:
  %left = arith.subi %bytes, %done : i64
  %into = ptr_xdsl.ptradd %at, %done : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %came = linux.syscall "read"(%descriptor, %into, %left) : (i64, !ptr_xdsl.ptr, i64) -> i64
  %sum = arith.addi %done, %came : i64
  %more = arith.cmpi sgt, %came, %zero : i64
  cf.cond_br %more, ^next(%sum : i64), ^none
^none:
  %ended = arith.cmpi eq, %came, %zero : i64
  cf.cond_br %ended, ^end(%done : i64), ^failed
^failed:
  %again = func.call @is_retried(%came) : (i64) -> i1
  cf.cond_br %again, ^next(%done : i64), ^end(%came : i64)
^end(%result : i64):
  func.return %result : i64
}

// Ignore a signal, whatever the process was started with: 0, or the error of the kernel. Without
// SIGPIPE, writing where nobody reads gives -EPIPE; without SIGXFSZ, writing behind the largest size
// that a file may have gives -EFBIG.
func.func @alpha_ignore_signal(%signal : i64) -> i64 {
  // struct sigaction (asm-generic/signal.h, asm/signal.h): handler, flags, restorer, mask; 8 bytes
  // each, of which the last is what the call is told to be the size of a set of signals.
  %action = memref.alloca() : memref<4xi64>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i64
  %signals_bytes = arith.constant 8 : i64
  %ignore = linux.constant "SIG_IGN"
  memref.store %ignore, %action[%c0] : memref<4xi64>
  memref.store %zero, %action[%c1] : memref<4xi64>
  memref.store %zero, %action[%c2] : memref<4xi64>
  memref.store %zero, %action[%c3] : memref<4xi64>
  %at = ptr_xdsl.to_ptr %action : memref<4xi64> -> !ptr_xdsl.ptr
  %result = linux.syscall "rt_sigaction"(%signal, %at, %zero, %signals_bytes)
    : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
  func.return %result : i64
}

// Whether a call that failed may be made again: it was interrupted, or someone else was faster.
func.func private @is_retried(%result : i64) -> i1 {
  %zero = arith.constant 0 : i64
  %eagain = linux.constant "EAGAIN"
  %eintr = linux.constant "EINTR"
  %number = arith.subi %zero, %result : i64
  %later = arith.cmpi eq, %number, %eagain : i64
  %interrupted = arith.cmpi eq, %number, %eintr : i64
  %again = arith.ori %later, %interrupted : i1
  func.return %again : i1
}
