// RUN: alpha-opt %s | filecheck %s
// RUN: %roundtrip

// Roles out of a universe, the deployment that they belong to, and which of its memberships it is.

// CHECK: builtin.module attributes {g = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>} {
// CHECK-NEXT: }
module attributes {g = #protocol.group<universe = 4, epoch = 0, id = "6c73", stride(0, 1, 4)>} {}

// 200,000 roles in a few words; the greatest epoch, and bytes in capital digits.
// CHECK: builtin.module attributes {g = #protocol.group<universe = 1000000, epoch = 18446744073709551615, id = "00ff", repeat(200, 5000, stride(0, 2, 1000))>} {
// CHECK-NEXT: }
module attributes {g = #protocol.group<universe = 1000000, epoch = 18446744073709551615, id = "00FF", repeat(200, 5000, stride(0, 2, 1000))>} {}

// Members by an alias; without an identity.
#some = #region.select<join(stride(0, 1, 2), stride(3, 1, 1))>
// CHECK: builtin.module attributes {g = #protocol.group<universe = 4, epoch = 7, id = "", join(stride(0, 1, 2), stride(3, 1, 1))>} {
// CHECK-NEXT: }
module attributes {g = #protocol.group<universe = 4, epoch = 7, id = "", #some>} {}
