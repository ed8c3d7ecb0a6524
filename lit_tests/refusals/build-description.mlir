// A folder of executables is what its run.json says; what that can't be is refused at its place.
// RUN: rm -rf %t && alpha build %examples/least_squares_adam.mlir -o %t && cp %t/run.json %t.json
// RUN: sed 's/"role-2"/"..\/role-2"/' %t.json > %t/run.json
// RUN: not alpha inspect %t 2>&1 | filecheck %s --check-prefix=NAME
// NAME: {{^}}{{.*}}run.json:{{[0-9]+:[0-9]+}}: error: [build-description] expected roles[2].executable to be the name of a file of this folder, found "../role-2"{{$}}
// RUN: sed 's/"role": 3/"role": 2/' %t.json > %t/run.json
// RUN: not alpha inspect %t 2>&1 | filecheck %s --check-prefix=ROLE
// ROLE: error: [build-description] expected roles[3].role to be a role above 2, found 2
// RUN: sed 's/"format": 1/"format": 2/' %t.json > %t/run.json
// RUN: not alpha inspect %t 2>&1 | filecheck %s --check-prefix=FORMAT
// FORMAT: error: [build-description] expected format to be 1, found 2
// RUN: printf '{\n "format": }\n' > %t/run.json
// RUN: not alpha inspect %t 2>&1 | filecheck %s --check-prefix=JSON
// JSON: run.json:2:12: error: [build-description] expected a run.json as alpha build writes it, found no JSON: Expecting value

// accepted: what alpha build wrote
// RUN: cp %t.json %t/run.json && alpha inspect %t | filecheck %s --check-prefix=WRITTEN
// WRITTEN: build least_squares_adam: 4 roles
