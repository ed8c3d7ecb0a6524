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
