// A metrics file that can't be written is a failure of output, before anything is printed.
// RUN: python3 %S/../Inputs/status.py 5 alpha run %examples/partitioned_regression.mlir --interpret --metrics %t.absent/metrics > %t.out 2> %t.err
// RUN: filecheck %s < %t.err
// CHECK: {{^}}alpha: error: cannot write {{.*}}.absent/metrics: there is no folder {{.*}}.absent{{$}}
// RUN: test ! -s %t.out
