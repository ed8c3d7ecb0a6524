// RUN: alpha-opt %s --split-input-file --verify-diagnostics --check-schedules

// Two roles that exchange frames in a loop have it with the same bound.

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.repeat 3 site 0 {
    protocol.perform transfer site 1 %x {
      // expected-note@+1 {{role 0 is to send to 1, site 1 words 1 : f64}}
      protocol.send to 1 words 1 : f64
    }
  }
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.repeat 2 site 0 {
    %b = protocol.perform transfer site 1 {
      // expected-error@+2 {{[protocol-role-unfinished] expected role 1 in the loop of site 0 with 3 rounds, as role 0, at site 1 words 1 : f64, found the loop of site 0 with 2 rounds}}
      // expected-note@+1 {{role 1 is to receive from 0, site 1 words 1 : f64}}
      protocol.receive from 0 words 1 : f64
    } : !protocol.at<f64, role 1>
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
  protocol.repeat 3 site 0 {
    protocol.perform transfer site 1 %x {
      protocol.send to 1 words 1 : f64
    }
  }
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  protocol.repeat 3 site 0 {
    %b = protocol.perform transfer site 1 {
      protocol.receive from 0 words 1 : f64
    } : !protocol.at<f64, role 1>
  }
}

// -----

// A frame of a loop isn't one behind it.

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [1] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
  protocol.repeat 1 site 0 {
    protocol.perform transfer site 1 %x {
      // expected-note@+1 {{role 0 is to send to 1, site 1 words 1 : f64}}
      protocol.send to 1 words 1 : f64
    }
  }
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %b = protocol.perform transfer site 1 {
    // expected-error@+2 {{[protocol-role-unfinished] expected role 1 in the loop of site 0 with 1 round, as role 0, at site 1 words 1 : f64, found no further loop or arm}}
    // expected-note@+1 {{role 1 is to receive from 0, site 1 words 1 : f64}}
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
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [0] {
  %b = protocol.perform transfer site 1 {
    protocol.receive from 0 words 1 : f64
  } : !protocol.at<f64, role 1>
}

// -----

// Every role of the group has a program.

#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
// expected-error@+1 {{[protocol-role-unfinished] expected a schedule of role 1, found none}}
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 2, epoch = 0, id = "6c73", stride(0, 1, 2)>
protocol.role @greet role 0 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    protocol.yield %a
  }
}
protocol.role @greet role 1 group #all protocol "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" edges [] {
}
