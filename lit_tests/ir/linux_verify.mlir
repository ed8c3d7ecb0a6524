// RUN: alpha-opt %s --split-input-file --verify-diagnostics

func.func @unknown() -> i64 {
  // expected-error@+1 {{[target-unsupported] expected one of the system calls accept4, bind}}
  %r = linux.syscall "fork"() : () -> i64
  func.return %r : i64
}

// -----

func.func @too_few(%fd : i64) -> i64 {
  // expected-error@+1 {{[source-structure] expected 3 arguments of read, found 1}}
  %r = linux.syscall "read"(%fd) : (i64) -> i64
  func.return %r : i64
}

// -----

func.func @narrow(%fd : i32) -> i64 {
  // expected-error@+1 {{[source-structure] expected i64 or !ptr_xdsl.ptr as an argument of close, found i32}}
  %r = linux.syscall "close"(%fd) : (i32) -> i64
  func.return %r : i64
}

// -----

func.func @constant() -> i64 {
  // expected-error@+1 {{[target-unsupported] expected one of the constants AF_INET, AT_EMPTY_PATH}}
  %r = linux.constant "O_LATER"
  func.return %r : i64
}

// -----

// One edit away from each.
func.func @accepted(%fd : i64, %at : !ptr_xdsl.ptr, %n : i64) -> i64 {
  %c = linux.constant "O_APPEND"
  %m = linux.syscall "read"(%fd, %at, %n) : (i64, !ptr_xdsl.ptr, i64) -> i64
  %r = linux.syscall "close"(%fd) : (i64) -> i64
  func.return %r : i64
}
