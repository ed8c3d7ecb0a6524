!pair = tuple<i32, f64>
#name = "alias"
"builtin.module"() <{sym_name = "m"}> ({
  "func.func"() <{function_type = (i32, i32) -> i32, sym_name = "f"}> ({
  ^entry(%a: i32, %b: i32 loc("in":3:4)):
    %0 = "arith.addi"(%a, %b) <{overflowFlags = #arith.overflow<none>}> {note = #name} : (i32, i32) -> i32 loc("out.mlir":5:6)
    %a_1 = "arith.constant"() <{value = 7 : i32}> : () -> i32 loc(fused["x", unknown])
    %odd.$-name = "arith.muli"(%0, %a_1) <{overflowFlags = #arith.overflow<nsw, nuw>}> : (i32, i32) -> i32 loc(callsite("f" at "g"("h")))
    "func.return"(%odd.$-name) {t = !pair} : (i32) -> ()
  }) {visibility} : () -> ()
}) : () -> ()
