// RUN: head -c 67108865 /dev/zero | not alpha-opt 2>&1 | filecheck %s
// RUN: head -c 67108865 /dev/zero | not alpha inspect - 2>&1 | filecheck %s
// CHECK: <stdin>:1:1: error: [source-size-limit] expected a text of at most 67,108,864 bytes, found more

// accepted:
// RUN: head -c 67108864 /dev/zero | tr '\000' ' ' | alpha-opt | filecheck %s --check-prefix=ACCEPTED
// ACCEPTED: builtin.module {
