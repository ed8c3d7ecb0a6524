// RUN: alpha-opt %s --verify-diagnostics

// expected-error@+1 {{[source-string-unterminated] expected a string literal that is closed on its line, found the end of the line}}
region.state @w : f64 from "w.npy

// RUN: printf 'region.state @w : f64 from "w.npy' | not alpha-opt 2>&1 | filecheck %s --check-prefix=END
// END: <stdin>:1:28: error: [source-string-unterminated] expected a string literal that is closed on its line, found the end of the text

// A backslash takes the quote that follows for a letter.
// RUN: printf 'region.state @w : f64 from "w.npy\\"' | not alpha-opt 2>&1 | filecheck %s --check-prefix=END

// However long it is, this is seen at once.
// RUN: printf 'region.state @w : f64 from "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' | not alpha-opt 2>&1 | filecheck %s --check-prefix=END

// A comment has no literals; the place is that of the literal that isn't closed.
// RUN: printf 'region.state @v : f64 from "v.npy" // "\nregion.state @w : f64 from "' | not alpha-opt 2>&1 | filecheck %s --check-prefix=SECOND
// SECOND: <stdin>:2:28: error: [source-string-unterminated]

// accepted:
// RUN: printf 'region.state @w : f64 from "w.npy"' | alpha-opt
// RUN: printf 'region.state @w : f64 from "w\\".npy" // "\n' | alpha-opt

// -----

// accepted:
region.state @w : f64 from "w.npy"
