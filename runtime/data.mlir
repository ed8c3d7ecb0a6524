// The data of a participant: a file of raw words beside its executable, which nobody copies.
//
// The words are mapped: pages are read when they are first needed, and given back when memory is
// short. So the file has to stay as it is while the participant runs. Who writes into it changes
// what is computed; where it was made shorter or its medium fails, the kernel ends the process by
// SIGBUS.

// The path of the file, where no argument names one.
"memref.global"() <{sym_name = "data_path", type = memref<4096xi8>, sym_visibility = "private",
  initial_value}> : () -> ()

func.func private @alpha_data_argument(!ptr_xdsl.ptr)
func.func private @alpha_executable_path(!ptr_xdsl.ptr)
func.func private @alpha_text_bytes(!ptr_xdsl.ptr) -> i64
func.func private @alpha_say_given(!ptr_xdsl.ptr, i64, i64)
func.func private @alpha_say(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_number(i64)
func.func private @alpha_say_reason(i64)
func.func private @alpha_say_hex(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_refused(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_failed()
func.func private @alpha_end(i64)
func.func private @alpha_digest(!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr)

// Contract: where the words of the participant's data are, at a multiple of 4096: those of the file
// that an argument names, or else of `name` (`name_bytes` bytes) in the folder of the executable.
// It has `bytes` bytes (0 or more), whose SHA-256 is the 32 bytes at `digest`. Nobody may write
// there; with 0 bytes nobody may read there either. The process ends where the file can't be read
// (5), or holds something else (3).
func.func @alpha_data(%name : !ptr_xdsl.ptr, %name_bytes : i64, %bytes : i64,
    %digest : !ptr_xdsl.ptr) -> !ptr_xdsl.ptr {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %refused = arith.constant 3 : i64
  %word = memref.alloca() : memref<1xi64>
  %word_at = ptr_xdsl.to_ptr %word : memref<1xi64> -> !ptr_xdsl.ptr
  func.call @alpha_data_argument(%word_at) : (!ptr_xdsl.ptr) -> ()
  %given = memref.load %word[%c0] : memref<1xi64>
  %default = arith.cmpi eq, %given, %none : i64
  scf.if %default {
    func.call @build_path(%name, %name_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %built = memref.get_global @data_path : memref<4096xi8>
    %built_at = ptr_xdsl.to_ptr %built : memref<4096xi8> -> !ptr_xdsl.ptr
    ptr_xdsl.store %built_at, %word_at : !ptr_xdsl.ptr, !ptr_xdsl.ptr
  }
  %path = ptr_xdsl.load %word_at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
  %descriptor = func.call @opened(%path) : (!ptr_xdsl.ptr) -> i64
  %size = func.call @size_of(%descriptor, %path) : (i64, !ptr_xdsl.ptr) -> i64
  %other = arith.cmpi ne, %size, %bytes : i64
  scf.if %other {
    func.call @begin_differing(%path, %bytes, %digest, %size)
      : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_end(%refused) : (i64) -> ()
  }
  func.call @map(%descriptor, %path, %bytes, %word_at)
    : (i64, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr) -> ()
  %closed = linux.syscall "close"(%descriptor) : (i64) -> i64
  func.call @check_digest(%path, %word_at, %bytes, %digest)
    : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr) -> ()
  %words = ptr_xdsl.load %word_at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
  func.return %words : !ptr_xdsl.ptr
}

// Contract: the path of the name in the folder of the executable stands at `data_path`, with a zero
// byte behind it, or the process ends.
func.func private @build_path(%name : !ptr_xdsl.ptr, %name_bytes : i64) {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %end = arith.constant 0 : i8
  %slash = arith.constant 47 : i8
  %room = linux.constant "PATH_MAX"
  %long = linux.constant "ENAMETOOLONG"
  %path = memref.get_global @data_path : memref<4096xi8>
  %path_at = ptr_xdsl.to_ptr %path : memref<4096xi8> -> !ptr_xdsl.ptr
  %word = memref.alloca() : memref<1xi64>
  %word_at = ptr_xdsl.to_ptr %word : memref<1xi64> -> !ptr_xdsl.ptr
  func.call @alpha_executable_path(%word_at) : (!ptr_xdsl.ptr) -> ()
  %address = memref.load %word[%c0] : memref<1xi64>
  %known = arith.cmpi ne, %address, %none : i64
  // As far as the last slash; nothing of a name without one.
  %folder_bytes = scf.if %known -> (i64) {
    %own = ptr_xdsl.load %word_at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
    %own_bytes = func.call @alpha_text_bytes(%own) : (!ptr_xdsl.ptr) -> i64
    %found = scf.for %i = %none to %own_bytes step %one iter_args(%so_far = %none) -> (i64) : i64 {
      %at = ptr_xdsl.ptradd %own, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
      %byte = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i8
      %separates = arith.cmpi eq, %byte, %slash : i8
      %behind = arith.addi %i, %one : i64
      %bytes = arith.select %separates, %behind, %so_far : i64
      scf.yield %bytes : i64
    }
    scf.yield %found : i64
  } else {
    scf.yield %none : i64
  }
  %all = arith.addi %folder_bytes, %name_bytes : i64
  %fits = arith.cmpi ult, %all, %room : i64
  scf.if %fits {
    %own = ptr_xdsl.load %word_at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
    func.call @copy(%own, %path_at, %folder_bytes) : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64) -> ()
    %behind = ptr_xdsl.ptradd %path_at, %folder_bytes : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    func.call @copy(%name, %behind, %name_bytes) : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64) -> ()
    %last = ptr_xdsl.ptradd %path_at, %all : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    ptr_xdsl.store %end, %last : i8, !ptr_xdsl.ptr
  } else {
    func.call @end_unread(%name, %name_bytes, %long) : (!ptr_xdsl.ptr, i64, i64) -> ()
  }
  func.return
}

// Contract: `bytes` bytes, 0 or more, are copied; the two places have none in common.
func.func private @copy(%from : !ptr_xdsl.ptr, %to : !ptr_xdsl.ptr, %bytes : i64) {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %i = %none to %bytes step %one : i64 {
    %source = ptr_xdsl.ptradd %from, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %target = ptr_xdsl.ptradd %to, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %byte = ptr_xdsl.load %source : !ptr_xdsl.ptr -> i8
    ptr_xdsl.store %byte, %target : i8, !ptr_xdsl.ptr
  }
  func.return
}

// Contract: a descriptor of the file, for reading, which no other program inherits; or the process
// ends. Opening doesn't wait for the writer of a pipe.
func.func private @opened(%path : !ptr_xdsl.ptr) -> i64 {
  %none = arith.constant 0 : i64
  %here = linux.constant "AT_FDCWD"
  %read = linux.constant "O_RDONLY"
  %close = linux.constant "O_CLOEXEC"
  %quick = linux.constant "O_NONBLOCK"
  %no_terminal = linux.constant "O_NOCTTY"
  %eintr = linux.constant "EINTR"
  %f1 = arith.ori %read, %close : i64
  %f2 = arith.ori %quick, %no_terminal : i64
  %flags = arith.ori %f1, %f2 : i64
  cf.br ^again
^again:
  %descriptor = linux.syscall "openat"(%here, %path, %flags, %none)
    : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
  %number = arith.subi %none, %descriptor : i64
  %interrupted = arith.cmpi eq, %number, %eintr : i64
  cf.cond_br %interrupted, ^again, ^known
^known:
  func.call @check_read(%descriptor, %path) : (i64, !ptr_xdsl.ptr) -> ()
  func.return %descriptor : i64
}

// Contract: how many bytes the file has, if it is a regular one; else the process ends.
func.func private @size_of(%descriptor : i64, %path : !ptr_xdsl.ptr) -> i64 {
  %failed = arith.constant 5 : i64
  // struct statx (linux/stat.h), 256 bytes, the same on every processor: among others the mode in
  // bytes 28 and 29, the size in 40 to 47.
  %status = memref.alloca() : memref<32xi64>
  %status_at = ptr_xdsl.to_ptr %status : memref<32xi64> -> !ptr_xdsl.ptr
  %mode_offset = arith.constant 28 : i64
  %c5 = arith.constant 5 : index
  %format = linux.constant "S_IFMT"
  %regular = linux.constant "S_IFREG"
  %folder = linux.constant "S_IFDIR"
  %is_folder = linux.constant "EISDIR"
  %itself = linux.constant "AT_EMPTY_PATH"
  %type = linux.constant "STATX_TYPE"
  %length = linux.constant "STATX_SIZE"
  %asked = arith.ori %type, %length : i64
  %empty, %empty_bytes = linux.text "\00"
  %got = linux.syscall "statx"(%descriptor, %empty, %itself, %asked, %status_at)
    : (i64, !ptr_xdsl.ptr, i64, i64, !ptr_xdsl.ptr) -> i64
  func.call @check_read(%got, %path) : (i64, !ptr_xdsl.ptr) -> ()
  %mode_at = ptr_xdsl.ptradd %status_at, %mode_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %mode_half = ptr_xdsl.load %mode_at : !ptr_xdsl.ptr -> i16
  %mode = arith.extui %mode_half : i16 to i64
  %kind = arith.andi %mode, %format : i64
  %path_bytes = func.call @alpha_text_bytes(%path) : (!ptr_xdsl.ptr) -> i64
  %lists = arith.cmpi eq, %kind, %folder : i64
  scf.if %lists {
    func.call @end_unread(%path, %path_bytes, %is_folder) : (!ptr_xdsl.ptr, i64, i64) -> ()
  }
  %odd = arith.cmpi ne, %kind, %regular : i64
  scf.if %odd {
    func.call @begin_unread(%path, %path_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %what, %what_bytes = linux.text "Not a regular file"
    func.call @alpha_say(%what, %what_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_end(%failed) : (i64) -> ()
  }
  %size = memref.load %status[%c5] : memref<32xi64>
  func.return %size : i64
}

// Contract: `word` becomes the address of the file's `bytes` bytes, or stays as it is if there are
// none, since nothing can't be mapped; or the process ends.
func.func private @map(%descriptor : i64, %path : !ptr_xdsl.ptr, %bytes : i64,
    %word : !ptr_xdsl.ptr) {
  %none = arith.constant 0 : i64
  %read = linux.constant "PROT_READ"
  %private = linux.constant "MAP_PRIVATE"
  %some = arith.cmpi ne, %bytes, %none : i64
  scf.if %some {
    %mapped = linux.syscall "mmap"(%none, %bytes, %read, %private, %descriptor, %none)
      : (i64, i64, i64, i64, i64, i64) -> i64
    func.call @check_read(%mapped, %path) : (i64, !ptr_xdsl.ptr) -> ()
    ptr_xdsl.store %mapped, %word : i64, !ptr_xdsl.ptr
  }
  func.return
}

// Contract: the `bytes` bytes whose address is at `word` have this digest, or the process ends.
func.func private @check_digest(%path : !ptr_xdsl.ptr, %word : !ptr_xdsl.ptr, %bytes : i64,
    %digest : !ptr_xdsl.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %refused = arith.constant 3 : i64
  %digest_bytes = arith.constant 32 : i64
  %pieces = memref.alloca() : memref<2xi64>
  %pieces_at = ptr_xdsl.to_ptr %pieces : memref<2xi64> -> !ptr_xdsl.ptr
  %found = memref.alloca() : memref<4xi64>
  %found_at = ptr_xdsl.to_ptr %found : memref<4xi64> -> !ptr_xdsl.ptr
  %address = ptr_xdsl.load %word : !ptr_xdsl.ptr -> i64
  memref.store %address, %pieces[%c0] : memref<2xi64>
  memref.store %bytes, %pieces[%c1] : memref<2xi64>
  func.call @alpha_digest(%pieces_at, %one, %found_at) : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr) -> ()
  %wanted = ptr_xdsl.from_ptr %digest : !ptr_xdsl.ptr -> memref<4xi64>
  %differing = scf.for %i = %c0 to %c4 step %c1 iter_args(%so_far = %none) -> (i64) {
    %a = memref.load %wanted[%i] : memref<4xi64>
    %b = memref.load %found[%i] : memref<4xi64>
    %bits = arith.xori %a, %b : i64
    %all = arith.ori %so_far, %bits : i64
    scf.yield %all : i64
  }
  %other = arith.cmpi ne, %differing, %none : i64
  scf.if %other {
    func.call @begin_differing(%path, %bytes, %digest, %bytes)
      : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64) -> ()
    %of, %of_bytes = linux.text " of sha256:"
    func.call @alpha_say(%of, %of_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_hex(%found_at, %digest_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_end(%refused) : (i64) -> ()
  }
  func.return
}

// Contract: the line says which bytes are expected in the file, and how many were found.
func.func private @begin_differing(%path : !ptr_xdsl.ptr, %bytes : i64, %digest : !ptr_xdsl.ptr,
    %size : i64) {
  %most = arith.constant 1000 : i64
  %digest_bytes = arith.constant 32 : i64
  %code, %code_bytes = linux.text "build-file-differs"
  func.call @alpha_say_refused(%code, %code_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  %wanted, %wanted_bytes = linux.text "expected the "
  func.call @alpha_say(%wanted, %wanted_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_number(%bytes) : (i64) -> ()
  %of, %of_bytes = linux.text " bytes of sha256:"
  func.call @alpha_say(%of, %of_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_hex(%digest, %digest_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  %in, %in_bytes = linux.text " in "
  func.call @alpha_say(%in, %in_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  %path_bytes = func.call @alpha_text_bytes(%path) : (!ptr_xdsl.ptr) -> i64
  func.call @alpha_say_given(%path, %path_bytes, %most) : (!ptr_xdsl.ptr, i64, i64) -> ()
  %but, %but_bytes = linux.text ", found "
  func.call @alpha_say(%but, %but_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_number(%size) : (i64) -> ()
  func.return
}

// Contract: a result of the kernel isn't an error, or the process ends.
func.func private @check_read(%result : i64, %path : !ptr_xdsl.ptr) {
  %none = arith.constant 0 : i64
  %bad = arith.cmpi slt, %result, %none : i64
  scf.if %bad {
    %number = arith.subi %none, %result : i64
    %bytes = func.call @alpha_text_bytes(%path) : (!ptr_xdsl.ptr) -> i64
    func.call @end_unread(%path, %bytes, %number) : (!ptr_xdsl.ptr, i64, i64) -> ()
  }
  func.return
}

// Contract: the line says that the file of this path can't be read, and what comes is why.
func.func private @begin_unread(%path : !ptr_xdsl.ptr, %path_bytes : i64) {
  %most = arith.constant 1000 : i64
  func.call @alpha_say_failed() : () -> ()
  %what, %what_bytes = linux.text "cannot read "
  func.call @alpha_say(%what, %what_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_given(%path, %path_bytes, %most) : (!ptr_xdsl.ptr, i64, i64) -> ()
  %colon, %colon_bytes = linux.text ": "
  func.call @alpha_say(%colon, %colon_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: the process ends, since an error of the kernel has met who reads this file.
func.func private @end_unread(%path : !ptr_xdsl.ptr, %path_bytes : i64, %number : i64) {
  %failed = arith.constant 5 : i64
  func.call @begin_unread(%path, %path_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_reason(%number) : (i64) -> ()
  func.call @alpha_end(%failed) : (i64) -> ()
  func.return
}
