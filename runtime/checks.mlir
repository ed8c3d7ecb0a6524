// What a role checks beside its frames: that copies agree, that a word is the number of an arm, that
// words are finite. What isn't so ends the process with a line and status 3.
//
// An agreement is a record of six words of 64 bits: its status, 0 as long as nobody has others, the
// four words of the digest of the role's own copies, and the first peer that has others, -1 for
// none. The first five are what goes up. The digest is the SHA-256 of those of two halves.

func.func private @alpha_say(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_number(i64)
func.func private @alpha_say_refused(!ptr_xdsl.ptr, i64)
func.func private @alpha_end(i64)
func.func private @alpha_digest(!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr)
func.func private @alpha_digest_pair(!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, !ptr_xdsl.ptr, i64,
                                     !ptr_xdsl.ptr)
func.func private @alpha_find_nonfinite_f64(!ptr_xdsl.ptr, i64) -> i64
func.func private @alpha_find_nonfinite_f32(!ptr_xdsl.ptr, i64) -> i64

// Contract: the record is that of a role whose copies are in two halves, the pieces at `front` and
// those at `behind`: so many pairs of an address and a number of bytes, as alpha_digest takes them.
func.func @alpha_agree(%front : !ptr_xdsl.ptr, %front_count : i64, %behind : !ptr_xdsl.ptr,
    %behind_count : i64, %record : !ptr_xdsl.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1 : i64
  %word = arith.constant 8 : i64
  %digest_bytes = arith.constant 32 : i64
  %both_bytes = arith.constant 64 : i64
  %agreed = arith.constant 0 : i64
  %nobody = arith.constant -1 : i64
  %held = ptr_xdsl.from_ptr %record : !ptr_xdsl.ptr -> memref<6xi64>
  memref.store %agreed, %held[%c0] : memref<6xi64>
  memref.store %nobody, %held[%c5] : memref<6xi64>
  %halves = memref.alloca() : memref<8xi64>
  %first = ptr_xdsl.to_ptr %halves : memref<8xi64> -> !ptr_xdsl.ptr
  %second = ptr_xdsl.ptradd %first, %digest_bytes : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  func.call @alpha_digest_pair(%front, %front_count, %first, %behind, %behind_count, %second)
    : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, !ptr_xdsl.ptr) -> ()
  %piece = memref.alloca() : memref<2xi64>
  %piece_at = ptr_xdsl.to_ptr %piece : memref<2xi64> -> !ptr_xdsl.ptr
  ptr_xdsl.store %first, %piece_at : !ptr_xdsl.ptr, !ptr_xdsl.ptr
  memref.store %both_bytes, %piece[%c1] : memref<2xi64>
  %digest = ptr_xdsl.ptradd %record, %word : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  func.call @alpha_digest(%piece_at, %one, %digest) : (!ptr_xdsl.ptr, i64, !ptr_xdsl.ptr) -> ()
  func.return
}

// Contract: if the five words at `heard`, which needn't be aligned, say another digest than the
// record's, or that somebody has others, the record says so too.
func.func @alpha_hear(%record : !ptr_xdsl.ptr, %heard : !ptr_xdsl.ptr, %peer : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %none = arith.constant 0 : i64
  %word = arith.constant 8 : index
  %diverged = arith.constant 1 : i64
  %held = ptr_xdsl.from_ptr %record : !ptr_xdsl.ptr -> memref<6xi64>
  %status = ptr_xdsl.load %heard : !ptr_xdsl.ptr -> i64
  %differing = scf.for %i = %c1 to %c5 step %c1 iter_args(%so_far = %status) -> (i64) {
    %distance = arith.muli %i, %word : index
    %at = ptr_xdsl.ptradd %heard, %distance : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
    %other = ptr_xdsl.load %at : !ptr_xdsl.ptr -> i64
    %own = memref.load %held[%i] : memref<6xi64>
    %bits = arith.xori %own, %other : i64
    %all = arith.ori %so_far, %bits : i64
    scf.yield %all : i64
  }
  %others = arith.cmpi ne, %differing, %none : i64
  scf.if %others {
    memref.store %diverged, %held[%c0] : memref<6xi64>
    %first = memref.load %held[%c5] : memref<6xi64>
    %unknown = arith.cmpi slt, %first, %none : i64
    %kept = arith.select %unknown, %peer, %first : i64
    memref.store %kept, %held[%c5] : memref<6xi64>
  }
  func.return
}

