// RUN: printf 'region.state @w : f64 from "a\\x.npy"' | not alpha-opt 2>&1 | filecheck %s --check-prefix=LETTER
// LETTER: <stdin>:1:30: error: [source-string-escape] expected one of the escapes \n, \t, \\, \" or two hexadecimal digits, found \x.
// RUN: printf 'region.state @w : f64 from "a\\0g.npy"' | not alpha-opt 2>&1 | filecheck %s --check-prefix=DIGIT
// DIGIT: <stdin>:1:30: error: [source-string-escape] expected one of the escapes \n, \t, \\, \" or two hexadecimal digits, found \0g
// RUN: printf 'region.state @w : f64 from "a\\\n.npy"' | not alpha-opt 2>&1 | filecheck %s --check-prefix=LINE
// LINE: <stdin>:1:30: error: [source-string-escape] expected one of the escapes \n, \t, \\, \" or two hexadecimal digits, found \

// accepted:
// RUN: printf 'region.state @w : f64 from "a\\\\x.npy"' | alpha-opt
// RUN: printf 'region.state @w : f64 from "a\\0A\\n\\t.npy"' | alpha-opt
