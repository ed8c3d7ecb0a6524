// Each kind puts one fault into a distribution, and --verify-shards refuses it by name, or into the
// programs of roles, for --check-schedules. docs/mutants.md has the tables, with what else would
// catch each of them.
// RUN: alpha-opt %examples/least_squares_momentum.mlir --distribute -o %t.replicated
// RUN: alpha-opt %t.replicated --partition-optimizer --partition-parameters --partition-gradients -o %t.partitioned

// Each owner takes the mean of its own samples, and the mean of the means is taken.
// RUN: alpha-opt %t.replicated --mutate="kind=unweighted-mean" | filecheck %s --check-prefix=UNWEIGHTED
// RUN: not alpha-opt %t.replicated --mutate="kind=unweighted-mean" --verify-shards 2>&1 | filecheck %s --check-prefix=UNWEIGHTED-CODE
// RUN: alpha-opt %t.partitioned --mutate="kind=unweighted-mean" | filecheck %s --check-prefix=UNWEIGHTED
// RUN: not alpha-opt %t.partitioned --mutate="kind=unweighted-mean" --verify-shards 2>&1 | filecheck %s --check-prefix=UNWEIGHTED-CODE
// UNWEIGHTED: shard.mean %0 : !shard.contribution<tensor<4xf64>, @data, +0>
// UNWEIGHTED: %sum = shard.combine sum %2 contract
// UNWEIGHTED-CODE: error: [shard-sum-pending]

// The sums of an owner's coordinates go to the owner behind it.
// RUN: alpha-opt %t.partitioned --mutate="kind=deliver-next-owner" | filecheck %s --check-prefix=NEXT
// RUN: not alpha-opt %t.partitioned --mutate="kind=deliver-next-owner" --verify-shards 2>&1 | filecheck %s --check-prefix=NEXT-CODE
// NEXT: deliver owners [stride(3, 4, 1), stride(0, 4, 1), stride(1, 4, 1), stride(2, 4, 1)]
// NEXT: %g = shard.mean %sum : !shard.owned<tensor<4xf64>, [stride(3, 4, 1), 
// NEXT-CODE: error: [shard-not-held]
// RUN: not alpha-opt %t.replicated --mutate="kind=deliver-next-owner" 2>&1 | filecheck %s --check-prefix=NEXT-NONE
// NEXT-NONE: error: [mutant-inapplicable] expected a distribution in which deliver-next-owner changes something, found one without what it changes

// A replica is released before anything reads it.
// RUN: alpha-opt %t.partitioned --mutate="kind=release-early" | filecheck %s --check-prefix=EARLY
// RUN: not alpha-opt %t.partitioned --mutate="kind=release-early" --verify-shards 2>&1 | filecheck %s --check-prefix=EARLY-CODE
// EARLY: %w = shard.replicate
// EARLY: shard.release %w
// EARLY: shard.contribute @gradient(%w)
// EARLY-CODE: error: [data-parallel-replica-released]
// RUN: not alpha-opt %t.replicated --mutate="kind=release-early" 2>&1 | filecheck %s --check-prefix=EARLY-NONE
// EARLY-NONE: error: [mutant-inapplicable] expected a distribution in which release-early changes something, found one without what it changes

// A replica is kept.
// RUN: alpha-opt %t.partitioned --mutate="kind=release-never" | filecheck %s --check-prefix=NEVER
// RUN: not alpha-opt %t.partitioned --mutate="kind=release-never" --verify-shards 2>&1 | filecheck %s --check-prefix=NEVER-CODE
// NEVER: %w = shard.replicate
// NEVER-NOT: shard.release
// NEVER: shard.advance
// NEVER-CODE: error: [data-parallel-replica-retained]
// RUN: not alpha-opt %t.replicated --mutate="kind=release-never" 2>&1 | filecheck %s --check-prefix=NEVER-NONE
// NEVER-NONE: error: [mutant-inapplicable] expected a distribution in which release-never changes something, found one without what it changes

// The last owner that has samples doesn't contribute them.
// RUN: alpha-opt %t.replicated --mutate="kind=drop-contribution" | filecheck %s --check-prefix=DROP
// RUN: not alpha-opt %t.replicated --mutate="kind=drop-contribution" --verify-shards 2>&1 | filecheck %s --check-prefix=DROP-CODE
// RUN: alpha-opt %t.partitioned --mutate="kind=drop-contribution" | filecheck %s --check-prefix=DROP
// RUN: not alpha-opt %t.partitioned --mutate="kind=drop-contribution" --verify-shards 2>&1 | filecheck %s --check-prefix=DROP-CODE
// DROP: shard.place @data by [1, 2, 3, 0]
// DROP: over @data by [stride(0, 1, 1), stride(1, 1, 2), empty, empty]
// DROP-CODE: error: [shard-contribution-missing]

