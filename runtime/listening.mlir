// Where roles listen, if whoever starts them has said so: then no port passes between them.
//
// An address and a port are a text `A.B.C.D:PORT`, in which no number begins with a zero that it
// doesn't need, and a number, address << 16 | port, which is 0 for none: a port is from 1 to 65535.

// Where this role listens for its first higher peer, and where the text is that says where its
// lower peers listen for it; 0 for what isn't known.
"memref.global"() <{sym_name = "listening_known", type = memref<2xi64>,
  sym_visibility = "private", initial_value = dense<0> : tensor<2xi64>}> : () -> ()

// Contract: what is known is kept: `own` is a number, `peers` the address of a text that
// `alpha_listener_count` has counted.
func.func @alpha_set_listeners(%own : i64, %peers : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %known = memref.get_global @listening_known : memref<2xi64>
  memref.store %own, %known[%c0] : memref<2xi64>
  memref.store %peers, %known[%c1] : memref<2xi64>
  func.return
}

// Contract: where this role listens for its first higher peer, 0 where it chooses.
func.func @alpha_own_listener() -> i64 {
  %c0 = arith.constant 0 : index
  %known = memref.get_global @listening_known : memref<2xi64>
  %own = memref.load %known[%c0] : memref<2xi64>
  func.return %own : i64
}

// Contract: how many lower peers are said where they listen, -1 where nothing is said of them.
func.func @alpha_known_peers() -> i64 {
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %unknown = arith.constant -1 : i64
  %known = memref.get_global @listening_known : memref<2xi64>
  %text = memref.load %known[%c1] : memref<2xi64>
  %nothing = arith.cmpi eq, %text, %none : i64
  %count = scf.if %nothing -> (i64) {
    scf.yield %unknown : i64
  } else {
    %at = func.call @known_text() : () -> !ptr_xdsl.ptr
    %said = func.call @alpha_listener_count(%at) : (!ptr_xdsl.ptr) -> i64
    scf.yield %said : i64
  }
  func.return %count : i64
}

// Contract: where the next lower peer listens; `offset` is where its text begins among the bytes of
// all, 0 for the first, and becomes that of the one behind it.
func.func @alpha_next_listener(%offset : memref<1xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %text = func.call @known_text() : () -> !ptr_xdsl.ptr
  %from = memref.load %offset[%c0] : memref<1xi64>
  %at = ptr_xdsl.ptradd %text, %from : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %listener, %bytes = func.call @alpha_listener_of(%at) : (!ptr_xdsl.ptr) -> (i64, i64)
  %end = arith.addi %from, %bytes : i64
  %next = arith.addi %end, %one : i64
  memref.store %next, %offset[%c0] : memref<1xi64>
  func.return %listener : i64
}

// Contract: the text that says where the lower peers listen.
func.func private @known_text() -> !ptr_xdsl.ptr {
  %eight = arith.constant 8 : i64
  %known = memref.get_global @listening_known : memref<2xi64>
  %words = ptr_xdsl.to_ptr %known : memref<2xi64> -> !ptr_xdsl.ptr
  %at = ptr_xdsl.ptradd %words, %eight : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %text = ptr_xdsl.load %at : !ptr_xdsl.ptr -> !ptr_xdsl.ptr
  func.return %text : !ptr_xdsl.ptr
}

// Contract: how many listeners a text says, with a comma between two; 0 if it says anything else.
func.func @alpha_listener_count(%text : !ptr_xdsl.ptr) -> i64 {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %end = arith.constant 0 : i8
  %comma = arith.constant 44 : i8
  cf.br ^next(%none, %none : i64, i64)
^next(%offset : i64, %count : i64):
  %at = ptr_xdsl.ptradd %text, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %listener, %bytes = func.call @alpha_listener_of(%at) : (!ptr_xdsl.ptr) -> (i64, i64)
  %other = arith.cmpi eq, %listener, %none : i64
  cf.cond_br %other, ^end(%none : i64), ^behind
^behind:
  %last = arith.addi %offset, %bytes : i64
  %more = arith.addi %count, %one : i64
  %behind = ptr_xdsl.ptradd %text, %last : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %byte = ptr_xdsl.load %behind : !ptr_xdsl.ptr -> i8
  %goes_on = arith.cmpi eq, %byte, %comma : i8
  %from = arith.addi %last, %one : i64
  cf.cond_br %goes_on, ^next(%from, %more : i64, i64), ^ended
^ended:
  %ends = arith.cmpi eq, %byte, %end : i8
  %all = arith.select %ends, %more, %none : i64
  cf.br ^end(%all : i64)
^end(%result : i64):
  func.return %result : i64
}

