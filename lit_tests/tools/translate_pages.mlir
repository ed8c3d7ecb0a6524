// The pages of alpha-translate; what isn't built is marked, and nothing else is.
// RUN: alpha-translate --help | filecheck %s
// RUN: alpha-translate --version | filecheck %s --check-prefix=VERSION

// CHECK:      {{^}}usage: alpha-translate --emit-TARGET
// CHECK:      {{^}}  --emit-x86 {{ *}}x86-64 assembly{{$}}
// CHECK-NEXT: {{^}}  --emit-aarch64 {{ *}}AArch64 assembly{{$}}
// CHECK-NEXT: {{^}}  --emit-ptx {{ *}}PTX for an NVIDIA GPU{{$}}
// CHECK-NEXT: {{^}}  --emit-dot {{ *}}the topology and the schedule of a protocol, for Graphviz{{$}}
// CHECK-NEXT: {{^}}  --role N {{ *}}the program of one role, 0 to n-1; of a graph, its schedule{{$}}
// CHECK-NOT:  planned
// CHECK:      {{^}}exit status:{{$}}
// CHECK-NEXT: {{^}}  0    done{{$}}
// CHECK-NEXT: {{^}}  1    refused or invalid input, a file that can't be read or written, or no memory left{{$}}
// CHECK-NEXT: {{^}}  2    a command line that can't be understood{{$}}
// VERSION: {{^}}alpha-translate {{[0-9]+\.[0-9]+\.[0-9]+}} (xDSL 0.75.0){{$}}
