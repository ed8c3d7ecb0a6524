// An executable a role and what describes them, in a folder that is made as a whole. The output is a
// line of what was built and by which tools, a line a role, and the digest that every frame names.
// RUN: rm -rf %t && mkdir %t
// RUN: alpha build %examples/diabetes_adam.mlir -o %t/out --rounds 12 --targets x86-64,aarch64 --features avx512 --partition optimizer > %t/said 2> %t/err
// RUN: filecheck %s --check-prefix=SAID < %t/said
// RUN: diff /dev/null %t/err
// SAID: {{^}}build diabetes_adam: 4 roles, star, 12 rounds; by {{.+}}{{$}}
// SAID-NEXT: {{^}}role 0  x86-64+avx512  {{[0-9]+,[0-9]+}} bytes  23,424 bytes of data  {{ ?[0-9,]+}} bytes of memory{{$}}
// SAID-NEXT: {{^}}role 1  aarch64        {{[0-9]+,[0-9]+}} bytes  11,776 bytes of data  {{ ?[0-9,]+}} bytes of memory{{$}}
// SAID-NEXT: {{^}}role 2  x86-64+avx512  {{[0-9]+,[0-9]+}} bytes   3,904 bytes of data  {{ ?[0-9,]+}} bytes of memory{{$}}
// SAID-NEXT: {{^}}role 3  aarch64        {{[0-9]+,[0-9]+}} bytes               no data  {{ ?[0-9,]+}} bytes of memory{{$}}
// SAID-NEXT: {{^}}run sha256:{{[0-9a-f]+}}{{$}}
// SAID-NOT: {{.}}
// RUN: ls %t/out | filecheck %s --check-prefix=FILES
// FILES: {{^}}role-0{{$}}
// FILES-NEXT: {{^}}role-0.data{{$}}
// FILES-NEXT: {{^}}role-1{{$}}
// FILES-NEXT: {{^}}role-1.data{{$}}
// FILES-NEXT: {{^}}role-2{{$}}
// FILES-NEXT: {{^}}role-2.data{{$}}
// FILES-NEXT: {{^}}role-3{{$}}
// FILES-NEXT: {{^}}run.json{{$}}
// FILES-NEXT: {{^}}run.mlir{{$}}
// FILES-NOT: {{.}}

// A folder can be looked at.
// RUN: alpha inspect %t/out | filecheck %s --check-prefix=INSPECT
// INSPECT: {{^}}build diabetes_adam: 4 roles, star, 12 rounds; by {{.+}}{{$}}
// INSPECT: {{^}}  role  target         executable  bytes  data   memory  address    peers{{$}}
// INSPECT-NEXT: {{^}}  0     x86-64+avx512  role-0      {{[0-9]+}}  23424  {{[0-9]+}}    127.0.0.1  1, 2, 3{{$}}
// INSPECT-NEXT: {{^}}  1     aarch64        role-1      {{[0-9]+}}  11776  {{[0-9]+}}    127.0.0.1  0{{$}}
// INSPECT: {{^}}  w         tensor<10xf64>  10     80{{$}}
// INSPECT: {{^}}  w         all   10     a copy each{{$}}
// INSPECT: {{^}}  m         2     2      stride(2, 4, 2){{$}}
// INSPECT: {{^}}  loss{{$}}
// INSPECT: {{^}}run sha256:{{[0-9a-f]+}}{{$}}
// RUN: not alpha inspect %t/out --owners 3 2>&1 | filecheck %s --check-prefix=OWNERS
// OWNERS: [target-unsupported] expected a file with --owners, found {{.*}}out, a folder of executables
// RUN: not alpha inspect %t/out --svg - 2>&1 | filecheck %s --check-prefix=PICTURE
// PICTURE: [target-unsupported] expected a file with --svg, found {{.*}}out, a folder of executables

// The same input gives the same files in another folder, from standard input, and whether what was
// made before is taken or not; so does the module of programs that a build leaves.
// RUN: alpha build %examples/least_squares_adam.mlir -o %t/one --rounds 3 | filecheck %s --check-prefix=ALONE
// RUN: cd %t && alpha build - -o two --rounds 3 < %examples/least_squares_adam.mlir && diff -r one two
// RUN: cd %t && alpha build one/run.mlir -o three && diff -r one three
// RUN: cd %t && alpha-opt %examples/least_squares_adam.mlir --distribute --lower-shard-to-protocol="rounds=3" --project-role | alpha build - -o four && diff -r one four
// ALONE: build least_squares_adam: 4 roles, star, 3 rounds; by

// A protocol without a learner has no state.
// RUN: alpha build %examples/choice_gate.mlir -o %t/gate | filecheck %s --check-prefix=GATE
// GATE: {{^}}build choice_gate: 3 roles, {{[0-9]+}} rounds; by
// RUN: alpha inspect %t/gate | filecheck %s --check-prefix=INSPECT-GATE
// INSPECT-GATE: roles
// INSPECT-GATE-NOT: state
// INSPECT-GATE: run sha256:

// An earlier build is replaced, as a whole; a warning is said again by one that is taken again.
// RUN: alpha build %examples/least_squares_adam.mlir -o %t/out --owners 2 2>&1 | filecheck %s --check-prefix=WARNING
// RUN: alpha build %examples/least_squares_adam.mlir -o %t/out --owners 2 2>&1 | filecheck %s --check-prefix=WARNING
// WARNING: warning: the bits change
// RUN: not ls %t/out/role-2

// RUN: alpha build --help | filecheck %s --check-prefix=HELP
// HELP: usage: alpha build [-h] -o DIR [--targets T,...] [--features F,...]
// HELP-NOT: planned
// HELP: --checkpoint-every K
// HELP-NOT: planned
