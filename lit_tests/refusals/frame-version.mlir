// A frame that came before comes again: its number is another than the next.
// RUN: not alpha run %s --interpret=protocol --fault replay:0-1:1:0 2>&1 | filecheck %s
// CHECK: alpha: role 1: refused frame-version: expected sequence 1 in the frame from role 0 to role 1 at site 1 part 0, found 0
// CHECK: alpha: error: [frame-version]

// accepted: without the fault
// RUN: alpha run %s --interpret=protocol | filecheck %s --check-prefix=TWIN
// TWIN: 2 roles finished

protocol.global @pair group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> {
  %x = protocol.local at role 0 {
    %word = arith.constant 1.5 : f64
    protocol.yield %word
  }
  protocol.repeat 3 {
    %y = protocol.transfer %x from 0 to 1
    protocol.local at role 1 (%z = %y) {
      protocol.yield
    }
  }
}
