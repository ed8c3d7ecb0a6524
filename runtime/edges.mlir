// Edges: connections with one peer each, over TCP and IPv4, on which bytes pass until a deadline.
//
// An edge's record has 8 words, of which the first five are: the descriptor of the connection (-1:
// none), the peer's role, how many frames were sent and received, and the descriptor of the
// listener (-1: none); the seventh is how many bytes the last receive has filled. Here only the two
// descriptors and that are read and written. Before an edge is made the descriptors are -1;
// `alpha_close` closes what there is, also after an error in the middle.
//
// Sockets never block and close at exec; waiting is done by deadlines alone (alpha_now's
// nanoseconds). A result below 0 is the error of the kernel, from -4095 to -1 and never -EINTR or
// -EAGAIN of a transfer; or -5000: the deadline has passed; or -5001: the peer has closed its half.
// Addresses are numbers (127.0.0.1 is 0x7f000001). `buffer` is SO_SNDBUF and SO_RCVBUF of a socket
// in bytes, 0 leaves them to the system; so small a buffer as the system has makes nothing but
// slower.

"memref.global"() <{sym_name = "spin", type = memref<1xi64>, sym_visibility = "private",
  initial_value = dense<0> : tensor<1xi64>}> : () -> ()

func.func private @alpha_glance(i64, i64) -> i64
func.func private @alpha_now() -> i64
func.func private @alpha_sooner(i64, i64) -> i64
func.func private @alpha_wait(i64, i64, i64) -> i64

// From now on who receives asks again for so many nanoseconds before it waits in the kernel: a process
// that is woken up comes later than one that asks. Between two questions it yields its processor.
func.func @alpha_set_spin(%nanoseconds : i64) {
  %c0 = arith.constant 0 : index
  %spin = memref.get_global @spin : memref<1xi64>
  memref.store %nanoseconds, %spin[%c0] : memref<1xi64>
  func.return
}

// Listen for one peer, on a port that the system chooses: the port. No socket stays after an error.
func.func @alpha_listen(%edge : !ptr_xdsl.ptr, %address : i64, %buffer : i64) -> i64 {
  %any = arith.constant 0 : i64
  %port = func.call @alpha_listen_at(%edge, %address, %any, %buffer)
    : (!ptr_xdsl.ptr, i64, i64, i64) -> i64
  func.return %port : i64
}

// The same on a port that the caller chooses, or on one of the system for 0.
func.func @alpha_listen_at(%edge : !ptr_xdsl.ptr, %address : i64, %chosen : i64, %buffer : i64)
    -> i64 {
  %address_in = memref.alloca() : memref<2xi64>
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %bytes = arith.constant 16 : i64
  %level = linux.constant "SOL_SOCKET"
  %reuse = linux.constant "SO_REUSEADDR"
  %listener = func.call @opened(%buffer) : (i64) -> i64
  %failed = arith.cmpi slt, %listener, %zero : i64
  cf.cond_br %failed, ^end(%listener : i64), ^reuse
^reuse:
  %set = func.call @set_option(%listener, %level, %reuse, %one) : (i64, i64, i64, i64) -> i64
  %unset = arith.cmpi slt, %set, %zero : i64
  cf.cond_br %unset, ^close(%set : i64), ^bind
^bind:
  %at = ptr_xdsl.to_ptr %address_in : memref<2xi64> -> !ptr_xdsl.ptr
  func.call @write_address(%at, %address, %chosen) : (!ptr_xdsl.ptr, i64, i64) -> ()
  %bound = linux.syscall "bind"(%listener, %at, %bytes) : (i64, !ptr_xdsl.ptr, i64) -> i64
  %unbound = arith.cmpi slt, %bound, %zero : i64
  cf.cond_br %unbound, ^close(%bound : i64), ^listen
^listen:
  %heard = linux.syscall "listen"(%listener, %one) : (i64, i64) -> i64
  %unheard = arith.cmpi slt, %heard, %zero : i64
  cf.cond_br %unheard, ^close(%heard : i64), ^named
^named:
  %port = func.call @near_port(%listener) : (i64) -> i64
  %unnamed = arith.cmpi slt, %port, %zero : i64
  cf.cond_br %unnamed, ^close(%port : i64), ^keep
^keep:
  %record = ptr_xdsl.from_ptr %edge : !ptr_xdsl.ptr -> memref<8xi64>
  memref.store %listener, %record[%c4] : memref<8xi64>
  cf.br ^end(%port : i64)
^close(%why : i64):
  %closed = linux.syscall "close"(%listener) : (i64) -> i64
  cf.br ^end(%why : i64)
^end(%result : i64):
  func.return %result : i64
}

