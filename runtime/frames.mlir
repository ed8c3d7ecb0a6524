// Frames: one message on an edge, as docs/frame.md says it, and the checks of who receives it.
//
// A receiver knows the header that comes and compares it before it reads the body; no byte of a
// peer is used as a size, an address or a route. A frame that isn't the expected one, a peer that
// is gone and a deadline end the process: with a line, and status 3 if something is refused, 4 if a
// peer is lost, 5 if this host fails.
//
// An edge is a record of eight words, see edges.mlir: its descriptor, its peer, and how many frames
// were sent and received on it.

"memref.global"() <{sym_name = "run_identity", type = memref<4xi64>, sym_visibility = "private",
  initial_value = dense<0> : tensor<4xi64>}> : () -> ()

func.func private @alpha_set_role(i64)
func.func private @alpha_role_of_line() -> i64
func.func private @alpha_set_bounds(i64, i64)
func.func private @alpha_bound() -> i64
func.func private @alpha_was_over() -> i1
func.func private @alpha_say_bound(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_session()
func.func private @alpha_say(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_number(i64)
func.func private @alpha_say_hex(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_error(i64)
func.func private @alpha_say_refused(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_lost(i64)
func.func private @alpha_say_failed()
func.func private @alpha_end(i64)
func.func private @alpha_send_bytes(!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_receive_bytes(!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_receive_pieces(!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, i64, i64) -> i64
func.func private @alpha_end_stream(!ptr_xdsl.ptr) -> i64
func.func private @alpha_close(!ptr_xdsl.ptr) -> i64
func.func private @alpha_digest(!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr)
func.func private @alpha_digest_pair(!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, !ptr_xdsl.ptr, i64,
                                     !ptr_xdsl.ptr)

// Contract: from here on frames are of the run with the 32 bytes at `identity`, sent and received
// by this role, until `session` (of the monotonic clock) and no longer than `wait` for one frame.
func.func @alpha_set_run(%role : i64, %identity : !ptr_xdsl.ptr, %session : i64, %wait : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  func.call @alpha_set_role(%role) : (i64) -> ()
  func.call @alpha_set_bounds(%session, %wait) : (i64, i64) -> ()
  %given = ptr_xdsl.from_ptr %identity : !ptr_xdsl.ptr -> memref<4xi64>
  %held = memref.get_global @run_identity : memref<4xi64>
  scf.for %i = %c0 to %c4 step %c1 {
    %word = memref.load %given[%i] : memref<4xi64>
    memref.store %word, %held[%i] : memref<4xi64>
  }
  func.return
}

// Contract: `head` becomes the header of a frame.
func.func private @write_head(%head : memref<11xi64>, %sender : i64, %receiver : i64, %site : i64,
    %part : i64, %version : i64, %sequence : i64, %count : i64, %extent : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %half = arith.constant 32 : i64
  // "ALFR", and the frame version 1 in the upper half.
  %magic = arith.constant 0x0000000152464c41 : i64
  memref.store %magic, %head[%c0] : memref<11xi64>
  %identity = memref.get_global @run_identity : memref<4xi64>
  scf.for %i = %c0 to %c4 step %c1 {
    %word = memref.load %identity[%i] : memref<4xi64>
    %at = arith.addi %i, %c1 : index
    memref.store %word, %head[%at] : memref<11xi64>
  }
  %to = arith.shli %receiver, %half : i64
  %edge = arith.ori %sender, %to : i64
  memref.store %edge, %head[%c5] : memref<11xi64>
  %upper = arith.shli %part, %half : i64
  %where = arith.ori %site, %upper : i64
  memref.store %where, %head[%c6] : memref<11xi64>
  memref.store %version, %head[%c7] : memref<11xi64>
  memref.store %sequence, %head[%c8] : memref<11xi64>
  memref.store %count, %head[%c9] : memref<11xi64>
  memref.store %extent, %head[%c10] : memref<11xi64>
  func.return
}

// Contract: the line says which frame this header is of.
func.func private @say_frame(%head : memref<11xi64>) {
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %half = arith.constant 32 : i64
  %low = arith.constant 0xffffffff : i64
  %edge = memref.load %head[%c5] : memref<11xi64>
  %where = memref.load %head[%c6] : memref<11xi64>
  %sender = arith.andi %edge, %low : i64
  %receiver = arith.shrui %edge, %half : i64
  %site = arith.andi %where, %low : i64
  %part = arith.shrui %where, %half : i64
  %t0, %t0_bytes = linux.text "the frame from role "
  func.call @alpha_say(%t0, %t0_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_number(%sender) : (i64) -> ()
  %t1, %t1_bytes = linux.text " to role "
  func.call @alpha_say(%t1, %t1_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_number(%receiver) : (i64) -> ()
  %t2, %t2_bytes = linux.text " at site "
  func.call @alpha_say(%t2, %t2_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_number(%site) : (i64) -> ()
  %t3, %t3_bytes = linux.text " part "
  func.call @alpha_say(%t3, %t3_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_number(%part) : (i64) -> ()
  func.return
}

// Contract: if `bytes` bytes at `offset` of two headers differ, the process ends: what the field
// has in `wanted` is expected, and what it has in `found` was found: a number, or bytes if `raw`.
func.func private @check_field(%wanted : memref<11xi64>, %found : memref<11xi64>, %offset : i64,
    %bytes : i64, %raw : i1, %name : !ptr_xdsl.ptr, %name_bytes : i64, %code : !ptr_xdsl.ptr,
    %code_bytes : i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %same = arith.constant true
  %base = ptr_xdsl.to_ptr %wanted : memref<11xi64> -> !ptr_xdsl.ptr
  %other = ptr_xdsl.to_ptr %found : memref<11xi64> -> !ptr_xdsl.ptr
  %want = ptr_xdsl.ptradd %base, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %got = ptr_xdsl.ptradd %other, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %count = arith.index_cast %bytes : i64 to index
  %equal = scf.for %i = %zero to %count step %one iter_args(%so_far = %same) -> (i1) {
    %a_at = ptr_xdsl.ptradd %want, %i : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
    %b_at = ptr_xdsl.ptradd %got, %i : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
    %a = ptr_xdsl.load %a_at : !ptr_xdsl.ptr -> i8
    %b = ptr_xdsl.load %b_at : !ptr_xdsl.ptr -> i8
    %alike = arith.cmpi eq, %a, %b : i8
    %both = arith.andi %so_far, %alike : i1
    scf.yield %both : i1
  }
  scf.if %equal {
  } else {
    func.call @alpha_say_refused(%code, %code_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %expected, %expected_bytes = linux.text "expected "
    func.call @alpha_say(%expected, %expected_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say(%name, %name_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %space, %space_bytes = linux.text " "
    func.call @alpha_say(%space, %space_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @say_value(%want, %bytes, %raw) : (!ptr_xdsl.ptr, i64, i1) -> ()
    %in, %in_bytes = linux.text " in "
    func.call @alpha_say(%in, %in_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @say_frame(%wanted) : (memref<11xi64>) -> ()
    %but, %but_bytes = linux.text ", found "
    func.call @alpha_say(%but, %but_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @say_value(%got, %bytes, %raw) : (!ptr_xdsl.ptr, i64, i1) -> ()
    %refused = arith.constant 3 : i64
    func.call @alpha_end(%refused) : (i64) -> ()
  }
  func.return
}

// Contract: the line says the bytes at `at`: as a number of four or eight bytes, or `raw` as bytes.
func.func private @say_value(%at : !ptr_xdsl.ptr, %bytes : i64, %raw : i1) {
  %eight = arith.constant 8 : i64
  scf.if %raw {
    func.call @alpha_say_hex(%at, %bytes) : (!ptr_xdsl.ptr, i64) -> ()
  } else {
    %long = arith.cmpi eq, %bytes, %eight : i64
    %number = scf.if %long -> (i64) {
      %word = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i64
      scf.yield %word : i64
    } else {
      %word = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i32
      %wide = arith.extui %word : i32 to i64
      scf.yield %wide : i64
    }
    func.call @alpha_say_number(%number) : (i64) -> ()
  }
  func.return
}

// Contract: a header that came is the expected one, or the process ends with the code of the first
// field that differs.
func.func private @check_head(%wanted : memref<11xi64>, %found : memref<11xi64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %words = arith.constant 11 : index
  %none = arith.constant 0 : i64
  %differing = scf.for %i = %zero to %words step %one iter_args(%so_far = %none) -> (i64) {
    %a = memref.load %wanted[%i] : memref<11xi64>
    %b = memref.load %found[%i] : memref<11xi64>
    %bits = arith.xori %a, %b : i64
    %all = arith.ori %so_far, %bits : i64
    scf.yield %all : i64
  }
  %other = arith.cmpi ne, %differing, %none : i64
  scf.if %other {
    %raw = arith.constant true
    %number = arith.constant false
    %code_identity, %code_identity_bytes = linux.text "frame-identity"
    %code_edge, %code_edge_bytes = linux.text "frame-edge"
    %code_version, %code_version_bytes = linux.text "frame-version"
    %code_extent, %code_extent_bytes = linux.text "frame-extent"
    %magic, %magic_bytes = linux.text "magic"
    %magic_at = arith.constant 0 : i64
    %magic_size = arith.constant 4 : i64
    func.call @check_field(%wanted, %found, %magic_at, %magic_size, %raw,
        %magic, %magic_bytes, %code_identity, %code_identity_bytes)
      : (memref<11xi64>, memref<11xi64>, i64, i64, i1, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64)
      -> ()
    %frame_version, %frame_version_bytes = linux.text "frame_version"
    %frame_version_at = arith.constant 4 : i64
    %frame_version_size = arith.constant 4 : i64
    func.call @check_field(%wanted, %found, %frame_version_at, %frame_version_size, %number,
        %frame_version, %frame_version_bytes, %code_identity, %code_identity_bytes)
      : (memref<11xi64>, memref<11xi64>, i64, i64, i1, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64)
      -> ()
    %run_identity, %run_identity_bytes = linux.text "run_identity"
    %run_identity_at = arith.constant 8 : i64
    %run_identity_size = arith.constant 32 : i64
    func.call @check_field(%wanted, %found, %run_identity_at, %run_identity_size, %raw,
        %run_identity, %run_identity_bytes, %code_identity, %code_identity_bytes)
      : (memref<11xi64>, memref<11xi64>, i64, i64, i1, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64)
      -> ()
    %sender, %sender_bytes = linux.text "sender"
    %sender_at = arith.constant 40 : i64
    %sender_size = arith.constant 4 : i64
    func.call @check_field(%wanted, %found, %sender_at, %sender_size, %number,
        %sender, %sender_bytes, %code_edge, %code_edge_bytes)
      : (memref<11xi64>, memref<11xi64>, i64, i64, i1, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64)
      -> ()
    %receiver, %receiver_bytes = linux.text "receiver"
    %receiver_at = arith.constant 44 : i64
    %receiver_size = arith.constant 4 : i64
    func.call @check_field(%wanted, %found, %receiver_at, %receiver_size, %number,
        %receiver, %receiver_bytes, %code_edge, %code_edge_bytes)
      : (memref<11xi64>, memref<11xi64>, i64, i64, i1, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64)
      -> ()
    %site, %site_bytes = linux.text "site"
    %site_at = arith.constant 48 : i64
    %site_size = arith.constant 4 : i64
    func.call @check_field(%wanted, %found, %site_at, %site_size, %number,
        %site, %site_bytes, %code_edge, %code_edge_bytes)
      : (memref<11xi64>, memref<11xi64>, i64, i64, i1, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64)
      -> ()
    %part, %part_bytes = linux.text "part"
    %part_at = arith.constant 52 : i64
    %part_size = arith.constant 4 : i64
    func.call @check_field(%wanted, %found, %part_at, %part_size, %number,
        %part, %part_bytes, %code_edge, %code_edge_bytes)
      : (memref<11xi64>, memref<11xi64>, i64, i64, i1, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64)
      -> ()
    %version, %version_bytes = linux.text "version"
    %version_at = arith.constant 56 : i64
    %version_size = arith.constant 8 : i64
    func.call @check_field(%wanted, %found, %version_at, %version_size, %number,
        %version, %version_bytes, %code_version, %code_version_bytes)
      : (memref<11xi64>, memref<11xi64>, i64, i64, i1, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64)
      -> ()
    %sequence, %sequence_bytes = linux.text "sequence"
    %sequence_at = arith.constant 64 : i64
    %sequence_size = arith.constant 8 : i64
    func.call @check_field(%wanted, %found, %sequence_at, %sequence_size, %number,
        %sequence, %sequence_bytes, %code_version, %code_version_bytes)
      : (memref<11xi64>, memref<11xi64>, i64, i64, i1, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64)
      -> ()
    %count, %count_bytes = linux.text "count"
    %count_at = arith.constant 72 : i64
    %count_size = arith.constant 8 : i64
    func.call @check_field(%wanted, %found, %count_at, %count_size, %number,
        %count, %count_bytes, %code_extent, %code_extent_bytes)
      : (memref<11xi64>, memref<11xi64>, i64, i64, i1, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64)
      -> ()
    %extent, %extent_bytes = linux.text "extent"
    %extent_at = arith.constant 80 : i64
    %extent_size = arith.constant 8 : i64
    func.call @check_field(%wanted, %found, %extent_at, %extent_size, %number,
        %extent, %extent_bytes, %code_extent, %code_extent_bytes)
      : (memref<11xi64>, memref<11xi64>, i64, i64, i1, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64)
      -> ()
  }
  func.return
}

// Contract: the end of a wait for an edge's peer that begins now; the process ends if the session is
// over. `doing` says what is waited for.
func.func private @begin_wait(%edge : memref<8xi64>, %doing : !ptr_xdsl.ptr, %doing_bytes : i64)
    -> i64 {
  %c1 = arith.constant 1 : index
  %lost = arith.constant 4 : i64
  %until = func.call @alpha_bound() : () -> i64
  %over = func.call @alpha_was_over() : () -> i1
  scf.if %over {
    %peer = memref.load %edge[%c1] : memref<8xi64>
    func.call @alpha_say_lost(%peer) : (i64) -> ()
    func.call @alpha_say_session() : () -> ()
    %before, %before_bytes = linux.text " were over before "
    func.call @alpha_say(%before, %before_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say(%doing, %doing_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_end(%lost) : (i64) -> ()
  }
  func.return %until : i64
}

// Contract: the line says that `result`, an error of the kernel, was one of this host, or that it
// says that the edge's peer is gone; and begins to say during what. The status to end with.
func.func private @say_broken(%edge : memref<8xi64>, %result : i64) -> i64 {
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %lost = arith.constant 4 : i64
  %failed = arith.constant 5 : i64
  %number = arith.subi %none, %result : i64
  %host = func.call @is_of_host(%number) : (i64) -> i1
  scf.if %host {
    func.call @alpha_say_failed() : () -> ()
  } else {
    %peer = memref.load %edge[%c1] : memref<8xi64>
    func.call @alpha_say_lost(%peer) : (i64) -> ()
  }
  func.call @alpha_say_error(%number) : (i64) -> ()
  %while, %while_bytes = linux.text ", while "
  func.call @alpha_say(%while, %while_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  %status = arith.select %host, %failed, %lost : i64
  func.return %status : i64
}

// Contract: sending `bytes` bytes gave `result`, which is below zero, when `gone` of them were with
// the system; the process ends.
func.func private @give_up_sending(%edge : memref<8xi64>, %result : i64, %bytes : i64, %gone : i64) {
  %c1 = arith.constant 1 : index
  %lost = arith.constant 4 : i64
  %overdue = arith.constant -5000 : i64
  %ended = arith.constant -5001 : i64
  %peer = memref.load %edge[%c1] : memref<8xi64>
  %late = arith.cmpi eq, %result, %overdue : i64
  scf.if %late {
    func.call @alpha_say_lost(%peer) : (i64) -> ()
    %took, %took_bytes = linux.text "it took "
    func.call @alpha_say(%took, %took_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_number(%gone) : (i64) -> ()
    %of, %of_bytes = linux.text " of "
    func.call @alpha_say(%of, %of_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_number(%bytes) : (i64) -> ()
    %in, %in_bytes = linux.text " bytes in "
    func.call @alpha_say(%in, %in_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %doing, %doing_bytes = linux.text "sending a frame"
    func.call @alpha_say_bound(%doing, %doing_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_end(%lost) : (i64) -> ()
  }
  %closed = arith.cmpi eq, %result, %ended : i64
  %status = scf.if %closed -> (i64) {
    func.call @alpha_say_lost(%peer) : (i64) -> ()
    %left, %left_bytes = linux.text "it ended its stream, while "
    func.call @alpha_say(%left, %left_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    scf.yield %lost : i64
  } else {
    %broken = func.call @say_broken(%edge, %result) : (memref<8xi64>, i64) -> i64
    scf.yield %broken : i64
  }
  func.call @alpha_say_number(%bytes) : (i64) -> ()
  %were, %were_bytes = linux.text " bytes were sent"
  func.call @alpha_say(%were, %were_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_end(%status) : (i64) -> ()
  func.return
}

// Contract: receiving `bytes` bytes gave `result`, which is below zero, when `came` of them were
// there; the process ends. `doing` says what was waited for.
func.func private @give_up_receiving(%edge : memref<8xi64>, %result : i64, %bytes : i64,
    %came : i64, %doing : !ptr_xdsl.ptr, %doing_bytes : i64) {
  %c1 = arith.constant 1 : index
  %lost = arith.constant 4 : i64
  %overdue = arith.constant -5000 : i64
  %late = arith.cmpi eq, %result, %overdue : i64
  scf.if %late {
    %peer = memref.load %edge[%c1] : memref<8xi64>
    func.call @alpha_say_lost(%peer) : (i64) -> ()
    func.call @alpha_say_number(%came) : (i64) -> ()
    %of, %of_bytes = linux.text " of "
    func.call @alpha_say(%of, %of_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_number(%bytes) : (i64) -> ()
    %in, %in_bytes = linux.text " bytes came in "
    func.call @alpha_say(%in, %in_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_bound(%doing, %doing_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_end(%lost) : (i64) -> ()
  }
  %status = func.call @say_broken(%edge, %result) : (memref<8xi64>, i64) -> i64
  func.call @alpha_say_number(%bytes) : (i64) -> ()
  %were, %were_bytes = linux.text " bytes were awaited, of which "
  func.call @alpha_say(%were, %were_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_number(%came) : (i64) -> ()
  %there, %there_bytes = linux.text " came"
  func.call @alpha_say(%there, %there_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_end(%status) : (i64) -> ()
  func.return
}

// Contract: whether an error of a connection is this host's; the others say that the peer is gone.
func.func private @is_of_host(%number : i64) -> i1 {
  %no = arith.constant false
  %yes = arith.constant true
  %which = arith.index_cast %number : i64 to index
  %is = scf.index_switch %which -> i1
  // EPERM
  case 1 {
    scf.yield %yes : i1
  }
  // EBADF
  case 9 {
    scf.yield %yes : i1
  }
  // ENOMEM
  case 12 {
    scf.yield %yes : i1
  }
  // EACCES
  case 13 {
    scf.yield %yes : i1
  }
  // EFAULT
  case 14 {
    scf.yield %yes : i1
  }
  // EINVAL
  case 22 {
    scf.yield %yes : i1
  }
  // ENOTSOCK
  case 88 {
    scf.yield %yes : i1
  }
  // EDESTADDRREQ
  case 89 {
    scf.yield %yes : i1
  }
  // EMSGSIZE
  case 90 {
    scf.yield %yes : i1
  }
  // EOPNOTSUPP
  case 95 {
    scf.yield %yes : i1
  }
  // ENOBUFS
  case 105 {
    scf.yield %yes : i1
  }
  // EISCONN
  case 106 {
    scf.yield %yes : i1
  }
  default {
    scf.yield %no : i1
  }
  func.return %is : i1
}

// Contract: piece `number` of `pieces` is the `bytes` bytes at `at`: an address and a size.
func.func private @set_piece(%pieces : !ptr_xdsl.ptr, %number : i64, %at : !ptr_xdsl.ptr,
    %bytes : i64) {
  %each = arith.constant 16 : i64
  %eight = arith.constant 8 : i64
  %offset = arith.muli %number, %each : i64
  %address = ptr_xdsl.ptradd %pieces, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  ptr_xdsl.store %at, %address : !ptr_xdsl.ptr, !ptr_xdsl.ptr
  %size = ptr_xdsl.ptradd %address, %eight : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  ptr_xdsl.store %bytes, %size : i64, !ptr_xdsl.ptr
  func.return
}

// Contract: how many bytes `count` pieces have together.
func.func private @bytes_of(%pieces : !ptr_xdsl.ptr, %count : i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %last = arith.index_cast %count : i64 to index
  %words = ptr_xdsl.from_ptr %pieces : !ptr_xdsl.ptr -> memref<?x2xi64>
  %sum = scf.for %i = %c0 to %last step %c1 iter_args(%so_far = %none) -> (i64) {
    %bytes = memref.load %words[%i, %c1] : memref<?x2xi64>
    %all = arith.addi %so_far, %bytes : i64
    scf.yield %all : i64
  }
  func.return %sum : i64
}

// Contract: of a frame that is to be sent, a record of 21 words, all is there but its digest: 11 words of
// its header, four for the digest, and three pieces. It goes out once its digest is there.
func.func private @pack(%edge : memref<8xi64>, %frame : memref<21xi64>, %site : i64, %part : i64,
    %version : i64, %count : i64, %payload : !ptr_xdsl.ptr, %extent : i64) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant 0 : i64
  %single = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %head_bytes = arith.constant 88 : i64
  %digest_bytes = arith.constant 32 : i64
  %pieces_offset = arith.constant 120 : i64
  %role = func.call @alpha_role_of_line() : () -> i64
  %peer = memref.load %edge[%c1] : memref<8xi64>
  %sequence = memref.load %edge[%c2] : memref<8xi64>
  %head_at = ptr_xdsl.to_ptr %frame : memref<21xi64> -> !ptr_xdsl.ptr
  %digest_at = ptr_xdsl.ptradd %head_at, %head_bytes : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %pieces_at = ptr_xdsl.ptradd %head_at, %pieces_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %head = ptr_xdsl.from_ptr %head_at : !ptr_xdsl.ptr -> memref<11xi64>
  func.call @write_head(%head, %role, %peer, %site, %part, %version, %sequence, %count, %extent)
    : (memref<11xi64>, i64, i64, i64, i64, i64, i64, i64, i64) -> ()
  func.call @set_piece(%pieces_at, %none, %head_at, %head_bytes)
    : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64) -> ()
  func.call @set_piece(%pieces_at, %single, %payload, %extent)
    : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64) -> ()
  func.call @set_piece(%pieces_at, %two, %digest_at, %digest_bytes)
    : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: the packed frame, which has `extent` bytes of payload and its digest, is handed to the
// system, and counted, or the process ends.
func.func private @dispatch(%edge : memref<8xi64>, %frame : memref<21xi64>, %extent : i64) {
  %c2 = arith.constant 2 : index
  %none = arith.constant 0 : i64
  %single = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %overdue = arith.constant -5000 : i64
  %pieces_offset = arith.constant 120 : i64
  %head_at = ptr_xdsl.to_ptr %frame : memref<21xi64> -> !ptr_xdsl.ptr
  %pieces_at = ptr_xdsl.ptradd %head_at, %pieces_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %edge_at = ptr_xdsl.to_ptr %edge : memref<8xi64> -> !ptr_xdsl.ptr
  // Where all of it fits into the buffers nothing is waited for, and the clock isn't asked.
  %at_once = func.call @alpha_send_bytes(%edge_at, %pieces_at, %three, %none)
    : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, i64) -> i64
  %waits = arith.cmpi eq, %at_once, %overdue : i64
  %result = scf.if %waits -> (i64) {
    %doing, %doing_bytes = linux.text "sending a frame"
    %until = func.call @begin_wait(%edge, %doing, %doing_bytes)
      : (memref<8xi64>, !ptr_xdsl.ptr, i64) -> i64
    %later = func.call @alpha_send_bytes(%edge_at, %pieces_at, %three, %until)
      : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, i64) -> i64
    scf.yield %later : i64
  } else {
    scf.yield %at_once : i64
  }
  %bad = arith.cmpi slt, %result, %none : i64
  scf.if %bad {
    %around = arith.constant 120 : i64
    %all = arith.addi %extent, %around : i64
    %left = func.call @bytes_of(%pieces_at, %three) : (!ptr_xdsl.ptr, i64) -> i64
    %gone = arith.subi %all, %left : i64
    func.call @give_up_sending(%edge, %result, %all, %gone) : (memref<8xi64>, i64, i64, i64) -> ()
  }
  %sequence = memref.load %edge[%c2] : memref<8xi64>
  %next = arith.addi %sequence, %single : i64
  memref.store %next, %edge[%c2] : memref<8xi64>
  func.return
}

// Contract: the frame with the `extent` bytes at `payload` is handed to the system, and counted, or
// the process ends.
func.func @alpha_send(%edge : memref<8xi64>, %site : i64, %part : i64, %version : i64, %count : i64,
    %payload : !ptr_xdsl.ptr, %extent : i64) {
  %two = arith.constant 2 : i64
  %head_bytes = arith.constant 88 : i64
  %pieces_offset = arith.constant 120 : i64
  %frame = memref.alloca() : memref<21xi64>
  func.call @pack(%edge, %frame, %site, %part, %version, %count, %payload, %extent)
    : (memref<8xi64>, memref<21xi64>, i64, i64, i64, i64, !ptr_xdsl.ptr, i64) -> ()
  %head_at = ptr_xdsl.to_ptr %frame : memref<21xi64> -> !ptr_xdsl.ptr
  %digest_at = ptr_xdsl.ptradd %head_at, %head_bytes : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %pieces_at = ptr_xdsl.ptradd %head_at, %pieces_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  func.call @alpha_digest(%pieces_at, %two, %digest_at) : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr) -> ()
  func.call @dispatch(%edge, %frame, %extent) : (memref<8xi64>, memref<21xi64>, i64) -> ()
  func.return
}

// Contract: the same of two frames of an operation, on two edges, one after the other. Their digests
// are computed at once.
func.func @alpha_send_pair(%site : i64, %version : i64, %edge_a : memref<8xi64>, %part_a : i64,
    %count_a : i64, %payload_a : !ptr_xdsl.ptr, %extent_a : i64, %edge_b : memref<8xi64>,
    %part_b : i64, %count_b : i64, %payload_b : !ptr_xdsl.ptr, %extent_b : i64) {
  %two = arith.constant 2 : i64
  %head_bytes = arith.constant 88 : i64
  %pieces_offset = arith.constant 120 : i64
  %a = memref.alloca() : memref<21xi64>
  %b = memref.alloca() : memref<21xi64>
  func.call @pack(%edge_a, %a, %site, %part_a, %version, %count_a, %payload_a, %extent_a)
    : (memref<8xi64>, memref<21xi64>, i64, i64, i64, i64, !ptr_xdsl.ptr, i64) -> ()
  func.call @pack(%edge_b, %b, %site, %part_b, %version, %count_b, %payload_b, %extent_b)
    : (memref<8xi64>, memref<21xi64>, i64, i64, i64, i64, !ptr_xdsl.ptr, i64) -> ()
  %head_a = ptr_xdsl.to_ptr %a : memref<21xi64> -> !ptr_xdsl.ptr
  %head_b = ptr_xdsl.to_ptr %b : memref<21xi64> -> !ptr_xdsl.ptr
  %digest_a = ptr_xdsl.ptradd %head_a, %head_bytes : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %digest_b = ptr_xdsl.ptradd %head_b, %head_bytes : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %pieces_a = ptr_xdsl.ptradd %head_a, %pieces_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %pieces_b = ptr_xdsl.ptradd %head_b, %pieces_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  func.call @alpha_digest_pair(%pieces_a, %two, %digest_a, %pieces_b, %two, %digest_b)
    : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr) -> ()
  func.call @dispatch(%edge_a, %a, %extent_a) : (memref<8xi64>, memref<21xi64>, i64) -> ()
  func.call @dispatch(%edge_b, %b, %extent_b) : (memref<8xi64>, memref<21xi64>, i64) -> ()
  func.return
}

// Contract: what is to be received next on the edge is the frame that the record of 34 words says: 11
// words of the header that is expected, 11 for the one that comes, four for the digest that comes, three
// pieces for what comes, the second of which is the payload, how many bytes are there, 0, and the
// result of looking for them, 0.
func.func private @expect(%edge : memref<8xi64>, %frame : memref<34xi64>, %site : i64, %part : i64,
    %version : i64, %count : i64, %payload : !ptr_xdsl.ptr, %extent : i64) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %none = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %found_offset = arith.constant 176 : i64
  %pieces_offset = arith.constant 208 : i64
  %digest_bytes = arith.constant 32 : i64
  %role = func.call @alpha_role_of_line() : () -> i64
  %peer = memref.load %edge[%c1] : memref<8xi64>
  %sequence = memref.load %edge[%c3] : memref<8xi64>
  %start = ptr_xdsl.to_ptr %frame : memref<34xi64> -> !ptr_xdsl.ptr
  %wanted = ptr_xdsl.from_ptr %start : !ptr_xdsl.ptr -> memref<11xi64>
  func.call @write_head(%wanted, %peer, %role, %site, %part, %version, %sequence, %count, %extent)
    : (memref<11xi64>, i64, i64, i64, i64, i64, i64, i64, i64) -> ()
  %found_at = ptr_xdsl.ptradd %start, %found_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %pieces_at = ptr_xdsl.ptradd %start, %pieces_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  func.call @set_hashed(%frame, %payload, %extent) : (memref<34xi64>, !ptr_xdsl.ptr, i64) -> ()
  func.call @set_piece(%pieces_at, %two, %found_at, %digest_bytes)
    : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64) -> ()
  memref.store %none, %frame[%c32] : memref<34xi64>
  memref.store %none, %frame[%c33] : memref<34xi64>
  func.return
}

// Contract: the first two pieces of the frame are its header and its payload.
func.func private @set_hashed(%frame : memref<34xi64>, %payload : !ptr_xdsl.ptr, %extent : i64) {
  %none = arith.constant 0 : i64
  %single = arith.constant 1 : i64
  %head_bytes = arith.constant 88 : i64
  %pieces_offset = arith.constant 208 : i64
  %start = ptr_xdsl.to_ptr %frame : memref<34xi64> -> !ptr_xdsl.ptr
  %head_at = ptr_xdsl.ptradd %start, %head_bytes : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %pieces_at = ptr_xdsl.ptradd %start, %pieces_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  func.call @set_piece(%pieces_at, %none, %head_at, %head_bytes)
    : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64) -> ()
  func.call @set_piece(%pieces_at, %single, %payload, %extent)
    : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: whether all of the frame is there already, with the header that is expected. Nothing is
// waited for, and nothing is said of what is wrong.
func.func private @is_there(%edge : memref<8xi64>, %frame : memref<34xi64>) -> i1 {
  %c10 = arith.constant 10 : index
  %c32 = arith.constant 32 : index
  %none = arith.constant 0 : i64
  %single = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %head_bytes = arith.constant 88 : i64
  %around = arith.constant 120 : i64
  func.call @look(%edge, %frame, %single, %head_bytes)
    : (memref<8xi64>, memref<34xi64>, i64, i64) -> ()
  %came = memref.load %frame[%c32] : memref<34xi64>
  %short = arith.subi %head_bytes, %came : i64
  %differing = func.call @differing(%frame) : (memref<34xi64>) -> i64
  %any = arith.ori %short, %differing : i64
  %right = arith.cmpi eq, %any, %none : i64
  %there = scf.if %right -> (i1) {
    %extent = memref.load %frame[%c10] : memref<34xi64>
    %whole = arith.addi %extent, %around : i64
    func.call @look(%edge, %frame, %three, %whole)
      : (memref<8xi64>, memref<34xi64>, i64, i64) -> ()
    %all = memref.load %frame[%c32] : memref<34xi64>
    %complete = arith.cmpi eq, %all, %whole : i64
    scf.yield %complete : i1
  } else {
    scf.yield %right : i1
  }
  func.return %there : i1
}

// Contract: no bit, or those in which the header of the frame differs from the one that is expected.
func.func private @differing(%frame : memref<34xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %words = arith.constant 11 : index
  %none = arith.constant 0 : i64
  %bits = scf.for %i = %c0 to %words step %c1 iter_args(%so_far = %none) -> (i64) {
    %behind = arith.addi %i, %words : index
    %a = memref.load %frame[%i] : memref<34xi64>
    %b = memref.load %frame[%behind] : memref<34xi64>
    %other = arith.xori %a, %b : i64
    %any = arith.ori %so_far, %other : i64
    scf.yield %any : i64
  }
  func.return %bits : i64
}

// Contract: of the frame, which is to have `whole` bytes in its first `count` pieces, what is there is
// taken. What goes wrong is kept in its record: the kernel says an error of a connection once.
func.func private @look(%edge : memref<8xi64>, %frame : memref<34xi64>, %count : i64, %whole : i64) {
  %c6 = arith.constant 6 : index
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %none = arith.constant 0 : i64
  %overdue = arith.constant -5000 : i64
  %pieces_offset = arith.constant 208 : i64
  %before = memref.load %frame[%c32] : memref<34xi64>
  %least = arith.subi %whole, %before : i64
  %start = ptr_xdsl.to_ptr %frame : memref<34xi64> -> !ptr_xdsl.ptr
  %pieces_at = ptr_xdsl.ptradd %start, %pieces_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %edge_at = ptr_xdsl.to_ptr %edge : memref<8xi64> -> !ptr_xdsl.ptr
  %result = func.call @alpha_receive_pieces(%edge_at, %pieces_at, %count, %least, %none)
    : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, i64, i64) -> i64
  %filled = memref.load %edge[%c6] : memref<8xi64>
  %came = arith.addi %before, %filled : i64
  memref.store %came, %frame[%c32] : memref<34xi64>
  %failed = arith.cmpi slt, %result, %none : i64
  %later = arith.cmpi eq, %result, %overdue : i64
  %error = arith.select %failed, %result, %none : i64
  %kept = arith.select %later, %none, %error : i64
  memref.store %kept, %frame[%c33] : memref<34xi64>
  func.return
}

// Contract: of the frame, of which bytes may have come earlier, `whole` are there now, all or those of
// the header, or the process ends.
func.func private @take(%edge : memref<8xi64>, %frame : memref<34xi64>, %whole : i64, %until : i64) {
  %c32 = arith.constant 32 : index
  %none = arith.constant 0 : i64
  %before = memref.load %frame[%c32] : memref<34xi64>
  %least = arith.subi %whole, %before : i64
  %some = arith.cmpi sgt, %least, %none : i64
  scf.if %some {
    func.call @take_more(%edge, %frame, %before, %whole, %until)
      : (memref<8xi64>, memref<34xi64>, i64, i64, i64) -> ()
  }
  func.return
}

// Contract: the same where `before` bytes came earlier, which are fewer.
func.func private @take_more(%edge : memref<8xi64>, %frame : memref<34xi64>, %before : i64,
    %whole : i64, %until : i64) {
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c10 = arith.constant 10 : index
  %c32 = arith.constant 32 : index
  %c33 = arith.constant 33 : index
  %none = arith.constant 0 : i64
  %single = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %lost = arith.constant 4 : i64
  %around = arith.constant 120 : i64
  %pieces_offset = arith.constant 208 : i64
  %seen = memref.load %frame[%c33] : memref<34xi64>
  %least = arith.subi %whole, %before : i64
  %start = ptr_xdsl.to_ptr %frame : memref<34xi64> -> !ptr_xdsl.ptr
  %wanted = ptr_xdsl.from_ptr %start : !ptr_xdsl.ptr -> memref<11xi64>
  %pieces_at = ptr_xdsl.ptradd %start, %pieces_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %edge_at = ptr_xdsl.to_ptr %edge : memref<8xi64> -> !ptr_xdsl.ptr
  %broken = arith.cmpi ne, %seen, %none : i64
  %head_bytes = arith.constant 88 : i64
  %of_head = arith.cmpi eq, %whole, %head_bytes : i64
  %count = arith.select %of_head, %single, %three : i64
  %result, %filled = scf.if %broken -> (i64, i64) {
    scf.yield %seen, %none : i64, i64
  } else {
    %received = func.call @alpha_receive_pieces(%edge_at, %pieces_at, %count, %least, %until)
      : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, i64, i64) -> i64
    %more = memref.load %edge[%c6] : memref<8xi64>
    scf.yield %received, %more : i64, i64
  }
  %bad = arith.cmpi slt, %result, %none : i64
  scf.if %bad {
    // Payload and digest are waited for together, behind the header.
    %begun = arith.select %of_head, %none, %head_bytes : i64
    %awaited = arith.subi %whole, %begun : i64
    %earlier = arith.subi %before, %begun : i64
    %there = arith.addi %earlier, %filled : i64
    %doing, %doing_bytes = linux.text "receiving a frame"
    func.call @give_up_receiving(%edge, %result, %awaited, %there, %doing, %doing_bytes)
      : (memref<8xi64>, i64, i64, i64, !ptr_xdsl.ptr, i64) -> ()
  }
  %came = arith.addi %before, %result : i64
  %short = arith.cmpi slt, %came, %whole : i64
  scf.if %short {
    %peer = memref.load %edge[%c1] : memref<8xi64>
    func.call @alpha_say_lost(%peer) : (i64) -> ()
    %nothing = arith.cmpi eq, %came, %none : i64
    scf.if %nothing {
      %early, %early_bytes = linux.text "it ended its stream before "
      func.call @alpha_say(%early, %early_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @say_frame(%wanted) : (memref<11xi64>) -> ()
    } else {
      %expected, %expected_bytes = linux.text "[frame-extent] expected "
      func.call @alpha_say(%expected, %expected_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      %extent = memref.load %frame[%c10] : memref<34xi64>
      %all = arith.addi %extent, %around : i64
      func.call @alpha_say_number(%all) : (i64) -> ()
      %of, %of_bytes = linux.text " bytes of "
      func.call @alpha_say(%of, %of_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @say_frame(%wanted) : (memref<11xi64>) -> ()
      %found, %found_bytes = linux.text ", found the end after "
      func.call @alpha_say(%found, %found_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @alpha_say_number(%came) : (i64) -> ()
    }
    func.call @alpha_end(%lost) : (i64) -> ()
  }
  memref.store %came, %frame[%c32] : memref<34xi64>
  func.return
}

// Contract: all of the frame is there, with the header that is expected, or the process ends. Behind
// another header nothing is taken: closing a connection with bytes in it resets it, so that the peer
// doesn't believe that they were wanted.
func.func private @arrive(%edge : memref<8xi64>, %frame : memref<34xi64>) {
  %c10 = arith.constant 10 : index
  %head_bytes = arith.constant 88 : i64
  %around = arith.constant 120 : i64
  %doing, %doing_bytes = linux.text "receiving a frame"
  %until = func.call @begin_wait(%edge, %doing, %doing_bytes)
    : (memref<8xi64>, !ptr_xdsl.ptr, i64) -> i64
  func.call @take(%edge, %frame, %head_bytes, %until)
    : (memref<8xi64>, memref<34xi64>, i64, i64) -> ()
  %start = ptr_xdsl.to_ptr %frame : memref<34xi64> -> !ptr_xdsl.ptr
  %head_at = ptr_xdsl.ptradd %start, %head_bytes : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %wanted = ptr_xdsl.from_ptr %start : !ptr_xdsl.ptr -> memref<11xi64>
  %head = ptr_xdsl.from_ptr %head_at : !ptr_xdsl.ptr -> memref<11xi64>
  func.call @check_head(%wanted, %head) : (memref<11xi64>, memref<11xi64>) -> ()
  %extent = memref.load %frame[%c10] : memref<34xi64>
  %whole = arith.addi %extent, %around : i64
  func.call @take(%edge, %frame, %whole, %until) : (memref<8xi64>, memref<34xi64>, i64, i64) -> ()
  func.return
}

// Contract: the digest of the frame that came is the one at `digest`, and the frame is counted; or the
// process ends.
func.func private @check_digest(%edge : memref<8xi64>, %frame : memref<34xi64>,
    %digest : memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant 0 : i64
  %single = arith.constant 1 : i64
  %digest_bytes = arith.constant 32 : i64
  %found_offset = arith.constant 176 : i64
  %start = ptr_xdsl.to_ptr %frame : memref<34xi64> -> !ptr_xdsl.ptr
  %found_at = ptr_xdsl.ptradd %start, %found_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %found = ptr_xdsl.from_ptr %found_at : !ptr_xdsl.ptr -> memref<4xi64>
  %differing = scf.for %i = %c0 to %c4 step %c1 iter_args(%so_far = %none) -> (i64) {
    %a = memref.load %digest[%i] : memref<4xi64>
    %b = memref.load %found[%i] : memref<4xi64>
    %bits = arith.xori %a, %b : i64
    %any = arith.ori %so_far, %bits : i64
    scf.yield %any : i64
  }
  %corrupt = arith.cmpi ne, %differing, %none : i64
  scf.if %corrupt {
    %code, %code_bytes = linux.text "frame-digest"
    func.call @alpha_say_refused(%code, %code_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %expected, %expected_bytes = linux.text "expected "
    func.call @alpha_say(%expected, %expected_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %digest_at = ptr_xdsl.to_ptr %digest : memref<4xi64> -> !ptr_xdsl.ptr
    func.call @alpha_say_hex(%digest_at, %digest_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %behind, %behind_bytes = linux.text " behind "
    func.call @alpha_say(%behind, %behind_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %wanted = ptr_xdsl.from_ptr %start : !ptr_xdsl.ptr -> memref<11xi64>
    func.call @say_frame(%wanted) : (memref<11xi64>) -> ()
    %but, %but_bytes = linux.text ", found "
    func.call @alpha_say(%but, %but_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_hex(%found_at, %digest_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %refused = arith.constant 3 : i64
    func.call @alpha_end(%refused) : (i64) -> ()
  }
  %sequence = memref.load %edge[%c3] : memref<8xi64>
  %next = arith.addi %sequence, %single : i64
  memref.store %next, %edge[%c3] : memref<8xi64>
  func.return
}

// Contract: the digest of the frame that came, its payload to `payload`, is right, and it is counted; or
// the process ends.
func.func private @accept(%edge : memref<8xi64>, %frame : memref<34xi64>,
    %payload : !ptr_xdsl.ptr, %extent : i64) {
  %two = arith.constant 2 : i64
  %pieces_offset = arith.constant 208 : i64
  func.call @set_hashed(%frame, %payload, %extent) : (memref<34xi64>, !ptr_xdsl.ptr, i64) -> ()
  %start = ptr_xdsl.to_ptr %frame : memref<34xi64> -> !ptr_xdsl.ptr
  %pieces_at = ptr_xdsl.ptradd %start, %pieces_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %digest = memref.alloca() : memref<4xi64>
  %digest_at = ptr_xdsl.to_ptr %digest : memref<4xi64> -> !ptr_xdsl.ptr
  func.call @alpha_digest(%pieces_at, %two, %digest_at) : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr) -> ()
  func.call @check_digest(%edge, %frame, %digest)
    : (memref<8xi64>, memref<34xi64>, memref<4xi64>) -> ()
  func.return
}

// Contract: the next frame on the edge is the expected one, its `extent` bytes of payload are at
// `payload` and its digest agrees, and it is counted; or the process ends.
func.func @alpha_receive(%edge : memref<8xi64>, %site : i64, %part : i64, %version : i64,
    %count : i64, %payload : !ptr_xdsl.ptr, %extent : i64) {
  %frame = memref.alloca() : memref<34xi64>
  func.call @expect(%edge, %frame, %site, %part, %version, %count, %payload, %extent)
    : (memref<8xi64>, memref<34xi64>, i64, i64, i64, i64, !ptr_xdsl.ptr, i64) -> ()
  func.call @arrive(%edge, %frame) : (memref<8xi64>, memref<34xi64>) -> ()
  func.call @accept(%edge, %frame, %payload, %extent)
    : (memref<8xi64>, memref<34xi64>, !ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: the same of two frames of an operation, on two edges, one after the other. Where the
// second is there when the first has come, their digests are computed at once; whatever is wrong
// with it, what is wrong with the first is said first.
func.func @alpha_receive_pair(%site : i64, %version : i64, %edge_a : memref<8xi64>, %part_a : i64,
    %count_a : i64, %payload_a : !ptr_xdsl.ptr, %extent_a : i64, %edge_b : memref<8xi64>,
    %part_b : i64, %count_b : i64, %payload_b : !ptr_xdsl.ptr, %extent_b : i64) {
  %a = memref.alloca() : memref<34xi64>
  %b = memref.alloca() : memref<34xi64>
  func.call @expect(%edge_a, %a, %site, %part_a, %version, %count_a, %payload_a, %extent_a)
    : (memref<8xi64>, memref<34xi64>, i64, i64, i64, i64, !ptr_xdsl.ptr, i64) -> ()
  func.call @expect(%edge_b, %b, %site, %part_b, %version, %count_b, %payload_b, %extent_b)
    : (memref<8xi64>, memref<34xi64>, i64, i64, i64, i64, !ptr_xdsl.ptr, i64) -> ()
  func.call @arrive(%edge_a, %a) : (memref<8xi64>, memref<34xi64>) -> ()
  %both = func.call @is_there(%edge_b, %b) : (memref<8xi64>, memref<34xi64>) -> i1
  scf.if %both {
    %two = arith.constant 2 : i64
    %pieces_offset = arith.constant 208 : i64
    func.call @set_hashed(%a, %payload_a, %extent_a)
      : (memref<34xi64>, !ptr_xdsl.ptr, i64) -> ()
    func.call @set_hashed(%b, %payload_b, %extent_b)
      : (memref<34xi64>, !ptr_xdsl.ptr, i64) -> ()
    %start_a = ptr_xdsl.to_ptr %a : memref<34xi64> -> !ptr_xdsl.ptr
    %start_b = ptr_xdsl.to_ptr %b : memref<34xi64> -> !ptr_xdsl.ptr
    %pieces_a = ptr_xdsl.ptradd %start_a, %pieces_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %pieces_b = ptr_xdsl.ptradd %start_b, %pieces_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %digest_a = memref.alloca() : memref<4xi64>
    %digest_b = memref.alloca() : memref<4xi64>
    %out_a = ptr_xdsl.to_ptr %digest_a : memref<4xi64> -> !ptr_xdsl.ptr
    %out_b = ptr_xdsl.to_ptr %digest_b : memref<4xi64> -> !ptr_xdsl.ptr
    func.call @alpha_digest_pair(%pieces_a, %two, %out_a, %pieces_b, %two, %out_b)
      : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr) -> ()
    func.call @check_digest(%edge_a, %a, %digest_a)
      : (memref<8xi64>, memref<34xi64>, memref<4xi64>) -> ()
    func.call @check_digest(%edge_b, %b, %digest_b)
      : (memref<8xi64>, memref<34xi64>, memref<4xi64>) -> ()
  } else {
    func.call @accept(%edge_a, %a, %payload_a, %extent_a)
      : (memref<8xi64>, memref<34xi64>, !ptr_xdsl.ptr, i64) -> ()
    func.call @arrive(%edge_b, %b) : (memref<8xi64>, memref<34xi64>) -> ()
    func.call @accept(%edge_b, %b, %payload_b, %extent_b)
      : (memref<8xi64>, memref<34xi64>, !ptr_xdsl.ptr, i64) -> ()
  }
  func.return
}

// Contract: of `count` edges at `edges`, one behind the other, every stream is ended, and every
// peer's ended with nothing more in it; then they are closed. Or the process ends.
func.func @alpha_finish(%edges : memref<?x8xi64>, %count : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %record = arith.constant 64 : i64
  %refused = arith.constant 3 : i64
  %last = arith.index_cast %count : i64 to index
  %base = ptr_xdsl.to_ptr %edges : memref<?x8xi64> -> !ptr_xdsl.ptr
  scf.for %i = %c0 to %last step %c1 {
    %number = arith.index_cast %i : index to i64
    %offset = arith.muli %number, %record : i64
    %edge_at = ptr_xdsl.ptradd %base, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %edge = ptr_xdsl.from_ptr %edge_at : !ptr_xdsl.ptr -> memref<8xi64>
    %result = func.call @alpha_end_stream(%edge_at) : (!ptr_xdsl.ptr) -> i64
    %bad = arith.cmpi slt, %result, %none : i64
    scf.if %bad {
      %status = func.call @say_broken(%edge, %result) : (memref<8xi64>, i64) -> i64
      %doing, %doing_bytes = linux.text "the stream was ended"
      func.call @alpha_say(%doing, %doing_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @alpha_end(%status) : (i64) -> ()
    }
  }
  scf.for %i = %c0 to %last step %c1 {
    %number = arith.index_cast %i : index to i64
    %offset = arith.muli %number, %record : i64
    %edge_at = ptr_xdsl.ptradd %base, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %edge = ptr_xdsl.from_ptr %edge_at : !ptr_xdsl.ptr -> memref<8xi64>
    %more = memref.alloca() : memref<1xi8>
    %more_at = ptr_xdsl.to_ptr %more : memref<1xi8> -> !ptr_xdsl.ptr
    %doing, %doing_bytes = linux.text "waiting for the end"
    %until = func.call @begin_wait(%edge, %doing, %doing_bytes)
      : (memref<8xi64>, !ptr_xdsl.ptr, i64) -> i64
    %came = func.call @alpha_receive_bytes(%edge_at, %more_at, %one, %until)
      : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, i64) -> i64
    %bad = arith.cmpi slt, %came, %none : i64
    scf.if %bad {
      func.call @give_up_receiving(%edge, %came, %one, %none, %doing, %doing_bytes)
        : (memref<8xi64>, i64, i64, i64, !ptr_xdsl.ptr, i64) -> ()
    }
    %another = arith.cmpi ne, %came, %none : i64
    scf.if %another {
      %code, %code_bytes = linux.text "frame-extent"
      func.call @alpha_say_refused(%code, %code_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      %expected, %expected_bytes = linux.text "expected the end of the stream from role "
      func.call @alpha_say(%expected, %expected_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      %peer = memref.load %edge[%c1] : memref<8xi64>
      func.call @alpha_say_number(%peer) : (i64) -> ()
      %to, %to_bytes = linux.text " to role "
      func.call @alpha_say(%to, %to_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      %role = func.call @alpha_role_of_line() : () -> i64
      func.call @alpha_say_number(%role) : (i64) -> ()
      %found, %found_bytes = linux.text ", found another byte, 0x"
      func.call @alpha_say(%found, %found_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @alpha_say_hex(%more_at, %one) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @alpha_end(%refused) : (i64) -> ()
    }
    %closed = func.call @alpha_close(%edge_at) : (!ptr_xdsl.ptr) -> i64
  }
  func.return
}
