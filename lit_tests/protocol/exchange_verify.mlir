// RUN: alpha-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// Directly, at most 64 roles exchange: each sends to every other.

%x = "test.op"() : () -> !protocol.at<!shard.owned<f64, cyclic, +0>, stride(0, 1, 65)>
// expected-error@+1 {{[target-unsupported] expected at most 64 roles that exchange directly, found 65}}
%y = protocol.gather %x direct

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<!shard.owned<f64, cyclic, +0>, stride(0, 1, 64)>
%y = protocol.gather %x direct

// -----

%x = "test.op"() : () -> !protocol.at<!shard.owned<f64, cyclic, +0>, stride(0, 1, 65)>
// expected-error@+1 {{[target-unsupported] expected at most 64 roles that exchange directly, found 65}}
%y = protocol.exchange %x to block direct

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<!shard.owned<f64, cyclic, +0>, stride(0, 1, 64)>
%y = protocol.exchange %x to block direct

// -----

// A pair is two.

%x = "test.op"() : () -> !protocol.at<f64, stride(0, 1, 3)>
// expected-error@+1 {{[shard-owner-range] expected 2 owners in a pair, found 3}}
protocol.agree %x along pair

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<f64, stride(0, 1, 2)>
protocol.agree %x along pair

// -----

%x = "test.op"() : () -> !protocol.at<f64, stride(0, 1, 3)>
// expected-error@+1 {{[region-tree-fan-out] expected a fan-out from 1 to 16777216 in tree<F>, found 0}}
protocol.agree %x along tree<0>

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<f64, stride(0, 1, 3)>
protocol.agree %x along tree<1>

// -----

// Something is compared.

// expected-error@+1 {{[source-structure] expected at least one value to agree on in 'protocol.agree', found none}}
"protocol.agree"() <{way = "star"}> : () -> ()

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<f64, role 0>
"protocol.agree"(%x) <{way = "star"}> : (!protocol.at<f64, role 0>) -> ()

// -----

// What is compared doesn't depend on the role.

%x = "test.op"() : () -> !protocol.at<!shard.owned<tensor<4xf64>, cyclic, +0>, stride(0, 1, 4)>
// expected-error@+1 {{[protocol-payload-type] expected words that don't depend on the role, found !shard.owned<tensor<4xf64>, cyclic, +0>}}
protocol.agree %x along star

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<!shard.replica<tensor<4xf64>, +0>, stride(0, 1, 4)>
protocol.agree %x along star

// -----

// A sum goes along a topology, or directly to owners.

%x = "test.op"() : () -> !protocol.at<f64, stride(0, 1, 2)>
// expected-error@+1 {{[source-structure] expected 'direct to owners MAP', or 'along TOPOLOGY', found another combination}}
%y = "protocol.reduce"(%x) <{contract = #region.contract<groups = [1, 1], combine = left>, way = "direct"}> : (!protocol.at<f64, stride(0, 1, 2)>) -> !protocol.at<f64, role 0>

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<f64, stride(0, 1, 2)>
%y = "protocol.reduce"(%x) <{contract = #region.contract<groups = [1, 1], combine = left>, way = "star"}> : (!protocol.at<f64, stride(0, 1, 2)>) -> !protocol.at<f64, role 0>

// -----

%x = "test.op"() : () -> !protocol.at<f64, stride(0, 1, 2)>
// expected-error@+1 {{[source-syntax] expected a #region.contract<...>, found '3'}}
%y = protocol.reduce sum %x contract 3 along star

// -----

// Copies are compared along a topology.

%x = "test.op"() : () -> !protocol.at<f64, stride(0, 1, 2)>
// expected-error@+1 {{[source-structure] expected a topology along which the digests go, found direct}}
%y, %v = protocol.reduce sum %x contract #region.contract<groups = [1, 1], combine = left> direct to owners cyclic agreeing %x

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<f64, stride(0, 1, 2)>
%y, %v = protocol.reduce sum %x contract #region.contract<groups = [1, 1], combine = left> along star agreeing %x

// -----

// What goes along with copies is a verdict.

%x = "test.op"() : () -> !protocol.at<f64, role 0>
// expected-error@+1 {{[protocol-payload-type] expected a verdict, an i64, found f64}}
%y = protocol.replicate %x along star over stride(0, 1, 2) with %x

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<f64, stride(0, 1, 2)>
%y, %v = protocol.reduce sum %x contract #region.contract<groups = [1, 1], combine = left> along star agreeing %x
%z = protocol.replicate %y along star over stride(0, 1, 2) with %v

// -----

// The words that are cut up are whole.

%x = "test.op"() : () -> !protocol.at<!shard.owned<tensor<4xf64>, cyclic, +0>, stride(0, 1, 4)>
// expected-error@+1 {{[protocol-payload-type] expected a copy or a total of all words, found !shard.owned<tensor<4xf64>, cyclic, +0>}}
%y = protocol.scatter %x by block along star over stride(0, 1, 4)

// -----

// accepted:
%x = "test.op"() : () -> !protocol.at<!shard.replica<tensor<4xf64>, +0>, stride(0, 1, 4)>
%y = protocol.scatter %x by block along star over stride(0, 1, 4)
