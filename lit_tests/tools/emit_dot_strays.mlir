// A step that stands outside of the protocol isn't part of the picture.
// RUN: not alpha-translate --emit-dot %s 2>&1 | filecheck %s
// CHECK: error: [source-structure] expected 'protocol.publish' in a protocol.global or protocol.role
// RUN: sed '/outside/d' %s | alpha-translate --emit-dot - | filecheck %s --check-prefix=DRAWN
// DRAWN: digraph

protocol.publish at role 0 // outside
protocol.global @one group #protocol.group<universe = 2, epoch = 0, id = "67", stride(0, 1, 2)> {
  %x = protocol.local at role 0 {
    %a = arith.constant 2.5 : f64
    protocol.yield %a
  }
  %y = protocol.transfer %x from 0 to 1
}
