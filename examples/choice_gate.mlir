// Three roles and a choice: role 0 decides, role 1 hears of it and tells role 2. Each arm goes the
// same way with another word, so a role that took the wrong arm is refused at its first frame.
protocol.global @choice_gate group #protocol.group<universe = 3, epoch = 0, id = "67617465", stride(0, 1, 3)> {
  %arm, %x, %y = protocol.local at role 0 {
    %x = arith.constant 1.5 : f64
    %y = arith.constant 2.5 : f64
    %less = arith.cmpf olt, %x, %y : f64
    %arm = arith.extui %less : i1 to i64
    protocol.yield %arm, %x, %y
  }
  %z = protocol.choice %arm by 0 along [0 -> 1, 1 -> 2] {
    %a = protocol.transfer %y from 0 to 1
    %b = protocol.transfer %a from 1 to 2
    protocol.yield %b
  } {
    %a = protocol.transfer %x from 0 to 1
    %b = protocol.transfer %a from 1 to 2
    protocol.yield %b
  }
  // What role 2 got may decide again: who acts in the repeat hears whether it goes on.
  protocol.repeat 10 {
    %stop = protocol.local at role 2 (%z = %z) {
      %limit = arith.constant 2.0 : f64
      %small = arith.cmpf olt, %z, %limit : f64
      %stop = arith.extui %small : i1 to i64
      protocol.yield %stop
    }
    %c = protocol.transfer %z from 2 to 0
    protocol.until %stop by 2 along [2 -> 0]
  }
}
