// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-schedules="in-flight-frames-max=2"

// Role 0 may be 200,000 rounds ahead of role 1, since it never hears of it.

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  // expected-note@+1 {{the loop of site 0 with 200000 rounds counts with all rounds, since not all of its roles hear of each other}}
  protocol.repeat 200000 site 0 {
    protocol.perform transfer site 1 %x {
      // expected-error@+1 {{[protocol-buffer-unbounded] expected at most 2 frames in flight from role 0 to role 1, found up to 200000 if sends don't wait}}
      protocol.send to 1 words 1 : f64
    }
  }
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.repeat 200000 site 0 {
    %b = protocol.perform transfer site 1 {
      protocol.receive from 0 words 1 : f64
    } : !protocol.at<f64, role 1>
  }
}

// -----

// accepted: an answer in each round bounds what is on its way.
#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.repeat 200000 site 0 {
    protocol.perform transfer site 1 %x {
      protocol.send to 1 words 1 : f64
    }
    %c = protocol.perform transfer site 2 {
      protocol.receive from 1 words 1 : f64
    } : !protocol.at<f64, role 0>
  }
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.repeat 200000 site 0 {
    %b = protocol.perform transfer site 1 {
      protocol.receive from 0 words 1 : f64
    } : !protocol.at<f64, role 1>
    protocol.perform transfer site 2 %x {
      protocol.send to 0 words 1 : f64
    }
  }
}

// -----

// Without a loop it is what is sent before an answer comes.

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.perform transfer site 0 %x {
    // expected-error@+1 {{[protocol-buffer-unbounded] expected at most 2 frames in flight from role 0 to role 1, found up to 3 if sends don't wait}}
    protocol.send to 1 words 1 : f64
  }
  protocol.perform transfer site 1 %x {
    protocol.send to 1 words 1 : f64
  }
  protocol.perform transfer site 2 %x {
    protocol.send to 1 words 1 : f64
  }
  %d = protocol.perform transfer site 3 {
    protocol.receive from 1 words 1 : f64
  } : !protocol.at<f64, role 0>
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %a = protocol.perform transfer site 0 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
  %b = protocol.perform transfer site 1 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
  %c = protocol.perform transfer site 2 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
  protocol.perform transfer site 3 %x {
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
  protocol.perform transfer site 0 %x {
    protocol.send to 1 words 1 : f64
  }
  protocol.perform transfer site 1 %x {
    protocol.send to 1 words 1 : f64
  }
  %d = protocol.perform transfer site 3 {
    protocol.receive from 1 words 1 : f64
  } : !protocol.at<f64, role 0>
  protocol.perform transfer site 2 %x {
    protocol.send to 1 words 1 : f64
  }
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %x = protocol.local at role 1 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  %a = protocol.perform transfer site 0 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
  %b = protocol.perform transfer site 1 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
  protocol.perform transfer site 3 %x {
    protocol.send to 0 words 1 : f64
  }
  %c = protocol.perform transfer site 2 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
}