// Connect to where a peer listens: 0. At most 30 attempts, a new socket for each, with pauses
// between them that double from 1 ms to 500 ms; an error that may pass ends an attempt, another one
// all of them. What comes back is the error of the last attempt, -5000 if that had no answer; a
// connection to itself, which the system can make where nobody listens, counts as -ECONNREFUSED.
func.func @alpha_connect(%edge : !ptr_xdsl.ptr, %address : i64, %port : i64, %buffer : i64,
                         %deadline : i64) -> i64 {
  %attempts = arith.constant 30 : i64
  %how = func.call @connected(%edge, %address, %port, %buffer, %deadline, %attempts)
    : (!ptr_xdsl.ptr, i64, i64, i64, i64, i64) -> i64
  func.return %how : i64
}

// The same with as many attempts as there are until the deadline: nobody knows when the peer begins.
func.func @alpha_connect_until(%edge : !ptr_xdsl.ptr, %address : i64, %port : i64, %buffer : i64,
                               %deadline : i64) -> i64 {
  %attempts = arith.constant 9223372036854775807 : i64
  %how = func.call @connected(%edge, %address, %port, %buffer, %deadline, %attempts)
    : (!ptr_xdsl.ptr, i64, i64, i64, i64, i64) -> i64
  func.return %how : i64
}

// The same with at most so many attempts.
func.func private @connected(%edge : !ptr_xdsl.ptr, %address : i64, %port : i64, %buffer : i64,
                             %deadline : i64, %attempts : i64) -> i64 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %nobody = arith.constant -1 : i64
  %overdue = arith.constant -5000 : i64
  %shortest = arith.constant 1000000 : i64
  %longest = arith.constant 500000000 : i64
  cf.br ^open(%attempts, %shortest : i64, i64)
^open(%left : i64, %pause : i64):
  %socket = func.call @opened(%buffer) : (i64) -> i64
  %unopened = arith.cmpi slt, %socket, %zero : i64
  cf.cond_br %unopened, ^end(%socket : i64), ^attempt
^attempt:
  %how = func.call @attempted(%socket, %address, %port, %deadline) : (i64, i64, i64, i64) -> i64
  %failed = arith.cmpi slt, %how, %zero : i64
  cf.cond_br %failed, ^close, ^keep
^keep:
  %record = ptr_xdsl.from_ptr %edge : !ptr_xdsl.ptr -> memref<8xi64>
  memref.store %socket, %record[%c0] : memref<8xi64>
  cf.br ^end(%zero : i64)
^close:
  %closed = linux.syscall "close"(%socket) : (i64) -> i64
  %passes = func.call @alpha_may_connect_later(%how) : (i64) -> i1
  cf.cond_br %passes, ^pause, ^end(%how : i64)
^pause:
  %until = func.call @alpha_sooner(%pause, %deadline) : (i64, i64) -> i64
  %slept = func.call @alpha_wait(%nobody, %zero, %until) : (i64, i64, i64) -> i64
  %rested = arith.cmpi eq, %slept, %overdue : i64
  cf.cond_br %rested, ^count, ^end(%slept : i64)
^count:
  %fewer = arith.subi %left, %one : i64
  %last = arith.cmpi eq, %fewer, %zero : i64
  %now = func.call @alpha_now() : () -> i64
  %over = arith.cmpi sge, %now, %deadline : i64
  %stop = arith.ori %last, %over : i1
  %twice = arith.addi %pause, %pause : i64
  %short = arith.cmpi slt, %twice, %longest : i64
  %next = arith.select %short, %twice, %longest : i64
  cf.cond_br %stop, ^end(%how : i64), ^open(%fewer, %next : i64, i64)
^end(%result : i64):
  func.return %result : i64
}

// Accept the connection of the one peer that knows the port, and close the listener: 0. Errors that
// are those of a connection that came and went are passed over.
func.func @alpha_accept(%edge : !ptr_xdsl.ptr, %buffer : i64, %deadline : i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i64
  %none = arith.constant -1 : i64
  %in = linux.constant "POLLIN"
  %closes = linux.constant "SOCK_CLOEXEC"
  %passes = linux.constant "SOCK_NONBLOCK"
  %flags = arith.ori %closes, %passes : i64
  %record = ptr_xdsl.from_ptr %edge : !ptr_xdsl.ptr -> memref<8xi64>
  %listener = memref.load %record[%c4] : memref<8xi64>
  cf.br ^accept
^accept:
  %socket = linux.syscall "accept4"(%listener, %zero, %zero, %flags) : (i64, i64, i64, i64) -> i64
  %failed = arith.cmpi slt, %socket, %zero : i64
  cf.cond_br %failed, ^failed, ^options
^failed:
  %later = func.call @may_accept_later(%socket) : (i64) -> i1
  cf.cond_br %later, ^wait, ^end(%socket : i64)
^wait:
  %happened = func.call @alpha_wait(%listener, %in, %deadline) : (i64, i64, i64) -> i64
  %ready = arith.cmpi sgt, %happened, %zero : i64
  cf.cond_br %ready, ^accept, ^end(%happened : i64)
^options:
  %set = func.call @set_options(%socket, %buffer) : (i64, i64) -> i64
  %unset = arith.cmpi slt, %set, %zero : i64
  cf.cond_br %unset, ^close, ^keep
^close:
  %gone = linux.syscall "close"(%socket) : (i64) -> i64
  cf.br ^end(%set : i64)
^keep:
  memref.store %socket, %record[%c0] : memref<8xi64>
  memref.store %none, %record[%c4] : memref<8xi64>
  %closed = linux.syscall "close"(%listener) : (i64) -> i64
  cf.br ^end(%zero : i64)
^end(%result : i64):
  func.return %result : i64
}

