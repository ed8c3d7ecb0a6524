// The start of a participant: what its entry has found, its arguments and environment, its memory.
//
// The kernel leaves words on the stack (System V psABI of each processor, initial process stack):
// the number of arguments, their addresses and a zero, the addresses of the environment's variables
// and a zero, and pairs of a kind and a word up to the kind 0, the auxiliary vector. Texts end in a
// zero byte.
//
// Arguments are `--data FILE`, `--wait SECONDS`, `--deadline SECONDS`, `--socket-buffer BYTES`,
// `--listen ADDRESS:PORT`, `--peers ADDRESS:PORT,...` and `--checkpoint PATH`, each at most once;
// anything else ends the process with a line and status 2. The variable ALPHA_SHA says how digests
// are computed: `fast`, by the processor's instructions, or `scalar`; without it, `fast` where there
// are such. Digests are the same.

// Where the stack of the kernel is, and the features of the processor.
"memref.global"() <{sym_name = "start_found", type = memref<2xi64>, sym_visibility = "private",
  initial_value = dense<0> : tensor<2xi64>}> : () -> ()
// What each argument has given, 0 for nothing: an address, nanoseconds, nanoseconds, bytes, a
// listener as listening.mlir has it, an address, an address.
"memref.global"() <{sym_name = "start_given", type = memref<7xi64>, sym_visibility = "private",
  initial_value = dense<0> : tensor<7xi64>}> : () -> ()

