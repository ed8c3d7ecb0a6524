// A text that is put together piece by piece, where a caller has room for it.
//
// There is one at a time. A text that needs more room than there is would be a mistake of this
// project, and ends the process with status 5.

// Where the text begins, how many bytes there is room for, and how many it has.
"memref.global"() <{sym_name = "text_at", type = memref<3xi64>, sym_visibility = "private",
  initial_value = dense<0> : tensor<3xi64>}> : () -> ()

func.func private @alpha_digits(i64, !ptr_xdsl.ptr) -> i64
func.func private @alpha_say_failed()
func.func private @alpha_say(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_number(i64)
func.func private @alpha_end(i64)

// Contract: a text begins at `at`, where there is room for `room` bytes; it has none.
func.func @alpha_text_begin(%at : !ptr_xdsl.ptr, %room : i64) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant 0 : i64
  %held = memref.get_global @text_at : memref<3xi64>
  %where = ptr_xdsl.to_ptr %held : memref<3xi64> -> !ptr_xdsl.ptr
  ptr_xdsl.store %at, %where : !ptr_xdsl.ptr, !ptr_xdsl.ptr
  memref.store %room, %held[%c1] : memref<3xi64>
  memref.store %none, %held[%c2] : memref<3xi64>
  func.return
}

// Contract: how many bytes the text has.
func.func @alpha_text_end() -> i64 {
  %c2 = arith.constant 2 : index
  %held = memref.get_global @text_at : memref<3xi64>
  %size = memref.load %held[%c2] : memref<3xi64>
  func.return %size : i64
}

// Contract: the `bytes` bytes at `text` stand at the end of the text, of which they are no part.
func.func @alpha_text_put(%text : !ptr_xdsl.ptr, %bytes : i64) {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %to = func.call @grown(%bytes) : (i64) -> !ptr_xdsl.ptr
  scf.for %i = %none to %bytes step %one : i64 {
    %source = ptr_xdsl.ptradd %text, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %target = ptr_xdsl.ptradd %to, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %byte = ptr_xdsl.load %source : !ptr_xdsl.ptr -> i8
    ptr_xdsl.store %byte, %target : i8, !ptr_xdsl.ptr
  }
  func.return
}

// Contract: `number` stands at the end of the text, in decimal digits and without a sign.
func.func @alpha_text_number(%number : i64) {
  %twenty = arith.constant 20 : i64
  %digits = memref.alloca() : memref<20xi8>
  %base = ptr_xdsl.to_ptr %digits : memref<20xi8> -> !ptr_xdsl.ptr
  %place = func.call @alpha_digits(%number, %base) : (i64, !ptr_xdsl.ptr) -> i64
  %from = ptr_xdsl.ptradd %base, %place : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %size = arith.subi %twenty, %place : i64
  func.call @alpha_text_put(%from, %size) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: the `bytes` bytes at `data` stand at the end of the text, two hexadecimal digits each.
func.func @alpha_text_hex(%data : !ptr_xdsl.ptr, %bytes : i64) {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i8
  %low = arith.constant 15 : i8
  %digits, %sixteen = linux.text "0123456789abcdef"
  scf.for %i = %none to %bytes step %one : i64 {
    %from = ptr_xdsl.ptradd %data, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %byte = ptr_xdsl.load %from : !ptr_xdsl.ptr -> i8
    %upper = arith.shrui %byte, %four : i8
    %lower = arith.andi %byte, %low : i8
    %u = arith.extui %upper : i8 to i64
    %l = arith.extui %lower : i8 to i64
    %first = ptr_xdsl.ptradd %digits, %u : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %second = ptr_xdsl.ptradd %digits, %l : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    func.call @alpha_text_put(%first, %one) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_text_put(%second, %one) : (!ptr_xdsl.ptr, i64) -> ()
  }
  func.return
}

// Contract: spaces stand at the end of the text, so that it has `to` bytes; none if it has as many.
func.func @alpha_text_spaces(%to : i64) {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %space = arith.constant 32 : i8
  %size = func.call @alpha_text_end() : () -> i64
  %least = arith.maxui %size, %to : i64
  %bytes = arith.subi %least, %size : i64
  %at = func.call @grown(%bytes) : (i64) -> !ptr_xdsl.ptr
  scf.for %i = %none to %bytes step %one : i64 {
    %target = ptr_xdsl.ptradd %at, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    ptr_xdsl.store %space, %target : i8, !ptr_xdsl.ptr
  }
  func.return
}

// Contract: the text has `bytes` bytes more, from here on, or the process ends.
func.func private @grown(%bytes : i64) -> !ptr_xdsl.ptr {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %held = memref.get_global @text_at : memref<3xi64>
  %where = ptr_xdsl.to_ptr %held : memref<3xi64> -> !ptr_xdsl.ptr
  %room = memref.load %held[%c1] : memref<3xi64>
  %size = memref.load %held[%c2] : memref<3xi64>
  %left = arith.subi %room, %size : i64
  %full = arith.cmpi ugt, %bytes, %left : i64
  scf.if %full {
    %failed = arith.constant 5 : i64
    func.call @alpha_say_failed() : () -> ()
    %more, %more_bytes = linux.text "a text has more than "
    func.call @alpha_say(%more, %more_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_number(%room) : (i64) -> ()
    %unit, %unit_bytes = linux.text " bytes"
    func.call @alpha_say(%unit, %unit_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_end(%failed) : (i64) -> ()
  }
  %after = arith.addi %size, %bytes : i64
  memref.store %after, %held[%c2] : memref<3xi64>
  %begin = ptr_xdsl.load %where : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
  %at = ptr_xdsl.ptradd %begin, %size : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  func.return %at : !ptr_xdsl.ptr
}