// Give all bytes of `count` pieces to the system: 0. A piece is a struct iovec (linux/uio.h), two
// words: address and bytes. They are changed on the way; afterwards their bytes are those that
// weren't given. -5001 if the peer has closed its half, even if it would have read on: at the
// beginning, since bytes would vanish in the buffer of a connection whose other end is closed, or
// while nothing more fits.
func.func @alpha_send_bytes(%edge : !ptr_xdsl.ptr, %pieces : !ptr_xdsl.ptr, %count : i64,
                            %deadline : i64) -> i64 {
  %message = memref.alloca() : memref<7xi64>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %ended = arith.constant -5001 : i64
  %no_signal = linux.constant "MSG_NOSIGNAL"
  %out = linux.constant "POLLOUT"
  %left = linux.constant "POLLRDHUP"
  %either = arith.ori %out, %left : i64
  %record = ptr_xdsl.from_ptr %edge : !ptr_xdsl.ptr -> memref<8xi64>
  %socket = memref.load %record[%c0] : memref<8xi64>
  %seen = func.call @alpha_glance(%socket, %left) : (i64, i64) -> i64
  %blind = arith.cmpi slt, %seen, %zero : i64
  cf.cond_br %blind, ^end(%seen : i64), ^seen
^seen:
  %early = arith.andi %seen, %left : i64
  %absent = arith.cmpi ne, %early, %zero : i64
  cf.cond_br %absent, ^closed, ^begin
^begin:
  %begun = func.call @skipped(%pieces, %count, %zero, %zero)
    : (!ptr_xdsl.ptr, i64, i64, i64) -> i64
  cf.br ^more(%begun : i64)
^more(%first : i64):
  %all = arith.cmpi eq, %first, %count : i64
  cf.cond_br %all, ^end(%zero : i64), ^send
^send:
  %header = func.call @described(%message, %pieces, %count, %first)
    : (memref<7xi64>, !ptr_xdsl.ptr, i64, i64) -> !ptr_xdsl.ptr
  %sent = linux.syscall "sendmsg"(%socket, %header, %no_signal) : (i64, !ptr_xdsl.ptr, i64) -> i64
  %failed = arith.cmpi slt, %sent, %zero : i64
  cf.cond_br %failed, ^failed, ^taken(%sent : i64)
^failed:
  %again = func.call @may_pass_later(%sent) : (i64) -> i1
  cf.cond_br %again, ^taken(%zero : i64), ^end(%sent : i64)
^taken(%bytes : i64):
  %next = func.call @skipped(%pieces, %count, %first, %bytes)
    : (!ptr_xdsl.ptr, i64, i64, i64) -> i64
  %whole = arith.cmpi eq, %next, %count : i64
  cf.cond_br %whole, ^end(%zero : i64), ^wait
^wait:
  %happened = func.call @alpha_wait(%socket, %either, %deadline) : (i64, i64, i64) -> i64
  %ready = arith.cmpi sgt, %happened, %zero : i64
  cf.cond_br %ready, ^ready, ^end(%happened : i64)
^ready:
  %late = arith.andi %happened, %left : i64
  %gone = arith.cmpi ne, %late, %zero : i64
  cf.cond_br %gone, ^closed, ^more(%next : i64)
^closed:
  // An error that the connection has says more than that it is closed.
  %error = func.call @pending_error(%socket) : (i64) -> i64
  %none = arith.cmpi eq, %error, %zero : i64
  %passing = func.call @may_pass_later(%error) : (i64) -> i1
  %plain = arith.ori %none, %passing : i1
  %why = arith.select %plain, %ended, %error : i64
  cf.br ^end(%why : i64)
^end(%result : i64):
  func.return %result : i64
}

