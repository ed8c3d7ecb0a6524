// What a role tells whoever launched it: records on stdout, behind the ports that it announced.
//
// A record is a header of 32 bytes (kind and index of 32 bits; version, count and the bytes of its
// words of 64 bits) and its words. Those of rounds are held and written together: when no more
// fits, when alpha_round finds that 50 ms have passed, and before states and the end. Of records of
// progress one behind another only the last is written; all else is written in the order of the
// reports.
//
// Where nobody reads for as long as one wait may be, the process ends with status 4; where stdout
// can't be written, with status 5. Nothing more is written then.

"memref.global"() <{sym_name = "reports", type = memref<32768xi8>, sym_visibility = "private",
  initial_value}> : () -> ()
// The bytes that are held, the place of the last record if that is of progress (-1 if it isn't),
// and the moment of the last round that had them written.
"memref.global"() <{sym_name = "reports_held", type = memref<3xi64>, sym_visibility = "private",
  initial_value = dense<[0, -1, 0]> : tensor<3xi64>}> : () -> ()

func.func private @alpha_now() -> i64
func.func private @alpha_sooner(i64, i64) -> i64
func.func private @alpha_write(i64, !ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_bound() -> i64
func.func private @alpha_is_over(i64) -> i1
func.func private @alpha_say_bound(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_session()
func.func private @alpha_say(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_reason(i64)
func.func private @alpha_say_overdue()
func.func private @alpha_say_failed()
func.func private @alpha_end(i64)

// Contract: it is reported that the role's state has this version.
func.func @alpha_report_progress(%version : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %kind = arith.constant 1 : i64
  %bytes = arith.constant 32 : i64
  %held = memref.get_global @reports_held : memref<3xi64>
  %last = memref.load %held[%c1] : memref<3xi64>
  %alone = arith.cmpi slt, %last, %none : i64
  %place = scf.if %alone -> (i64) {
    %new = func.call @room_for(%bytes) : (i64) -> i64
    %behind = arith.addi %new, %bytes : i64
    memref.store %behind, %held[%c0] : memref<3xi64>
    memref.store %new, %held[%c1] : memref<3xi64>
    scf.yield %new : i64
  } else {
    scf.yield %last : i64
  }
  %at = func.call @place_of(%place) : (i64) -> !ptr_xdsl.ptr
  func.call @write_record(%at, %kind, %none, %version, %none, %none)
    : (!ptr_xdsl.ptr, i64, i64, i64, i64, i64) -> ()
  func.return
}

// Contract: it is reported that observation `index` of the learner is the word of `bytes` bytes (at
// most 64) at `word`, over `count` samples, in the round that `version` ends.
func.func @alpha_report_observation(%index : i64, %version : i64, %count : i64,
    %word : !ptr_xdsl.ptr, %bytes : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %nowhere = arith.constant -1 : i64
  %kind = arith.constant 2 : i64
  %head = arith.constant 32 : i64
  %all = arith.addi %head, %bytes : i64
  %place = func.call @room_for(%all) : (i64) -> i64
  %at = func.call @place_of(%place) : (i64) -> !ptr_xdsl.ptr
  func.call @write_record(%at, %kind, %index, %version, %count, %bytes)
    : (!ptr_xdsl.ptr, i64, i64, i64, i64, i64) -> ()
  %words = ptr_xdsl.ptradd %at, %head : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  scf.for %i = %none to %bytes step %one : i64 {
    %from = ptr_xdsl.ptradd %word, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %to = ptr_xdsl.ptradd %words, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %byte = ptr_xdsl.load %from : !ptr_xdsl.ptr -> i8
    ptr_xdsl.store %byte, %to : i8, !ptr_xdsl.ptr
  }
  %behind = arith.addi %place, %all : i64
  %held = memref.get_global @reports_held : memref<3xi64>
  memref.store %behind, %held[%c0] : memref<3xi64>
  memref.store %nowhere, %held[%c1] : memref<3xi64>
  func.return
}

// Contract: it is reported, and written, that state `index` of the learner has these `bytes` bytes
// of words where the role has it, in this version.
func.func @alpha_report_state(%index : i64, %version : i64, %words : !ptr_xdsl.ptr, %bytes : i64) {
  %none = arith.constant 0 : i64
  %kind = arith.constant 3 : i64
  func.call @write_held() : () -> ()
  func.call @write_header(%kind, %index, %version, %bytes) : (i64, i64, i64, i64) -> ()
  func.call @write_out(%words, %bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: it is reported, and written, that the generation of this version is stored.
func.func @alpha_report_stored(%version : i64) {
  %none = arith.constant 0 : i64
  %kind = arith.constant 5 : i64
  func.call @write_held() : () -> ()
  func.call @write_header(%kind, %none, %version, %none) : (i64, i64, i64, i64) -> ()
  func.return
}

// Contract: it is reported, and written, that all has been told.
func.func @alpha_report_end(%version : i64) {
  %none = arith.constant 0 : i64
  %kind = arith.constant 4 : i64
  func.call @write_held() : () -> ()
  func.call @write_header(%kind, %none, %version, %none) : (i64, i64, i64, i64) -> ()
  func.return
}

// Contract: another round may begin: the session isn't over, or the process ends. What is held is
// written if 50 ms have passed since that was asked and done last.
func.func @alpha_round() {
  %c2 = arith.constant 2 : index
  %none = arith.constant 0 : i64
  %lost = arith.constant 4 : i64
  %pause = arith.constant 50000000 : i64
  %now = func.call @alpha_now() : () -> i64
  func.call @check_written(%now) : (i64) -> ()
  %over = func.call @alpha_is_over(%now) : (i64) -> i1
  scf.if %over {
    func.call @alpha_say_overdue() : () -> ()
    func.call @alpha_say_session() : () -> ()
    %passed, %passed_bytes = linux.text " have passed"
    func.call @alpha_say(%passed, %passed_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_end(%lost) : (i64) -> ()
  }
  %held = memref.get_global @reports_held : memref<3xi64>
  %last = memref.load %held[%c2] : memref<3xi64>
  %age = arith.subi %now, %last : i64
  %due = arith.cmpi sge, %age, %pause : i64
  scf.if %due {
    memref.store %now, %held[%c2] : memref<3xi64>
    func.call @write_held() : () -> ()
  }
  func.return
}

// Contract: what is held is written as far as that can be done in 100 ms, and isn't held any more;
// nothing that goes wrong is said. For a process that ends.
func.func @alpha_give_reports() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %nowhere = arith.constant -1 : i64
  %stdout = arith.constant 1 : i64
  %last = arith.constant 9223372036854775807 : i64
  %pause = arith.constant 100000000 : i64
  %held = memref.get_global @reports_held : memref<3xi64>
  %bytes = memref.load %held[%c0] : memref<3xi64>
  memref.store %none, %held[%c0] : memref<3xi64>
  memref.store %nowhere, %held[%c1] : memref<3xi64>
  %some = arith.cmpi ne, %bytes, %none : i64
  scf.if %some {
    %at = func.call @place_of(%none) : (i64) -> !ptr_xdsl.ptr
    %until = func.call @alpha_sooner(%pause, %last) : (i64, i64) -> i64
    %written = func.call @alpha_write(%stdout, %at, %bytes, %until)
      : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
  }
  func.return
}

// Contract: the place behind what is held, where `bytes` bytes fit (32768 at most); what was held
// is written first if they didn't.
func.func private @room_for(%bytes : i64) -> i64 {
  %c0 = arith.constant 0 : index
  %all = arith.constant 32768 : i64
  %held = memref.get_global @reports_held : memref<3xi64>
  %before = memref.load %held[%c0] : memref<3xi64>
  %behind = arith.addi %before, %bytes : i64
  %full = arith.cmpi ugt, %behind, %all : i64
  scf.if %full {
    func.call @write_held() : () -> ()
  }
  %place = memref.load %held[%c0] : memref<3xi64>
  func.return %place : i64
}

// Contract: the address of a place in what is held.
func.func private @place_of(%offset : i64) -> !ptr_xdsl.ptr {
  %reports = memref.get_global @reports : memref<32768xi8>
  %base = ptr_xdsl.to_ptr %reports : memref<32768xi8> -> !ptr_xdsl.ptr
  %at = ptr_xdsl.ptradd %base, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  func.return %at : !ptr_xdsl.ptr
}

// Contract: the 32 bytes at `at`, which needn't be aligned, become the header of a record.
func.func private @write_record(%at : !ptr_xdsl.ptr, %kind : i64, %index : i64, %version : i64,
    %count : i64, %bytes : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %half = arith.constant 32 : i64
  %head = ptr_xdsl.from_ptr %at : !ptr_xdsl.ptr -> memref<4xi64>
  %upper = arith.shli %index, %half : i64
  %what = arith.ori %kind, %upper : i64
  memref.store %what, %head[%c0] : memref<4xi64>
  memref.store %version, %head[%c1] : memref<4xi64>
  memref.store %count, %head[%c2] : memref<4xi64>
  memref.store %bytes, %head[%c3] : memref<4xi64>
  func.return
}

// Contract: the header of a record without a count is written.
func.func private @write_header(%kind : i64, %index : i64, %version : i64, %bytes : i64) {
  %none = arith.constant 0 : i64
  %size = arith.constant 32 : i64
  %head = memref.alloca() : memref<4xi64>
  %at = ptr_xdsl.to_ptr %head : memref<4xi64> -> !ptr_xdsl.ptr
  func.call @write_record(%at, %kind, %index, %version, %none, %bytes)
    : (!ptr_xdsl.ptr, i64, i64, i64, i64, i64) -> ()
  func.call @write_out(%at, %size) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: what is held is written, and held no more.
func.func private @write_held() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %nowhere = arith.constant -1 : i64
  %held = memref.get_global @reports_held : memref<3xi64>
  %bytes = memref.load %held[%c0] : memref<3xi64>
  // If that fails, it must not be tried again at the end.
  memref.store %none, %held[%c0] : memref<3xi64>
  memref.store %nowhere, %held[%c1] : memref<3xi64>
  %at = func.call @place_of(%none) : (i64) -> !ptr_xdsl.ptr
  func.call @write_out(%at, %bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: `bytes` bytes are written on stdout, or the process ends. A wait is for 64 KiB at most,
// so that many bytes may take a reader long who reads all the time.
func.func private @write_out(%from : !ptr_xdsl.ptr, %bytes : i64) {
  %none = arith.constant 0 : i64
  %stdout = arith.constant 1 : i64
  %most = arith.constant 65536 : i64
  scf.for %done = %none to %bytes step %most : i64 {
    %left = arith.subi %bytes, %done : i64
    %size = arith.minui %left, %most : i64
    %at = ptr_xdsl.ptradd %from, %done : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %until = func.call @alpha_bound() : () -> i64
    %written = func.call @alpha_write(%stdout, %at, %size, %until)
      : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
    func.call @check_written(%written) : (i64) -> ()
  }
  func.return
}

// Contract: writing, or asking the clock when, gave no error, or the process ends.
func.func private @check_written(%result : i64) {
  %none = arith.constant 0 : i64
  %overdue = arith.constant -5000 : i64
  %lost = arith.constant 4 : i64
  %failed = arith.constant 5 : i64
  %bad = arith.cmpi slt, %result, %none : i64
  scf.if %bad {
    %late = arith.cmpi eq, %result, %overdue : i64
    scf.if %late {
      func.call @alpha_say_overdue() : () -> ()
      %nobody, %nobody_bytes = linux.text "no report was read in "
      func.call @alpha_say(%nobody, %nobody_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      %doing, %doing_bytes = linux.text "reporting"
      func.call @alpha_say_bound(%doing, %doing_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @alpha_end(%lost) : (i64) -> ()
    }
    %number = arith.subi %none, %result : i64
    func.call @alpha_say_failed() : () -> ()
    func.call @alpha_say_reason(%number) : (i64) -> ()
    func.call @alpha_end(%failed) : (i64) -> ()
  }
  func.return
}
