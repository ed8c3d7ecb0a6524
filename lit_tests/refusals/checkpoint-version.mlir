// A run ends where it begins or later, and generations are some rounds apart.
// RUN: not alpha-opt %examples/diabetes_sgd.mlir --lower-shard-to-protocol="rounds=6 begin=7 generation=5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" 2>&1 | filecheck %s --check-prefix=EARLY
// EARLY: error: [checkpoint-version] expected at least 7 rounds, since a run begins at version 7, found 6
// accepted:
// RUN: alpha-opt %examples/diabetes_sgd.mlir --lower-shard-to-protocol="rounds=7 begin=7 generation=5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"
// RUN: not alpha-opt %examples/diabetes_sgd.mlir --lower-shard-to-protocol="rounds=6 checkpoint=-1" 2>&1 | filecheck %s --check-prefix=EVERY
// EVERY: error: [checkpoint-version] expected 1 or more rounds from one generation to the next, or 0 for one at the end, found -1
// accepted:
// RUN: alpha-opt %examples/diabetes_sgd.mlir --lower-shard-to-protocol="rounds=6 checkpoint=1"

// It names the generation with which it begins, by a digest.
// RUN: not alpha-opt %examples/diabetes_sgd.mlir --lower-shard-to-protocol="rounds=7 begin=7" 2>&1 | filecheck %s --check-prefix=NAME
// NAME: error: [checkpoint-version] expected the SHA-256 of a generation, 64 hexadecimal digits in lower case, found ''
// RUN: not alpha-opt %examples/diabetes_sgd.mlir --lower-shard-to-protocol="rounds=7 begin=0" 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not alpha-opt %examples/diabetes_sgd.mlir --lower-shard-to-protocol="rounds=7 generation=5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" 2>&1 | filecheck %s --check-prefix=ALONE
// ALONE: error: [checkpoint-version] expected begin=V with generation=..., the version of the generation, found none
// accepted:
// RUN: alpha-opt %examples/diabetes_sgd.mlir --lower-shard-to-protocol="rounds=7 begin=0 generation=5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"
// RUN: not alpha-opt %examples/diabetes_sgd.mlir --lower-shard-to-protocol="rounds=7 begin=-7 generation=5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" 2>&1 | filecheck %s --check-prefix=BEGIN
// BEGIN: error: [checkpoint-version] expected a version from 0 to 2^64 - 1 to begin with, found -7

// The same of the text of a protocol.
// RUN: alpha-opt %examples/diabetes_sgd.mlir --lower-shard-to-protocol="rounds=7 begin=7 generation=5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" -o %t
// RUN: sed 's/"5891b5/"5891B5/' %t > %t.upper && not alpha-opt %t.upper 2>&1 | filecheck %s --check-prefix=UPPER
// UPPER: {{^}}{{.*}}.upper:{{[0-9]+}}:{{[0-9]+}}: error: [checkpoint-version] expected the SHA-256 of a generation, 64 hexadecimal digits in lower case, found '5891B5b
// RUN: sed 's/start<7,/start<18446744073709551616,/' %t > %t.large && not alpha-opt %t.large 2>&1 | filecheck %s --check-prefix=LARGE
// LARGE: error: [checkpoint-version] expected a version from 0 to 2^64 - 1 to begin with, found 18446744073709551616
// accepted:
// RUN: sed 's/start<7,/start<18446744073709551615,/' %t | alpha-opt