// Fill pieces, as `alpha_send_bytes` takes them, and read not one byte more: how many came, `least` or
// more, or all before the peer ended its stream. The pieces are changed on the way; afterwards their
// bytes are those that didn't come. Some may be filled when an error is returned; the record says how
// many. A peer that sends as slowly as it can is waited for until the deadline and no longer.
func.func @alpha_receive_pieces(%edge : !ptr_xdsl.ptr, %pieces : !ptr_xdsl.ptr, %count : i64,
                                %least : i64, %deadline : i64) -> i64 {
  %message = memref.alloca() : memref<7xi64>
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0 : i64
  %overdue = arith.constant -5000 : i64
  %in = linux.constant "POLLIN"
  %record = ptr_xdsl.from_ptr %edge : !ptr_xdsl.ptr -> memref<8xi64>
  %socket = memref.load %record[%c0] : memref<8xi64>
  %begun = func.call @skipped(%pieces, %count, %zero, %zero)
    : (!ptr_xdsl.ptr, i64, i64, i64) -> i64
  %spin_at = memref.get_global @spin : memref<1xi64>
  %spin = memref.load %spin_at[%c0] : memref<1xi64>
  %spins = arith.cmpi sgt, %spin, %zero : i64
  cf.br ^more(%begun, %zero, %zero : i64, i64, i64)
^more(%first : i64, %filled : i64, %enough : i64):
  %some = arith.cmpi slt, %filled, %least : i64
  cf.cond_br %some, ^receive, ^end(%filled, %filled : i64, i64)
^receive:
  %header = func.call @described(%message, %pieces, %count, %first)
    : (memref<7xi64>, !ptr_xdsl.ptr, i64, i64) -> !ptr_xdsl.ptr
  %came = linux.syscall "recvmsg"(%socket, %header, %zero) : (i64, !ptr_xdsl.ptr, i64) -> i64
  %failed = arith.cmpi slt, %came, %zero : i64
  cf.cond_br %failed, ^failed, ^came
^failed:
  %again = func.call @may_pass_later(%came) : (i64) -> i1
  cf.cond_br %again, ^later, ^end(%came, %filled : i64, i64)
^later:
  %ahead = arith.cmpi sgt, %deadline, %zero : i64
  %asks = arith.andi %spins, %ahead : i1
  cf.cond_br %asks, ^ask, ^wait
^ask:
  // It is asked again until `enough`, which follows from when it was asked first.
  %moment = func.call @alpha_now() : () -> i64
  %until = arith.addi %moment, %spin : i64
  %begins = arith.cmpi eq, %enough, %zero : i64
  %bound = arith.select %begins, %until, %enough : i64
  %goes_on = arith.cmpi slt, %moment, %bound : i64
  %in_time = arith.cmpi slt, %moment, %deadline : i64
  %both = arith.andi %goes_on, %in_time : i1
  cf.cond_br %both, ^yield, ^wait
^yield:
  // Whoever else has work on this processor comes first.
  %yielded = linux.syscall "sched_yield"() : () -> i64
  cf.br ^more(%first, %filled, %bound : i64, i64, i64)
^wait:
  %happened = func.call @alpha_wait(%socket, %in, %deadline) : (i64, i64, i64) -> i64
  %ready = arith.cmpi sgt, %happened, %zero : i64
  cf.cond_br %ready, ^more(%first, %filled, %enough : i64, i64, i64),
    ^end(%happened, %filled : i64, i64)
^came:
  %ended = arith.cmpi eq, %came, %zero : i64
  cf.cond_br %ended, ^end(%filled, %filled : i64, i64), ^filled
^filled:
  %next = func.call @skipped(%pieces, %count, %first, %came)
    : (!ptr_xdsl.ptr, i64, i64, i64) -> i64
  %sum = arith.addi %filled, %came : i64
  %whole = arith.cmpi sge, %sum, %least : i64
  cf.cond_br %whole, ^end(%sum, %sum : i64, i64), ^check
^check:
  %now = func.call @alpha_now() : () -> i64
  %over = arith.cmpi sge, %now, %deadline : i64
  cf.cond_br %over, ^end(%overdue, %sum : i64, i64), ^more(%next, %sum, %enough : i64, i64, i64)
^end(%result : i64, %there : i64):
  memref.store %there, %record[%c6] : memref<8xi64>
  func.return %result : i64
}

// The same of `bytes` bytes, all of which are waited for.
func.func @alpha_receive_bytes(%edge : !ptr_xdsl.ptr, %into : !ptr_xdsl.ptr, %bytes : i64,
                               %deadline : i64) -> i64 {
  %piece = memref.alloca() : memref<2xi64>
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %at = ptr_xdsl.to_ptr %piece : memref<2xi64> -> !ptr_xdsl.ptr
  ptr_xdsl.store %into, %at : !ptr_xdsl.ptr, !ptr_xdsl.ptr
  memref.store %bytes, %piece[%c1] : memref<2xi64>
  %came = func.call @alpha_receive_pieces(%edge, %at, %one, %bytes, %deadline)
    : (!ptr_xdsl.ptr, !ptr_xdsl.ptr, i64, i64, i64) -> i64
  func.return %came : i64
}

// Say that nothing more is sent: 0, or the error of a connection that is gone.
func.func @alpha_end_stream(%edge : !ptr_xdsl.ptr) -> i64 {
  %c0 = arith.constant 0 : index
  %sending = linux.constant "SHUT_WR"
  %record = ptr_xdsl.from_ptr %edge : !ptr_xdsl.ptr -> memref<8xi64>
  %socket = memref.load %record[%c0] : memref<8xi64>
  %result = linux.syscall "shutdown"(%socket, %sending) : (i64, i64) -> i64
  func.return %result : i64
}

