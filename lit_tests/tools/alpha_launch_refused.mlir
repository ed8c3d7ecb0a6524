// What can't be launched is refused before anything is written.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: alpha build %examples/least_squares_adam.mlir -o built
// RUN: python3 %S/../Inputs/status.py 2 alpha launch built 2>&1 | filecheck %s --check-prefix=WHAT
// WHAT: {{^}}alpha: error: alpha launch takes --engine or --collect{{$}}
// RUN: python3 %S/../Inputs/status.py 2 alpha launch built --engine pbs 2>&1 | filecheck %s --check-prefix=ENGINE
// ENGINE: alpha launch: error: argument --engine: invalid choice: 'pbs' (choose from {{'?}}slurm{{'?}}, {{'?}}kubernetes{{'?}})
// RUN: python3 %S/../Inputs/status.py 2 alpha launch built --engine slurm --collect 2>&1 | filecheck %s --check-prefix=BOTH
// BOTH: error: argument --collect: not allowed with argument --engine
// RUN: python3 %S/../Inputs/status.py 2 alpha launch built --engine slurm "--option=--comment=a b" 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error: argument --option: expected an option of sbatch such as --partition=short, got '--comment=a b'
// RUN: python3 %S/../Inputs/status.py 2 alpha launch built --engine slurm --name Adam 2>&1 | filecheck %s --check-prefix=NAME
// NAME: error: argument --name: expected at most 40 small letters, digits and dashes, a letter first and no dash last, got 'Adam'
// RUN: python3 %S/../Inputs/status.py 2 alpha launch built --engine slurm --first-port 0 2>&1 | filecheck %s --check-prefix=PORT
// PORT: error: argument --first-port: expected a port from 1 to 65535, got '0'
// RUN: python3 %S/../Inputs/status.py 2 alpha launch built --engine kubernetes --image "a b" 2>&1 | filecheck %s --check-prefix=IMAGE
// IMAGE: error: argument --image: expected the name of an image such as registry.example/alpha:1, got 'a b'
// RUN: python3 %S/../Inputs/status.py 2 alpha launch built --engine kubernetes --claim A 2>&1 | filecheck %s --check-prefix=CLAIM
// CLAIM: error: argument --claim: expected the name of a claim on a volume, of small letters, digits, dashes and points, got 'A'

// RUN: not alpha launch built --engine slurm --image i 2>&1 | filecheck %s --check-prefix=OTHER
// OTHER: {{^}}alpha: error: [target-unsupported] expected --engine kubernetes with --image, found --engine slurm{{$}}
// RUN: not alpha launch built --engine kubernetes --image i --claim c --follow 2>&1 | filecheck %s --check-prefix=FOLLOW
// FOLLOW: {{^}}alpha: error: [target-unsupported] expected --engine slurm with --follow, found --engine kubernetes{{$}}
// RUN: not alpha launch built --engine kubernetes --image i 2>&1 | filecheck %s --check-prefix=NO-CLAIM
// NO-CLAIM: {{^}}alpha: error: [target-unsupported] expected --claim with --engine kubernetes, found none{{$}}
// RUN: not alpha launch built --engine slurm --follow --no-submit 2>&1 | filecheck %s --check-prefix=SUBMIT
// SUBMIT: {{^}}alpha: error: [target-unsupported] expected a job that is submitted, with --follow, found --no-submit{{$}}
// RUN: not alpha launch built --engine slurm --save s 2>&1 | filecheck %s --check-prefix=SAVE
// SAVE: {{^}}alpha: error: [target-unsupported] expected --collect or --follow with --save, found --engine slurm alone{{$}}
// RUN: not alpha launch built --collect -o run 2>&1 | filecheck %s --check-prefix=COLLECT
// COLLECT: {{^}}alpha: error: [target-unsupported] expected --engine with -o, found --collect{{$}}
// RUN: not alpha launch built --collect --no-submit 2>&1 | filecheck %s --check-prefix=COLLECTS
// COLLECTS: {{^}}alpha: error: [target-unsupported] expected --engine with --no-submit, found --collect{{$}}
// RUN: not alpha launch built --engine slurm --no-submit --first-port 65534 2>&1 | filecheck %s --check-prefix=PORTS
// PORTS: {{^}}alpha: error: [target-unsupported] expected ports for 3 edges, each another one, from 65534 on, found 2, as the last is 65535{{$}}
// RUN: python3 %S/../Inputs/status.py 5 alpha launch none --engine slurm 2>&1 | filecheck %s --check-prefix=NONE
// NONE: {{^}}alpha: error: cannot read none/run.json: No such file or directory{{$}}
// RUN: python3 %S/../Inputs/status.py 5 alpha launch built --engine slurm -o built/ 2>&1 | filecheck %s --check-prefix=SELF
// SELF: {{^}}alpha: error: cannot write built/: it is the build that is launched{{$}}
// RUN: mkdir letters && touch letters/dear
// RUN: python3 %S/../Inputs/status.py 5 alpha launch built --engine slurm -o letters 2>&1 | filecheck %s --check-prefix=LETTERS
// LETTERS: {{^}}alpha: error: cannot write letters: it holds dear, which no launch has written{{$}}
// RUN: python3 %S/../Inputs/status.py 5 alpha launch built --engine slurm -o no/where 2>&1 | filecheck %s --check-prefix=PARENT
// PARENT: {{^}}alpha: error: cannot write no/where: there is no folder {{.*}}no{{$}}
// RUN: mkdir empty
// RUN: python3 %S/../Inputs/status.py 5 alpha launch --collect empty 2>&1 | filecheck %s --check-prefix=EMPTY
// EMPTY: {{^}}alpha: error: cannot collect empty: no job has left results in it{{$}}
// RUN: not ls built.slurm built.kubernetes

// accepted: the same flags, each with what it belongs to
// RUN: alpha launch built --engine slurm --no-submit --option=--comment=ab --name adam --first-port 65533 -o empty | filecheck %s --check-prefix=ACCEPTED
// RUN: alpha launch built --engine kubernetes --no-submit --image i --claim c --first-port 65533 -o other/ | filecheck %s --check-prefix=ACCEPTED
// ACCEPTED: {{^}}launch least_squares_adam: 4 roles: {{empty/job.sh|other/job.yaml$}}

// RUN: echo >> built/role-1
// RUN: not alpha launch built --engine slurm --no-submit -o changed 2>&1 | filecheck %s --check-prefix=DIFFERS
// DIFFERS: role-1:1:1: error: [build-file-differs] expected the {{[0-9]+}} bytes of sha256:
// RUN: not ls changed
