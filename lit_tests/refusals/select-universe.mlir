// RUN: alpha-opt %s --split-input-file --verify-diagnostics

// The coordinates of a field are those below the number of its words.

// expected-error@+1 {{[select-universe] expected members below 4, the coordinates of tensor<4xf64>, found member 4}}
region.state @w : tensor<4xf64> = dense<0.0> {identity = #region.identity<schema = "s", field = "w", domain = stride(0, 1, 5), representation = f64, version = 0>}

// -----

// accepted:
region.state @w : tensor<4xf64> = dense<0.0> {identity = #region.identity<schema = "s", field = "w", domain = stride(0, 1, 4), representation = f64, version = 0>}

// -----

// The message names the first member beyond.

// expected-error@+1 {{[select-universe] expected members below 4, the coordinates of tensor<2x2xf64>, found member 6}}
region.state @w : tensor<2x2xf64> = dense<0.0> {identity = #region.identity<schema = "s", field = "w", domain = stride(0, 3, 4), representation = f64, version = 0>}

// -----

// accepted:
region.state @w : tensor<10xf64> = dense<0.0> {identity = #region.identity<schema = "s", field = "w", domain = stride(0, 1, 10), representation = f64, version = 0>}

// A group's members are below the number of roles.
// RUN: not python3 %S/Inputs/alpha_selections.py group 'stride(0, 1, 5)' 4 2>&1 | filecheck %s --check-prefix=GROUP
// GROUP: [select-universe] expected members below 4, found member 4
// RUN: python3 %S/Inputs/alpha_selections.py group 'stride(0, 1, 4)' 4