// Close the connection and the listener where there are such: 0. Does nothing the second time. A
// peer whose bytes weren't read learns of a reset, not of an end.
func.func @alpha_close(%edge : !ptr_xdsl.ptr) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %words = arith.constant 4 : index
  %behind = arith.constant 5 : index
  %zero = arith.constant 0 : i64
  %none = arith.constant -1 : i64
  %record = ptr_xdsl.from_ptr %edge : !ptr_xdsl.ptr -> memref<8xi64>
  scf.for %at = %c0 to %behind step %words {
    %descriptor = memref.load %record[%at] : memref<8xi64>
    %open = arith.cmpi sge, %descriptor, %zero : i64
    scf.if %open {
      // Whatever the kernel says of it, the descriptor is free afterwards: it isn't closed again.
      %closed = linux.syscall "close"(%descriptor) : (i64) -> i64
      memref.store %none, %record[%at] : memref<8xi64>
    }
  }
  func.return %zero : i64
}

// A socket with the options of every connection: its descriptor. None stays open after an error.
func.func private @opened(%buffer : i64) -> i64 {
  %zero = arith.constant 0 : i64
  %family = linux.constant "AF_INET"
  %stream = linux.constant "SOCK_STREAM"
  %closes = linux.constant "SOCK_CLOEXEC"
  %passes = linux.constant "SOCK_NONBLOCK"
  %flags = arith.ori %closes, %passes : i64
  %kind = arith.ori %stream, %flags : i64
  %socket = linux.syscall "socket"(%family, %kind, %zero) : (i64, i64, i64) -> i64
  %failed = arith.cmpi slt, %socket, %zero : i64
  cf.cond_br %failed, ^end(%socket : i64), ^options
^options:
  %set = func.call @set_options(%socket, %buffer) : (i64, i64) -> i64
  %unset = arith.cmpi slt, %set, %zero : i64
  cf.cond_br %unset, ^close, ^end(%socket : i64)
^close:
  %closed = linux.syscall "close"(%socket) : (i64) -> i64
  cf.br ^end(%set : i64)
^end(%result : i64):
  func.return %result : i64
}

// No waiting for an acknowledgement of the beginning before the end of a frame leaves, and the
// sizes of the buffers, before there is a connection, since later its window is agreed on: 0 or
// more.
func.func private @set_options(%socket : i64, %buffer : i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %tcp = linux.constant "IPPROTO_TCP"
  %at_once = linux.constant "TCP_NODELAY"
  %level = linux.constant "SOL_SOCKET"
  %out = linux.constant "SO_SNDBUF"
  %in = linux.constant "SO_RCVBUF"
  %first = func.call @set_option(%socket, %tcp, %at_once, %one) : (i64, i64, i64, i64) -> i64
  %failed = arith.cmpi slt, %first, %zero : i64
  %system = arith.cmpi eq, %buffer, %zero : i64
  %done = arith.ori %failed, %system : i1
  cf.cond_br %done, ^end(%first : i64), ^out
^out:
  %second = func.call @set_option(%socket, %level, %out, %buffer) : (i64, i64, i64, i64) -> i64
  %unset = arith.cmpi slt, %second, %zero : i64
  cf.cond_br %unset, ^end(%second : i64), ^in
^in:
  %third = func.call @set_option(%socket, %level, %in, %buffer) : (i64, i64, i64, i64) -> i64
  cf.br ^end(%third : i64)
^end(%result : i64):
  func.return %result : i64
}

// An option of a socket that is an int of C.
func.func private @set_option(%socket : i64, %level : i64, %name : i64, %value : i64) -> i64 {
  %option = memref.alloca() : memref<1xi32>
  %c0 = arith.constant 0 : index
  %bytes = arith.constant 4 : i64
  %narrow = arith.trunci %value : i64 to i32
  memref.store %narrow, %option[%c0] : memref<1xi32>
  %at = ptr_xdsl.to_ptr %option : memref<1xi32> -> !ptr_xdsl.ptr
  %result = linux.syscall "setsockopt"(%socket, %level, %name, %at, %bytes)
    : (i64, i64, i64, !ptr_xdsl.ptr, i64) -> i64
  func.return %result : i64
}

