// A generation of a run's words on disk: a folder of files that gets its name once it is whole.
//
// While it is written, it is PATH/.gen-VERSION.SUFFIX, where PATH is what `--checkpoint` says; every
// role writes its own files there. The root then gives it its name, PATH/gen-VERSION, by one rename,
// and a generation is never replaced. Files and folders are synchronized before anybody is told of
// them, so what has its name is whole, also where the power fails.
//
// No call waits by a deadline: peers bound how long they wait for a role that writes. What fails
// ends the process, and so the run, without a generation. A call that was interrupted is made again,
// but for the rename and closing a file, which may have been done.

// The descriptor of the folder, and how many bytes its path has.
"memref.global"() <{sym_name = "store_held", type = memref<2xi64>, sym_visibility = "private",
  initial_value = dense<[-1, 0]> : tensor<2xi64>}> : () -> ()
// The path of the folder, and what it is renamed to, with a zero byte behind each.
"memref.global"() <{sym_name = "store_path", type = memref<4096xi8>, sym_visibility = "private",
  initial_value}> : () -> ()
"memref.global"() <{sym_name = "store_named", type = memref<4096xi8>, sym_visibility = "private",
  initial_value}> : () -> ()

func.func private @alpha_checkpoint_argument(!ptr_xdsl.ptr)
func.func private @alpha_text_bytes(!ptr_xdsl.ptr) -> i64
func.func private @alpha_say_given(!ptr_xdsl.ptr, i64, i64)
func.func private @alpha_text_begin(!ptr_xdsl.ptr, i64)
func.func private @alpha_text_put(!ptr_xdsl.ptr, i64)
func.func private @alpha_text_number(i64)
func.func private @alpha_text_end() -> i64
func.func private @alpha_digest(!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr)
func.func private @alpha_now() -> i64
func.func private @alpha_is_over(i64) -> i1
func.func private @alpha_sooner(i64, i64) -> i64
func.func private @alpha_wait(i64, i64, i64) -> i64
func.func private @alpha_say(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_number(i64)
func.func private @alpha_say_reason(i64)
func.func private @alpha_say_refused(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_failed()
func.func private @alpha_end(i64)

// Contract: the folder of the generation of this version is there and open, or the process ends (5).
// It may have been there before, from a run that ended while it wrote. The suffix has 32 bytes at
// most, none of which is a zero or a slash. A text that was begun is over.
func.func @alpha_store_folder(%version : i64, %suffix : !ptr_xdsl.ptr, %suffix_bytes : i64) {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %mode = arith.constant 511 : i64
  %here = linux.constant "AT_FDCWD"
  %read = linux.constant "O_RDONLY"
  %folder = linux.constant "O_DIRECTORY"
  %close = linux.constant "O_CLOEXEC"
  %itself = linux.constant "O_NOFOLLOW"
  %eintr = linux.constant "EINTR"
  %eexist = linux.constant "EEXIST"
  %f1 = arith.ori %read, %folder : i64
  %f2 = arith.ori %close, %itself : i64
  %flags = arith.ori %f1, %f2 : i64
  %held = memref.get_global @store_held : memref<2xi64>
  func.call @write_path(%version, %suffix, %suffix_bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  %path, %path_bytes = func.call @folder_path() : () -> (!ptr_xdsl.ptr, i64)
  cf.br ^again
^again:
  %made = linux.syscall "mkdirat"(%here, %path, %mode) : (i64, !ptr_xdsl.ptr, i64) -> i64
  %number = arith.subi %none, %made : i64
  %interrupted = arith.cmpi eq, %number, %eintr : i64
  cf.cond_br %interrupted, ^again, ^known
^known:
  %there = arith.cmpi eq, %number, %eexist : i64
  %result = arith.select %there, %none, %made : i64
  func.call @check_written(%result, %path, %none) : (i64, !ptr_xdsl.ptr, i64) -> ()
  // What is there must be a folder, and not a link to one.
  %descriptor = func.call @opened(%here, %path, %flags, %none)
    : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
  func.call @check_written(%descriptor, %path, %none) : (i64, !ptr_xdsl.ptr, i64) -> ()
  memref.store %descriptor, %held[%c0] : memref<2xi64>
  func.return
}

// Contract: the folder has a file of this name, of `name_bytes` bytes and a zero, with the bytes of
// the `count` pieces at `pieces`, one behind another, as alpha_digest takes them; or the process
// ends (5). A file that was there is written anew. The five words at `out`, which needn't be aligned
// and lie in no piece, become the number of bytes, fewer than 2^61, and their SHA-256.
func.func @alpha_store_file(%name : !ptr_xdsl.ptr, %name_bytes : i64, %pieces : !ptr_xdsl.ptr,
    %count : i64, %out : !ptr_xdsl.ptr) {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %eight = arith.constant 8 : i64
  %mode = arith.constant 438 : i64
  %write = linux.constant "O_WRONLY"
  %create = linux.constant "O_CREAT"
  %anew = linux.constant "O_TRUNC"
  %close = linux.constant "O_CLOEXEC"
  %itself = linux.constant "O_NOFOLLOW"
  %eintr = linux.constant "EINTR"
  %f1 = arith.ori %write, %create : i64
  %f2 = arith.ori %close, %itself : i64
  %f3 = arith.ori %f1, %anew : i64
  %flags = arith.ori %f2, %f3 : i64
  %held = memref.get_global @store_held : memref<2xi64>
  %folder = memref.load %held[%c0] : memref<2xi64>
  %descriptor = func.call @opened(%folder, %name, %flags, %mode)
    : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
  func.call @check_written(%descriptor, %name, %name_bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  %written = func.call @written(%descriptor, %pieces, %count) : (i64, !ptr_xdsl.ptr, i64) -> i64
  func.call @check_written(%written, %name, %name_bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  %synchronized = func.call @synchronized(%descriptor) : (i64) -> i64
  func.call @check_written(%synchronized, %name, %name_bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  // Where that was interrupted, the descriptor is free all the same, and the bytes are safe.
  %closed = linux.syscall "close"(%descriptor) : (i64) -> i64
  %number = arith.subi %none, %closed : i64
  %interrupted = arith.cmpi eq, %number, %eintr : i64
  %result = arith.select %interrupted, %none, %closed : i64
  func.call @check_written(%result, %name, %name_bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  %bytes = scf.for %i = %none to %count step %one iter_args(%so_far = %none) -> (i64) : i64 {
    %offset = arith.shli %i, %four : i64
    %piece = ptr_xdsl.ptradd %pieces, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %size_at = ptr_xdsl.ptradd %piece, %eight : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %size = ptr_xdsl.load %size_at : !ptr_xdsl.ptr -> i64
    %sum = arith.addi %so_far, %size : i64
    scf.yield %sum : i64
  }
  ptr_xdsl.store %bytes, %out : i64, !ptr_xdsl.ptr
  %digest = ptr_xdsl.ptradd %out, %eight : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  func.call @alpha_digest(%pieces, %count, %digest) : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr) -> ()
  func.return
}

// Contract: the file of this name in the folder, of `name_bytes` bytes and a zero, has the number of
// bytes and the SHA-256 that the five words at `said` say, which needn't be aligned and which `role`
// has sent; or the process ends (5). Where it is made shorter meanwhile, the kernel ends the process
// by SIGBUS.
func.func @alpha_store_seen(%name : !ptr_xdsl.ptr, %name_bytes : i64, %role : i64,
    %said : !ptr_xdsl.ptr) {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %eight = arith.constant 8 : i64
  %read = linux.constant "O_RDONLY"
  %close = linux.constant "O_CLOEXEC"
  %itself = linux.constant "O_NOFOLLOW"
  // Opening doesn't wait for the writer of a pipe.
  %quick = linux.constant "O_NONBLOCK"
  %no_terminal = linux.constant "O_NOCTTY"
  %f1 = arith.ori %read, %close : i64
  %f2 = arith.ori %quick, %no_terminal : i64
  %f3 = arith.ori %f1, %itself : i64
  %flags = arith.ori %f2, %f3 : i64
  %held = memref.get_global @store_held : memref<2xi64>
  %folder = memref.load %held[%c0] : memref<2xi64>
  %descriptor = func.call @opened(%folder, %name, %flags, %none)
    : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
  func.call @check_read(%descriptor, %name, %name_bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  %bytes = ptr_xdsl.load %said : !ptr_xdsl.ptr -> i64
  %found = memref.alloca() : memref<1xi64>
  %found_at = ptr_xdsl.to_ptr %found : memref<1xi64> -> !ptr_xdsl.ptr
  %got = func.call @size_of(%descriptor, %found_at) : (i64, !ptr_xdsl.ptr) -> i64
  func.call @check_read(%got, %name, %name_bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  %size = memref.load %found[%c0] : memref<1xi64>
  %as_long = arith.cmpi eq, %size, %bytes : i64
  func.call @check_seen(%as_long, %name, %name_bytes, %role) : (i1, !ptr_xdsl.ptr, i64, i64) -> ()
  // Nothing can't be mapped.
  %some = arith.cmpi ne, %bytes, %none : i64
  %mapped = scf.if %some -> (i64) {
    %rights = linux.constant "PROT_READ"
    %private = linux.constant "MAP_PRIVATE"
    %at = linux.syscall "mmap"(%none, %bytes, %rights, %private, %descriptor, %none)
      : (i64, i64, i64, i64, i64, i64) -> i64
    scf.yield %at : i64
  } else {
    scf.yield %none : i64
  }
  func.call @check_read(%mapped, %name, %name_bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  %digest = ptr_xdsl.ptradd %said, %eight : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %alike = func.call @has_digest(%mapped, %bytes, %digest) : (i64, i64, !ptr_xdsl.ptr) -> i1
  func.call @check_seen(%alike, %name, %name_bytes, %role) : (i1, !ptr_xdsl.ptr, i64, i64) -> ()
  scf.if %some {
    %gone = linux.syscall "munmap"(%mapped, %bytes) : (i64, i64) -> i64
  }
  %closed = linux.syscall "close"(%descriptor) : (i64) -> i64
  func.return
}

// Contract: the names of the folder's files are safe, or the process ends (5).
func.func @alpha_store_end() {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %held = memref.get_global @store_held : memref<2xi64>
  %folder = memref.load %held[%c0] : memref<2xi64>
  %result = func.call @synchronized(%folder) : (i64) -> i64
  %path, %path_bytes = func.call @folder_path() : () -> (!ptr_xdsl.ptr, i64)
  func.call @check_written(%result, %path, %none) : (i64, !ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: the folder is closed.
func.func @alpha_store_close() {
  %c0 = arith.constant 0 : index
  %nowhere = arith.constant -1 : i64
  %held = memref.get_global @store_held : memref<2xi64>
  %folder = memref.load %held[%c0] : memref<2xi64>
  // Nothing was written by this descriptor, so nothing that matters can fail.
  %closed = linux.syscall "close"(%folder) : (i64) -> i64
  memref.store %nowhere, %held[%c0] : memref<2xi64>
  func.return
}

// Contract: the folder of this version and suffix, in which everything is safe, has the name of the
// generation, and that is safe too; or the process ends: there is such a generation (3), or the
// kernel refuses it (5). A text that was begun is over.
func.func @alpha_store_publish(%version : i64, %suffix : !ptr_xdsl.ptr, %suffix_bytes : i64) {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // Of two paths in one line.
  %most = arith.constant 900 : i64
  %refused = arith.constant 3 : i64
  %here = linux.constant "AT_FDCWD"
  %read = linux.constant "O_RDONLY"
  %folder = linux.constant "O_DIRECTORY"
  %close = linux.constant "O_CLOEXEC"
  %there = linux.constant "EEXIST"
  %filled = linux.constant "ENOTEMPTY"
  %f1 = arith.ori %read, %folder : i64
  %flags = arith.ori %f1, %close : i64
  func.call @write_path(%version, %suffix, %suffix_bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  %path, %path_bytes = func.call @folder_path() : () -> (!ptr_xdsl.ptr, i64)
  %root, %root_bytes = func.call @root() : () -> (!ptr_xdsl.ptr, i64)
  %held = memref.get_global @store_named : memref<4096xi8>
  %named = ptr_xdsl.to_ptr %held : memref<4096xi8> -> !ptr_xdsl.ptr
  %gen, %gen_bytes = linux.text "/gen-"
  func.call @begin_path(%named, %gen, %gen_bytes, %version)
    : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, i64) -> ()
  %named_bytes = func.call @alpha_text_end() : () -> i64
  %end, %end_bytes = linux.text "\00"
  func.call @alpha_text_put(%end, %one) : (!ptr_xdsl.ptr, i64) -> ()
  %renamed = linux.syscall "renameat2"(%here, %path, %here, %named, %none)
    : (i64, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64) -> i64
  %number = arith.subi %none, %renamed : i64
  %is_there = arith.cmpi eq, %number, %there : i64
  %is_filled = arith.cmpi eq, %number, %filled : i64
  %exists = arith.ori %is_there, %is_filled : i1
  scf.if %exists {
    %code, %code_bytes = linux.text "checkpoint-exists"
    func.call @alpha_say_refused(%code, %code_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %wanted, %wanted_bytes = linux.text "expected no generation of version "
    func.call @alpha_say(%wanted, %wanted_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_number(%version) : (i64) -> ()
    %in, %in_bytes = linux.text " in "
    func.call @alpha_say(%in, %in_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_given(%root, %root_bytes, %most) : (!ptr_xdsl.ptr, i64, i64) -> ()
    %found, %found_bytes = linux.text ", found "
    func.call @alpha_say(%found, %found_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_given(%named, %named_bytes, %most) : (!ptr_xdsl.ptr, i64, i64) -> ()
    func.call @alpha_end(%refused) : (i64) -> ()
  }
  func.call @check_path(%renamed, %named, %named_bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  %descriptor = func.call @opened(%here, %root, %flags, %none)
    : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
  func.call @check_path(%descriptor, %root, %root_bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  %synchronized = func.call @synchronized(%descriptor) : (i64) -> i64
  func.call @check_path(%synchronized, %root, %root_bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  %closed = linux.syscall "close"(%descriptor) : (i64) -> i64
  func.return
}

// Contract: what `--checkpoint` names, and how many bytes that has.
func.func private @root() -> (!ptr_xdsl.ptr, i64) {
  %word = memref.alloca() : memref<1xi64>
  %at = ptr_xdsl.to_ptr %word : memref<1xi64> -> !ptr_xdsl.ptr
  func.call @alpha_checkpoint_argument(%at) : (!ptr_xdsl.ptr) -> ()
  %root = ptr_xdsl.load %at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
  %bytes = func.call @alpha_text_bytes(%root) : (!ptr_xdsl.ptr) -> i64
  func.return %root, %bytes : !ptr_xdsl.ptr, i64
}

// Contract: the path of the folder as it was written last, and how many bytes that has.
func.func private @folder_path() -> (!ptr_xdsl.ptr, i64) {
  %c1 = arith.constant 1 : index
  %held = memref.get_global @store_held : memref<2xi64>
  %path = memref.get_global @store_path : memref<4096xi8>
  %at = ptr_xdsl.to_ptr %path : memref<4096xi8> -> !ptr_xdsl.ptr
  %bytes = memref.load %held[%c1] : memref<2xi64>
  func.return %at, %bytes : !ptr_xdsl.ptr, i64
}

// Contract: the path of the folder is that of this version and suffix.
func.func private @write_path(%version : i64, %suffix : !ptr_xdsl.ptr, %suffix_bytes : i64) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %held = memref.get_global @store_held : memref<2xi64>
  %path, %before = func.call @folder_path() : () -> (!ptr_xdsl.ptr, i64)
  %gen, %gen_bytes = linux.text "/.gen-"
  func.call @begin_path(%path, %gen, %gen_bytes, %version)
    : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, i64) -> ()
  %dot, %dot_bytes = linux.text "."
  func.call @alpha_text_put(%dot, %dot_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_text_put(%suffix, %suffix_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  %bytes = func.call @alpha_text_end() : () -> i64
  memref.store %bytes, %held[%c1] : memref<2xi64>
  %end, %end_bytes = linux.text "\00"
  func.call @alpha_text_put(%end, %one) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: at `at`, where there is room for a path, a text has begun with what `--checkpoint` names,
// what `kind` says, and the version.
func.func private @begin_path(%at : !ptr_xdsl.ptr, %kind : !ptr_xdsl.ptr, %kind_bytes : i64,
    %version : i64) {
  %room = linux.constant "PATH_MAX"
  %root, %root_bytes = func.call @root() : () -> (!ptr_xdsl.ptr, i64)
  func.call @alpha_text_begin(%at, %room) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_text_put(%root, %root_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_text_put(%kind, %kind_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_text_number(%version) : (i64) -> ()
  func.return
}

// Contract: a descriptor of what has this name, in the folder of another descriptor, or an error of
// the kernel that isn't -EINTR.
func.func private @opened(%folder : i64, %name : !ptr_xdsl.ptr, %flags : i64, %mode : i64) -> i64 {
  %none = arith.constant 0 : i64
  %eintr = linux.constant "EINTR"
  cf.br ^again
^again:
  %descriptor = linux.syscall "openat"(%folder, %name, %flags, %mode)
    : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
  %number = arith.subi %none, %descriptor : i64
  %interrupted = arith.cmpi eq, %number, %eintr : i64
  cf.cond_br %interrupted, ^again, ^known
^known:
  func.return %descriptor : i64
}

// Contract: 0 once what the descriptor is of is safe, or an error of the kernel that isn't -EINTR.
// No other error is asked about again: the kernel tells each once, and the bytes may be gone.
func.func private @synchronized(%descriptor : i64) -> i64 {
  %none = arith.constant 0 : i64
  %eintr = linux.constant "EINTR"
  cf.br ^again
^again:
  %result = linux.syscall "fsync"(%descriptor) : (i64) -> i64
  %number = arith.subi %none, %result : i64
  %interrupted = arith.cmpi eq, %number, %eintr : i64
  cf.cond_br %interrupted, ^again, ^known
^known:
  func.return %result : i64
}

// Contract: 0 once the bytes of all pieces are written, or an error of the kernel; -EIO where it
// takes none and says no error.
func.func private @written(%descriptor : i64, %pieces : !ptr_xdsl.ptr, %count : i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %four = arith.constant 4 : i64
  %eight = arith.constant 8 : i64
  // What the kernel takes at most (MAX_RW_COUNT, linux/fs.h).
  %most = arith.constant 0x7ffff000 : i64
  %eio = linux.constant "EIO"
  %odd = arith.subi %zero, %eio : i64
  cf.br ^piece(%zero : i64)
^piece(%i : i64):
  %more = arith.cmpi slt, %i, %count : i64
  cf.cond_br %more, ^begin, ^end(%zero : i64)
^begin:
  %offset = arith.shli %i, %four : i64
  %piece = ptr_xdsl.ptradd %pieces, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %at = ptr_xdsl.load %piece : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
  %size_at = ptr_xdsl.ptradd %piece, %eight : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %bytes = ptr_xdsl.load %size_at : !ptr_xdsl.ptr -> i64
  cf.br ^next(%zero : i64)
^next(%done : i64):
  %some = arith.cmpi slt, %done, %bytes : i64
  cf.cond_br %some, ^write, ^following
^following:
  %after = arith.addi %i, %one : i64
  cf.br ^piece(%after : i64)
^write:
  %left = arith.subi %bytes, %done : i64
  %size = arith.minui %left, %most : i64
  %from = ptr_xdsl.ptradd %at, %done : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %taken = linux.syscall "write"(%descriptor, %from, %size) : (i64, !ptr_xdsl.ptr, i64) -> i64
  %sum = arith.addi %done, %taken : i64
  %took = arith.cmpi sgt, %taken, %zero : i64
  cf.cond_br %took, ^next(%sum : i64), ^none
^none:
  %again = func.call @is_retried(%taken) : (i64) -> i1
  cf.cond_br %again, ^next(%done : i64), ^failed
^failed:
  %nothing = arith.cmpi eq, %taken, %zero : i64
  %error = arith.select %nothing, %odd, %taken : i64
  cf.br ^end(%error : i64)
^end(%result : i64):
  func.return %result : i64
}

// Contract: whether a write that failed is made again: it was interrupted, or there is room later.
// Then 10 ms have passed, and the session isn't over.
func.func private @is_retried(%result : i64) -> i1 {
  %zero = arith.constant 0 : i64
  %nowhere = arith.constant -1 : i64
  %pause = arith.constant 10000000 : i64
  %last = arith.constant 9223372036854775807 : i64
  %yes = arith.constant true
  %no = arith.constant false
  %eagain = linux.constant "EAGAIN"
  %eintr = linux.constant "EINTR"
  %number = arith.subi %zero, %result : i64
  %interrupted = arith.cmpi eq, %number, %eintr : i64
  cf.cond_br %interrupted, ^end(%yes : i1), ^other
^other:
  %later = arith.cmpi eq, %number, %eagain : i64
  cf.cond_br %later, ^look, ^end(%no : i1)
^look:
  %now = func.call @alpha_now() : () -> i64
  %over = func.call @alpha_is_over(%now) : (i64) -> i1
  cf.cond_br %over, ^end(%no : i1), ^pause
^pause:
  %until = func.call @alpha_sooner(%pause, %last) : (i64, i64) -> i64
  %waited = func.call @alpha_wait(%nowhere, %zero, %until) : (i64, i64, i64) -> i64
  cf.br ^end(%yes : i1)
^end(%again : i1):
  func.return %again : i1
}

// Contract: the word at `size` becomes the number of bytes of the file, or -1 if it isn't a regular
// one; 0, or the error of the kernel.
func.func private @size_of(%descriptor : i64, %size : !ptr_xdsl.ptr) -> i64 {
  // struct statx (linux/stat.h), 256 bytes, the same on every processor: among others the mode in
  // bytes 28 and 29, the size in 40 to 47.
  %status = memref.alloca() : memref<32xi64>
  %status_at = ptr_xdsl.to_ptr %status : memref<32xi64> -> !ptr_xdsl.ptr
  %mode_offset = arith.constant 28 : i64
  %c5 = arith.constant 5 : index
  %nothing = arith.constant -1 : i64
  %format = linux.constant "S_IFMT"
  %regular = linux.constant "S_IFREG"
  %itself = linux.constant "AT_EMPTY_PATH"
  %type = linux.constant "STATX_TYPE"
  %length = linux.constant "STATX_SIZE"
  %asked = arith.ori %type, %length : i64
  %empty, %empty_bytes = linux.text "\00"
  %got = linux.syscall "statx"(%descriptor, %empty, %itself, %asked, %status_at)
    : (i64, !ptr_xdsl.ptr, i64, i64, !ptr_xdsl.ptr) -> i64
  %mode_at = ptr_xdsl.ptradd %status_at, %mode_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %mode_half = ptr_xdsl.load %mode_at : !ptr_xdsl.ptr -> i16
  %mode = arith.extui %mode_half : i16 to i64
  %kind = arith.andi %mode, %format : i64
  %is_file = arith.cmpi eq, %kind, %regular : i64
  %bytes = memref.load %status[%c5] : memref<32xi64>
  %found = arith.select %is_file, %bytes, %nothing : i64
  ptr_xdsl.store %found, %size : i64, !ptr_xdsl.ptr
  func.return %got : i64
}

// Contract: whether the `bytes` bytes at an address have the digest of 32 bytes at `digest`.
func.func private @has_digest(%address : i64, %bytes : i64, %digest : !ptr_xdsl.ptr) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %pieces = memref.alloca() : memref<2xi64>
  %pieces_at = ptr_xdsl.to_ptr %pieces : memref<2xi64> -> !ptr_xdsl.ptr
  %found = memref.alloca() : memref<4xi64>
  %found_at = ptr_xdsl.to_ptr %found : memref<4xi64> -> !ptr_xdsl.ptr
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
  %same = arith.cmpi eq, %differing, %none : i64
  func.return %same : i1
}

// Contract: the line says the path of the folder, and of a file in it if its name has bytes.
func.func private @say_path(%name : !ptr_xdsl.ptr, %name_bytes : i64) {
  %none = arith.constant 0 : i64
  %most = arith.constant 1000 : i64
  %path, %path_bytes = func.call @folder_path() : () -> (!ptr_xdsl.ptr, i64)
  func.call @alpha_say_given(%path, %path_bytes, %most) : (!ptr_xdsl.ptr, i64, i64) -> ()
  %some = arith.cmpi ne, %name_bytes, %none : i64
  scf.if %some {
    %slash, %slash_bytes = linux.text "/"
    func.call @alpha_say(%slash, %slash_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_given(%name, %name_bytes, %most) : (!ptr_xdsl.ptr, i64, i64) -> ()
  }
  func.return
}

// Contract: the line ends with why, and the process ends, since the kernel has refused something.
func.func private @end_refused(%result : i64) {
  %none = arith.constant 0 : i64
  %failed = arith.constant 5 : i64
  %number = arith.subi %none, %result : i64
  %colon, %colon_bytes = linux.text ": "
  func.call @alpha_say(%colon, %colon_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_reason(%number) : (i64) -> ()
  func.call @alpha_end(%failed) : (i64) -> ()
  func.return
}

// Contract: a result of the kernel isn't an error, or the process ends: the folder can't be written,
// or a file in it if its name has bytes.
func.func private @check_written(%result : i64, %name : !ptr_xdsl.ptr, %name_bytes : i64) {
  %none = arith.constant 0 : i64
  %bad = arith.cmpi slt, %result, %none : i64
  scf.if %bad {
    func.call @alpha_say_failed() : () -> ()
    %what, %what_bytes = linux.text "cannot write "
    func.call @alpha_say(%what, %what_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @say_path(%name, %name_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @end_refused(%result) : (i64) -> ()
  }
  func.return
}

// Contract: a result of the kernel isn't an error, or the process ends: this path can't be written.
func.func private @check_path(%result : i64, %path : !ptr_xdsl.ptr, %path_bytes : i64) {
  %none = arith.constant 0 : i64
  %most = arith.constant 1000 : i64
  %bad = arith.cmpi slt, %result, %none : i64
  scf.if %bad {
    func.call @alpha_say_failed() : () -> ()
    %what, %what_bytes = linux.text "cannot write "
    func.call @alpha_say(%what, %what_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_given(%path, %path_bytes, %most) : (!ptr_xdsl.ptr, i64, i64) -> ()
    func.call @end_refused(%result) : (i64) -> ()
  }
  func.return
}

// Contract: a result of the kernel isn't an error, or the process ends: a file in the folder can't be
// read.
func.func private @check_read(%result : i64, %name : !ptr_xdsl.ptr, %name_bytes : i64) {
  %none = arith.constant 0 : i64
  %bad = arith.cmpi slt, %result, %none : i64
  scf.if %bad {
    func.call @alpha_say_failed() : () -> ()
    %what, %what_bytes = linux.text "cannot read "
    func.call @alpha_say(%what, %what_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @say_path(%name, %name_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @end_refused(%result) : (i64) -> ()
  }
  func.return
}

// Contract: a file in the folder is `as_said` by the role, or the process ends.
func.func private @check_seen(%as_said : i1, %name : !ptr_xdsl.ptr, %name_bytes : i64,
    %role : i64) {
  %failed = arith.constant 5 : i64
  scf.if %as_said {
  } else {
    func.call @alpha_say_failed() : () -> ()
    func.call @say_path(%name, %name_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %what, %what_bytes = linux.text " isn't what role "
    func.call @alpha_say(%what, %what_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_number(%role) : (i64) -> ()
    %wrote, %wrote_bytes = linux.text " wrote: all roles have to see one folder"
    func.call @alpha_say(%wrote, %wrote_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_end(%failed) : (i64) -> ()
  }
  func.return
}
