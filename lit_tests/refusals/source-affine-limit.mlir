// One map has at most 96 operands ...
// RUN: python3 -c "print('module attributes {a = affine_map<(i) -> (' + ' + '.join(['i'] * 97) + ')>} {}')" | not alpha-opt 2>&1 | filecheck %s --check-prefix=MAP
// RUN: python3 -c "print('pointwise.update @f(%w : tensor<4xf64>) -> (tensor<4xf64>) { %v = pointwise.map over [i : 4] (%x = %w[' + ' + '.join(['i'] * 97) + ']) { pointwise.yield %x } : tensor<4xf64> pointwise.return %w }')" | not alpha-opt 2>&1 | filecheck %s --check-prefix=MAP
// MAP: error: [source-affine-limit] expected at most 96 affine operands, found 97
// accepted:
// RUN: python3 -c "print('module attributes {a = affine_map<(i) -> (' + ' + '.join(['i'] * 96) + ')>} {}')" | alpha-opt -o /dev/null
// RUN: python3 -c "print('pointwise.update @f(%w : tensor<4xf64>) -> (tensor<4xf64>) { %v = pointwise.map over [i : 4] (%x = %w[(' + ' + '.join(['i'] * 94) + ') mod 4]) { pointwise.yield %x } : tensor<4xf64> pointwise.return %w }')" | alpha-opt -o /dev/null

// ... and its constants have at most 63 bits and a sign.
// RUN: printf 'module attributes {a = affine_map<(i) -> (9223372036854775808)>} {}' | not alpha-opt 2>&1 | filecheck %s --check-prefix=CONSTANT
// RUN: printf 'module attributes {a = affine_map<(i) -> (i * 4294967296 * 4294967296)>} {}' | not alpha-opt 2>&1 | filecheck %s --check-prefix=PRODUCT
// CONSTANT: error: [source-affine-limit] expected affine constants of at most 63 bits and a sign, found one of 64 bits
// PRODUCT: error: [source-affine-limit] expected affine constants of at most 63 bits and a sign, found one of 65 bits
// accepted:
// RUN: printf 'module attributes {a = affine_map<(i) -> (9223372036854775807)>} {}' | alpha-opt -o /dev/null