// Contributions read the parameters of the version before, through a replica if they are owned.
// RUN: alpha-opt %t.replicated --mutate="kind=stale-version" | filecheck %s --check-prefix=STALE
// RUN: not alpha-opt %t.replicated --mutate="kind=stale-version" --verify-shards 2>&1 | filecheck %s --check-prefix=STALE-REPLICATED-CODE
// RUN: alpha-opt %t.partitioned --mutate="kind=stale-version" | filecheck %s --check-prefix=STALE
// RUN: not alpha-opt %t.partitioned --mutate="kind=stale-version" --verify-shards 2>&1 | filecheck %s --check-prefix=STALE-PARTITIONED-CODE
// STALE: @w : !shard.{{[a-z]+}}<tensor<4xf64>, {{.*}}-1>
// STALE: shard.contribute @gradient(%{{[0-9]}})
// STALE-REPLICATED-CODE: error: [shard-version-mixed]
// STALE-PARTITIONED-CODE: error: [data-parallel-replica-version]

// Two groups that have samples change places.
// RUN: alpha-opt %t.replicated --mutate="kind=swap-combine-order" | filecheck %s --check-prefix=SWAP
// RUN: not alpha-opt %t.replicated --mutate="kind=swap-combine-order" --verify-shards 2>&1 | filecheck %s --check-prefix=SWAP-CODE
// RUN: alpha-opt %t.partitioned --mutate="kind=swap-combine-order" | filecheck %s --check-prefix=SWAP
// RUN: not alpha-opt %t.partitioned --mutate="kind=swap-combine-order" --verify-shards 2>&1 | filecheck %s --check-prefix=SWAP-CODE
// SWAP: combine = left> order [0, 2, 1, 3] deliver
// SWAP-CODE: error: [shard-combine-order]

// The state takes its new words from a replica.
// RUN: alpha-opt %t.partitioned --mutate="kind=replica-authority" | filecheck %s --check-prefix=AUTHORITY
// RUN: not alpha-opt %t.partitioned --mutate="kind=replica-authority" --verify-shards 2>&1 | filecheck %s --check-prefix=AUTHORITY-CODE
// AUTHORITY: shard.replicate %w1 : !shard.replica<tensor<4xf64>, +1>
// AUTHORITY: shard.replicate %u1 : !shard.replica<tensor<4xf64>, +1>
// AUTHORITY: shard.advance @w = %3, @u = %4
// AUTHORITY-CODE: error: [shard-replica-write]
// RUN: not alpha-opt %t.replicated --mutate="kind=replica-authority" 2>&1 | filecheck %s --check-prefix=AUTHORITY-NONE
// AUTHORITY-NONE: error: [mutant-inapplicable] expected a distribution in which replica-authority changes something, found one without what it changes

// One owner's piece is moved down by one.
// RUN: alpha-opt %t.replicated --mutate="kind=move-boundary" | filecheck %s --check-prefix=BOUNDARY
// RUN: not alpha-opt %t.replicated --mutate="kind=move-boundary" --verify-shards 2>&1 | filecheck %s --check-prefix=BOUNDARY-CODE
// RUN: alpha-opt %t.partitioned --mutate="kind=move-boundary" | filecheck %s --check-prefix=BOUNDARY
// RUN: not alpha-opt %t.partitioned --mutate="kind=move-boundary" --verify-shards 2>&1 | filecheck %s --check-prefix=BOUNDARY-CODE
// BOUNDARY: shard.place @{{w|data}} by [stride(0, 
// BOUNDARY-CODE: error: [shard-coverage-duplicate]

// One owner's piece has no owner.
// RUN: alpha-opt %t.partitioned --mutate="kind=leave-gap" | filecheck %s --check-prefix=GAP
// RUN: not alpha-opt %t.replicated --mutate="kind=leave-gap" --verify-shards 2>&1 | filecheck %s --check-prefix=GAP-CODE
// RUN: not alpha-opt %t.partitioned --mutate="kind=leave-gap" --verify-shards 2>&1 | filecheck %s --check-prefix=GAP-CODE
// GAP: shard.place @w by [stride(0, {{.*}}, empty]
// GAP-CODE: error: [shard-coverage-missing]

// Owners don't compare what they computed.
// RUN: not alpha-opt %t.replicated --mutate="kind=skip-agree" --verify-shards 2>&1 | filecheck %s --check-prefix=AGREE-CODE
// AGREE-CODE: error: [shard-agree-missing] expected shard.agree on the new words of @w, which every owner computes, found none
// RUN: not alpha-opt %t.partitioned --mutate="kind=skip-agree" 2>&1 | filecheck %s --check-prefix=AGREE-NONE
// AGREE-NONE: error: [mutant-inapplicable]

// The learner stays as it is, and a mutant is text that reads back to the same.
// RUN: sed '/^  shard.learner/,/^  }/d' %t.replicated > %t.before
// RUN: alpha-opt %t.partitioned --mutate="kind=stale-version" -o %t.mutant && alpha-opt %t.mutant | diff %t.mutant -
// RUN: sed '/^  shard.learner/,/^  }/d' %t.mutant | diff %t.before -

