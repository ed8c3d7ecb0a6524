// What a generation is: its fields, who has stored which words of them, its files and their digests.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --partition optimizer --rounds 4 --checkpoint x --checkpoint-every 2 > said
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --owners 2 --rounds 5 --resume x --checkpoint y
// RUN: alpha inspect y/gen-5 | filecheck %s
// CHECK: {{^}}generation 5 of least_squares_adam: 2 owners, star, 5 fields, 14 words{{$}}
// CHECK-NEXT: {{^}}  of a run that went on from version 4, sha256:{{[0-9a-f]+}}{{$}}
// CHECK: {{^}}  field     type           kind       words  bytes{{$}}
// CHECK-NEXT: {{^}}  w         tensor<4xf64>  parameter  4      32{{$}}
// CHECK-NEXT: {{^}}  m         tensor<4xf64>  optimizer  4      32{{$}}
// CHECK: {{^}}  b1_power  f64            shared     1      8{{$}}
// CHECK: pieces
// CHECK-NEXT: {{^}}  field     role  words  coordinates{{$}}
// CHECK-NEXT: {{^}}  w         0     4      all{{$}}
// CHECK: shards
// CHECK-NEXT: {{^}}  role  file {{ +}}bytes  sha256{{$}}
// CHECK-NEXT: {{^}}  0     shard-0.safetensors  {{[0-9]+ +[0-9a-f]+}}{{$}}
// CHECK-NEXT: {{^}}  1     shard-1.safetensors  {{[0-9]+ +[0-9a-f]+}}{{$}}
// CHECK: manifests
// CHECK: {{^}}  0     manifest.json {{ +[0-9]+ +[0-9a-f]+}}{{$}}
// CHECK-NEXT: {{^}}  1     manifest-1.json {{ +[0-9]+ +[0-9a-f]+}}{{$}}
// CHECK: contracts
// CHECK: {{^}}  0    groups = [3, 3], combine = left{{$}}
// CHECK: parts of the learner
// CHECK: {{^}}  constant rate {{ +[0-9a-f]+}}{{$}}
// CHECK: {{^}}  run       {{[0-9a-f]+}}{{$}}
// CHECK: {{^}}generation sha256:{{[0-9a-f]+}}{{$}}
// CHECK-NOT: {{.}}

// Of a folder of generations, the list, and the newest in full. Where every byte is compared, the
// digest of the state is said as well, as the run has said it.
// RUN: mkdir x/.gen-6.0123456789abcdef
// RUN: alpha inspect x | filecheck %s --check-prefix=LIST
// LIST: {{^}}x: 3 generations{{$}}
// LIST: {{^}}generations{{$}}
// LIST-NEXT: {{^}}  name {{ +}}version  owners  bytes  state{{$}}
// LIST-NEXT: {{^}}  .gen-6.0123456789abcdef  6 {{ +}}[checkpoint-missing] {{.*}}found one that was begun and not finished{{$}}
// LIST-NEXT: {{^}}  gen-4 {{ +}}4        4 {{ +[0-9]+ +}}looks whole{{$}}
// LIST-NEXT: {{^}}  gen-2 {{ +}}2        4 {{ +[0-9]+ +}}looks whole{{$}}
// LIST: {{^}}generation 4 of least_squares_adam: 4 owners, star, 5 fields, 14 words{{$}}
// LIST: {{^}}  m         1     1      stride(1, 4, 1){{$}}
// LIST-NOT: verified
// RUN: alpha inspect x --verify > verified
// RUN: filecheck %s --check-prefix=VERIFY < verified
// VERIFY: {{^}}  gen-4 {{.*}} whole{{$}}
// VERIFY: {{^}}state sha256:{{[0-9a-f]+}}{{$}}
// VERIFY-NEXT: {{^}}verified {{[0-9]+}} bytes{{$}}
// RUN: tail -n 1 said > digest && grep "^state sha256" verified | diff digest -

// A generation of several that isn't what was written is told apart by every byte of it.
// RUN: printf x | dd of=x/gen-4/shard-1.safetensors bs=1 seek=650 conv=notrunc status=none
// RUN: not alpha inspect x --verify | filecheck %s --check-prefix=BROKEN
// BROKEN: {{^}}  gen-4 {{.*}}[checkpoint-digest] x/gen-4/shard-1.safetensors:1:1: expected
// BROKEN: {{^}}  gen-2 {{.*}} whole{{$}}
// BROKEN: {{^}}generation 2 of least_squares_adam

// Flags of learners make no sense of it, and it is no input of theirs.
// RUN: not alpha inspect x --owners 3 2>&1 | filecheck %s --check-prefix=OWNERS
// OWNERS: {{^}}alpha: error: [target-unsupported] expected a file with --owners, found x, which has generations{{$}}
// RUN: not alpha inspect y/gen-5 --checkpoint-every 2 2>&1 | filecheck %s --check-prefix=EVERY
// EVERY: [target-unsupported] expected a file with --checkpoint-every, found y/gen-5, which has generations
// RUN: not alpha inspect %examples/diabetes_adam.mlir --verify 2>&1 | filecheck %s --check-prefix=FILE
// FILE: [target-unsupported] expected a generation or a folder of them with --verify, found {{.*}}diabetes_adam.mlir, a file
