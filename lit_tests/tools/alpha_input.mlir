// What can't be read is said so, with the file and the reason; what is read is bounded.
// RUN: not alpha verify %S 2>&1 | filecheck %s --check-prefix=FOLDER
// FOLDER: {{^}}alpha: error: cannot read {{.*}}tools: Is a directory{{$}}
// RUN: not alpha inspect %t.absent 2>&1 | filecheck %s --check-prefix=ABSENT
// ABSENT: {{^}}alpha: error: cannot read {{.*}}.absent: No such file or directory{{$}}
// RUN: not alpha inspect %examples/least_squares_adam.mlir --against %t.absent 2>&1 | filecheck %s --check-prefix=ABSENT

// Without a bound this would be read until no memory is left.
// RUN: not alpha inspect /dev/zero 2>&1 | filecheck %s --check-prefix=ENDLESS
// ENDLESS: {{^}}/dev/zero:1:1: error: [source-size-limit] expected a text of at most 67,108,864 bytes, found more{{$}}
// RUN: not alpha run - --interpret < /dev/zero 2>&1 | filecheck %s --check-prefix=STDIN
// STDIN: {{^}}<stdin>:1:1: error: [source-size-limit] expected a text of at most 67,108,864 bytes, found more{{$}}

// A refusal shows its line of the source, also of standard input.
// RUN: printf 'region.learner @half\n  ?\n' | not alpha inspect - 2>&1 | filecheck %s --check-prefix=LINE
// LINE:      {{^}}<stdin>:2:3: error: [source-syntax]
// LINE-NEXT: {{^}}  ?{{$}}
// LINE-NEXT: {{^}}  ^{{$}}
