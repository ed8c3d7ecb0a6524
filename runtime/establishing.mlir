// How the edges of a role come into being, in an order that no role can wait in for ever.
//
// A role listens on every edge to a higher peer before it announces a port, and connects to a lower
// peer only when that peer's port has come; so roles that are started in ascending order, each
// after the announcements before it, never meet an absent listener. Every edge has a listener of
// its own, so its port says who connects, and the first frame proves it.
//
// Where whoever starts a role has said where it listens, it announces nothing; and where it has said
// where the lower peers listen, no port is read, and they may begin later: connecting to them is
// tried until the wait is over.
//
// Ports are two bytes, the high one first: those of the listeners go to stdout, one for each higher
// peer, and one for each lower peer comes from stdin, both ascending; no byte more is read. What
// fails ends the process, with a line and status 4 if a peer is lost or nobody reads the ports, 5 if
// this host fails, and 2 if what was said can't be of this role.
//
// An edge's record is that of edges.mlir. Its sixth word holds a port meanwhile, or a listener as
// listening.mlir has it.

func.func private @alpha_socket_buffer() -> i64
func.func private @alpha_role_of_line() -> i64
func.func private @alpha_bound() -> i64
func.func private @alpha_say_bound(!ptr_xdsl.ptr, i64)
func.func private @alpha_say(!ptr_xdsl.ptr, i64)
func.func private @alpha_say_number(i64)
func.func private @alpha_say_error(i64)
func.func private @alpha_say_reason(i64)
func.func private @alpha_say_lost(i64)
func.func private @alpha_say_overdue()
func.func private @alpha_say_failed()
func.func private @alpha_end(i64)
func.func private @alpha_glance(i64, i64) -> i64
func.func private @alpha_read(i64, !ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_write(i64, !ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_say_usage()
func.func private @alpha_own_listener() -> i64
func.func private @alpha_known_peers() -> i64
func.func private @alpha_next_listener(memref<1xi64>) -> i64
func.func private @alpha_listen_at(!ptr_xdsl.ptr, i64, i64, i64) -> i64
func.func private @alpha_connect(!ptr_xdsl.ptr, i64, i64, i64, i64) -> i64
func.func private @alpha_connect_until(!ptr_xdsl.ptr, i64, i64, i64, i64) -> i64
func.func private @alpha_accept(!ptr_xdsl.ptr, i64, i64) -> i64
func.func private @alpha_may_connect_later(i64) -> i1

// Contract: `count` edges, one behind another, are connected, or the process ends. Their second
// words are the peers, ascending; the others are written. `own` is the address on which this role
// listens, at `addresses` are `count` words of 64 bits, those of the peers.
func.func @alpha_establish(%edges : memref<?x8xi64>, %count : i64, %own : i64,
    %addresses : !ptr_xdsl.ptr) {
  %none = arith.constant 0 : i64
  %stdin = arith.constant 0 : i64
  %stdout = arith.constant 1 : i64
  %first = func.call @alpha_own_listener() : () -> i64
  %chooses = arith.cmpi eq, %first, %none : i64
  %known = func.call @alpha_known_peers() : () -> i64
  %unknown = arith.cmpi slt, %known, %none : i64
  func.call @check_known(%edges, %count, %first, %known) : (memref<?x8xi64>, i64, i64, i64) -> ()
  func.call @check_open(%stdin) : (i64) -> ()
  func.call @check_open(%stdout) : (i64) -> ()
  func.call @make_free(%edges, %count) : (memref<?x8xi64>, i64) -> ()
  func.call @listen_on_all(%edges, %count, %own) : (memref<?x8xi64>, i64, i64) -> ()
  scf.if %chooses {
    func.call @announce_all(%edges, %count) : (memref<?x8xi64>, i64) -> ()
  }
  scf.if %unknown {
    func.call @read_ports(%edges, %count) : (memref<?x8xi64>, i64) -> ()
    func.call @check_ports(%edges, %count) : (memref<?x8xi64>, i64) -> ()
  } else {
    func.call @take_listeners(%edges, %count) : (memref<?x8xi64>, i64) -> ()
  }
  func.call @connect_all(%edges, %count, %addresses)
    : (memref<?x8xi64>, i64, !ptr_xdsl.ptr) -> ()
  func.call @accept_all(%edges, %count) : (memref<?x8xi64>, i64) -> ()
  func.return
}

// Contract: a descriptor is open, or the process ends: a socket could become it, and get what isn't
// meant for it.
func.func private @check_open(%descriptor : i64) {
  %none = arith.constant 0 : i64
  %failed = arith.constant 5 : i64
  %unknown = linux.constant "POLLNVAL"
  %seen = func.call @alpha_glance(%descriptor, %none) : (i64, i64) -> i64
  %closed = arith.cmpi eq, %seen, %unknown : i64
  scf.if %closed {
    func.call @alpha_say_failed() : () -> ()
    %text, %bytes = linux.text "stdin or stdout is closed"
    func.call @alpha_say(%text, %bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_end(%failed) : (i64) -> ()
  }
  func.return
}

// Contract: no edge has a descriptor, and no frame has passed.
func.func private @make_free(%edges : memref<?x8xi64>, %count : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i64
  %free = arith.constant -1 : i64
  %last = arith.index_cast %count : i64 to index
  scf.for %i = %c0 to %last step %c1 {
    memref.store %free, %edges[%i, %c0] : memref<?x8xi64>
    scf.for %j = %c2 to %c8 step %c1 {
      memref.store %none, %edges[%i, %j] : memref<?x8xi64>
    }
    memref.store %free, %edges[%i, %c4] : memref<?x8xi64>
  }
  func.return
}

// Contract: the address of an edge's record.
func.func private @record_of(%edges : memref<?x8xi64>, %number : index) -> !ptr_xdsl.ptr {
  %bytes = arith.constant 64 : index
  %base = ptr_xdsl.to_ptr %edges : memref<?x8xi64> -> !ptr_xdsl.ptr
  %offset = arith.muli %number, %bytes : index
  %at = ptr_xdsl.ptradd %base, %offset : (!ptr_xdsl.ptr, index) -> !ptr_xdsl.ptr
  func.return %at : !ptr_xdsl.ptr
}

// Contract: a result isn't that of a failure of this host, which ends the process.
func.func private @check_host(%result : i64) {
  %none = arith.constant 0 : i64
  %failed = arith.constant 5 : i64
  %bad = arith.cmpi slt, %result, %none : i64
  scf.if %bad {
    %number = arith.subi %none, %result : i64
    func.call @alpha_say_failed() : () -> ()
    func.call @alpha_say_reason(%number) : (i64) -> ()
    func.call @alpha_end(%failed) : (i64) -> ()
  }
  func.return
}

// Contract: how many peers are lower.
func.func private @lower_count(%edges : memref<?x8xi64>, %count : i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %last = arith.index_cast %count : i64 to index
  %role = func.call @alpha_role_of_line() : () -> i64
  %lower = scf.for %i = %c0 to %last step %c1 iter_args(%so_far = %none) -> (i64) {
    %peer = memref.load %edges[%i, %c1] : memref<?x8xi64>
    %below = arith.cmpi slt, %peer, %role : i64
    %more = arith.select %below, %one, %none : i64
    %sum = arith.addi %so_far, %more : i64
    scf.yield %sum : i64
  }
  func.return %lower : i64
}

// Contract: what is known of listeners can be of this role, or the process ends: `first` has a port
// for each higher peer behind it, and `known` is how many lower peers there are, if it isn't -1.
func.func private @check_known(%edges : memref<?x8xi64>, %count : i64, %first : i64, %known : i64) {
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %usage = arith.constant 2 : i64
  %most = arith.constant 65535 : i64
  %lower = func.call @lower_count(%edges, %count) : (memref<?x8xi64>, i64) -> i64
  %said = arith.cmpi sge, %known, %none : i64
  %other = arith.cmpi ne, %known, %lower : i64
  %misfits = arith.andi %said, %other : i1
  scf.if %misfits {
    func.call @alpha_say_usage() : () -> ()
    %wanted, %wanted_bytes = linux.text "expected "
    func.call @alpha_say(%wanted, %wanted_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_number(%lower) : (i64) -> ()
    %behind, %behind_bytes = linux.text " behind --peers, one for each lower peer, found "
    func.call @alpha_say(%behind, %behind_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_number(%known) : (i64) -> ()
    func.call @alpha_end(%usage) : (i64) -> ()
  }
  %higher = arith.subi %count, %lower : i64
  %others = arith.subi %higher, %one : i64
  %behind_first = arith.maxsi %others, %none : i64
  %port_most = arith.subi %most, %behind_first : i64
  %port = arith.andi %first, %most : i64
  %beyond = arith.cmpi ugt, %port, %port_most : i64
  scf.if %beyond {
    func.call @alpha_say_usage() : () -> ()
    %wanted, %wanted_bytes = linux.text "expected a port behind --listen of at most "
    func.call @alpha_say(%wanted, %wanted_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_number(%port_most) : (i64) -> ()
    %why, %why_bytes = linux.text ", as one for each higher peer follows, found "
    func.call @alpha_say(%why, %why_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    func.call @alpha_say_number(%port) : (i64) -> ()
    func.call @alpha_end(%usage) : (i64) -> ()
  }
  func.return
}

// Contract: every edge to a lower peer holds where that listens, as it was said.
func.func private @take_listeners(%edges : memref<?x8xi64>, %count : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %none = arith.constant 0 : i64
  %last = arith.index_cast %count : i64 to index
  %role = func.call @alpha_role_of_line() : () -> i64
  %offset = memref.alloca() : memref<1xi64>
  memref.store %none, %offset[%c0] : memref<1xi64>
  scf.for %i = %c0 to %last step %c1 {
    %peer = memref.load %edges[%i, %c1] : memref<?x8xi64>
    %wanted = arith.cmpi slt, %peer, %role : i64
    scf.if %wanted {
      %listener = func.call @alpha_next_listener(%offset) : (memref<1xi64>) -> i64
      memref.store %listener, %edges[%i, %c5] : memref<?x8xi64>
    }
  }
  func.return
}

// Contract: every edge to a higher peer has a listener, and holds its port, if nobody knows that.
func.func private @listen_on_all(%edges : memref<?x8xi64>, %count : i64, %own : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %last = arith.index_cast %count : i64 to index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %port_bits = arith.constant 16 : i64
  %port_most = arith.constant 65535 : i64
  %role = func.call @alpha_role_of_line() : () -> i64
  %buffer = func.call @alpha_socket_buffer() : () -> i64
  %known = func.call @alpha_own_listener() : () -> i64
  %chooses = arith.cmpi eq, %known, %none : i64
  %known_address = arith.shrui %known, %port_bits : i64
  %address = arith.select %chooses, %own, %known_address : i64
  %first = arith.andi %known, %port_most : i64
  %step = arith.select %chooses, %none, %one : i64
  %behind = scf.for %i = %c0 to %last step %c1 iter_args(%chosen = %first) -> (i64) {
    %peer = memref.load %edges[%i, %c1] : memref<?x8xi64>
    %wanted = arith.cmpi sgt, %peer, %role : i64
    %next = scf.if %wanted -> (i64) {
      %edge = func.call @record_of(%edges, %i) : (memref<?x8xi64>, index) -> !ptr_xdsl.ptr
      %port = func.call @alpha_listen_at(%edge, %address, %chosen, %buffer)
        : (!ptr_xdsl.ptr, i64, i64, i64) -> i64
      func.call @check_listener(%port, %address, %chosen) : (i64, i64, i64) -> ()
      %held = arith.select %chooses, %port, %none : i64
      memref.store %held, %edges[%i, %c5] : memref<?x8xi64>
      %more = arith.addi %chosen, %step : i64
      scf.yield %more : i64
    } else {
      scf.yield %chosen : i64
    }
    scf.yield %next : i64
  }
  func.return
}

// Contract: a listener came into being, or the process ends; where it isn't the system that has
// chosen its port, the line says which that is.
func.func private @check_listener(%result : i64, %address : i64, %port : i64) {
  %none = arith.constant 0 : i64
  %failed = arith.constant 5 : i64
  %bad = arith.cmpi slt, %result, %none : i64
  scf.if %bad {
    %number = arith.subi %none, %result : i64
    func.call @alpha_say_failed() : () -> ()
    func.call @alpha_say_reason(%number) : (i64) -> ()
    %chosen = arith.cmpi ne, %port, %none : i64
    scf.if %chosen {
      %at, %at_bytes = linux.text " at "
      func.call @alpha_say(%at, %at_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @say_address(%address) : (i64) -> ()
      %colon, %colon_bytes = linux.text ":"
      func.call @alpha_say(%colon, %colon_bytes) : (!ptr_xdsl.ptr, i64) -> ()
      func.call @alpha_say_number(%port) : (i64) -> ()
    }
    func.call @alpha_end(%failed) : (i64) -> ()
  }
  func.return
}

// Contract: the ports of the listeners are written.
func.func private @announce_all(%edges : memref<?x8xi64>, %count : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %none = arith.constant 0 : i64
  %stdout = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %lost = arith.constant 4 : i64
  %eight = arith.constant 8 : i64
  %overdue = arith.constant -5000 : i64
  %last = arith.index_cast %count : i64 to index
  %role = func.call @alpha_role_of_line() : () -> i64
  %said = memref.alloca() : memref<2xi8>
  %at = ptr_xdsl.to_ptr %said : memref<2xi8> -> !ptr_xdsl.ptr
  %until = func.call @alpha_bound() : () -> i64
  scf.for %i = %c0 to %last step %c1 {
    %peer = memref.load %edges[%i, %c1] : memref<?x8xi64>
    %wanted = arith.cmpi sgt, %peer, %role : i64
    scf.if %wanted {
      %port = memref.load %edges[%i, %c5] : memref<?x8xi64>
      memref.store %none, %edges[%i, %c5] : memref<?x8xi64>
      %high = arith.shrui %port, %eight : i64
      %first = arith.trunci %high : i64 to i8
      %second = arith.trunci %port : i64 to i8
      memref.store %first, %said[%c0] : memref<2xi8>
      memref.store %second, %said[%c1] : memref<2xi8>
      %written = func.call @alpha_write(%stdout, %at, %two, %until)
        : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
      %late = arith.cmpi eq, %written, %overdue : i64
      scf.if %late {
        func.call @alpha_say_overdue() : () -> ()
        %nobody, %nobody_bytes = linux.text "no port was read in "
        func.call @alpha_say(%nobody, %nobody_bytes) : (!ptr_xdsl.ptr, i64) -> ()
        %doing, %doing_bytes = linux.text "announcing"
        func.call @alpha_say_bound(%doing, %doing_bytes) : (!ptr_xdsl.ptr, i64) -> ()
        func.call @alpha_end(%lost) : (i64) -> ()
      }
      func.call @check_host(%written) : (i64) -> ()
    }
  }
  func.return
}

// Contract: every edge to a lower peer holds the port where that listens.
func.func private @read_ports(%edges : memref<?x8xi64>, %count : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %stdin = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %lost = arith.constant 4 : i64
  %eight = arith.constant 8 : i64
  %overdue = arith.constant -5000 : i64
  %last = arith.index_cast %count : i64 to index
  %role = func.call @alpha_role_of_line() : () -> i64
  %heard = memref.alloca() : memref<2xi8>
  %at = ptr_xdsl.to_ptr %heard : memref<2xi8> -> !ptr_xdsl.ptr
  %until = func.call @alpha_bound() : () -> i64
  scf.for %i = %c0 to %last step %c1 {
    %peer = memref.load %edges[%i, %c1] : memref<?x8xi64>
    %wanted = arith.cmpi slt, %peer, %role : i64
    scf.if %wanted {
      %came = func.call @alpha_read(%stdin, %at, %two, %until)
        : (i64, !ptr_xdsl.ptr, i64, i64) -> i64
      %late = arith.cmpi eq, %came, %overdue : i64
      scf.if %late {
        func.call @alpha_say_lost(%peer) : (i64) -> ()
        %absent, %absent_bytes = linux.text "its port didn't come in "
        func.call @alpha_say(%absent, %absent_bytes) : (!ptr_xdsl.ptr, i64) -> ()
        %doing, %doing_bytes = linux.text "waiting for ports"
        func.call @alpha_say_bound(%doing, %doing_bytes) : (!ptr_xdsl.ptr, i64) -> ()
        func.call @alpha_end(%lost) : (i64) -> ()
      }
      func.call @check_host(%came) : (i64) -> ()
      %short = arith.cmpi ne, %came, %two : i64
      scf.if %short {
        // Those of the peers before it have come.
        %number = arith.index_cast %i : index to i64
        %before = arith.muli %number, %two : i64
        %all = arith.addi %before, %came : i64
        func.call @say_input_ended(%edges, %count, %peer, %all)
          : (memref<?x8xi64>, i64, i64, i64) -> ()
        func.call @alpha_end(%lost) : (i64) -> ()
      }
      %first = memref.load %heard[%c0] : memref<2xi8>
      %second = memref.load %heard[%c1] : memref<2xi8>
      %high = arith.extui %first : i8 to i64
      %low = arith.extui %second : i8 to i64
      %upper = arith.shli %high, %eight : i64
      %port = arith.ori %upper, %low : i64
      memref.store %port, %edges[%i, %c5] : memref<?x8xi64>
    }
  }
  func.return
}

// Contract: the line says that the port of a peer didn't come before the end of the input.
func.func private @say_input_ended(%edges : memref<?x8xi64>, %count : i64, %peer : i64,
    %came : i64) {
  %two = arith.constant 2 : i64
  %lower = func.call @lower_count(%edges, %count) : (memref<?x8xi64>, i64) -> i64
  %wanted = arith.muli %lower, %two : i64
  func.call @alpha_say_lost(%peer) : (i64) -> ()
  %ended, %ended_bytes = linux.text "its port didn't come: the input ended after "
  func.call @alpha_say(%ended, %ended_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_number(%came) : (i64) -> ()
  %of, %of_bytes = linux.text " of "
  func.call @alpha_say(%of, %of_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_number(%wanted) : (i64) -> ()
  %ports, %ports_bytes = linux.text " bytes of ports"
  func.call @alpha_say(%ports, %ports_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.return
}

// Contract: every port that came is one, since on 0 nobody listens.
func.func private @check_ports(%edges : memref<?x8xi64>, %count : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %none = arith.constant 0 : i64
  %lost = arith.constant 4 : i64
  %last = arith.index_cast %count : i64 to index
  %role = func.call @alpha_role_of_line() : () -> i64
  scf.for %i = %c0 to %last step %c1 {
    %peer = memref.load %edges[%i, %c1] : memref<?x8xi64>
    %wanted = arith.cmpi slt, %peer, %role : i64
    scf.if %wanted {
      %port = memref.load %edges[%i, %c5] : memref<?x8xi64>
      %nobody = arith.cmpi eq, %port, %none : i64
      scf.if %nobody {
        func.call @alpha_say_lost(%peer) : (i64) -> ()
        %zero, %zero_bytes = linux.text "its port is 0, on which nobody listens"
        func.call @alpha_say(%zero, %zero_bytes) : (!ptr_xdsl.ptr, i64) -> ()
        func.call @alpha_end(%lost) : (i64) -> ()
      }
    }
  }
  func.return
}

// Contract: every edge to a lower peer is connected.
func.func private @connect_all(%edges : memref<?x8xi64>, %count : i64, %addresses : !ptr_xdsl.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %none = arith.constant 0 : i64
  %three = arith.constant 3 : i64
  %lost = arith.constant 4 : i64
  %overdue = arith.constant -5000 : i64
  %port_bits = arith.constant 16 : i64
  %port_most = arith.constant 65535 : i64
  %known = func.call @alpha_known_peers() : () -> i64
  %unknown = arith.cmpi slt, %known, %none : i64
  %last = arith.index_cast %count : i64 to index
  %role = func.call @alpha_role_of_line() : () -> i64
  %buffer = func.call @alpha_socket_buffer() : () -> i64
  scf.for %i = %c0 to %last step %c1 {
    %peer = memref.load %edges[%i, %c1] : memref<?x8xi64>
    %wanted = arith.cmpi slt, %peer, %role : i64
    scf.if %wanted {
      %number = arith.index_cast %i : index to i64
      %offset = arith.shli %number, %three : i64
      %held = ptr_xdsl.ptradd %addresses, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
      %usual = ptr_xdsl.load %held : !ptr_xdsl.ptr -> i64
      %listener = memref.load %edges[%i, %c5] : memref<?x8xi64>
      memref.store %none, %edges[%i, %c5] : memref<?x8xi64>
      %port = arith.andi %listener, %port_most : i64
      %said = arith.shrui %listener, %port_bits : i64
      %address = arith.select %unknown, %usual, %said : i64
      %edge = func.call @record_of(%edges, %i) : (memref<?x8xi64>, index) -> !ptr_xdsl.ptr
      %until = func.call @alpha_bound() : () -> i64
      %how = scf.if %unknown -> (i64) {
        %some = func.call @alpha_connect(%edge, %address, %port, %buffer, %until)
          : (!ptr_xdsl.ptr, i64, i64, i64, i64) -> i64
        scf.yield %some : i64
      } else {
        %any = func.call @alpha_connect_until(%edge, %address, %port, %buffer, %until)
          : (!ptr_xdsl.ptr, i64, i64, i64, i64) -> i64
        scf.yield %any : i64
      }
      %late = arith.cmpi eq, %how, %overdue : i64
      %passes = func.call @alpha_may_connect_later(%how) : (i64) -> i1
      %absent = arith.ori %late, %passes : i1
      scf.if %absent {
        func.call @say_no_connection(%peer, %address, %port, %how) : (i64, i64, i64, i64) -> ()
        func.call @alpha_end(%lost) : (i64) -> ()
      }
      func.call @check_host(%how) : (i64) -> ()
    }
  }
  func.return
}

// Contract: the line says that a peer isn't reached where it is to listen, and why: the result of
// the last attempt.
func.func private @say_no_connection(%peer : i64, %address : i64, %port : i64, %how : i64) {
  %none = arith.constant 0 : i64
  %overdue = arith.constant -5000 : i64
  func.call @alpha_say_lost(%peer) : (i64) -> ()
  %to, %to_bytes = linux.text "no connection to "
  func.call @alpha_say(%to, %to_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @say_address(%address) : (i64) -> ()
  %colon, %colon_bytes = linux.text ":"
  func.call @alpha_say(%colon, %colon_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  func.call @alpha_say_number(%port) : (i64) -> ()
  %comma, %comma_bytes = linux.text ", "
  func.call @alpha_say(%comma, %comma_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  %late = arith.cmpi eq, %how, %overdue : i64
  scf.if %late {
    %silent, %silent_bytes = linux.text "no answer in "
    func.call @alpha_say(%silent, %silent_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %doing, %doing_bytes = linux.text "connecting"
    func.call @alpha_say_bound(%doing, %doing_bytes) : (!ptr_xdsl.ptr, i64) -> ()
  } else {
    %number = arith.subi %none, %how : i64
    func.call @alpha_say_error(%number) : (i64) -> ()
  }
  func.return
}

// Contract: the line says an address, in dotted form.
func.func private @say_address(%address : i64) {
  %eight = arith.constant 8 : i64
  %none = arith.constant 0 : i64
  %byte = arith.constant 255 : i64
  %first = arith.constant 24 : i64
  %last = scf.while (%shift = %first) : (i64) -> (i64) {
    %moved = arith.shrui %address, %shift : i64
    %part = arith.andi %moved, %byte : i64
    func.call @alpha_say_number(%part) : (i64) -> ()
    %more = arith.cmpi ne, %shift, %none : i64
    scf.condition(%more) %shift : i64
  } do {
  ^bb0(%shift : i64):
    %dot, %dot_bytes = linux.text "."
    func.call @alpha_say(%dot, %dot_bytes) : (!ptr_xdsl.ptr, i64) -> ()
    %next = arith.subi %shift, %eight : i64
    scf.yield %next : i64
  }
  func.return
}

// Contract: every edge to a higher peer is connected.
func.func private @accept_all(%edges : memref<?x8xi64>, %count : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %lost = arith.constant 4 : i64
  %overdue = arith.constant -5000 : i64
  %last = arith.index_cast %count : i64 to index
  %role = func.call @alpha_role_of_line() : () -> i64
  scf.for %i = %c0 to %last step %c1 {
    %peer = memref.load %edges[%i, %c1] : memref<?x8xi64>
    %wanted = arith.cmpi sgt, %peer, %role : i64
    scf.if %wanted {
      %edge = func.call @record_of(%edges, %i) : (memref<?x8xi64>, index) -> !ptr_xdsl.ptr
      %until = func.call @alpha_bound() : () -> i64
      %how = func.call @alpha_accept(%edge, %none, %until) : (!ptr_xdsl.ptr, i64, i64) -> i64
      %late = arith.cmpi eq, %how, %overdue : i64
      scf.if %late {
        func.call @alpha_say_lost(%peer) : (i64) -> ()
        %absent, %absent_bytes = linux.text "it didn't connect in "
        func.call @alpha_say(%absent, %absent_bytes) : (!ptr_xdsl.ptr, i64) -> ()
        %doing, %doing_bytes = linux.text "waiting for a connection"
        func.call @alpha_say_bound(%doing, %doing_bytes) : (!ptr_xdsl.ptr, i64) -> ()
        func.call @alpha_end(%lost) : (i64) -> ()
      }
      func.call @check_host(%how) : (i64) -> ()
    }
  }
  func.return
}
