// A generation is never replaced, whoever would write another one.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 2 --checkpoint x
// RUN: not alpha checkpoint reshard x x --owners 2 2>&1 | filecheck %s --check-prefix=SAME
// SAME: {{^}}alpha: error: [checkpoint-exists] expected no generation of version 2 in x, found x/gen-2{{$}}
// RUN: not alpha checkpoint reshard x x/gen-2 --owners 2 2>&1 | filecheck %s --check-prefix=INSIDE
// INSIDE: {{^}}alpha: error: [checkpoint-exists] expected a folder of generations at {{.*}}x/gen-2, found one generation itself{{$}}
// RUN: not alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 3 --checkpoint x/gen-2 --resume x 2>&1 | filecheck %s --check-prefix=INSIDE

// No history goes on behind another one.
// RUN: not alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 3 --checkpoint x 2>&1 | filecheck %s --check-prefix=NEW
// NEW: {{^}}alpha: error: [checkpoint-exists] expected no generation in {{.*}}x, or --resume to go on from the newest, found {{.*}}x/gen-2{{$}}

// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 4 --checkpoint x --resume x
// RUN: not alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 5 --checkpoint x --resume x/gen-2 2>&1 | filecheck %s --check-prefix=LATER
// LATER: {{^}}alpha: error: [checkpoint-exists] expected no generation in {{.*}}x that is later than version 2, found {{.*}}x/gen-4{{$}}
// LATER-NEXT: {{^}}alpha: note: alpha checkpoint prune {{.*}}x --after 2 removes what is later{{$}}
// RUN: alpha checkpoint prune x --after 2

// Nor beside that of another learner, nor in a generation.
// RUN: alpha run %examples/diabetes_adam.mlir --interpret=shard --rounds 1 --checkpoint other
// RUN: not alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 3 --checkpoint other --resume x --keep 1 2>&1 | filecheck %s --check-prefix=OTHER
// OTHER: {{^}}alpha: error: [checkpoint-exists] expected no generation of another learner in {{.*}}other, found {{.*}}other/gen-1 of diabetes_adam{{$}}
// RUN: not alpha checkpoint reshard x x/gen-2/sub --owners 2 2>&1 | filecheck %s --check-prefix=SUB
// SUB: {{^}}alpha: error: [checkpoint-exists] expected a folder of generations at x/gen-2/sub, found a folder in the generation {{.*}}x/gen-2{{$}}

// accepted: in another folder, or as what follows
// RUN: alpha checkpoint reshard x y --owners 2
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 3 --checkpoint x --resume x
