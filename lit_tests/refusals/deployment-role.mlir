// Each role that a deployment file names is one of the run, and on one host.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: printf '[hosts.one]\nroles = ["0-1"]\n[hosts.two]\nroles = [2, 1]\n' > twice.toml
// RUN: not alpha run %examples/least_squares_adam.mlir --deployment twice.toml 2>&1 | filecheck %s --check-prefix=TWICE
// TWICE: {{^}}twice.toml:4:13: error: [deployment-role] expected each role on one host, found role 1 again{{$}}
// TWICE-NEXT: {{^}}twice.toml:2:10: note: it is hosts.one.roles[0] first{{$}}
// RUN: printf '[hosts.one]\nroles = ["0-1"]\n[hosts.two]\nroles = [2, 4]\n' > strange.toml
// RUN: not alpha run %examples/least_squares_adam.mlir --deployment strange.toml 2>&1 | filecheck %s --check-prefix=STRANGE
// STRANGE: {{^}}strange.toml:4:13: error: [deployment-role] expected some of the 4 roles 0, 1, 2, 3 of the run, found role 4{{$}}
// RUN: printf 'transport = "ssh-tunnel"\n[hosts.one]\nroles = [2]\nssh = "one.example.org"\n' > there.toml
// RUN: not alpha run %examples/least_squares_adam.mlir --deployment there.toml --roles-interpreted 1,2 2>&1 | filecheck %s --check-prefix=THERE
// THERE: {{^}}there.toml:3:10: error: [deployment-role] expected role 2, which is to be interpreted, on this machine, found it on one{{$}}

// accepted: roles of the run, once each, on this machine
// RUN: printf '[hosts.one]\nroles = ["0-1"]\n[hosts.two]\nroles = [2]\n' > good.toml
// RUN: alpha run %examples/least_squares_adam.mlir --deployment good.toml | filecheck %s --check-prefix=ACCEPTED
// ACCEPTED: state sha256:
