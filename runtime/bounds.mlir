// Until when a role waits: one end for the session, and one for each wait in it.
//
// Moments are those of clock.mlir, in nanoseconds. What a wait is for is said where it fails, so
// that a line names the time that was over: that of the session, where it ends sooner.

// The end of the session, how long it was when it began, the longest wait, and of the wait that was
// begun last whether the session ends before it (1), or had ended before it began (2).
"memref.global"() <{sym_name = "bounds", type = memref<4xi64>, sym_visibility = "private",
  initial_value = dense<0> : tensor<4xi64>}> : () -> ()

func.func private @alpha_now() -> i64
func.func private @alpha_say(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_seconds(i64)

// Contract: from here on the session ends at `session`, and no wait is longer than `wait`.
func.func @alpha_set_bounds(%session : i64, %wait : i64) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %bounds = memref.get_global @bounds : memref<4xi64>
  memref.store %session, %bounds[%c0] : memref<4xi64>
  memref.store %wait, %bounds[%c2] : memref<4xi64>
  func.return
}

// Contract: lines say of the session that it had so many nanoseconds.
func.func @alpha_set_session_length(%nanoseconds : i64) {
  %c1 = arith.constant 1 : index
  %bounds = memref.get_global @bounds : memref<4xi64>
  memref.store %nanoseconds, %bounds[%c1] : memref<4xi64>
  func.return
}

// Contract: the end of a wait that begins now; a moment that has passed if the clock can't be read.
func.func @alpha_bound() -> i64 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %none = arith.constant 0 : i64
  %bounds = memref.get_global @bounds : memref<4xi64>
  %session = memref.load %bounds[%c0] : memref<4xi64>
  %wait = memref.load %bounds[%c2] : memref<4xi64>
  %now = func.call @alpha_now() : () -> i64
  %unknown = arith.cmpi slt, %now, %none : i64
  %begins = arith.select %unknown, %none, %now : i64
  %left = arith.subi %session, %begins : i64
  %over = arith.cmpi sle, %left, %none : i64
  %sooner = arith.cmpi sle, %left, %wait : i64
  %of_session = arith.extui %sooner : i1 to i64
  %ended = arith.extui %over : i1 to i64
  %which = arith.addi %of_session, %ended : i64
  memref.store %which, %bounds[%c3] : memref<4xi64>
  %later = arith.addi %begins, %wait : i64
  %until = arith.select %sooner, %session, %later : i64
  %end = arith.select %unknown, %now, %until : i64
  func.return %end : i64
}

// Contract: whether the session was over when the wait began that was begun last.
func.func @alpha_was_over() -> i1 {
  %c3 = arith.constant 3 : index
  %ended = arith.constant 2 : i64
  %bounds = memref.get_global @bounds : memref<4xi64>
  %which = memref.load %bounds[%c3] : memref<4xi64>
  %over = arith.cmpi eq, %which, %ended : i64
  func.return %over : i1
}

// Contract: the line says which time the wait had that was begun last and was for what the `bytes`
// bytes at `doing` say: "the 60 s of receiving a frame", or "the 600 s of the session".
func.func @alpha_say_bound(%doing : !ptr_xdsl.ptr, %bytes : i64) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %none = arith.constant 0 : i64
  %bounds = memref.get_global @bounds : memref<4xi64>
  %of_session = memref.load %bounds[%c3] : memref<4xi64>
  %sooner = arith.cmpi ne, %of_session, %none : i64
  scf.if %sooner {
    func.call @alpha_say_session() : () -> ()
  } else {
    %wait = memref.load %bounds[%c2] : memref<4xi64>
    func.call @say_time(%wait, %doing, %bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  }
  func.return
}

// Contract: the line says which time the session had: "the 600 s of the session".
func.func @alpha_say_session() {
  %c1 = arith.constant 1 : index
  %bounds = memref.get_global @bounds : memref<4xi64>
  %length = memref.load %bounds[%c1] : memref<4xi64>
  %what, %bytes = linux.text "the session"
  func.call @say_time(%length, %what, %bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: whether the session is over at `now`.
func.func @alpha_is_over(%now : i64) -> i1 {
  %c0 = arith.constant 0 : index
  %bounds = memref.get_global @bounds : memref<4xi64>
  %session = memref.load %bounds[%c0] : memref<4xi64>
  %over = arith.cmpi sge, %now, %session : i64
  func.return %over : i1
}

// Contract: the line says so many nanoseconds of something.
func.func private @say_time(%nanoseconds : i64, %what : !ptr_xdsl.ptr, %bytes : i64) {
  %the, %the_bytes = linux.text "the "
  func.call @alpha_say(%the, %the_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_seconds(%nanoseconds) : (i64) -> ()
  %of, %of_bytes = linux.text " s of "
  func.call @alpha_say(%of, %of_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say(%what, %bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}
