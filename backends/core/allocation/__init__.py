"""Register allocation: spilling by next uses, placing in dominance order, and parallel moves."""
