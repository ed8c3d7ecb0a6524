// What can't be is refused before anything is built or started, also where a build is taken again.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: alpha build %examples/least_squares_adam.mlir -o built
// RUN: printf '[hosts.one]\nroles = [4]\n' > strange.toml
// RUN: not alpha build %examples/least_squares_adam.mlir -o other --deployment strange.toml 2>&1 | filecheck %s --check-prefix=STRANGE
// RUN: not alpha run %examples/least_squares_adam.mlir --deployment strange.toml 2>&1 | filecheck %s --check-prefix=STRANGE
// RUN: not alpha run built --deployment strange.toml 2>&1 | filecheck %s --check-prefix=STRANGE
// STRANGE: {{^}}strange.toml:2:10: error: [deployment-role] expected some of the 4 roles 0, 1, 2, 3 of the run, found role 4{{$}}
// RUN: not ls other

// A level that is interpreted has no hosts.
// RUN: printf '[hosts.one]\nroles = [0]\n' > hosts.toml
// RUN: not alpha run %examples/least_squares_adam.mlir --interpret=shard --deployment hosts.toml 2>&1 | filecheck %s --check-prefix=LEVEL
// LEVEL: {{^}}alpha: error: [target-unsupported] expected native programs with --deployment, found --interpret=shard{{$}}

// Files that aren't there, and one that is an input.
// RUN: python3 %S/../Inputs/status.py 5 alpha run built --deployment none.toml 2>&1 | filecheck %s --check-prefix=NONE
// NONE: {{^}}alpha: error: cannot read none.toml: No such file or directory{{$}}
// RUN: printf 'transport = "ssh-tunnel"\n[hosts.left]\nroles = [0]\nssh = "left.example.org"\nidentity_file = "key"\n' > key.toml
// RUN: python3 %S/../Inputs/status.py 5 alpha run built --deployment key.toml 2>&1 | filecheck %s --check-prefix=KEY
// KEY: {{^}}alpha: error: cannot read {{.*}}/key, which is hosts.left.identity_file of key.toml: No such file or directory{{$}}
// RUN: python3 %S/../Inputs/status.py 5 alpha run built --deployment hosts.toml --metrics hosts.toml 2>&1 | filecheck %s --check-prefix=INPUT
// INPUT: {{^}}alpha: error: cannot write hosts.toml: it is an input of this run{{$}}

// A host that nobody reaches.
// RUN: printf 'transport = "ssh-tunnel"\n[hosts.left]\nroles = [1]\nssh = "127.0.0.1"\nport = 1\nconfig_file = "/dev/null"\n' > left.toml
// RUN: python3 %S/../Inputs/status.py 5 alpha run built --deployment left.toml 2>&1 | filecheck %s --check-prefix=LEFT
// LEFT: {{^}}alpha: error: cannot reach host left: ssh: connect to host 127.0.0.1 port 1: Connection refused{{$}}

// accepted
// RUN: alpha run built --deployment hosts.toml | filecheck %s --check-prefix=ACCEPTED
// ACCEPTED: state sha256:
