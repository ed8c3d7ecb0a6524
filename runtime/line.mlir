// The line with which a role ends that can't go on, and its exit status.
//
// The line is put together piece by piece and written at once, so that lines of several roles don't
// mix. What is said beyond its room is left out. Nothing here allocates or fails, and nothing waits
// but the end, shortly, for who reads what the role has reported.

func.func private @alpha_give_reports()

"memref.global"() <{sym_name = "line", type = memref<2048xi8>, sym_visibility = "private",
  initial_value = dense<0> : tensor<2048xi8>}> : () -> ()
"memref.global"() <{sym_name = "line_size", type = memref<1xi64>, sym_visibility = "private",
  initial_value = dense<0> : tensor<1xi64>}> : () -> ()
"memref.global"() <{sym_name = "line_role", type = memref<1xi64>, sym_visibility = "private",
  initial_value = dense<0> : tensor<1xi64>}> : () -> ()

// Contract: from here on lines are of this role.
func.func @alpha_set_role(%role : i64) {
  %zero = arith.constant 0 : index
  %held = memref.get_global @line_role : memref<1xi64>
  memref.store %role, %held[%zero] : memref<1xi64>
  func.return
}

// The role of the lines.
func.func @alpha_role_of_line() -> i64 {
  %zero = arith.constant 0 : index
  %held = memref.get_global @line_role : memref<1xi64>
  %role = memref.load %held[%zero] : memref<1xi64>
  func.return %role : i64
}

// Contract: the `bytes` bytes at `text` stand at the end of the line, as many as there is room for.
func.func @alpha_say(%text : !ptr_xdsl.ptr, %bytes : i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // One byte is kept for the end of the line.
  %all = arith.constant 2047 : i64
  %line = memref.get_global @line : memref<2048xi8>
  %held = memref.get_global @line_size : memref<1xi64>
  %size = memref.load %held[%zero] : memref<1xi64>
  %room = arith.subi %all, %size : i64
  %fits = arith.cmpi ule, %bytes, %room : i64
  %taken = arith.select %fits, %bytes, %room : i64
  %count = arith.index_cast %taken : i64 to index
  %first = arith.index_cast %size : i64 to index
  scf.for %i = %zero to %count step %one {
    %from = ptr_xdsl.ptradd %text, %i : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
    %byte = ptr_xdsl.load %from : !ptr_xdsl.ptr -> i8
    %at = arith.addi %first, %i : index
    memref.store %byte, %line[%at] : memref<2048xi8>
  }
  %after = arith.addi %size, %taken : i64
  memref.store %after, %held[%zero] : memref<1xi64>
  func.return
}

