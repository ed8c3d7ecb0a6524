// RUN: alpha-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// With one arm there is nothing to choose.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  // expected-error@+1 {{[protocol-choice-arm-count] expected 2 to 65536 arms, found 1}}
  protocol.choice %s {
    protocol.local at role 0 {
      protocol.yield
    }
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %s = protocol.local at role 0 {
    %a = arith.constant 1 : i64
    protocol.yield %a
  }
  protocol.choice %s {
    protocol.local at role 0 {
      protocol.yield
    }
  } {
  }
}

// -----

// In generic form there can be none.

%x = "test.op"() : () -> !protocol.at<i64, role 0>
// expected-error@+1 {{[protocol-choice-arm-count] expected 2 to 65536 arms, found 0}}
"protocol.choice"(%x) : (!protocol.at<i64, role 0>) -> ()

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<i64, role 0>
"protocol.choice"(%x) ({
^bb0:
}, {
^bb0:
}) : (!protocol.at<i64, role 0>) -> ()
