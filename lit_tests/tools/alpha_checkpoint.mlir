// A generation is shared out anew, exported, compared with others and at last removed.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: alpha run %examples/diabetes_adam.mlir --interpret=shard --partition optimizer --rounds 7 --checkpoint x --checkpoint-every 3 --save state.safetensors > said

// Whoever has which words, they are the same, and so is what a run that goes on ends with.
// RUN: alpha checkpoint reshard x y --owners 3 --partition optimizer,parameters --map block --topology "tree<2>" | filecheck %s --check-prefix=RESHARD
// RESHARD: {{^}}y/gen-7: version 7 of diabetes_adam; 3 owners, tree<2>{{$}}
// RESHARD-NEXT: {{^}}generation sha256:{{[0-9a-f]+}}{{$}}
// RESHARD-NOT: {{.}}
// RUN: alpha checkpoint diff x y | filecheck %s --check-prefix=EQUAL
// EQUAL: {{^}}x/gen-7: version 7 of diabetes_adam; 4 owners, star{{$}}
// EQUAL-NEXT: {{^}}y/gen-7: version 7 of diabetes_adam; 3 owners, tree<2>{{$}}
// EQUAL-NEXT: {{^}}equal: 32 words of 5 fields{{$}}
// RUN: alpha run %examples/diabetes_adam.mlir --interpret=shard --rounds 9 | tail -n 1 > nine
// RUN: alpha run %examples/diabetes_adam.mlir --interpret=shard --rounds 9 --resume y | tail -n 1 | diff nine -

// One file has the whole state, as --save writes it.
// RUN: alpha checkpoint export y all.safetensors | filecheck %s --check-prefix=EXPORT
// RUN: cmp state.safetensors all.safetensors
// EXPORT: {{^}}all.safetensors: version 7 of diabetes_adam; 5 fields, 32 words{{$}}

// Every field that differs has a row with its first word.
// RUN: not alpha checkpoint diff x/gen-6 y > differs
// RUN: filecheck %s --check-prefix=DIFFERS < differs
// DIFFERS: words that differ
// DIFFERS-NEXT: {{^}}  field     words  differing  first at  first {{ +}}bits {{ +}}second {{ +}}bits{{$}}
// DIFFERS-NEXT: {{^}}  w         10     10         [0]       {{[-0-9.e]+ +0x[0-9a-f]+ +[-0-9.e]+ +0x[0-9a-f]+}}{{$}}
// DIFFERS-NEXT: {{^}}  m         10     10         [0]
// DIFFERS-NEXT: {{^}}  v         10     10         [0]
// DIFFERS-NEXT: {{^}}  b1_power  1      1          []        0.5314410000000002 {{ +}}0x3fe101908e581cf9
// DIFFERS-NEXT: {{^}}  b2_power  1      1          []
// DIFFERS: {{^}}different: 32 words of 5 fields, versions 6 and 7{{$}}

// Optimizer state that a learner doesn't have can't be shared out.
// RUN: alpha run %examples/diabetes_sgd.mlir --interpret=shard --rounds 1 --checkpoint plain
// RUN: alpha checkpoint reshard plain shared --owners 2 --partition optimizer,parameters 2>&1 | filecheck %s --check-prefix=IDLE
// IDLE: {{^}}alpha: warning: plain/gen-1 has no optimizer state: none is shared out{{$}}
// IDLE-NEXT: {{^}}shared/gen-1: version 1 of diabetes_sgd; 2 owners, star{{$}}
// RUN: not alpha checkpoint diff x plain | filecheck %s --check-prefix=OTHERS
// OTHERS: parts of the learners that differ
// OTHERS: {{^}}  state m {{ +[0-9a-f]+}}  -{{$}}
// OTHERS: fields that one has, or with two types
// OTHERS: {{^}}  m         tensor<10xf64>  -{{$}}
// OTHERS: {{^}}different: 10 words of 1 field, versions 7 and 1, names of learners,

// The newest generations stay.
// RUN: alpha checkpoint prune x --keep 2 | filecheck %s --check-prefix=PRUNE
// PRUNE: {{^}}x/gen-3: removed{{$}}
// PRUNE-NEXT: {{^}}1 generation removed, 2 generations left{{$}}
// RUN: alpha checkpoint prune x --keep 2 | filecheck %s --check-prefix=NOTHING
// NOTHING: {{^}}0 generations removed, 2 generations left{{$}}
// RUN: ls x | filecheck %s --check-prefix=LEFT
// LEFT: {{^}}gen-6{{$}}
// LEFT-NEXT: {{^}}gen-7{{$}}
// LEFT-NOT: gen

// Or all up to a version.
// RUN: alpha checkpoint prune x --after 6 | filecheck %s --check-prefix=AFTER
// AFTER: {{^}}x/gen-7: removed{{$}}
// AFTER-NEXT: {{^}}1 generation removed, 1 generation left{{$}}
// RUN: not alpha checkpoint prune x --after 7 2>&1 | filecheck %s --check-prefix=NONE
// NONE: {{^}}alpha: error: [checkpoint-missing] expected a generation of version 7 in x, found none{{$}}

// Nothing is written into a generation, or under the name of one.
// RUN: not alpha checkpoint export x x/gen-6/manifest.json 2>&1 | filecheck %s --check-prefix=INTO
// INTO: {{^}}alpha: error: cannot write x/gen-6/manifest.json: it is in a generation, which is never changed{{$}}
// RUN: not alpha checkpoint export x x/gen-9 2>&1 | filecheck %s --check-prefix=NAMED
// NAMED: {{^}}alpha: error: cannot write x/gen-9: that is the name of a generation{{$}}

// Nothing is printed or made of a sharing that can't be.
// RUN: not alpha checkpoint reshard x z --owners 3 --map block 2>&1 | filecheck %s --check-prefix=MAP
// MAP: error: [target-unsupported] expected --partition with --map, found --map block alone
// RUN: not alpha checkpoint reshard x z --owners 3 --topology pair 2>&1 | filecheck %s --check-prefix=PAIR
// PAIR: error: [shard-owner-range] expected 2 owners in a pair, found 3
// RUN: not alpha checkpoint reshard x z --owners 2 --partition optimizer --map "[stride(0, 1, 4), stride(4, 1, 5)]" 2>&1 | filecheck %s --check-prefix=COVER
// COVER: error: [shard-coverage-missing] expected an owner for each of 10 coordinates of @m, found none for coordinate 9
// RUN: not alpha checkpoint reshard x z --owners 4097 2>&1 | filecheck %s --check-prefix=MANY
// MANY: error: [target-unsupported] expected at most 4096 owners of a generation, found 4097
// RUN: not ls z

// A command line that can't be understood says what it expected.
// RUN: python3 %S/../Inputs/status.py 2 alpha checkpoint 2>&1 | filecheck %s --check-prefix=ACTION
// ACTION: alpha checkpoint: error: the following arguments are required: ACTION
// RUN: python3 %S/../Inputs/status.py 2 alpha checkpoint reshard x z --owners 2 --partitions none 2>&1 | filecheck %s --check-prefix=NEAR
// NEAR: alpha: error: unrecognized arguments: --partitions{{.*}}; did you mean --partition?
// RUN: alpha checkpoint --help | filecheck %s --check-prefix=HELP
// HELP: usage: alpha checkpoint [-h] ACTION ...
// HELP: {{^}}  1    refused or invalid input, {{.*}}, or generations that differ{{$}}
