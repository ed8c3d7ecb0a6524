// More than 64 roles are drawn by the sizes of their subtrees: 200,000 at fan-out 64 are six nodes.
// RUN: alpha-opt --distribute="owners=200000 topology=tree<64>" %examples/least_squares_adam.mlir -o %t.mlir 2>/dev/null
// RUN: alpha-translate --emit-dot %t.mlir | filecheck %s

// CHECK:      graph [label="@least_squares_adam: 200,000 roles, tree<64>\nBytes are
// CHECK:      "topology 0" [label="role 0\nhas all of
// CHECK-NEXT: "topology 1" [label="63 roles\nsuch as role 1:\nhas all of
// CHECK-NEXT: "topology 2" [label="3,327 roles\nsuch as role 2:
// CHECK-NEXT: "topology 3" [label="195,839 roles\nsuch as role 3:
// CHECK-NEXT: "topology 4" [label="769 roles\nsuch as role 2,550:
// CHECK-NEXT: "topology 5" [label="role 196,876\nhas all of
// CHECK-NEXT: "topology 0" -> "topology 1" [label="63 edges, each\n
// CHECK:      "topology 2" -> "topology 3" [label="159,696 edges, each\n
// CHECK:      label="schedule: what one role of each class does, in order";
// CHECK:      label="role 0";
// CHECK:      receive reduce{{.*}} from 1 and its like\n63 frames, {{[0-9,]+}} bytes
// CHECK:      receive reduce{{.*}} from 196,876\n{{[0-9]+}} bytes
// CHECK:      label="63 roles such as role 1";
// CHECK:      label="role 196,876";

// One role of them, with its peers.
// RUN: alpha-translate --emit-dot --role=199999 %t.mlir | filecheck %s --check-prefix=LEAF
// LEAF:       "topology 5" [label="role 196,876\n
// LEAF:       label="schedule: what role 199,999 does, and its peers with it";
// LEAF:       label="role 199,952";
// LEAF:       label="role 199,999";
// LEAF-NOT:   label="role
