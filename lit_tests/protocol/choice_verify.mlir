// RUN: alpha-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// Who is told is told along routes.

%x = "test.op"() : () -> !protocol.at<i64, role 0>
// expected-error@+1 {{[source-structure] expected an authority and its routes, or neither, found one}}
"protocol.choice"(%x) <{authority = #builtin.int<0>}> ({
^bb0:
}, {
^bb0:
}) : (!protocol.at<i64, role 0>) -> ()

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<i64, role 0>
"protocol.choice"(%x) <{authority = #builtin.int<0>, routes = #protocol.routes<[]>}> ({
^bb0:
}, {
^bb0:
}) : (!protocol.at<i64, role 0>) -> ()

// -----

// A pair is two.

%x = "test.op"() : () -> !protocol.at<i64, role 0>
// expected-error@+1 {{[shard-owner-range] expected 2 owners in a pair, found 3}}
protocol.choice %x by 0 along pair over stride(0, 1, 3) {
} {
}

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<i64, role 0>
protocol.choice %x by 0 along pair over stride(0, 1, 2) {
} {
}

// -----

// expected-error@+1 {{[source-syntax] expected integer literal, found '-'}}
module attributes {r = #protocol.routes<[0 -> -1]>} {}

// -----

// Arms take nothing.

%x = "test.op"() : () -> !protocol.at<i64, role 0>
// expected-error@+1 {{[source-structure] expected an arm without arguments, found some}}
"protocol.choice"(%x) ({
^bb0(%y : !protocol.at<f64, role 0>):
}, {
^bb0:
}) : (!protocol.at<i64, role 0>) -> ()

// -----

// They give as many values, of the same payloads.

%x = "test.op"() : () -> !protocol.at<i64, role 0>
// expected-error@+1 {{[source-structure] expected 1 values from arm 1, found 0}}
%r = protocol.choice %x {
  protocol.yield %x
} {
}

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<i64, role 0>
%r = protocol.choice %x {
  protocol.yield %x
} {
  protocol.yield %x
}

// -----

%s, %x = "test.op"() : () -> (!protocol.at<i64, role 0>, !protocol.at<f64, role 0>)
// expected-error@+1 {{[protocol-payload-type] expected i64 from arm 1, found f64}}
%r = protocol.choice %s {
  protocol.yield %s
} {
  protocol.yield %x
}

// -----

// So does an iteration.

%x = "test.op"() : () -> !protocol.at<f64, role 0>
%r = protocol.repeat 3 (%y = %x) {
  // expected-error@+1 {{[source-structure] expected 1 values to carry on, found 0}}
  protocol.yield
}

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<f64, role 0>
%r = protocol.repeat 3 (%y = %x) {
  protocol.yield %y
}

// -----

%x = "test.op"() : () -> !protocol.at<f64, role 0>
// expected-error@+1 {{[protocol-payload-type] expected arguments and results of the types of the initial values, found others}}
"protocol.repeat"(%x) <{bound = #builtin.int<3>}> ({
^bb0:
}) : (!protocol.at<f64, role 0>) -> ()

// -----

// A scope takes nothing.

// expected-error@+1 {{[source-structure] expected a scope without arguments, found some}}
"protocol.scope"() <{roles = #region.select<stride(0, 1, 1)>}> ({
^bb0(%y : !protocol.at<f64, role 0>):
}) : () -> ()

// -----

// accepted:
"protocol.scope"() <{roles = #region.select<stride(0, 1, 1)>}> ({
^bb0:
}) : () -> ()
