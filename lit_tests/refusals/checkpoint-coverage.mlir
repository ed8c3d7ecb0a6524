// Every coordinate of every state is in one shard; the first that isn't is named.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: alpha run %examples/diabetes_adam.mlir --interpret=shard --partition optimizer --rounds 2 --checkpoint x
// RUN: cp x/gen-2/manifest.json kept.json
// RUN: sed 's/"m": "stride(0, 4, 3)"/"m": "stride(0, 4, 2)"/' kept.json > x/gen-2/manifest.json
// RUN: not alpha inspect x/gen-2 2>&1 | filecheck %s --check-prefix=GAP
// GAP: {{^}}x/gen-2/manifest.json:1:1: error: [checkpoint-coverage] expected an owner for each of 10 coordinates of 'm', found none for coordinate 8{{$}}

// As many words as there are, one of them twice and one not at all.
// RUN: sed 's/"v": "stride(0, 4, 3)"/"v": "join(stride(0, 4, 2), stride(9, 1, 1))"/' kept.json > x/gen-2/manifest.json
// RUN: not alpha inspect x/gen-2 2>&1 | filecheck %s --check-prefix=TWICE
// TWICE: error: [checkpoint-coverage] expected {{.*}}10 coordinates of 'v', found

// accepted: as it was written
// RUN: cp kept.json x/gen-2/manifest.json && alpha inspect x/gen-2