// The error that a socket has, as a call returns it; 0 for none.
func.func private @pending_error(%socket : i64) -> i64 {
  %option = memref.alloca() : memref<2xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %bytes = arith.constant 4 : i32
  %level = linux.constant "SOL_SOCKET"
  %name = linux.constant "SO_ERROR"
  // An int of C, and behind it how many bytes there are for it.
  memref.store %bytes, %option[%c1] : memref<2xi32>
  %at = ptr_xdsl.to_ptr %option : memref<2xi32> -> !ptr_xdsl.ptr
  %offset = arith.constant 4 : i64
  %size = ptr_xdsl.ptradd %at, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %got = linux.syscall "getsockopt"(%socket, %level, %name, %at, %size)
    : (i64, i64, i64, !ptr_xdsl.ptr, !ptr_xdsl.ptr) -> i64
  %failed = arith.cmpi slt, %got, %zero : i64
  cf.cond_br %failed, ^end(%got : i64), ^known
^known:
  %number = memref.load %option[%c0] : memref<2xi32>
  %wide = arith.extui %number : i32 to i64
  %error = arith.subi %zero, %wide : i64
  cf.br ^end(%error : i64)
^end(%result : i64):
  func.return %result : i64
}

// One attempt to connect a socket: 0, or why it isn't connected, as `alpha_connect` returns it.
func.func private @attempted(%socket : i64, %address : i64, %port : i64, %deadline : i64) -> i64 {
  %address_in = memref.alloca() : memref<2xi64>
  %zero = arith.constant 0 : i64
  %bytes = arith.constant 16 : i64
  %out = linux.constant "POLLOUT"
  %refused = linux.constant "ECONNREFUSED"
  %itself = arith.subi %zero, %refused : i64
  %at = ptr_xdsl.to_ptr %address_in : memref<2xi64> -> !ptr_xdsl.ptr
  func.call @write_address(%at, %address, %port) : (!ptr_xdsl.ptr, i64, i64) -> ()
  %begun = linux.syscall "connect"(%socket, %at, %bytes) : (i64, !ptr_xdsl.ptr, i64) -> i64
  %failed = arith.cmpi slt, %begun, %zero : i64
  cf.cond_br %failed, ^failed, ^connected
^failed:
  %goes_on = func.call @is_pending(%begun) : (i64) -> i1
  cf.cond_br %goes_on, ^wait, ^end(%begun : i64)
^wait:
  %happened = func.call @alpha_wait(%socket, %out, %deadline) : (i64, i64, i64) -> i64
  %ready = arith.cmpi sgt, %happened, %zero : i64
  cf.cond_br %ready, ^answered, ^end(%happened : i64)
^answered:
  %error = func.call @pending_error(%socket) : (i64) -> i64
  %unable = arith.cmpi slt, %error, %zero : i64
  cf.cond_br %unable, ^end(%error : i64), ^connected
^connected:
  // The system may choose, for the near end, the very port where nobody listens yet.
  %near = func.call @near_port(%socket) : (i64) -> i64
  %unnamed = arith.cmpi slt, %near, %zero : i64
  cf.cond_br %unnamed, ^end(%near : i64), ^named
^named:
  %same = arith.cmpi eq, %near, %port : i64
  %how = arith.select %same, %itself, %zero : i64
  cf.br ^end(%how : i64)
^end(%result : i64):
  func.return %result : i64
}

// The port of a socket at this end.
func.func private @near_port(%socket : i64) -> i64 {
  // struct sockaddr_in, and behind it how many bytes there are for it.
  %address_in = memref.alloca() : memref<3xi64>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0 : i64
  %bytes = arith.constant 16 : i64
  memref.store %bytes, %address_in[%c2] : memref<3xi64>
  %at = ptr_xdsl.to_ptr %address_in : memref<3xi64> -> !ptr_xdsl.ptr
  %size = ptr_xdsl.ptradd %at, %bytes : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %got = linux.syscall "getsockname"(%socket, %at, %size)
    : (i64, !ptr_xdsl.ptr, !ptr_xdsl.ptr) -> i64
  %failed = arith.cmpi slt, %got, %zero : i64
  cf.cond_br %failed, ^end(%got : i64), ^known
^known:
  %word = memref.load %address_in[%c0] : memref<3xi64>
  %eight = arith.constant 8 : i64
  %sixteen = arith.constant 16 : i64
  %twenty_four = arith.constant 24 : i64
  %byte = arith.constant 255 : i64
  %third = arith.shrui %word, %sixteen : i64
  %high = arith.andi %third, %byte : i64
  %fourth = arith.shrui %word, %twenty_four : i64
  %low = arith.andi %fourth, %byte : i64
  %shifted = arith.shli %high, %eight : i64
  %port = arith.ori %shifted, %low : i64
  cf.br ^end(%port : i64)
^end(%result : i64):
  func.return %result : i64
}

// Write a struct sockaddr_in (linux/in.h) of 16 bytes: the family in 2, the port in 2 and the
// address in 4 with the high byte first, 8 of zero. `into` needn't be aligned.
func.func private @write_address(%into : !ptr_xdsl.ptr, %address : i64, %port : i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %eight = arith.constant 8 : i64
  %zero = arith.constant 0 : i64
  %high = arith.constant 32 : i64
  %thirty_two = arith.constant 0xffffffff : i64
  %sixteen = arith.constant 0xffff : i64
  %family = linux.constant "AF_INET"
  %words = ptr_xdsl.from_ptr %into : !ptr_xdsl.ptr -> memref<2xi64>
  memref.store %family, %words[%c0] : memref<2xi64>
  memref.store %zero, %words[%c1] : memref<2xi64>
  // The six bytes of port and address, of which the last is the lowest.
  %number = arith.andi %address, %thirty_two : i64
  %wanted = arith.andi %port, %sixteen : i64
  %above = arith.shli %wanted, %high : i64
  %six = arith.ori %above, %number : i64
  %bytes = ptr_xdsl.from_ptr %into : !ptr_xdsl.ptr -> memref<8xi8>
  scf.for %at = %c2 to %c8 step %c1 {
    %place = arith.index_cast %at : index to i64
    %seven = arith.constant 7 : i64
    %from_end = arith.subi %seven, %place : i64
    %shift = arith.muli %from_end, %eight : i64
    %moved = arith.shrui %six, %shift : i64
    %byte = arith.trunci %moved : i64 to i8
    memref.store %byte, %bytes[%at] : memref<8xi8>
  }
  func.return
}

// Describe the pieces from `first` on, as many as one call takes, in a struct msghdr (user_msghdr of
// linux/socket.h) of 56 bytes, and where that is: name and its bytes, pieces and their number, control
// data and its bytes, flags.
func.func private @described(%message : memref<7xi64>, %pieces : !ptr_xdsl.ptr, %count : i64,
                             %first : i64) -> !ptr_xdsl.ptr {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0 : i64
  %piece_bytes = arith.constant 16 : i64
  %pieces_offset = arith.constant 16 : i64
  %most = linux.constant "IOV_MAX"
  %header = ptr_xdsl.to_ptr %message : memref<7xi64> -> !ptr_xdsl.ptr
  %held = ptr_xdsl.ptradd %header, %pieces_offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %offset = arith.muli %first, %piece_bytes : i64
  %at = ptr_xdsl.ptradd %pieces, %offset : (!ptr_xdsl.ptr, i64) -> !ptr_xdsl.ptr
  %rest = arith.subi %count, %first : i64
  %few = arith.cmpi slt, %rest, %most : i64
  %some = arith.select %few, %rest, %most : i64
  memref.store %zero, %message[%c0] : memref<7xi64>
  memref.store %zero, %message[%c1] : memref<7xi64>
  ptr_xdsl.store %at, %held : !ptr_xdsl.ptr, !ptr_xdsl.ptr
  memref.store %some, %message[%c3] : memref<7xi64>
  memref.store %zero, %message[%c4] : memref<7xi64>
  memref.store %zero, %message[%c5] : memref<7xi64>
  memref.store %zero, %message[%c6] : memref<7xi64>
  func.return %header : !ptr_xdsl.ptr
}

// Take `given` bytes off the pieces from `from` on, as many as there are at most: the first piece
// of which bytes are left, or `count`. What is taken whole has 0 bytes.
func.func private @skipped(%pieces : !ptr_xdsl.ptr, %count : i64, %from : i64, %given : i64)
    -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %words = ptr_xdsl.from_ptr %pieces : !ptr_xdsl.ptr -> memref<?x2xi64>
  cf.br ^next(%from, %given : i64, i64)
^next(%first : i64, %taken : i64):
  %some = arith.cmpi slt, %first, %count : i64
  cf.cond_br %some, ^piece, ^end
^piece:
  %at = arith.index_cast %first : i64 to index
  %bytes = memref.load %words[%at, %c1] : memref<?x2xi64>
  %left = arith.subi %bytes, %taken : i64
  %whole = arith.cmpi sle, %left, %zero : i64
  cf.cond_br %whole, ^whole, ^part
^whole:
  memref.store %zero, %words[%at, %c1] : memref<?x2xi64>
  %behind = arith.addi %first, %one : i64
  %rest = arith.subi %taken, %bytes : i64
  cf.br ^next(%behind, %rest : i64, i64)
^part:
  %address = memref.load %words[%at, %c0] : memref<?x2xi64>
  %later = arith.addi %address, %taken : i64
  memref.store %later, %words[%at, %c0] : memref<?x2xi64>
  memref.store %left, %words[%at, %c1] : memref<?x2xi64>
  cf.br ^end
^end:
  func.return %first : i64
}

// Whether bytes may be sent or received later.
func.func private @may_pass_later(%result : i64) -> i1 {
  %zero = arith.constant 0 : i64
  %number = arith.subi %zero, %result : i64
  %again = linux.constant "EAGAIN"
  %is_again = arith.cmpi eq, %number, %again : i64
  %intr = linux.constant "EINTR"
  %is_intr = arith.cmpi eq, %number, %intr : i64
  %or_intr = arith.ori %is_again, %is_intr : i1
  func.return %or_intr : i1
}

// Whether a connection that is being made goes on being made; its socket says how it ends.
func.func private @is_pending(%result : i64) -> i1 {
  %zero = arith.constant 0 : i64
  %number = arith.subi %zero, %result : i64
  %inprogress = linux.constant "EINPROGRESS"
  %is_inprogress = arith.cmpi eq, %number, %inprogress : i64
  %already = linux.constant "EALREADY"
  %is_already = arith.cmpi eq, %number, %already : i64
  %or_already = arith.ori %is_inprogress, %is_already : i1
  %intr = linux.constant "EINTR"
  %is_intr = arith.cmpi eq, %number, %intr : i64
  %or_intr = arith.ori %or_already, %is_intr : i1
  func.return %or_intr : i1
}

// Whether another connection may be accepted: the system hands on errors of one that are none of
// the listener.
func.func private @may_accept_later(%result : i64) -> i1 {
  %zero = arith.constant 0 : i64
  %number = arith.subi %zero, %result : i64
  %common = func.call @may_change(%result) : (i64) -> i1
  %noprotoopt = linux.constant "ENOPROTOOPT"
  %is_noprotoopt = arith.cmpi eq, %number, %noprotoopt : i64
  %or_noprotoopt = arith.ori %common, %is_noprotoopt : i1
  %opnotsupp = linux.constant "EOPNOTSUPP"
  %is_opnotsupp = arith.cmpi eq, %number, %opnotsupp : i64
  %or_opnotsupp = arith.ori %or_noprotoopt, %is_opnotsupp : i1
  func.return %or_opnotsupp : i1
}

// Whether another attempt to connect may succeed, after one with this result.
func.func @alpha_may_connect_later(%result : i64) -> i1 {
  %zero = arith.constant 0 : i64
  %number = arith.subi %zero, %result : i64
  %common = func.call @may_change(%result) : (i64) -> i1
  %connrefused = linux.constant "ECONNREFUSED"
  %is_connrefused = arith.cmpi eq, %number, %connrefused : i64
  %or_connrefused = arith.ori %common, %is_connrefused : i1
  %connreset = linux.constant "ECONNRESET"
  %is_connreset = arith.cmpi eq, %number, %connreset : i64
  %or_connreset = arith.ori %or_connrefused, %is_connreset : i1
  %addrinuse = linux.constant "EADDRINUSE"
  %is_addrinuse = arith.cmpi eq, %number, %addrinuse : i64
  %or_addrinuse = arith.ori %or_connreset, %is_addrinuse : i1
  %addrnotavail = linux.constant "EADDRNOTAVAIL"
  %is_addrnotavail = arith.cmpi eq, %number, %addrnotavail : i64
  %or_addrnotavail = arith.ori %or_addrinuse, %is_addrnotavail : i1
  func.return %or_addrnotavail : i1
}

// What may be otherwise at the next attempt, to accept and to connect.
func.func private @may_change(%result : i64) -> i1 {
  %zero = arith.constant 0 : i64
  %number = arith.subi %zero, %result : i64
  %again = linux.constant "EAGAIN"
  %is_again = arith.cmpi eq, %number, %again : i64
  %intr = linux.constant "EINTR"
  %is_intr = arith.cmpi eq, %number, %intr : i64
  %or_intr = arith.ori %is_again, %is_intr : i1
  %connaborted = linux.constant "ECONNABORTED"
  %is_connaborted = arith.cmpi eq, %number, %connaborted : i64
  %or_connaborted = arith.ori %or_intr, %is_connaborted : i1
  %netdown = linux.constant "ENETDOWN"
  %is_netdown = arith.cmpi eq, %number, %netdown : i64
  %or_netdown = arith.ori %or_connaborted, %is_netdown : i1
  %netunreach = linux.constant "ENETUNREACH"
  %is_netunreach = arith.cmpi eq, %number, %netunreach : i64
  %or_netunreach = arith.ori %or_netdown, %is_netunreach : i1
  %hostdown = linux.constant "EHOSTDOWN"
  %is_hostdown = arith.cmpi eq, %number, %hostdown : i64
  %or_hostdown = arith.ori %or_netunreach, %is_hostdown : i1
  %hostunreach = linux.constant "EHOSTUNREACH"
  %is_hostunreach = arith.cmpi eq, %number, %hostunreach : i64
  %or_hostunreach = arith.ori %or_hostdown, %is_hostunreach : i1
  %nonet = linux.constant "ENONET"
  %is_nonet = arith.cmpi eq, %number, %nonet : i64
  %or_nonet = arith.ori %or_hostunreach, %is_nonet : i1
  %proto = linux.constant "EPROTO"
  %is_proto = arith.cmpi eq, %number, %proto : i64
  %or_proto = arith.ori %or_nonet, %is_proto : i1
  %timedout = linux.constant "ETIMEDOUT"
  %is_timedout = arith.cmpi eq, %number, %timedout : i64
  %or_timedout = arith.ori %or_proto, %is_timedout : i1
  func.return %or_timedout : i1
}
