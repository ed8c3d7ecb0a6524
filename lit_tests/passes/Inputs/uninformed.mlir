// Role 1 receives in one arm of a choice of which it doesn't hear.

protocol.global @untold group #protocol.group<universe = 2, epoch = 0, id = "", stride(0, 1, 2)> {
  %x, %s = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.constant 1 : i64
    protocol.yield %a, %b
  }
  protocol.choice %s by 0 along [] {
    %y = protocol.transfer %x from 0 to 1
  } {
  }
}
