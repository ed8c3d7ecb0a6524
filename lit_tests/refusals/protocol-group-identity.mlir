// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// An epoch is an unsigned word of 64 bits ...

// expected-error@+1 {{[protocol-group-identity] expected an epoch from 0 to 2^64 - 1, found 18446744073709551616}}
module attributes {g = #protocol.group<universe = 4, epoch = 18446744073709551616, id = "6c73", stride(0, 1, 4)>} {}

// -----

// accepted:
module attributes {g = #protocol.group<universe = 4, epoch = 18446744073709551615, id = "6c73", stride(0, 1, 4)>} {}

// -----

// ... and an identity has at most 64 bytes.

// expected-error@+1 {{[protocol-group-identity] expected an identity of at most 64 bytes, found 65}}
module attributes {g = #protocol.group<universe = 4, epoch = 0, id = "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000", stride(0, 1, 4)>} {}

// -----

// accepted:
module attributes {g = #protocol.group<universe = 4, epoch = 0, id = "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000", stride(0, 1, 4)>} {}
