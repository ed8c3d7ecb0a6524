// A path names a generation, which has a manifest.json, or a folder with a whole one.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: not alpha checkpoint export x state.safetensors 2>&1 | filecheck %s --check-prefix=NOTHING
// NOTHING: {{^}}alpha: error: [checkpoint-missing] expected a generation at x, or a folder of generations, found no such file or folder{{$}}
// RUN: touch file && not alpha checkpoint export file state.safetensors 2>&1 | filecheck %s --check-prefix=FILE
// FILE: {{^}}alpha: error: [checkpoint-missing] expected a generation at file, or a folder of generations, found a file{{$}}
// RUN: mkdir empty && not alpha checkpoint export empty state.safetensors 2>&1 | filecheck %s --check-prefix=EMPTY
// EMPTY: {{^}}alpha: error: [checkpoint-missing] expected a generation at empty, or a folder of generations, found a folder without one{{$}}

// One that was begun and not finished is none.
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 4 --checkpoint x --checkpoint-every 2
// RUN: mkdir begun && mv x/gen-4 begun/.gen-4.0123456789abcdef
// RUN: not alpha checkpoint export begun state.safetensors 2>&1 | filecheck %s --check-prefix=BEGUN
// BEGUN: {{^}}alpha: error: [checkpoint-missing] expected a whole generation in begun, found none of 1{{$}}
// BEGUN-NEXT: {{^}}alpha: note: .gen-4.0123456789abcdef: [checkpoint-missing] expected a generation in begun/.gen-4.0123456789abcdef, found one that was begun and not finished{{$}}
// RUN: not alpha inspect begun 2>&1 | filecheck %s --check-prefix=LISTED
// LISTED: {{^}}  .gen-4.0123456789abcdef  4 {{ +}}[checkpoint-missing]
// LISTED: error: [checkpoint-missing] expected a whole generation in begun, found none of 1

// Old generations are removed from a folder of them.
// RUN: not alpha checkpoint prune none --keep 1 2>&1 | filecheck %s --check-prefix=PRUNE-NONE
// PRUNE-NONE: [checkpoint-missing] expected a folder of generations at none, found no such folder
// RUN: not alpha checkpoint prune file --keep 1 2>&1 | filecheck %s --check-prefix=PRUNE-FILE
// PRUNE-FILE: [checkpoint-missing] expected a folder of generations at file, found no folder
// RUN: not alpha checkpoint prune empty --keep 1 2>&1 | filecheck %s --check-prefix=PRUNE-EMPTY
// PRUNE-EMPTY: [checkpoint-missing] expected a folder of generations at empty, found a folder without one
// RUN: not alpha checkpoint prune x/gen-2 --keep 1 2>&1 | filecheck %s --check-prefix=PRUNE-ONE
// PRUNE-ONE: [checkpoint-missing] expected a folder of generations at x/gen-2, found one generation itself

// accepted: a folder with one that is whole, beside one that was never finished
// RUN: mv begun/.gen-4.0123456789abcdef x && alpha checkpoint export x state.safetensors
// RUN: alpha checkpoint prune x --keep 1

// A folder has a build or generations, or there is nothing to look at.
// RUN: not alpha inspect empty 2>&1 | filecheck %s --check-prefix=NEITHER
// RUN: not alpha inspect empty --verify 2>&1 | filecheck %s --check-prefix=NEITHER
// NEITHER: {{^}}alpha: error: [checkpoint-missing] expected a build, a generation or a folder of generations at empty, found a folder with neither{{$}}
