// RUN: alpha-opt %s --split-input-file --verify-diagnostics --lower-memref --convert-scf-to-cf --select-x64 > /dev/null
// RUN: alpha-opt %s --split-input-file --verify-diagnostics --lower-memref --convert-scf-to-cf --select-a64 > /dev/null
// RUN: echo 'x64.func @f in () slots [9000000 : 8] out 0 { x64.ret placed ( = 0) }' | not alpha-translate --emit-x86 2>&1 | filecheck %s --check-prefix=PLACED
// RUN: echo 'a64.func @f in () slots [9000000 : 8] out 0 { a64.ret placed ( = 0) }' | not alpha-translate --emit-aarch64 2>&1 | filecheck %s --check-prefix=PLACED
// RUN: echo 'func.func @".f"() { func.return }' | not alpha-translate --emit-x86 2>&1 | filecheck %s --check-prefix=NAME
// RUN: echo 'func.func @".f"() { func.return }' | not alpha-translate --emit-aarch64 2>&1 | filecheck %s --check-prefix=NAME
// RUN: echo 'func.func @"name.f"() { func.return }' | not alpha-translate --emit-x86 2>&1 | filecheck %s --check-prefix=ALIAS
// RUN: echo '  func.func @_end() { func.return }' | not alpha-translate --emit-x86 2>&1 | filecheck %s --check-prefix=LINKER
// RUN: echo '  func.func @_end() { func.return }' | not alpha-translate --emit-aarch64 2>&1 | filecheck %s --check-prefix=LINKER
// RUN: echo 'func.func @end() { func.return }' | alpha-translate --emit-x86 | filecheck %s --check-prefix=END
// RUN: echo 'func.func @end() { func.return }' | alpha-translate --emit-aarch64 | filecheck %s --check-prefix=END
// RUN: echo '"memref.global"() <{sym_name = "low", type = memref<2xi64>, sym_visibility = "private", initial_value}> : () -> ()' | alpha-translate --emit-x86 | filecheck %s --check-prefix=WORD
// RUN: echo '"memref.global"() <{sym_name = "low", type = memref<2xi64>, sym_visibility = "private", initial_value}> : () -> ()' | alpha-translate --emit-aarch64 | filecheck %s --check-prefix=PLAIN
// RUN: echo 'func.func @_f.() { func.return }' | alpha-translate --emit-x86 | filecheck %s --check-prefix=TAKEN
// RUN: echo 'func.func @_f.() { func.return }' | alpha-translate --emit-aarch64 | filecheck %s --check-prefix=TAKEN

// PLACED: [target-unsupported] expected a frame of at most 8388608 bytes, found 90000
// NAME: [target-unsupported] expected a symbol of letters, digits, `_`, `$` and `.` that begins with a letter or `_`{{.*}}, found '.f'
// ALIAS: begins with a letter or `_`, and not with `name.`, found 'name.f'
// LINKER: :1:3: error: [target-unsupported] expected a symbol that is none of the linker's own, found '_end'
// END: {{^}}end:
// WORD: name.low:
// PLAIN: {{^}}low:
// TAKEN: _f.:

// A frame has room for 8 MiB, in one array or in several.
func.func @largest(%x : i64, %i : index) -> i64 {
  %m = memref.alloca() : memref<1048576xi64>
  memref.store %x, %m[%i] : memref<1048576xi64>
  %v = memref.load %m[%i] : memref<1048576xi64>
  func.return %v : i64
}

// -----

func.func @larger(%x : i64, %i : index) -> i64 {
  // expected-error@+1 {{[target-unsupported] expected at most 8388608 bytes in the frame of a function, found 8388616 of memref<1048577xi64>}}
  %m = memref.alloca() : memref<1048577xi64>
  memref.store %x, %m[%i] : memref<1048577xi64>
  %v = memref.load %m[%i] : memref<1048577xi64>
  func.return %v : i64
}

// -----

// expected-error@+1 {{[target-unsupported] expected at most 8388608 bytes in the frame of a function, found 8388616 of @together}}
func.func @together(%x : i64, %i : index) -> i64 {
  %m = memref.alloca() : memref<1048576xi64>
  %n = memref.alloca() : memref<1xi64>
  %zero = arith.constant 0 : index
  memref.store %x, %m[%i] : memref<1048576xi64>
  memref.store %x, %n[%zero] : memref<1xi64>
  %v = memref.load %m[%i] : memref<1048576xi64>
  %w = memref.load %n[%zero] : memref<1xi64>
  %s = arith.addi %v, %w : i64
  func.return %s : i64
}

// -----

"memref.global"() <{sym_name = "largest", type = memref<134217728xi64>, sym_visibility = "private",
  initial_value}> : () -> ()

// -----

// expected-error@+1 {{[target-unsupported] expected at most 1073741824 bytes of a global, found 1073741832 of memref<134217729xi64>}}
"memref.global"() <{sym_name = "larger", type = memref<134217729xi64>, sym_visibility = "private",
  initial_value}> : () -> ()
