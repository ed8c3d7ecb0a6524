// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// What stands in the place of a map is a map.

#three = 3 : i64
// expected-error@+1 {{[source-syntax] expected a #shard.map<...>, found '#three'}}
module attributes {a = #shard.map<#three>} {}

// -----

// expected-error@+1 {{[source-syntax] expected an alias that is defined before, found '#units'}}
module attributes {a = #shard.map<rows<2, #units>>} {}

// -----

// An alias is a whole map, and no item of one.

#units = #shard.map<[1, 2]>
// expected-error@+2 {{[source-syntax] expected stride, repeat, join, empty or family(COUNT, STEP, ...), found '[1'}}
// expected-note@+1 {{in item 0 of the map, '[1'}}
module attributes {a = #shard.map<[#units, empty]>} {}

// -----

// Nothing follows it.

#units = #shard.map<block>
// expected-error@+1 {{[source-syntax] expected '>', found 'block'}}
module attributes {a = #shard.map<#units block>} {}
