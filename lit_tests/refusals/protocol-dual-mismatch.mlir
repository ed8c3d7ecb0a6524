// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-schedules

// The two ends of a frame have the same words ...

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %c = arith.constant 1.5 : f64
    %a = pointwise.map over [i : 4] (%b = %c) {
      pointwise.yield %b
    } : tensor<4xf64>
    protocol.yield %a
  }
  protocol.perform transfer site 0 %x {
    // expected-note@+1 {{role 0 is to send to 1, site 0 words 4 : f64}}
    protocol.send to 1 words 4 : f64
  }
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %a = protocol.perform transfer site 0 {
    // expected-error@+2 {{[protocol-dual-mismatch] expected site 0 words 4 : f64 as frame 0 from role 0 to role 1, found site 0 words 3 : f64}}
    // expected-note@+1 {{role 1 is to receive from 0, site 0 words 3 : f64}}
    protocol.receive from 0 words 3 : f64
  } : !protocol.at<tensor<3xf64>, role 1>
}

// -----

// accepted:
#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %c = arith.constant 1.5 : f64
    %a = pointwise.map over [i : 4] (%b = %c) {
      pointwise.yield %b
    } : tensor<4xf64>
    protocol.yield %a
  }
  protocol.perform transfer site 0 %x {
    protocol.send to 1 words 4 : f64
  }
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %a = protocol.perform transfer site 0 {
    protocol.receive from 0 words 4 : f64
  } : !protocol.at<tensor<4xf64>, role 1>
}

// -----

// ... the same count ...

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %t = protocol.perform reduce site 0 %x contract #region.contract<groups = [1, 5], combine = left> {
    // expected-error@+2 {{[protocol-dual-mismatch] expected site 0 part 1 count 6 words 1 : f64 as frame 0 from role 1 to role 0, found site 0 part 1 count 5 words 1 : f64}}
    // expected-note@+1 {{role 0 is to receive from 1, site 0 part 1 count 5 words 1 : f64}}
    protocol.receive from 1 part 1 count 5 words 1 : f64
    protocol.add [1] into 0
  } : !protocol.at<f64, role 0>
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform reduce site 0 %x contract #region.contract<groups = [1, 6], combine = left> part 1 {
    // expected-note@+1 {{role 1 is to send to 0, site 0 part 1 count 6 words 1 : f64}}
    protocol.send to 0 part 1 count 6 words 1 : f64
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %t = protocol.perform reduce site 0 %x contract #region.contract<groups = [1, 6], combine = left> {
    protocol.receive from 1 part 1 count 6 words 1 : f64
    protocol.add [1] into 0
  } : !protocol.at<f64, role 0>
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform reduce site 0 %x contract #region.contract<groups = [1, 6], combine = left> part 1 {
    protocol.send to 0 part 1 count 6 words 1 : f64
  }
}

// -----

// ... and the same type.

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform transfer site 0 %x {
    // expected-note@+1 {{role 0 is to send to 1, site 0 words 1 : f64}}
    protocol.send to 1 words 1 : f64
  }
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %a = protocol.perform transfer site 0 {
    // expected-error@+2 {{[protocol-dual-mismatch] expected site 0 words 1 : f64 as frame 0 from role 0 to role 1, found site 0 words 1 : f32}}
    // expected-note@+1 {{role 1 is to receive from 0, site 0 words 1 : f32}}
    protocol.receive from 0 words 1 : f32
  } : !protocol.at<f32, role 1>
}

// -----

// accepted:
#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform transfer site 0 %x {
    protocol.send to 1 words 1 : f64
  }
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %a = protocol.perform transfer site 0 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
}
