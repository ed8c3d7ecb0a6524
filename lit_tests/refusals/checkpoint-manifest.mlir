// What a manifest can't be is refused at its place in the file.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 2 --checkpoint x
// RUN: cp x/gen-2/manifest.json kept.json
// RUN: sed 's/"version": 2/"version": 3/' kept.json > x/gen-2/manifest.json
// RUN: not alpha inspect x/gen-2 2>&1 | filecheck %s --check-prefix=VERSION
// VERSION: {{^}}x/gen-2/manifest-1.json:3:13: error: [checkpoint-manifest] expected version to be 3, as in manifest.json, found 2{{$}}
// RUN: sed 's/"owners": 4/"owners": 5/' kept.json > x/gen-2/manifest.json
// RUN: not alpha inspect x/gen-2 2>&1 | filecheck %s --check-prefix=OWNERS
// OWNERS: {{^}}x/gen-2/manifest.json:{{[0-9]+:[0-9]+}}: error: [checkpoint-manifest] expected a manifest of each of 5 roles, found none of role 4{{$}}
// RUN: sed 's/shard-0.safetensors/..\/shard-0.safetensors/' kept.json > x/gen-2/manifest.json
// RUN: not alpha inspect x/gen-2 2>&1 | filecheck %s --check-prefix=NAME
// NAME: {{^}}x/gen-2/manifest.json:{{[0-9]+:[0-9]+}}: error: [checkpoint-manifest] expected shard.file to be shard-0.safetensors, found "../shard-0.safetensors"{{$}}
// RUN: sed 's/"topology": "star"/"topology": "tree<1>"/' kept.json > x/gen-2/manifest.json
// RUN: not alpha inspect x/gen-2 2>&1 | filecheck %s --check-prefix=TOPOLOGY
// TOPOLOGY: {{^}}x/gen-2/manifest.json:1:1: error: [checkpoint-manifest] expected manifests of the roles 1 below role 0, along tree<1>, found the roles 1, 2, 3{{$}}
// RUN: sed 's/^ "resumed": null,/ "resumed": null,\n "later": 1,/' kept.json > x/gen-2/manifest.json
// RUN: not alpha inspect x/gen-2 2>&1 | filecheck %s --check-prefix=LATER
// LATER: {{^}}x/gen-2/manifest.json:{{[0-9]+}}:1: error: [checkpoint-manifest] expected the line '"shard": {', as alpha writes it, found '"later": 1,'{{$}}
// RUN: head -c 900 kept.json > x/gen-2/manifest.json
// RUN: not alpha inspect x/gen-2 2>&1 | filecheck %s --check-prefix=TORN
// TORN: {{^}}x/gen-2/manifest.json:{{[0-9]+:[0-9]+}}: error: [checkpoint-manifest] expected a manifest as alpha writes it, found no JSON

// A folder has the version that its name says.
// RUN: cp kept.json x/gen-2/manifest.json && mv x/gen-2 x/gen-7
// RUN: not alpha checkpoint export x state.safetensors 2>&1 | filecheck %s --check-prefix=MOVED
// MOVED: note: gen-7: [checkpoint-manifest] expected a generation of version 7 in x/gen-7, found one of version 2{{$}}

// accepted: as it was written
// RUN: mv x/gen-7 x/gen-2 && alpha inspect x/gen-2
