// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-schedules

// What a sum is has to be said alike by all who take part in it.

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @sum role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-note@+1 {{role 0 says so here}}
  %t = protocol.perform reduce site 0 %x contract #region.contract<groups = [1, 1], combine = left> {
    protocol.receive from 1 part 1 count 1 words 1 : f64
    protocol.add [1] into 0
  } : !protocol.at<f64, role 0>
}
protocol.role @sum role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-step-differs] expected contract groups = [1, 1], combine = left at site 0, as role 0, found contract groups = [1, 1], combine = tree<2> at role 1}}
  protocol.perform reduce site 0 %x contract #region.contract<groups = [1, 1], combine = tree<2>> part 1 {
    protocol.send to 0 part 1 count 1 words 1 : f64
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @sum role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %t = protocol.perform reduce site 0 %x contract #region.contract<groups = [1, 1], combine = left> {
    protocol.receive from 1 part 1 count 1 words 1 : f64
    protocol.add [1] into 0
  } : !protocol.at<f64, role 0>
}
protocol.role @sum role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform reduce site 0 %x contract #region.contract<groups = [1, 1], combine = left> part 1 {
    protocol.send to 0 part 1 count 1 words 1 : f64
  }
}

// -----

// What all get is given by one of them, also where no frame shows it.

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @copy role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.perform replicate site 0 %x {
  } : !protocol.at<f64, role 0>
}
protocol.role @copy role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-step-differs] expected one role that gives what the others get at site 0, found 0, 1}}
  %y = protocol.perform replicate site 0 %x {
  } : !protocol.at<f64, role 1>
}

// -----

// accepted:
#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @copy role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.perform replicate site 0 %x {
    protocol.send to 1 words 1 : f64
  } : !protocol.at<f64, role 0>
}
protocol.role @copy role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %y = protocol.perform replicate site 0 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
}