// Contract: the listener that a text begins with, and the bytes of it that say so; 0 and any number
// if it begins with none. Nothing is read behind the end of the text.
func.func @alpha_listener_of(%text : !ptr_xdsl.ptr) -> (i64, i64) {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %five = arith.constant 5 : i64
  %byte_bits = arith.constant 8 : i64
  %port_bits = arith.constant 16 : i64
  %byte_most = arith.constant 255 : i64
  %port_most = arith.constant 65535 : i64
  %yes = arith.constant true
  %dot = arith.constant 46 : i8
  %colon = arith.constant 58 : i8
  %bytes, %value, %good = scf.for %i = %none to %five step %one
      iter_args(%offset = %none, %so_far = %none, %right = %yes) -> (i64, i64, i1) : i64 {
    %is_port = arith.cmpi ugt, %i, %three : i64
    %most = arith.select %is_port, %port_most, %byte_most : i64
    %bits = arith.select %is_port, %port_bits, %byte_bits : i64
    %at = ptr_xdsl.ptradd %text, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %number, %digits = func.call @decimal(%at, %most) : (!ptr_xdsl.ptr, i64) -> (i64, i64)
    %some = arith.cmpi ne, %digits, %none : i64
    %behind = ptr_xdsl.ptradd %at, %digits : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %byte = ptr_xdsl.load %behind : !ptr_xdsl.ptr -> i8
    %is_last = arith.cmpi eq, %i, %three : i64
    %wanted = arith.select %is_last, %colon, %dot : i8
    %divided = arith.cmpi eq, %byte, %wanted : i8
    %ends = arith.ori %is_port, %divided : i1
    %formed = arith.andi %some, %ends : i1
    %still = arith.andi %right, %formed : i1
    %moved = arith.shli %so_far, %bits : i64
    %with = arith.ori %moved, %number : i64
    %past = arith.addi %offset, %digits : i64
    %over = arith.addi %past, %one : i64
    %after = arith.select %is_port, %past, %over : i64
    // Where something else stands, the others are looked for there: it isn't read past.
    %next = arith.select %still, %after, %offset : i64
    scf.yield %next, %with, %still : i64, i64, i1
  }
  %port = arith.andi %value, %port_most : i64
  %listens = arith.cmpi ne, %port, %none : i64
  %is_one = arith.andi %good, %listens : i1
  %listener = arith.select %is_one, %value, %none : i64
  func.return %listener, %bytes : i64, i64
}

// Contract: the number from 0 to `most` that a text begins with, and its digits; 0 of them if it
// begins with none, with a larger one, or with a zero before other digits. `most` is below 2^59.
func.func private @decimal(%text : !ptr_xdsl.ptr, %most : i64) -> (i64, i64) {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %ten = arith.constant 10 : i64
  %ascii = arith.constant 48 : i64
  %zero = arith.constant 48 : i8
  %value, %count = scf.while (%so_far = %none, %digits = %none) : (i64, i64) -> (i64, i64) {
    %at = ptr_xdsl.ptradd %text, %digits : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %byte = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i8
    %wide = arith.extui %byte : i8 to i64
    %digit = arith.subi %wide, %ascii : i64
    %is_digit = arith.cmpi ult, %digit, %ten : i64
    %fits = arith.cmpi ule, %so_far, %most : i64
    %more = arith.andi %is_digit, %fits : i1
    %tens = arith.muli %so_far, %ten : i64
    %sum = arith.addi %tens, %digit : i64
    %longer = arith.addi %digits, %one : i64
    %now = arith.select %more, %sum, %so_far : i64
    %then = arith.select %more, %longer, %digits : i64
    scf.condition(%more) %now, %then : i64, i64
  } do {
  ^bb0(%so_far : i64, %digits : i64):
    scf.yield %so_far, %digits : i64, i64
  }
  %first = ptr_xdsl.load %text : !ptr_xdsl.ptr -> i8
  %begins_with_zero = arith.cmpi eq, %first, %zero : i8
  %several = arith.cmpi ugt, %count, %one : i64
  %padded = arith.andi %begins_with_zero, %several : i1
  %large = arith.cmpi ugt, %value, %most : i64
  %wrong = arith.ori %padded, %large : i1
  %length = arith.select %wrong, %none, %count : i64
  func.return %value, %length : i64, i64
}
