// A deployment file is TOML with keys that there are; what would change nothing is refused, too.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: printf '[hosts.left]\nroles = [1]\nssh = "-oProxyCommand=x"\n' > ssh.toml
// RUN: not alpha build %examples/least_squares_adam.mlir -o out --deployment ssh.toml 2>&1 | filecheck %s --check-prefix=SSH
// SSH: {{^}}ssh.toml:3:7: error: [deployment-file] expected hosts.left.ssh to be the name or the address of a host, found '-oProxyCommand=x'{{$}}
// RUN: printf '[hosts.left]\nroles = [1\n' > open.toml
// RUN: not alpha build %examples/least_squares_adam.mlir -o out --deployment open.toml 2>&1 | filecheck %s --check-prefix=OPEN
// OPEN: {{^}}open.toml:3:1: error: [deployment-file] expected TOML, found Unclosed array at the end{{$}}
// RUN: printf '[hosts.left]\nroles = [1]\nport = 22\n' > port.toml
// RUN: not alpha build %examples/least_squares_adam.mlir -o out --deployment port.toml 2>&1 | filecheck %s --check-prefix=PORT
// PORT: {{^}}port.toml:3:8: error: [deployment-file] expected hosts.left.ssh with hosts.left.port, found a host without it, which is this machine{{$}}

// accepted: the name of a host
// RUN: printf 'transport = "ssh-tunnel"\n[hosts.left]\nroles = [1]\nssh = "left.example.org"\nport = 22\n' > good.toml
// RUN: alpha build %examples/least_squares_adam.mlir -o out --deployment good.toml | filecheck %s --check-prefix=ACCEPTED
// ACCEPTED: build least_squares_adam: 4 roles