// Contract: the verdict on the copies of `version` is 0, or the process ends; `differs` is the role
// that has others, -1 if only somebody above knows it.
func.func @alpha_require_agreed(%verdict : i64, %version : i64, %differs : i64) {
  %none = arith.constant 0 : i64
  %others = arith.cmpi ne, %verdict, %none : i64
  scf.if %others {
    %code, %code_bytes = linux.text "data-parallel-replicas-diverge"
    func.call @alpha_say_refused(%code, %code_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %wanted, %wanted_bytes = linux.text "expected equal copies with every role at version "
    func.call @alpha_say(%wanted, %wanted_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_number(%version) : (i64) -> ()
    %unknown = arith.cmpi slt, %differs, %none : i64
    scf.if %unknown {
      %found, %found_bytes = linux.text ", found those of another role differ"
      func.call @alpha_say(%found, %found_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    } else {
      %found, %found_bytes = linux.text ", found those from role "
      func.call @alpha_say(%found, %found_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @alpha_say_number(%differs) : (i64) -> ()
      %end, %end_bytes = linux.text " differ"
      func.call @alpha_say(%end, %end_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    }
    %refused = arith.constant 3 : i64
    func.call @alpha_end(%refused) : (i64) -> ()
  }
  func.return
}

// Contract: `word` is the number of one of `arms` arms, or the process ends.
func.func @alpha_require_arm(%word : i64, %arms : i64) {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %known = arith.cmpi ult, %word, %arms : i64
  scf.if %known {
  } else {
    %code, %code_bytes = linux.text "protocol-choice-noncanonical"
    func.call @alpha_say_refused(%code, %code_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %wanted, %wanted_bytes = linux.text "expected a word from 0 to "
    func.call @alpha_say(%wanted, %wanted_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %last = arith.subi %arms, %one : i64
    func.call @alpha_say_number(%last) : (i64) -> ()
    %found, %found_bytes = linux.text ", found "
    func.call @alpha_say(%found, %found_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %negative = arith.cmpi slt, %word, %none : i64
    scf.if %negative {
      %minus, %minus_bytes = linux.text "-"
      func.call @alpha_say(%minus, %minus_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    }
    %opposite = arith.subi %none, %word : i64
    %number = arith.select %negative, %opposite, %word : i64
    func.call @alpha_say_number(%number) : (i64) -> ()
    %refused = arith.constant 3 : i64
    func.call @alpha_end(%refused) : (i64) -> ()
  }
  func.return
}

// Contract: every word of the `count` of an f64 at `words` is finite, or the process ends: the
// words are those of a state in this version, and `what` says which.
//
// At `what` are words of 64 bits: the bytes of the state's name; after how many of these words the
// name stands; the number of axes; the extent of each; and then which coordinates the words are of.
// That is a tree: 0, start, step says that word i is of coordinate start + i * step; 1, size, step
// that the next tree says it of the first `size` words, and each following turn is `step` further;
// 2, number and as many pairs (size, place) that the words are those of one tree behind another,
// and after how many words of all of these the tree of each stands.
func.func @alpha_require_finite_f64(%words : !ptr_xdsl.ptr, %count : i64, %what : !ptr_xdsl.ptr,
    %version : i64) {
  %none = arith.constant 0 : i64
  %width = arith.constant 8 : i64
  %at = func.call @alpha_find_nonfinite_f64(%words, %count) : (!ptr_xdsl.ptr, i64) -> i64
  %some = arith.cmpi sge, %at, %none : i64
  scf.if %some {
    %sign = arith.constant 63 : i64
    %infinity = arith.constant 0x7ff0000000000000 : i64
    %distance = arith.muli %at, %width : i64
    %where = ptr_xdsl.ptradd %words, %distance : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %bits = ptr_xdsl.load %where : !ptr_xdsl.ptr -> i64
    func.call @refuse_nonfinite(%what, %at, %version, %bits, %sign, %infinity)
      : (!ptr_xdsl.ptr, i64, i64, i64, i64, i64) -> ()
  }
  func.return
}

// Contract: the same of words of an f32.
func.func @alpha_require_finite_f32(%words : !ptr_xdsl.ptr, %count : i64, %what : !ptr_xdsl.ptr,
    %version : i64) {
  %none = arith.constant 0 : i64
  %width = arith.constant 4 : i64
  %at = func.call @alpha_find_nonfinite_f32(%words, %count) : (!ptr_xdsl.ptr, i64) -> i64
  %some = arith.cmpi sge, %at, %none : i64
  scf.if %some {
    %sign = arith.constant 31 : i64
    %infinity = arith.constant 0x7f800000 : i64
    %distance = arith.muli %at, %width : i64
    %where = ptr_xdsl.ptradd %words, %distance : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
    %narrow = ptr_xdsl.load %where : !ptr_xdsl.ptr -> i32
    %bits = arith.extui %narrow : i32 to i64
    func.call @refuse_nonfinite(%what, %at, %version, %bits, %sign, %infinity)
      : (!ptr_xdsl.ptr, i64, i64, i64, i64, i64) -> ()
  }
  func.return
}

// Contract: the process ends, and says word `at` of what is described: it has these bits, of a format
// in which infinity has those, and the sign stands there.
func.func private @refuse_nonfinite(%what : !ptr_xdsl.ptr, %at : i64, %version : i64, %bits : i64,
    %sign : i64, %infinity : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant 0 : i64
  %three = arith.constant 3 : i64
  %width = arith.constant 8 : i64
  %said = ptr_xdsl.from_ptr %what : !ptr_xdsl.ptr -> memref<?xi64>
  %code, %code_bytes = linux.text "numeric-nonfinite"
  func.call @alpha_say_refused(%code, %code_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  %wanted, %wanted_bytes = linux.text "expected finite words of @"
  func.call @alpha_say(%wanted, %wanted_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  %name_bytes = memref.load %said[%c0] : memref<?xi64>
  %name_at = memref.load %said[%c1] : memref<?xi64>
  %name_distance = arith.muli %name_at, %width : i64
  %name = ptr_xdsl.ptradd %what, %name_distance : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  func.call @alpha_say(%name, %name_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  %when, %when_bytes = linux.text " at version "
  func.call @alpha_say(%when, %when_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_number(%version) : (i64) -> ()
  %found, %found_bytes = linux.text ", found "
  func.call @alpha_say(%found, %found_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @say_nonfinite(%bits, %sign, %infinity) : (i64, i64, i64) -> ()
  %axes = memref.load %said[%c2] : memref<?xi64>
  %any = arith.cmpi ne, %axes, %none : i64
  scf.if %any {
    %first = arith.addi %axes, %three : i64
    %coordinate = func.call @coordinate_of(%what, %first, %at) : (!ptr_xdsl.ptr, i64, i64) -> i64
    func.call @say_index(%what, %coordinate) : (!ptr_xdsl.ptr, i64) -> ()
  }
  %refused = arith.constant 3 : i64
  func.call @alpha_end(%refused) : (i64) -> ()
  func.return
}

// Contract: the coordinate of word `at`, as the tree says it that stands after `node` words.
func.func private @coordinate_of(%what : !ptr_xdsl.ptr, %node : i64, %at : i64) -> i64 {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %said = ptr_xdsl.from_ptr %what : !ptr_xdsl.ptr -> memref<?xi64>
  // Where the tree stands, which of its words is asked for, and how far away all of it is.
  %ends:3 = scf.while (%tree = %node, %left = %at, %so_far = %none) : (i64, i64, i64)
      -> (i64, i64, i64) {
    %place = arith.index_cast %tree : i64 to index
    %kind = memref.load %said[%place] : memref<?xi64>
    %inner = arith.cmpi ne, %kind, %none : i64
    scf.condition(%inner) %tree, %left, %so_far : i64, i64, i64
  } do {
  ^bb0(%tree : i64, %left : i64, %so_far : i64):
    %place = arith.index_cast %tree : i64 to index
    %kind = memref.load %said[%place] : memref<?xi64>
    %first_at = arith.addi %tree, %one : i64
    %first_place = arith.index_cast %first_at : i64 to index
    %size = memref.load %said[%first_place] : memref<?xi64>
    %repeats = arith.cmpi eq, %kind, %one : i64
    %next:3 = scf.if %repeats -> (i64, i64, i64) {
      %step_at = arith.addi %tree, %two : i64
      %step_place = arith.index_cast %step_at : i64 to index
      %step = memref.load %said[%step_place] : memref<?xi64>
      %turn = arith.divui %left, %size : i64
      %within = arith.remui %left, %size : i64
      %distance = arith.muli %turn, %step : i64
      %all = arith.addi %so_far, %distance : i64
      %below = arith.addi %tree, %three : i64
      scf.yield %below, %within, %all : i64, i64, i64
    } else {
      %pairs = arith.addi %tree, %two : i64
      %found:2 = scf.while (%pair = %pairs, %rest = %left) : (i64, i64) -> (i64, i64) {
        %pair_place = arith.index_cast %pair : i64 to index
        %here = memref.load %said[%pair_place] : memref<?xi64>
        %beyond = arith.cmpi uge, %rest, %here : i64
        scf.condition(%beyond) %pair, %rest : i64, i64
      } do {
      ^bb0(%pair : i64, %rest : i64):
        %pair_place = arith.index_cast %pair : i64 to index
        %here = memref.load %said[%pair_place] : memref<?xi64>
        %after = arith.subi %rest, %here : i64
        %following = arith.addi %pair, %two : i64
        scf.yield %following, %after : i64, i64
      }
      %where_at = arith.addi %found#0, %one : i64
      %where_place = arith.index_cast %where_at : i64 to index
      %below = memref.load %said[%where_place] : memref<?xi64>
      scf.yield %below, %found#1, %so_far : i64, i64, i64
    }
    scf.yield %next#0, %next#1, %next#2 : i64, i64, i64
  }
  %start_at = arith.addi %ends#0, %one : i64
  %start_place = arith.index_cast %start_at : i64 to index
  %start = memref.load %said[%start_place] : memref<?xi64>
  %step_at = arith.addi %ends#0, %two : i64
  %step_place = arith.index_cast %step_at : i64 to index
  %step = memref.load %said[%step_place] : memref<?xi64>
  %distance = arith.muli %ends#1, %step : i64
  %begun = arith.addi %ends#2, %start : i64
  %coordinate = arith.addi %begun, %distance : i64
  func.return %coordinate : i64
}

// Contract: the line says the index of a coordinate, which counts words in row-major order.
func.func private @say_index(%what : !ptr_xdsl.ptr, %coordinate : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i64
  %said = ptr_xdsl.from_ptr %what : !ptr_xdsl.ptr -> memref<?xi64>
  %axes = memref.load %said[%c2] : memref<?xi64>
  %count = arith.index_cast %axes : i64 to index
  %begin, %begin_bytes = linux.text " at coordinate ["
  func.call @alpha_say(%begin, %begin_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  %size = scf.for %i = %c0 to %count step %c1 iter_args(%so_far = %one) -> (i64) {
    %at = arith.addi %i, %c3 : index
    %extent = memref.load %said[%at] : memref<?xi64>
    %all = arith.muli %so_far, %extent : i64
    scf.yield %all : i64
  }
  %rest:2 = scf.for %i = %c0 to %count step %c1 iter_args(%left = %coordinate, %below = %size)
      -> (i64, i64) {
    %later = arith.cmpi ne, %i, %c0 : index
    scf.if %later {
      %comma, %comma_bytes = linux.text ", "
      func.call @alpha_say(%comma, %comma_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    }
    %at = arith.addi %i, %c3 : index
    %extent = memref.load %said[%at] : memref<?xi64>
    %stride = arith.divui %below, %extent : i64
    %index = arith.divui %left, %stride : i64
    %within = arith.remui %left, %stride : i64
    func.call @alpha_say_number(%index) : (i64) -> ()
    scf.yield %within, %stride : i64, i64
  }
  %end, %end_bytes = linux.text "]"
  func.call @alpha_say(%end, %end_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: the line says which word that isn't finite has these bits, of a format in which infinity
// has those, and the sign stands there: nan, inf or -inf.
func.func private @say_nonfinite(%bits : i64, %sign : i64, %infinity : i64) {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %above = arith.shli %one, %sign : i64
  %all = arith.subi %above, %one : i64
  %magnitude = arith.andi %bits, %all : i64
  %infinite = arith.cmpi eq, %magnitude, %infinity : i64
  scf.if %infinite {
    %signed = arith.andi %bits, %above : i64
    %negative = arith.cmpi ne, %signed, %none : i64
    scf.if %negative {
      %minus, %minus_bytes = linux.text "-"
      func.call @alpha_say(%minus, %minus_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    }
    %inf, %inf_bytes = linux.text "inf"
    func.call @alpha_say(%inf, %inf_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  } else {
    %nan, %nan_bytes = linux.text "nan"
    func.call @alpha_say(%nan, %nan_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  }
  func.return
}
