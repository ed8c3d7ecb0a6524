// Pictures of a learner's protocol, in files or on stdout; the tables aren't printed.
// RUN: alpha inspect %examples/least_squares_adam.mlir --svg %t.svg --dot %t.dot | filecheck %s --check-prefix=SAID
// SAID:      {{^}}{{.*}}.dot: topology and schedule of @least_squares_adam: 4 roles, star{{$}}
// SAID-NEXT: {{^}}{{.*}}.svg: one round of @least_squares_adam: 4 roles, star{{$}}
// SAID-NOT:  {{.}}
// RUN: alpha-translate --emit-dot %examples/least_squares_adam.mlir | diff %t.dot -
// RUN: alpha inspect --svg - %examples/least_squares_adam.mlir | diff %t.svg -
// RUN: filecheck %s --input-file %t.svg --check-prefix=SVG
// SVG:      <?xml version="1.0" encoding="UTF-8"?>
// SVG-NEXT: <svg xmlns="http://www.w3.org/2000/svg" version="1.1"
// SVG:      <title>One round of @least_squares_adam: 4 roles, star</title>
// SVG:      <desc>Messages from first to last: site {{[0-9]+}}: role 1 to role 0, reduce part 1{{.*}}, 2 samples, 4 words of f64{{.*}};
// SVG:      >role 0</text>
// SVG:      >1 of 6 samples of data</text>
// SVG:      >one round</text>
// SVG:      >contribute @gradient</text>
// SVG:      >update @adam</text>
// SVG:      >publish</text>
// SVG:      </svg>

// Flags distribute the learner first, and what that changes is remarked.
// RUN: alpha inspect %examples/least_squares_adam.mlir --owners 20 --partition optimizer --svg %t.many.svg 2>&1 | filecheck %s --check-prefix=MANY
// MANY: warning: the bits change
// MANY: .many.svg: one round of @least_squares_adam: 20 roles, star
// RUN: filecheck %s --input-file %t.many.svg --check-prefix=OTHERS
// OTHERS: >12 other roles</text>
// OTHERS: >What the other roles do by themselves and among each other isn't drawn.</text>

// A protocol of none, and one that is projected; all that a picture needs is in the text.
// RUN: printf 'protocol.global @g group #protocol.group<universe = 1, epoch = 0, id = "", stride(0, 1, 1)> {\n}\n' | alpha inspect - --svg - | filecheck %s --check-prefix=ALONE
// ALONE: <title>@g: 1 role</title>
// ALONE-NEXT: <desc>Messages from first to last: none.</desc>
// RUN: alpha-opt --lower-shard-to-protocol="rounds=7" --project-role="role=1,2" %examples/least_squares_adam.mlir -o %t.mlir
// RUN: alpha inspect %t.mlir --svg - | filecheck %s --check-prefix=ROLES
// ROLES: >repeat 7 times</text>
// ROLES: >The programs of roles 0, 3 aren't in the module; of what they do, frames from and to others are drawn.</text>

// What doesn't go together is said, and nothing is written.
// RUN: rm -f %t.none
// RUN: not alpha inspect %t.mlir --svg %t.none --owners 3 2>&1 | filecheck %s --check-prefix=OWNERS
// OWNERS: alpha: error: [target-unsupported] expected no flags that make another protocol, found --owners with the programs of roles
// RUN: not alpha inspect %examples/least_squares_adam.mlir --svg %t.none --against %t.mlir 2>&1 | filecheck %s --check-prefix=AGAINST
// AGAINST: alpha: error: --svg draws one protocol, so --against can't be given
// RUN: not alpha inspect %examples/least_squares_adam.mlir --svg %t.none --targets sm86 2>&1 | filecheck %s --check-prefix=TARGETS
// TARGETS: alpha: error: --svg draws one protocol, so --targets can't be given
// RUN: not alpha inspect %examples/least_squares_adam.mlir --svg - --dot - 2>&1 | filecheck %s --check-prefix=BOTH
// BOTH: alpha: error: --dot and --svg can't both be written to stdout
// RUN: not alpha inspect %examples/linear_predictor.mlir --svg %t.none 2>&1 | filecheck %s --check-prefix=UNDECLARED
// UNDECLARED: linear_predictor.mlir:7:1: error: [shard-owners-undeclared]
// RUN: not alpha inspect %examples/least_squares_adam.mlir --svg 2>&1 | filecheck %s --check-prefix=BARE
// BARE: alpha inspect: error: argument --svg: expected one argument
// RUN: not alpha inspect %examples/least_squares_adam.mlir --svg %t.none --owners 5000 --dot %t.other 2>&1 | filecheck %s --check-prefix=WIDE
// WIDE: [target-unsupported] expected a picture of roles with at most 4096 children, found role 0 with 4999
// RUN: not ls %t.none
// RUN: not alpha inspect %examples/least_squares_adam.mlir --svg %t.folder/x.svg 2>&1 | filecheck %s --check-prefix=FOLDER
// FOLDER: alpha: error: cannot write {{.*}}x.svg: there is no folder
