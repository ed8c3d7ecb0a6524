// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-schedules

// An edge has one order: what is sent first is received first.

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
  protocol.perform transfer site 1 %x {
    protocol.send to 1 words 1 : f64
  }
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %b = protocol.perform transfer site 1 {
    // expected-error@+2 {{[protocol-edge-order] expected site 0 words 1 : f64 next at role 1, which role 0 sends as number 0, counted from 0, found site 1 words 1 : f64, which is sent too but at another time}}
    // expected-note@+1 {{role 1 is to receive from 0, site 1 words 1 : f64}}
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
  %a = protocol.perform transfer site 0 {
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
  protocol.perform transfer site 0 %x {
    protocol.send to 1 words 1 : f64
  }
  protocol.perform transfer site 1 %x {
    protocol.send to 1 words 1 : f64
  }
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %a = protocol.perform transfer site 0 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
  %b = protocol.perform transfer site 1 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
}
