// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// There is at least one owner ...

// expected-error@+1 {{[shard-owner-range] expected 1 to 16777216 owners, found 0}}
module attributes {o = #shard.owners<0, star>} {}

// -----

// accepted:
module attributes {o = #shard.owners<1, star>} {}

// -----

// ... and there are at most 2^24.

// expected-error@+1 {{[shard-owner-range] expected 1 to 16777216 owners, found 16777217}}
module attributes {o = #shard.owners<16777217, star>} {}

// -----

// accepted:
module attributes {o = #shard.owners<16777216, star>} {}

// -----

// A pair is two.

// expected-error@+1 {{[shard-owner-range] expected 2 owners in a pair, found 3}}
module attributes {o = #shard.owners<3, pair>} {}

// -----

// accepted:
module attributes {o = #shard.owners<2, pair>} {}

// -----

// Each owner has one number of samples.

// expected-error@+1 {{[shard-owner-range] expected 4 numbers of samples, one an owner, found 3}}
module attributes {o = #shard.owners<4, star, samples = [1, 2, 3]>} {}

// -----

// expected-error@+1 {{[shard-owner-range] expected 4 numbers of samples, one an owner, found 5}}
module attributes {o = #shard.owners<4, star, samples = [1, 2, 3, 0, 0]>} {}

// -----

// accepted:
module attributes {o = #shard.owners<4, star, samples = [1, 2, 3, 0]>} {}
