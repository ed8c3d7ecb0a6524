// The shards are those of the manifests. No other file says the digest of the root's manifest, so
// that one is compared with what each shard says of the whole.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --rounds 2 --checkpoint x
// RUN: cp x/gen-2/manifest.json kept.json
// RUN: sed 's/"name": "least_squares_adam"/"name": "least_squares_adan"/' kept.json > x/gen-2/manifest.json
// RUN: not alpha inspect x/gen-2 2>&1 | filecheck %s --check-prefix=NAME
// NAME: {{^}}x/gen-2/shard-0.safetensors:1:{{[0-9]+}}: error: [checkpoint-shard] expected __metadata__.facts to be {{[0-9a-f]+}}, found "{{[0-9a-f]+}}"{{$}}
// NAME: {{^}}x/gen-2/manifest.json:1:1: note: {{.*}}manifest.json
// RUN: sed 's/"resumed": null/"resumed": {\n  "version": 1,\n  "sha256": "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"\n }/' kept.json > x/gen-2/manifest.json
// RUN: not alpha inspect x/gen-2 2>&1 | filecheck %s --check-prefix=RESUMED
// RESUMED: error: [checkpoint-shard] expected __metadata__.facts to be

// accepted: as it was written
// RUN: cp kept.json x/gen-2/manifest.json && alpha inspect x/gen-2
