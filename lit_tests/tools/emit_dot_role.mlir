// The schedule of one role: all that it does, and of its peers what they do with it.
// RUN: alpha-translate --emit-dot --role=2 %examples/least_squares_adam.mlir | filecheck %s
// RUN: alpha-opt --distribute %examples/least_squares_adam.mlir | alpha-translate --emit-dot --role 2 | filecheck %s
// RUN: alpha-opt --lower-shard-to-protocol --project-role="role=2" %examples/least_squares_adam.mlir | alpha-translate --emit-dot --role=2 | filecheck %s --check-prefix=ALONE

// CHECK:     {{^}}digraph "least_squares_adam" {
// CHECK:     "topology 3" [label="role 3\nhas all of w, m, v, b1_power, b2_power\n0 of 6 samples of data"
// CHECK:     label="schedule: what role 2 does, and its peers with it";
// CHECK:     label="role 0";
// CHECK-NOT: contribute
// CHECK:     receive reduce part 2 {{.*}}from 2\n
// CHECK:     label="role 2";
// CHECK:     contribute @gradient
// CHECK:     send reduce part 2 {{.*}}to 0\n
// CHECK:     update @adam
// CHECK-NOT: label="role
// ALONE:     "topology 3" [label="role 3\nwhose program isn't in the module\nhas all of
// ALONE:     label="role 0";
// ALONE:     label="role 2";

// The role has to be there, and the picture one that can be read.
// RUN: not alpha-translate --emit-dot --role=4 %examples/least_squares_adam.mlir 2>&1 | filecheck %s --check-prefix=RANGE
// RANGE: least_squares_adam.mlir:1:1: error: [protocol-role-range] expected a role from 0 to 3, found 4
// RUN: alpha-opt --lower-shard-to-protocol --project-role="role=1,2" %examples/least_squares_adam.mlir | not alpha-translate --emit-dot --role=3 2>&1 | filecheck %s --check-prefix=UNBOUND
// UNBOUND: <stdin>:1:1: error: [protocol-role-unbound] expected a protocol.role of role 3, found those of 1, 2
// RUN: not alpha-translate --emit-dot --role=two %examples/least_squares_adam.mlir 2>&1 | filecheck %s --check-prefix=WORD
// WORD: alpha-translate: error: --role expects a number from 0 to 999999999999999999, got 'two'
// RUN: alpha-opt --distribute="owners=65 topology=tree<1>" %examples/least_squares_adam.mlir 2>/dev/null | not alpha-translate --emit-dot 2>&1 | filecheck %s --check-prefix=CHAIN
// CHAIN: [target-unsupported] expected at most 64 classes of roles in a graph, found 65

// So has the protocol: a learner with owners, or one that is written.
// RUN: not alpha-translate --emit-dot %examples/linear_predictor.mlir 2>&1 | filecheck %s --check-prefix=OWNERS
// OWNERS: linear_predictor.mlir:7:1: error: [shard-owners-undeclared]
// RUN: printf 'builtin.module {}' | not alpha-translate --emit-dot 2>&1 | filecheck %s --check-prefix=EMPTY
// EMPTY: <stdin>:1:1: error: [region-learner-count] expected a region.learner, or a protocol, found neither
