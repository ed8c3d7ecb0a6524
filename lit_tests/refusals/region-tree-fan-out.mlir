// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// A tree of groups has a fan-out.

// expected-error@+1 {{[region-tree-fan-out] expected a fan-out from 1 to 16777216 in tree<F>, found 0}}
module attributes {c = #region.contract<groups = [1, 2], combine = tree<0>>} {}

// -----

// accepted: a chain
module attributes {c = #region.contract<groups = [1, 2], combine = tree<1>>} {}

// -----

// expected-error@+1 {{[region-tree-fan-out] expected a fan-out from 1 to 16777216 in tree<F>, found 16777217}}
module attributes {c = #region.contract<groups = [1, 2], combine = tree<16777217>>} {}

// -----

// accepted:
module attributes {c = #region.contract<groups = [1, 2], combine = tree<16777216>>} {}

// -----

// So does a tree of owners.

// expected-error@+1 {{[region-tree-fan-out] expected a fan-out from 1 to 16777216 in tree<F>, found 0}}
module attributes {o = #shard.owners<4, tree<0>>} {}

// -----

// accepted:
module attributes {o = #shard.owners<4, tree<1>>} {}

// -----

// expected-error@+1 {{[region-tree-fan-out] expected a fan-out from 1 to 16777216 in tree<F>, found 99999999999999999999}}
module attributes {o = #shard.owners<4, tree<99999999999999999999>>} {}

// -----

// accepted:
module attributes {o = #shard.owners<4, tree<16777216>>} {}
