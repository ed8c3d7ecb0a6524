"""Kernels on a GPU beside a copy of the same bytes, and torch's Adam."""
