// RUN: alpha-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// A payload is words, a selector or a value of the shard dialect.

// expected-error@+1 {{[protocol-payload-type] expected words, a selector (i64) or a value of the shard dialect as payload, found i32}}
%x = "test.op"() : () -> !protocol.at<i32, role 0>

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<f32, role 0>

// -----

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  // expected-error@+1 {{[protocol-payload-type] expected words, a selector (i64) or a value of the shard dialect as payload, found i1}}
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.cmpf olt, %a, %a : f64
    protocol.yield %b
  }
}

// -----

// accepted:
#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 0 {
    %a = arith.constant 1.5 : f64
    %b = arith.cmpf olt, %a, %a : f64
    %w = arith.extui %b : i1 to i64
    protocol.yield %w
  }
}

// -----

// What is gathered is pieces, which have owners.

%x = "test.op"() : () -> !protocol.at<tensor<4xf64>, stride(0, 1, 4)>
// expected-error@+1 {{[protocol-payload-type] expected words that each have one owner, found tensor<4xf64>}}
%y = protocol.gather %x along star

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<!shard.owned<tensor<4xf64>, cyclic, +0>, stride(0, 1, 4)>
%y = protocol.gather %x along star

// -----

// What goes from one role to another is the same with all that have it.

%x = "test.op"() : () -> !protocol.at<!shard.owned<tensor<4xf64>, cyclic, +0>, stride(0, 1, 4)>
// expected-error@+1 {{[protocol-payload-type] expected words that don't depend on the role, found !shard.owned<tensor<4xf64>, cyclic, +0>}}
%y = protocol.transfer %x from 0 to 1

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<!shard.replica<tensor<4xf64>, +0>, stride(0, 1, 4)>
%y = protocol.transfer %x from 0 to 1

// -----

// A map says whose work the samples of contributions are; words have none.

%x = "test.op"() : () -> !protocol.at<f64, stride(0, 1, 3)>
// expected-error@+1 {{[protocol-payload-type] expected a map of the samples, for contributions alone, found f64}}
%y = protocol.reduce sum %x by [1, 1, 1] contract #region.contract<groups = [1, 1, 1], combine = left> along star

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<f64, stride(0, 1, 3)>
%y = protocol.reduce sum %x contract #region.contract<groups = [1, 1, 1], combine = left> along star

// -----

// In generic form: a result is what the operation makes.

%x = "test.op"() : () -> !protocol.at<f64, role 0>
// expected-error@+1 {{[protocol-payload-type] expected !protocol.at<f64, role 1>, found !protocol.at<f64, role 2>}}
%y = "protocol.transfer"(%x) <{sender = #builtin.int<0>, receiver = #builtin.int<1>}> : (!protocol.at<f64, role 0>) -> !protocol.at<f64, role 2>

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<f64, role 0>
%y = "protocol.transfer"(%x) <{sender = #builtin.int<0>, receiver = #builtin.int<1>}> : (!protocol.at<f64, role 0>) -> !protocol.at<f64, role 1>

// -----

// Local work binds payloads.

%x = "test.op"() : () -> !protocol.at<f64, role 0>
// expected-error@+1 {{[protocol-payload-type] expected f64, found f32}}
"protocol.local"(%x) <{roles = #region.select<stride(0, 1, 1)>}> ({
^bb0(%a : f32):
  "protocol.yield"() : () -> ()
}) : (!protocol.at<f64, role 0>) -> ()

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<f64, role 0>
"protocol.local"(%x) <{roles = #region.select<stride(0, 1, 1)>}> ({
^bb0(%a : f64):
  "protocol.yield"() : () -> ()
}) : (!protocol.at<f64, role 0>) -> ()

// -----

// Words come out of a copy as they are.

#all = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>
protocol.global @train group #all {
  %x = protocol.local at role 0 {
    %a = "test.op"() : () -> !shard.replica<f64, +0>
    // expected-error@+1 {{[protocol-payload-type] expected f64, found f32}}
    %b = "protocol.words"(%a) : (!shard.replica<f64, +0>) -> f32
    protocol.yield %b
  }
}

// -----

// accepted:
%a = "test.op"() : () -> !shard.replica<f64, +0>
%b = "protocol.words"(%a) : (!shard.replica<f64, +0>) -> f64
