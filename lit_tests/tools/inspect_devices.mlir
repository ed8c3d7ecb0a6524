// The copies of roles for sm86 are printed, and the memory that they need; of other roles nothing is
// copied.
// RUN: alpha inspect %examples/diabetes_adam.mlir --partition optimizer --targets sm86,x86-64 | filecheck %s
// CHECK: {{^}}bytes copied between host and device, for each role for sm86{{$}}
// CHECK-NEXT: {{^}}  program   value             to      when         role 0  role 2{{$}}
// CHECK-NEXT: {{^}}  gradient  samples @data 0   device  once         21200   3520{{$}}
// CHECK-NEXT: {{^}}  gradient  samples @data 1   device  once         2120    352{{$}}
// CHECK-NEXT: {{^}}  gradient  %w                device  every round  80      80{{$}}
// CHECK-NEXT: {{^}}  gradient  result 0          host    every round  80      80{{$}}
// CHECK: {{^}}            places by cyclic  device  once         24      16{{$}}
// CHECK: {{^}}  adam      %m                device  once         24      16{{$}}
// CHECK: {{^}}  adam      %g                device  every round  24      16{{$}}
// CHECK: {{^}}  adam      result 0          host    every round  24      16{{$}}
// CHECK: {{^}}            @m is finite      host    every round  8       8{{$}}
// CHECK-NEXT: {{^}}            @m                host    when stored  24      16{{$}}
// CHECK: {{^}}bytes of each role on its device: copied, and memory that is enough{{$}}
// CHECK-NEXT: {{^}}  role  to the device once  every round  to the host every round  needed{{$}}
// CHECK-NEXT: {{^}}  0     {{[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+}}{{$}}
// CHECK-NEXT: {{^}}  2     {{[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+}}{{$}}

// Where all roles are shown, the first eight are.
// RUN: alpha inspect %examples/diabetes_adam.mlir --owners 20 --targets sm86,sm86,aarch64 | filecheck %s --check-prefix=MANY
// MANY: {{^}}  program   value            to      when         role 0  role 1  role 3  role 4  role 6  role 7  role 9  role 10{{$}}
// MANY: {{^}}and 6 more roles for sm86{{$}}

// RUN: alpha inspect %examples/diabetes_adam.mlir --owners 1 --targets x86-64,sm86 | filecheck %s --check-prefix=NONE
// NONE: {{^}}no role of 1 is for sm86{{$}}

// RUN: not alpha inspect %examples/diabetes_adam.mlir --targets x86-64 2>&1 | filecheck %s --check-prefix=OTHER
// OTHER: {{^}}alpha: error: [target-unsupported] expected roles for sm86 among --targets, which copy words to a device, found x86-64{{$}}
// RUN: not alpha inspect %examples/linear_predictor.mlir --targets sm86 2>&1 | filecheck %s --check-prefix=LEARNER
// LEARNER: {{^}}alpha: error: [target-unsupported] expected no --targets with a learner, which has no owners, found --targets{{$}}
// RUN: alpha inspect %examples/linear_predictor.mlir --owners 1 --targets sm86 | filecheck %s --check-prefix=OWNER
// OWNER: {{^}}bytes copied between host and device, for each role for sm86{{$}}
// RUN: not alpha inspect %examples/diabetes_adam.mlir --targets sm86,mips 2>&1 | filecheck %s --check-prefix=MIPS
// MIPS: {{^}}alpha: error: [target-unsupported] expected some of the targets x86-64, aarch64, sm86, found 'mips'{{$}}
