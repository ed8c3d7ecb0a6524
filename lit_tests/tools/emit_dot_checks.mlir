// What can't be projected can't be drawn.
// RUN: not alpha-translate --emit-dot %s 2>&1 | filecheck %s
// CHECK: error: [protocol-choice-uninformed] expected role 2 to know which arm is taken
// RUN: sed 's/0 -> 1\]/0 -> 1, 0 -> 2]/' %s | alpha-translate --emit-dot - | filecheck %s --check-prefix=DRAWN
// DRAWN: digraph

protocol.global @told group #protocol.group<universe = 3, epoch = 0, id = "74", stride(0, 1, 3)> {
  %s, %x = protocol.local at role 0 {
    %a = arith.constant 0 : i64
    %b = arith.constant 1.5 : f64
    protocol.yield %a, %b
  }
  protocol.choice %s by 0 along [0 -> 1] {
    %y = protocol.transfer %x from 0 to 1
    %z = protocol.transfer %x from 0 to 2
  } {
  }
}
