// The files of a folder of executables are those that its run.json describes, byte for byte.
// RUN: rm -rf %t && alpha build %examples/diabetes_sgd.mlir -o %t
// RUN: cp %t/role-1 %t.kept && printf x >> %t/role-1
// RUN: not alpha inspect %t 2>&1 | filecheck %s --check-prefix=LONGER
// LONGER: {{^}}{{.*}}role-1:1:1: error: [build-file-differs] expected the {{[0-9]+}} bytes of sha256:{{[0-9a-f]+}} that run.json describes, found {{[0-9]+}} bytes of sha256:
// RUN: cp %t.kept %t/role-1
// RUN: cp %t/role-0.data %t.kept && printf x | dd of=%t/role-0.data conv=notrunc status=none
// RUN: not alpha inspect %t 2>&1 | filecheck %s --check-prefix=DATA
// DATA: role-0.data:1:1: error: [build-file-differs]

// accepted: as they were written
// RUN: cp %t.kept %t/role-0.data && alpha inspect %t | filecheck %s --check-prefix=WRITTEN
// WRITTEN: build diabetes_sgd: 4 roles
