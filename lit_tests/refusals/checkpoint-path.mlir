// A protocol that begins with a generation is run with it, and no other is.
// RUN: alpha-opt %examples/least_squares_sgd.mlir --lower-shard-to-protocol="rounds=3 begin=2 generation=5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" -o %t.mlir
// RUN: not alpha run %t.mlir --interpret=protocol 2>&1 | filecheck %s --check-prefix=BEGIN
// BEGIN: {{^}}{{.*}}.mlir:{{[0-9]+}}:{{[0-9]+}}: error: [checkpoint-path] expected {{.*}}the generation of version 2{{.*}}, found none
// accepted: as it begins with the learner's words
// RUN: sed 's/ resumed #protocol.start<[^>]*>//' %t.mlir > %t.first.mlir && alpha run %t.first.mlir --interpret=protocol
