// RUN: alpha-opt %s | alpha-opt | filecheck %s
// RUN: alpha-opt %s --print-op-generic | alpha-opt | filecheck %s

// CHECK-LABEL: func.func @append(
func.func @append(%path : !ptr_xdsl.ptr, %bytes : !ptr_xdsl.ptr, %n : i64) -> i64 {
  // CHECK: [[here:%.+]] = linux.constant "AT_FDCWD"
  %here = linux.constant "AT_FDCWD"
  %write = linux.constant "O_WRONLY"
  %append = linux.constant "O_APPEND"
  %flags = arith.ori %write, %append : i64
  %mode = arith.constant 0 : i64
  // CHECK: [[fd:%.+]] = linux.syscall "openat"([[here]], %path, %flags, %mode) : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
  %fd = linux.syscall "openat"(%here, %path, %flags, %mode) : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
  // CHECK: linux.syscall "write"(%fd, %bytes, %n) : (i64, !ptr_xdsl.ptr, i64) -> i64
  %m = linux.syscall "write"(%fd, %bytes, %n) : (i64, !ptr_xdsl.ptr, i64) -> i64
  // CHECK: %at, %size = linux.text "it isn't \22there\22\0A"
  %at, %size = linux.text "it isn't \22there\22\0A"
  // CHECK: linux.syscall "sched_yield"() : () -> i64
  %z = linux.syscall "sched_yield"() : () -> i64
  func.return %m : i64
}
