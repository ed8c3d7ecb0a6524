// Roles on two machines that are connected directly have addresses that reach from one to another,
// and executables are built for them.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: printf '[hosts.left]\nroles = [1]\nssh = "left.example.org"\n' > none.toml
// RUN: not alpha build %examples/least_squares_adam.mlir -o out --deployment none.toml 2>&1 | filecheck %s --check-prefix=NONE
// NONE: {{^}}none.toml:1:1: error: [deployment-address] expected an address of role 0 that its peer 1 on left can reach, found 127.0.0.1, where roles are that no host has{{$}}
// NONE-NEXT: note: transport = "ssh-tunnel" needs no addresses
// RUN: printf '[hosts.here]\nroles = [1]\naddress = "127.0.0.2"\n' > here.toml
// RUN: alpha build %examples/least_squares_adam.mlir -o plain
// RUN: not alpha run plain --deployment here.toml 2>&1 | filecheck %s --check-prefix=PLAIN
// PLAIN: {{^}}here.toml:2:10: error: [deployment-address] expected role 1 at 127.0.0.1, which plain is built for, found 127.0.0.2{{$}}
// PLAIN-NEXT: note: alpha build --deployment makes executables for the addresses of a file

// accepted: through tunnels without addresses, and a folder that is built for its addresses
// RUN: printf 'transport = "ssh-tunnel"\n[hosts.left]\nroles = [1]\nssh = "left.example.org"\n' > tunnel.toml
// RUN: alpha build %examples/least_squares_adam.mlir -o tunnelled --deployment tunnel.toml && diff -r plain tunnelled
// RUN: alpha build %examples/least_squares_adam.mlir -o built --deployment here.toml
// RUN: alpha run built --deployment here.toml | filecheck %s --check-prefix=ACCEPTED
// ACCEPTED: state sha256:
