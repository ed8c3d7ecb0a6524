// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// A role's program has what one role does: it tells nobody but in a frame ...

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.role @train role 2 group #all protocol "00" edges [0] {
  %s = protocol.local at role 2 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-unrealized] expected a choice without routes in a role's program, found routes [2 -> 0]}}
  protocol.choice %s by 2 along [2 -> 0] {
  } {
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.role @train role 2 group #all protocol "00" edges [0] {
  %s = protocol.local at role 2 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.choice %s {
  } {
  }
}

// -----

// ... and takes part in what many do with its own frames.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.role @train role 2 group #all protocol "00" edges [] {
  %x = protocol.local at role 2 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-unrealized] expected what a role does by itself in its program, found protocol.agree}}
  protocol.agree %x along star
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.role @train role 2 group #all protocol "00" edges [0] {
  %x = protocol.local at role 2 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform agree site 0 %x {
    protocol.send to 0 words 5 : i64
    protocol.receive from 0 part 1 words 1 : i64
  }
}

// -----

// What it performs is frames and additions, of a known kind.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.role @train role 2 group #all protocol "00" edges [] {
  protocol.perform agree site 0 {
    // expected-error@+1 {{[source-structure] expected frames and additions in what a role performs, found arith.constant}}
    %a = arith.constant 1.5 : f64
  }
}

// -----

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.role @train role 2 group #all protocol "00" edges [] {
  // expected-error@+1 {{[source-structure] expected one of transfer, reduce, replicate, scatter, gather, exchange, agree, checkpoint, decide to perform, found guess}}
  "protocol.perform"() <{kind = "guess", site = #builtin.int<0>}> ({
  ^bb0:
  }) : () -> ()
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.role @train role 2 group #all protocol "00" edges [] {
  %x = protocol.local at role 2 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  "protocol.perform"(%x) <{kind = "agree", site = #builtin.int<0>}> ({
  ^bb0:
  }) : (!protocol.at<f64, role 2>) -> ()
}

// -----

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.role @train role 2 group #all protocol "00" edges [3] {
  %x = protocol.local at role 2 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %t = protocol.perform reduce site 0 %x contract #region.contract<groups = [1, 1], combine = left> {
    protocol.receive from 3 part 1 count 1 words 1 : f64
    // expected-error@+1 {{[source-structure] expected at least one group to add in 'protocol.add', found none}}
    protocol.add [] into 0
  } : !protocol.at<f64, role 2>
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.role @train role 2 group #all protocol "00" edges [3] {
  %x = protocol.local at role 2 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %t = protocol.perform reduce site 0 %x contract #region.contract<groups = [1, 1], combine = left> {
    protocol.receive from 3 part 1 count 1 words 1 : f64
    protocol.add [1] into 0
  } : !protocol.at<f64, role 2>
}

// -----

// Edges ascend.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
// expected-error@+1 {{[source-structure] expected edges in ascending order, found [1, 0]}}
protocol.role @train role 2 group #all protocol "00" edges [1, 0] {
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.role @train role 2 group #all protocol "00" edges [0, 1] {
}