// Others change the programs of roles, behind --project-role. Who is told of a choice takes another arm.
// RUN: alpha-opt %examples/choice_gate.mlir --project-role -o %t.gate
// RUN: alpha-opt %t.gate --mutate="kind=inverted-choice" | filecheck %s --check-prefix=INVERTED
// RUN: not alpha-opt %t.gate --mutate="kind=inverted-choice" --check-schedules 2>&1 | filecheck %s --check-prefix=INVERTED-CODE
// INVERTED: protocol.choice %arm_1 site 0 {
// INVERTED-NEXT: protocol.perform transfer site 1 %y {
// INVERTED: protocol.role @choice_gate role 1
// INVERTED: protocol.choice %arm site 0 {
// INVERTED-NEXT: %a = protocol.perform transfer site 3 {
// INVERTED-CODE: error: [protocol-role-unfinished]

// Who relays the word of a choice tells one of its own, of two arms the other one's.
// RUN: alpha-opt %t.gate --mutate="kind=independent-forwarder" | filecheck %s --check-prefix=FORWARDER
// RUN: not alpha-opt %t.gate --mutate="kind=independent-forwarder" --check-schedules 2>&1 | filecheck %s --check-prefix=FORWARDER-CODE
// FORWARDER: protocol.role @choice_gate role 1
// FORWARDER: %arm = protocol.perform decide site 0 arms 2 {
// FORWARDER-NEXT: protocol.receive from 0 words 1 : i64
// FORWARDER-NEXT: } : !protocol.at<i64, role 1>
// FORWARDER: arith.subi %2, %1 : i64
// FORWARDER: %1 = protocol.perform decide site 0 %0 arms 2 {
// FORWARDER-NEXT: protocol.send to 2 words 1 : i64
// FORWARDER-CODE: error: [protocol-choice-authority] expected one role that decides at site 0, role 0, found role 1 as well

// Who decides tells the number of no arm. That is seen when it runs, since a word is computed.
// RUN: alpha-opt %t.gate --mutate="kind=noncanonical-word" | filecheck %s --check-prefix=WORD
// RUN: alpha-opt %t.gate --mutate="kind=noncanonical-word" --check-schedules -o %t.word
// RUN: not alpha run %t.word --interpret=role 2>&1 | filecheck %s --check-prefix=WORD-CODE
// WORD: arith.constant 2 : i64
// WORD: protocol.perform decide site 0 %0 arms 2 {
// WORD-CODE: alpha: role 0: refused protocol-choice-noncanonical: expected a word from 0 to 1, found 2

// The last role was made for another protocol.
// RUN: not alpha-opt %t.gate --mutate="kind=frame-binding" --check-schedules 2>&1 | filecheck %s --check-prefix=BINDING-CODE
// BINDING-CODE: error: [protocol-digest-mismatch] expected the protocol of role 0, {{[0-9a-f]+}}, found {{[0-9a-f]+}} of role 2

// A role waits for a frame before it sends the one that stands before it.
// RUN: alpha-opt %t.replicated --lower-shard-to-protocol --project-role -o %t.roles
// RUN: not alpha-opt %t.roles --mutate="kind=swap-actions" --check-schedules 2>&1 | filecheck %s --check-prefix=ACTIONS-CODE
// ACTIONS-CODE: error: [protocol-wait-cycle]
// RUN: not alpha-opt %t.gate --mutate="kind=swap-actions" 2>&1 | filecheck %s --check-prefix=ACTIONS-NONE
// ACTIONS-NONE: error: [mutant-inapplicable] expected roles in which swap-actions changes something, found some without what it changes

// Each kind belongs to its level.
// RUN: not alpha-opt %t.replicated --mutate="kind=swap-actions" 2>&1 | filecheck %s --check-prefix=NO-ROLES
// NO-ROLES: error: [mutant-inapplicable] expected programs of roles to change; --project-role makes them, found none
// RUN: not alpha-opt %t.gate --mutate="kind=leave-gap" 2>&1 | filecheck %s --check-prefix=NO-ROUND
// NO-ROUND: error: [mutant-inapplicable] expected a distribution to change; --distribute makes one, found none

// RUN: not alpha-opt %t.replicated --mutate="kind=wrong" 2>&1 | filecheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: [mutant-inapplicable] expected the kind of a mutant: unweighted-mean, deliver-next-owner, release-early, release-never, drop-contribution, stale-version, swap-combine-order, replica-authority, move-boundary, leave-gap, skip-agree, inverted-choice, independent-forwarder, noncanonical-word, frame-binding, swap-actions, found 'wrong'
// RUN: not alpha-opt %t.replicated --mutate 2>&1 | filecheck %s --check-prefix=NO-KIND
// NO-KIND: alpha-opt: error: --mutate: option 'kind' expects a text, got nothing
// RUN: not alpha-opt %examples/least_squares_momentum.mlir --mutate="kind=release-never" 2>&1 | filecheck %s --check-prefix=BARE
// BARE: :6:1: error: [mutant-inapplicable] expected a distribution to change; --distribute makes one, found none
