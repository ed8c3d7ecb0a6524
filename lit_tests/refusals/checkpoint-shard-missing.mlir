// A generation has all files that its manifests name, beside them.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --partition optimizer --rounds 2 --checkpoint x
// RUN: mv x/gen-2/shard-3.safetensors kept
// RUN: not alpha inspect x/gen-2 2>&1 | filecheck %s --check-prefix=SHARD
// SHARD: {{^}}x/gen-2/shard-3.safetensors:1:1: error: [checkpoint-shard-missing] expected the regular file shard-3.safetensors, which manifest-3.json names, found no such file{{$}}
// RUN: ln -s %t/kept x/gen-2/shard-3.safetensors
// RUN: not alpha inspect x/gen-2 2>&1 | filecheck %s --check-prefix=LINK
// LINK: error: [checkpoint-shard-missing] expected the regular file shard-3.safetensors, which manifest-3.json names, found a symbolic link
// RUN: mv x/gen-2/shard-3.safetensors link && mv x/gen-2/manifest-3.json aside
// RUN: not alpha inspect x/gen-2 2>&1 | filecheck %s --check-prefix=MANIFEST
// MANIFEST: error: [checkpoint-shard-missing] expected the regular file manifest-3.json, which manifest.json names, found no such file

// accepted: with all files
// RUN: mv aside x/gen-2/manifest-3.json && mv kept x/gen-2/shard-3.safetensors && alpha inspect x/gen-2
