// A deployment file gives hosts to roles. A host without ssh is this machine, at an address of its
// own; where no host has a role, it is on this machine, on the loopback address.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: printf '[hosts.one]\nroles = [0]\naddress = "127.0.0.2"\n[hosts.two]\nroles = ["2-3"]\naddress = "127.0.0.3"\n' > hosts.toml
// RUN: alpha run %examples/least_squares_adam.mlir --rounds 5 --interpret=shard | tail -n 1 > wanted
// RUN: alpha run %examples/least_squares_adam.mlir --rounds 5 --deployment hosts.toml > told
// RUN: tail -n 1 told | diff wanted -
// RUN: filecheck %s --check-prefix=TOLD < told
// TOLD: {{^}}learner least_squares_adam: {{.*}}; 4 roles, star, native for {{[^;]*}}{{$}}

// The addresses are compiled in, and a role that is interpreted is told them.
// RUN: alpha build %examples/least_squares_adam.mlir -o built --rounds 5 --deployment hosts.toml
// RUN: alpha inspect built | filecheck %s --check-prefix=INSPECT
// INSPECT: {{^}}  0  {{.*}}  127.0.0.2  1, 2, 3{{$}}
// INSPECT-NEXT: {{^}}  1  {{.*}}  127.0.0.1  0{{$}}
// INSPECT-NEXT: {{^}}  2  {{.*}}  127.0.0.3  0{{$}}
// INSPECT-NEXT: {{^}}  3  {{.*}}  127.0.0.3  0{{$}}
// RUN: alpha run built --deployment hosts.toml | tail -n 1 | diff wanted -
// RUN: alpha run built | tail -n 1 | diff wanted -
// RUN: alpha run %examples/least_squares_adam.mlir --rounds 5 --roles-interpreted 0,2 --deployment hosts.toml | tail -n 1 | diff wanted -

// A build follows from the addresses of a file, and from nothing else in it; what was built for
// others isn't taken again.
// RUN: alpha build %examples/least_squares_adam.mlir -o plain --rounds 5
// RUN: not cmp plain/role-0 built/role-0
// RUN: not cmp plain/role-1 built/role-1
// RUN: printf '[hosts.three]\nroles = ["0-3"]\n' > same.toml
// RUN: alpha build %examples/least_squares_adam.mlir -o same --rounds 5 --deployment same.toml && diff -r plain same
// RUN: printf '# as before\n[hosts.a]\nroles = [0]\naddress = "127.0.0.2"\n[hosts.b]\nroles = [2, 3]\naddress = "127.0.0.3"\n' > again.toml
// RUN: alpha build %examples/least_squares_adam.mlir -o again --rounds 5 --deployment again.toml && diff -r built again
// RUN: alpha run --help | filecheck %s --check-prefix=HELP
// RUN: alpha build --help | filecheck %s --check-prefix=HELP
// HELP: --deployment FILE
