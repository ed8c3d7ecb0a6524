// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// Aliases may not stand for brackets that are nested more deeply than written ones may be.
// RUN: python3 -c "print('#a = ' + '[' * 100 + ']' * 100 + '\n#b = ' + '[' * 29 + '#a' + ']' * 29)" | not alpha-opt 2>&1 | filecheck %s --check-prefix=DEPTH
// DEPTH: <stdin>:2:1: error: [source-alias-limit] expected aliases that stand for brackets nested at most 128 deep, found depth 129
// accepted:
// RUN: python3 -c "print('#a = ' + '[' * 100 + ']' * 100 + '\n#b = ' + '[' * 28 + '#a' + ']' * 28)" | alpha-opt

// Nor for a text that doubles with each line.

#a0 = [1 : i64, 1 : i64, 1 : i64, 1 : i64]
#a1 = [#a0, #a0, #a0, #a0, #a0, #a0, #a0, #a0]
#a2 = [#a1, #a1, #a1, #a1, #a1, #a1, #a1, #a1]
#a3 = [#a2, #a2, #a2, #a2, #a2, #a2, #a2, #a2]
// expected-error@+1 {{[source-alias-limit] expected aliases that stand for at most 131,072 letters in all, found 131,156}}
#a4 = [#a3, #a3, #a3, #a3, #a3, #a3, #a3, #a3]

// -----

// accepted:
#a0 = [1 : i64, 1 : i64, 1 : i64, 1 : i64]
#a1 = [#a0, #a0, #a0, #a0, #a0, #a0, #a0, #a0]
#a2 = [#a1, #a1, #a1, #a1, #a1, #a1, #a1, #a1]
module attributes {a = #a2} {}
