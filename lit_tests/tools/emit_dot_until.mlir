// Who carries a value round a repeat has to hear when it ends; else its program isn't there to draw.
// RUN: not alpha-translate --emit-dot %s 2>&1 | filecheck %s
// RUN: not alpha-translate --emit-dot --role=1 %s 2>&1 | filecheck %s
// CHECK: error: [protocol-choice-uninformed] expected role 2 to know whether the repeat goes on
// CHECK-NOT: internal error
// RUN: sed 's/0 -> 1\]/0 -> 1, 0 -> 2]/' %s | alpha-translate --emit-dot - | filecheck %s --check-prefix=DRAWN
// RUN: sed 's/0 -> 1\]/0 -> 1, 0 -> 2]/' %s | alpha-translate --emit-dot --role=2 - | filecheck %s --check-prefix=DRAWN
// DRAWN: digraph

protocol.global @carried group #protocol.group<universe = 3, epoch = 0, id = "67", stride(0, 1, 3)> {
  %s, %x = protocol.local at role 0 {
    %a = arith.constant 0 : i64
    %b = arith.constant 2.5 : f64
    protocol.yield %a, %b
  }
  %p, %q = protocol.local at stride(0, 1, 3) {
    %a = arith.constant 1 : i64
    %b = arith.constant 0 : i64
    protocol.yield %a, %b
  }
  %m, %n = protocol.repeat 4 (%c = %p, %d = %q) {
    %e = protocol.transfer %x from 0 to 1
    protocol.until %s by 0 along [0 -> 1] yields %d, %c
  }
  protocol.choice %m {
    %u = protocol.transfer %x from 0 to 2
  } {
    %u = protocol.transfer %m from 2 to 0
  }
}
