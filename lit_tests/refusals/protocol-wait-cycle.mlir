// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-schedules

// Both wait for the other before they send.

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %a = protocol.perform transfer site 0 {
    // expected-error@+2 {{[protocol-wait-cycle] expected an order in which roles never wait for each other in a circle, found role 0: receive from 1, site 0 words 1 : f64; role 1: receive from 0, site 1 words 1 : f64; role 0}}
    // expected-note@+1 {{role 0 waits for role 1: receive from 1, site 0 words 1 : f64}}
    protocol.receive from 1 words 1 : f64
  } : !protocol.at<f64, role 0>
  protocol.perform transfer site 1 %x {
    protocol.send to 1 words 1 : f64
  }
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %b = protocol.perform transfer site 1 {
    // expected-note@+1 {{role 1 waits for role 0: receive from 0, site 1 words 1 : f64}}
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
  protocol.perform transfer site 0 %x {
    protocol.send to 0 words 1 : f64
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
  %a = protocol.perform transfer site 0 {
    protocol.receive from 1 words 1 : f64
  } : !protocol.at<f64, role 0>
  protocol.perform transfer site 1 %x {
    protocol.send to 1 words 1 : f64
  }
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform transfer site 0 %x {
    protocol.send to 0 words 1 : f64
  }
  %b = protocol.perform transfer site 1 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
}

// -----

// Both send before they receive: without a buffer neither is heard.

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform transfer site 1 %x {
    // expected-note@+1 {{role 0 waits for role 1: send to 1, site 1 words 1 : f64}}
    protocol.send to 1 words 1 : f64
  }
  %a = protocol.perform transfer site 0 {
    protocol.receive from 1 words 1 : f64
  } : !protocol.at<f64, role 0>
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform transfer site 0 %x {
    // expected-error@+2 {{[protocol-wait-cycle] expected an order in which roles never wait for each other in a circle, found role 1: send to 0, site 0 words 1 : f64; role 0: send to 1, site 1 words 1 : f64; role 1}}
    // expected-note@+1 {{role 1 waits for role 0: send to 0, site 0 words 1 : f64}}
    protocol.send to 0 words 1 : f64
  }
  %b = protocol.perform transfer site 1 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
}

// -----

// accepted:
#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform transfer site 1 %x {
    protocol.send to 1 words 1 : f64
  }
  %a = protocol.perform transfer site 0 {
    protocol.receive from 1 words 1 : f64
  } : !protocol.at<f64, role 0>
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %b = protocol.perform transfer site 1 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
  protocol.perform transfer site 0 %x {
    protocol.send to 0 words 1 : f64
  }
}
