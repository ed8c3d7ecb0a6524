// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// An operation makes of its operand what it says: the map and the version stay what they are.

%w = shard.read @w : !shard.replica<tensor<4xf64>, +0>
// expected-error@+1 {{[pointwise-type] expected !shard.owned<tensor<4xf64>, cyclic, +0>, found !shard.owned<tensor<4xf64>, block, +0>}}
%o = shard.partition %w by cyclic : !shard.owned<tensor<4xf64>, block, +0>

// -----

%w = shard.read @w : !shard.replica<tensor<4xf64>, +0>
// expected-error@+1 {{[pointwise-type] expected !shard.owned<tensor<4xf64>, cyclic, +0>, found !shard.owned<tensor<4xf64>, cyclic, +1>}}
%o = shard.partition %w by cyclic : !shard.owned<tensor<4xf64>, cyclic, +1>

// -----

%w = shard.read @w : !shard.replica<tensor<4xf64>, +0>
// expected-error@+1 {{[pointwise-type] expected !shard.owned<tensor<4xf64>, cyclic, +0>, found !shard.owned<tensor<3xf64>, cyclic, +0>}}
%o = shard.partition %w by cyclic : !shard.owned<tensor<3xf64>, cyclic, +0>

// -----

// accepted:
%w = shard.read @w : !shard.replica<tensor<4xf64>, +0>
%o = shard.partition %w by cyclic : !shard.owned<tensor<4xf64>, cyclic, +0>

// -----

%o = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
// expected-error@+1 {{[source-structure] expected shard.replica, found !shard.owned<tensor<4xf64>, cyclic, +0> (operand 'replica' at position 0)}}
%p = shard.partition %o by cyclic : !shard.owned<tensor<4xf64>, cyclic, +0>

// -----

%o = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
// expected-error@+1 {{[pointwise-type] expected !shard.replica<tensor<4xf64>, +0>, found !shard.replica<tensor<4xf64>, +1>}}
%w = shard.replicate %o : !shard.replica<tensor<4xf64>, +1>

// -----

%o = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
// expected-error@+1 {{[pointwise-type] expected !shard.owned<tensor<4xf64>, block, +0>, found !shard.owned<tensor<4xf64>, cyclic, +0>}}
%w = shard.transfer %o to block : !shard.owned<tensor<4xf64>, cyclic, +0>

// -----

// accepted:
%o = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
%w = shard.replicate %o : !shard.replica<tensor<4xf64>, +0>
%b = shard.transfer %o to block : !shard.owned<tensor<4xf64>, block, +0>

// -----

%o = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
// expected-error@+1 {{[source-structure] expected shard.replica, found !shard.owned<tensor<4xf64>, cyclic, +0> (operand 'replica' at position 0)}}
shard.release %o

// -----

%o = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
// expected-error@+1 {{[source-structure] expected shard.replica, found !shard.owned<tensor<4xf64>, cyclic, +0> (operand 'values' at position 0)}}
shard.agree %o

// -----

// Sums are combined by a contract, owned words by selection; each makes a type of its own.

%o = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
// expected-error@+1 {{[pointwise-type] expected a contribution, which is a sum with its count, to combine by sum, found !shard.owned<tensor<4xf64>, cyclic, +0> all}}
%t = shard.combine sum %o contract #region.contract<groups = [1, 2], combine = left> deliver all : !shard.total<tensor<4xf64>, @data, all, +0>

// -----

%c = shard.contribute @f() over @data by [1, 2] : !shard.contribution<f64, @data, +0>
// expected-error@+1 {{[pointwise-type] expected owned words to combine by select, and delivered to all, found !shard.contribution<f64, @data, +0> all}}
%t = shard.combine select %c deliver all : !shard.replica<f64, +0>

// -----

%o = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
// expected-error@+1 {{[pointwise-type] expected owned words to combine by select, and delivered to all, found !shard.owned<tensor<4xf64>, cyclic, +0> role 0}}
%t = shard.combine select %o deliver role 0 : !shard.replica<tensor<4xf64>, +0>

// -----

%c = shard.contribute @f() over @data by [1, 2] : !shard.contribution<f64, @data, +0>
// expected-error@+1 {{[pointwise-type] expected !shard.total<f64, @data, all, +0>, found !shard.total<f64, @data, role 0, +0>}}
%t = shard.combine sum %c contract #region.contract<groups = [1, 2], combine = left> deliver all : !shard.total<f64, @data, role 0, +0>

// -----

