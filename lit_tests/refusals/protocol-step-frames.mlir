// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// The pieces of a map go to their owners in the order of the roles: frames of one size that change
// places would give the one's words to the other.

#all = #protocol.group<universe = 3, epoch = 0, id = "6c73", stride(0, 1, 3)>
protocol.role @train role 0 group #all protocol "00" edges [1, 2] {
  %x = protocol.local at role 0 {
    %c = arith.constant 1.5 : f64
    %a = pointwise.map over [i : 3] (%b = %c) {
      pointwise.yield %b
    } : tensor<3xf64>
    protocol.yield %a
  }
  %own = protocol.perform reduce site 0 %x contract #region.contract<groups = [1], combine = left> owners [3, 0, 0] {
  } : !protocol.at<!shard.owned<tensor<3xf64>, [3, 0, 0], +0>, role 0>
  %copy = protocol.perform gather site 1 %own by [3, 0, 0] over role 0 {
  } : !protocol.at<!shard.replica<tensor<3xf64>, +0>, role 0>
  %mine = protocol.perform scatter site 2 %copy by cyclic over stride(0, 1, 3) {
    protocol.send to 2 words 1 : f64
    // expected-error@+1 {{[protocol-step-frames] expected a peer above role 2 behind it in the scatter of site 2 at role 0, found role 1}}
    protocol.send to 1 words 1 : f64
  } : !protocol.at<!shard.owned<tensor<3xf64>, cyclic, +0>, role 0>
}

// -----

// accepted:
#all = #protocol.group<universe = 3, epoch = 0, id = "6c73", stride(0, 1, 3)>
protocol.role @train role 0 group #all protocol "00" edges [1, 2] {
  %x = protocol.local at role 0 {
    %c = arith.constant 1.5 : f64
    %a = pointwise.map over [i : 3] (%b = %c) {
      pointwise.yield %b
    } : tensor<3xf64>
    protocol.yield %a
  }
  %own = protocol.perform reduce site 0 %x contract #region.contract<groups = [1], combine = left> owners [3, 0, 0] {
  } : !protocol.at<!shard.owned<tensor<3xf64>, [3, 0, 0], +0>, role 0>
  %copy = protocol.perform gather site 1 %own by [3, 0, 0] over role 0 {
  } : !protocol.at<!shard.replica<tensor<3xf64>, +0>, role 0>
  %mine = protocol.perform scatter site 2 %copy by cyclic over stride(0, 1, 3) {
    protocol.send to 1 words 1 : f64
    protocol.send to 2 words 1 : f64
  } : !protocol.at<!shard.owned<tensor<3xf64>, cyclic, +0>, role 0>
}

// -----

// A frame is of the type of the value that it carries: who sends an i64 sends no f64.

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @train role 0 group #all protocol "00" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.perform transfer site 0 %x {
    // expected-error@+1 {{[protocol-step-frames] expected words 1 : i64 in the transfer of site 0 at role 0, found words 1 : f64}}
    protocol.send to 1 words 1 : f64
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @train role 0 group #all protocol "00" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.perform transfer site 0 %x {
    protocol.send to 1 words 1 : i64
  }
}

// -----

// Nothing rides behind a value where no verdict is given.

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @train role 0 group #all protocol "00" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.perform replicate site 0 %x {
    // expected-error@+1 {{[protocol-step-frames] expected words 1 : f64 in the replicate of site 0 at role 0, found words 1 riding 1 : f64}}
    protocol.send to 1 words 1 riding 1 : f64
  } : !protocol.at<f64, role 0>
}

// -----

// accepted:
#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @train role 0 group #all protocol "00" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.perform replicate site 0 %x {
    protocol.send to 1 words 1 : f64
  } : !protocol.at<f64, role 0>
}
