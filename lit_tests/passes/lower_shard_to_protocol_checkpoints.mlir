// Which rounds are made, and behind which of them the words of all roles are stored. Every generation
// is behind a comparison of copies, and so is the publication, which needs no second one.
// RUN: alpha-opt %examples/least_squares_adam.mlir --distribute -o %t
// RUN: alpha-opt %t --lower-shard-to-protocol="rounds=10 checkpoint=4" -o %t.every && sed -n '/protocol.global/,$p' %t.every | grep -v '^      *\(%\|protocol.yield\|}\)' | filecheck %s
// CHECK: protocol.global @least_squares_adam of @least_squares_adam group #protocol.group<universe = 4, {{.*}}stride(0, 1, 4)> {
// CHECK-NEXT: protocol.repeat 2 {
// CHECK-NEXT: protocol.repeat 4 {
// CHECK: shard.advance
// CHECK-NOT: shard.advance
// CHECK: protocol.agree %w{{.*}}, %m{{.*}}, %v{{.*}}, %p1{{.*}}, %p2{{.*}} along star
// CHECK-NEXT: protocol.checkpoint at stride(0, 1, 4) along star
// CHECK: protocol.repeat 2 {
// CHECK-NOT: protocol.repeat
// CHECK: shard.advance
// CHECK-NOT: shard.advance
// CHECK: protocol.agree %w{{.*}}, %m{{.*}}, %v{{.*}}, %p1{{.*}}, %p2{{.*}} along star
// CHECK-NEXT: protocol.checkpoint at stride(0, 1, 4) along star
// CHECK-NEXT: protocol.publish at stride(0, 1, 4)

// RUN: alpha-opt %t.every --check-protocol | alpha-opt --project-role | alpha-opt --check-schedules > %t.roles

// At a multiple nothing is left over.
// RUN: alpha-opt %t --lower-shard-to-protocol="rounds=8 checkpoint=4" | grep 'protocol.\(global\|repeat\|agree\|checkpoint\|publish\)' | filecheck %s --check-prefix=EVEN
// EVEN: protocol.global
// EVEN-NEXT: protocol.repeat 2 {
// EVEN-NEXT: protocol.repeat 4 {
// EVEN-NEXT: protocol.agree
// EVEN-NEXT: protocol.checkpoint
// EVEN-NEXT: protocol.publish

// Fewer rounds than lie between two generations end in one, and so do all with checkpoint=0.
// RUN: alpha-opt %t --lower-shard-to-protocol="rounds=3 checkpoint=4" -o %t.few
// RUN: alpha-opt %t --lower-shard-to-protocol="rounds=3 checkpoint=0" | diff %t.few -
// RUN: grep 'protocol.\(global\|repeat\|agree\|checkpoint\|publish\)' %t.few | filecheck %s --check-prefix=FEW
// FEW: protocol.global
// FEW-NEXT: protocol.repeat 3 {
// FEW-NEXT: protocol.agree
// FEW-NEXT: protocol.checkpoint
// FEW-NEXT: protocol.publish

// What a run begins with at version 0 are the learner's words, which nobody has stored.
// RUN: alpha-opt %t --lower-shard-to-protocol="rounds=0 checkpoint=4" | grep 'protocol.\(global\|repeat\|agree\|checkpoint\|publish\)' | filecheck %s --check-prefix=NONE
// NONE: protocol.global
// NONE-NEXT: protocol.agree
// NONE-NEXT: protocol.checkpoint
// NONE-NEXT: protocol.publish

// A run that begins with a generation makes the rounds that are left: up to the next multiple, then
// from one to the next, then to the end.
// RUN: alpha-opt %t --lower-shard-to-protocol="rounds=18 checkpoint=4 begin=7 generation=5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" | grep 'protocol.\(global\|repeat\|agree\|checkpoint\|publish\)' | filecheck %s --check-prefix=LATER
// LATER: protocol.global {{.*}} resumed #protocol.start<7, "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"> {
// LATER-NEXT: protocol.repeat 1 {
// LATER-NEXT: protocol.agree
// LATER-NEXT: protocol.checkpoint
// LATER-NEXT: protocol.repeat 2 {
// LATER-NEXT: protocol.repeat 4 {
// LATER-NEXT: protocol.agree
// LATER-NEXT: protocol.checkpoint
// LATER-NEXT: protocol.repeat 2 {
// LATER-NEXT: protocol.agree
// LATER-NEXT: protocol.checkpoint
// LATER-NEXT: protocol.publish

// RUN: alpha-opt %t --lower-shard-to-protocol="rounds=9 checkpoint=5 begin=7 generation=5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" | grep 'protocol.\(repeat\|agree\|checkpoint\|publish\)' | filecheck %s --check-prefix=BEFORE
// BEFORE: protocol.repeat 2 {
// BEFORE-NEXT: protocol.agree
// BEFORE-NEXT: protocol.checkpoint
// BEFORE-NEXT: protocol.publish

// What it begins with is stored already, also at version 0.
// RUN: alpha-opt %t --lower-shard-to-protocol="rounds=7 checkpoint=4 begin=7 generation=5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" | grep 'protocol.\(repeat\|agree\|checkpoint\|publish\)' | filecheck %s --check-prefix=THERE
// RUN: alpha-opt %t --lower-shard-to-protocol="rounds=0 checkpoint=4 begin=0 generation=5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" | grep 'protocol.\(repeat\|agree\|checkpoint\|publish\)' | filecheck %s --check-prefix=THERE
// THERE-NOT: protocol.repeat
// THERE-NOT: protocol.checkpoint
// THERE: protocol.agree
// THERE-NEXT: protocol.publish

// Without checkpoints a run may begin with a generation as well.
// RUN: alpha-opt %t --lower-shard-to-protocol="rounds=9 begin=7 generation=5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" | grep 'protocol.\(repeat\|agree\|checkpoint\|publish\)' | filecheck %s --check-prefix=ONLY
// ONLY: protocol.repeat 2 {
// ONLY-NEXT: protocol.agree
// ONLY-NEXT: protocol.publish

// Where a round compares its copies by itself, or has none, nothing more is compared.
// RUN: alpha-opt %examples/local_correlation.mlir --distribute="owners=3" --lower-shard-to-protocol="rounds=4 checkpoint=2" | grep 'protocol.\(repeat\|agree\|checkpoint\|publish\)' | filecheck %s --check-prefix=ITSELF
// ITSELF: protocol.repeat 2 {
// ITSELF-NEXT: protocol.repeat 2 {
// ITSELF-NEXT: protocol.agree
// ITSELF-NEXT: protocol.checkpoint
// ITSELF-NEXT: protocol.publish
// RUN: alpha-opt %examples/local_correlation.mlir --partition-optimizer="map=block" --partition-parameters --lower-shard-to-protocol="rounds=4 checkpoint=2" | grep 'protocol.\(repeat\|agree\|checkpoint\|publish\)' | filecheck %s --check-prefix=OWNED
// OWNED: protocol.repeat 2 {
// OWNED-NEXT: protocol.repeat 2 {
// OWNED-NEXT: protocol.checkpoint
// OWNED-NEXT: protocol.publish

// Along the topology of the learner.
// RUN: alpha-opt %examples/least_squares_sgd.mlir --distribute="owners=7 topology=tree<2>" --lower-shard-to-protocol="checkpoint=1" 2> %t.err | filecheck %s --check-prefix=TREE
// TREE: protocol.checkpoint at stride(0, 1, 7) along tree<2>
