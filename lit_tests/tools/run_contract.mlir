// The contract is part of the meaning: other groups give other bits, and who declares them doesn't matter.

// Owners, or the same groups written at the sum.
// RUN: alpha run %examples/least_squares_sgd.mlir --interpret --rounds 50 | tail -n 1 > %t.owners
// RUN: alpha-opt %examples/least_squares_sgd.mlir --resolve-contract | alpha run - --interpret --rounds 50 | tail -n 1 | diff %t.owners -

// Without owners the samples are one group: other bits.
// RUN: sed 's/attributes {owners = .*} {/{/' %examples/least_squares_sgd.mlir > %t.flat
// RUN: alpha run %t.flat --interpret --rounds 50 | tail -n 1 > %t.one
// RUN: not diff %t.owners %t.one
// RUN: sed 's/over @data :/over @data contract #region.contract<groups = [6], combine = left> :/' %t.flat | alpha run - --interpret --rounds 50 | tail -n 1 | diff %t.one -

// Groups without samples change no bit, wherever they stand.
// RUN: sed 's/over @data :/over @data contract #region.contract<groups = [0, 1, 2, 0, 3, 0, 0], combine = left> :/' %t.flat | alpha run - --interpret --rounds 50 | tail -n 1 | diff %t.owners -

// A star and a pair combine from left to right; a chain adds from its end.
// RUN: sed 's/over @data :/over @data contract #region.contract<groups = [2, 2, 2], combine = left> :/' %t.flat | alpha run - --interpret --rounds 50 | tail -n 1 > %t.left
// RUN: sed 's/over @data :/over @data contract #region.contract<groups = [2, 2, 2], combine = tree<2>> :/' %t.flat | alpha run - --interpret --rounds 50 | tail -n 1 | diff %t.left -
// RUN: sed 's/over @data :/over @data contract #region.contract<groups = [2, 2, 2], combine = tree<1>> :/' %t.flat | alpha run - --interpret --rounds 50 | tail -n 1 > %t.chain
// RUN: not diff %t.left %t.chain
