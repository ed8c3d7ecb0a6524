"func.func"() <{function_type = (i1) -> (), sym_name = "f"}> ({
^bb0(%c: i1):
  %v = "test.value"() {t = !test.type<4 x "s" [1, {a = ">"}]>} : () -> !test.other
  "test.branch"(%c)[^bb1, ^bb2] : (i1) -> ()
^bb1:
  "test.use"(%v) : (!test.other) -> ()
  "func.return"() : () -> ()
^bb2:
  "test.use"(%v, %c) {a = #test.attr<x // ">" >
  } : (!test.other, i1) -> ()
  "func.return"() : () -> ()
}) : () -> ()
