// A module has two programs of one role: which of them is meant isn't said.
// RUN: alpha-opt %s --check-schedules --split-input-file --verify-diagnostics

protocol.role @two role 0 group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "00" edges [1] {
  %x = protocol.local at role 0 {
    %word = arith.constant 1.5 : f64
    protocol.yield %word
  }
  protocol.perform transfer site 0 %x {
    protocol.send to 1 words 1 : f64
  }
}
// expected-note@+1 {{the first is here}}
protocol.role @two role 1 group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "00" edges [0] {
  %y = protocol.perform transfer site 0 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
}
// expected-error@+1 {{[protocol-role-duplicate] expected one program of role 1, found two}}
protocol.role @two role 1 group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "00" edges [0] {
  %y = protocol.perform transfer site 0 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
}

// -----

// accepted:
protocol.role @two role 0 group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "00" edges [1] {
  %x = protocol.local at role 0 {
    %word = arith.constant 1.5 : f64
    protocol.yield %word
  }
  protocol.perform transfer site 0 %x {
    protocol.send to 1 words 1 : f64
  }
}
protocol.role @two role 1 group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> protocol "00" edges [0] {
  %y = protocol.perform transfer site 0 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
}
