// Terms alone: one round for every input, without a look at the data.
// RUN: alpha verify %examples/least_squares_momentum.mlir --carrier terms | filecheck %s --check-prefix=TERMS
// TERMS: {{^}}one round, for every input{{$}}
// TERMS-NEXT: level field words equal to the learner{{$}}
// TERMS-NEXT: replicated u 4 proved{{$}}
// TERMS-NEXT: replicated w 4 proved{{$}}
// TERMS-NEXT: replicated observed "loss" 1 proved{{$}}
// TERMS-NEXT: partitioned u 4 proved{{$}}
// TERMS-NEXT: partitioned w 4 proved{{$}}
// TERMS-NEXT: partitioned observed "loss" 1 proved{{$}}

// Bits alone: what is equal in these rounds on this data isn't said to be equal in others.
// RUN: alpha verify %examples/least_squares_momentum.mlir --carrier bits --rounds 7 | filecheck %s --check-prefix=BITS
// BITS: {{^}}7 rounds, by their bits{{$}}
// BITS-NEXT: level field words equal to the learner sha256 of the words
// BITS-NEXT: replicated u 4 equal {{[0-9a-f]+}}
// BITS-NEXT: replicated w 4 equal {{[0-9a-f]+}}
// BITS-NOT: proved

// A proof that would be too large is given up, and says so; bits are compared all the same.
// RUN: not alpha verify %examples/least_squares_momentum.mlir --carrier terms --terms-nodes-max 50 | filecheck %s --check-prefix=LARGE
// LARGE: {{^}}one round, for every input{{$}}
// LARGE-NEXT: level field words equal to the learner
// LARGE-NEXT: all all not proved: too large
// LARGE-NOT: proved
// RUN: alpha verify %examples/least_squares_momentum.mlir --terms-nodes-max 50 | filecheck %s --check-prefix=BOTH
// BOTH: replicated u 4 equal, not proved: too large {{[0-9a-f]+}}
// BOTH: partitioned observed "loss" 1 equal, not proved: too large {{[0-9a-f]+}}

// One term is too many as well, and nothing that was asked for is an exit status of 1.
// RUN: not alpha verify %examples/least_squares_momentum.mlir --carrier terms --terms-nodes-max 1 | filecheck %s --check-prefix=LARGE

// No round at all compares nothing by bits.
// RUN: not alpha verify %examples/least_squares_sgd.mlir --carrier bits --rounds 0 | filecheck %s --check-prefix=NONE
// NONE: replicated w 4 not compared

// A learner that refuses a round is compared up to that one; if it is the first, nothing is.
// RUN: sed 's/owners<4, star, samples = .1, 2, 3, 0.>/owners<3, star>/; s/dense<0.0>/dense<1.0e308>/' %examples/least_squares_sgd.mlir > %t.large.mlir
// RUN: not alpha verify %t.large.mlir --carrier bits | filecheck %s --check-prefix=REFUSES
// REFUSES: {{^}}0 rounds, by their bits
// REFUSES: replicated w 4 not compared
// REFUSES: partitioned w 4 not compared
// REFUSES: {{^}}the learner refuses round 1 on this data: [numeric-nonfinite]
// RUN: alpha verify %S/../refusals/Inputs/doubling.mlir --owners 2 --carrier bits | filecheck %s --check-prefix=THIRD
// THIRD: {{^}}2 rounds, by their bits
// THIRD: equal
// THIRD: {{^}}the learner refuses round 3 on this data: [numeric-nonfinite]
// RUN: python3 %S/../Inputs/status.py 3 alpha run %t.large.mlir --interpret=shard 2>&1 | filecheck %s --check-prefix=ROUND
// ROUND: error: [numeric-nonfinite]

// Other words are a usage error.
// RUN: python3 %S/../Inputs/status.py 2 alpha verify %examples/least_squares_sgd.mlir --carrier words 2>&1 | filecheck %s --check-prefix=WORDS
// WORDS: alpha verify: error: argument --carrier: invalid choice: 'words'
// RUN: python3 %S/../Inputs/status.py 2 alpha verify %examples/least_squares_sgd.mlir --partition all 2>&1 | filecheck %s --check-prefix=MODES
// MODES: alpha verify: error: argument --partition: expected some of optimizer, parameters, gradients, or none, got 'all'
// RUN: python3 %S/../Inputs/status.py 2 alpha verify %examples/least_squares_sgd.mlir --samples 1,x 2>&1 | filecheck %s --check-prefix=SAMPLES
// SAMPLES: alpha verify: error: argument --samples: expected numbers such as 1,2,3,0, each from 0 to 999999999999999999, got 'x'
// RUN: python3 %S/../Inputs/status.py 2 alpha verify %examples/least_squares_sgd.mlir --owners -1 2>&1 | filecheck %s --check-prefix=OWNERS
// OWNERS: alpha verify: error: argument --owners: expected a number from 0 to 999999999999999999, got '-1'
