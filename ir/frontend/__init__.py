"""From bytes to verified operations and back: guard, parsers, registry, verifier, printer."""
