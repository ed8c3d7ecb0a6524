// Pieces are treated on their own; places are those of the whole file.
// RUN: not alpha-opt %s --split-input-file 2> %t.err | filecheck %s
// RUN: filecheck %s --check-prefix=ERROR --input-file %t.err

// A file is written only when every piece is accepted.
// RUN: rm -f %t.out
// RUN: not alpha-opt %s --split-input-file -o %t.out 2> %t.err
// RUN: not cat %t.out

// CHECK: func.func private @first()
// CHECK: // -----
// CHECK-NOT: second
// CHECK: func.func private @third()
func.func private @first()

// -----

// ERROR: opt_split.mlir:21:27: error: [source-syntax] expected '(', found 'no'
// ERROR-NEXT: func.func private @second no
// ERROR-NEXT:                           ^
func.func private @second no

// -----

func.func private @third()