func.func private @alpha_role()
func.func private @alpha_set_role(i64)
func.func private @alpha_set_run(i64, !ptr_xdsl.ptr, i64, i64)
func.func private @alpha_set_session_length(i64)
func.func private @alpha_use_fast(i64)
func.func private @alpha_ignore_signal(i64) -> i64
func.func private @alpha_set_listeners(i64, i64)
func.func private @alpha_listener_of(!ptr_xdsl.ptr) -> (i64, i64)
func.func private @alpha_listener_count(!ptr_xdsl.ptr) -> i64
func.func private @alpha_sooner(i64, i64) -> i64
func.func private @alpha_say(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_number(i64)
func.func private @alpha_say_hex(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_error(i64)
func.func private @alpha_say_refused(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_failed()
func.func private @alpha_say_usage()
func.func private @alpha_end(i64)

// Contract: the participant runs, and the process ends with status 0 if nothing ends it before.
// `stack` is where the kernel has left its words, `features` has a bit for each feature that the
// processor has. It doesn't return.
func.func @alpha_start(%stack : !ptr_xdsl.ptr, %features : i64) {
  %c1 = arith.constant 1 : index
  %done = arith.constant 0 : i64
  %found = memref.get_global @start_found : memref<2xi64>
  %at = ptr_xdsl.to_ptr %found : memref<2xi64> -> !ptr_xdsl.ptr
  ptr_xdsl.store %stack, %at : !ptr_xdsl.ptr, !ptr_xdsl.ptr
  memref.store %features, %found[%c1] : memref<2xi64>
  func.call @alpha_role() : () -> ()
  %never = linux.syscall "exit_group"(%done) : (i64) -> i64
  func.return
}

// Contract: what is said and sent from here on is of this role, in the run with the 32 bytes at
// `identity`; the session begins. `needs` has a bit for each feature without which the participant
// can't run. The process ends where the processor lacks one (3), the arguments aren't right (2), or
// the kernel refuses what it refuses nobody (5).
func.func @alpha_begin(%role : i64, %identity : !ptr_xdsl.ptr, %needs : i64) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %none = arith.constant 0 : i64
  %last = arith.constant 9223372036854775807 : i64
  %minute = arith.constant 60000000000 : i64
  %week = arith.constant 604800000000000 : i64
  func.call @alpha_set_role(%role) : (i64) -> ()
  %pipe = linux.constant "SIGPIPE"
  %pipe_ignored = func.call @alpha_ignore_signal(%pipe) : (i64) -> i64
  %pipes, %pipes_bytes = linux.text ", while SIGPIPE was to be ignored"
  func.call @check_kernel(%pipe_ignored, %pipes, %pipes_bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  // Writing behind the largest size of a file that the process may have gives an error then.
  %size = linux.constant "SIGXFSZ"
  %size_ignored = func.call @alpha_ignore_signal(%size) : (i64) -> i64
  %sizes, %sizes_bytes = linux.text ", while SIGXFSZ was to be ignored"
  func.call @check_kernel(%size_ignored, %sizes, %sizes_bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  func.call @check_features(%needs) : (i64) -> ()
  func.call @read_arguments() : () -> ()
  func.call @choose_digests() : () -> ()
  %given = memref.get_global @start_given : memref<7xi64>
  %own = memref.load %given[%c4] : memref<7xi64>
  %peers = memref.load %given[%c5] : memref<7xi64>
  func.call @alpha_set_listeners(%own, %peers) : (i64, i64) -> ()
  %wait_given = memref.load %given[%c1] : memref<7xi64>
  %no_wait = arith.cmpi eq, %wait_given, %none : i64
  %wait = arith.select %no_wait, %minute, %wait_given : i64
  %bound_given = memref.load %given[%c2] : memref<7xi64>
  %no_bound = arith.cmpi eq, %bound_given, %none : i64
  %bound = arith.select %no_bound, %week, %bound_given : i64
  %session = func.call @alpha_sooner(%bound, %last) : (i64, i64) -> i64
  %clock, %clock_bytes = linux.text ", while the clock was read"
  func.call @check_kernel(%session, %clock, %clock_bytes) : (i64, !ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_set_session_length(%bound) : (i64) -> ()
  func.call @alpha_set_run(%role, %identity, %session, %wait)
    : (i64, !ptr_xdsl.ptr, i64, i64) -> ()
  func.return
}

// Contract: the bytes that the buffers of a socket are to have, 0 to leave them to the system.
func.func @alpha_socket_buffer() -> i64 {
  %c3 = arith.constant 3 : index
  %given = memref.get_global @start_given : memref<7xi64>
  %bytes = memref.load %given[%c3] : memref<7xi64>
  func.return %bytes : i64
}

// Contract: `word` becomes the address of the file that an argument names, or 0.
func.func @alpha_data_argument(%word : !ptr_xdsl.ptr) {
  %c0 = arith.constant 0 : index
  %given = memref.get_global @start_given : memref<7xi64>
  %file = memref.load %given[%c0] : memref<7xi64>
  ptr_xdsl.store %file, %word : i64, !ptr_xdsl.ptr
  func.return
}

// Contract: a folder for generations was named if they are `needed` (1), and none if they aren't (0);
// or the process ends (2).
func.func @alpha_store_begin(%needed : i64) {
  %c6 = arith.constant 6 : index
  %none = arith.constant 0 : i64
  %usage = arith.constant 2 : i64
  %given = memref.get_global @start_given : memref<7xi64>
  %folder = memref.load %given[%c6] : memref<7xi64>
  %named = arith.cmpi ne, %folder, %none : i64
  %wanted = arith.cmpi ne, %needed, %none : i64
  %same = arith.cmpi eq, %named, %wanted : i1
  scf.if %same {
  } else {
    func.call @alpha_say_usage() : () -> ()
    scf.if %wanted {
      %text, %bytes =
        linux.text "expected --checkpoint PATH, since generations are written, found none"
      func.call @alpha_say(%text, %bytes) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @alpha_end(%usage) : (i64) -> ()
    } else {
      %text, %bytes = linux.text "expected no --checkpoint, since no generation is written"
      func.call @alpha_say(%text, %bytes) : (!ptr_xdsl.ptr, i64) -> ()
      %word = memref.alloca() : memref<1xi64>
      %word_at = ptr_xdsl.to_ptr %word : memref<1xi64> -> !ptr_xdsl.ptr
      func.call @alpha_checkpoint_argument(%word_at) : (!ptr_xdsl.ptr) -> ()
      %path = ptr_xdsl.load %word_at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
      func.call @end_usage(%path) : (!ptr_xdsl.ptr) -> ()
    }
  }
  func.return
}

// Contract: `word` becomes the address of the folder for generations that an argument names, or 0.
func.func @alpha_checkpoint_argument(%word : !ptr_xdsl.ptr) {
  %c6 = arith.constant 6 : index
  %given = memref.get_global @start_given : memref<7xi64>
  %folder = memref.load %given[%c6] : memref<7xi64>
  ptr_xdsl.store %folder, %word : i64, !ptr_xdsl.ptr
  func.return
}

// Contract: `word` becomes the address of the path by which the kernel found the executable, or of
// what the executable was told to be its name, or 0.
func.func @alpha_executable_path(%word : !ptr_xdsl.ptr) {
  %none = arith.constant 0 : i64
  %eight = arith.constant 8 : i64
  %pair = arith.constant 16 : i64
  %kind = linux.constant "AT_EXECFN"
  %found = memref.get_global @start_found : memref<2xi64>
  %found_at = ptr_xdsl.to_ptr %found : memref<2xi64> -> !ptr_xdsl.ptr
  %stack = ptr_xdsl.load %found_at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
  // Without any argument, the word behind the number is the zero at their end.
  %first = ptr_xdsl.ptradd %stack, %eight : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %name = ptr_xdsl.load %first : !ptr_xdsl.ptr -> i64
  %variables = func.call @environment() : () -> !ptr_xdsl.ptr
  %behind = scf.while (%at = %variables) : (!ptr_xdsl.ptr) -> (!ptr_xdsl.ptr) {
    %variable = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i64
    %next = ptr_xdsl.ptradd %at, %eight : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %more = arith.cmpi ne, %variable, %none : i64
    scf.condition(%more) %next : !ptr_xdsl.ptr
  } do {
  ^bb0(%at : !ptr_xdsl.ptr):
    scf.yield %at : !ptr_xdsl.ptr
  }
  %after, %path = scf.while (%at = %behind, %held = %name)
      : (!ptr_xdsl.ptr, i64) -> (!ptr_xdsl.ptr, i64) {
    %this = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i64
    %value_at = ptr_xdsl.ptradd %at, %eight : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %value = ptr_xdsl.load %value_at : !ptr_xdsl.ptr -> i64
    %wanted = arith.cmpi eq, %this, %kind : i64
    %known = arith.select %wanted, %value, %held : i64
    %next = ptr_xdsl.ptradd %at, %pair : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %more = arith.cmpi ne, %this, %none : i64
    scf.condition(%more) %next, %known : !ptr_xdsl.ptr, i64
  } do {
  ^bb0(%at : !ptr_xdsl.ptr, %held : i64):
    scf.yield %at, %held : !ptr_xdsl.ptr, i64
  }
  ptr_xdsl.store %path, %word : i64, !ptr_xdsl.ptr
  func.return
}

// Contract: `bytes` bytes of zeros (0 or more), at a multiple of 4096; or the process ends (5).
// What isn't touched takes no memory; the kernel counts it towards what it may promise.
func.func @alpha_arena(%bytes : i64) -> !ptr_xdsl.ptr {
  %c0 = arith.constant 0 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %nobody = arith.constant -1 : i64
  %failed = arith.constant 5 : i64
  %read = linux.constant "PROT_READ"
  %write = linux.constant "PROT_WRITE"
  %private = linux.constant "MAP_PRIVATE"
  %anonymous = linux.constant "MAP_ANONYMOUS"
  %rights = arith.ori %read, %write : i64
  %kind = arith.ori %private, %anonymous : i64
  // Nothing can't be mapped.
  %size = arith.maxui %bytes, %one : i64
  %mapped = linux.syscall "mmap"(%none, %size, %rights, %kind, %nobody, %none)
    : (i64, i64, i64, i64, i64, i64) -> i64
  %refused = arith.cmpi slt, %mapped, %none : i64
  scf.if %refused {
    func.call @alpha_say_failed() : () -> ()
    %what, %what_bytes = linux.text "out of memory: unable to allocate "
    func.call @alpha_say(%what, %what_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_number(%bytes) : (i64) -> ()
    %unit, %unit_bytes = linux.text " bytes"
    func.call @alpha_say(%unit, %unit_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_end(%failed) : (i64) -> ()
  }
  %word = memref.alloca() : memref<1xi64>
  memref.store %mapped, %word[%c0] : memref<1xi64>
  %at = ptr_xdsl.to_ptr %word : memref<1xi64> -> !ptr_xdsl.ptr
  %arena = ptr_xdsl.load %at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
  func.return %arena : !ptr_xdsl.ptr
}

// Contract: the line says `bytes` bytes that somebody else has chosen, so that it stays one line:
// control characters and backslashes as `\x0a`, and of more than `most` bytes how many more.
func.func @alpha_say_given(%text : !ptr_xdsl.ptr, %bytes : i64, %most : i64) {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %space = arith.constant 32 : i8
  %delete = arith.constant 127 : i8
  %backslash = arith.constant 92 : i8
  %size = arith.minui %bytes, %most : i64
  scf.for %i = %none to %size step %one : i64 {
    %at = ptr_xdsl.ptradd %text, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %byte = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i8
    %low = arith.cmpi ult, %byte, %space : i8
    %del = arith.cmpi eq, %byte, %delete : i8
    %slash = arith.cmpi eq, %byte, %backslash : i8
    %control = arith.ori %low, %del : i1
    %spelled = arith.ori %control, %slash : i1
    scf.if %spelled {
      %x, %x_bytes = linux.text "\\x"
      func.call @alpha_say(%x, %x_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @alpha_say_hex(%at, %one) : (!ptr_xdsl.ptr, i64) -> ()
    } else {
      func.call @alpha_say(%at, %one) : (!ptr_xdsl.ptr, i64) -> ()
    }
  }
  %long = arith.cmpi ugt, %bytes, %most : i64
  scf.if %long {
    %left = arith.subi %bytes, %most : i64
    %and, %and_bytes = linux.text " and "
    func.call @alpha_say(%and, %and_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_number(%left) : (i64) -> ()
    %more, %more_bytes = linux.text " bytes more"
    func.call @alpha_say(%more, %more_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  }
  func.return
}

// Contract: how many bytes a text has before the zero at its end.
func.func @alpha_text_bytes(%text : !ptr_xdsl.ptr) -> i64 {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %end = arith.constant 0 : i8
  %bytes = scf.while (%count = %none) : (i64) -> (i64) {
    %at = ptr_xdsl.ptradd %text, %count : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %byte = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i8
    %more = arith.cmpi ne, %byte, %end : i8
    scf.condition(%more) %count : i64
  } do {
  ^bb0(%count : i64):
    %next = arith.addi %count, %one : i64
    scf.yield %next : i64
  }
  func.return %bytes : i64
}

// Contract: a result of the kernel isn't an error, or the process ends; `doing` ends its line.
func.func private @check_kernel(%result : i64, %doing : !ptr_xdsl.ptr, %doing_bytes : i64) {
  %none = arith.constant 0 : i64
  %failed = arith.constant 5 : i64
  %bad = arith.cmpi slt, %result, %none : i64
  scf.if %bad {
    %number = arith.subi %none, %result : i64
    func.call @alpha_say_failed() : () -> ()
    func.call @alpha_say_error(%number) : (i64) -> ()
    func.call @alpha_say(%doing, %doing_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_end(%failed) : (i64) -> ()
  }
  func.return
}

// Contract: the processor has every feature of `needs`, or the process ends.
func.func private @check_features(%needs : i64) {
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %ones = arith.constant -1 : i64
  %refused = arith.constant 3 : i64
  %found = memref.get_global @start_found : memref<2xi64>
  %features = memref.load %found[%c1] : memref<2xi64>
  %others = arith.xori %features, %ones : i64
  %lacking = arith.andi %needs, %others : i64
  %lacks = arith.cmpi ne, %lacking, %none : i64
  scf.if %lacks {
    %negated = arith.subi %none, %lacking : i64
    %lowest = arith.andi %lacking, %negated : i64
    %which = arith.index_cast %lowest : i64 to index
    %code, %code_bytes = linux.text "target-unsupported"
    func.call @alpha_say_refused(%code, %code_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %wanted, %wanted_bytes = linux.text "expected a processor with "
    func.call @alpha_say(%wanted, %wanted_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %name, %name_bytes = scf.index_switch %which -> !ptr_xdsl.ptr, i64
    case 1 {
      %at, %size = linux.text "avx512"
      scf.yield %at, %size : !ptr_xdsl.ptr, i64
    }
    case 2 {
      %at, %size = linux.text "sha"
      scf.yield %at, %size : !ptr_xdsl.ptr, i64
    }
    case 4 {
      %at, %size = linux.text "sha2"
      scf.yield %at, %size : !ptr_xdsl.ptr, i64
    }
    default {
      %at, %size = linux.text "what this was made for"
      scf.yield %at, %size : !ptr_xdsl.ptr, i64
    }
    func.call @alpha_say(%name, %name_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %but, %but_bytes = linux.text ", found one without"
    func.call @alpha_say(%but, %but_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_end(%refused) : (i64) -> ()
  }
  func.return
}

// Contract: where the addresses of the environment's variables begin.
func.func private @environment() -> !ptr_xdsl.ptr {
  %three = arith.constant 3 : i64
  %pair = arith.constant 16 : i64
  %found = memref.get_global @start_found : memref<2xi64>
  %found_at = ptr_xdsl.to_ptr %found : memref<2xi64> -> !ptr_xdsl.ptr
  %stack = ptr_xdsl.load %found_at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
  %count = ptr_xdsl.load %stack : !ptr_xdsl.ptr -> i64
  %bytes = arith.shli %count, %three : i64
  %offset = arith.addi %bytes, %pair : i64
  %at = ptr_xdsl.ptradd %stack, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  func.return %at : !ptr_xdsl.ptr
}

// Contract: whether a text begins with the `bytes` bytes at `wanted`, of which none is zero.
func.func private @begins(%text : !ptr_xdsl.ptr, %wanted : !ptr_xdsl.ptr, %bytes : i64) -> i1 {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // It isn't read behind the first byte that differs, so not behind its end.
  %alike = scf.while (%count = %none) : (i64) -> (i64) {
    %within = arith.cmpi ult, %count, %bytes : i64
    %same = scf.if %within -> (i1) {
      %a_at = ptr_xdsl.ptradd %text, %count : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
      %b_at = ptr_xdsl.ptradd %wanted, %count : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
      %a = ptr_xdsl.load %a_at : !ptr_xdsl.ptr -> i8
      %b = ptr_xdsl.load %b_at : !ptr_xdsl.ptr -> i8
      %equal = arith.cmpi eq, %a, %b : i8
      scf.yield %equal : i1
    } else {
      scf.yield %within : i1
    }
    scf.condition(%same) %count : i64
  } do {
  ^bb0(%count : i64):
    %next = arith.addi %count, %one : i64
    scf.yield %next : i64
  }
  %whole = arith.cmpi eq, %alike, %bytes : i64
  func.return %whole : i1
}

// Contract: whether a text is the `bytes` bytes at `wanted`, of which none is zero.
func.func private @is_text(%text : !ptr_xdsl.ptr, %wanted : !ptr_xdsl.ptr, %bytes : i64) -> i1 {
  %no = arith.constant false
  %end = arith.constant 0 : i8
  %begun = func.call @begins(%text, %wanted, %bytes) : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64) -> i1
  %same = scf.if %begun -> (i1) {
    %behind = ptr_xdsl.ptradd %text, %bytes : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %byte = ptr_xdsl.load %behind : !ptr_xdsl.ptr -> i8
    %ended = arith.cmpi eq, %byte, %end : i8
    scf.yield %ended : i1
  } else {
    scf.yield %no : i1
  }
  func.return %same : i1
}

// Contract: how many digits a text begins with.
func.func private @digit_count(%text : !ptr_xdsl.ptr) -> i64 {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %zero = arith.constant 48 : i8
  %ten = arith.constant 10 : i8
  %digits = scf.while (%count = %none) : (i64) -> (i64) {
    %at = ptr_xdsl.ptradd %text, %count : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %byte = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i8
    %value = arith.subi %byte, %zero : i8
    %more = arith.cmpi ult, %value, %ten : i8
    scf.condition(%more) %count : i64
  } do {
  ^bb0(%count : i64):
    %next = arith.addi %count, %one : i64
    scf.yield %next : i64
  }
  func.return %digits : i64
}

// Contract: the number that `count` digits are, or one more than `most` if it is larger. `most` is
// below 2^59.
func.func private @number(%digits : !ptr_xdsl.ptr, %count : i64, %most : i64) -> i64 {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %ten = arith.constant 10 : i64
  %ascii = arith.constant 48 : i64
  %above = arith.addi %most, %one : i64
  %value = scf.for %i = %none to %count step %one iter_args(%so_far = %none) -> (i64) : i64 {
    %at = ptr_xdsl.ptradd %digits, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %byte = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i8
    %wide = arith.extui %byte : i8 to i64
    %digit = arith.subi %wide, %ascii : i64
    %tens = arith.muli %so_far, %ten : i64
    %sum = arith.addi %tens, %digit : i64
    %held = arith.minui %sum, %above : i64
    scf.yield %held : i64
  }
  func.return %value : i64
}

// Contract: the bytes that a text says, from 1 to 2^31 - 1 as a socket takes them, or 0 if it says
// something else.
func.func private @bytes_of(%text : !ptr_xdsl.ptr) -> i64 {
  %none = arith.constant 0 : i64
  %most = arith.constant 2147483647 : i64
  %end = arith.constant 0 : i8
  %count = func.call @digit_count(%text) : (!ptr_xdsl.ptr) -> i64
  %value = func.call @number(%text, %count, %most) : (!ptr_xdsl.ptr, i64, i64) -> i64
  %behind = ptr_xdsl.ptradd %text, %count : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %byte = ptr_xdsl.load %behind : !ptr_xdsl.ptr -> i8
  %ended = arith.cmpi eq, %byte, %end : i8
  %fits = arith.cmpi ule, %value, %most : i64
  %good = arith.andi %ended, %fits : i1
  %bytes = arith.select %good, %value, %none : i64
  func.return %bytes : i64
}

// Contract: the nanoseconds that a text says as seconds, digits that a point and digits may follow:
// more than 0, at most 366 days, rounded up; or 0 if it says something else.
func.func private @nanoseconds_of(%text : !ptr_xdsl.ptr) -> i64 {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %nine = arith.constant 9 : i64
  %ten = arith.constant 10 : i64
  %second = arith.constant 1000000000 : i64
  %most_seconds = arith.constant 31622400 : i64
  %most = arith.constant 31622400000000000 : i64
  %no = arith.constant false
  %zero = arith.constant 48 : i8
  %end = arith.constant 0 : i8
  %point = arith.constant 46 : i8
  %count = func.call @digit_count(%text) : (!ptr_xdsl.ptr) -> i64
  %whole = func.call @number(%text, %count, %most_seconds) : (!ptr_xdsl.ptr, i64, i64) -> i64
  %behind = ptr_xdsl.ptradd %text, %count : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %byte = ptr_xdsl.load %behind : !ptr_xdsl.ptr -> i8
  %some = arith.cmpi ne, %count, %none : i64
  %ended = arith.cmpi eq, %byte, %end : i8
  %pointed = arith.cmpi eq, %byte, %point : i8
  %part, %right = scf.if %pointed -> (i64, i1) {
    %digits = ptr_xdsl.ptradd %behind, %one : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %decimals = func.call @digit_count(%digits) : (!ptr_xdsl.ptr) -> i64
    %last = ptr_xdsl.ptradd %digits, %decimals : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %last_byte = ptr_xdsl.load %last : !ptr_xdsl.ptr -> i8
    %last_ended = arith.cmpi eq, %last_byte, %end : i8
    %any = arith.cmpi ne, %decimals, %none : i64
    %good = arith.andi %last_ended, %any : i1
    %kept = arith.minui %decimals, %nine : i64
    %value = func.call @number(%digits, %kept, %second) : (!ptr_xdsl.ptr, i64, i64) -> i64
    %scaled = scf.for %i = %kept to %nine step %one iter_args(%so_far = %value) -> (i64) : i64 {
      %tens = arith.muli %so_far, %ten : i64
      scf.yield %tens : i64
    }
    %rest = scf.for %i = %nine to %decimals step %one iter_args(%so_far = %no) -> (i1) : i64 {
      %at = ptr_xdsl.ptradd %digits, %i : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
      %digit = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i8
      %counts = arith.cmpi ne, %digit, %zero : i8
      %either = arith.ori %so_far, %counts : i1
      scf.yield %either : i1
    }
    %more = arith.extui %rest : i1 to i64
    %rounded = arith.addi %scaled, %more : i64
    scf.yield %rounded, %good : i64, i1
  } else {
    scf.yield %none, %ended : i64, i1
  }
  %whole_part = arith.muli %whole, %second : i64
  %sum = arith.addi %whole_part, %part : i64
  %fits = arith.cmpi ule, %sum, %most : i64
  %formed = arith.andi %some, %right : i1
  %meant = arith.andi %formed, %fits : i1
  %nanoseconds = arith.select %meant, %sum, %none : i64
  func.return %nanoseconds : i64
}

// Contract: which argument is named: 0 to 6, or 7 for none.
func.func private @named(%text : !ptr_xdsl.ptr) -> i64 {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %seven = arith.constant 7 : i64
  %r = scf.for %i = %none to %seven step %one iter_args(%so_far = %seven) -> (i64) : i64 {
    %name, %bytes = func.call @name_of(%i) : (i64) -> (!ptr_xdsl.ptr, i64)
    %same = func.call @is_text(%text, %name, %bytes) : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64) -> i1
    %which = arith.select %same, %i, %so_far : i64
    scf.yield %which : i64
  }
  func.return %r : i64
}

// Contract: the name of an argument.
func.func private @name_of(%which : i64) -> (!ptr_xdsl.ptr, i64) {
  %case = arith.index_cast %which : i64 to index
  %name, %bytes = scf.index_switch %case -> !ptr_xdsl.ptr, i64
  case 0 {
    %at, %size = linux.text "--data"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 1 {
    %at, %size = linux.text "--wait"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 2 {
    %at, %size = linux.text "--deadline"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 4 {
    %at, %size = linux.text "--listen"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 5 {
    %at, %size = linux.text "--peers"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  case 6 {
    %at, %size = linux.text "--checkpoint"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  default {
    %at, %size = linux.text "--socket-buffer"
    scf.yield %at, %size : !ptr_xdsl.ptr, i64
  }
  func.return %name, %bytes : !ptr_xdsl.ptr, i64
}

// Contract: the line ends in `, found` and the text in quotes, and the process ends.
func.func private @end_usage(%text : !ptr_xdsl.ptr) {
  %most = arith.constant 60 : i64
  %usage = arith.constant 2 : i64
  %found, %found_bytes = linux.text ", found '"
  func.call @alpha_say(%found, %found_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  %bytes = func.call @alpha_text_bytes(%text) : (!ptr_xdsl.ptr) -> i64
  func.call @alpha_say_given(%text, %bytes, %most) : (!ptr_xdsl.ptr, i64, i64) -> ()
  %quote, %quote_bytes = linux.text "'"
  func.call @alpha_say(%quote, %quote_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_end(%usage) : (i64) -> ()
  func.return
}

// Contract: what the arguments say is kept, or the process ends.
func.func private @read_arguments() {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %seven = arith.constant 7 : i64
  %eight = arith.constant 8 : i64
  %usage = arith.constant 2 : i64
  %given = memref.get_global @start_given : memref<7xi64>
  %found = memref.get_global @start_found : memref<2xi64>
  %found_at = ptr_xdsl.to_ptr %found : memref<2xi64> -> !ptr_xdsl.ptr
  %stack = ptr_xdsl.load %found_at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
  %count = ptr_xdsl.load %stack : !ptr_xdsl.ptr -> i64
  %addresses = ptr_xdsl.ptradd %stack, %eight : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  // The first one is the name of the executable.
  scf.for %i = %one to %count step %two : i64 {
    %offset = arith.shli %i, %three : i64
    %at = ptr_xdsl.ptradd %addresses, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %argument = ptr_xdsl.load %at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
    %which = func.call @named(%argument) : (!ptr_xdsl.ptr) -> i64
    %unknown = arith.cmpi eq, %which, %seven : i64
    scf.if %unknown {
      func.call @alpha_say_usage() : () -> ()
      %wanted, %wanted_bytes =
        linux.text "expected --data, --wait, --deadline, --socket-buffer, --listen, --peers"
      func.call @alpha_say(%wanted, %wanted_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      %or, %or_bytes = linux.text " or --checkpoint"
      func.call @alpha_say(%or, %or_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @end_usage(%argument) : (!ptr_xdsl.ptr) -> ()
    }
    %name, %name_bytes = func.call @name_of(%which) : (i64) -> (!ptr_xdsl.ptr, i64)
    %place = arith.index_cast %which : i64 to index
    %before = memref.load %given[%place] : memref<7xi64>
    %again = arith.cmpi ne, %before, %none : i64
    scf.if %again {
      func.call @alpha_say_usage() : () -> ()
      %wanted, %wanted_bytes = linux.text "expected "
      func.call @alpha_say(%wanted, %wanted_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @alpha_say(%name, %name_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      %once, %once_bytes = linux.text " once, found it again"
      func.call @alpha_say(%once, %once_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @alpha_end(%usage) : (i64) -> ()
    }
    %next = arith.addi %i, %one : i64
    %missing = arith.cmpi eq, %next, %count : i64
    scf.if %missing {
      func.call @alpha_say_usage() : () -> ()
      %wanted, %wanted_bytes = linux.text "expected a value behind "
      func.call @alpha_say(%wanted, %wanted_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @alpha_say(%name, %name_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      %but, %but_bytes = linux.text ", found none"
      func.call @alpha_say(%but, %but_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @alpha_end(%usage) : (i64) -> ()
    }
    %value_at = ptr_xdsl.ptradd %at, %eight : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %value = func.call @value_of(%which, %value_at) : (i64, !ptr_xdsl.ptr) -> i64
    %bad = arith.cmpi eq, %value, %none : i64
    scf.if %bad {
      %text = ptr_xdsl.load %value_at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
      func.call @end_value(%place, %name, %name_bytes, %text)
        : (index, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr) -> ()
    }
    memref.store %value, %given[%place] : memref<7xi64>
  }
  func.return
}

// Contract: what the text whose address is at `at` says as the value of an argument, or 0 if it
// doesn't say one.
func.func private @value_of(%which : i64, %at : !ptr_xdsl.ptr) -> i64 {
  %none = arith.constant 0 : i64
  %end = arith.constant 0 : i8
  %text = ptr_xdsl.load %at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
  %case = arith.index_cast %which : i64 to index
  %value = scf.index_switch %case -> i64
  case 0 {
    %address = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i64
    %first = ptr_xdsl.load %text : !ptr_xdsl.ptr -> i8
    %empty = arith.cmpi eq, %first, %end : i8
    %path = arith.select %empty, %none, %address : i64
    scf.yield %path : i64
  }
  case 4 {
    %listener, %size = func.call @alpha_listener_of(%text) : (!ptr_xdsl.ptr) -> (i64, i64)
    %behind = ptr_xdsl.ptradd %text, %size : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %byte = ptr_xdsl.load %behind : !ptr_xdsl.ptr -> i8
    %ended = arith.cmpi eq, %byte, %end : i8
    %own = arith.select %ended, %listener, %none : i64
    scf.yield %own : i64
  }
  case 5 {
    %address = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i64
    %count = func.call @alpha_listener_count(%text) : (!ptr_xdsl.ptr) -> i64
    %other = arith.cmpi eq, %count, %none : i64
    %peers = arith.select %other, %none, %address : i64
    scf.yield %peers : i64
  }
  case 6 {
    // With the names of generations behind it, of 64 bytes at most, and a zero it fits into a path.
    %most = arith.constant 4031 : i64
    %one = arith.constant 1 : i64
    %address = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i64
    %size = func.call @alpha_text_bytes(%text) : (!ptr_xdsl.ptr) -> i64
    %last = arith.subi %size, %one : i64
    %fits = arith.cmpi ult, %last, %most : i64
    %folder = arith.select %fits, %address, %none : i64
    scf.yield %folder : i64
  }
  case 3 {
    %bytes = func.call @bytes_of(%text) : (!ptr_xdsl.ptr) -> i64
    scf.yield %bytes : i64
  }
  default {
    %nanoseconds = func.call @nanoseconds_of(%text) : (!ptr_xdsl.ptr) -> i64
    scf.yield %nanoseconds : i64
  }
  func.return %value : i64
}

// Contract: the line says what is expected behind an argument, and the process ends.
func.func private @end_value(%which : index, %name : !ptr_xdsl.ptr, %name_bytes : i64,
    %text : !ptr_xdsl.ptr) {
  %what, %what_bytes, %range, %range_bytes = scf.index_switch %which
    -> !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64
  case 0 {
    %at, %size = linux.text "a file"
    %more, %more_size = linux.text ""
    scf.yield %at, %size, %more, %more_size : !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64
  }
  case 3 {
    %at, %size = linux.text "bytes"
    %more, %more_size = linux.text ", from 1 to 2147483647"
    scf.yield %at, %size, %more, %more_size : !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64
  }
  case 4 {
    %at, %size = linux.text "an IPv4 address and a port"
    %more, %more_size = linux.text ", such as 127.0.0.1:20000"
    scf.yield %at, %size, %more, %more_size : !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64
  }
  case 5 {
    %at, %size = linux.text "IPv4 addresses and ports"
    %more, %more_size = linux.text ", such as 127.0.0.1:20000,127.0.0.1:20001"
    scf.yield %at, %size, %more, %more_size : !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64
  }
  case 6 {
    %at, %size = linux.text "a folder"
    %more, %more_size = linux.text ", of 1 to 4031 bytes"
    scf.yield %at, %size, %more, %more_size : !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64
  }
  default {
    %at, %size = linux.text "seconds"
    %more, %more_size = linux.text ", more than 0 and at most 31622400"
    scf.yield %at, %size, %more, %more_size : !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, i64
  }
  func.call @alpha_say_usage() : () -> ()
  %wanted, %wanted_bytes = linux.text "expected "
  func.call @alpha_say(%wanted, %wanted_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say(%what, %what_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  %behind, %behind_bytes = linux.text " behind "
  func.call @alpha_say(%behind, %behind_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say(%name, %name_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say(%range, %range_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @end_usage(%text) : (!ptr_xdsl.ptr) -> ()
  func.return
}

// Contract: digests are computed as ALPHA_SHA says, or the process ends. A variable that is empty
// says nothing, and of several the first one counts.
func.func private @choose_digests() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %eight = arith.constant 8 : i64
  // The bits of sha and sha2.
  %able = arith.constant 6 : i64
  %end = arith.constant 0 : i8
  %found = memref.get_global @start_found : memref<2xi64>
  %features = memref.load %found[%c1] : memref<2xi64>
  %such = arith.andi %features, %able : i64
  %has = arith.cmpi ne, %such, %none : i64
  %variables = func.call @environment() : () -> !ptr_xdsl.ptr
  %name, %name_bytes = linux.text "ALPHA_SHA="
  %fast, %fast_bytes = linux.text "fast"
  %scalar, %scalar_bytes = linux.text "scalar"
  cf.br ^next(%variables : !ptr_xdsl.ptr)
^next(%at : !ptr_xdsl.ptr):
  %address = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i64
  %last = arith.cmpi eq, %address, %none : i64
  cf.cond_br %last, ^choose(%has : i1), ^look
^look:
  %variable = ptr_xdsl.load %at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
  %behind = ptr_xdsl.ptradd %at, %eight : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %is_it = func.call @begins(%variable, %name, %name_bytes)
    : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64) -> i1
  cf.cond_br %is_it, ^read, ^next(%behind : !ptr_xdsl.ptr)
^read:
  %value = ptr_xdsl.ptradd %variable, %name_bytes : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %first = ptr_xdsl.load %value : !ptr_xdsl.ptr -> i8
  %empty = arith.cmpi eq, %first, %end : i8
  cf.cond_br %empty, ^choose(%has : i1), ^said
^said:
  %is_scalar = func.call @is_text(%value, %scalar, %scalar_bytes)
    : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64) -> i1
  %is_fast = func.call @is_text(%value, %fast, %fast_bytes)
    : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64) -> i1
  %known = arith.ori %is_scalar, %is_fast : i1
  cf.cond_br %known, ^asked, ^unknown
^asked:
  %can = arith.ori %is_scalar, %has : i1
  cf.cond_br %can, ^choose(%is_fast : i1), ^unable
^unable:
  %code, %code_bytes = linux.text "target-unsupported"
  func.call @alpha_say_refused(%code, %code_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  %wanted, %wanted_bytes =
    linux.text "expected a processor with instructions for SHA-256, found one without"
  func.call @alpha_say(%wanted, %wanted_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  %refused = arith.constant 3 : i64
  func.call @alpha_end(%refused) : (i64) -> ()
  cf.br ^choose(%has : i1)
^unknown:
  func.call @alpha_say_usage() : () -> ()
  %words, %words_bytes = linux.text "expected fast or scalar in ALPHA_SHA"
  func.call @alpha_say(%words, %words_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @end_usage(%value) : (!ptr_xdsl.ptr) -> ()
  cf.br ^choose(%has : i1)
^choose(%by_instructions : i1):
  %yes = arith.extui %by_instructions : i1 to i64
  func.call @alpha_use_fast(%yes) : (i64) -> ()
  func.return
}