%c = shard.contribute @f() over @data by [1, 2] : !shard.contribution<f64, @data, +0>
// expected-error@+1 {{[pointwise-type] expected a contract in a combine by sum, and in no other, found none}}
%t = "shard.combine"(%c) <{kind = "sum", deliver = #shard.where<all>}> : (!shard.contribution<f64, @data, +0>) -> !shard.total<f64, @data, all, +0>

// -----

%o = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
// expected-error@+1 {{[pointwise-type] expected a contract in a combine by sum, and in no other, found one}}
%t = "shard.combine"(%o) <{kind = "select", contract = #region.contract<groups = [1, 2], combine = left>, deliver = #shard.where<all>}> : (!shard.owned<tensor<4xf64>, cyclic, +0>) -> !shard.replica<tensor<4xf64>, +0>

// -----

%o = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
// expected-error@+1 {{[pointwise-type] expected an order of groups in a combine by sum alone, found one in select}}
%t = "shard.combine"(%o) <{kind = "select", order = [#builtin.int<0>], deliver = #shard.where<all>}> : (!shard.owned<tensor<4xf64>, cyclic, +0>) -> !shard.replica<tensor<4xf64>, +0>

// -----

%o = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
// expected-error@+1 {{[pointwise-type] expected a combine by sum or select, found max}}
%t = "shard.combine"(%o) <{kind = "max", deliver = #shard.where<all>}> : (!shard.owned<tensor<4xf64>, cyclic, +0>) -> !shard.replica<tensor<4xf64>, +0>

// -----

// accepted:
%c = shard.contribute @f() over @data by [1, 2] : !shard.contribution<f64, @data, +0>
%t = shard.combine sum %c contract #region.contract<groups = [1, 2], combine = left> deliver all : !shard.total<f64, @data, all, +0>
%o = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
%w = shard.combine select %o deliver all : !shard.replica<tensor<4xf64>, +0>

// -----

// A mean is where the total is; one that role 0 has alone is observed and never fed back.

%c = shard.contribute @f() over @data by [1, 2] : !shard.contribution<f64, @data, +0>
%t = shard.combine sum %c contract #region.contract<groups = [1, 2], combine = left> deliver role 0 : !shard.total<f64, @data, role 0, +0>
// expected-error@+1 {{[pointwise-type] expected a total with all owners, or with the owners of its coordinates, found !shard.total<f64, @data, role 0, +0>}}
%g = shard.mean %t : !shard.replica<f64, +0>

// -----

%c = shard.contribute @f() over @data by [1, 2] : !shard.contribution<f64, @data, +0>
%t = shard.combine sum %c contract #region.contract<groups = [1, 2], combine = left> deliver owners cyclic : !shard.total<f64, @data, owners cyclic, +0>
// expected-error@+1 {{[pointwise-type] expected !shard.owned<f64, cyclic, +0>, found !shard.replica<f64, +0>}}
%g = shard.mean %t : !shard.replica<f64, +0>

// -----

%o = shard.read @w : !shard.owned<tensor<4xf64>, cyclic, +0>
// expected-error@+1 {{[pointwise-type] expected a total with all owners, or with the owners of its coordinates, found !shard.owned<tensor<4xf64>, cyclic, +0>}}
%g = shard.mean %o : !shard.owned<tensor<4xf64>, cyclic, +0>

// -----

// accepted:
%c = shard.contribute @f() over @data by [1, 2] : !shard.contribution<f64, @data, +0>
%t = shard.combine sum %c contract #region.contract<groups = [1, 2], combine = left> deliver owners cyclic : !shard.total<f64, @data, owners cyclic, +0>
%g = shard.mean %t : !shard.owned<f64, cyclic, +0>

// -----

// Words lie with every owner, or by a map.

// expected-error@+1 {{[pointwise-type] expected a place with every owner, or by a map, found role 1}}
"shard.place"() <{symbol = @w, where = #shard.where<role 1>}> : () -> ()

// -----

// Operations list at least one name or value.

// expected-error@+1 {{[source-structure] expected at least one name to read in 'shard.read', found none}}
"shard.read"() <{symbols = []}> : () -> ()

// -----

// expected-error@+1 {{[source-structure] expected at least one state that advances in 'shard.advance', found none}}
"shard.advance"() <{symbols = []}> : () -> ()

// -----

// expected-error@+1 {{[source-structure] expected at least one value to agree on in 'shard.agree', found none}}
"shard.agree"() : () -> ()

// -----

// The syntax of maps ...

// expected-error@+1 {{[source-syntax] expected cyclic, block, block_cyclic<B>, rows<W, ...> or a list in brackets, found 'ring'}}
module attributes {m = #shard.map<ring>} {}

// -----

// expected-error@+1 {{[shard-owner-range] expected a piece for at least 1 owner, found none}}
module attributes {m = #shard.map<[]>} {}

// -----

// expected-error@+2 {{[source-syntax] expected stride, repeat, join, empty or family(COUNT, STEP, ...), found '1'}}
// expected-note@+1 {{in item 0 of the map, '1'}}
module attributes {m = #shard.map<[1, -2]>} {}

// -----

// expected-error@+2 {{[source-syntax] expected stride, repeat, join, empty or family(COUNT, STEP, ...), found '1'}}
// expected-note@+1 {{in item 0 of the map, '1'}}
module attributes {m = #shard.map<[1, stride(0, 1, 2)]>} {}

// -----

// expected-error@+1 {{[source-syntax] expected cyclic, block, block_cyclic<B>, rows<W, ...> or a list in brackets, found 'rows < 3 >'}}
module attributes {m = #shard.map<rows<3>>} {}

// -----

// expected-error@+1 {{[select-overflow] expected the width W of rows<W, MAP> from 1 to 2^63 - 1, found 0}}
module attributes {m = #shard.map<rows<0, block>>} {}

// -----

// expected-error@+1 {{[select-overflow] expected the block of block_cyclic<B> from 1 to 2^63 - 1, found 0}}
module attributes {m = #shard.map<block_cyclic<0>>} {}

// -----

// expected-error@+1 {{[source-syntax] expected cyclic, block, block_cyclic<B>, rows<W, ...> or a list in brackets, found 'block_cyclic'}}
module attributes {m = #shard.map<block_cyclic>} {}

// -----

// expected-error@+2 {{[source-syntax] expected ',' at column 17, found )}}
// expected-note@+1 {{in item 1 of the map, 'stride ( 0 , 1 )'}}
module attributes {m = #shard.map<[empty, stride(0, 1)]>} {}

// -----

// expected-error@+2 {{[select-overflow] expected the count of a family from 1 to 2^63 - 1, found 0}}
// expected-note@+1 {{in item 0 of the map, 'family ( 0 , 1 , empty )'}}
module attributes {m = #shard.map<[family(0, 1, empty)]>} {}

// -----

// expected-error@+1 {{[source-syntax] expected cyclic, block, block_cyclic<B>, rows<W, ...> or a list in brackets, found '[ stride ( 0 , 1 , 2'}}
module attributes {m = #shard.map<[stride(0, 1, 2)>} {}

// -----

// expected-error@+1 {{[source-syntax] expected '>', found ','}}
module attributes {m = #shard.map<cyclic, block>} {}

// -----

// expected-error@+1 {{[source-syntax] expected cyclic, block, block_cyclic<B>, rows<W, ...> or a list in brackets, found '>'}}
module attributes {m = #shard.map<>} {}

// -----

// ... of places, and of versions, which have a sign.

// expected-error@+1 {{[source-syntax] expected one of 'all', 'owners', 'role', found 'everywhere'}}
module attributes {w = #shard.where<everywhere>} {}

// -----

// expected-error@+1 {{[source-syntax] expected integer literal, found '-'}}
module attributes {w = #shard.where<role -1>} {}

// -----

// expected-error@+1 {{[source-syntax] expected cyclic, block, block_cyclic<B>, rows<W, ...> or a list in brackets, found '>'}}
module attributes {w = #shard.where<owners>} {}

// -----

// expected-error@+1 {{[source-syntax] expected ',', found '>'}}
module attributes {t = !shard.replica<f64>} {}

// -----

// expected-error@+1 {{[source-syntax] expected '+', found '0'}}
module attributes {t = !shard.replica<f64, 0>} {}

// -----

// expected-error@+1 {{[source-syntax] expected cyclic, block, block_cyclic<B>, rows<W, ...> or a list in brackets, found '+'}}
module attributes {t = !shard.owned<f64, +0>} {}

// -----

// expected-error@+1 {{[source-syntax] expected one of 'all', 'owners', 'role', found '+'}}
module attributes {t = !shard.total<f64, @data, +0>} {}

// -----

// expected-error@+1 {{[source-syntax] expected one of 'by', 'replicated', found 'cyclic'}}
shard.place @w cyclic

// -----

// expected-error@+1 {{[source-syntax] expected #shard.owners<...>, found '#shard.map<block>'}}
shard.learner @keep owners #shard.map<block> {
}

// -----

%c = shard.contribute @f() over @data by [1, 2] : !shard.contribution<f64, @data, +0>
// expected-error@+1 {{[source-syntax] expected #region.contract<...>, found '#shard.map<block>'}}
%t = shard.combine sum %c contract #shard.map<block> deliver all : !shard.total<f64, @data, all, +0>

// -----

%c = shard.contribute @f() over @data by [1, 2] : !shard.contribution<f64, @data, +0>
// expected-error@+1 {{[source-syntax] expected one of 'select', 'sum', found 'max'}}
%t = shard.combine max %c deliver all : !shard.total<f64, @data, all, +0>
