"""x86-64: registers, rows, syntax and target; the baseline is x86-64-v3."""
