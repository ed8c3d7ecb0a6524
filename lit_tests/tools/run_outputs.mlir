// What a run reads isn't written by it, and no file is written twice; both are known before it runs.
// RUN: rm -rf %t && mkdir -p %t/data && cd %t/data
// RUN: python3 %S/Inputs/make_samples.py && cd %t
// RUN: python3 %S/Inputs/replace_samples.py %examples/least_squares_adam.mlir '"data/x.npy", "data/y.npy"' > learner.mlir
// RUN: cp learner.mlir kept.mlir
// RUN: cp data/x.npy kept.npy
// RUN: ln -s learner.mlir link.mlir && ln data/x.npy hard.npy

// RUN: not alpha run learner.mlir --interpret --save learner.mlir 2>&1 | filecheck %s --check-prefix=LEARNER
// RUN: not alpha run learner.mlir --interpret --metrics ./learner.mlir 2>&1 | filecheck %s --check-prefix=LEARNER
// RUN: not alpha run link.mlir --interpret --metrics learner.mlir 2>&1 | filecheck %s --check-prefix=LEARNER
// RUN: not alpha run - --interpret --metrics learner.mlir < learner.mlir 2>&1 | filecheck %s --check-prefix=LEARNER
// LEARNER: {{^}}alpha: error: cannot write {{(./)?}}learner.mlir: it is an input of this run{{$}}
// LEARNER-NOT: {{.}}
// RUN: not alpha run learner.mlir --interpret --metrics data/x.npy 2>&1 | filecheck %s --check-prefix=DATA
// RUN: not alpha run learner.mlir --interpret --save hard.npy 2>&1 | filecheck %s --check-prefix=DATA
// DATA: {{^}}alpha: error: cannot write {{data/x|hard}}.npy: it is an input of this run{{$}}
// RUN: diff kept.mlir learner.mlir && diff kept.npy data/x.npy

// RUN: not alpha run learner.mlir --interpret --metrics out --save data/../out 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: touch there && not alpha run learner.mlir --interpret --metrics there --save %t/there 2>&1 | filecheck %s --check-prefix=TWICE
// TWICE: {{^}}alpha: error: cannot write {{.*}}{{out|there}}: it is named twice{{$}}
// RUN: not ls out

// Two files of their own, and a device that both may be sent to.
// RUN: alpha run learner.mlir --interpret --metrics one --save two && ls one two
// RUN: alpha run - --interpret --metrics /dev/null --save /dev/null < learner.mlir

// A picture replaces neither the module nor its data, by whatever name, nor the other picture.
// RUN: not alpha inspect learner.mlir --svg learner.mlir 2>&1 | filecheck %s --check-prefix=LEARNER
// RUN: not alpha inspect link.mlir --dot ./learner.mlir 2>&1 | filecheck %s --check-prefix=LEARNER
// RUN: not alpha inspect - --svg learner.mlir < learner.mlir 2>&1 | filecheck %s --check-prefix=LEARNER
// RUN: not alpha inspect learner.mlir --svg hard.npy 2>&1 | filecheck %s --check-prefix=DATA
// RUN: not alpha inspect learner.mlir --svg out --dot data/../out 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: not alpha inspect learner.mlir --dot out --svg %t 2>&1 | filecheck %s --check-prefix=FOLDER
// FOLDER: {{^}}alpha: error: cannot write {{.*}}: it is a folder{{$}}
// RUN: not ls out

// A translation replaces neither either. alpha-opt writes IR for IR, so also in place; but not over
// the data of a learner.
// RUN: not alpha-translate --emit-dot learner.mlir -o link.mlir 2>&1 | filecheck %s --check-prefix=TRANSLATE
// RUN: not alpha-translate --emit-dot - -o learner.mlir < learner.mlir 2>&1 | filecheck %s --check-prefix=TRANSLATE
// RUN: not alpha-translate --emit-dot learner.mlir -o hard.npy 2>&1 | filecheck %s --check-prefix=TRANSLATE
// TRANSLATE: {{^}}alpha-translate: error: cannot write {{link.mlir|learner.mlir|hard.npy}}: it is an input of this run{{$}}
// RUN: not alpha-opt learner.mlir -o data/x.npy 2>&1 | filecheck %s --check-prefix=OPT
// OPT: {{^}}alpha-opt: error: cannot write data/x.npy: it is an input of this run{{$}}
// RUN: diff kept.mlir learner.mlir && diff kept.npy data/x.npy
// RUN: alpha-opt learner.mlir > printed.mlir && alpha-opt learner.mlir -o learner.mlir && diff printed.mlir learner.mlir
