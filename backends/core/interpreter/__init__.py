"""The interpreter of machine code: placed functions, run by the meanings of their rows."""
