// Control bytes other than tab and line ends.
// RUN: printf 'module {}\000\n' | not alpha-opt 2>&1 | filecheck %s --check-prefix=NUL
// NUL: <stdin>:1:10: error: [source-encoding] expected a text without control bytes other than tab and line ends, found the byte 0x00
// RUN: printf 'module {}\n// \033\n' | not alpha-opt 2>&1 | filecheck %s --check-prefix=ESCAPE
// ESCAPE: <stdin>:2:4: error: [source-encoding] expected a text without control bytes other than tab and line ends, found the byte 0x1B
// RUN: printf 'module {}\177' | not alpha-opt 2>&1 | filecheck %s --check-prefix=DELETE
// DELETE: <stdin>:1:10: error: [source-encoding] expected a text without control bytes other than tab and line ends, found the byte 0x7F

// accepted:
// RUN: printf 'module {}\t\r\n' | alpha-opt

// A carriage return that ends no line, for all tools: a comment would go on behind it.
// RUN: printf '// \rmodule {}\n' | not alpha-opt 2>&1 | filecheck %s --check-prefix=RETURN
// RETURN: <stdin>:1:4: error: [source-encoding] expected lines that end in a line feed, perhaps after a carriage return, found a carriage return alone

// accepted:
// RUN: printf '// \r\nmodule {}\r\n' | alpha-opt

// Bytes that aren't UTF-8, wherever they stand.
// RUN: printf 'module {}\n  // \303(\n' | not alpha-opt 2>&1 | filecheck %s --check-prefix=BROKEN
// BROKEN: <stdin>:2:6: error: [source-encoding] expected UTF-8 text, found the byte 0xC3
// RUN: printf 'module {}\n  // \303' | not alpha-opt 2>&1 | filecheck %s --check-prefix=CUT
// CUT: <stdin>:2:6: error: [source-encoding] expected UTF-8 text, found the byte 0xC3
// RUN: printf '// \303\251 \355\240\200\n' | not alpha-opt 2>&1 | filecheck %s --check-prefix=SURROGATE
// SURROGATE: <stdin>:1:6: error: [source-encoding] expected UTF-8 text, found the byte 0xED

// Letters beyond ASCII outside of string literals and comments.
// RUN: printf 'region.state @\303\251 : f64 = 0.0' | not alpha-opt 2>&1 | filecheck %s --check-prefix=LETTER
// LETTER: <stdin>:1:15: error: [source-encoding] expected ASCII outside of string literals and comments, found the character U+00E9
// RUN: printf '\357\273\277module {}' | not alpha-opt 2>&1 | filecheck %s --check-prefix=MARK
// MARK: <stdin>:1:1: error: [source-encoding] expected ASCII outside of string literals and comments, found the character U+FEFF

// accepted:
// RUN: printf '// \303\251\nregion.state @"\303\251" : f64 = 0.0' | alpha-opt | filecheck %s --check-prefix=QUOTED
// QUOTED: region.state @"é" : f64 = 0.000000e+00
