"func.func"() <{function_type = (i1) -> (), sym_name = "blocks"}> ({
^start(%c: i1):
  "func.return"() : () -> ()
^a:
  "func.return"() : () -> ()
^a_1(%x: i1, %y: f64):
  %z = "arith.addf"(%y, %y) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
  "func.return"() : () -> ()
^bb0:
  "func.return"() : () -> ()
^bb_7:
  "builtin.module"() ({
  ^bb0:
    "builtin.module"() ({
    ^bb0:
    }) : () -> ()
  }) {in} : () -> ()
  "func.return"() : () -> ()
}) : () -> ()
