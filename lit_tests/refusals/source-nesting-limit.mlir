// At most 128 brackets of all kinds are open at once.
// RUN: python3 -c "print('module attributes {a = ' + '[' * 128 + ']' * 128 + '} {}')" | not alpha-opt 2>&1 | filecheck %s --check-prefix=BRACKET
// BRACKET: <stdin>:1:151: error: [source-nesting-limit] expected brackets nested at most 128 deep, found '[' at depth 129
// RUN: python3 -c "print('module {' * 5000 + '}' * 5000)" | not alpha-opt 2>&1 | filecheck %s --check-prefix=REGION
// REGION: <stdin>:1:1032: error: [source-nesting-limit] expected brackets nested at most 128 deep, found '{' at depth 129
// RUN: python3 -c "print('(' * 100000)" | not alpha-opt 2>&1 | filecheck %s --check-prefix=OPEN
// OPEN: <stdin>:1:129: error: [source-nesting-limit] expected brackets nested at most 128 deep, found '(' at depth 129

// accepted:
// RUN: python3 -c "print('module attributes {a = ' + '[' * 127 + ']' * 127 + '} {}')" | alpha-opt -o /dev/null
// RUN: python3 -c "print('module {' * 128 + '}' * 128)" | alpha-opt -o /dev/null
// RUN: python3 -c "print('// ' + '(' * 100000)" | alpha-opt -o /dev/null

// Selections have a limit of their own.
// RUN: python3 -c "print('module attributes {s = #region.select<' + 'repeat(1, 1, ' * 64 + 'stride(0, 1, 1)' + ')' * 64 + '>} {}')" | not alpha-opt 2>&1 | filecheck %s --check-prefix=SELECTION
// SELECTION: error: [source-nesting-limit] expected selections nested at most 64 deep, found 65
// accepted:
// RUN: python3 -c "print('module attributes {s = #region.select<' + 'repeat(1, 1, ' * 63 + 'stride(0, 1, 1)' + ')' * 63 + '>} {}')" | alpha-opt -o /dev/null
