// No number has more letters than any that the IR can have.
// RUN: python3 -c "print('module attributes {s = #region.select<stride(0, 1, 1' + '0' * 1024 + ')>} {}')" | not alpha-opt 2>&1 | filecheck %s --check-prefix=NUMBER
// NUMBER: <stdin>:1:52: error: [source-integer-limit] expected a number or shape of at most 1,024 letters, found 1,025 letters
// RUN: python3 -c "print('module attributes {s = #region.select<stride(0, 1, ' + '9' * 100000 + ')>} {}')" | not alpha-opt 2>&1 | filecheck %s --check-prefix=LARGE
// LARGE: <stdin>:1:52: error: [source-integer-limit] expected a number or shape of at most 1,024 letters, found 100,000 letters

// accepted: as letters; as a selection's number it is too large by far
// RUN: python3 -c "print('module attributes {s = 0' + '0' * 1023 + ' : i64} {}')" | alpha-opt -o /dev/null
// RUN: printf 'module attributes {s = #region.select<stride(0, 1, 1000)>} {}' | alpha-opt -o /dev/null

// An integer type has at most 1,024 bits.
// RUN: printf 'module attributes {a = 0 : i1025} {}' | not alpha-opt 2>&1 | filecheck %s --check-prefix=TYPE
// TYPE: <stdin>:1:28: error: [source-integer-limit] expected an integer type of at most 1,024 bits, found 'i1025'
// accepted:
// RUN: printf 'module attributes {a = 0 : i1024} {}' | alpha-opt -o /dev/null
