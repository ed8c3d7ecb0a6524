// Every file of a generation has the length and the digest with which a manifest names it.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: alpha run %examples/least_squares_adam.mlir --interpret=shard --partition optimizer --rounds 4 --checkpoint x --checkpoint-every 2
// RUN: cp x/gen-4/shard-1.safetensors kept && printf x | dd of=x/gen-4/shard-1.safetensors bs=1 seek=650 conv=notrunc status=none
// RUN: not alpha inspect x/gen-4 --verify 2>&1 | filecheck %s --check-prefix=WORD
// WORD: {{^}}x/gen-4/shard-1.safetensors:1:1: error: [checkpoint-digest] expected the {{[0-9]+}} bytes of sha256:{{[0-9a-f]+}} that manifest-1.json names, found {{[0-9]+}} bytes of sha256:{{[0-9a-f]+}}{{$}}
// RUN: not alpha checkpoint reshard x/gen-4 y --owners 2 2>&1 | filecheck %s --check-prefix=RESHARD
// RESHARD: {{^}}x/gen-4/shard-1.safetensors:1:1: error: [checkpoint-digest]
// RUN: not ls y
// RUN: not alpha checkpoint prune x --keep 1 2>&1 | filecheck %s --check-prefix=PRUNE
// PRUNE: {{^}}x/gen-4/shard-1.safetensors:1:1: error: [checkpoint-digest]
// RUN: ls x | filecheck %s --check-prefix=LEFT
// LEFT: gen-2

// Without looking at each byte, its length is seen. What is broken hides no older generation.
// RUN: cp kept x/gen-4/shard-1.safetensors && printf x >> x/gen-4/shard-1.safetensors
// RUN: not alpha inspect x/gen-4 2>&1 | filecheck %s --check-prefix=LONGER
// LONGER: {{^}}x/gen-4/shard-1.safetensors:1:1: error: [checkpoint-digest] expected the {{[0-9]+}} bytes of sha256:{{[0-9a-f]+}} that manifest-1.json names, found {{[0-9]+}} bytes{{$}}
// RUN: alpha checkpoint export x state.safetensors 2>&1 | filecheck %s --check-prefix=OLDER
// OLDER: {{^}}alpha: warning: gen-4 was passed over: [checkpoint-digest] x/gen-4/shard-1.safetensors:1:1: expected
// OLDER: {{^}}state.safetensors: version 2 of least_squares_adam

// RUN: cp kept x/gen-4/shard-1.safetensors && printf ' ' >> x/gen-4/manifest-2.json
// RUN: not alpha inspect x/gen-4 2>&1 | filecheck %s --check-prefix=MANIFEST
// MANIFEST: {{^}}x/gen-4/manifest-2.json:1:1: error: [checkpoint-digest] expected the {{[0-9]+}} bytes of sha256:{{[0-9a-f]+}} that manifest.json names, found {{[0-9]+}} bytes{{$}}

// accepted: as it was written
// RUN: truncate -s -1 x/gen-4/manifest-2.json && alpha inspect x/gen-4 --verify | filecheck %s --check-prefix=WHOLE
// WHOLE: {{^}}verified {{[0-9]+}} bytes{{$}}
