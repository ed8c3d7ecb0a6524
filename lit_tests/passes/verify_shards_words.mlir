// A map may be said in other words: who has which coordinates is what counts.
// RUN: alpha-opt %examples/least_squares_momentum.mlir --partition-optimizer -o %t.owned
// RUN: sed 's/place @u by cyclic/place @u by block_cyclic<1>/' %t.owned > %t.same.mlir
// RUN: alpha-opt %t.same.mlir --verify-shards -o %t.read && alpha verify %t.same.mlir | filecheck %s --check-prefix=SAME
// SAME: as written u 4 proved
// RUN: sed 's/place @u by cyclic/place @u by block_cyclic<2>/' %t.owned > %t.other.mlir
// RUN: not alpha-opt %t.other.mlir --verify-shards 2>&1 | filecheck %s --check-prefix=OTHER
// OTHER: error: [shard-replica-write] expected coordinate 1 of @u written by owner 0, found owner 1

// Role 0 may observe a total that all have.
// RUN: sed 's/deliver role 0 : !shard.total<f64, @data, role 0, +0>/deliver all : !shard.total<f64, @data, all, +0>/' %t.owned > %t.all.mlir
// RUN: alpha verify %t.all.mlir | filecheck %s --check-prefix=ALL
// ALL: as written observed "loss" 1 proved

// What is contributed is combined.
// RUN: sed '/deliver role 0/d; /shard.observe/d' %t.owned > %t.part.mlir
// RUN: not alpha-opt %t.part.mlir --verify-shards 2>&1 | filecheck %s --check-prefix=PART
// PART: error: [shard-contribution-missing] expected a combine of every part of a contribution, found none of one part

// Flags that contradict a distribution in the file say so.
// RUN: not alpha verify %examples/perceptron_mixed.mlir --topology star 2>&1 | filecheck %s --check-prefix=STAR
// STAR: error: [shard-learner-count] expected a learner that isn't distributed, to distribute it among #shard.owners<2, star