// Contract: `number` stands at the end of the line, in decimal digits and without a sign.
func.func @alpha_say_number(%number : i64) {
  %twenty = arith.constant 20 : i64
  %digits = memref.alloca() : memref<20xi8>
  %base = ptr_xdsl.to_ptr %digits : memref<20xi8> -> !ptr_xdsl.ptr
  %place = func.call @alpha_digits(%number, %base) : (i64, !ptr_xdsl.ptr) -> i64
  %from = ptr_xdsl.ptradd %base, %place : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %size = arith.subi %twenty, %place : i64
  func.call @alpha_say(%from, %size) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: the last of the 20 bytes at `digits` become the decimal digits of a number without a
// sign, of which 2^64 - 1 has twenty; gives the place of the first.
func.func @alpha_digits(%number : i64, %digits : !ptr_xdsl.ptr) -> i64 {
  %one = arith.constant 1 : i64
  %ten = arith.constant 10 : i64
  %none = arith.constant 0 : i64
  %twenty = arith.constant 20 : i64
  %ascii = arith.constant 48 : i64
  // They come from the last to the first.
  %rest, %place = scf.while (%left = %number, %behind = %twenty) : (i64, i64) -> (i64, i64) {
    %place = arith.subi %behind, %one : i64
    %next = arith.divui %left, %ten : i64
    %tens = arith.muli %next, %ten : i64
    %digit = arith.subi %left, %tens : i64
    %letter = arith.addi %digit, %ascii : i64
    %byte = arith.trunci %letter : i64 to i8
    %at = ptr_xdsl.ptradd %digits, %place : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    ptr_xdsl.store %byte, %at : i8, !ptr_xdsl.ptr
    %more = arith.cmpi ne, %next, %none : i64
    scf.condition(%more) %next, %place : i64, i64
  } do {
  ^bb0(%left : i64, %behind : i64):
    scf.yield %left, %behind : i64, i64
  }
  func.return %place : i64
}

// Contract: a time in nanoseconds stands at the end of the line, in seconds, with the decimals that
// it has.
func.func @alpha_say_seconds(%nanoseconds : i64) {
  %none = arith.constant 0 : i64
  %ten = arith.constant 10 : i64
  %billion = arith.constant 1000000000 : i64
  %tenth = arith.constant 100000000 : i64
  %whole = arith.divui %nanoseconds, %billion : i64
  func.call @alpha_say_number(%whole) : (i64) -> ()
  %fraction = arith.remui %nanoseconds, %billion : i64
  %any = arith.cmpi ne, %fraction, %none : i64
  scf.if %any {
    %point, %point_bytes = linux.text "."
    func.call @alpha_say(%point, %point_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %after:2 = scf.while (%left = %fraction, %place = %tenth) : (i64, i64) -> (i64, i64) {
      %digit = arith.divui %left, %place : i64
      func.call @alpha_say_number(%digit) : (i64) -> ()
      %rest = arith.remui %left, %place : i64
      %next = arith.divui %place, %ten : i64
      %more = arith.cmpi ne, %rest, %none : i64
      scf.condition(%more) %rest, %next : i64, i64
    } do {
    ^bb0(%left : i64, %place : i64):
      scf.yield %left, %place : i64, i64
    }
  }
  func.return
}

// Contract: the `bytes` bytes at `data` stand at the end of the line, two hexadecimal digits each.
func.func @alpha_say_hex(%data : !ptr_xdsl.ptr, %bytes : i64) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %single = arith.constant 1 : i64
  %four = arith.constant 4 : i8
  %low = arith.constant 15 : i8
  %digits, %sixteen = linux.text "0123456789abcdef"
  %count = arith.index_cast %bytes : i64 to index
  scf.for %i = %zero to %count step %one {
    %from = ptr_xdsl.ptradd %data, %i : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
    %byte = ptr_xdsl.load %from : !ptr_xdsl.ptr -> i8
    %upper = arith.shrui %byte, %four : i8
    %lower = arith.andi %byte, %low : i8
    %u = arith.extui %upper : i8 to i64
    %l = arith.extui %lower : i8 to i64
    %first = ptr_xdsl.ptradd %digits, %u : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %second = ptr_xdsl.ptradd %digits, %l : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    func.call @alpha_say(%first, %single) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say(%second, %single) : (!ptr_xdsl.ptr, i64) -> ()
  }
  func.return
}

// Contract: the line begins anew, with whose it is.
func.func private @begin_line() {
  %zero = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %size = memref.get_global @line_size : memref<1xi64>
  memref.store %none, %size[%zero] : memref<1xi64>
  %role = func.call @alpha_role_of_line() : () -> i64
  %who, %who_bytes = linux.text "alpha: role "
  func.call @alpha_say(%who, %who_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_number(%role) : (i64) -> ()
  %colon, %colon_bytes = linux.text ": "
  func.call @alpha_say(%colon, %colon_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: the line says that something is refused with the code of `bytes` bytes at `code`.
func.func @alpha_say_refused(%code : !ptr_xdsl.ptr, %bytes : i64) {
  func.call @begin_line() : () -> ()
  %text, %size = linux.text "refused "
  func.call @alpha_say(%text, %size) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say(%code, %bytes) : (!ptr_xdsl.ptr, i64) -> ()
  %colon, %colon_bytes = linux.text ": "
  func.call @alpha_say(%colon, %colon_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: the line says that the peer is lost.
func.func @alpha_say_lost(%peer : i64) {
  func.call @begin_line() : () -> ()
  %text, %size = linux.text "lost role "
  func.call @alpha_say(%text, %size) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_number(%peer) : (i64) -> ()
  %colon, %colon_bytes = linux.text ": "
  func.call @alpha_say(%colon, %colon_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: the line says that a time is over for which no peer is to blame.
func.func @alpha_say_overdue() {
  func.call @begin_line() : () -> ()
  %text, %size = linux.text "overdue: "
  func.call @alpha_say(%text, %size) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: the line says that this host failed.
func.func @alpha_say_failed() {
  func.call @begin_line() : () -> ()
  %text, %size = linux.text "failed: "
  func.call @alpha_say(%text, %size) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: the line says that this isn't how the executable is started.
func.func @alpha_say_usage() {
  func.call @begin_line() : () -> ()
  %text, %size = linux.text "usage: "
  func.call @alpha_say(%text, %size) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: what was reported is written on stdout, and the line and its end on stderr, as far as
// they take them, and the process ends with `status`. It doesn't return. The kernel closes what is
// open, so peers learn of it.
func.func @alpha_end(%status : i64) {
  %zero = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %stderr = arith.constant 2 : i64
  func.call @alpha_give_reports() : () -> ()
  %newline = arith.constant 10 : i8
  %line = memref.get_global @line : memref<2048xi8>
  %held = memref.get_global @line_size : memref<1xi64>
  %size = memref.load %held[%zero] : memref<1xi64>
  %behind = arith.index_cast %size : i64 to index
  memref.store %newline, %line[%behind] : memref<2048xi8>
  %all = arith.addi %size, %one : i64
  %base = ptr_xdsl.to_ptr %line : memref<2048xi8> -> !ptr_xdsl.ptr
  %again = linux.constant "EINTR"
  %retried = arith.subi %none, %again : i64
  %written = scf.while (%done = %none) : (i64) -> (i64) {
    %from = ptr_xdsl.ptradd %base, %done : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %left = arith.subi %all, %done : i64
    %n = linux.syscall "write"(%stderr, %from, %left) : (i64, !ptr_xdsl.ptr, i64) -> i64
    %interrupted = arith.cmpi eq, %n, %retried : i64
    %gone = arith.select %interrupted, %none, %n : i64
    %now = arith.addi %done, %gone : i64
    %unfinished = arith.cmpi slt, %now, %all : i64
    %took = arith.cmpi sgt, %n, %none : i64
    %may = arith.ori %took, %interrupted : i1
    %more = arith.andi %unfinished, %may : i1
    scf.condition(%more) %now : i64
  } do {
  ^bb0(%done : i64):
    scf.yield %done : i64
  }
  %never = linux.syscall "exit_group"(%status) : (i64) -> i64
  func.return
}

// Contract: the line says an error of the kernel by its number: its name and what it means, or the
// number where that is none that a call of a socket, a stream or a file gives.
func.func @alpha_say_error(%number : i64) {
  %yes = arith.constant true
  func.call @say_error(%number, %yes) : (i64, i1) -> ()
  func.return
}

// Contract: the line says what an error of the kernel means, by its number, or the number.
func.func @alpha_say_reason(%number : i64) {
  %no = arith.constant false
  func.call @say_error(%number, %no) : (i64, i1) -> ()
  func.return
}

// Contract: the line says what an error of the kernel means, behind its name if it is `named`.
func.func private @say_error(%number : i64, %named : i1) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %comma = arith.constant 44 : i8
  %which = arith.index_cast %number : i64 to index
  %text, %bytes = scf.index_switch %which -> !ptr_xdsl.ptr, i64
  case 1 {
    %at, %size = linux.text "EPERM, Operation not permitted"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 2 {
    %at, %size = linux.text "ENOENT, No such file or directory"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 4 {
    %at, %size = linux.text "EINTR, Interrupted system call"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 5 {
    %at, %size = linux.text "EIO, Input/output error"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 6 {
    %at, %size = linux.text "ENXIO, No such device or address"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 9 {
    %at, %size = linux.text "EBADF, Bad file descriptor"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 11 {
    %at, %size = linux.text "EAGAIN, Resource temporarily unavailable"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 12 {
    %at, %size = linux.text "ENOMEM, Cannot allocate memory"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 13 {
    %at, %size = linux.text "EACCES, Permission denied"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 14 {
    %at, %size = linux.text "EFAULT, Bad address"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 16 {
    %at, %size = linux.text "EBUSY, Device or resource busy"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 17 {
    %at, %size = linux.text "EEXIST, File exists"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 18 {
    %at, %size = linux.text "EXDEV, Invalid cross-device link"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 19 {
    %at, %size = linux.text "ENODEV, No such device"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 20 {
    %at, %size = linux.text "ENOTDIR, Not a directory"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 21 {
    %at, %size = linux.text "EISDIR, Is a directory"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 22 {
    %at, %size = linux.text "EINVAL, Invalid argument"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 23 {
    %at, %size = linux.text "ENFILE, Too many open files in system"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 24 {
    %at, %size = linux.text "EMFILE, Too many open files"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 26 {
    %at, %size = linux.text "ETXTBSY, Text file busy"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 27 {
    %at, %size = linux.text "EFBIG, File too large"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 28 {
    %at, %size = linux.text "ENOSPC, No space left on device"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 30 {
    %at, %size = linux.text "EROFS, Read-only file system"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 31 {
    %at, %size = linux.text "EMLINK, Too many links"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 32 {
    %at, %size = linux.text "EPIPE, Broken pipe"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 36 {
    %at, %size = linux.text "ENAMETOOLONG, File name too long"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 38 {
    %at, %size = linux.text "ENOSYS, Function not implemented"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 39 {
    %at, %size = linux.text "ENOTEMPTY, Directory not empty"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 40 {
    %at, %size = linux.text "ELOOP, Too many levels of symbolic links"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 61 {
    %at, %size = linux.text "ENODATA, No data available"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 64 {
    %at, %size = linux.text "ENONET, Machine is not on the network"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 67 {
    %at, %size = linux.text "ENOLINK, Link has been severed"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 71 {
    %at, %size = linux.text "EPROTO, Protocol error"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 74 {
    %at, %size = linux.text "EBADMSG, Bad message"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 75 {
    %at, %size = linux.text "EOVERFLOW, Value too large for defined data type"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 84 {
    %at, %size = linux.text "EILSEQ, Invalid or incomplete multibyte or wide character"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 88 {
    %at, %size = linux.text "ENOTSOCK, Socket operation on non-socket"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 89 {
    %at, %size = linux.text "EDESTADDRREQ, Destination address required"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 90 {
    %at, %size = linux.text "EMSGSIZE, Message too long"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 91 {
    %at, %size = linux.text "EPROTOTYPE, Protocol wrong type for socket"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 92 {
    %at, %size = linux.text "ENOPROTOOPT, Protocol not available"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 93 {
    %at, %size = linux.text "EPROTONOSUPPORT, Protocol not supported"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 95 {
    %at, %size = linux.text "ENOTSUP, Operation not supported"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 97 {
    %at, %size = linux.text "EAFNOSUPPORT, Address family not supported by protocol"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 98 {
    %at, %size = linux.text "EADDRINUSE, Address already in use"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 99 {
    %at, %size = linux.text "EADDRNOTAVAIL, Cannot assign requested address"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 100 {
    %at, %size = linux.text "ENETDOWN, Network is down"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 101 {
    %at, %size = linux.text "ENETUNREACH, Network is unreachable"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 102 {
    %at, %size = linux.text "ENETRESET, Network dropped connection on reset"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 103 {
    %at, %size = linux.text "ECONNABORTED, Software caused connection abort"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 104 {
    %at, %size = linux.text "ECONNRESET, Connection reset by peer"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 105 {
    %at, %size = linux.text "ENOBUFS, No buffer space available"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 106 {
    %at, %size = linux.text "EISCONN, Transport endpoint is already connected"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 107 {
    %at, %size = linux.text "ENOTCONN, Transport endpoint is not connected"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 110 {
    %at, %size = linux.text "ETIMEDOUT, Connection timed out"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 111 {
    %at, %size = linux.text "ECONNREFUSED, Connection refused"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 112 {
    %at, %size = linux.text "EHOSTDOWN, Host is down"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 113 {
    %at, %size = linux.text "EHOSTUNREACH, No route to host"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 114 {
    %at, %size = linux.text "EALREADY, Operation already in progress"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 115 {
    %at, %size = linux.text "EINPROGRESS, Operation now in progress"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 116 {
    %at, %size = linux.text "ESTALE, Stale file handle"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 117 {
    %at, %size = linux.text "EUCLEAN, Structure needs cleaning"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 121 {
    %at, %size = linux.text "EREMOTEIO, Remote I/O error"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 122 {
    %at, %size = linux.text "EDQUOT, Disk quota exceeded"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 123 {
    %at, %size = linux.text "ENOMEDIUM, No medium found"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 126 {
    %at, %size = linux.text "ENOKEY, Required key not available"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 127 {
    %at, %size = linux.text "EKEYEXPIRED, Key has expired"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  default {
    %at, %size = linux.text ""
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  %unknown = arith.cmpi eq, %bytes, %zero : i64
  scf.if %unknown {
    func.call @alpha_say_number(%number) : (i64) -> ()
    %error, %error_bytes = linux.text ", an error"
    func.call @alpha_say(%error, %error_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  } else {
    // What it means stands behind the first comma and a space.
    %first = scf.while (%i = %zero) : (i64) -> (i64) {
      %at = ptr_xdsl.ptradd %text, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
      %byte = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i8
      %name = arith.cmpi ne, %byte, %comma : i8
      scf.condition(%name) %i : i64
    } do {
    ^bb0(%i : i64):
      %next = arith.addi %i, %one : i64
      scf.yield %next : i64
    }
    %behind = arith.addi %first, %two : i64
    %from = arith.select %named, %zero, %behind : i64
    %said = ptr_xdsl.ptradd %text, %from : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %left = arith.subi %bytes, %from : i64
    func.call @alpha_say(%said, %left) : (!ptr_xdsl.ptr, i64) -> ()
  }
  func.return
}
