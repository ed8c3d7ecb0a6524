// A .safetensors file has a name of its own for its metadata, so no state can have it.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 2 --checkpoint x
// RUN: cp x/gen-2/manifest.json kept.json
// RUN: sed 's/"name": "m"/"name": "__metadata__"/' kept.json > x/gen-2/manifest.json
// RUN: not alpha inspect x/gen-2 2>&1 | filecheck %s
// CHECK: {{^}}x/gen-2/manifest.json:{{[0-9]+:[0-9]+}}: error: [checkpoint-name] expected another name of a state, since .safetensors files keep this one for themselves, found __metadata__{{$}}

// accepted: as it was written
// RUN: cp kept.json x/gen-2/manifest.json && alpha inspect x/gen-2
