"""What the command-line tools share: arguments, pipeline, diagnostics, the last boundary."""
