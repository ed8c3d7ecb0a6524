"""exp, log, tanh and sigmoid: each one list of exact operations, the same on every target."""
