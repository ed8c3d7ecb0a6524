// --mutants makes every wrong distribution that applies, at each level, and the wrong programs of the
// roles of the last one, and says which check refuses it.
// RUN: alpha verify %examples/least_squares_adam.mlir --mutants | filecheck %s
// CHECK:      {{^}}mutants{{$}}
// CHECK-NEXT: kind level refused by
// CHECK-NEXT: unweighted-mean replicated shard-sum-pending
// CHECK-NEXT: unweighted-mean partitioned shard-sum-pending
// CHECK-NEXT: deliver-next-owner replicated doesn't apply
// CHECK-NEXT: deliver-next-owner partitioned shard-not-held
// CHECK-NEXT: release-early replicated doesn't apply
// CHECK-NEXT: release-early partitioned data-parallel-replica-released
// CHECK-NEXT: release-never replicated doesn't apply
// CHECK-NEXT: release-never partitioned data-parallel-replica-retained
// CHECK-NEXT: drop-contribution replicated shard-contribution-missing
// CHECK-NEXT: drop-contribution partitioned shard-contribution-missing
// CHECK-NEXT: stale-version replicated shard-version-mixed
// CHECK-NEXT: stale-version partitioned data-parallel-replica-version
// CHECK-NEXT: swap-combine-order replicated shard-combine-order
// CHECK-NEXT: swap-combine-order partitioned shard-combine-order
// CHECK-NEXT: replica-authority replicated doesn't apply
// CHECK-NEXT: replica-authority partitioned shard-replica-write
// CHECK-NEXT: move-boundary replicated shard-coverage-duplicate
// CHECK-NEXT: move-boundary partitioned shard-coverage-duplicate
// CHECK-NEXT: leave-gap replicated shard-coverage-missing
// CHECK-NEXT: leave-gap partitioned shard-coverage-missing
// CHECK-NEXT: skip-agree replicated shard-agree-missing
// CHECK-NEXT: skip-agree partitioned shard-agree-missing
// CHECK-NEXT: inverted-choice roles doesn't apply
// CHECK-NEXT: independent-forwarder roles doesn't apply
// CHECK-NEXT: noncanonical-word roles doesn't apply
// CHECK-NEXT: frame-binding roles protocol-digest-mismatch
// CHECK-NEXT: swap-actions roles protocol-wait-cycle
// CHECK:      20 mutants refused, 0 equivalent, 7 that don't apply

// Two groups that are only added to each other may change places: the mutant is equal after all.
// RUN: alpha verify %examples/partitioned_regression.mlir --mutants | filecheck %s --check-prefix=EQUAL
// EQUAL: swap-combine-order replicated equivalent
// EQUAL: swap-combine-order partitioned equivalent
// EQUAL: 16 mutants refused, 2 equivalent, 9 that don't apply

// A local learner has neither a sum nor a replica.
// RUN: alpha verify %examples/local_correlation.mlir --mutants | filecheck %s --check-prefix=LOCAL
// LOCAL: drop-contribution partitioned doesn't apply
// LOCAL: replica-authority partitioned shard-replica-write
// LOCAL: move-boundary replicated doesn't apply
// LOCAL: move-boundary partitioned shard-coverage-duplicate
// LOCAL: frame-binding roles protocol-digest-mismatch
// LOCAL: 5 mutants refused, 0 equivalent, 22 that don't apply
