// RUN: python3 -c "print('module @' + 'a' * 1025 + ' {}')" | not alpha-opt 2>&1 | filecheck %s
// CHECK: <stdin>:1:9: error: [source-token-limit] expected a name of at most 1,024 letters, found 1,025 letters

// accepted:
// RUN: python3 -c "print('module @' + 'a' * 1024 + ' {}')" | alpha-opt -o /dev/null
// RUN: python3 -c "print('module attributes {a = \"' + 'a' * 100000 + '\"} {}')" | alpha-opt -o /dev/null
