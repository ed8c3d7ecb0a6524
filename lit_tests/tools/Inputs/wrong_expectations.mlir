func.func private @f no

// -----

// expected-error@+1 {{missing}}
func.func private @f()

// -----

func.func private @f() // expected-error {one brace}
