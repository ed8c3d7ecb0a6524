"""The parts of `--convert-linalg-to-pointwise`: loops, reductions, bodies, programs."""
